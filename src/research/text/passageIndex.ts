import type { Passage } from './passages.ts';
import type { Query } from './query.ts';
import type { WordFate } from './wordFates.ts';
import { termsOf, tokensOf } from './tokenize.ts';

/** The place of a passage: the number counts the passages of its text from 0, as `cutPassages` gives them. */
export interface Hit {
  readonly path: string;
  readonly number: number;
  readonly score: number;
}

export interface Ranking {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly words: readonly WordFate[];
}

/** A text in the index: its passages' terms, packed. */
interface Segment {
  readonly stamp: string;
  /** Number of terms in each passage, without those of its headings. */
  readonly lengths: Uint16Array;
  /** Where each passage's postings begin, and the end. */
  readonly starts: Uint32Array;
  /** A term's number in the upper 24 bits; its count up to 31; whether a heading above has it. */
  readonly postings: Uint32Array;
}

const inHeading = 0x20;
const countMask = 0x1f;
const mostTerms = 0xff_ffff;
/** Okapi BM25 with fields (Robertson, Zaragoza and Taylor, 2004): saturation, length normalisation, weights of the fields. */
const k1 = 1.2;
const b = 0.4;
const headingWeight = 1.2;
/** A word that the passage lacks counts this much when the rest of its text has it. */
const textShare = 0.1;
/** Forms and corrections of a word. */
const formWeight = 0.45;
const pairWeight = 0.1;
const correctedWeight = 0.8;
const mostVariants = 12;
const mostCorrections = 2;
/** Raw tokens of which the terms are remembered while texts are added. */
const mostCached = 200_000;

/**
 * Passages of many texts, ranked by a question. The weights are those that answered most on `test/eval/keyless/dev` and on
 * documentation of six public projects; each is near the middle of a range that answers as much.
 *
 * It holds the terms of each passage in their order (a forward index): a text that
 * changed is replaced by itself, and a search reads all postings once, which takes some 10 ms a million.
 */
export class PassageIndex {
  readonly #terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Passages that hold a term, in their text or heading. */
  #having: number[] = [];
  readonly #segments = new Map<string, Segment>();
  #passages = 0;
  #length = 0;
  /** Of each term its posting in the passage that is being added, from 1. */
  readonly #places: number[] = [];
  readonly #cache = new Map<string, readonly number[]>();

  /** Paths of all texts with their stamps. */
  stamps(): ReadonlyMap<string, string> {
    return new Map([...this.#segments].map(([path, { stamp }]) => [path, stamp]));
  }

  has(path: string): boolean {
    return this.#segments.has(path);
  }

  /** Adds a text, or replaces what it was. Linear in its length. */
  add(path: string, stamp: string, passages: readonly Passage[]): void {
    this.remove(path);
    const lengths = new Uint16Array(passages.length);
    const starts = new Uint32Array(passages.length + 1);
    const postings: number[] = [];
    let headingsBefore = '';
    let headingTerms: number[] = [];
    passages.forEach(({ headings, head = '', text }, index) => {
      const above = `${path}\n${headings.join('\n')}\n${head}`;
      if (above !== headingsBefore) {
        headingTerms = [];
        for (const token of tokensOf(above)) for (const term of this.#termsOf(token)) headingTerms.push(term);
        headingsBefore = above;
      }
      const from = postings.length;
      let length = 0;
      starts[index] = from;
      // Between texts every place is 0.
      const places = this.#places;
      for (const token of tokensOf(text))
        for (const term of this.#termsOf(token)) {
          length += 1;
          const place = places[term]!;
          if (place === 0) places[term] = postings.push(((term << 8) | 1) >>> 0);
          else if ((postings[place - 1]! & countMask) < countMask) postings[place - 1]! += 1;
        }
      for (const term of headingTerms) {
        const place = (places[term] ||= postings.push((term << 8) >>> 0));
        postings[place - 1] = (postings[place - 1]! | inHeading) >>> 0;
      }
      for (let at = from; at < postings.length; at += 1) {
        const term = postings[at]! >>> 8;
        places[term] = 0;
        this.#having[term]! += 1;
      }
      lengths[index] = Math.min(length, 0xffff);
      this.#length += lengths[index];
    });
    starts[passages.length] = postings.length;
    this.#passages += passages.length;
    this.#segments.set(path, { stamp, lengths, starts, postings: Uint32Array.from(postings) });
  }

  remove(path: string): void {
    const segment = this.#segments.get(path);
    if (segment === undefined) return;
    this.#segments.delete(path);
    for (const posting of segment.postings) this.#having[posting >>> 8]! -= 1;
    this.#passages -= segment.lengths.length;
    for (const length of segment.lengths) this.#length -= length;
  }

  /** The index as bytes, for {@link load}; undefined when most of its words belong to texts that are gone. */
  save(): Uint8Array[] | undefined {
    const live = this.#having.reduce((count, having) => count + (having > 0 ? 1 : 0), 0);
    if (live < this.#terms.length / 2) return undefined;
    const segments = [...this.#segments].map(
      ([path, { stamp, lengths, postings }]) => [path, stamp, lengths.length, postings.length] satisfies StoredSegment,
    );
    const head = new TextEncoder().encode(JSON.stringify({ segments, terms: this.#terms.join('\n') }));
    const sizes = new Uint32Array([head.length]);
    const parts: Uint8Array[] = [bytesOf(sizes), head, new Uint8Array(-head.length & 3)];
    for (const { lengths, starts, postings } of this.#segments.values())
      for (const one of [Uint32Array.from(lengths), starts, postings].map(bytesOf)) parts.push(one);
    return parts;
  }

  /** The index of {@link save}. Throws for anything else. */
  static load(bytes: Uint8Array): PassageIndex {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
    const length = words[0]!;
    const { segments, terms } = JSON.parse(new TextDecoder().decode(aligned.subarray(4, 4 + length))) as {
      readonly segments: readonly StoredSegment[];
      readonly terms: string;
    };
    const index = new PassageIndex();
    for (const term of terms === '' ? [] : terms.split('\n')) index.#number(term);
    let at = 1 + ((length + 3) >> 2);
    const take = (size: number): Uint32Array => words.subarray(at, (at += size));
    for (const [path, stamp, passages, postings] of segments) {
      const lengths = Uint16Array.from(take(passages));
      const segment = { stamp, lengths, starts: take(passages + 1), postings: take(postings) };
      index.#segments.set(path, segment);
      index.#passages += passages;
      for (const size of lengths) index.#length += size;
      for (const posting of segment.postings) index.#having[posting >>> 8]! += 1;
    }
    if (at !== words.length) throw new Error('The index has another length than it says.');
    return index;
  }

  /** Forgets what only helps while texts are added. */
  settle(): void {
    this.#cache.clear();
  }

  #termsOf(token: string): readonly number[] {
    let numbers = this.#cache.get(token);
    if (numbers === undefined) {
      numbers = termsOf(token).map((term) => this.#number(term));
      if (this.#cache.size >= mostCached) this.#cache.clear();
      this.#cache.set(token, numbers);
    }
    return numbers;
  }

  #number(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      // Beyond 16 million words all further ones are one: they answer nothing, and nothing breaks.
      if (this.#terms.length >= mostTerms) return mostTerms - 1;
      number = this.#terms.length;
      this.#numbers.set(term, number);
      this.#terms.push(term);
      this.#having.push(0);
      this.#places.push(0);
    }
    return number;
  }

  // ------------------------------------------------------------------------------------------------------------- search

  /** The best passages for a question, at most `limit`. `within` restricts the texts. */
  search(query: Query, limit: number, within: (path: string) => boolean = () => true): Ranking {
    const groups: Group[] = [];
    const words = query.words.map(({ word, terms }): WordFate => {
      const own = terms.map((term) => this.#group(term, word.length));
      for (const one of own.filter(({ shares }) => shares.size > 0)) groups.push(one);
      const fates = own.map(({ fate }) => fate);
      const worst = (['missing', 'corrected', 'near'] as const).find((fate) => fates.includes(fate));
      // Of a name in parts the last term is the whole.
      const weight = own.reduce((most, { rarity }) => Math.max(most, rarity), 0) / this.#rarityOf(0);
      const fate = fates.at(-1) === 'held' ? 'held' : (worst ?? 'held');
      return { word, fate, weight, ...(fate === 'corrected' && { as: own.flatMap(({ corrections }) => corrections) }) };
    });
    return { hits: this.#rank(groups, limit, within), words };
  }

  /** A term of a word of so many letters, with all that counts for it: words with the same beginning, and, when no text has it, corrections. */
  #group(term: string, typed: number): Group {
    const number = this.#numbers.get(term);
    const exact = number !== undefined && this.#having[number]! > 0 ? number : undefined;
    const isWord = /^\p{L}{4,}$/u.test(term);
    const isSingle = term.length === 1 && term.charCodeAt(0) > 0x2e7f;
    const near: [number: number, share: number][] = [];
    const corrected: [number: number, share: number][] = [];
    const leastShared = Math.max(4, Math.ceil(term.length * 0.7));
    const start = term.slice(0, leastShared);
    if (isWord || isSingle)
      this.#terms.forEach((other, at) => {
        if (this.#having[at] === 0 || at === exact || other.length > 40) return;
        if (isSingle) {
          if (other.length === 2 && other.includes(term)) near.push([at, pairWeight]);
        } else if (other.startsWith(start) && sharedStart(term, other) >= other.length * 0.65)
          near.push([at, (formWeight * sharedStart(term, other)) / Math.max(term.length, other.length)]);
        else if (exact === undefined && mayBeTypo(term, other, typed) && isOneEdit(term, other))
          corrected.push([at, correctedWeight]);
      });
    const likest = (found: [number, number][], most: number): [number, number][] =>
      found.sort((x, y) => y[1] - x[1] || this.#having[y[0]]! - this.#having[x[0]]!).slice(0, most);
    const corrections = likest(corrected, mostCorrections);
    const shares = new Map([...likest(near, mostVariants), ...corrections]);
    if (exact !== undefined) shares.set(exact, 1);
    // Of a word that is held its own rarity counts; else that of its likest form.
    const first = exact ?? corrected[0]?.[0] ?? near[0]?.[0];
    const having = first === undefined ? 0 : this.#having[first]!;
    return {
      shares,
      rarity: this.#rarityOf(having),
      fate: exact !== undefined ? 'held' : near.length > 0 ? 'near' : corrected.length > 0 ? 'corrected' : 'missing',
      corrections: corrections.map(([at]) => this.#terms[at]!),
    };
  }

  /** Inverse document frequency. */
  #rarityOf(having: number): number {
    return Math.log(1 + Math.max(0, this.#passages - having + 0.5) / (having + 0.5));
  }

  #rank(groups: readonly Group[], limit: number, within: (path: string) => boolean): Hit[] {
    if (groups.length === 0 || this.#passages === 0) return [];
    /** By number of the term: its group, from 1, and what it counts for it. */
    const groupOf = new Uint16Array(this.#terms.length);
    const shareOf = new Float32Array(this.#terms.length);
    groups.forEach(({ shares }, index) => {
      for (const [number, share] of shares) {
        if (shareOf[number]! >= share) continue;
        groupOf[number] = index + 1;
        shareOf[number] = share;
      }
    });
    const mean = Math.max(1, this.#length / this.#passages);
    const best: Hit[] = [];
    let least = 0;
    for (const [path, segment] of this.#segments) {
      if (!within(path)) continue;
      const { lengths, starts, postings } = segment;
      const found: { number: number; frequencies: Float32Array }[] = [];
      const inText = new Float32Array(groups.length);
      for (let number = 0; number < lengths.length; number += 1) {
        let frequencies: Float32Array | undefined;
        const scale = 1 / (1 - b + (b * lengths[number]!) / mean);
        for (let at = starts[number]!; at < starts[number + 1]!; at += 1) {
          const posting = postings[at]!;
          const group = groupOf[posting >>> 8]! - 1;
          if (group < 0) continue;
          frequencies ??= new Float32Array(groups.length);
          const share = shareOf[posting >>> 8]!;
          frequencies[group]! += share * ((posting & countMask) * scale + (posting & inHeading ? headingWeight : 0));
          inText[group] = Math.max(share, inText[group]!);
        }
        if (frequencies !== undefined) found.push({ number, frequencies });
      }
      for (const { number, frequencies } of found) {
        const score = groups.reduce((sum, { rarity }, group) => {
          const frequency = frequencies[group]!;
          const weight = frequency > 0 ? (frequency * (k1 + 1)) / (frequency + k1) : textShare * inText[group]!;
          return sum + rarity * weight;
        }, 0);
        if (score <= least) continue;
        best.push({ path, number, score });
        if (best.length < 4 * limit) continue;
        best.sort(byScore).splice(limit);
        least = best.at(-1)!.score;
      }
    }
    return best.sort(byScore).slice(0, limit);
  }
}

/** Path, stamp, number of passages and of postings. */
type StoredSegment = readonly [string, string, number, number];

function bytesOf(array: Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

interface Group {
  /** Numbers of the terms that count for it, with their share. */
  readonly shares: ReadonlyMap<number, number>;
  /** Inverse document frequency. */
  readonly rarity: number;
  readonly fate: WordFate['fate'];
  /** Terms that it is read as, likest first. */
  readonly corrections: readonly string[];
}

function byScore(x: Hit, y: Hit): number {
  return y.score - x.score || (x.path < y.path ? -1 : x.path > y.path ? 1 : x.number - y.number);
}

const vowels = /[aeiouy]/g;

/**
 * Typing errors keep the length, or change it a little, and seldom touch the first letter; of a term of four letters two change places,
 * or one is left out: of a word of four a vowel, as "cost" is no misspelt "const".
 */
function mayBeTypo(term: string, other: string, typed: number): boolean {
  const longer = Math.abs(other.length - term.length);
  const letters = (word: string): string => [...word].sort().join('');
  if (term.length < 5) {
    if (longer === 0) return letters(term) === letters(other);
    const isLeftOut = other.length === term.length + 1 && term[0] === other[0];
    return isLeftOut && (typed > 4 || term.replace(vowels, '') === other.replace(vowels, ''));
  }
  return longer <= 1 && term[0] === other[0] && /^\p{L}+$/u.test(other);
}

function sharedStart(x: string, y: string): number {
  let at = 0;
  while (at < x.length && at < y.length && x[at] === y[at]) at += 1;
  return at;
}

/** Whether one letter was left out, added or replaced, or two neighbours changed places: most typing errors (Damerau, 1964). */
export function isOneEdit(x: string, y: string): boolean {
  const from = sharedStart(x, y);
  const [restOfX, restOfY] = [x.slice(from), y.slice(from)];
  const isSwapped = restOfX.slice(0, 2) === restOfY[1]! + restOfY[0]!;
  if (isSwapped && restOfX.slice(2) === restOfY.slice(2)) return true;
  const [shorter, longer] = x.length <= y.length ? [restOfX, restOfY] : [restOfY, restOfX];
  return longer.slice(1) === (shorter.length === longer.length ? shorter.slice(1) : shorter);
}
