/** Share of the questions whose right answer stands among the first `k` results. `ranks` are 1-based; Infinity: not found. */
export function recallAt(k: number, ranks: readonly number[]): number {
  return ranks.filter((rank) => rank <= k).length / ranks.length;
}

/** Mean of 1 / rank over all questions. */
export function meanReciprocalRank(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
}
