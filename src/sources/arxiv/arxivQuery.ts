import { trimEnd } from '../../research/text/trimEnd.ts';
import { isStopword } from '../../research/text/stopwords.ts';
import { isWeakWord, plainQuery, strongest, subjectWeight, subjectWords, withoutWishPhrases } from '../searchWords.ts';
import { parseArxivExpression, printArxivExpression, termsOfExpression, type ArxivTerm } from './arxivExpression.ts';

export interface ArxivQuery {
  /** Values of `search_query`: the second is tried when the first finds nothing. Never empty. */
  readonly attempts: readonly [string] | readonly [string, string];
  /** What was left out or read in another way, for the model. */
  readonly notes: readonly string[];
}

const maxTerms = 6;
const maxLength = 2_000;

/**
 * Turns a question or a query into arXiv's syntax. Words are joined by AND (the service reads bare ones as OR), and what
 * is in quotes or hyphenated is a phrase. Well-formed syntax (`ti:"…" AND cat:cs.CL`) is sent as it is. Words in other scripts than Latin are left out, since
 * arXiv's texts are English. Undefined when nothing is left to search for. Total on any string.
 */
export function buildArxivQuery(text: string, language: string): ArxivQuery | undefined {
  const clean = plainQuery(text).slice(0, maxLength).trim();
  const expression = parseArxivExpression(clean);
  if (expression !== undefined) {
    const first = printArxivExpression(expression);
    const relaxed = relax(termsOfExpression(expression));
    return { attempts: relaxed === undefined || relaxed === first ? [first] : [first, relaxed], notes: [] };
  }
  const { terms, run, foreign } = readTerms(withoutWishPhrases(clean), language);
  if (terms.length === 0) return undefined;
  const first = printWords(terms, run);
  const relaxed = relax(terms);
  const notes =
    foreign.length > 0
      ? [`arXiv's texts are in English: left out ${foreign.slice(0, 5).join(', ')}. Ask with English terms.`]
      : [];
  return { attempts: relaxed === undefined || relaxed === first ? [first] : [first, relaxed], notes };
}

interface ReadTerms {
  readonly terms: readonly ArxivTerm[];
  /** The words, when they are all adjacent. */
  readonly run: readonly string[];
  readonly foreign: readonly string[];
}

function readTerms(text: string, language: string): ReadTerms {
  const words: { readonly value: string; readonly quoted: boolean; readonly at: number }[] = [];
  const foreign: string[] = [];
  let at = 0;
  for (const [, quoted, bare] of text.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    at += 1;
    if (quoted !== undefined) {
      const value = latinWords(quoted, foreign).join(' ');
      if (value !== '') words.push({ value: value.split(' ').slice(0, 12).join(' '), quoted: true, at });
      continue;
    }
    if (/^(AND|OR|ANDNOT|NOT|TO)$/.test(bare!)) continue;
    for (const value of latinWords(
      bare!.replace(/(?<![\p{L}\p{N}])(?:ti|au|abs|co|jr|cat|rn|id|all):/giu, ' '),
      foreign,
    ))
      words.push({ value, quoted: false, at });
  }
  const chosen = strongest(subjectWords(words, language), maxTerms);
  const adjacent = chosen.every(
    ({ at: place, quoted }, index) => !quoted && (index === 0 || place - chosen[index - 1]!.at <= 1),
  );
  return {
    terms: chosen.map(({ value }) => ({ field: 'all', value })),
    run: adjacent ? chosen.map(({ value }) => value) : [],
    foreign: [...new Set(foreign)],
  };
}

/** Latin words of a piece, without anything that the syntax could trip over. Others go to `foreign`. */
function latinWords(piece: string, foreign: string[]): string[] {
  const found: string[] = [];
  for (const [word] of piece.matchAll(/[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}.+#'’-]*/gu)) {
    const latin = word.match(/[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}\p{Mn}.+#'’-]*/gu) ?? [];
    if (/(?!\p{Script=Latin})\p{L}/u.test(word)) foreign.push(word.slice(0, 40));
    for (const part of latin) {
      const word = part.replace(/’/g, "'").replace(/'s$/, '');
      const bare = trimEnd(word.replace(/^[.+#'-]+/, ''), ".'-").slice(0, 60);
      if (bare !== '' && !/^(AND|OR|ANDNOT|NOT|TO)$/.test(bare)) found.push(bare);
    }
  }
  return found;
}

/**
 * All strong terms must be there. A run of them counts as a phrase too and weak words are optional: both change the order
 * of the results only.
 */
function printWords(terms: readonly ArxivTerm[], run: readonly string[]): string {
  const strong = terms.filter(({ value }) => !isWeakWord(value));
  const weak = strong.length === 0 ? [] : terms.filter(({ value }) => isWeakWord(value));
  const every = (strong.length === 0 ? terms : strong).map(printTerm).join(' AND ');
  const preferred = [
    ...(run.length >= 2 && run.length <= 4 ? [printTerm({ field: 'all', value: run.join(' ') })] : []),
    ...(weak.length > 0
      ? [`(${every} AND ${weak.length > 1 ? `(${weak.map(printTerm).join(' OR ')})` : printTerm(weak[0]!)})`]
      : []),
  ];
  const grouped = terms.length - weak.length > 1 && preferred.length > 0 ? `(${every})` : every;
  return [...preferred, grouped].join(' OR ');
}

/**
 * Asks for less: any two of the strongest terms together instead of all, the words of a phrase instead of the phrase.
 * Restrictions to a category, an author or a date stay. Undefined when there is nothing to give up.
 */
function relax(terms: readonly ArxivTerm[]): string | undefined {
  const isSubject = ({ field }: ArxivTerm): boolean => field === 'all' || field === 'ti' || field === 'abs';
  const subject = terms.filter(isSubject).map(({ value }) => ({ field: 'all', value }));
  const named = subject.filter(({ value }) => !isWeakWord(value));
  const strong = (named.length > 1 ? named : subject)
    .toSorted((a, b) => subjectWeight(b.value) - subjectWeight(a.value))
    .slice(0, 4);
  const less = relaxSubject(strong);
  if (less === undefined) return undefined;
  const kept = terms.filter((term) => !isSubject(term)).map(printTerm);
  return kept.length === 0 ? less : [`(${less})`, ...kept].join(' AND ');
}

function relaxSubject(strong: readonly ArxivTerm[]): string | undefined {
  const printed = strong.map(printTerm);
  if (printed.length > 2)
    return printed.flatMap((a, i) => printed.slice(i + 1).map((b) => `(${a} AND ${b})`)).join(' OR ');
  if (printed.length === 2) return printed.join(' OR ');
  const words =
    strong[0]?.value.split(/[\s-]+/).filter((word) => word.length > 1 && !isStopword(word.toLowerCase(), 'en')) ?? [];
  return words.length < 2 ? undefined : words.map((value) => printTerm({ field: 'all', value })).join(' AND ');
}

function printTerm(term: ArxivTerm): string {
  return printArxivExpression({ kind: 'term', ...term });
}
