import type * as z from 'zod/mini';

/** What a schema finds wrong: `"depth" must be one of …`. @param whole What the schema is of, for what is wrong with all of it. */
export function issueText(issue: z.core.$ZodIssue, whole: string): string {
  const path = issue.path.join('.').slice(0, 60);
  const name = path ? `"${path}"` : whole;
  switch (issue.code) {
    case 'invalid_type':
      return / received undefined$/.test(issue.message)
        ? `${name} is missing`
        : `${name} must be of type ${issue.expected}`;
    case 'invalid_value':
      return `${name} must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    default:
      return `${name}: ${issue.message}`;
  }
}
