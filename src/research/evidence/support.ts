import { findAddresses } from '../../markdown/addresses.ts';
import { detectLanguage } from '../text/language.ts';
import { isStopword } from '../text/stopwords.ts';
import { termsOf, tokensOf } from '../text/tokenize.ts';
import { holdsQuote, normalizeForQuote } from './quotes.ts';
import type { Source } from './source.ts';

interface Prepared {
  readonly text: string;
  addresses?: ReadonlySet<string>;
  content?: { readonly language: string; readonly terms: ReadonlySet<string> };
}

// A source's text never changes under one object: each is prepared once.
const prepared = new WeakMap<Source, Prepared>();

function prepare(source: Source): Prepared {
  const known = prepared.get(source) ?? { text: normalizeForQuote(`${source.title}\n${source.text}`) };
  prepared.set(source, known);
  return known;
}

/** Does the source's title or stored text hold this quote, see {@link holdsQuote}? */
export function hasQuote(source: Source, quote: string): boolean {
  return holdsQuote(quote, prepare(source).text);
}

/** Does one of the sources hold this address, or name of a host, in so many words? */
export function speaksOf(sources: readonly Source[], address: string): boolean {
  const wanted = address.toLowerCase();
  return sources.some((source) => {
    const known = prepare(source);
    known.addresses ??= new Set(
      [source.title, source.url ?? '', source.text].flatMap((text) =>
        findAddresses(text).flatMap(({ start, end }) => {
          const found = text.slice(start, end).toLowerCase();
          const host = found.replace(/^[a-z][a-z0-9+.-]{0,30}:\/{0,2}/, '').replace(/[/?#:][^]*$/, '');
          return [found, host];
        }),
      ),
    );
    return known.addresses.has(wanted);
  });
}

/**
 * Shares of a cited sentence's terms that its sources must have: below the first it is about something else, up to the second when it
 * names something that they don't. Measured on `test/support/citedSentences.ts`: of 20 paraphrases none is below 0.22, of 20 inventions
 * none above 0.17.
 */
const leastShared = 0.2;
const mostDoubtful = 0.3;
const leastTerms = 4;
/** In UTF-16 units. */
const longestRead = 300_000;

/** Whether a sentence is about what the sources that it cites say; true where that can't be compared: another language, few words. */
export function sharesContent(sentence: string, sources: readonly Source[]): boolean {
  const language = detectLanguage(sentence);
  const own = contentOf(sentence, language);
  if (own.length < leastTerms) return true;
  // A clause of its own weight is no better than a sentence.
  const clauses = sentence.split(/[,;:—–]\s+/).map((clause) => ({ clause, terms: contentOf(clause, language) }));
  const parts = clauses.length === 1 ? [] : clauses.filter(({ terms }) => terms.length > leastTerms);
  return (
    isHeldBy(own, sentence, language, sources) &&
    parts.every(({ clause, terms }) => isHeldBy(terms, clause, language, sources))
  );
}

/** The same with any one of many sources. */
export function isSpokenOf(sentence: string, sources: readonly Source[]): boolean {
  const language = detectLanguage(sentence);
  const own = contentOf(sentence, language);
  return own.length < leastTerms || sources.some((source) => isHeldBy(own, sentence, language, [source]));
}

function isHeldBy(own: readonly string[], sentence: string, language: string, sources: readonly Source[]): boolean {
  const contents = sources.map(contentTerms);
  if (contents.some((content) => content.language !== language)) return true;
  const isHeld = (term: string): boolean =>
    contents.some(({ terms }) => terms.has(term) || (term.length >= stemLength && terms.has(beginning(term))));
  const share = own.filter(isHeld).length / own.length;
  if (share < leastShared) return false;
  return share > mostDoubtful || namesIn(sentence, language).every((name) => termsOf(name).some(isHeld));
}

/** Words of one stem begin alike: "rerank", "reranker", "reranked". */
const stemLength = 5;
const beginning = (term: string): string => `${term.slice(0, stemLength)}…`;

function contentOf(text: string, language: string): string[] {
  const words = tokensOf(text).filter((word) => !isStopword(word.toLowerCase(), language));
  // Pairs of hiragana are grammar.
  return [...new Set(words.flatMap(termsOf))].filter((term) => !/^\p{Script=Hiragana}+$/u.test(term));
}

function contentTerms(source: Source): { readonly language: string; readonly terms: ReadonlySet<string> } {
  const known = prepare(source);
  if (known.content) return known.content;
  const text = `${source.title}\n${source.facts.join('\n')}\n${source.text.slice(0, longestRead)}`;
  const language = detectLanguage(source.text.trim() === '' ? source.title : source.text);
  const terms = contentOf(text, language);
  known.content = { language, terms: new Set([...terms, ...terms.map(beginning)]) };
  return known.content;
}

/** Words with a capital inside a sentence. In German all nouns have one: there they say nothing. */
function namesIn(sentence: string, language: string): string[] {
  if (language === 'de') return [];
  return sentence.match(/(?<=[\p{Ll}\p{N},;:]\s)\p{Lu}[\p{L}\p{N}-]+/gu) ?? [];
}
