import { Bm25 } from '../../text/bm25.ts';
import { detectLanguage } from '../../text/language.ts';
import { terms, tokenize, stem } from '../../text/tokenize.ts';
import type { Source } from '../../evidence/source.ts';
import { cueCount, facetOfWord, facets, type FacetId } from './facets.ts';
import { passagesOf, type Passage } from './passages.ts';
import type { ReadQuestion } from './question.ts';

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
  /** Content words, for comparing sentences. */
  readonly words: ReadonlySet<string>;
}

const titleWeight = 1;
const queryWeight = 0.6;
const questionWeight = 0.5;
const gapWeight = 0.6;
/** A word of the heading above counts this much of a word in the sentence. */
const contextShare = 0.35;

/** The facet that a section is about, as its title says, or else its description and queries. */
export function facetOfSection(section: Pick<Wanted, 'title' | 'description' | 'queries'>, read: ReadQuestion): FacetId | undefined {
  const without = (text: string): string => (read.subject === '' ? text : text.replaceAll(read.subject, ' '));
  return facetOfWord(without(section.title)) ?? facetOfWord(without(section.description.split(':')[0] ?? '')) ?? facetOfWord(without(section.queries[0] ?? ''));
}

/** All quotable sentences of the sources that speak of the section's subject, best first. `sources` are best first. */
export function rankPassages(wanted: Wanted, sources: readonly Source[]): RankedPassage[] {
  const facet = facetOfSection(wanted, wanted.read);
  const query = weightsOf(wanted);
  const subject = new Set(terms(wanted.read.keywords === '' ? wanted.question.slice(0, 400) : wanted.read.keywords));
  const candidates = sources.flatMap((origin, rank) => candidatesOf(origin, rank, subject, query, wanted));
  if (candidates.length === 0) return [];
  const bm25 = new Bm25(candidates.map(({ tokens }) => tokens));
  const contexts = new Bm25(candidates.map(({ contextTerms }) => contextTerms));
  const scored = candidates.map((candidate, index) => ({
    candidate,
    relevance: bm25.score(query, index) + contextShare * contexts.score(query, index),
  }));
  const best = Math.max(...scored.map(({ relevance }) => relevance), 1e-9);
  return scored
    .map(({ candidate, relevance }) => ranked(candidate, relevance / best, facet))
    .sort((a, b) => b.score - a.score || compareText(a.source, b.source) || a.index - b.index);
}

interface Candidate {
  readonly passage: Passage;
  readonly origin: Source;
  readonly rank: number;
  readonly tokens: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly contextTerms: readonly string[];
}

function candidatesOf(origin: Source, rank: number, subject: ReadonlySet<string>, query: ReadonlyMap<string, number>, wanted: Wanted): Candidate[] {
  const passages = passagesOf(origin);
  if (passages.length === 0) return [];
  const whole = new Set(terms(`${origin.title} ${origin.text.slice(0, 20_000)}`));
  const shared = [...subject].filter((term) => whole.has(term)).length;
  // Terms can't match across languages: a source that the search returned is then taken at its word.
  const foreign = shared === 0 && detectLanguage(wanted.question) !== detectLanguage(origin.text);
  const isOnSubject = foreign || shared >= Math.max(1, Math.ceil(Math.min(subject.size, 6) / 2));
  return passages.flatMap((passage) => {
    const tokens = terms(passage.text);
    const contextTerms = terms(passage.context);
    const own = tokens.some((term) => query.has(term));
    const about = own || contextTerms.some((term) => subject.has(term));
    const speaks = foreign || (isOnSubject ? about || passage.index <= 3 : tokens.filter((term) => subject.has(term)).length >= Math.max(1, Math.ceil(subject.size / 2)));
    return speaks ? [{ passage, origin, rank, tokens, words: new Set(tokens), contextTerms }] : [];
  });
}

function ranked({ passage, origin, rank, words }: Candidate, relevance: number, facet: FacetId | undefined): RankedPassage {
  const position = passage.firstInBlock ? 1 : 0.6 / (1 + passage.index / 40);
  const standing = 1 / (1 + rank / 8);
  const blend = 0.5 * relevance + 0.3 * facetFit(passage, words, facet) + 0.1 * position + 0.1 * standing;
  return { ...passage, origin, words, score: blend * passage.quality };
}

/** 0 to 1: the sentence speaks for the facet and not more for another. */
function facetFit(passage: Passage, words: ReadonlySet<string>, facet: FacetId | undefined): number {
  if (facet === undefined) return 0.5;
  const all = new Set([...words, ...tokenize(passage.text).map(stem)]);
  const inHeading = facetOfWord(passage.heading) === facet ? 0.35 : 0;
  const own = fitOf(facet, passage, all);
  const others = (Object.keys(facets) as FacetId[]).filter((id) => id !== facet && !isNeighbour(id, facet)).map((id) => fitOf(id, passage, all));
  const lead = own - 0.5 * Math.max(0, ...others);
  return Math.min(1, Math.max(0, lead + inHeading));
}

function fitOf(id: FacetId, passage: Passage, words: ReadonlySet<string>): number {
  const cues = Math.min(1, cueCount(id, words) / 3);
  if (id === 'definition') return Math.min(1, cues * 0.5 + (definition.test(passage.text) ? 0.6 : 0));
  if (id === 'evaluation') return Math.min(1, cues + (measured.test(passage.text) ? 0.3 : 0));
  return cues;
}

/** Facets that tell the same sentences. */
function isNeighbour(a: FacetId, b: FacetId): boolean {
  const pairs: readonly (readonly [FacetId, FacetId])[] = [['definition', 'background'], ['definition', 'techniques'], ['techniques', 'recent'], ['choice', 'limits'], ['choice', 'cost'], ['tools', 'applications']];
  return pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
}

/** "Retrieval-augmented generation (RAG) is a method …", "X refers to …", "…是一种…", "…とは…", "…ist ein…". */
const definition =
  /^(?:the |an? )?[^,.;:]{2,70}?(?: \([^)]{1,40}\))? (?:is|are) (?:an?|the|one of|any|a kind|a type)\s|\b(?:refers? to|is called|are called|is known as|is defined as|stands for|consists? of|introduced the (?:name|term))\b|是(?:一种|指|一个|一类)|指的是|とは[、，]?.+(?:である|です|を指す|のこと)|(?:은|는|이란|란) .+(?:이다|입니다|방법|기법|뜻)|(?:— это| это |называ[ею]тся)|\b(?:ist|sind) (?:eine?|der|die|das)\s|\b(?:est|sont) (?:une?|des|le|la)\s|\b(?:es|son) (?:una?|el|la)\s/iu;
const measured = /\d(?:[.,]\d+)?\s?(?:\\?%|percent|points?|x\b|times|ms\b|seconds|hours)|\b(?:recall|precision|accuracy|ndcg|mrr|f1|bleu|rouge)(?:@\d+)?\b/iu;

function weightsOf({ title, description, queries, gaps, question, read }: Wanted): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of terms(text)) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  add(`${read.keywords} ${read.aspect}`, questionWeight);
  if (read.keywords === '') add(question.slice(0, 400), questionWeight);
  add(description, queryWeight * 0.5);
  for (const query of queries) add(query, queryWeight);
  for (const gap of gaps) add(gap.slice(0, 400), gapWeight);
  add(title, titleWeight);
  return weights;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
