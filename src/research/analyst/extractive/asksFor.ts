import { findLanguage } from '../../languages/languages.ts';
import { readQuery } from '../../text/query.ts';
import { isStopword } from '../../text/stopwords.ts';

export interface AskedFor {
  readonly type: 'list' | 'comparison' | 'general';
  /** What is compared, in the question's words; empty for anything but a comparison. */
  readonly sides: readonly string[];
  /** It wants a survey of a subject. */
  readonly isBroad: boolean;
}

const versus = /\s(?:vs\.?|versus)\s/i;
/** A side is a name, not a clause. */
const mostSideWords = 5;

/** What kind of answer the asking sentence wants, by the few words with which a language asks for a list or a comparison. */
export function asksFor(question: string, language: string): AskedFor {
  const { asking, wantsList } = readQuery(question, language);
  const sides = sidesOf(asking, language);
  if (sides.length > 1) return { type: 'comparison', sides, isBroad: false };
  const { broadWords } = findLanguage(language) ?? {};
  const isBroad = broadWords !== undefined && new RegExp(`(?<!\\p{L})(?:${broadWords})`, 'iu').test(asking);
  return { type: wantsList ? 'list' : 'general', sides: [], isBroad };
}

function sidesOf(asking: string, language: string): string[] {
  const bare = asking.trimEnd().replace(/[?？؟!。.]{1,20}$/u, '');
  if (versus.test(bare))
    return bare
      .split(versus)
      .map((side, index) => trimmed(side, language, index === 0))
      .filter(named);
  const { compareWords = '', joinWords = '' } = findLanguage(language) ?? {};
  const compares = compareWords.split(/\s+/).filter((word) => word !== '');
  const joins = joinWords.split(/\s+/).filter((word) => word !== '');
  const lower = bare.toLowerCase();
  const found = compares.filter((word) =>
    isSpaceless(word) ? lower.includes(word) : new RegExp(`(?<![\\p{L}])${word}(?![\\p{L}])`, 'u').test(lower),
  );
  if (found.length === 0 || joins.length === 0) return [];
  const spaceless = joins.filter(isSpaceless);
  const separator =
    spaceless.length > 0 ? new RegExp(spaceless.join('|'), 'u') : new RegExp(`\\s(?:${joins.join('|')})\\s`, 'iu');
  const [left, right] = bare.split(separator);
  if (left === undefined || right === undefined) return [];
  return [left, right].flatMap((side, index) => {
    const isFirst = index === 0;
    const without = found.reduce((text, word) => cutAt(text, word, isFirst, language), side);
    const shown = trimmed(without, language, isFirst);
    return named(shown) ? [shown] : [];
  });
}

/** What stands beside a word of comparison: behind it on the left side, before it on the right one, unless nothing is named there. */
function cutAt(text: string, word: string, isFirst: boolean, language: string): string {
  const at = text.toLowerCase().indexOf(word);
  if (at === -1) return text;
  const [before, behind] = [text.slice(0, at), text.slice(at + word.length)];
  const [wanted, other] = isFirst ? [behind, before] : [before, behind];
  const isNamed = (part: string): boolean => {
    const rest = trimmed(part, language, isFirst);
    return named(rest) && !isGrammar(rest, language);
  };
  return isNamed(wanted) || !isNamed(other) ? wanted : other;
}

/** A side without the grammar at its edges; the first one ends where it meets the other, the second ends with its clause. */
function trimmed(side: string, language: string, isFirst: boolean): string {
  const clause = isFirst ? side : side.split(/[,:;，：；、]|\s[-–—]\s/)[0]!;
  const words = clause.trim().split(/\s+/);
  while (words.length > 1 && isGrammar(words[0]!, language)) words.shift();
  while (words.length > 1 && isGrammar(words.at(-1)!, language)) words.pop();
  const kept = isFirst ? words.slice(-mostSideWords) : words.slice(0, mostSideWords);
  return kept
    .join(' ')
    .replace(/的$|^[,:;]{1,5}|[,:;]{1,5}$/gu, '')
    .trim();
}

function isGrammar(word: string, language: string): boolean {
  return isStopword(word.toLowerCase(), language) || asked(word.toLowerCase(), language);
}

function asked(word: string, language: string): boolean {
  return findLanguage(language)?.askingWords?.split(/\s+/).includes(word) ?? false;
}

function named(side: string): boolean {
  return /[\p{L}\p{N}]/u.test(side);
}

function isSpaceless(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}
