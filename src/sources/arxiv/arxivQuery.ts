import { isStopword } from '../../research/text/stopwords.ts';
import { isWeakWord, plainQuery, queryWords, splitScripts, strongest, subjectWeight } from '../searchWords.ts';

/** One value of `search_query`. */
export interface ArxivAttempt {
  readonly query: string;
  /** What it finds has all words and phrases of one of these groups. Absent: an entry of a feed does not show whether it is found. */
  readonly groups?: readonly (readonly string[])[];
}

export interface ArxivQuery {
  /** The second is tried when the first finds nothing. Never empty. */
  readonly attempts: readonly [ArxivAttempt] | readonly [ArxivAttempt, ArxivAttempt];
  /** What was left out or read in another way, for the model. */
  readonly notes: readonly string[];
}

interface Term {
  readonly field: string;
  readonly value: string;
}

const maxTerms = 6;
const maxLength = 2_000;

/**
 * Turns a question or a query into arXiv's syntax. Words are joined by AND (the service reads bare ones as OR), and what
 * is in quotes or hyphenated is a phrase. Well-formed syntax (`ti:"…" AND cat:cs.CL`) is sent as it is. Words in other scripts than
 * Latin are left out, since arXiv's texts are English. Undefined when nothing is left to search for. Total on any string.
 */
export function buildArxivQuery(text: string, language: string): ArxivQuery | undefined {
  const clean = plainQuery(text).slice(0, maxLength).trim();
  const written = readSyntax(clean);
  const words = splitScripts(queryWords(clean.replace(fieldNames, ' '), language));
  const terms = written?.terms ?? strongest(words.latin, maxTerms).map(({ value }) => ({ field: 'all', value }));
  if (written === undefined && terms.length === 0) return undefined;
  const first = written === undefined ? allOf(terms, clean) : { query: written.query };
  const second = relax(terms);
  const left = written === undefined ? words.foreign.slice(0, 5).join(', ') : '';
  return {
    attempts: second === undefined || second.query === first.query ? [first] : [first, second],
    notes: left === '' ? [] : [`arXiv's texts are in English: left out ${left}. Ask with English terms.`],
  };
}

/**
 * All strong terms must be there. Side by side in the query they count as a phrase too, and weak words are optional: both change
 * the order of the results only.
 */
function allOf(terms: readonly Term[], asked: string): ArxivAttempt {
  const strong = terms.filter(({ value }) => !isWeakWord(value));
  const needed = strong.length === 0 ? terms : strong;
  const weak = terms.filter((term) => !needed.includes(term)).map(printTerm);
  const every = needed.map(printTerm).join(' AND ');
  const run = terms.map(({ value }) => value).join(' ');
  const isRun = terms.length >= 2 && terms.length <= 4 && asked.includes(run);
  const preferred = [
    ...(isRun ? [printTerm({ field: 'all', value: run })] : []),
    ...(weak.length > 0 ? [`(${every} AND ${weak.length > 1 ? `(${weak.join(' OR ')})` : weak[0]!})`] : []),
  ];
  const grouped = needed.length > 1 && preferred.length > 0 ? `(${every})` : every;
  return { query: [...preferred, grouped].join(' OR '), groups: [needed.map(({ value }) => value)] };
}

/**
 * Asks for less: any two of the strongest terms together instead of all, the words of a phrase instead of the phrase.
 * Restrictions to a category, an author or a date stay. Undefined when there is nothing to give up.
 */
function relax(terms: readonly Term[]): ArxivAttempt | undefined {
  const isSubject = ({ field }: Term): boolean => field === 'all' || field === 'ti' || field === 'abs';
  const subject = terms.filter(isSubject).map(({ value }) => value);
  const named = subject.filter((value) => !isWeakWord(value));
  const strong = (named.length > 1 ? named : subject)
    .toSorted((a, b) => subjectWeight(b) - subjectWeight(a))
    .slice(0, 4);
  const groups = fewerOf(strong);
  if (groups.length === 0) return undefined;
  const printed = groups.map((group) => group.map((value) => printTerm({ field: 'all', value })).join(' AND '));
  const less = printed
    .map((group) => (group.includes(' AND ') && printed.length > 1 ? `(${group})` : group))
    .join(' OR ');
  const kept = terms.filter((term) => !isSubject(term)).map(printTerm);
  return kept.length === 0 ? { query: less, groups } : { query: [`(${less})`, ...kept].join(' AND ') };
}

function fewerOf(strong: readonly string[]): readonly (readonly string[])[] {
  if (strong.length > 2) return strong.flatMap((a, index) => strong.slice(index + 1).map((b) => [a, b]));
  if (strong.length === 2) return strong.map((value) => [value]);
  const words =
    strong[0]?.split(/[\s-]+/).filter((word) => word.length > 1 && !isStopword(word.toLowerCase(), 'en')) ?? [];
  return words.length < 2 ? [] : [words];
}

function printTerm({ field, value }: Term): string {
  if (/Date$/.test(field)) return `${field}:[${value}]`;
  const isBare =
    field === 'cat' ||
    field === 'id' ||
    (/^[\p{L}\p{N}.*_]+$/u.test(value) && !/^(and|or|not|andnot|to)$/i.test(value));
  return `${field}:${isBare ? value : `"${value}"`}`;
}

// ------------------------------------------------------------------------------------------------------- arXiv's own syntax

const fields = 'ti|au|abs|co|jr|cat|rn|id|all';
const fieldNames = new RegExp(`(?<![\\p{L}\\p{N}])(?:${fields}):`, 'giu');
const dateField = 'submittedDate|lastUpdatedDate';
const token = new RegExp(
  [
    `(?<date>${dateField}):\\[(?<from>\\d{8,14})\\s+TO\\s+(?<to>\\d{8,14})\\]`,
    `(?<field>${fields}):(?:"(?<phrase>[^"]*)"|(?<word>[^\\s()"]+))`,
    '"(?<bare>[^"]*)"',
    '(?<paren>[()])',
    '(?<operator>(?:ANDNOT|AND\\s+NOT|AND|NOT|OR)(?=[\\s("]|$))',
    '(?<plain>[^\\s()"]+)',
    '(?<bad>")',
  ].join('|'),
  'giu',
);
const maxTokens = 60;

/**
 * Reads a query that uses arXiv's syntax: field prefixes, or AND / OR / ANDNOT in capitals. Terms side by side mean AND here,
 * since OR (what the service makes of them) is never meant. Undefined for plain words and for anything not well formed.
 * @returns The query, and its terms when all of them are asked for.
 */
export function readSyntax(text: string): { readonly query: string; readonly terms: readonly Term[] } | undefined {
  const isPrefixed = new RegExp(`(?:^|[\\s(])(?:${fields}|${dateField}):`, 'i').test(text);
  const parts: string[] = [];
  const terms: Term[] = [];
  let isSyntax = false;
  let isPlainAnd = true;
  let depth = 0;
  let field = 'all';
  const isOpen = (): boolean => parts.length === 0 || /^(?:\(|AND|OR|ANDNOT)$/.test(parts.at(-1)!);
  for (const { groups = {} } of text.matchAll(token)) {
    const { date, from, to, phrase, word, bare, paren, operator, plain, bad } = groups;
    if (bad !== undefined || parts.length >= maxTokens) return undefined;
    if (paren === ')' || (operator !== undefined && (isPrefixed || operator === operator.toUpperCase()))) {
      if (isOpen()) return undefined;
      if (paren === ')') depth -= 1;
      if (depth < 0) return undefined;
      const name = operator?.replace(/\s+/g, '').toUpperCase();
      parts.push(name === undefined ? ')' : name.endsWith('NOT') ? 'ANDNOT' : name);
      isSyntax ||= name !== undefined;
      isPlainAnd &&= name === undefined || name === 'AND';
      field = 'all';
      continue;
    }
    if (plain !== undefined && isStopword(plain.toLowerCase(), 'en')) continue;
    if (!isOpen()) parts.push('AND');
    if (paren !== undefined) {
      depth += 1;
      parts.push('(');
      field = 'all';
      continue;
    }
    isSyntax ||= date !== undefined || groups['field'] !== undefined;
    // Words that follow "ti:attention" without quotes belong to the title as well.
    field = bare === undefined ? (groups['field']?.toLowerCase() ?? field) : 'all';
    const term =
      date === undefined
        ? { field, value: cleanValue(phrase ?? bare ?? word ?? plain ?? operator ?? '', field) }
        : { field: /^s/i.test(date) ? 'submittedDate' : 'lastUpdatedDate', value: `${from} TO ${to}` };
    if (term.value === '') return undefined;
    terms.push(term);
    parts.push(printTerm(term));
    if (phrase !== undefined || bare !== undefined) field = 'all';
  }
  if (!isSyntax || isOpen() || depth !== 0) return undefined;
  const query = parts.join(' ').replaceAll('( ', '(').replaceAll(' )', ')');
  return { query, terms: isPlainAnd ? terms : [] };
}

/** Empty for a value that the service would not understand. */
function cleanValue(value: string, field: string): string {
  const text = value.trim();
  if (field === 'cat') return /^[a-z-]+(?:\.[A-Za-z*-]+)?\*?$/.test(text) ? text : '';
  if (field === 'id') return /^[\w.\/-]+$/.test(text) ? text : '';
  if (/(?!\p{Script=Latin})\p{L}/u.test(text)) return '';
  const words = text.match(/[\p{Script=Latin}\p{N}_][\p{Script=Latin}\p{N}\p{Mn}.+#'_*-]*/gu) ?? [];
  return words.slice(0, 12).join(' ').slice(0, 200).trim();
}
