/** Shared part of two sets: |a ∩ b| / |a ∪ b|; 0 for two empty ones. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = overlap(a, b);
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** How much of the smaller set stands in the other: |a ∩ b| / min(|a|, |b|). */
export function containment(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : overlap(a, b) / smaller;
}

/** Runs of `size` neighbouring tokens; the whole, when there are fewer. */
export function shingles(tokens: readonly string[], size = 3): Set<string> {
  if (tokens.length === 0) return new Set();
  if (tokens.length <= size) return new Set([tokens.join(' ')]);
  const runs = new Set<string>();
  for (let i = 0; i + size <= tokens.length; i += 1) runs.add(tokens.slice(i, i + size).join(' '));
  return runs;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const item of small) if (large.has(item)) shared += 1;
  return shared;
}
