import { fold } from '../research/text/tokenize.ts';
import { languageWords } from './outgoing/languageWords.ts';
import { loadVocabulary } from './outgoing/vocabulary.ts';

/** Letters of each part of a compound. */
const leastPart = 4;

/**
 * Whether no list has a word, nor two that it could be made of. False in a language without a list, of which nothing is known.
 * @param language BCP 47.
 */
export async function isRareWord(word: string, language: string): Promise<boolean> {
  const own = await languageWords(language);
  if (own === undefined && !language.startsWith('en')) return false;
  const vocabulary = await loadVocabulary();
  const isKnown = (part: string): boolean =>
    vocabulary.isEnglish(part) || vocabulary.isName(part) || own?.isOrdinary(part, false) === true;
  const folded = fold(word);
  if (isKnown(folded)) return false;
  for (let at = leastPart; at <= folded.length - leastPart; at += 1)
    if (isKnown(folded.slice(0, at)) && isKnown(folded.slice(at))) return false;
  return true;
}
