/** Ranks documents by BM25 over whatever features `features` takes from a text. Gives indexes, best first. */
export function rankBm25(query: string, documents: readonly string[], features: (text: string) => string[]): number[] {
  const frequencies = documents.map((document) => countAll(features(document)));
  const lengths = frequencies.map((counts) => [...counts.values()].reduce((sum, n) => sum + n, 0));
  const mean = lengths.reduce((sum, n) => sum + n, 0) / documents.length;
  const scores = documents.map(() => 0);
  for (const feature of new Set(features(query))) {
    const having = frequencies.filter((counts) => counts.has(feature)).length;
    const idf = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    frequencies.forEach((counts, i) => {
      const n = counts.get(feature) ?? 0;
      scores[i]! += (idf * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * lengths[i]!) / mean));
    });
  }
  return [...documents.keys()].filter((i) => scores[i]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/** Lower-cased words. */
export function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** Runs of three characters inside words: a misspelt or inflected word still shares most of them. */
export function trigrams(text: string): string[] {
  return words(text).flatMap((word) => {
    const padded = ` ${word} `;
    return Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3));
  });
}

/** Reciprocal rank fusion: an item's score is the sum of 1 / (k + rank) over all rankings. */
export function fuseByRank(rankings: readonly (readonly number[])[], k = 60): number[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    ranking.forEach((item, i) => scores.set(item, (scores.get(item) ?? 0) + 1 / (k + i + 1)));
  }
  return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([item]) => item);
}

function countAll(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
