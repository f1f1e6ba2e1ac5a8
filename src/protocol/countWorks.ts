/** A source, and the source that it counts with. */
interface Counted {
  readonly id: string;
  readonly work?: string | undefined;
}

/** How many works some sources of a run are: those that count with another are one with it. */
export function countWorks(sources: Iterable<Counted>): number {
  const works = new Map([...sources].map(({ id, work }) => [id, work]));
  const leaderOf = (id: string, seen: ReadonlySet<string>): string => {
    const next = works.get(id);
    return next === undefined || seen.has(next) ? id : leaderOf(next, new Set([...seen, next]));
  };
  return new Set([...works.keys()].map((id) => leaderOf(id, new Set([id])))).size;
}
