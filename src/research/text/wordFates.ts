import * as z from 'zod';

/** What the texts of a source know of a word of a query. */
export const wordFate = z.object({
  word: z.string().max(200),
  /** `near`: only forms and compounds of it occur; `corrected`: only a word that is spelt alike. */
  fate: z.enum(['held', 'near', 'corrected', 'missing']),
});
export const wordFates = z.array(wordFate).max(500);
export type WordFate = z.infer<typeof wordFate>;
