import { largest } from '../../protocol/numbers.ts';
import { findAddresses } from '../../markdown/addresses.ts';
import { agreement, closeness } from './agreement.ts';
import { figureSet, findFigures, isIn, type Figure } from './figures.ts';
import { isDerived, isSame, quantitiesOf, type Quantity } from './quantities.ts';
import { trimBoth } from '../text/trimEnd.ts';
import { matchNormalized, normalizeForQuote } from './quotes.ts';
import { detectLanguage } from '../text/language.ts';
import { isStopword } from '../text/stopwords.ts';
import { termsOf, tokensOf } from '../text/tokenize.ts';
import type { Source } from './source.ts';

interface Prepared {
  readonly figures: ReadonlySet<string>;
  readonly text: string;
  words?: ReadonlySet<string>;
  addresses?: ReadonlySet<string>;
  quantities?: readonly Quantity[];
  content?: { readonly language: string; readonly terms: ReadonlySet<string> };
}

// A source's text never changes under one object: each is prepared once.
const prepared = new WeakMap<Source, Prepared>();

function prepare(source: Source): Prepared {
  const known = prepared.get(source);
  if (known) return known;
  const about = [
    source.title,
    source.authors.join(' '),
    source.date ?? '',
    source.url ?? '',
    source.file?.path ?? '',
    source.facts.join(' '),
  ].join('\n');
  const made: Prepared = {
    figures: figureSet(`${about}\n${source.text}`),
    text: normalizeForQuote(`${source.title}\n${source.text}`),
  };
  prepared.set(source, made);
  return made;
}

/** Does the source's stored text hold this quote (word for word, or nearly so with the same figures)? */
export function hasQuote(source: Source, quote: string): boolean {
  return quoteIn(source, quote) !== 'none';
}

function quoteIn(source: Source, quote: string): 'exact' | 'fuzzy' | 'none' {
  const needle = trimBoth(normalizeForQuote(quote), `"'.… `);
  return needle.length < 3 ? 'none' : matchNormalized(needle, prepare(source).text);
}

/** Does one of the sources hold this address, or name of a host, in so many words? */
export function speaksOf(sources: readonly Source[], address: string): boolean {
  const wanted = address.toLowerCase();
  return sources.some((source) => {
    const known = prepare(source);
    known.addresses ??= new Set(
      [source.title, source.url ?? '', source.text].flatMap((text) =>
        findAddresses(text).flatMap(({ start, end }) => {
          const found = text.slice(start, end).toLowerCase();
          return [found, hostOf(found)];
        }),
      ),
    );
    return known.addresses.has(wanted);
  });
}

function hostOf(address: string): string {
  return address.replace(/^[a-z][a-z0-9+.-]{0,30}:\/{0,2}/, '').replace(/[/?#:][^]*$/, '');
}

interface ClaimedFigure extends Figure {
  readonly quantity?: Quantity | undefined;
}

/** Claims of a sentence that a source must contain. */
export interface Claims {
  readonly figures: readonly ClaimedFigure[];
  /** Quotations of at least four words. */
  readonly quotations: readonly string[];
}

const quotationMarks = /“([^“”]{8,600})”|"([^"]{8,600})"|«([^«»]{8,600})»|„([^„“”]{8,600})[“”]|「([^「」]{6,300})」/gu;

export function claimsOf(text: string, allowed: ReadonlySet<string>, allowedText: string): Claims {
  if (!/[\p{N}"“«„「]/u.test(text)) return { figures: [], quotations: [] };
  const quantities = quantitiesOf(text);
  let next = 0;
  const figures = findFigures(text).flatMap((figure): ClaimedFigure[] => {
    while (next < quantities.length && quantities[next]!.end <= figure.start) next += 1;
    const quantity = quantities[next] && quantities[next]!.start <= figure.start ? quantities[next] : undefined;
    const isGiven = isIn(figure, allowed) || (quantity !== undefined && isDerived(quantity, quantities));
    return isGiven ? [] : [{ ...figure, quantity }];
  });
  const quotations = [...text.matchAll(quotationMarks)]
    .map((match) => match.slice(1).find((group) => group !== undefined) ?? '')
    .filter((quote) => isLongEnough(quote) && !allowedText.includes(normalizeForQuote(quote)));
  return { figures, quotations };
}

function isLongEnough(quote: string): boolean {
  return (
    quote.trim().split(/\s+/).length >= 4 ||
    (quote.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0) >= 8
  );
}

/** The claims that none of the sources supports. */
export function unsupported(claims: Claims, sources: readonly Source[]): Claims {
  return {
    figures: claims.figures.filter((figure) => !sources.some((source) => holdsFigure(source, figure))),
    quotations: claims.quotations.filter((quote) => !sources.some((source) => hasQuote(source, quote))),
  };
}

function holdsFigure(source: Source, figure: ClaimedFigure): boolean {
  const known = prepare(source);
  if (isIn(figure, known.figures)) return true;
  const { quantity } = figure;
  if (!quantity) return false;
  known.quantities ??= quantitiesOf(source.text.slice(0, longestRead));
  return known.quantities.some((one) => isSame(quantity, one));
}

/** Share of a sentence's words that an uncited sentence must have in common with a source before it is ascribed to it. */
const likeness = 0.6;

/**
 * The source that supports all of these claims and is about the same thing (at least 60 % of the sentence's words of four
 * letters and more occur in it); the most similar one. Undefined: none does.
 */
export function findSupporter(sentence: string, claims: Claims, candidates: readonly Source[]): Source | undefined {
  const wanted = new Set(longWords(sentence));
  if (wanted.size < 3) return undefined;
  let best: { source: Source; share: number } | undefined;
  for (const source of candidates) {
    const rest = unsupported(claims, [source]);
    if (rest.figures.length > 0 || rest.quotations.length > 0) continue;
    const known = prepare(source);
    known.words ??= new Set(longWords(known.text));
    const share = [...wanted].filter((word) => known.words!.has(word)).length / wanted.size;
    if (share >= likeness && share > (best?.share ?? 0)) best = { source, share };
  }
  return best?.source;
}

/** Of the closest sentence of a source: what it must share with a claim to be what the claim says, and what is too little for that. */
const saying = 0.75;
const notSaying = 0.4;

/**
 * The sources that a sentence cites rightly. Those that have nothing like it beside one that says it are left out; where none has, but
 * another source of the run says it nearly word for word, that one is cited. Undefined: one of them speaks of the same and says otherwise.
 */
export function rightSources(
  sentence: string,
  known: readonly Source[],
  candidates: readonly Source[],
): readonly Source[] | undefined {
  const verdicts = known.map((source) => agreement(sentence, source));
  if (verdicts.includes('contradicts') && !verdicts.includes('agrees')) return undefined;
  const near = known.map((source) => closeness(sentence, source));
  const best = largest(near.map((share) => share ?? 1));
  if (best >= saying) return known.filter((_, index) => (near[index] ?? 1) >= notSaying);
  if (best >= notSaying) return known;
  const wanted = new Set(longWords(sentence));
  const holder = candidates
    .filter((source) => !known.includes(source) && hasWords(wanted, source))
    .map((source) => ({ source, share: closeness(sentence, source) ?? 0 }))
    .reduce<{ readonly source?: Source; readonly share: number }>((a, b) => (b.share > a.share ? b : a), { share: 0 });
  if (holder.source === undefined || holder.share < saying) return known;
  return agreement(sentence, holder.source) === 'contradicts' ? undefined : [holder.source];
}

function hasWords(wanted: ReadonlySet<string>, source: Source): boolean {
  const known = prepare(source);
  known.words ??= new Set(longWords(known.text));
  return [...wanted].filter((word) => known.words!.has(word)).length >= wanted.size * saying;
}

/**
 * Shares of a cited sentence's terms that its sources must have: below the first it is about something else, up to the second when it
 * names something that they don't. Measured on `test/support/citedSentences.ts`: of 20 paraphrases none is below 0.22, of 20 inventions
 * none above 0.17.
 */
const leastShared = 0.2;
const mostDoubtful = 0.3;
const leastTerms = 4;
/** In UTF-16 units. */
const longestRead = 300_000;

/** Whether a sentence is about what the sources that it cites say; true where that can't be compared: another language, few words. */
export function sharesContent(sentence: string, sources: readonly Source[]): boolean {
  const language = detectLanguage(sentence);
  const own = contentOf(sentence, language);
  if (own.length < leastTerms) return true;
  // A clause of its own weight is no better than a sentence.
  const clauses = sentence.split(/[,;:—–]\s+/).map((clause) => ({ clause, terms: contentOf(clause, language) }));
  const parts = clauses.length === 1 ? [] : clauses.filter(({ terms }) => terms.length > leastTerms);
  return (
    isHeldBy(own, sentence, language, sources) &&
    parts.every(({ clause, terms }) => isHeldBy(terms, clause, language, sources))
  );
}

/** The same with any one of many sources. */
export function isSpokenOf(sentence: string, sources: readonly Source[]): boolean {
  const language = detectLanguage(sentence);
  const own = contentOf(sentence, language);
  return own.length < leastTerms || sources.some((source) => isHeldBy(own, sentence, language, [source]));
}

function isHeldBy(own: readonly string[], sentence: string, language: string, sources: readonly Source[]): boolean {
  const contents = sources.map(contentTerms);
  if (contents.some((content) => content.language !== language)) return true;
  const isHeld = (term: string): boolean =>
    contents.some(({ terms }) => terms.has(term) || (term.length >= stemLength && terms.has(beginning(term))));
  const share = own.filter(isHeld).length / own.length;
  if (share < leastShared) return false;
  return share > mostDoubtful || namesIn(sentence, language).every((name) => termsOf(name).some(isHeld));
}

/** Words of one stem begin alike: "rerank", "reranker", "reranked". */
const stemLength = 5;
const beginning = (term: string): string => `${term.slice(0, stemLength)}…`;

function contentOf(text: string, language: string): string[] {
  const words = tokensOf(text).filter((word) => !isStopword(word.toLowerCase(), language));
  // Pairs of hiragana are grammar.
  return [...new Set(words.flatMap(termsOf))].filter((term) => !/^\p{Script=Hiragana}+$/u.test(term));
}

function contentTerms(source: Source): { readonly language: string; readonly terms: ReadonlySet<string> } {
  const known = prepare(source);
  if (known.content) return known.content;
  const text = `${source.title}\n${source.facts.join('\n')}\n${source.text.slice(0, longestRead)}`;
  const language = detectLanguage(source.text.trim() === '' ? source.title : source.text);
  const terms = contentOf(text, language);
  known.content = { language, terms: new Set([...terms, ...terms.map(beginning)]) };
  return known.content;
}

/** Words with a capital inside a sentence. In German all nouns have one: there they say nothing. */
function namesIn(sentence: string, language: string): string[] {
  if (language === 'de') return [];
  return sentence.match(/(?<=[\p{Ll}\p{N},;:]\s)\p{Lu}[\p{L}\p{N}-]+/gu) ?? [];
}

function longWords(text: string): string[] {
  return normalizeForQuote(text).match(/\p{L}{4,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/gu) ?? [];
}
