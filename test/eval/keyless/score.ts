import type { Block } from './bm25.ts';
import { normalize } from './normalize.ts';
import type { ParsedReport, Quote } from './parseReport.ts';
import { holds, isAmong, type Folder, type Question } from './questions.ts';

export interface Score {
  /** Position of the quote, from 1, that completes the answer; undefined when it isn't complete. */
  readonly answeredAt: number | undefined;
  readonly quotes: number;
  /** Quotes from files that bear on the question. */
  readonly bearing: number;
}

export interface Checks {
  /** Quotes that stand word for word in the file that they name. */
  readonly verbatim: number;
  /** Quotes that hold a part of the answer, and those of them for which the cited lines hold it too. */
  readonly holding: number;
  readonly placed: number;
  /** Unanswerable: the report names a word that the folder doesn't hold. */
  readonly isHonest: boolean;
  /** Words of the question that the folder holds and the report's own lines name. */
  readonly named: readonly string[];
}

/** What one quote can count for: an engine that quotes whole files answers nothing. */
const longestQuote = 1500;

export function scorePassages(
  passages: readonly Pick<Block, 'file' | 'text'>[],
  question: Question,
  bearing: ReadonlySet<string>,
): Score {
  const open = new Set(question.answer);
  const need = question.need ?? question.answer.length;
  let answeredAt: number | undefined;
  passages.forEach((passage, index) => {
    for (const part of open) if (answers(passage, part)) open.delete(part);
    if (need > 0 && question.answer.length - open.size >= need) answeredAt ??= index + 1;
  });
  return { answeredAt, quotes: passages.length, bearing: passages.filter(({ file }) => bearing.has(file)).length };
}

function answers({ file, text }: Pick<Block, 'file' | 'text'>, part: Question['answer'][number]): boolean {
  const said = normalize(text.slice(0, longestQuote));
  return isAmong(file, part.files) && part.any.some((alternative) => holds(said, alternative));
}

/**
 * Files that bear on a question: those that it lists as relevant, those that its answer names in full, and of the folders
 * that its answer names the files that hold the answer.
 */
export function bearingFiles({ answer, relevant = [] }: Question, { normalized }: Folder): Set<string> {
  const holdsPart = (file: string, text: string): boolean =>
    answer.some((part) => isAmong(file, part.files) && part.any.some((alternative) => holds(text, alternative)));
  const bears = ([file, text]: readonly [string, string]): boolean =>
    isAmong(file, relevant) || answer.some((part) => part.files.includes(file)) || holdsPart(file, text);
  return new Set([...normalized].filter(bears).map(([file]) => file));
}

export function checkReport(report: ParsedReport, question: Question, { files, normalized }: Folder): Checks {
  const holding = report.quotes.filter((quote) => question.answer.some((part) => answers(quote, part)));
  const own = ownText(report, question);
  return {
    verbatim: report.quotes.filter((quote) => isVerbatim(quote, normalized)).length,
    holding: holding.length,
    placed: holding.filter((quote) => answersAtPlace(quote, question, files)).length,
    isHonest: (question.missing ?? []).some((word) => own.includes(normalize(word))),
    named: namedWords(own, question, normalized),
  };
}

/** What the report says for itself, without its headings and without the question, which name every word of it. */
function ownText({ ownLines, headings }: ParsedReport, { question }: Question): string {
  const echoes = [...headings, question, question.replace(/[?？.。!]+$/, '')]
    .map(normalize)
    .filter((echo) => echo !== '')
    .sort((a, b) => b.length - a.length);
  return ownLines.map((line) => echoes.reduce((text, echo) => text.replaceAll(echo, ' '), normalize(line))).join('\n');
}

function namedWords(own: string, { question }: Question, texts: ReadonlyMap<string, string>): string[] {
  const wordsOf = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const said = wordsOf(own);
  const isHeld = (word: string): boolean => {
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'u');
    return [...texts.values()].some((text) => whole.test(text));
  };
  return [...wordsOf(normalize(question))].filter((word) => said.has(word) && isHeld(word));
}

/** Nine of ten of its word pairs stand in its file: cells and columns of a table may be joined anew. */
function isVerbatim({ file, text }: Quote, texts: ReadonlyMap<string, string>): boolean {
  const words = (of: string): string[] =>
    of.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const pairs = (of: readonly string[]): string[] => of.slice(1).map((word, index) => `${of[index]} ${word}`);
  const have = new Set(pairs(words(texts.get(file) ?? '')));
  const wanted = pairs(words(normalize(text)));
  if (wanted.length === 0) return (texts.get(file) ?? '').includes(normalize(text));
  return wanted.filter((pair) => have.has(pair)).length >= 0.9 * wanted.length;
}

function answersAtPlace(
  { file, firstLine, lastLine }: Quote,
  { answer }: Question,
  files: ReadonlyMap<string, string>,
): boolean {
  const text = (files.get(file) ?? '')
    .split('\n')
    .slice(firstLine - 1, lastLine)
    .join('\n');
  return answer.some(
    (part) => isAmong(file, part.files) && part.any.some((alternative) => holds(normalize(text), alternative)),
  );
}
