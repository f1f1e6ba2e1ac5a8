import { readQuery } from './query.ts';
import { termsOf, tokensOf } from './tokenize.ts';

/** In UTF-16 units, of each text. */
const longestRead = 8_000;
/** Forms of one word begin alike: in most languages no stemmer knows them. In characters. */
const stemLength = 5;

/** Whether a text has a word of content that one of others has, in any form of it. */
export function sharesWord(text: string, others: Iterable<string>): boolean {
  const words = readQuery(text).words.filter(({ word }) => /\p{L}/u.test(word));
  const own = new Set(words.flatMap(({ terms }) => terms.map(beginning)));
  if (own.size === 0) return false;
  for (const other of others)
    for (const token of tokensOf(other.slice(0, longestRead)))
      if (termsOf(token).some((term) => own.has(beginning(term)))) return true;
  return false;
}

const beginning = (term: string): string => [...term].slice(0, stemLength).join('');
