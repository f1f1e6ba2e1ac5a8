import type { CitableEvidence, Decide } from '../evidence/checker.ts';
import { checkedText, type CheckedText } from '../evidence/citations.ts';
import { isSpokenOf } from '../evidence/support.ts';
import { sifted } from './floor.ts';

/** A text that may be shown, and what it is shown as. */
export interface FitText {
  readonly text: string;
  readonly checked: CheckedText;
}

/** The texts of a report, each sifted, parsed and checked once, however often the report is rendered. */
export class CheckedTexts {
  readonly #checked = new Map<string, CheckedText>();
  readonly #fits = new Map<string, FitText | undefined>();
  readonly #evidence: CitableEvidence;
  readonly #given: string;
  readonly #verified: ReadonlySet<string>;
  readonly #language: string | undefined;
  readonly #decide: Decide | undefined;

  /**
   * @param given Text whose figures need no source.
   * @param language Of a report that a model wrote. Undefined: it is made of quotes, and nothing has to be sifted.
   * @param decide What becomes of a statement. Absent: it stays, unverified.
   */
  constructor(
    evidence: CitableEvidence,
    given: string,
    verified: ReadonlySet<string>,
    language: string | undefined,
    decide?: Decide,
  ) {
    this.#decide = decide;
    this.#evidence = evidence;
    this.#given = given;
    this.#verified = verified;
    this.#language = language;
  }

  check(text: string): CheckedText {
    const bare = text.trim();
    const checked =
      this.#checked.get(bare) ?? checkedText(bare, this.#evidence, this.#given, this.#verified, this.#decide);
    this.#checked.set(bare, checked);
    return checked;
  }

  /** What of a text is fit to be shown; undefined when it is nonsense, or a model's and cites nothing. */
  fit(text: string, isQuoted = false): FitText | undefined {
    const key = `${isQuoted} ${text}`;
    if (!this.#fits.has(key)) this.#fits.set(key, this.#fitOf(text, isQuoted));
    return this.#fits.get(key);
  }

  #fitOf(text: string, isQuoted: boolean): FitText | undefined {
    const rest = this.#language === undefined ? text.trim() : this.#sifted(text, this.#language, isQuoted);
    if (rest.trim() === '') return undefined;
    const checked = this.check(rest);
    return this.#language !== undefined && checked.statements.size === 0 ? undefined : { text: rest, checked };
  }

  #sifted(text: string, language: string, isQuoted: boolean): string {
    const isSaid = (sentence: string): boolean => isSpokenOf(sentence, this.#evidence.candidates);
    const { text: rest, isNonsense } = sifted(text, isQuoted ? { language } : { language, isSaid });
    return isNonsense ? '' : rest;
  }
}
