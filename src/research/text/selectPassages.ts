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
}

export interface Selected {
  readonly path: string;
  readonly passage: Passage;
  /** Of the best of what was put together. */
  readonly score: number;
}

/** From this share of the smaller one on, two passages say the same. */
const sameFrom = 0.75;
/** What counts less counts this much. */
const less = 0.6;
/** A shorter question is repeated by chance, in UTF-16 units. */
const leastRepeated = 20;
/** Relevance against novelty. */
const lambda = 0.7;
/** What belongs together is shown together up to this size. */
const mostTogether = 1_400;
const mostRows = 15;

/**
 * Orders ranked passages for a reader by maximal marginal relevance, so that nothing is said twice, with neighbours, rows and
 * items of one list together. A page in another version or language than another found one, what repeats the question, and an
 * entry of a bibliography count less. At most `limit`.
 */
export function selectPassages(query: Query, ranked: readonly Candidate[], limit: number): Selected[] {
  const others = otherVariants(new Set(ranked.map(({ path }) => path)), query);
  const candidates = ranked
    .map((candidate) => {
      const isEntry = kindOf(candidate.path) === 'bibtex';
      const isLess = isEntry || others.has(candidate.path) || repeats(candidate, query);
      return isLess ? { ...candidate, score: candidate.score * less } : candidate;
    })
    .sort((a, b) => b.score - a.score);
  const prints = candidates.map(({ siblings, number, path }) => {
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
  const top = candidates[0]?.score ?? 1;
  const order = selectMmr(
    candidates.map(({ score }) => score / top),
    similarity,
    limit,
    { lambda, maxSimilarity: 0.999 },
  );
  return together(
    order.map((index) => candidates[index]!),
    query.wantsList,
  );
}

/** Folders that name a version (`v2`, `5x`, `2.1`) or a language (`de`, `pt-BR`). */
const versionFolder = /(?<=^|\/)(?:v(?:ersion-)?\d[\d.]{0,20}x?|\d[\d.]{0,20}(?:x|\.\d{1,4}))(?=\/)/i;
const languageFolder = /(?<=^|\/)[a-z]{2}(?:[-_][a-z]{2,4})?(?=\/)/gi;

/**
 * Pages of which another version or translation was found that suits the question better: the version that it names, else the
 * newest, and its own language.
 */
function otherVariants(paths: ReadonlySet<string>, { words, language }: Query): ReadonlySet<string> {
  const version = (path: string): string => (versionFolder.exec(path)?.[0] ?? '').replace(/^v(?:ersion-)?|\.?x$/gi, '');
  const isOwn = (path: string): boolean =>
    (path.match(languageFolder) ?? []).some((tag) => tag.slice(0, 2).toLowerCase() === language);
  const asked = new Set(words.map(({ word }) => word.replace(/^v|\.?x$/gi, '')));
  const isNewer = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) > 0;
  const isBetter = (a: string, b: string): boolean => {
    const [one, other] = [version(a), version(b)];
    if (asked.has(one) !== asked.has(other)) return asked.has(one);
    return isNewer(one, other);
  };
  const pages = Map.groupBy(paths, (path) => path.replace(languageFolder, '*').replace(versionFolder, '*'));
  return new Set(
    [...pages.values()].flatMap((page) => {
      const own = page.some(isOwn) ? page.filter(isOwn) : page;
      return page.filter((path) => !own.includes(path) || own.some((other) => isBetter(other, path)));
    }),
  );
}

/** The question stands in the passage, and not at its beginning, where a list of questions with answers has it. */
function repeats({ siblings, number }: Candidate, { asking }: Query): boolean {
  return asking.length >= leastRepeated && siblings[number]!.text.replace(/\s+/g, ' ').indexOf(asking) > leastRepeated;
}

function isSame(x: ReadonlySet<string>, y: ReadonlySet<string>): boolean {
  return Math.min(x.size, y.size) >= 4 && containment(x, y) >= sameFrom;
}

/** Neighbours, and rows or items of which several were chosen, as one passage in the place of the best of them. */
function together(chosen: readonly Candidate[], wantsList: boolean): Selected[] {
  const taken = new Set<string>();
  const key = ({ path }: Candidate, number: number): string => `${path}\n${number}`;
  const wanted = new Set(chosen.map((candidate) => key(candidate, candidate.number)));
  return chosen.flatMap((candidate): Selected[] => {
    const { path, siblings, number, score } = candidate;
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
    return [{ path, passage: joined(siblings, first, last), score }];
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
