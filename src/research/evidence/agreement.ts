import { detectLanguage } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopword } from '../text/stopwords.ts';
import { termsOf, tokensOf } from '../text/tokenize.ts';
import { clausesOf, figureKey, joined, keysIn, type Clause } from './clauses.ts';
import { isSame, quantitiesOf, type Quantity } from './quantities.ts';
import type { Source } from './source.ts';

/**
 * Shares of a clause's terms that a passage of its source must have before what turns it round is compared. Measured on
 * `test/support/labelledSentences.ts`, see its test for the numbers.
 */
const close = { clause: 0.6, sentence: 0.8, crossed: 0.7 } as const;
/** Passages whose share is this near to the best one's count as equally close. */
const tie = 0.1;
/** In UTF-16 units. */
const longestRead = 300_000;
/** In UTF-16 units; longer ones are no sentences. */
const longestSentence = 2_000;
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
}

const indexed = new WeakMap<Source, Indexed>();

/** How a sentence of a report and its source go together. `silent`: the source has no passage that is close enough to compare. */
export type Agreement = 'agrees' | 'contradicts' | 'silent';

/**
 * Compares a sentence, clause by clause, with the passages of a source that say nearly the same: a figure with another unit or of
 * something else, a negation on one side alone, an opposite contradict. Figures with a unit are compared across languages as well. Pure.
 */
export function agreement(sentence: string, source: Source): Agreement {
  if (sentence.length > longestSentence) return 'silent';
  const index = indexOf(source);
  const clauses = clausesOf(sentence, index.language);
  const whole = clauses.length === 0 ? undefined : joined(clauses);
  if (!whole) return 'silent';
  if (whole.quantities.some((quantity) => hasOtherUnit(quantity, index))) return 'contradicts';
  const shares = sharesOf(keysOf(whole), index);
  const best = greatest(shares.values());
  const plain = statementOf(sentence);
  if (best > close.sentence && nearestTo(shares, best).some((at) => statementOf(index.sentences[at]!.text) === plain))
    return 'agrees';
  const verdicts = clauses.map((clause) => clauseAgreement(clause, best, shares, index));
  if (verdicts.includes('contradicts')) return 'contradicts';
  const nearest = nearestTo(shares, close.crossed);
  if (nearest.length > 0 && nearest.every((at) => isCrossed(clauses, read(index, at)))) return 'contradicts';
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
  const made: Indexed = { language, sentences, byTerm, quantities };
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
  // A clause of one word can only be compared where the source has its sentence nearly unchanged.
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

/** Whether one says what the other denies: an odd number of turns (negation, opposite) is between them. */
function differs(said: Clause, held: Clause): boolean {
  if (said.isAll && held.isSome && !held.isAll) return true;
  const [saidKeys, heldKeys] = [keysIn(said), keysIn(held)];
  const isOpen = (said.negated === undefined) !== (held.negated === undefined);
  // What is negated may have another form ("did not rise", "rose"): the rest is the same then.
  const rest = (one: Clause, other: Clause): number => one.terms.size - shared(one.terms, other.terms);
  const isNearlySame = said.terms.size > 1 && rest(said, held) <= 1 && rest(held, said) <= 1;
  const isTurned =
    isOpen && (isNearlySame || shared(said.negated ?? held.negated!, said.negated ? heldKeys : saidKeys) > 0);
  if (
    isOpen &&
    (said.isSoft !== held.isSoft || hasPoleOfItsOwn(said.negated ? held : said, said.negated ? said : held))
  )
    return false;
  // The sides of a comparison are not read.
  const isOpposed =
    !said.isCompared &&
    !held.isCompared &&
    [...said.sides].some(([pair, { side, at }]) => {
      const other = held.sides.get(pair);
      return other !== undefined && side * other.side < 0 && shared(at, other.at) > 0;
    });
  return isTurned !== isOpposed;
}

/** "Disabled" says of itself what the other side says with a negation. */
function hasPoleOfItsOwn(one: Clause, other: Clause): boolean {
  return [...one.sides].some(([pair, { side }]) => side < 0 && !other.sides.has(pair));
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
