import type { GatheredCall } from '../analyst/analyst.ts';
import type { Source } from '../evidence/source.ts';
import type { SectionState } from '../state.ts';
import { terms } from '../text/tokenize.ts';

/** A section and the calls of this round for it. */
export interface Found {
  readonly section: SectionState;
  readonly calls: readonly GatheredCall[];
}

/** A text of this length is read whole; of a longer one, in UTF-16 units, each section reads the passages that bear on it. */
const readWhole = 4_000;

/**
 * Each short source for one section: the one that quotes it already, else the one that it bears on most. Others that found it would
 * quote the same again. A section to which nothing would be left reads all that it found.
 */
export function dealtSources(
  found: readonly Found[],
  sections: readonly Pick<SectionState, 'id' | 'distilled'>[],
  sourceOf: (id: string) => Pick<Source, 'title' | 'text'>,
): readonly Found[] {
  const subjects = new Map(
    found.map(({ section }) => {
      const { id, title, description, queries } = section;
      return [id, new Set(terms([title, description, ...queries].join(' ')))] as const;
    }),
  );
  const counts = new Map<string, number>();
  const quoting = new Map(
    sections.flatMap(({ id, distilled }) => (distilled?.findings ?? []).map(({ source }) => [source, id] as const)),
  );
  const readerOf = (source: string, ids: readonly string[]): string => {
    const { title, text } = sourceOf(source);
    const words = new Set(terms(`${title} ${text}`));
    const fit = (id: string): number => {
      const subject = [...subjects.get(id)!];
      return subject.filter((word) => words.has(word)).length / Math.max(1, subject.length);
    };
    const count = (id: string): number => counts.get(id) ?? 0;
    const reader = ids.toSorted((a, b) => fit(b) - fit(a) || count(a) - count(b))[0]!;
    counts.set(reader, count(reader) + 1);
    return reader;
  };
  const finders = new Map<string, string[]>();
  for (const { section, calls } of found)
    for (const source of new Set(calls.flatMap(({ sources }) => sources)))
      finders.set(source, [...(finders.get(source) ?? []), section.id]);
  const readers = new Map<string, string>();
  for (const [source, ids] of finders)
    if (sourceOf(source).text.length <= readWhole) readers.set(source, quoting.get(source) ?? readerOf(source, ids));
  return found.map((one) => {
    const { id } = one.section;
    const isRead = (source: string): boolean => (readers.get(source) ?? id) === id;
    const calls = one.calls.map((call) => ({ ...call, sources: call.sources.filter(isRead) }));
    return calls.some(({ sources }) => sources.length > 0) ? { ...one, calls } : one;
  });
}
