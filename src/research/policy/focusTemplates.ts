import type { Settings } from '../settings/config.ts';
import { normalizeForQuote } from '../evidence/quotes.ts';

export type FocusTemplate = Settings['focusTemplates'][number];

/** The templates whose `when` applies to a question: the question contains one of its phrases. One without `when` is only ever chosen. */
export function fittingTemplates(templates: readonly FocusTemplate[], question: string): readonly FocusTemplate[] {
  const text = ` ${normalizeForQuote(question)} `;
  return templates.filter(({ when }) =>
    when
      .split(/[,;，；、\n]/)
      .map((phrase) => normalizeForQuote(phrase).trim())
      .some((phrase) => phrase !== '' && holds(text, phrase)),
  );
}

/** Whole words, where words have spaces around them. */
function holds(text: string, phrase: string): boolean {
  const parts = text.split(phrase);
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(phrase))
    return parts.length > 1;
  return parts.slice(1).some((after, index) => !/[\p{L}\p{N}]$/u.test(parts[index]!) && !/^[\p{L}\p{N}]/u.test(after));
}
