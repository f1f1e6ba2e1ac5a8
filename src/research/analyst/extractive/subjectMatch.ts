import type { Source } from '../../evidence/source.ts';
import { detectLanguage } from '../../text/language.ts';
import { terms } from '../../text/tokenize.ts';
import { englishOf } from './glossary.ts';
import { isGerund, isVerb } from './englishVerbs.ts';
import { isGeneral } from './expandSubject.ts';
import { facetOfWord } from './facets.ts';
import { passagesOf } from './passages.ts';
import type { ReadQuestion } from './question.ts';
import { acronymOf, longFormOf } from './shortForms.ts';

/** Share of the subject's telling words that a source on it holds. */
const enoughOfSubject = 0.45;
/** The same for a found page and a subject of few words: a "hybrid" something is no hybrid search. */
const mostOfSubject = 0.7;
/** Share of the user's files that are on a subject which is the folder's own. */
const broadShare = 0.3;
/** A word of two of five sources tells none of them apart. */
const commonShare = 0.4;
/** What a source is about shows within its first sentences. */
const openingSentences = 80;

/** What a question is about, as it is recognised in texts. */
export interface Subject {
  readonly terms: ReadonlySet<string>;
  /** The words of its short or long form: each set is one name. */
  readonly names: readonly ReadonlySet<string>[];
  /** How telling each of the terms is among the sources. */
  readonly rarity: ReadonlyMap<string, number>;
  /** Of a comparison: the words of each side. */
  readonly sides: readonly ReadonlySet<string>[];
  /** What is asked of it ("metrics"): a note under that heading that has a word of the subject is about it. */
  readonly asked: ReadonlySet<string>;
  /** Words that so many sources use that they tell none apart. */
  readonly isCommon: (term: string) => boolean;
}

export function subjectOf(read: ReadQuestion, question: string, sources: readonly Source[]): Subject {
  const words = new Set(terms(read.keywords === '' ? question.slice(0, 400) : read.keywords));
  const usedBy = usage(sources);
  const texts = sources.map(({ text }) => text);
  const english = englishOf(read.keywords);
  // The long form of one word names the subject with the others: "RAG" alone is not "evaluation of RAG". A side is a name by itself.
  const longForms = (read.sides.length > 0 ? read.sides : [read.keywords]).flatMap((name) =>
    withLongForm(name.split(' '), texts),
  );
  const names = [acronymOf(read.keywords), english, acronymOf(english), ...longForms];
  return {
    terms: words,
    names: names.map((name) => new Set(terms(name))).filter((name) => name.size > 0),
    rarity: rarityOf(words, usedBy, sources.length, read.subject === '' ? asking(words) : asksAsGerund),
    sides: read.sides.map((side) => new Set(terms(side))),
    asked: new Set(terms(read.aspect)),
    isCommon: (term) => (usedBy.get(term) ?? 0) >= sources.length * commonShare,
  };
}

function withLongForm(words: readonly string[], texts: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const long = longFormOf(word, texts);
    return long === '' ? [] : [words.with(at, long).join(' ')];
  });
}

/** Do the words hold one of the subject's other names? */
export function isNamed({ names }: Subject, words: ReadonlySet<string>): boolean {
  return names.some((name) => [...name].every((word) => words.has(word)));
}

export interface Relation {
  /** The source holds a word or a name of the subject. */
  readonly sharesWord: boolean;
  /** It holds enough of the subject's words to be about it. */
  readonly isOnSubject: boolean;
  /** Terms can't match across languages: a source that the search returned is then taken at its word. */
  readonly isForeign: boolean;
}

export function relationOf(origin: Source, subject: Subject, question: string): Relation {
  const words = openingWords(origin);
  const held = shareOfSubject(words, subject);
  const enough = origin.kind === 'workspace' || subject.terms.size > 3 ? enoughOfSubject : mostOfSubject;
  // A long page that mentions the short form once, in a list of keywords, is not about it.
  const named =
    isNamed(subject, words) &&
    (origin.kind !== 'github' || passagesOf(origin).length < 5 || namesOften(origin, subject));
  // The user's files can't be vouched for by a search that matched "overview": they have to name the subject.
  const isForeign =
    origin.kind !== 'workspace' && held === 0 && !named && detectLanguage(question) !== detectLanguage(origin.text);
  const isHeaded =
    origin.kind === 'workspace' && held > 0 && terms(origin.title).some((term) => subject.asked.has(term));
  // One side of a comparison is enough where it tells sources apart: in the user's notes anywhere, in found pages as their title.
  const ofSide = origin.kind === 'workspace' ? words : new Set(terms(origin.title));
  const isOnSide = subject.sides.some(
    (side) => [...side].some((term) => !subject.isCommon(term)) && [...side].every((term) => ofSide.has(term)),
  );
  return {
    sharesWord: held > 0 || named,
    isOnSubject: isForeign || named || isHeaded || isOnSide || held >= enough,
    isForeign,
  };
}

/** 0 to 1: how much of what tells the subject from others the words hold. */
export function shareOfSubject(words: ReadonlySet<string>, { rarity }: Subject): number {
  let [held, all] = [0, 0];
  for (const [term, weight] of rarity) {
    all += weight;
    if (words.has(term)) held += weight;
  }
  return all === 0 ? 0 : held / all;
}

/** A word that asks something of the subject: what it counts as much as a word that names it. */
const askingWeight = 0.15;

/**
 * How telling each word of the subject is among the sources; most of all one that no source uses, unless it only asks.
 * `asks` tells such words, where the subject is a whole clause and not a noun.
 */
function rarityOf(
  words: ReadonlySet<string>,
  usedBy: ReadonlyMap<string, number>,
  sources: number,
  asks: (term: string) => boolean,
): Map<string, number> {
  // "如何评估RAG系统" among English texts: the name tells, the words that no source can have do not.
  const hasName = [...words].some((term) => isLatin(term) && usedBy.has(term));
  const told = [...words].filter((term) => !hasName || isLatin(term) || usedBy.has(term));
  return new Map(
    told.map((term) => {
      const users = usedBy.get(term) ?? 0;
      return [term, (Math.log(1 + (sources - users + 0.5) / (users + 0.5)) + 0.2) * (asks(term) ? askingWeight : 1)];
    }),
  );
}

function isLatin(term: string): boolean {
  return /^[a-z]/.test(term);
}

/** "Evaluating answers" is about answers; "reranking passages" is not about passages. */
function asksAsGerund(term: string): boolean {
  return isGerund(term) && facetOfWord(term) !== undefined;
}

/** "Why does reranking improve answer quality?" is about reranking, "How can I reduce latency?" about latency. */
function asking(words: ReadonlySet<string>): (term: string) => boolean {
  const isVague = (term: string): boolean => isGeneral(term) || isVerb(term);
  const isAsking = (term: string): boolean => isVague(term) || facetOfWord(term) !== undefined;
  return [...words].every(isAsking) ? isVague : isAsking;
}

/**
 * Is the subject what the user's files are about as a whole? Then passages belong to it whatever words they use; else a
 * passage has to name it.
 */
export function isBroadIn(judged: readonly (Relation & { readonly origin: Source })[]): boolean {
  const own = judged.filter(({ origin }) => origin.kind === 'workspace' && passagesOf(origin).length > 0);
  return own.length > 3 && own.filter(({ isOnSubject }) => isOnSubject).length >= own.length * broadShare;
}

/** How many of the sources use each word. */
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
  // "meetings/2025-03-12-sync.md": the user's folders say what their files are.
  const folders = terms((origin.file?.path ?? '').replace(/[^/]*$/u, '').replace(/[-_/.]/g, ' ')).filter(
    (term) => !isGeneral(term),
  );
  const words = new Set([
    ...folders,
    ...terms(`${origin.title} ${[...new Set(passages.map(({ heading }) => heading))].join(' ')}`),
    ...passages.flatMap((passage) => passage.terms),
  ]);
  opening.set(origin, words);
  return words;
}

function namesOften(origin: Source, subject: Subject): boolean {
  const inTitle = isNamed(subject, new Set(terms(origin.title))) ? 1 : 0;
  return (
    inTitle +
      passagesOf(origin)
        .slice(0, openingSentences)
        .filter(({ words }) => isNamed(subject, words)).length >
    1
  );
}
