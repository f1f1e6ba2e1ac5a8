import type { Aside } from '../stateSchema.ts';

/** One for each source. */
export function mergedAsides(found: readonly Aside[], before: readonly Aside[] = []): Aside[] {
  return [...Map.groupBy([...before, ...found], ({ source }) => source)].map(([source, all]) => ({
    source,
    sentences: [...new Set(all.flatMap(({ sentences }) => sentences))].toSorted((a, b) => a - b),
  }));
}
