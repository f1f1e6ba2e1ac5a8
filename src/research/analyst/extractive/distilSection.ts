import type { DistilInput, Distilled, GatheredCall } from '../analyst.ts';
import { fitsOf, isMisfit } from '../../evidence/fitting.ts';
import { withoutNames } from '../../evidence/namedIn.ts';
import { quoteBlock } from '../../evidence/verbatim.ts';
import type { Source } from '../../evidence/source.ts';
import type { Reading } from '../../ports.ts';
import type { DigestTexts } from '../../languages/language.ts';
import { fill, textsIn } from '../../languages/languages.ts';
import { kindOf } from '../../text/passages.ts';
import { type Query, readQuery } from '../../text/query.ts';
import { statementLine } from '../../text/statementLine.ts';
import { splitSentences } from '../../text/sentences.ts';
import { fold, termsOf, tokensOf } from '../../text/words.ts';
import { asksForThings, thingsIn } from './discoverParts.ts';
import { englishSubject } from './englishSubject.ts';
import { asksFor } from './asksFor.ts';
import { olderFigure, type OlderFigure } from './olderFigure.ts';
import { askedBy, isPart } from './planSections.ts';
import { type Chosen, choosePassages } from './choosePassages.ts';

/** Passages that answer, that make a list, that are only near, or that stand for a part of a broad subject. */
const shown = { answer: 5, list: 8, near: 3, part: 3, remark: 2 } as const;
/** Remarks that are answered, the latest ones, and what is read of one, in UTF-16 units. */
const mostRemarks = 3;
const longestRemark = 500;
/** A passage that lacks more than this share of the words is not an answer but near to one. */
const mostLacking = 0.5;
/** Of the median source's agreement: a source with less is not quoted. */
const leastAgreement = 0.4;
/** Words that are named as missing. */
const mostNamed = 8;
const mostOfSide = 2;
/** In UTF-16 units. */
const longestCell = 400;
/** What a document begins with is a paragraph from this length on, in UTF-16 units. */
const shortestParagraph = 50;

/** The best passages word for word, best first, after what no passage speaks of. Pure. */
export function distilSection(input: DistilInput, language: string, reading?: Reading): Distilled {
  const { section, gathered, outputFormat } = input;
  const isFound = input.sources.some(({ file }) => file === undefined);
  const fits = fitsOf(isFound ? input.sources : [], input.question, `${section.title} ${section.description}`);
  const sources = input.sources.filter(({ id }) => !isMisfit(fits.get(id), leastAgreement));
  const isNamed = sources.some(({ isGiven }) => isGiven === true);
  const asked = isNamed ? withoutNames(askedBy(section, input.question)) : askedBy(section, input.question);
  const query = readQuery(asked, language);
  const texts = textsIn(language, 'digest');
  const own = choosePassages(query, sources, reading, fits);
  const found = [...own, ...inEnglish(asked, gathered, sources, own, reading)];
  const all = ofItsDocument(section, outputFormat === 'list' ? thingsFirst(found, asked, query, sources) : found);
  const gap = gapOf(query, gathered, all, texts);
  const most = isPart(section)
    ? shown.part
    : gap.isNear
      ? shown.near
      : outputFormat === 'list'
        ? shown.list
        : shown.answer;
  const conflict = olderFigure(query, all.slice(0, most));
  const fitting = withRemarks(rowsTogether(newerFirst(all.slice(0, most), conflict)), input, language, reading);
  const meant = isPart(section) ? fitting : withNamed(fitting, sources);
  const chosen = meant.length === 0 && input.chosen ? beginnings(sources) : meant;
  const rows = sideRows(chosen, asksFor(asked, language).sides);
  const inTable = new Set(rows.map(({ quote }) => quote));
  const parts = [
    // What is missing is said once, where the question is answered.
    ...(isPart(section) ? [] : gap.lines),
    ...(conflict === undefined ? [] : [texts.differ]),
    ...(rows.length === 0 ? [] : [table(rows, texts)]),
    ...chosen.filter((one) => !inTable.has(one)).map(({ source, text }) => quoteBlock(source.id, text)),
  ];
  return {
    title: section.title,
    content: chosen.length === 0 ? '' : parts.join('\n\n'),
    findings: chosen.map(({ source, text }) => ({ claim: text, quote: text, source: source.id })),
  };
}

/** What bears on the user's remarks stands before everything else. */
function withRemarks(
  fitting: readonly Chosen[],
  { remarks = [], sources }: DistilInput,
  language: string,
  reading: Reading | undefined,
): readonly Chosen[] {
  const asked = remarks.slice(-mostRemarks).flatMap((remark) => {
    const query = readQuery(remark.slice(0, longestRemark), language);
    const words = query.words.filter(({ weight }) => weight === 1).length;
    return choosePassages(query, sources, reading)
      .filter(({ lacks }) => words > 0 && lacks.length <= words * mostLacking)
      .toSorted((a, b) => a.lacks.length - b.lacks.length)
      .slice(0, shown.remark);
  });
  const first = asked.filter((one, index) => !asked.slice(0, index).some((before) => before.text === one.text));
  return [...first, ...fitting.filter((one) => !first.some(({ text }) => text === one.text))];
}

/** Who asks for projects or models gets them, by their own first words, before the papers about them. Own files stay in front. */
function thingsFirst(
  found: readonly Chosen[],
  asked: string,
  query: Query,
  sources: readonly Source[],
): readonly Chosen[] {
  const things = asksForThings(asked) ? thingsIn(sources, query) : [];
  const introduced = things.flatMap((source) => found.find((one) => one.source === source) ?? beginnings([source]));
  const isOwn = ({ source }: Chosen): boolean => source.file !== undefined;
  const others = found.filter((one) => !isOwn(one) && !things.includes(one.source));
  return [...found.filter(isOwn), ...introduced, ...others];
}

/** Passages of English sources, where a search has said what the subject is called there. They stand behind the question's language. */
function inEnglish(
  asked: string,
  gathered: readonly GatheredCall[],
  sources: readonly Source[],
  own: readonly Chosen[],
  reading: Reading | undefined,
): readonly Chosen[] {
  const english = englishSubject(gathered, asked);
  if (english === undefined) return [];
  const quoted = new Set(own.map(({ source }) => source));
  const others = sources.filter((source) => source.file === undefined && !quoted.has(source));
  return choosePassages(readQuery(english, 'en'), others, reading);
}

/** A section that is named after a document (`planSections`) quotes that document, as far as it was found. */
function ofItsDocument(section: DistilInput['section'], all: readonly Chosen[]): readonly Chosen[] {
  const own = isPart(section) ? all.filter(({ source }) => source.title.includes(section.title)) : [];
  return own.length === 0 ? all : own;
}

/** What is outdated stands behind what replaced it. */
function newerFirst(chosen: readonly Chosen[], conflict: OlderFigure | undefined): readonly Chosen[] {
  if (conflict === undefined || chosen.indexOf(conflict.newer) < chosen.indexOf(conflict.older)) return chosen;
  const { newer, older } = conflict;
  return chosen.filter((one) => one !== newer).flatMap((one) => (one === older ? [newer, older] : [one]));
}

/** Rows of one table behind the best of them, so that they are shown as one. */
function rowsTogether(chosen: readonly Chosen[]): Chosen[] {
  const tableOf = ({ source, text }: Chosen): string | undefined => {
    const [head, row, ...rest] = text.split('\n');
    const isRow = row !== undefined && rest.length === 0 && source.file?.firstLine === source.file?.lastLine;
    return isRow && source.file !== undefined ? `${source.file.path}\n${head}` : undefined;
  };
  return [...Map.groupBy(chosen, (one) => tableOf(one) ?? one).values()].flat();
}

interface Gap {
  /** What is said before the quotes. */
  readonly lines: readonly string[];
  /** The best passage is near to an answer at most. */
  readonly isNear: boolean;
}

/** What the sources lack of the question, and the best passage of what they hold. */
function gapOf(
  { words }: Query,
  gathered: readonly GatheredCall[],
  all: readonly Chosen[],
  { comma, missing, spelled, nearest, nearestLacks }: DigestTexts,
): Gap {
  const asked = new Set(words.filter(({ weight }) => weight === 1).map(({ word }) => fold(word)));
  const [best] = all;
  // A search of the folder knows nothing of what other sources say.
  const isSaid = (word: string): boolean => all.some(({ lacks }) => !lacks.some((one) => fold(one) === fold(word)));
  const known = gathered
    .flatMap((call) => call.words ?? [])
    .filter(({ word, fate }) => asked.has(fold(word)) && (fate !== 'missing' || !isSaid(word)));
  const fates = new Map(known.map((fate) => [fold(fate.word), fate]));
  const list = (named: readonly string[]): string =>
    named
      .slice(0, mostNamed)
      .map((word) => `“${plainWord(word)}”`)
      .join(comma);
  const withFate = (wanted: string): string =>
    list([...fates.values()].filter(({ fate }) => fate === wanted).map(({ word }) => word));
  const [nowhere, otherwise] = [withFate('missing'), withFate('corrected')];
  const lacks = list(
    (best?.lacks ?? []).filter((word) => !['missing', 'corrected'].includes(fates.get(fold(word))?.fate ?? '')),
  );
  const isNear = best !== undefined && (nowhere !== '' || best.lacks.length > asked.size * mostLacking);
  return {
    isNear,
    lines: [
      ...(nowhere === '' ? [] : [fill(missing, { words: nowhere })]),
      ...(otherwise === '' ? [] : [fill(spelled, { words: otherwise })]),
      ...(isNear ? [lacks === '' ? nearest : fill(nearestLacks, { words: lacks })] : []),
    ],
  };
}

function plainWord(word: string): string {
  return word.replace(/[[\]<>|`*\\]/g, '').slice(0, 60);
}

/** "Summarise this page" has no word that a passage could have: what the user named is quoted all the same. */
function withNamed(fitting: readonly Chosen[], sources: readonly Source[]): readonly Chosen[] {
  const named = sources.filter(({ isGiven }) => isGiven === true);
  const isQuoted = (one: Source): boolean => fitting.some(({ source }) => source.id === one.id);
  const silent = beginnings(named.filter((one) => !isQuoted(one)));
  return named.some(isQuoted) ? [...fitting, ...silent] : [...silent, ...fitting];
}

/** What somebody who reads chose is quoted from its beginning, where no passage fits by its words. */
function beginnings(sources: readonly Source[]): Chosen[] {
  const ofEach = Math.max(1, Math.floor(shown.answer / sources.length));
  return sources.slice(0, shown.answer).flatMap((source) => {
    const paragraphs = source.text.split(/\n\s*\n/).filter((part) => /\p{L}/u.test(part));
    const whole = paragraphs.filter((part) => !part.startsWith('#') && part.length >= shortestParagraph);
    return (whole.length > 0 ? whole.slice(0, ofEach) : paragraphs.slice(0, 1)).map((paragraph) => ({
      source,
      text: paragraph.slice(0, 900),
      lacks: [],
    }));
  });
}

interface SideRow {
  readonly side: string;
  readonly quote: Chosen;
}

/** Which passage speaks of which side of a comparison; empty unless every side has one. */
function sideRows(chosen: readonly Chosen[], sides: readonly string[]): SideRow[] {
  const rows = chosen.flatMap((quote): SideRow[] => {
    const { source, text } = quote;
    const isCode =
      source.file !== undefined && ['code', 'config', 'table', 'bibtex'].includes(kindOf(source.file.path));
    if (isCode || text.includes('|')) return [];
    // What names both sides belongs to the one that it stands under.
    const side = [text, `${source.title} ${source.file?.path ?? ''}`, source.title.split(' › ').at(-1)!]
      .map((part) => sides.filter((one) => names(one, part)))
      .find((named) => named.length === 1)?.[0];
    return side === undefined ? [] : [{ side, quote }];
  });
  const ofSide = sides.map((side) => rows.filter((row) => row.side === side).slice(0, mostOfSide));
  return sides.length > 1 && ofSide.every((own) => own.length > 0) ? ofSide.flat() : [];
}

function names(side: string, text: string): boolean {
  const terms = new Set(tokensOf(text).flatMap(termsOf));
  const wanted = readQuery(side).words.flatMap((word) => word.terms);
  return fold(text).includes(fold(side)) || (wanted.length > 0 && wanted.every((term) => terms.has(term)));
}

function table(rows: readonly SideRow[], { columns }: DigestTexts): string {
  return [
    `| ${columns.subject} | ${columns.says} |`,
    '|---|---|',
    ...rows.map(({ side, quote }) => `| ${plainWord(side)} | ${oneCell(quote.text)} [${quote.source.id}] |`),
  ].join('\n');
}

/** The first sentences of a passage, as far as a cell is read, without a heading. */
function oneCell(text: string): string {
  let cell = '';
  for (const sentence of splitSentences(statementLine(text))) {
    if (cell !== '' && cell.length + sentence.text.length > longestCell) break;
    cell += sentence.text;
  }
  return cell.trim();
}
