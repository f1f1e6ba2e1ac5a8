import { largest } from '../../../protocol/numbers.ts';
import { baseTag } from '../../languages/languages.ts';
import type { Query, QueryWord } from '../../text/query.ts';
import { readQuery } from '../../text/query.ts';
import { fold, termsOf, tokensOf } from '../../text/tokenize.ts';
import type { WordFate } from '../../text/wordFates.ts';
import type { Chosen } from './choosePassages.ts';

/** What the passages are to the question: an answer, the nearest that there is, or about something else. */
export type Answered = 'answer' | 'nearest' | 'notFound';

export interface Judged {
  readonly answered: Answered;
  /** What is quoted, best first. */
  readonly quoted: readonly Chosen[];
  /** Names of the question that no file holds. */
  readonly missing: readonly string[];
  /** Words that no file holds as they are spelled, with those of the passages that they were read as. */
  readonly spelled: readonly { readonly word: string; readonly read: string }[];
  /** Other words that none of the passages holds. */
  readonly lacks: readonly string[];
}

/**
 * Shares of the question's words, by their rarity: the mean of what the passages hold together and of what the best one holds. Below the
 * first they are about something else, also below the second when a name is missing; below the third they are no answer. Measured
 * on `test/eval/keyless/dev` and five public projects.
 */
const leastOfAnything = 0.12;
const leastWithoutName = 0.5;
const leastOfAnswer = 0.45;
/** Rarity of a name without which passages are no answer: others the folder is full of, its own name before all. */
const leastOfName = 0.5;
/** A longer text tells a story, in which most names are not what is asked. */
const mostOfQuestion = 12;
/** Passages that are quoted, the first and those that hold this share of what the best one holds; fewer where none answers. */
const mostQuoted = 6;
const leastOfBest = 0.5;
const mostElsewhere = 3;
/** A version, an identifier, a code: written in one way alone, so that the question is about nothing else. */
const exactName = /^v?\d+(?:\.\d+)+$|_|^\p{Lu}{2,}-?\d{2,}$/u;
/** A shorter name, or one with a mark inside, is what its letters are: MySQL is no misspelt myxql, `retry_s` no `retry_ms`. */
const longWord = /^\p{L}{7,}$/u;

/**
 * Measures what the passages hold of what is asked.
 * @param fates What the folder knows of the words; empty when no folder was searched, whose passages alone can be about nothing.
 * @param found Best first.
 */
export function judge(query: Query, fates: readonly WordFate[], found: readonly Chosen[], language: string): Judged {
  const { words } = readQuery(query.asking, language);
  const known = new Map(fates.map((fate) => [fold(fate.word), fate]));
  const fateOf = ({ word }: QueryWord): WordFate | undefined => known.get(fold(word));
  const weightOf = (word: QueryWord): number => fateOf(word)?.weight ?? 1;
  const sum = (of: readonly QueryWord[]): number => of.reduce((all, word) => all + weightOf(word), 0);
  const isTypo = ({ word }: QueryWord): boolean => longWord.test(word) || !hasMarks(word, query.asking);
  const readAs = (word: QueryWord, { source, text }: Chosen): string | undefined => {
    const { as = [] } = (isTypo(word) && fateOf(word)) || {};
    const isMeant = (token: string): boolean => termsOf(token).some((term) => as.includes(term));
    return as.length === 0 ? undefined : tokensOf(`${text}\n${source.title}\n${source.file?.path ?? ''}`).find(isMeant);
  };
  const isLacked = (word: QueryWord, one: Chosen): boolean =>
    one.lacks.some((lacked) => fold(lacked) === fold(word.word)) && readAs(word, one) === undefined;
  const shareOf = (lacked: readonly QueryWord[]): number => 1 - sum(lacked) / Math.max(sum(words), Number.MIN_VALUE);
  const best = found.slice(0, mostQuoted);
  const shares = best.map((one) => shareOf(words.filter((word) => isLacked(word, one))));
  const most = largest(shares);
  // How rare a word is, only a folder says.
  const isMeasured = fates.length > 0;
  const quoted = best.filter((_, index) => index === 0 || !isMeasured || shares[index]! >= leastOfBest * most);
  const lacking = words.filter((word) => quoted.every((one) => isLacked(word, one)));
  const isSentence = tokensOf(query.asking).length > words.length;
  const isNamed = (word: string): boolean =>
    hasMarks(word, query.asking) || (isSentence && isCapital(word, query.asking));
  const isUnknown = (word: QueryWord): boolean => ['missing', 'corrected'].includes(fateOf(word)?.fate ?? '');
  const missing = lacking.filter((word) => isUnknown(word) && isNamed(word.word));
  const share = (shareOf(lacking) + most) / 2;
  // A capital says less where every noun has one.
  const hasNouns = baseTag(language) === 'de';
  const isName = ({ word }: QueryWord): boolean => isNamed(word) && (!hasNouns || hasMarks(word, query.asking));
  const isSure = missing.some(isName);
  const isShort = words.length <= mostOfQuestion;
  const lacksName = isSure && share < leastWithoutName;
  const exact = words.filter(({ word }) => exactName.test(word));
  const lacksExact = exact.length > 0 && exact.every((word) => missing.includes(word));
  const isElsewhere = isMeasured && (share < leastOfAnything || (isShort && (lacksName || lacksExact)));
  // The rarest name says what is asked, also where other files hold it.
  const [lacked, had] = [true, false].map((is) =>
    largest(words.filter((word) => isName(word) && lacking.includes(word) === is).map(weightOf)),
  ) as [number, number];
  const lacksRarest = isMeasured && lacked >= leastOfName && lacked > had;
  const isNear = missing.length > 0 || share < leastOfAnswer || lacksRarest;
  return {
    answered: isElsewhere ? 'notFound' : isNear ? 'nearest' : 'answer',
    quoted: isElsewhere ? quoted.slice(0, mostElsewhere) : quoted,
    missing: missing.map(({ word }) => word),
    spelled: words.flatMap((word) => {
      const read = quoted.map((one) => readAs(word, one)).find((token) => token !== undefined);
      return read === undefined ? [] : [{ word: word.word, read }];
    }),
    lacks: lacking.filter((word) => !missing.includes(word)).map(({ word }) => word),
  };
}

/** A capital inside a sentence. */
function isCapital(word: string, text: string): boolean {
  return /^\p{Lu}/u.test(word) && /[\p{L}\p{N},]$/u.test(text.slice(0, text.indexOf(word)).trimEnd());
}

/** A digit, a capital that is not the first letter, a mark inside, quotation marks around. */
function hasMarks(word: string, text: string): boolean {
  const at = text.indexOf(word);
  const isQuoted = /["“„«‘「『《`]$/.test(text.slice(0, at)) && /^["”“»’」』》`]/.test(text.slice(at + word.length));
  return /\d|[\p{Ll}\p{Lu}]\p{Lu}|[_./-]/u.test(word) || isQuoted;
}
