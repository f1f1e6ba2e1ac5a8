import { detectLanguage } from '../text/language.ts';
import { isStopword } from '../text/stopwords.ts';
import { fold, isPairedScript, termsOf, tokensOf } from '../text/tokenize.ts';
import { attachedKind } from '../ports.ts';
import type { Source } from './source.ts';

/** The standing of a source among those of its section. */
export interface Fit {
  /** Beyond the question's words, how much it shares with the others and with the section's plan; 1 for the median source. */
  readonly agreement: number;
  /** Share of the question's words that it has, 0 to 1. */
  readonly shared: number;
  /** The user has or named it, or a run has opened it. */
  readonly isChosen: boolean;
}

/** Characters of a run. Five tell sources of a subject from namesakes as well as four do, whole words less (`test/eval/relevance`). */
const runLength = 4;
/** A longer text was opened because its excerpt promised something: excerpts, which resemble each other, must not outvote it. In UTF-16 units. */
const longestExcerpt = 2_000;
/** Others in the same language without which nothing can be said. */
const leastOthers = 3;
/** A run that every source has still counts this much. */
const leastRarity = 0.1;
/** Below this a source has too few of the question's words to be about it. */
const leastShared = 0.2;

/**
 * Rates what a search found by agreement: sources about the question share more than its words with each other and with the
 * plan of their section, those that only have its words (a namesake, another field) don't. The mean cosine of TF-IDF vectors of runs of
 * characters (Cavnar and Trenkle 1994; degree centrality as in LexRank, Erkan and Radev 2004), without the runs of the question. A
 * source is compared with those in its language alone; without three of them nothing is said.
 */
export function fitsOf(sources: readonly Source[], question: string, plan: string): ReadonlyMap<string, Fit> {
  if (sources.length <= leastOthers) return new Map();
  const asked = new Set(countedRuns(question, detectLanguage(question)).keys());
  const read = sources.map(readingOf);
  /** The runs of all sources by number, in how many of them each is, and what it counts for. */
  const numbers = new Map<string, number>();
  const having: number[] = [];
  const numbered = read.map(({ runs }) =>
    Uint32Array.from(runs.keys(), (run) => {
      const number = numbers.get(run) ?? having.push(0) - 1;
      numbers.set(run, number);
      having[number]! += 1;
      return number;
    }),
  );
  const rarities = having.map((held) =>
    Math.max(leastRarity, Math.log(1 + (sources.length - held + 0.5) / (held + 0.5))),
  );
  for (const run of asked) if (numbers.has(run)) rarities[numbers.get(run)!] = 0;
  const vector = (runs: Uint32Array, counts: Iterable<number>): Vector => {
    const weights = Float64Array.from(counts, (count, at) => (1 + Math.log(count)) * rarities[runs[at]!]!);
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0)) || 1;
    return { runs, weights: weights.map((weight) => weight / length) };
  };
  const places = Map.groupBy(sources.keys(), (place) => read[place]!.language);
  const known = [...countedRuns(plan, detectLanguage(plan))].filter(([run]) => numbers.has(run));
  const planned = vector(
    Uint32Array.from(known, ([run]) => numbers.get(run)!),
    known.map(([, count]) => count),
  );
  const fits = new Map<string, Fit>();
  for (const own of places.values()) {
    if (own.length <= leastOthers) continue;
    const vectors = own.map((place) => vector(numbered[place]!, read[place]!.runs.values()));
    const sum = new Float64Array(having.length);
    for (const { runs, weights } of [planned, ...vectors])
      runs.forEach((number, index) => (sum[number]! += weights[index]!));
    const agreements = vectors.map(({ runs, weights }) => {
      const product = weights.reduce((total, weight, index) => total + weight * (sum[runs[index]!]! - weight), 0);
      return product / own.length;
    });
    const median = agreements.toSorted((a, b) => a - b)[Math.floor(own.length / 2)]!;
    if (median <= 0) continue;
    own.forEach((place, index) => {
      const source = sources[place]!;
      const shared = [...asked].filter((run) => read[place]!.runs.has(run)).length / Math.max(1, asked.size);
      const { file, isGiven, kind, text } = source;
      const isOwn = file !== undefined || isGiven === true || kind === attachedKind;
      const isChosen = isOwn || text.length > longestExcerpt;
      fits.set(source.id, { agreement: agreements[index]! / median, shared, isChosen });
    });
  }
  return fits;
}

/** Whether a source has words of the question, and of what the other sources and the plan speak of less than this share of the median. */
export function isMisfit(fit: Fit | undefined, leastAgreement: number): boolean {
  return fit !== undefined && !fit.isChosen && fit.agreement < leastAgreement && fit.shared >= leastShared;
}

/** Whether a source speaks of what the others do: more than the median one. */
export function agrees(fit: Fit | undefined): boolean {
  return fit !== undefined && fit.agreement > 1;
}

/** Weights of length 1, and the numbers of the runs that have them. */
interface Vector {
  readonly runs: Uint32Array;
  readonly weights: Float64Array;
}

interface Read {
  readonly language: string;
  readonly runs: ReadonlyMap<string, number>;
}

// A source's text never changes under one object.
const readings = new WeakMap<Source, Read>();

function readingOf(source: Source): Read {
  const before = readings.get(source);
  if (before) return before;
  const text = `${source.title} ${source.text.slice(0, longestExcerpt)}`;
  const language = detectLanguage(text);
  const read = { language, runs: countedRuns(text, language) };
  readings.set(source, read);
  return read;
}

/** Runs of characters of the words that say something, each with its count. */
function countedRuns(text: string, language: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (run: string): void => void counts.set(run, (counts.get(run) ?? 0) + 1);
  for (const token of tokensOf(text)) {
    if (!/\p{L}/u.test(token) || isStopword(token.toLowerCase(), language)) continue;
    const word = fold(token);
    if (isPairedScript(token)) termsOf(token).forEach(count);
    else if (word.length <= runLength) count(word);
    else for (let at = 0; at + runLength <= word.length; at += 1) count(word.slice(at, at + runLength));
  }
  return counts;
}
