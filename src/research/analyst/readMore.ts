import * as z from 'zod';
import type { Source } from '../evidence/source.ts';

/** Another part of a source that is known already: nothing is fetched. */
export const readMoreTool = 'read_more';

/** From this length on, a prompt shows a source in passages. In UTF-16 units. */
export const longSource = 6_000;
/** Of one part, in UTF-16 units: what a prompt has room for. */
const partLength = 4_000;

export const readMoreArguments = z.object({
  source: z
    .string()
    .trim()
    .transform((id) => id.replace(/^\[|\]$/g, ''))
    .pipe(z.string().min(1))
    .describe('Id of the source, such as S3f9a1.'),
  about: z.string().trim().optional().describe('What to look for: the passages on it are shown.'),
  part: z.coerce.number().int().min(1).optional().describe('In place of `about`: reads on in order, from part 1.'),
});

/** What of a source a call asks for: the passages on `about`, or where that is empty the text from one offset to another. */
export function moreOf(
  source: Source,
  { about = '', part = 1 }: z.infer<typeof readMoreArguments>,
): { readonly about: string; readonly from: number; readonly to: number; readonly note: string } {
  const length = source.text.length;
  if (about !== '') return { about, from: 0, to: length, note: `Passages of [${source.id}] on: ${about}` };
  const parts = Math.max(1, Math.ceil(length / partLength));
  const from = (Math.min(part, parts) - 1) * partLength;
  const note = `Part ${Math.min(part, parts)} of ${parts} of [${source.id}].`;
  return { about, from, to: Math.min(length, from + partLength), note };
}
