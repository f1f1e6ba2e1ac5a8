import type { Source } from '../../evidence/source.ts';
import { terms } from '../../text/tokenize.ts';
import { cueCounts, facetOfWord, type FacetId } from './facets.ts';
import type { Passage } from './passages.ts';
import { isNamed, type Subject } from './subjectMatch.ts';
import { workTitle } from './workTitle.ts';

/** 0 to 1: the sentence speaks for the facet and not more for another. */
export function facetFit(passage: Passage, origin: Source, facet: FacetId | undefined, subject: Subject): number {
  if (facet === undefined) return 0.5;
  const counts = cueCounts(passage.words);
  // Notes are titled by what they hold; titles of papers and projects boast of methods and frameworks whatever they hold.
  const trust = origin.kind === 'workspace' ? 1 : 0.3;
  const inHeading = facetOfWord(passage.heading) === facet ? 0.35 * trust : 0;
  const inTitle = (facet === 'definition' ? isTitled(origin, subject) : facetOfWord(origin.title) === facet)
    ? 0.5 * trust
    : 0;
  const own = fitOf(facet, passage, counts) + openingFit(facet, passage, origin, subject);
  const rivals = new Set<FacetId>([...counts.keys(), 'definition', 'evaluation']);
  const other = Math.max(
    0,
    ...[...rivals].filter((id) => id !== facet && !isNeighbour(id, facet)).map((id) => fitOf(id, passage, counts)),
  );
  const lead = own - 0.6 * other;
  const named = facetOfWord(passage.heading) ?? facetOfWord(origin.title);
  const elsewhere =
    named !== undefined && named !== facet && named !== 'definition' && !isNeighbour(named, facet) ? 0.35 * trust : 0;
  const isOther = inHeading + inTitle < 0.3 && own < 0.8 * other;
  return isOther ? 0 : Math.min(1, Math.max(0, Math.max(0, lead) + inHeading + inTitle - elsewhere));
}

/** A sentence that begins with the subject says what it is; one that begins with a work's own name, what the work does. */
function openingFit(facet: FacetId, passage: Passage, origin: Source, subject: Subject): number {
  if (facet === 'definition') {
    const opening = new Set(
      terms(
        passage.text
          .split(' ')
          .slice(0, subject.terms.size + 3)
          .join(' '),
      ),
    );
    const opens = (words: ReadonlySet<string>): boolean =>
      words.size > 0 && [...words].every((word) => opening.has(word));
    return opens(subject.terms) || subject.sides.some(opens) || isNamed(subject, opening) ? 0.4 : 0;
  }
  if (facet !== 'techniques' && facet !== 'tools' && facet !== 'recent') return 0;
  const name = ownName(origin);
  return name !== '' && (passage.text.startsWith(name) || /^we (?:propose|introduce|present)/i.test(passage.text))
    ? 0.35
    : 0;
}

/** A document that bears the subject's name and little else tells what it is. */
function isTitled(origin: Source, subject: Subject): boolean {
  const title = new Set(terms(workTitle(origin).document));
  const isOf = (words: ReadonlySet<string>): boolean =>
    words.size > 0 && [...words].every((word) => title.has(word)) && title.size <= words.size + 1;
  return isOf(subject.terms) || subject.names.some((name) => isOf(name) || isOf(new Set([...subject.terms, ...name])));
}

function fitOf(id: FacetId, passage: Passage, counts: ReadonlyMap<FacetId, number>): number {
  const cues = Math.min(1, (counts.get(id) ?? 0) * 0.4);
  if (id === 'definition') return Math.min(1, cues * 0.5 + (definition.test(passage.text) ? 0.6 : 0));
  if (id === 'evaluation') return Math.min(1, cues + (measured.test(passage.text) ? 0.3 : 0));
  return cues;
}

/** Facets that tell the same sentences. */
function isNeighbour(a: FacetId, b: FacetId): boolean {
  const pairs: readonly (readonly [FacetId, FacetId])[] = [
    ['definition', 'background'],
    ['definition', 'techniques'],
    ['techniques', 'recent'],
    ['choice', 'limits'],
    ['choice', 'cost'],
    ['tools', 'applications'],
  ];
  return pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
}

/** "Retrieval-augmented generation (RAG) is a method …", "X refers to …", "…是一种…", "…とは…", "…ist ein…". */
const definition =
  /^(?:the |an? )?[^,.;:]{2,70}?(?: \([^)]{1,40}\))? (?:is|are) (?:an?|the|one of|any|a kind|a type)\s|\b(?:refers? to|is called|are called|is known as|is defined as|stands for|consists? of|introduced the (?:name|term))\b|是(?:一种|指|一个|一类)|指的是|とは[、，]?.+(?:である|です|を指す|のこと)|(?:은|는|이란|란) .+(?:이다|입니다|방법|기법|뜻)|(?:— это| это |называ[ею]тся)|\b(?:ist|sind) (?:eine?|der|die|das)\s|\b(?:est|sont) (?:une?|des|le|la)\s|\b(?:es|son) (?:una?|el|la)\s/iu;
const measured =
  /\d(?:[.,]\d+)?\s?(?:\\?%|percent|points?|x\b|times|ms\b|seconds|hours)|\b(?:recall|precision|accuracy|ndcg|mrr|f1|bleu|rouge)(?:@\d+)?\b/iu;

/** The name that a work gives itself: what stands before the colon of a paper's title, or a repository's name. */
export function ownName(origin: Source): string {
  if (origin.kind === 'github') return /\/([^/#\s]+)$/.exec(origin.title)?.[1] ?? '';
  const before = /^([^:]{2,40}):\s/.exec(origin.title)?.[1] ?? '';
  return before.split(' ').length <= 3 && /\p{Lu}.*\p{Lu}|\d/u.test(before) ? before : '';
}
