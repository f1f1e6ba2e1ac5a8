import { selectMmr } from '../../text/mmr.ts';
import { containment, jaccard, shingles } from '../../text/similarity.ts';
import { tokenize } from '../../text/tokenize.ts';
import type { AnalystLimits } from '../analyst.ts';
import type { FacetId } from './facets.ts';
import type { RankedPassage } from './rankPassages.ts';

/** Sentences that a section shows, by depth; the section that answers the question itself shows twice as many. */
const shownByDepth = { quick: 4, standard: 7, deep: 10 } as const;
/** What stands in a section for want of something that fits: about the subject beyond doubt, and little of it. */
const surelyAbout = 0.9;
const mostUnfitting = 4;
/** A passage with less of the best one's score is noise. */
const leastShare = 0.3;
const leastShareOfWide = 0.22;
/** With so few there is nothing to choose from. */
const fewPassages = 6;
const leastShareOfFew = 0.12;
/** Of a hundred candidates the rest is never better than these. */
const maxCandidates = 120;

export function shownCount(depth: AnalystLimits['depth'], isMain: boolean): number {
  return shownByDepth[depth] * (isMain ? 2 : 1);
}

/** A section is the main one when it is about what the question asks for. */
export function isMainFacet(facet: FacetId | undefined, asked: FacetId | undefined): boolean {
  return facet !== undefined && facet === asked && facet !== 'definition';
}

export interface ChoiceOptions {
  /** The section shall show what there is: many documents rather than the best ones. */
  readonly isWide?: boolean;
  /** What does not fit is better than an empty section. */
  readonly mayFill?: boolean;
}

/**
 * The passages of a section in the order of their worth: relevant, each saying something new, and from as many documents as
 * have something to say. Never two that say nearly the same.
 */
export function choosePassages(
  ranked: readonly RankedPassage[],
  count: number,
  { isWide = false, mayFill = true }: ChoiceOptions = {},
): RankedPassage[] {
  const candidates = ranked.slice(0, maxCandidates);
  const fitting = candidates.filter(({ fits }) => fits);
  const best = (fitting[0] ?? candidates[0])?.score ?? 0;
  const open =
    fitting.length > 0 || !mayFill
      ? fitting
      : candidates.filter(({ about }) => about >= surelyAbout).slice(0, mostUnfitting);
  const least = open.length <= fewPassages ? leastShareOfFew : isWide ? leastShareOfWide : leastShare;
  const worthy = open.filter(({ score }) => score >= best * least);
  const prints = worthy.map((passage) => fingerprint(passage.text));
  const documents = worthy.map(documentOf);
  const taken = new Map<string, number>();
  const order = selectMmr(
    worthy.map(({ score }) => score / (best || 1)),
    (a, b) =>
      isNearDuplicate(prints[a]!, prints[b]!) ? 1 : Math.min(0.95, jaccard(worthy[a]!.words, worthy[b]!.words)),
    count,
    {
      lambda: 0.75,
      maxSimilarity: 1,
      crowding: (index) => (taken.get(documents[index]!) ?? 0) * (isWide ? 0.2 : 0.04),
      onChosen: (index) => taken.set(documents[index]!, (taken.get(documents[index]!) ?? 0) + 1),
    },
  );
  return order.map((index) => worthy[index]!);
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
