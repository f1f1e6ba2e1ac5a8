import type { Source } from '../../evidence/source.ts';
import { Bm25 } from '../../text/bm25.ts';
import { terms } from '../../text/tokenize.ts';
import { sharedVocabulary } from './expandSubject.ts';
import { facetFit, ownName } from './facetFit.ts';
import { facetOfWord, facets, type FacetId } from './facets.ts';
import { passagesOf, type Passage } from './passages.ts';
import type { ReadQuestion } from './question.ts';
import {
  isBroadIn,
  isNamed,
  relationOf,
  shareOfSubject,
  subjectOf,
  type Relation,
  type Subject,
} from './subjectMatch.ts';

/** What passages are wanted for. */
export interface Wanted {
  readonly title: string;
  readonly description: string;
  readonly queries: readonly string[];
  /** Gaps that a review named. */
  readonly gaps: readonly string[];
  readonly question: string;
  readonly read: ReadQuestion;
}

export interface RankedPassage extends Passage {
  readonly origin: Source;
  /** 0 to 1, comparable within one ranking. */
  readonly score: number;
  /** The sentence speaks of the section's side of the subject. */
  readonly fits: boolean;
  /** 0 to 1: how surely it is about the subject. */
  readonly about: number;
}

const titleWeight = 1;
const queryWeight = 0.6;
/** Most sources have the subject's own words: they tell sources apart, not sentences (see `aboutness`). */
const subjectWeight = 0.3;
/** Words that the sources on the subject have in common. */
const fieldWeight = 0.3;
const gapWeight = 0.6;
/** Words that every facet's queries add ("open source", "results"): the fit to the facet counts them better. */
const facetWordWeight = 0.2;
const facetWords = new Set(Object.values(facets).flatMap(({ queries }) => terms(queries.join(' '))));
/** From here on a sentence speaks of the section's facet. */
const leastFit = 0.18;
/** A word of the heading above counts this much of a word in the sentence. */
const contextShare = 0.35;

/** The facet that a section is about, as its title says, or else its description and queries. */
export function facetOfSection(
  section: Pick<Wanted, 'title' | 'description' | 'queries'>,
  read: ReadQuestion,
): FacetId | undefined {
  const without = (text: string): string => (read.subject === '' ? text : text.replaceAll(read.subject, ' '));
  return (
    facetOfWord(without(section.title)) ??
    facetOfWord(without(section.description.split(':')[0] ?? '')) ??
    facetOfWord(without(section.queries[0] ?? ''))
  );
}

/** All quotable sentences of the sources that speak of the section's subject, best first. `sources` are best first. */
export function rankPassages(wanted: Wanted, sources: readonly Source[]): RankedPassage[] {
  const facet = facetOfSection(wanted, wanted.read);
  const subject = subjectOf(wanted.read, wanted.question, sources);
  const query = weightsOf(wanted, subject);
  const judged = sources.map((origin, rank) => ({ origin, rank, ...relationOf(origin, subject, wanted.question) }));
  const isBroad = isBroadIn(judged);
  const field = sharedVocabulary(
    judged.filter(({ isOnSubject, isForeign }) => isOnSubject && !isForeign).map(({ origin }) => origin),
    subject.terms,
  );
  for (const [term, share] of field) if (!query.has(term)) query.set(term, fieldWeight * share);
  const candidates = judged.flatMap((source) => candidatesOf(source, isBroad, subject, query, field, facet));
  if (candidates.length === 0) return [];
  const bm25 = new Bm25(candidates.map(({ passage }) => passage.terms));
  const contexts = new Bm25(candidates.map(({ contextTerms }) => contextTerms));
  const scored = candidates.map((candidate, index) => ({
    candidate,
    relevance: bm25.score(query, index) + contextShare * contexts.score(query, index),
  }));
  const best = Math.max(...scored.map(({ relevance }) => relevance), 1e-9);
  const named = new Set(
    candidates
      .filter((candidate) => aboutness(candidate, subject, facet) >= 0.9)
      .map(({ passage }) => blockOf(passage)),
  );
  return scored
    .map(({ candidate, relevance }) =>
      ranked(candidate, relevance / best, facet, subject, named.has(blockOf(candidate.passage)), isBroad),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compareText(a.source, b.source) || a.index - b.index);
}

function blockOf({ source, block }: Passage): string {
  return `${source} ${block}`;
}

interface Candidate {
  readonly passage: Passage;
  readonly origin: Source;
  readonly rank: number;
  readonly contextTerms: readonly string[];
  readonly sharesWord: boolean;
  readonly isBroad: boolean;
  /** Number of its words that the sources on the subject share. */
  readonly ofField: number;
  readonly isForeign: boolean;
}

function candidatesOf(
  { origin, rank, sharesWord, isOnSubject, isForeign }: Relation & { readonly origin: Source; readonly rank: number },
  isBroad: boolean,
  subject: Subject,
  query: ReadonlyMap<string, number>,
  field: ReadonlyMap<string, number>,
  facet: FacetId | undefined,
): Candidate[] {
  if (!isOnSubject && (origin.kind !== 'workspace' || !isBroad)) return [];
  const contexts = new Map<string, { readonly contextTerms: readonly string[]; readonly isUnderFacet: boolean }>();
  const contextOf = ({ context, heading }: Passage) => {
    const known = contexts.get(context) ?? {
      contextTerms: terms(context),
      isUnderFacet: facet !== undefined && (facetOfWord(heading) === facet || facetOfWord(origin.title) === facet),
    };
    contexts.set(context, known);
    return known;
  };
  return passagesOf(origin).flatMap((passage) => {
    const { contextTerms, isUnderFacet } = contextOf(passage);
    const ofField = [...passage.words].filter((term) => field.has(term)).length;
    const speaks = isOnSubject
      ? isForeign ||
        passage.terms.some((term) => query.has(term)) ||
        contextTerms.some((term) => query.has(term)) ||
        passage.index <= 3
      : isUnderFacet || ofField >= 2 || passage.terms.some((term) => subject.terms.has(term));
    return speaks ? [{ passage, origin, rank, contextTerms, sharesWord, isBroad, ofField, isForeign }] : [];
  });
}

function ranked(
  candidate: Candidate,
  relevance: number,
  facet: FacetId | undefined,
  subject: Subject,
  isInNamedBlock: boolean,
  isBroad: boolean,
): RankedPassage {
  const { passage, origin, rank } = candidate;
  const position = passage.firstInBlock ? 1 : 0.6 / (1 + passage.index / 40);
  const standing = 1 / (1 + rank / 8);
  const fit = facetFit(passage, origin, facet, subject);
  const blend = 0.45 * relevance + 0.35 * fit + 0.1 * position + 0.1 * standing;
  // Notes go on about what a paragraph names, and all of it belongs to what a narrow subject is.
  const isNote = origin.kind === 'workspace' && !isBroad;
  const about = Math.max(aboutness(candidate, subject, facet), isNote && isInNamedBlock ? 0.8 : 0);
  const fits = fit >= leastFit || (isNote && facet === 'definition' && about >= 0.8);
  return { ...passage, origin, fits, about, score: blend * passage.quality * about * (fits ? 1 : 0.45) };
}

/**
 * 0 to 1: does the sentence itself name the subject, or at least the work that it stands in? A found page says much that has
 * nothing to do with the subject: such a sentence gets 0.
 */
function aboutness(
  { passage: { text, words }, origin, contextTerms, sharesWord, isBroad, ofField, isForeign }: Candidate,
  subject: Subject,
  facet: FacetId | undefined,
): number {
  const shared = shareOfSubject(words, subject);
  if (isForeign || isNamed(subject, words) || shared >= 0.55) return 1;
  const name = ownName(origin);
  if (name !== '' && text.toLowerCase().includes(name.toLowerCase()))
    return facet === 'definition' ? 0.4 : facet === 'tools' || origin.kind !== 'github' ? 0.9 : 0.7;
  const field = Math.min(0.2, ofField * 0.07);
  const isUnderName = contextTerms.some((term) => subject.terms.has(term)) || isNamed(subject, new Set(contextTerms));
  if (origin.kind === 'workspace')
    return isBroad ? (sharesWord ? 0.75 : 0.65) + field : shared > 0 || isUnderName ? 0.7 : 0.45;
  if (shared > 0) return ofField > 0 ? 0.6 + field : 0.4;
  return ofField >= 3 ? 0.4 : 0;
}

function weightsOf({ title, description, queries, gaps, read }: Wanted, subject: Subject): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of terms(text)) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  add(description, queryWeight * 0.5);
  for (const query of queries) {
    for (const term of terms(query)) add(term, facetWords.has(term) ? facetWordWeight : queryWeight);
  }
  for (const gap of gaps) add(gap.slice(0, 400), gapWeight);
  add(title, titleWeight);
  for (const term of [...subject.terms, ...subject.names.flatMap((name) => [...name])])
    weights.set(term, subject.isCommon(term) ? subjectWeight : titleWeight);
  add(read.aspect, queryWeight);
  return weights;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
