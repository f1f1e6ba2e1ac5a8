import { selectMmr } from '../../text/mmr.ts';
import { containment, jaccard, shingles } from '../../text/similarity.ts';
import { tokenize } from '../../text/tokenize.ts';
import type { AnalystLimits } from '../analyst.ts';
import type { FacetId } from './facets.ts';
import type { RankedPassage } from './rankPassages.ts';

/** Sentences that a section shows, by depth; the section that answers the question itself shows twice as many. */
const shownByDepth = { quick: 4, standard: 6, deep: 9 } as const;
/** Of a hundred candidates the rest is never better than these. */
const maxCandidates = 120;

export function shownCount(depth: AnalystLimits['depth'], isMain: boolean): number {
  return shownByDepth[depth] * (isMain ? 2 : 1);
}

/** A section is the main one when it is about what the question asks for. */
export function isMainFacet(facet: FacetId | undefined, asked: FacetId | undefined): boolean {
  return facet !== undefined && facet === asked && facet !== 'definition';
}

/**
 * The passages of a section in the order of their worth: relevant, each saying something new, and from as many documents as
 * have something to say. Never two that say nearly the same.
 */
export function choosePassages(ranked: readonly RankedPassage[], count: number): RankedPassage[] {
  const candidates = ranked.slice(0, maxCandidates);
  const best = candidates[0]?.score ?? 0;
  const worthy = candidates.filter(({ score }) => score >= best * 0.3);
  const prints = worthy.map((passage) => fingerprint(passage.text));
  const documents = worthy.map(documentOf);
  const similarity = (a: number, b: number): number => {
    if (isNearDuplicate(prints[a]!, prints[b]!)) return 1;
    const words = jaccard(worthy[a]!.words, worthy[b]!.words);
    // Sentences of one document are alike in what they stand on.
    return Math.min(0.95, words + (documents[a] === documents[b] ? 0.25 : 0));
  };
  const order = selectMmr(
    worthy.map(({ score }) => score / (best || 1)),
    similarity,
    worthy.length,
    { lambda: 0.7, maxSimilarity: 1 },
  );
  const perDocument = new Map<string, number>();
  const most = new Set(documents).size > 1 ? Math.max(2, Math.ceil(count / 3)) : count;
  const chosen: number[] = [];
  const over: number[] = [];
  for (const index of order) {
    const taken = perDocument.get(documents[index]!) ?? 0;
    if (taken < most) {
      perDocument.set(documents[index]!, taken + 1);
      chosen.push(index);
    } else over.push(index);
  }
  return [...chosen, ...over].slice(0, count).map((index) => worthy[index]!);
}

/** Regions of one file are one document. */
export function documentOf({ origin }: Pick<RankedPassage, 'origin'>): string {
  return origin.file ? `file:${origin.file.path}` : origin.id;
}

export interface Fingerprint {
  readonly shingles: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

export function fingerprint(sentence: string): Fingerprint {
  const tokens = tokenize(sentence);
  return { shingles: shingles(tokens), words: new Set(tokens) };
}

/** Do two sentences say the same in nearly the same words, or does one hold the other? */
export function isNearDuplicate(a: Fingerprint, b: Fingerprint): boolean {
  if (jaccard(a.shingles, b.shingles) >= 0.4 || containment(a.shingles, b.shingles) >= 0.65) return true;
  return jaccard(a.words, b.words) >= 0.75;
}
