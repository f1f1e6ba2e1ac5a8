import { findAddresses } from '../../markdown/addresses.ts';
import { detectLanguage } from '../text/language.ts';
import { trimBoth } from '../text/trimEnd.ts';
import { type Content, contentOf, sharedWith } from './content.ts';
import { matchNormalized, normalizeForQuote } from './quotes.ts';
import type { Source } from './source.ts';

interface Prepared {
  readonly text: string;
  addresses?: ReadonlySet<string>;
  content?: Content;
}

// A source's text never changes under one object: each is prepared once.
const prepared = new WeakMap<Source, Prepared>();

function prepare(source: Source): Prepared {
  const known = prepared.get(source) ?? { text: normalizeForQuote(`${source.title}\n${source.text}`) };
  prepared.set(source, known);
  return known;
}

/** Does the source's stored text hold this quote (word for word, or nearly so with the same figures)? */
export function hasQuote(source: Source, quote: string): boolean {
  return quoteIn(source, quote) !== 'none';
}

function quoteIn(source: Source, quote: string): 'exact' | 'fuzzy' | 'none' {
  const needle = trimBoth(normalizeForQuote(quote), `"'.… `);
  return needle.length < 3 ? 'none' : matchNormalized(needle, prepare(source).text);
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
          return [found, hostOf(found)];
        }),
      ),
    );
    return known.addresses.has(wanted);
  });
}

function hostOf(address: string): string {
  return address.replace(/^[a-z][a-z0-9+.-]{0,30}:\/{0,2}/, '').replace(/[/?#:][^]*$/, '');
}

/**
 * Share of a cited sentence's content words that a source must have; with less it is about something else. Measured on
 * `test/support/citedSentences.ts`: of 20 paraphrases none is below 0.22, of 20 inventions none above 0.17.
 */
const leastShared = 0.2;
/** In UTF-16 units. */
const longestRead = 300_000;

/** Whether a sentence is about what one of the sources says; true where that can't be compared: another language, few words. */
export function isSpokenOf(sentence: string, sources: readonly Source[]): boolean {
  const own = contentOf(sentence);
  return sources.some((source) => (sharedWith(own, sourceContent(source)) ?? 1) >= leastShared);
}

function sourceContent(source: Source): Content {
  const known = prepare(source);
  const text = `${source.title}\n${source.facts.join('\n')}\n${source.text.slice(0, longestRead)}`;
  known.content ??= contentOf(text, detectLanguage(source.text.trim() === '' ? source.title : source.text));
  return known.content;
}
