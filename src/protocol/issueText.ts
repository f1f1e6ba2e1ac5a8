import type * as z from 'zod/mini';

/** What a schema finds wrong, to be read behind the name of the value: " is missing", " must be a string". */
export function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return / received undefined$/.test(issue.message) ? ' is missing' : ` must be of type ${issue.expected}`;
    case 'invalid_value':
      return ` must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    default:
      return `: ${issue.message}`;
  }
}
