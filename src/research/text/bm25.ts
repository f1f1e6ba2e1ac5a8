import { terms } from './tokenize.ts';

export interface Ranked {
  /** Index of the document in the input. */
  readonly index: number;
  /** 0 when no term of the query occurs. */
  readonly score: number;
}

/**
 * Okapi BM25 (Robertson and Zaragoza, 2009; k1 1.2, b 0.75) over a fixed set of documents, with the non-negative inverse
 * document frequency that Lucene uses: a term that stands everywhere counts little, never against.
 */
export class Bm25 {
  readonly #frequencies: readonly ReadonlyMap<string, number>[];
  readonly #lengths: readonly number[];
  readonly #meanLength: number;
  readonly #documentsWith = new Map<string, number>();

  /** `documents` are lists of terms (see {@link terms}). */
  constructor(documents: readonly (readonly string[])[]) {
    this.#frequencies = documents.map(countTerms);
    this.#lengths = documents.map((document) => document.length);
    this.#meanLength = Math.max(
      1,
      this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length),
    );
    for (const frequencies of this.#frequencies) {
      for (const term of frequencies.keys()) this.#documentsWith.set(term, (this.#documentsWith.get(term) ?? 0) + 1);
    }
  }

  /** Rarity of a term among the documents; the greatest for one that none of them has. */
  idf(term: string): number {
    const having = this.#documentsWith.get(term) ?? 0;
    return Math.log(1 + (this.#frequencies.length - having + 0.5) / (having + 0.5));
  }

  /** How well a document answers a query: weight by term, each term once. */
  score(query: ReadonlyMap<string, number>, index: number): number {
    const frequencies = this.#frequencies[index];
    if (!frequencies) return 0;
    const length = this.#lengths[index]! / this.#meanLength;
    let score = 0;
    for (const [term, weight] of query) {
      const frequency = frequencies.get(term);
      if (frequency !== undefined)
        score += weight * this.idf(term) * ((frequency * 2.2) / (frequency + 1.2 * (0.25 + 0.75 * length)));
    }
    return score;
  }

  /** Documents that hold a term of the query, best first; equal ones in the order of the input. */
  rank(query: ReadonlyMap<string, number>): Ranked[] {
    return this.#frequencies
      .map((_, index) => ({ index, score: this.score(query, index) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.index - b.index);
  }
}

/** Ranks texts by a query in words. Documents without any of its terms are left out; equal ones keep their order. */
export function rankBm25(query: string, documents: readonly string[]): Ranked[] {
  return new Bm25(documents.map((document) => terms(document))).rank(new Map(terms(query).map((term) => [term, 1])));
}

function countTerms(document: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of document) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
