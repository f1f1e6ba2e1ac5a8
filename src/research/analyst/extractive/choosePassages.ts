import type { Source } from '../../evidence/source.ts';
import { agrees, type Fit } from '../../evidence/fitting.ts';
import { inputOf } from '../../evidence/source.ts';
import { type Reading, unwatched, attachedKind } from '../../ports.ts';
import { cutPassages, type Passage } from '../../text/passages.ts';
import { PassageIndex } from '../../text/passageIndex.ts';
import type { Query, QueryWord } from '../../text/query.ts';
import { selectPassages } from '../../text/selectPassages.ts';
import { fold, isPairedScript, termsOf, tokensOf } from '../../text/tokenize.ts';

/** Words of a source that answer. */
export interface Chosen {
  readonly source: Source;
  /** Verbatim from the source's text. */
  readonly text: string;
  /** Words of the question that neither it nor its place has. */
  readonly lacks: readonly string[];
}

/** A source of this length is one passage: that is how a search of the user's files gives them. In UTF-16 units. */
const passageLength = 1_500;
/** Passages of one long source. */
const ofOneSource = 2;
/** Forms of a word share their beginning: this much of it, and at least so many letters. */
const sharedOfForms = 0.7;
const shortestStart = 4;
/** A passage from outside has at least this share of the question's words: services return what is popular. */
const leastShared = 0.5;
/** Of a source that agrees with the others, which speaks of the subject in words of its own. */
const leastOfAgreeing = 0.25;
const isVersion = /^v?\d+(?:\.\d+)+$/i;

/**
 * The passages that answer a question, best first. Passages of the user's files are in the order of their search; long
 * documents are cut and ranked here, by the same method.
 */
export function choosePassages(
  query: Query,
  sources: readonly Source[],
  reading = unwatched,
  fits: ReadonlyMap<string, Fit> = new Map(),
): Chosen[] {
  const isGiven = ({ kind, isGiven: isNamed }: Source): boolean => kind === attachedKind || isNamed === true;
  const given = sources.filter(isGiven);
  const own = sources.filter((source) => source.file !== undefined && !isGiven(source));
  const others = sources.filter((source) => source.file === undefined && !isGiven(source));
  const near = own
    .filter(({ text }) => text.length <= passageLength)
    .map((source) => chosen(query, source, source.text));
  const long = own.filter(({ text }) => text.length > passageLength);
  // What the user attached or named is meant, as far as it bears on the question.
  const meant = ranked(query, given, () => leastShared, reading);
  const least = ({ id }: Source): number => (agrees(fits.get(id)) ? leastOfAgreeing : leastShared);
  const all = [...meant, ...near, ...ranked(query, long, () => 0, reading), ...ranked(query, others, least, reading)];
  const isSaid = (before: Chosen, one: Chosen): boolean =>
    before.text.trim() === one.text.trim() || overlaps(before.source, one.source);
  return all.filter((one, index) => !all.slice(0, index).some((before) => isSaid(before, one)));
}

/** Several searches may cut a passage differently: what the better one has of the same lines is enough. */
function overlaps({ file: a }: Source, { file: b }: Source): boolean {
  if (a === undefined || b === undefined || a.path !== b.path) return false;
  return (
    (a.firstLine <= b.firstLine && b.lastLine <= a.lastLine) || (b.firstLine <= a.firstLine && a.lastLine <= b.lastLine)
  );
}

/** What its form is judged by. */
function pathOf({ file, kind, title }: Source): string {
  return file?.path ?? (kind === attachedKind ? title : 'page.md');
}

// A source's text never changes under one object.
const known = new WeakMap<Source, readonly Passage[]>();

function ranked(
  query: Query,
  sources: readonly Source[],
  least: (source: Source) => number,
  reading: Reading,
): Chosen[] {
  if (sources.length === 0) return [];
  const index = new PassageIndex();
  const byId = new Map(sources.map((source) => [source.id, source]));
  const cut = new Map<string, readonly Passage[]>();
  for (const source of sources) {
    reading.during(inputOf(source), () => {
      const passages = known.get(source) ?? cutPassages(pathOf(source), source.text);
      known.set(source, passages);
      cut.set(source.id, passages);
      index.add(source.id, '', passages);
    });
  }
  const { hits } = index.search(query, sources.length * ofOneSource * 2);
  const candidates = hits.map((hit) => ({ ...hit, siblings: cut.get(hit.path)! }));
  const taken = new Map<string, number>();
  return selectPassages(query, candidates, candidates.length).flatMap(({ path: id, passage }) => {
    const times = taken.get(id) ?? 0;
    taken.set(id, times + 1);
    const source = byId.get(id)!;
    const one = chosen(query, source, asItStands(source.text, passage.text));
    const share = 1 - one.lacks.length / Math.max(1, query.words.length);
    return times >= ofOneSource || share < least(source) ? [] : [one];
  });
}

/** A passage that was joined from neighbours, with what is between them in the text: sentences of one paragraph, or paragraphs. */
function asItStands(text: string, passage: string): string {
  if (text.includes(passage)) return passage;
  const [first = '', ...others] = passage.split(/\n+/).filter((part) => part.trim() !== '');
  const start = text.indexOf(first);
  let end = start + first.length;
  for (const part of others) {
    const at = text.indexOf(part, end);
    if (at === -1) break;
    end = at + part.length;
  }
  return start === -1 ? passage : text.slice(start, end);
}

function chosen(query: Query, source: Source, text: string): Chosen {
  const terms = new Set(tokensOf(`${source.title}\n${source.file?.path ?? ''}\n${text}`).flatMap(termsOf));
  const whole = fold(text);
  // A number is no part of another: 1000 is not in 0x1000.
  const holdsNumber = (number: string): boolean =>
    new RegExp(`(?<![\\p{L}\\p{N}])${number}(?!\\d)`, 'u').test(
      `${fold(source.title)}\n${source.file?.path ?? ''}\n${whole}`,
    );
  const isHeld = (word: QueryWord): boolean =>
    /^\d+$/.test(word.word) ? holdsNumber(word.word) : holdsName(whole, terms, word) || whole.includes(fold(word.word));
  const lacks = query.words.filter((word) => !isHeld(word)).map(({ word }) => word);
  return { source, text, lacks };
}

/**
 * The whole of a name, which is its last term, or its parts side by side: MySQL is there as "my-sql" and not where "my" and "SQL" are,
 * "64-bit" as "64 bit", 2.18.3 not where 2.18 is.
 */
function holdsName(whole: string, terms: ReadonlySet<string>, { word, terms: wanted }: QueryWord): boolean {
  const holds = (term: string): boolean => holdsForm(terms, term);
  if (wanted.slice(-1).some(holds)) return true;
  const parts = isVersion.test(word) ? [] : wanted.slice(0, -1);
  if (parts.length === 0) return false;
  if (isPairedScript(word)) return parts.every(holds);
  return new RegExp(`(?<![\\p{L}\\p{N}])${parts.join('\\p{L}{0,3}[^\\p{L}\\p{N}]{0,3}')}`, 'u').test(whole);
}

/** A term, or another form of it: one that begins like it. */
function holdsForm(terms: ReadonlySet<string>, term: string): boolean {
  if (terms.has(term)) return true;
  const start = term.slice(0, Math.max(shortestStart, Math.ceil(term.length * sharedOfForms)));
  return /^\p{L}{4,}$/u.test(term) && [...terms].some((other) => other.startsWith(start));
}
