import type { CitableEvidence, Decide } from '../evidence/checker.ts';
import { checkedText, type CheckedText } from '../evidence/citations.ts';
import { isSpokenOf } from '../evidence/support.ts';
import { sifted } from './floor.ts';

/** A text that may be shown, and what it is shown as. */
export interface FitText {
  readonly text: string;
  readonly checked: CheckedText;
}

export type CheckedTexts = ReturnType<typeof checkedTexts>;

/**
 * The texts of a report, each sifted, parsed and checked once, however often the report is rendered.
 * @param given Text whose figures need no source.
 * @param language Of a report that a model wrote. Undefined: it is made of quotes, and nothing has to be sifted.
 * @param decide What becomes of a statement. Absent: it stays, unverified.
 * @param asked The question, a line each: a sentence that only repeats it states nothing.
 */
export function checkedTexts(
  evidence: CitableEvidence,
  given: string,
  verified: ReadonlySet<string>,
  language: string | undefined,
  decide?: Decide,
  asked = given,
) {
  const known = new Map<string, CheckedText>();
  const fits = new Map<string, FitText | undefined>();
  const isSaid = (sentence: string): boolean => isSpokenOf(sentence, evidence.candidates);

  const check = (text: string): CheckedText => {
    const bare = text.trim();
    const checked = known.get(bare) ?? checkedText(bare, evidence, given, verified, decide);
    known.set(bare, checked);
    return checked;
  };

  const fitOf = (text: string, isQuoted: boolean): FitText | undefined => {
    const own =
      language === undefined ? undefined : sifted(text, isQuoted ? { language } : { language, given: asked, isSaid });
    const rest = own ? (own.isNonsense ? '' : own.text) : text.trim();
    if (rest.trim() === '') return undefined;
    const checked = check(rest);
    return own && checked.statements.size === 0 ? undefined : { text: rest, checked };
  };

  return {
    check,
    /** What of a text is fit to be shown; undefined when it is nonsense, or a model's and cites nothing. */
    fit(text: string, isQuoted = false): FitText | undefined {
      const key = `${isQuoted} ${text}`;
      if (!fits.has(key)) fits.set(key, fitOf(text, isQuoted));
      return fits.get(key);
    },
  };
}
