import { Bm25 } from '../../text/bm25.ts';
import { detectLanguage } from '../../text/language.ts';
import { terms } from '../../text/tokenize.ts';
import type { Source } from '../../evidence/source.ts';
import { cueCounts, facetOfWord, facets, type FacetId } from './facets.ts';
import { passagesOf, type Passage } from './passages.ts';
import { sharedVocabulary } from './expandSubject.ts';
import { acronymOf, longFormOf, type ReadQuestion } from './question.ts';
import { workTitle } from './workTitle.ts';

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
/** A word of two of five sources tells none of them apart. */
const commonShare = 0.4;
/** From here on a sentence speaks of the section's facet. */
const leastFit = 0.18;
/** Share of the subject's telling words that a source on it holds. */
const enoughOfSubject = 0.45;
/** The same for a found page and a subject of few words: a "hybrid" something is no hybrid search. */
const mostOfSubject = 0.7;
/** Share of the user's files that are on a subject which is the folder's own. */
const broadShare = 0.3;
/** What a source is about shows within its first sentences. */
const openingSentences = 80;
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
  const names = otherNames(wanted.read.keywords, sources);
  const usedBy = usage(sources);
  const query = weightsOf(wanted, names, (term) => (usedBy.get(term) ?? 0) >= sources.length * commonShare);
  const words = wanted.read.keywords === '' ? wanted.question.slice(0, 400) : wanted.read.keywords;
  const telling = new Set(terms(words));
  const subject: Subject = { terms: telling, names: new Set(terms(names)), rarity: rarityOf(telling, usedBy, sources.length), sides: wanted.read.sides.map((side) => new Set(terms(side))) };
  const judged = sources.map((origin, rank) => ({ origin, rank, ...relationOf(origin, subject, wanted.question) }));
  const isBroad = isBroadIn(judged);
  const field = sharedVocabulary(judged.filter(({ isOnSubject, isForeign }) => isOnSubject && !isForeign).map(({ origin }) => origin), subject.terms);
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
  const named = new Set(candidates.filter((candidate) => aboutness(candidate, subject, facet) >= 0.9).map(({ passage }) => blockOf(passage)));
  return scored
    .map(({ candidate, relevance }) => ranked(candidate, relevance / best, facet, subject, named.has(blockOf(candidate.passage)), isBroad))
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

interface Subject {
  readonly terms: ReadonlySet<string>;
  /** Short or long form of the same. */
  readonly names: ReadonlySet<string>;
  /** How telling each of the terms is. */
  readonly rarity: ReadonlyMap<string, number>;
  /** Of a comparison: the words of each side. */
  readonly sides: readonly ReadonlySet<string>[];
}

interface Relation {
  /** The source holds a word or a name of the subject. */
  readonly sharesWord: boolean;
  /** It holds enough of the subject's words to be about it. */
  readonly isOnSubject: boolean;
  /** Terms can't match across languages: a source that the search returned is then taken at its word. */
  readonly isForeign: boolean;
}

function relationOf(origin: Source, subject: Subject, question: string): Relation {
  const words = openingWords(origin);
  const held = shareOfSubject(words, subject);
  const enough = origin.kind === 'workspace' || subject.terms.size > 3 ? enoughOfSubject : mostOfSubject;
  // A long page that mentions the short form once, in a list of keywords, is not about it.
  const isNamed = [...subject.names].some((term) => words.has(term)) && (origin.kind !== 'github' || passagesOf(origin).length < 5 || namesOften(origin, subject.names));
  const isForeign = held === 0 && !isNamed && detectLanguage(question) !== detectLanguage(origin.text);
  return { sharesWord: held > 0 || isNamed, isOnSubject: isForeign || isNamed || held >= enough, isForeign };
}

/** 0 to 1: how much of what tells the subject from others the words hold. */
function shareOfSubject(words: ReadonlySet<string>, { rarity }: Subject): number {
  let [held, all] = [0, 0];
  for (const [term, weight] of rarity) {
    all += weight;
    if (words.has(term)) held += weight;
  }
  return all === 0 ? 0 : held / all;
}

/** How telling each word of the subject is among the sources; most of all one that no source uses. */
function rarityOf(words: ReadonlySet<string>, usedBy: ReadonlyMap<string, number>, sources: number): Map<string, number> {
  return new Map(
    [...words].map((term) => {
      const users = usedBy.get(term) ?? 0;
      return [term, Math.log(1 + (sources - users + 0.5) / (users + 0.5)) + 0.2];
    }),
  );
}

/**
 * Is the subject what the user's files are about as a whole? Then passages belong to it whatever words they use; else a
 * passage has to name it.
 */
function isBroadIn(judged: readonly (Relation & { readonly origin: Source })[]): boolean {
  const own = judged.filter(({ origin }) => origin.kind === 'workspace' && passagesOf(origin).length > 0);
  return own.length > 3 && own.filter(({ isOnSubject }) => isOnSubject).length >= own.length * broadShare;
}

function usage(sources: readonly Source[]): Map<string, number> {
  const usedBy = new Map<string, number>();
  for (const source of sources) for (const word of openingWords(source)) usedBy.set(word, (usedBy.get(word) ?? 0) + 1);
  return usedBy;
}

// Like the passages, the words of a source are asked for by every section.
const opening = new WeakMap<Source, ReadonlySet<string>>();

function openingWords(origin: Source): ReadonlySet<string> {
  const known = opening.get(origin);
  if (known) return known;
  const passages = passagesOf(origin).slice(0, openingSentences);
  const words = new Set([...terms(`${origin.title} ${[...new Set(passages.map(({ heading }) => heading))].join(' ')}`), ...passages.flatMap((passage) => passage.terms)]);
  opening.set(origin, words);
  return words;
}

function namesOften(origin: Source, names: ReadonlySet<string>): boolean {
  const said = [terms(origin.title), ...passagesOf(origin).slice(0, openingSentences).map((passage) => passage.terms)];
  return said.flat().filter((word) => names.has(word)).length > 1;
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
      ? isForeign || passage.terms.some((term) => query.has(term)) || contextTerms.some((term) => query.has(term)) || passage.index <= 3
      : isUnderFacet || ofField >= 2 || passage.terms.some((term) => subject.terms.has(term));
    return speaks ? [{ passage, origin, rank, contextTerms, sharesWord, isBroad, ofField, isForeign }] : [];
  });
}

/** The short form of a long subject and the long form of a short one, as far as the words or the sources tell. */
function otherNames(keywords: string, sources: readonly Source[]): string {
  const long = keywords.split(' ').map((word) => longFormOf(word, sources.map(({ text }) => text))).filter((form) => form !== '');
  return [acronymOf(keywords), ...long].join(' ').trim();
}

function ranked(candidate: Candidate, relevance: number, facet: FacetId | undefined, subject: Subject, isInNamedBlock: boolean, isBroad: boolean): RankedPassage {
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
function aboutness({ passage: { text, words }, origin, contextTerms, sharesWord, isBroad, ofField, isForeign }: Candidate, subject: Subject, facet: FacetId | undefined): number {
  const shared = shareOfSubject(words, subject);
  if (isForeign || [...subject.names].some((term) => words.has(term)) || shared >= 0.55) return 1;
  const name = ownName(origin);
  if (name !== '' && text.toLowerCase().includes(name.toLowerCase())) return facet === 'definition' ? 0.4 : facet === 'tools' || origin.kind !== 'github' ? 0.9 : 0.7;
  const field = Math.min(0.2, ofField * 0.07);
  const isUnderName = contextTerms.some((term) => subject.terms.has(term) || subject.names.has(term));
  if (origin.kind === 'workspace') return isBroad ? (sharesWord ? 0.75 : 0.65) + field : shared > 0 || isUnderName ? 0.7 : 0.45;
  if (shared > 0) return ofField > 0 ? 0.6 + field : 0.4;
  return ofField >= 3 ? 0.4 : 0;
}

/** The name that a work gives itself: what stands before the colon of a paper's title, or a repository's name. */
function ownName(origin: Source): string {
  if (origin.kind === 'github') return /\/([^/#\s]+)$/.exec(origin.title)?.[1] ?? '';
  const before = /^([^:]{2,40}):\s/.exec(origin.title)?.[1] ?? '';
  return before.split(' ').length <= 3 && /\p{Lu}.*\p{Lu}|\d/u.test(before) ? before : '';
}

/** 0 to 1: the sentence speaks for the facet and not more for another. */
function facetFit(passage: Passage, origin: Source, facet: FacetId | undefined, subject: Subject): number {
  if (facet === undefined) return 0.5;
  const counts = cueCounts(passage.words);
  // Notes are titled by what they hold; titles of papers and projects boast of methods and frameworks whatever they hold.
  const trust = origin.kind === 'workspace' ? 1 : 0.3;
  const inHeading = facetOfWord(passage.heading) === facet ? 0.35 * trust : 0;
  const inTitle = (facet === 'definition' ? isTitled(origin, subject) : facetOfWord(origin.title) === facet) ? 0.5 * trust : 0;
  const own = fitOf(facet, passage, counts) + openingFit(facet, passage, origin, subject);
  const rivals = new Set<FacetId>([...counts.keys(), 'definition', 'evaluation']);
  const other = Math.max(0, ...[...rivals].filter((id) => id !== facet && !isNeighbour(id, facet)).map((id) => fitOf(id, passage, counts)));
  const lead = own - 0.6 * other;
  const named = facetOfWord(passage.heading) ?? facetOfWord(origin.title);
  const elsewhere = named !== undefined && named !== facet && named !== 'definition' && !isNeighbour(named, facet) ? 0.35 * trust : 0;
  const isOther = inHeading + inTitle < 0.3 && own < 0.8 * other;
  return isOther ? 0 : Math.min(1, Math.max(0, Math.max(0, lead) + inHeading + inTitle - elsewhere));
}

/** A sentence that begins with the subject says what it is; one that begins with a work's own name, what the work does. */
function openingFit(facet: FacetId, passage: Passage, origin: Source, subject: Subject): number {
  if (facet === 'definition') {
    const opening = new Set(terms(passage.text.split(' ').slice(0, subject.terms.size + 3).join(' ')));
    const opens = (words: ReadonlySet<string>): boolean => words.size > 0 && [...words].every((word) => opening.has(word));
    return opens(subject.terms) || subject.sides.some(opens) || [...subject.names].some((name) => opening.has(name)) ? 0.4 : 0;
  }
  if (facet !== 'techniques' && facet !== 'tools' && facet !== 'recent') return 0;
  const name = ownName(origin);
  return name !== '' && (passage.text.startsWith(name) || /^we (?:propose|introduce|present)/i.test(passage.text)) ? 0.35 : 0;
}

/** A document that bears the subject's name and little else tells what it is. */
function isTitled(origin: Source, subject: Subject): boolean {
  const title = new Set(terms(workTitle(origin).document));
  const isOf = (words: ReadonlySet<string>): boolean => words.size > 0 && [...words].every((word) => title.has(word)) && title.size <= words.size + 1;
  return isOf(subject.terms) || isOf(subject.names) || isOf(new Set([...subject.terms, ...subject.names]));
}

function fitOf(id: FacetId, passage: Passage, counts: ReadonlyMap<FacetId, number>): number {
  const cues = Math.min(1, (counts.get(id) ?? 0) * 0.4);
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

function weightsOf({ title, description, queries, gaps, question, read }: Wanted, names: string, isCommon: (term: string) => boolean): Map<string, number> {
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
  for (const term of terms(`${read.keywords === '' ? question.slice(0, 400) : read.keywords} ${names}`)) weights.set(term, isCommon(term) ? subjectWeight : titleWeight);
  add(read.aspect, queryWeight);
  return weights;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
