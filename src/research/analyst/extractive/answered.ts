import { findLanguage } from '../../languages/languages.ts';
import type { Query, QueryWord } from '../../text/query.ts';
import { readQuery } from '../../text/query.ts';
import { fold, tokensOf } from '../../text/tokenize.ts';
import type { WordFate } from '../../text/wordFates.ts';
import type { Chosen } from './choosePassages.ts';

/** What the passages are to the question: an answer, the nearest that there is, or about something else. */
export type Answered = 'answer' | 'nearest' | 'notFound';

export interface Judged {
  readonly answered: Answered;
  /** Names of the question that no file holds. */
  readonly missing: readonly string[];
  /** Words that were read as others, because no file holds them as they are spelled. */
  readonly spelled: readonly string[];
  /** Other words that none of the passages holds. */
  readonly lacks: readonly string[];
}

/**
 * Shares of the question's words, by their rarity, that the best passages hold together. Below the first they are about something
 * else, also below the second when a name is missing; below the third they are no answer. Measured on `test/eval/keyless/dev`.
 */
const leastOfAnything = 0.12;
const leastWithoutName = 0.5;
const leastOfAnswer = 0.45;
/** A longer text tells a story, in which most names are not what is asked. */
const mostOfQuestion = 12;

/**
 * Measures what the best passages hold of what is asked, together.
 * @param fates What the folder knows of the words; empty when no folder was searched, whose passages alone can be about nothing.
 */
export function judge(query: Query, fates: readonly WordFate[], best: readonly Chosen[], language: string): Judged {
  const { words } = readQuery(query.asking, language);
  const known = new Map(fates.map((fate) => [fold(fate.word), fate]));
  const fateOf = ({ word }: QueryWord): WordFate | undefined => known.get(fold(word));
  const weightOf = (word: QueryWord): number => fateOf(word)?.weight ?? 1;
  const isLacked = ({ word }: QueryWord): boolean =>
    best.every(({ lacks }) => lacks.some((one) => fold(one) === fold(word)));
  const spelled = words.filter((word) => fateOf(word)?.fate === 'corrected');
  const lacking = words.filter((word) => isLacked(word) && !spelled.includes(word));
  const isSentence = tokensOf(query.asking).length > words.length;
  const missing = lacking.filter(
    (word) => fateOf(word)?.fate === 'missing' && isName(word.word, query.asking, isSentence),
  );
  const sum = (of: readonly QueryWord[]): number => of.reduce((all, word) => all + weightOf(word), 0);
  const share = 1 - sum(lacking) / Math.max(sum(words), Number.MIN_VALUE);
  // A capital says less where every noun has one.
  const isSure = missing.some(({ word }) => !findLanguage(language)?.capitalizesNouns || hasMarks(word, query.asking));
  const isElsewhere = share < leastOfAnything || (isSure && words.length <= mostOfQuestion && share < leastWithoutName);
  const isNear = missing.length > 0 || share < leastOfAnswer;
  return {
    answered: isElsewhere && fates.length > 0 ? 'notFound' : isNear ? 'nearest' : 'answer',
    missing: missing.map(({ word }) => word),
    spelled: spelled.map(({ word }) => word),
    lacks: lacking.filter((word) => !missing.includes(word)).map(({ word }) => word),
  };
}

/** A word that names something, by its form: its marks, or a capital inside a sentence. */
function isName(word: string, text: string, isSentence: boolean): boolean {
  if (hasMarks(word, text)) return true;
  const before = text.slice(0, text.indexOf(word)).trimEnd();
  return isSentence && /^\p{Lu}/u.test(word) && /[\p{L}\p{N},]$/u.test(before);
}

/** A digit, a capital that is not the first letter, a mark inside, quotation marks around. */
function hasMarks(word: string, text: string): boolean {
  const at = text.indexOf(word);
  const isQuoted = /["“„«‘「『《`]$/.test(text.slice(0, at)) && /^["”“»’」』》`]/.test(text.slice(at + word.length));
  return /\d|[\p{Ll}\p{Lu}]\p{Lu}|[_./-]/u.test(word) || isQuoted;
}
