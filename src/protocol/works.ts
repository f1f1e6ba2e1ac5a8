import type { SourceView } from './runView.ts';

/** A file, a page, a paper: once, however many passages of it a run has. */
export interface Work<Source extends Counted = SourceView> {
  /** Its representative: the first that is cited, else the one that the others count with. */
  readonly source: Source;
  /** All of its passages, the cited ones first and by number. */
  readonly passages: readonly Source[];
  /** Of the references that cite it. */
  readonly numbers: readonly number[];
}

/** A source, and the source that it counts with. */
interface Counted {
  readonly id: string;
  readonly work?: string | undefined;
}

/**
 * The works among some sources of a run, the cited ones first and by number.
 * @param citations Ids of the cited sources: reference n is the n-th.
 */
export function worksOf<Source extends Counted>(
  sources: readonly Source[],
  citations: readonly string[] = [],
): Work<Source>[] {
  const leaders = new Map(sources.map(({ id, work }) => [id, work]));
  const leaderOf = (id: string, seen: ReadonlySet<string>): string => {
    const next = leaders.get(id);
    return next === undefined || seen.has(next) ? id : leaderOf(next, new Set([...seen, next]));
  };
  const places = new Map(citations.map((id, place) => [id, place]));
  const placeOf = ({ id }: Counted): number => places.get(id) ?? citations.length;
  const groups = Map.groupBy(sources, ({ id }) => leaderOf(id, new Set([id])));
  return [...groups]
    .map(([leader, group]): Work<Source> => {
      const passages = group.toSorted((a, b) => placeOf(a) - placeOf(b));
      const numbers = passages.flatMap((one) => (places.has(one.id) ? placeOf(one) + 1 : []));
      const source = numbers.length > 0 ? passages[0]! : (group.find(({ id }) => id === leader) ?? passages[0]!);
      return { source, passages, numbers };
    })
    .sort((a, b) => placeOf(a.source) - placeOf(b.source));
}

/** Whether a work has these words in its titles, addresses and paths, in any order. */
export function isFound({ passages }: Work, query: string): boolean {
  const text = passages
    .map(({ title, kind, url, file, date }) => [title, kind, url, file?.path, date].join(' '))
    .join(' ')
    .toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
