import { kindOf, type Passage } from './passages.ts';
import type { Query } from './query.ts';

/** A ranked passage with the text that it is from. */
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

/** What counts less counts this much. */
const less = 0.6;
/** A shorter question is repeated by chance, in UTF-16 units. */
const leastRepeated = 20;
/** Neighbours are shown together up to this size, in UTF-16 units. */
const mostTogether = 1_400;
/** A record is completed up to this size. */
const mostOfRecord = 600;
/** Between neighbours: lines that no passage has may be between them. */
const mostLineEnds = 3;

/**
 * Orders ranked passages for a reader: each text once, neighbours together. A page in another version than another found one, and
 * what repeats the question, count less. At most `limit`.
 */
export function selectPassages(query: Query, ranked: readonly Candidate[], limit: number): Selected[] {
  const others = otherVersions(new Set(ranked.map(({ path }) => path)), query);
  const weighted = ranked
    .map((one) => (others.has(one.path) || repeats(one, query) ? { ...one, score: one.score * less } : one))
    .sort((a, b) => b.score - a.score);
  const seen = new Set<string>();
  const distinct = weighted.filter(({ siblings, number }) => {
    const text = siblings[number]!.text.trim();
    return !seen.has(text) && seen.add(text);
  });
  return together(distinct.slice(0, limit));
}

/** A folder that names a version: `v2`, `5x`, `2.1`. */
const versionFolder = /(?<=^|\/)(?:v(?:ersion-)?\d[\d.]{0,20}x?|\d[\d.]{0,20}(?:x|\.\d{1,4}))(?=\/)/i;

/** Pages of which another version was found that suits the question better: the one that it names, or a newer one. */
function otherVersions(paths: ReadonlySet<string>, { words }: Query): ReadonlySet<string> {
  const versionOf = (path: string): string => versionFolder.exec(path)?.[0].replace(/^v(?:ersion-)?|\.?x$/gi, '') ?? '';
  const asked = new Set(words.map(({ word }) => word.replace(/^v|\.?x$/gi, '')));
  const byFit = (a: string, b: string): number =>
    Number(asked.has(versionOf(b))) - Number(asked.has(versionOf(a))) ||
    versionOf(b).localeCompare(versionOf(a), 'en', { numeric: true });
  const pages = Map.groupBy(paths, (path) => path.replace(versionFolder, '*'));
  return new Set(
    [...pages.values()].flatMap((page) => {
      const [best] = page.toSorted(byFit);
      return page.filter((path) => byFit(best!, path) < 0);
    }),
  );
}

/** The passage contains the question, and not at its beginning, where a list of questions with answers has it. */
function repeats({ siblings, number }: Candidate, { asking }: Query): boolean {
  return asking.length >= leastRepeated && siblings[number]!.text.replace(/\s+/g, ' ').indexOf(asking) > leastRepeated;
}

/** Neighbours that were chosen both, as one passage in the place of the better one. */
function together(chosen: readonly Candidate[]): Selected[] {
  const open = new Set(chosen.map(({ path, number }) => `${number} ${path}`));
  return chosen.flatMap(({ path, siblings, number, score }): Selected[] => {
    if (!open.delete(`${number} ${path}`)) return [];
    const own = siblings[number]!;
    let length = own.text.length;
    const joins = (at: number): boolean => {
      const other = siblings[at];
      if (other === undefined || !continues(own, other) || length + other.text.length >= mostTogether) return false;
      if (!open.delete(`${at} ${path}`)) return false;
      length += other.text.length + 1;
      return true;
    };
    let [first, last] = [number, number];
    while (joins(first - 1)) first -= 1;
    while (joins(last + 1)) last += 1;
    // Fields of a record answer together: what is asked for is seldom the one that names it.
    const isRecord = kindOf(path) === 'config' && own.headings.length > 0;
    const completes = (at: number): boolean => {
      const other = isRecord ? siblings[at] : undefined;
      if (other === undefined || !continues(own, other) || length + other.text.length >= mostOfRecord) return false;
      const next =
        at < first ? siblings[first]!.firstLine - other.lastLine : other.firstLine - siblings[last]!.lastLine;
      if (next !== 1) return false;
      open.delete(`${at} ${path}`);
      length += other.text.length + 1;
      return true;
    };
    while (completes(last + 1)) last += 1;
    while (completes(first - 1)) first -= 1;
    return [{ path, passage: joined(siblings.slice(first, last + 1)), score }];
  });
}

/** Whether passages belong together: each row of a table answers by itself. */
function continues({ form, headings }: Passage, other: Passage): boolean {
  return form !== 'row' && form === other.form && headings.join('\n') === other.headings.join('\n');
}

function joined(parts: readonly Passage[]): Passage {
  const text = parts.map((part, index) => {
    const distance = index === 0 ? 0 : part.firstLine - parts[index - 1]!.lastLine;
    return `${index === 0 ? '' : '\n'.repeat(Math.min(Math.max(distance, 1), mostLineEnds))}${part.text}`;
  });
  return { ...parts[0]!, lastLine: parts.at(-1)!.lastLine, text: text.join('') };
}
