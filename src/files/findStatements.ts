import { largest } from '../protocol/numbers.ts';
import { type CitedText, citedTexts } from './citedTexts.ts';
import { type Evidence, idOf, plainPassage } from './evidence.ts';
import { referencesOf } from './references.ts';
import { keyOf, readKey, type ReadKey } from './statementKey.ts';

/** The text around a place of a report, and what of it is before that, as far as a statement may be long. */
export function textAround(report: string, start: number, all: readonly Evidence[]) {
  // With the addresses of its links, and the marks of a listing, a statement is longer than its words.
  const longest = largest(all.flatMap(({ sentence, passages }) => [sentence.length, passages[0]?.text.length ?? 0]));
  const reach = 1_000 + 2 * longest;
  const first = Math.max(0, start - reach);
  return { block: report.slice(first, start + reach), before: report.slice(first, start) };
}

/**
 * The statement that a citation is at the end of, or inside, by the text around the citation, and what of it is before; undefined where its
 * words were edited.
 */
export function evidenceIn(
  text: string,
  before: string,
  number: number,
  all: readonly Evidence[],
): Evidence | undefined {
  return statementsAt(readKey(text), [{ at: keyOf(before).length, number }], all)[0];
}

/** Letters and digits by which a statement is found. */
interface StatementKey {
  readonly key: string;
  /** What of the statement it is: its words, its passage where it is quoted whole, or the row that a table is quoted for. */
  readonly kind: 'sentence' | 'quoted' | 'row';
  readonly evidence: Evidence;
  readonly citations: ReadonlySet<number>;
  /** Of the statement among all. */
  readonly index: number;
}

/** A key is looked up by as many of its first letters as it has of these. */
const prefixLengths = [64, 32, 16, 8, 4, 2, 1];

/** Letters that are compared, and citations that are looked at: a report that needs more is none of ours. */
const mostSteps = 20_000_000;

/** Of statements that do not change any more. */
const keysOfAll = new WeakMap<readonly Evidence[], ReadonlyMap<string, readonly StatementKey[]>>();

/** The keys of statements by their first letters. */
function keysOf(all: readonly Evidence[]): ReadonlyMap<string, readonly StatementKey[]> {
  const known = keysOfAll.get(all);
  if (known) return known;
  const keys = all.flatMap((evidence, index) => {
    const { key, passages, verdict } = evidence;
    // A listing has its comments, and each row of a table is below the head that is quoted with it.
    const quoted = verdict === 'quoted' && passages.length === 1 ? plainPassage(passages[0]!) : '';
    const row = quoted.slice(quoted.lastIndexOf('\n') + 1);
    const citations = new Set(evidence.citations);
    return Object.entries({ sentence: key, quoted: keyOf(quoted), row: keyOf(row) }).flatMap(([kind, one]) =>
      one === '' ? [] : { key: one, kind: kind as StatementKey['kind'], evidence, citations, index },
    );
  });
  const made = Map.groupBy(keys, ({ key }) => {
    const length = prefixLengths.find((one) => one <= key.length);
    return key.slice(0, length);
  });
  keysOfAll.set(all, made);
  return made;
}

/** The keys of statements that a text has, in its order, with the index of the word that each begins with. */
function* keysIn(
  { key, words }: ReadKey,
  all: readonly Evidence[],
): Generator<StatementKey & { readonly word: number }> {
  const keys = keysOf(all);
  let steps = mostSteps;
  for (const [word, { at }] of words.entries())
    for (const length of prefixLengths)
      for (const one of (at + length <= key.length && keys.get(key.slice(at, at + length))) || []) {
        if ((steps -= one.key.length) < 0) return;
        if (key.startsWith(one.key, at)) yield { ...one, word };
      }
}

/** The place in the key of what begins at this place of the text. */
function placeIn({ key, words }: ReadKey, start: number): number {
  return words[firstBehind(words, (word) => word.start >= start)]?.at ?? key.length;
}

/**
 * For each of these citations, in their order, the longest statement that it may be of, by its place in the key; of two the later. A
 * statement begins behind a mark that is no comma, and its last word is the last before the citation: no words were added to it.
 */
function statementsAt(
  read: ReadKey,
  cited: readonly { readonly at: number; readonly number: number }[],
  all: readonly Evidence[],
): (Evidence | undefined)[] {
  const best = cited.map((): StatementKey | undefined => undefined);
  let steps = mostSteps;
  for (const found of keysIn(read, all)) {
    if (!beginsStatement(read, found)) continue;
    const { at } = read.words[found.word]!;
    const isLonger = ({ evidence, index }: StatementKey): boolean =>
      (found.evidence.key.length - evidence.key.length || found.index - index) >= 0;
    for (let place = firstBehind(cited, (one) => one.at > at); place < cited.length; place += 1) {
      const { at: end, number } = cited[place]!;
      if (end > at + found.key.length || (steps -= 1) < 0) break;
      const known = best[place];
      if (found.citations.has(number) && (!known || isLonger(known))) best[place] = found;
    }
  }
  return best.map((found) => found?.evidence);
}

/** Between the last word of a statement and the first of the next one. */
const betweenStatements = /[\p{Sentence_Terminal}\n|:：;；…—]/u;

/** True where a key begins with the first word of a sentence, an item or a cell. */
function beginsStatement(
  { text, words }: ReadKey,
  { word, kind }: Pick<StatementKey, 'kind'> & { word: number },
): boolean {
  const last = words[word - 1];
  const marks = kind === 'row' ? /\|/ : betweenStatements;
  return !last || marks.test(text.slice(last.end, words[word]!.start));
}

/** The index of the first item of an ordered list that is behind a place; binary search. */
function firstBehind<T>(items: readonly T[], isBehind: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The statements that a report still has as they were judged. */
export function presentIn(report: string, all: readonly Evidence[]): Evidence[] {
  const present = new Set<Evidence>();
  for (const { evidence } of statementsIn(report, all)) present.add(evidence);
  return all.filter((one) => present.has(one));
}

/**
 * Of statements of the same words those that the report cites so; where it cites none so the latest, and all that are quoted, maybe
 * in several sentences.
 */
export function asCited(report: string, all: readonly Evidence[]): Evidence[] {
  // "[5][2]" is [2, 5].
  const idOfSet = (key: string, citations: readonly number[]): string =>
    idOf({ key, citations: citations.toSorted((a, b) => a - b) });
  const cited = new Set(
    citedTexts(report).map(({ start, end, markers }) =>
      idOfSet(
        keyOf(report.slice(start, end)),
        markers.map(({ number }) => number),
      ),
    ),
  );
  const wanted = new Set<Evidence>();
  for (const same of Map.groupBy(all, ({ key }) => key).values()) {
    const exact = same.filter(({ key, citations }) => cited.has(idOfSet(key, citations)));
    const kept = same.filter((one) => one === same.at(-1) || one.verdict === 'quoted');
    for (const one of exact.length > 0 ? exact : kept) wanted.add(one);
  }
  return all.filter((one) => wanted.has(one));
}

/** Where a report has statements as they were judged: where each begins, in UTF-16 units, in their order. */
export function* statementsIn(
  report: string,
  all: readonly Evidence[],
): Generator<{ readonly evidence: Evidence; readonly start: number }> {
  const read = readKey(report);
  for (const { kind, evidence, word } of keysIn(read, all))
    if (kind === 'sentence') yield { evidence, start: read.words[word]!.start };
}

/** The texts of a report that have citations, with what is known of each: nothing where its words were edited. */
export function judgedTexts(
  report: string,
  all: readonly Evidence[],
  references = referencesOf(report),
): (CitedText & { readonly evidence: Evidence | undefined })[] {
  const read = readKey(report);
  const texts = citedTexts(report, references);
  const cited = texts.map(({ markers: [first] }) => ({ at: placeIn(read, first!.start), number: first!.number }));
  const evidence = statementsAt(read, cited, all);
  return texts.map((text, index) => ({ ...text, evidence: evidence[index] }));
}
