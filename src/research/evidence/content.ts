import { detectLanguage } from '../text/language.ts';
import { terms } from '../text/tokenize.ts';

/** What a text is about: its content words, in the form in which texts are compared. */
export interface Content {
  readonly language: string;
  readonly terms: ReadonlySet<string>;
}

/** A statement with fewer content words says too little to be compared. */
const leastTerms = 3;

export function contentOf(text: string, language = detectLanguage(text)): Content {
  return { language, terms: new Set(terms(text, language)) };
}

/** Share of a statement's content words that a text has, 0 to 1; undefined where they can't be compared: another language, few words. */
export function sharedWith(statement: Content, text: Content): number | undefined {
  if (statement.terms.size < leastTerms || text.language !== statement.language) return undefined;
  return [...statement.terms].filter((term) => text.terms.has(term)).length / statement.terms.size;
}
