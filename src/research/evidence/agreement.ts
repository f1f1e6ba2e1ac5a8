import { datedMonthsOf, monthsOf } from '../text/dates.ts';
import { detectLanguage } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopword } from '../text/stopwords.ts';
import { termsOf, tokensOf } from '../text/words.ts';
import { clausesOf, figureKey, joined, keysIn, type Clause } from './clauses.ts';
import { isSame, quantitiesOf, type Quantity } from './quantities.ts';
import type { Source } from './source.ts';

/**
 * Shares of a clause's terms that a passage of its source must have before what turns it round is compared. Measured on
 * `test/support/labelledSentences.ts`, see its test for the numbers.
 */
const close = { clause: 0.6, sentence: 0.8, crossed: 0.7, named: 0.8 } as const;
/** Passages whose share is this near to the best one's count as equally close. */
const tie = 0.1;
/** In UTF-16 units. */
const longestRead = 300_000;
/** In UTF-16 units; longer ones are no sentences. */
const longestSentence = 2_000;
const identifier = /^\p{L}+-?\d/u;
/** Sentences of a source that a clause is compared with. */
const mostCompared = 8;
/** Clauses of a source that may say together what one clause of a sentence says. */
const longestRun = 3;
const leastTerms = 3;

interface IndexedSentence {
  readonly text: string;
  clauses?: readonly Clause[];
}

interface Indexed {
  readonly language: string;
  readonly sentences: readonly IndexedSentence[];
  /** Sentences by term and figure. */
  readonly byTerm: ReadonlyMap<string, readonly number[]>;
  /** Figures by their numeral. */
  readonly quantities: ReadonlyMap<number, readonly Quantity[]>;
  /** Months that the text names, from 1 to 12. */
  readonly months: ReadonlySet<number>;
}

const indexed = new WeakMap<Source, Indexed>();

/** How a sentence of a report and its source go together. `silent`: the source has no passage that is close enough to compare. */
export type Agreement = 'agrees' | 'contradicts' | 'silent';

/**
 * Compares a sentence, clause by clause, with the passages of a source that say nearly the same: a figure with another unit or of
 * something else, a negation on one side alone, an opposite, sides that have changed places contradict. Figures with a unit are compared
 * across languages as well. Pure.
 */
export function agreement(sentence: string, source: Source): Agreement {
  if (sentence.length > longestSentence) return 'silent';
  const index = indexOf(source);
  const clauses = clausesOf(sentence, index.language);
  const whole = clauses.length === 0 ? undefined : joined(clauses);
  if (!whole) return 'silent';
  if (whole.quantities.some((quantity) => hasOtherUnit(quantity, index))) return 'contradicts';
  if (index.months.size > 0 && datedMonthsOf(sentence).some((month) => !index.months.has(month))) return 'contradicts';
  const shares = sharesOf(keysOf(whole), index);
  const best = greatest(shares.values());
  const plain = statementOf(sentence);
  if (best > close.sentence && nearestTo(shares, best).some((at) => statementOf(index.sentences[at]!.text) === plain))
    return 'agrees';
  if (best >= close.named && namesOther(sentence, index)) return 'contradicts';
  const verdicts = clauses.map((clause) => clauseAgreement(clause, best, shares, index));
  if (verdicts.includes('contradicts')) return 'contradicts';
  const nearest = nearestTo(shares, close.crossed);
  if (nearest.length > 0 && nearest.every((at) => isCrossed(clauses, read(index, at)))) return 'contradicts';
  if (clauses.some((clause) => isMoved(clause, index))) return 'contradicts';
  if (isReversed(whole.quantities, index)) return 'contradicts';
  return verdicts.includes('agrees') ? 'agrees' : 'silent';
}

/** The share of a sentence's terms that the closest sentence of a source has; undefined where they can't be compared. */
export function closeness(sentence: string, source: Source): number | undefined {
  const index = indexOf(source);
  if (sentence.length > longestSentence || detectLanguage(sentence) !== index.language) return undefined;
  const terms = plainTerms(sentence, index.language);
  return terms.size < leastTerms ? undefined : greatest(sharesOf(terms, index).values());
}

/** Words and figures alone. */
const statementOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

function greatest(shares: Iterable<number>): number {
  let most = 0;
  for (const share of shares) most = Math.max(most, share);
  return most;
}

function indexOf(source: Source): Indexed {
  const known = indexed.get(source);
  if (known) return known;
  const text = source.text.slice(0, longestRead);
  const language = detectLanguage(text.trim() === '' ? source.title : text);
  const sentences = splitSentences(text).map((one) => ({ text: one.text.slice(0, longestSentence) }));
  const byTerm = new Map<string, number[]>();
  const quantities = new Map<number, Quantity[]>();
  const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
    const places = map.get(key);
    if (places) places.push(value);
    else map.set(key, [value]);
  };
  sentences.forEach((sentence, index) => {
    for (const term of plainTerms(sentence.text, language)) add(byTerm, term, index);
    for (const quantity of quantitiesOf(sentence.text)) {
      for (const numeral of new Set(quantity.numerals)) add(quantities, numeral, quantity);
      const key = figureKey(quantity);
      if (byTerm.get(key)?.at(-1) !== index) add(byTerm, key, index);
    }
  });
  const made: Indexed = { language, sentences, byTerm, quantities, months: monthsOf(text) };
  indexed.set(source, made);
  return made;
}

function plainTerms(text: string, language: string): Set<string> {
  const tokens = tokensOf(text).map((token) => token.toLowerCase());
  return new Set(
    tokens
      .filter((token) => !isStopword(token, language) && !/^\d/.test(token))
      .flatMap(termsOf)
      .filter((term) => !/\p{Script=Hiragana}/u.test(term)),
  );
}

/** Terms and figures. */
function keysOf({ terms, quantities }: Clause): ReadonlySet<string> {
  return new Set([...terms, ...quantities.map(figureKey)]);
}

function sharesOf(keys: ReadonlySet<string>, { byTerm }: Indexed): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const key of keys) for (const at of byTerm.get(key) ?? []) counts.set(at, (counts.get(at) ?? 0) + 1);
  return new Map([...counts].map(([at, count]) => [at, count / keys.size]));
}

function nearestTo(shares: ReadonlyMap<number, number>, least: number): number[] {
  const wanted = Math.max(least, greatest(shares.values()) - tie);
  return [...shares].flatMap(([at, share]) => (share >= wanted ? [at] : [])).slice(0, mostCompared);
}

function read(index: Indexed, at: number): readonly Clause[] {
  const sentence = index.sentences[at];
  return sentence ? (sentence.clauses ??= clausesOf(sentence.text, index.language)) : [];
}

/** A name with a figure in it (BM25, GPT-4) is no other name. */
function namesOther(sentence: string, { byTerm }: Indexed): boolean {
  return tokensOf(sentence).some(
    (token) => identifier.test(token) && !termsOf(token.toLowerCase()).every((term) => byTerm.has(term)),
  );
}

/** Whether the source has the numeral, and always with another unit or word of magnitude. */
function hasOtherUnit(said: Quantity, { quantities, language }: Indexed): boolean {
  if (!said.isDefinite) return false;
  const held = said.numerals.flatMap((numeral) => quantities.get(numeral) ?? []);
  if (held.some((one) => !one.isDefinite || isSame(said, one))) return false;
  // A numeral that isn't there at all is looked for in every source that is cited, words for it here.
  if (held.length === 0 && !(said.isSpelled && language === 'en')) return false;
  const all = [...quantities.values()].flat();
  return (
    !all.some((one) => one.isDefinite && isSame(said, one)) &&
    (held.length > 0 || all.some(({ dimension }) => dimension === said.dimension))
  );
}

function clauseAgreement(
  clause: Clause,
  closest: number,
  shares: ReadonlyMap<number, number>,
  index: Indexed,
): Agreement {
  const keys = keysOf(clause);
  const own = sharesOf(keys, index);
  // A clause of one word can only be compared where its sentence stands there nearly as it is.
  if (keys.size < 2 && closest < close.sentence) return 'silent';
  const near = nearestTo(new Map([...own].map(([at, share]) => [at, share + (shares.get(at) ?? 0) / 4])), close.clause);
  const runs = near
    .filter((at) => own.get(at)! >= close.clause)
    .flatMap((at) => runsOf(read(index, at)))
    .map((run) => ({ run, share: shared(keys, keysOf(run.clause)) / keys.size - run.length / 20 }))
    .toSorted((a, b) => b.share - a.share);
  const best = runs[0]?.share ?? 0;
  if (best < close.clause - 0.15) return 'silent';
  return runs.some(({ run, share }) => share >= best - 0.02 && !differs(clause, run.clause)) ? 'agrees' : 'contradicts';
}

function runsOf(clauses: readonly Clause[]): { readonly clause: Clause; readonly length: number }[] {
  return clauses.flatMap((_, from) =>
    Array.from({ length: Math.min(longestRun, clauses.length - from) }, (_, more) => ({
      clause: joined(clauses.slice(from, from + more + 1)),
      length: more + 1,
    })),
  );
}

function shared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const one of some) if (others.has(one)) count += 1;
  return count;
}

function coverage(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return some.size === 0 ? 0 : shared(some, others) / some.size;
}

/** Whether one says what the other denies: an odd number of turns (negation, opposite, compared sides exchanged) is between them. */
function differs(said: Clause, held: Clause): boolean {
  if (said.isAll && held.isSome && !held.isAll) return true;
  const isDenied = held.isLinked || (held.isCausal && held.negated !== undefined);
  if (said.isCausal && !said.negated && !said.isLinked && isDenied) return true;
  const [saidKeys, heldKeys] = [keysIn(said), keysIn(held)];
  const isOpen = (of: 'negated' | 'excepted'): boolean => (said[of] !== undefined) !== (held[of] !== undefined);
  // What is negated may have another form ("did not rise", "rose"): the rest is the same then.
  const rest = (one: Clause, other: Clause): number => one.terms.size - shared(one.terms, other.terms);
  const isNearlySame = said.terms.size > 1 && rest(said, held) <= 1 && rest(held, said) <= 1;
  const isTurned = (of: 'negated' | 'excepted'): boolean =>
    isOpen(of) && (isNearlySame || shared(said[of] ?? held[of]!, said[of] ? heldKeys : saidKeys) > 0);
  if (
    isOpen('negated') &&
    (said.isSoft !== held.isSoft || hasPoleOfItsOwn(said.negated ? held : said, said.negated ? said : held))
  )
    return false;
  let turns = isTurned('negated') ? 1 : 0;
  if (isTurned('excepted')) turns += 1;
  const pairs = [...said.sides].filter(([pair]) => held.sides.has(pair));
  const isOpposed = pairs.some(([pair, { side, at }]) => {
    const other = held.sides.get(pair)!;
    return side * other.side < 0 && (said.compared !== undefined || shared(at, other.at) > 0);
  });
  if (isOpposed) turns += 1;
  if (pairs.length > 0 && isExchanged(said, held)) turns += 1;
  if (isReordered(said, held)) turns += 1;
  return turns % 2 === 1;
}

/** Whether two figures of one kind have changed places, and the words around them have not. */
function isReordered(said: Clause, held: Clause): boolean {
  const [place, other] = [placesIn(said.order), placesIn(held.order)];
  const common = [...place.keys()].filter((key) => other.has(key));
  const figures = said.quantities.filter((one) => common.includes(figureKey(one)) && !one.isFrom);
  const isTurned = (a: string, b: string): boolean =>
    (place.get(a)! - place.get(b)!) * (other.get(a)! - other.get(b)!) < 0;
  const words = common.filter((key) => !key.startsWith('#'));
  return figures.some((one, at) =>
    figures
      .slice(at + 1)
      .some(
        (next) =>
          one.dimension === next.dimension &&
          isTurned(figureKey(one), figureKey(next)) &&
          words.length > 1 &&
          !words.some((word, index) => words.slice(index + 1).some((later) => isTurned(word, later))),
      ),
  );
}

function placesIn(order: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  order.forEach((key, at) => places.set(key, places.get(key) ?? at));
  return places;
}

/** "Disabled" says of itself what the other side says with a negation. */
function hasPoleOfItsOwn(one: Clause, other: Clause): boolean {
  return [...one.sides].some(([pair, { side }]) => side < 0 && !other.sides.has(pair));
}

/** Whether what one clause compares with something stands on the other side of the comparison in the other. */
function isExchanged(said: Clause, held: Clause): boolean {
  const [one, other] = [said.compared, held.compared];
  if (!one && !other) return false;
  if (!one || !other) {
    const { left, right } = (one ?? other)!;
    const { terms } = one ? held : said;
    return coverage(right, terms) > coverage(left, terms);
  }
  const across = Math.max(coverage(one.right, other.left), coverage(other.right, one.left));
  return across > coverage(one.right, other.right);
}

/** Whether two clauses each bring together what the source says apart: "A gained 3 and B lost 5" for "B gained 3 and A lost 5". */
function isCrossed(said: readonly Clause[], held: readonly Clause[]): boolean {
  if (said.length < 2 || held.length < 2) return false;
  const keys = held.map(allKeys);
  const own = keys.map(
    (set, at) => new Set([...set].filter((key) => !keys.some((other, one) => one !== at && other.has(key)))),
  );
  const mixed = said.map((clause) => own.map((set) => shared(allKeys(clause), set)));
  return mixed.some((one, at) =>
    mixed
      .slice(at + 1)
      .some((other) =>
        one.some((a, j) => a > 0 && other[j]! > 0 && one.some((b, k) => k > j && b > 0 && other[k]! > 0)),
      ),
  );
}

function allKeys(clause: Clause): ReadonlySet<string> {
  return new Set([...keysOf(clause), ...[...clause.sides].map(([pair, { side }]) => `${pair}/${side}`)]);
}

/** Whether a figure stands, wherever the source has it, with something else than in the sentence, which is told of another figure. */
function isMoved({ terms, quantities: figures }: Clause, index: Indexed): boolean {
  return figures.some((said) => {
    // "7 against 11 in the other group"
    if (figures.some((one) => one !== said && one.dimension === said.dimension)) return false;
    const places = index.byTerm.get(figureKey(said)) ?? [];
    if (places.length === 0 || places.length > mostCompared) return false;
    return places.every((at) => {
      const beside = [at - 2, at - 1, at + 1, at + 2].flatMap((one) => read(index, one));
      const holders = read(index, at).filter(({ quantities }) => quantities.some((one) => isSame(said, one)));
      return (
        holders.length > 0 &&
        holders.every(
          (holder) =>
            read(index, at).some(
              (rival) => rival !== holder && rivals(said, rival) && isNearer(terms, rival, holder, 2),
            ) || beside.some((rival) => rivals(said, rival) && isNearer(terms, rival, holder, 3)),
        )
      );
    });
  });
}

function rivals(said: Quantity, { quantities }: Clause): boolean {
  return (
    quantities.some((one) => isAlike(said, one) && !isSame(said, one)) && !quantities.some((one) => isSame(said, one))
  );
}

function isAlike(one: Quantity, other: Quantity): boolean {
  const isYear = ({ values: [value = 0], isDefinite }: Quantity): boolean =>
    !isDefinite && value > 1500 && value < 2100;
  return one.dimension === other.dimension && isYear(one) === isYear(other);
}

function isNearer(about: ReadonlySet<string>, rival: Clause, holder: Clause, least: number): boolean {
  const own = [...about].filter((term) => holder.terms.has(term) && !rival.terms.has(term));
  const others = [...about].filter((term) => rival.terms.has(term) && !holder.terms.has(term));
  return own.length === 0 && others.length >= Math.max(least, about.size / 2);
}

/** Whether a change or range begins where it ends in the source. */
function isReversed(said: readonly Quantity[], index: Indexed): boolean {
  const first = said.findIndex(({ isFrom }) => isFrom);
  const [start, end] = [said[first], said[first + 1] ?? said[first - 1]];
  if (!start || !end || end.isFrom) return false;
  if (start.dimension !== undefined && start.dimension !== end.dimension) return false;
  const near = (index.byTerm.get(figureKey(start)) ?? []).slice(0, mostCompared);
  return near.some((at) => {
    const held = read(index, at).flatMap(({ quantities }) => quantities);
    const [from, to] = [held.find((one) => isSame(start, one)), held.find((one) => isSame(end, one))];
    return from !== undefined && to !== undefined && from !== to && !from.isFrom && to.isFrom;
  });
}
