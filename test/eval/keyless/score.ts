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

export function scorePassages(passages: readonly Pick<Block, 'file' | 'text'>[], question: Question): Score {
  const open = new Set(question.answer);
  const need = question.need ?? question.answer.length;
  let answeredAt: number | undefined;
  passages.forEach((passage, index) => {
    for (const part of open) if (answers(passage, part)) open.delete(part);
    if (need > 0 && question.answer.length - open.size >= need) answeredAt ??= index + 1;
  });
  return { answeredAt, quotes: passages.length, bearing: passages.filter(({ file }) => bears(file, question)).length };
}

function answers({ file, text }: Pick<Block, 'file' | 'text'>, part: Question['answer'][number]): boolean {
  const said = normalize(text.slice(0, longestQuote));
  return isAmong(file, part.files) && part.any.some((alternative) => holds(said, alternative));
}

function bears(file: string, { answer, relevant = [] }: Question): boolean {
  return answer.some((part) => isAmong(file, part.files)) || isAmong(file, relevant);
}

export function checkReport(report: ParsedReport, question: Question, { files }: Folder): Checks {
  const holding = report.quotes.filter((quote) => question.answer.some((part) => answers(quote, part)));
  const own = ownText(report, question);
  return {
    verbatim: report.quotes.filter((quote) => isVerbatim(quote, files)).length,
    holding: holding.length,
    placed: holding.filter((quote) => answersAtPlace(quote, question, files)).length,
    isHonest: (question.missing ?? []).some((word) => own.includes(normalize(word))),
    named: namedWords(own, question, files),
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

function namedWords(own: string, { question }: Question, files: ReadonlyMap<string, string>): string[] {
  const asked = new Set(normalize(question).match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const said = new Set(own.match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const held = new Set(
    [...files].flatMap(([file, text]) => normalize(`${file}\n${text}`).match(/[\p{L}\p{N}]{4,}/gu) ?? []),
  );
  return [...asked].filter((word) => said.has(word) && held.has(word));
}

/** Nine of ten of its word pairs stand in its file: cells and columns of a table may be joined anew. */
function isVerbatim({ file, text }: Quote, files: ReadonlyMap<string, string>): boolean {
  const words = (of: string): string[] =>
    normalize(of).match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const pairs = (of: readonly string[]): string[] => of.slice(1).map((word, index) => `${of[index]} ${word}`);
  const have = new Set(pairs(words(files.get(file) ?? '')));
  const wanted = pairs(words(text));
  if (wanted.length === 0) return normalize(files.get(file) ?? '').includes(normalize(text));
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
