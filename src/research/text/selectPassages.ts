import { detectLanguage } from './language.ts';
import { selectMmr } from './mmr.ts';
import { kindOf, type Passage } from './passages.ts';
import type { Query } from './query.ts';
import { containment, jaccard, shingles } from './similarity.ts';
import { termsOf, tokensOf } from './words.ts';

/** A ranked passage with the text that it stands in. */
export interface Candidate {
  readonly path: string;
  /** All passages of its text, in order. */
  readonly siblings: readonly Passage[];
  readonly number: number;
  readonly score: number;
  readonly coverage: number;
}

export interface Selected {
  readonly path: string;
  readonly passage: Passage;
  /** Of the best of what was put together. */
  readonly score: number;
  readonly coverage: number;
}

/** Weights of what only orders, and never excludes. */
const otherLanguage = 0.7;
const outdated = 0.6;
/** Imports, lists of links and front matter; files of tests; code beside prose. */
const pointing = 0.6;
const testing = 0.8;
const codeWeight = 0.9;
/** Text that quotes the question in passing does not answer it. */
const repeating = 0.5;
const leastRepeated = 20;
/** From this share of the smaller one on, two passages say the same. */
const sameFrom = 0.75;
/** Relevance against novelty. */
const lambda = 0.7;
/** What belongs together is shown together up to this size. */
const mostTogether = 1_400;
const mostRows = 15;

/**
 * Orders ranked passages for a reader: the question's own language before others, the newer version of a page before an older
 * one, nothing twice (maximal marginal relevance), rows and items of one list together. At most `limit`.
 *
 * @param paths Of all texts: they tell which versions there are.
 */
export function selectPassages(
  query: Query,
  candidates: readonly Candidate[],
  limit: number,
  paths: Iterable<string>,
): Selected[] {
  const newest = newestVersions(paths);
  const weighed = candidates
    .map((candidate) => ({
      ...candidate,
      score:
        candidate.score *
        versionWeight(candidate.path, newest, query) *
        languageWeight(candidate, query) *
        formWeight(candidate) *
        (repeats(candidate, query) ? repeating : 1),
    }))
    .sort((a, b) => b.score - a.score);
  const prints = weighed.map(({ siblings, number, path }) => {
    const passage = siblings[number]!;
    const terms = tokensOf(passage.text).flatMap(termsOf);
    return { runs: shingles(terms), words: new Set(terms), form: passage.form, path };
  });
  const similarity = (a: number, b: number): number => {
    const [x, y] = [prints[a]!, prints[b]!];
    // Rows of a table, and entries of the same file, are alike by their form.
    if (x.path === y.path) return x.form === 'prose' && isSame(x.runs, y.runs) ? 1 : 0;
    return isSame(x.runs, y.runs) ? 1 : jaccard(x.words, y.words);
  };
  const top = weighed[0]?.score ?? 1;
  const order = selectMmr(
    weighed.map(({ score }) => score / top),
    similarity,
    limit,
    { lambda, maxSimilarity: 0.999 },
  );
  return together(
    order.map((index) => weighed[index]!),
    query.wantsList,
  );
}

function isSame(x: ReadonlySet<string>, y: ReadonlySet<string>): boolean {
  return Math.min(x.size, y.size) >= 4 && containment(x, y) >= sameFrom;
}

// -------------------------------------------------------------------------------------------------------------- language

function languageWeight({ siblings, number }: Candidate, { language }: Query): number {
  const passage = siblings[number]!;
  if (passage.form === 'code' || passage.text.length < 60) return 1;
  return detectLanguage(passage.text) === language ? 1 : otherLanguage;
}

// ------------------------------------------------------------------------------------------------------------------ form

/** The question stands in the passage, and not at its beginning, where a list of questions with answers has it. */
function repeats({ siblings, number }: Candidate, { asking }: Query): boolean {
  const question = flat(asking);
  return question.length >= leastRepeated && flat(siblings[number]!.text).indexOf(question) > leastRepeated;
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const testPath = /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures)\/|[._-](?:test|spec)\.\w+$/i;
/** Imports, lists of links, and lines of a table of contents. */
const pointer =
  /(?:\. ?){5,80}\d{1,4}\s*$|^\s*(?:import\b|from\s+\S+\s+import\b|use\s+[\w:]+|using\s+[\w.]+;|#include\b|require\b|package\s+[\w.]+;?\s*$|export\b.*\bfrom\b|(?:[-*+]|\d{1,3}[.)])\s+\[[^\]]*\]\([^()]*\)[\s.;,]*$)/;

/** Prose explains, tests seldom do, and what imports or links something only says where it is. */
function formWeight({ path, siblings, number }: Candidate): number {
  const { text, form, firstLine } = siblings[number]!;
  const isFrontMatter = form === 'code' && firstLine === 2 && kindOf(path) === 'markdown';
  const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^ {0,3}#{1,6}\s/.test(line));
  const pointers = lines.filter((line) => pointer.test(line)).length;
  return (
    (isFrontMatter || (pointers > 0 && pointers >= lines.length * 0.6) ? pointing : 1) *
    (testPath.test(path) ? testing : 1) *
    (['code', 'bibtex'].includes(kindOf(path)) ? codeWeight : 1)
  );
}

// -------------------------------------------------------------------------------------------------------------- versions

/** A folder of a path that names a version: `v2`, `version-2.25`, `1.x`, `3.0.1`. */
const versionFolder = /^(?:v|version[-_]?v?|release[-_]?v?|rel[-_]?v?)?(\d{1,4}(?:[._]\d{1,4}){0,3})(?:[._]x)?$/i;
const retired = /(?:^|\/)(?:archived?|deprecated|legacy|obsolete|outdated|old)(?:[-_./]|$)/i;

interface Version {
  /** The path with a star for the version. */
  readonly family: string;
  readonly number: readonly number[];
  readonly name: string;
}

function versionOf(path: string): Version | undefined {
  const folders = path.split('/').slice(0, -1);
  const at = folders.findIndex((folder) => versionFolder.test(folder) && /[a-z.]/i.test(folder));
  if (at === -1) return undefined;
  const [, digits = ''] = versionFolder.exec(folders[at]!) ?? [];
  return {
    family: [...folders.slice(0, at), '*'].join('/'),
    number: digits.split(/[._]/).map(Number),
    name: digits,
  };
}

function newestVersions(paths: Iterable<string>): ReadonlyMap<string, readonly number[]> {
  const newest = new Map<string, readonly number[]>();
  for (const path of paths) {
    const version = versionOf(path);
    if (version === undefined) continue;
    const known = newest.get(version.family);
    if (known === undefined || isLower(known, version.number)) newest.set(version.family, version.number);
  }
  return newest;
}

function versionWeight(path: string, newest: ReadonlyMap<string, readonly number[]>, query: Query): number {
  if (retired.test(path)) return outdated;
  const version = versionOf(path);
  if (version === undefined || !isLower(version.number, newest.get(version.family) ?? [])) return 1;
  const asked = query.words.some(({ word }) => word.replace(/^v/i, '').replace(/[._]x$/i, '') === version.name);
  return asked ? 1 : outdated;
}

function isLower(a: readonly number[], b: readonly number[]): boolean {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

// -------------------------------------------------------------------------------------------------------------- together

/** Neighbours, and rows or items of which several were chosen, as one passage in the place of the best of them. */
function together(chosen: readonly Candidate[], wantsList: boolean): Selected[] {
  const taken = new Set<string>();
  const key = ({ path }: Candidate, number: number): string => `${path}\n${number}`;
  const wanted = new Set(chosen.map((candidate) => key(candidate, candidate.number)));
  return chosen.flatMap((candidate): Selected[] => {
    const { path, siblings, number, score, coverage } = candidate;
    if (taken.has(key(candidate, number))) return [];
    const run = runOf(candidate);
    const members = run.filter((one) => wanted.has(key(candidate, one)));
    const isRow = siblings[number]!.form === 'row';
    let [first, last] = [number, number];
    // Each row answers by itself, best first; who asks for a list wants the table.
    if (isRow && wantsList && members.length > 1 && lengthOf(siblings, run) <= mostTogether && run.length <= mostRows)
      [first, last] = [run[0]!, run.at(-1)!];
    else if (!isRow) {
      const isOpen = (one: number): boolean => members.includes(one) && !taken.has(key(candidate, one));
      while (isOpen(first - 1) && lengthOf(siblings, [first - 1, ...range(first, last)]) <= mostTogether) first -= 1;
      while (isOpen(last + 1) && lengthOf(siblings, [...range(first, last), last + 1]) <= mostTogether) last += 1;
    }
    for (const one of range(first, last)) taken.add(key(candidate, one));
    return [{ path, passage: joined(siblings, first, last), score, coverage }];
  });
}

/** Numbers of the neighbours that stand under the same heading in the same form. */
function runOf({ siblings, number }: Candidate): number[] {
  const own = siblings[number]!;
  const belongs = (other: Passage | undefined): boolean =>
    other !== undefined &&
    other.form === own.form &&
    other.head === own.head &&
    other.headings.join('\n') === own.headings.join('\n');
  let [first, last] = [number, number];
  while (belongs(siblings[first - 1]) && number - first < mostRows) first -= 1;
  while (belongs(siblings[last + 1]) && last - number < mostRows) last += 1;
  return range(first, last);
}

function joined(siblings: readonly Passage[], first: number, last: number): Passage {
  const [begin, end] = [siblings[first]!, siblings[last]!];
  if (first === last) return begin;
  const parts = siblings.slice(first, last + 1);
  const gap = begin.form === 'prose' ? '\n\n' : '\n';
  return { ...begin, lastLine: end.lastLine, text: parts.map(({ text }) => text).join(gap) };
}

function lengthOf(siblings: readonly Passage[], numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + siblings[number]!.text.length + 1, 0);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
