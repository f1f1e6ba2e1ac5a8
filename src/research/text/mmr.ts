export interface MmrOptions {
  /** 1: relevance alone, 0: novelty alone. */
  readonly lambda?: number;
  /** A candidate that is at least this similar to a chosen one is never chosen. */
  readonly maxSimilarity?: number;
  /** Taken off a candidate's value, by what has been chosen before it. */
  readonly crowding?: (index: number) => number;
  /** Told of each choice, before the next one. */
  readonly onChosen?: (index: number) => void;
}

/**
 * Picks up to `count` candidates by maximal marginal relevance (Carbonell and Goldstein, 1998): each next one is the most
 * relevant that says something new. `relevance` is best scaled to 0-1, `similarity` is symmetric, 0-1. Equal ones go by
 * index. Gives indexes in the order of choice.
 */
export function selectMmr(
  relevance: readonly number[],
  similarity: (a: number, b: number) => number,
  count: number,
  { lambda = 0.7, maxSimilarity = 1.01, crowding = () => 0, onChosen }: MmrOptions = {},
): number[] {
  const chosen: number[] = [];
  const closest = relevance.map(() => 0);
  const open = new Set(relevance.keys());
  while (chosen.length < count && open.size > 0) {
    let best = -1;
    let bestValue = -Infinity;
    for (const index of open) {
      const value = lambda * relevance[index]! - (1 - lambda) * closest[index]! - crowding(index);
      if (value > bestValue) [best, bestValue] = [index, value];
    }
    if (best < 0) break;
    open.delete(best);
    chosen.push(best);
    onChosen?.(best);
    for (const index of open) {
      const near = similarity(best, index);
      if (near >= maxSimilarity) open.delete(index);
      else if (near > closest[index]!) closest[index] = near;
    }
  }
  return chosen;
}
