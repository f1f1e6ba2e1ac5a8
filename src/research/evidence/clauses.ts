import { languages } from '../languages/languages.ts';
import { isStopword } from '../text/stopwords.ts';
import { isPairedScript, termsOf, tokensOf } from '../text/tokenize.ts';
import { quantitiesOf, type Quantity } from './quantities.ts';

/** A clause of a sentence: what it is about, its figures, and what turns it round. */
export interface Clause {
  /** Without figures and words that turn it round. */
  readonly terms: ReadonlySet<string>;
  readonly quantities: readonly Quantity[];
  /** The word at each negation; undefined without one. */
  readonly negated?: ReadonlySet<string>;
  /** Denied or restricted by a word that is no negation. */
  readonly isSoft: boolean;
  readonly isAll: boolean;
  readonly isSome: boolean;
  /** Sides of opposites that it names, by the number of the pair: 1 the first, -1 the second, 0 both. */
  readonly sides: ReadonlyMap<number, Side>;
  /** One thing is compared with another ("faster than"). */
  readonly isCompared: boolean;
}

export interface Side {
  readonly side: -1 | 0 | 1;
  /** The neighbours of the word. */
  readonly at: ReadonlySet<string>;
}

interface Meaning {
  readonly kind: (typeof kinds)[number] | 'side';
  readonly pair: number;
  readonly side: -1 | 1;
}

interface Lexicon {
  readonly pattern: RegExp;
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
  /** Whether "than" follows what it belongs to. */
  readonly isPostposed: boolean;
  readonly isSpaced: boolean;
}

const kinds = ['not', 'softly', 'than', 'joins', 'all', 'some'] as const;

const lexicons: ReadonlyMap<string, Lexicon> = new Map(
  languages.flatMap(({ tag, turns }) => {
    if (turns === undefined) return [];
    const meanings = new Map<string, Meaning[]>();
    const add = (words: readonly string[], meaning: Meaning): void => {
      for (const word of words) {
        const phrase = word.replaceAll('_', ' ');
        meanings.set(phrase, [...(meanings.get(phrase) ?? []), meaning]);
      }
    };
    for (const kind of kinds) add(listed(turns[kind]), { kind, pair: -1, side: 1 });
    listed(turns.opposites).forEach((pair, index) => {
      const [one = '', other = ''] = pair.split('/');
      add(one.split('|'), { kind: 'side', pair: index, side: 1 });
      add(other.split('|'), { kind: 'side', pair: index, side: -1 });
    });
    const words = [...meanings.keys()].toSorted((a, b) => b.length - a.length).map((word) => word.replace(/ /g, '\\s'));
    const isSpaced = !['zh', 'ja', 'ko'].includes(tag);
    // Conjunctions are written together with the next word in Arabic.
    const start = tag === 'ar' ? '(?<!\\p{L})[وف]?' : isSpaced ? "(?<![\\p{L}\\p{N}'])" : '';
    const end = isSpaced ? "(?:(?<=')|(?![\\p{L}\\p{N}]))" : '';
    const pattern = new RegExp(`${start}(${words.join('|')}${tag === 'en' ? "|\\p{L}+n't" : ''})${end}`, 'giu');
    return [[tag, { pattern, meanings, isPostposed: tag === 'ja' || tag === 'ko', isSpaced }] as const];
  }),
);

function listed(words: string): string[] {
  return words
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
}

const ending = /[,;:，；：、。（）()—–!?！？]|\s-\s/;
const negation: Meaning = { kind: 'not', pair: -1, side: 1 };

type Item =
  | { readonly terms: readonly string[] }
  | { readonly meanings: readonly Meaning[] }
  | { readonly quantity: Quantity }
  | 'break';

/** The clauses of one sentence in their order. Linear. */
export function clausesOf(written: string, language: string): Clause[] {
  const text = written
    .normalize('NFKC')
    .replaceAll('’', "'")
    // Arabic "and" before a figure.
    .replace(/(?<!\p{L})و(?=\d)/gu, ', ');
  const clauses: Clause[] = [];
  let items: Item[] = [];
  const lexicon = lexicons.get(language);
  const end = (): void => {
    const clause = clauseOf(items, lexicon);
    items = [];
    const last = clauses.at(-1);
    // "(16 %)" belongs to what precedes it.
    if (clause.terms.size === 0 && clause.quantities.length > 0 && last?.quantities.length === 0)
      clauses[clauses.length - 1] = joined([last, clause]);
    else if (clause.terms.size + clause.quantities.length > 0) clauses.push(clause);
  };
  for (const item of itemsOf(text, language, lexicon)) {
    const isJoin = item !== 'break' && 'meanings' in item && item.meanings.some(({ kind }) => kind === 'joins');
    // Words that turn a clause round stay with it when it has nothing else yet.
    if ((item === 'break' || isJoin) && items.some((one) => one !== 'break' && !('meanings' in one))) end();
    if (item !== 'break') items.push(item);
  }
  end();
  return clauses;
}

function* itemsOf(text: string, language: string, lexicon: Lexicon | undefined): Generator<Item> {
  let at = 0;
  for (const { from, to, item } of placed(text, lexicon)) {
    if (from < at) continue;
    yield* wordsIn(text.slice(at, from), language);
    yield item;
    at = to;
  }
  yield* wordsIn(text.slice(at), language);
}

function placed(text: string, lexicon: Lexicon | undefined) {
  const found: { from: number; to: number; item: Item }[] = quantitiesOf(text).map((quantity) => ({
    from: quantity.start,
    to: quantity.end,
    item: { quantity },
  }));
  if (lexicon)
    for (const match of text.matchAll(lexicon.pattern)) {
      const word = match[1]!.toLowerCase().replace(/\s/g, ' ');
      found.push({
        from: match.index,
        to: match.index + match[0].length,
        item: { meanings: lexicon.meanings.get(word) ?? [negation] },
      });
    }
  return found.toSorted((a, b) => a.from - b.from);
}

function* wordsIn(text: string, language: string): Generator<Item> {
  const parts = text.split(ending);
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield 'break';
    for (const token of tokensOf(part)) {
      const word = token.toLowerCase();
      if (isStopword(word, language) || /^\d/.test(word)) continue;
      // Hiragana between other characters is grammar.
      const parts = isPairedScript(token) ? token.split(/\p{Script=Hiragana}+/u) : [token];
      for (const part of parts) {
        const terms = part === '' ? [] : termsOf(part).filter((term) => !isStopword(term, language));
        if (terms.length > 0) yield { terms };
      }
    }
  }
}

function clauseOf(items: readonly Item[], lexicon: Lexicon | undefined): Clause {
  const isPostposed = lexicon?.isPostposed ?? false;
  const places = new Map<Meaning['kind'], number[]>();
  const sides = new Map<number, Side>();
  items.forEach((item, index) => {
    if (item === 'break' || !('meanings' in item)) return;
    for (const { kind, pair, side } of item.meanings) {
      places.set(kind, [...(places.get(kind) ?? []), index]);
      if (kind === 'side')
        addSide(sides, pair, {
          side,
          at: new Set([...beside(items, index, -1).map((key) => `<${key}`), ...beside(items, index, 1)]),
        });
    }
  });
  // "Que" and "als" compare behind a word of comparison only.
  const than = (places.get('than') ?? []).find(
    (index) => !lexicon?.isSpaced || (places.get('side') ?? []).some((side) => side < index),
  );
  const objects = (): ReadonlySet<string> =>
    new Set(
      (places.get('not') ?? []).flatMap((index) => {
        const [first, second] = [
          beside(items, index, isPostposed ? -1 : 1),
          beside(items, index, isPostposed ? 1 : -1),
        ];
        return first.length > 0 ? first : second;
      }),
    );
  return {
    terms: new Set(items.flatMap((item) => (item !== 'break' && 'terms' in item ? item.terms : []))),
    quantities: items.flatMap((item) => (item !== 'break' && 'quantity' in item ? [item.quantity] : [])),
    ...(places.has('not') ? { negated: objects() } : {}),
    isSoft: places.has('softly'),
    isAll: places.has('all'),
    isSome: places.has('some'),
    sides,
    isCompared: than !== undefined && sides.size > 0,
  };
}

function addSide(sides: Map<number, Side>, pair: number, { side, at }: Side): void {
  const known = sides.get(pair);
  sides.set(pair, known ? { side: known.side === side ? side : 0, at: new Set([...known.at, ...at]) } : { side, at });
}

/** The neighbour of an item on one side: terms, a figure, or a word with an opposite. */
function beside(items: readonly Item[], index: number, step: -1 | 1): readonly string[] {
  for (let at = index + step; at >= 0 && at < items.length; at += step) {
    const item = items[at]!;
    if (item === 'break') continue;
    if ('terms' in item) return item.terms;
    if ('quantity' in item) return [figureKey(item.quantity)];
    const pairs = item.meanings.filter(({ kind }) => kind === 'side');
    if (pairs.length > 0) return pairs.map(({ pair }) => pairKey(pair));
  }
  return [];
}

export const figureKey = ({ numerals }: Quantity): string => `#${numerals[0]}`;
const pairKey = (pair: number): string => `/${pair}`;

/** Terms, figures and pairs of opposites. */
export function keysIn({ terms, quantities, sides }: Clause): ReadonlySet<string> {
  return new Set([...terms, ...quantities.map(figureKey), ...[...sides.keys()].map(pairKey)]);
}

/** Several clauses read as one. */
export function joined(clauses: readonly Clause[]): Clause {
  const [first] = clauses;
  if (clauses.length === 1) return first!;
  const sides = new Map<number, Side>();
  for (const clause of clauses) for (const [pair, side] of clause.sides) addSide(sides, pair, side);
  const negated = clauses.flatMap((clause) => (clause.negated ? [...clause.negated] : []));
  const some = (is: (clause: Clause) => boolean): boolean => clauses.some(is);
  return {
    terms: new Set(clauses.flatMap(({ terms }) => [...terms])),
    quantities: clauses.flatMap(({ quantities }) => quantities),
    ...(clauses.some((clause) => clause.negated) ? { negated: new Set(negated) } : {}),
    isSoft: some(({ isSoft }) => isSoft),
    isAll: some(({ isAll }) => isAll),
    isSome: some(({ isSome }) => isSome),
    sides,
    isCompared: some(({ isCompared }) => isCompared),
  };
}
