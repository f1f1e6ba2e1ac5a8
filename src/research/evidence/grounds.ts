import { largest, smallest } from '../../protocol/numbers.ts';
import { detectLanguage } from '../text/language.ts';
import { terms } from '../text/tokenize.ts';
import { heldIn, isNothing, notHeld, type Claims, type Held } from './exact.ts';
import type { Finding, Source } from './source.ts';
import type { Passage } from './statement.ts';
import { aboveOf, around, leadOf, omission, placeOf, type Sentences, sentencesOf } from './surroundings.ts';

/** What a citation rests on: sentences of a source, with what surrounds them. */
export interface Ground {
  readonly source: Source;
  /** Never empty. */
  readonly passages: readonly Passage[];
  /** What of the statement may be looked up: the passages, the headings above them, and what is known of the source. */
  readonly held: Held;
  readonly language: string;
  readonly terms: ReadonlySet<string>;
}

/** Sentences on either side of the quoted ones: as far as their writer reads. */
const radius = 2;
/** A source that is no longer than a passage is one. In UTF-16 units. */
const shortText = 600;
/** Share of a statement's terms that a sentence of its source has when it is what the statement may rest on. */
const leastNear = 0.2;
/** Sentences of one source that a statement may rest on. */
const mostNear = 3;

/** By what of the source they are. */
const ofSources = new WeakMap<Source, Map<string, Ground>>();

/** Every sentence of a report is compared with every finding. */
const ofQuotes = new WeakMap<Source, Map<string, Ground | undefined>>();

/** The sentences of a finding; undefined where its source doesn't have them. */
export function groundOfFinding({ quote }: Finding, source: Source): Ground | undefined {
  const known = ofQuotes.get(source) ?? new Map<string, Ground | undefined>();
  if (!known.has(quote)) ofQuotes.set(source, known.set(quote, findGround(quote, source)));
  return known.get(quote);
}

function findGround(quote: string, source: Source): Ground | undefined {
  const sentences = sentencesOf(source);
  const numbers = placeOf(sentences, quote);
  const at = source.text.indexOf(quote);
  if (numbers !== undefined) return groundOfSentences(source, sentences, numbers);
  return at >= 0 ? groundOf(source, [{ from: at, to: at + quote.length }], '') : wholeGround(source);
}

/** What in a source comes nearest to a statement that cites it without saying what in it. Undefined: nothing does. */
export function nearestGround(source: Source, statement: string): Ground | undefined {
  const whole = wholeGround(source);
  if (whole) return whole;
  const near = nearestSentences(source, statement);
  return near.length === 0 ? undefined : groundOfSentences(source, sentencesOf(source), near);
}

/** A passage that is quoted as a whole. */
export function groundOfQuote(source: Source, text: string): Ground {
  const from = Math.max(0, source.text.indexOf(text));
  return groundOf(source, [{ from, to: from + text.length }], '');
}

function wholeGround(source: Source): Ground | undefined {
  const end = source.text.trimEnd().length;
  return end === 0 || end > shortText ? undefined : groundOf(source, [{ from: 0, to: end }], '');
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function groundOfSentences(source: Source, known: Sentences, numbers: readonly number[]): Ground | undefined {
  const runs: { first: number; last: number }[] = [];
  const chosen = new Set(
    numbers.flatMap((number) => {
      const { head } = leadOf(known, number);
      return head === undefined ? [number] : [head, number];
    }),
  );
  for (const number of [...chosen].toSorted((a, b) => a - b)) {
    const { beside } = around(known, [number], radius);
    const near = [number, ...beside.filter((one) => Math.abs(one - number) <= radius)];
    const [first, last] = [smallest(near), largest(near)];
    const before = runs.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else runs.push({ first, last });
  }
  const spans = runs.map(({ first, last }): Span => ({
    from: known.starts[first]!,
    to: known.starts[last]! + known.sentences[last]!.trimEnd().length,
  }));
  return spans.length === 0 ? undefined : groundOf(source, spans, aboveOf(known, numbers));
}

function groundOf(source: Source, spans: readonly Span[], above: string): Ground {
  const known = ofSources.get(source) ?? new Map<string, Ground>();
  const key = `${spans.map(({ from, to }) => `${from}-${to}`).join()} ${above}`;
  const ground = known.get(key) ?? readGround(source, spans, above);
  ofSources.set(source, known.set(key, ground));
  return ground;
}

function readGround(source: Source, spans: readonly Span[], above: string): Ground {
  const passages = spans.flatMap(({ from, to }): Passage[] => {
    let start = from;
    // What was left out of the text is no part of a passage.
    return source.text
      .slice(from, to)
      .split(omission)
      .flatMap((part): Passage[] => {
        const text = part.trimEnd().replace(part.trim().includes('\n') ? /^\s*\n/ : /^\s+/, '');
        const at = start + part.indexOf(text);
        start += part.length + omission.length;
        return /[\p{L}\p{N}]/u.test(text) ? [{ source: source.id, text, place: placeName(source, at, text) }] : [];
      });
  });
  const text = [above, ...passages.map((passage) => passage.text)].join('\n');
  const { title, authors, date = '', url = '', file, facts } = source;
  const about = [title, authors.join(', '), date, url, file?.path ?? '', ...facts].join('\n');
  const { language } = sentencesOf(source);
  return {
    source,
    passages,
    held: heldIn(`${about}\n${text}`),
    language,
    terms: new Set(terms(`${title}\n${text}`, language)),
  };
}

function placeName({ file, text }: Source, start: number, passage: string): string {
  if (file === undefined) return `${start}-${start + passage.length}`;
  const first = file.firstLine + lines(text.slice(0, start));
  return `L${first}-L${first + lines(passage)}`;
}

const lines = (text: string): number => text.split('\n').length - 1;

/** Numbers of sentences by term. */
const indexed = new WeakMap<Source, ReadonlyMap<string, readonly number[]>>();

function nearestSentences(source: Source, statement: string): number[] {
  const { sentences, language } = sentencesOf(source);
  const wanted = new Set(terms(statement, language));
  if (wanted.size === 0) return [];
  let index = indexed.get(source);
  if (index === undefined) {
    const made = new Map<string, number[]>();
    sentences.forEach((sentence, number) => {
      for (const term of new Set(terms(sentence, language))) {
        const places = made.get(term);
        if (places) places.push(number);
        else made.set(term, [number]);
      }
    });
    indexed.set(source, made);
    index = made;
  }
  const counts = new Map<number, number>();
  for (const term of wanted)
    for (const number of index.get(term) ?? []) counts.set(number, (counts.get(number) ?? 0) + 1);
  // With a statement in another language, what both write alike: names, figures.
  const least = detectLanguage(statement) === language ? wanted.size * leastNear : 1;
  return [...counts]
    .filter(([, count]) => count >= least)
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, mostNear)
    .map(([number]) => number);
}

/** Share of a statement's terms that a ground has, 0 to 1; undefined where they can't be compared: another language, few words. */
export function sharesOf(statement: string): (ground: Ground) => number | undefined {
  const language = detectLanguage(statement);
  const own = new Set(terms(statement, language));
  return (ground) =>
    own.size < 3 || ground.language !== language
      ? undefined
      : [...own].filter((term) => ground.terms.has(term)).length / own.size;
}

/** What of the claims none of the grounds has. */
export function open(claims: Claims, grounds: readonly Ground[]): Claims {
  return notHeld(
    claims,
    grounds.map(({ held }) => held),
  );
}

export function holds(ground: Ground, claims: Claims): boolean {
  return isNothing(open(claims, [ground]));
}
