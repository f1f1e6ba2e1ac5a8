import { citationMark } from '../protocol/citationMark.ts';
import { parseEvent } from '../protocol/events.ts';
import { isRecord, parseJson } from '../protocol/json.ts';
import { chartKey } from '../protocol/chartKey.ts';
import { largest } from '../protocol/numbers.ts';
import type { ReportVersion } from '../protocol/reportVersion.ts';
import type { SourceView } from '../protocol/runView.ts';

/** `[3]` in the text of a report, in UTF-16 units of it. */
export interface Marker {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** An item of the references. */
export interface Reference {
  /** Where its line begins. */
  readonly start: number;
  /** The Markdown behind its number. */
  readonly text: string;
  /** The file that it links to, relative to the report. */
  readonly file?: { readonly path: string; readonly firstLine: number; readonly lastLine: number };
}

/** A statement of a report with what it rests on. */
export interface Evidence {
  readonly sentence: string;
  /** The letters and digits of the sentence. */
  readonly key: string;
  readonly citations: readonly number[];
  /** One of ours; "" for a word of a sidecar that it does not explain. */
  readonly verdict: string;
  readonly reason?: string;
  /** Of a sidecar: the verdict and its reason in the report's language. */
  readonly said?: string;
  readonly passages: readonly EvidencePassage[];
}
export interface EvidencePassage {
  readonly number: number;
  /** Id of the source; absent in a sidecar. */
  readonly source?: string;
  /** Words of a source; of a sidecar they are Markdown already. */
  readonly text: string;
  readonly isMarkdown: boolean;
  /** Where it is in the source: `L10-L20` of a file, offsets of other texts. Absent in a sidecar. */
  readonly place?: string;
  /** Path of the file that it is from, for the file beside a report. */
  readonly path?: string | undefined;
}

const mark = /\[\[(\d{1,4})\]\]\(#ref-\1\)|(?<![\w\\[>]|^- )\[(\d{1,4})\](?!\[(?!\d)|[(:\]])/gm;
const reference = /^- (?:<a id="ref-\d{1,4}"><\/a>)?\[(\d{1,4})\] (.*)$/gm;

const linkWithLines = /\]\((?<link>[^()\s]{1,2000})#L(?<first>\d{1,7})-L(?<last>\d{1,7})\)/;
/** To a notebook or PDF: only its words have lines. */
const linkOfLines = /#L(?<first>\d{1,7})-L(?<last>\d{1,7})`?\]\((?<link>[^()\s#]{1,2000})\)/;

export function referencesOf(report: string): Map<number, Reference> {
  const found = new Map<number, Reference>();
  for (const { 1: number, 2: text = '', index } of report.matchAll(reference)) {
    const { link, first, last } = (linkWithLines.exec(text) ?? linkOfLines.exec(text))?.groups ?? {};
    const path = link === undefined ? undefined : decoded(link);
    const file = path === undefined ? {} : { file: { path, firstLine: Number(first), lastLine: Number(last) } };
    found.set(Number(number), { start: index, text, ...file });
  }
  return found;
}

/** The address that a reference names. */
export function addressOf({ text }: Pick<Reference, 'text'>): string | undefined {
  const url = /https?:\/\/[^\s<>()]{1,4000}[^\s<>().,;]/.exec(text)?.[0];
  return url && unescaped(url);
}

/** A reference as its words. */
export function plainReference(markdown: string): string {
  return unescaped(markdown.replace(/\[((?:\\.|[^[\]\\])*)\]\([^()]*\)/g, '$1'));
}

/** The sources of a report whose run is not on this machine, as its references name them. */
export function sourcesIn(report: string): SourceView[] {
  return [...referencesOf(report)].map(([number, reference]) => {
    const { text, file } = reference;
    const url = addressOf(reference);
    return {
      id: `ref-${number}`,
      kind: '',
      title: referenceTitle(text),
      ...(url !== undefined && { url }),
      ...(file && { file }),
    };
  });
}

/** Of a reference: the words before its authors, without marks of Markdown. */
export function referenceTitle(reference: string): string {
  const [first = ''] = plainReference(reference).split(/(?<=\.) /);
  return first.replace(/\.$/, '').slice(0, 300);
}

/** The citations of a report that have a reference. */
export function markersOf(report: string, references = referencesOf(report)): Marker[] {
  return [...report.matchAll(mark)].flatMap(({ 0: raw, 1: linked, 2: plain, index }) => {
    const number = Number(linked ?? plain);
    // Of a link its words alone: the editor has a link of its own for the rest.
    const start = linked === undefined ? index : index + 1;
    const end = linked === undefined ? index + raw.length : start + linked.length + 2;
    return references.has(number) ? { number, start, end } : [];
  });
}

function decoded(path: string): string | undefined {
  try {
    const plain = decodeURIComponent(path);
    // On Windows two slashes name another machine.
    return /^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

export interface ToldByRun {
  readonly evidence: Evidence[];
  /** Ids of the sources that its report cites, by number. */
  readonly order: readonly string[];
  /** What its calls of tools gave: the tool, and ids of sources. */
  readonly calls: readonly { readonly tool: string; readonly sources: readonly string[] }[];
}

/** What the events of a run say of the statements of its report, and of what they rest on. */
export function toldByRun(events: string): ToldByRun {
  const told = events
    .split('\n')
    .filter((line) => /"report\/claim"|"citations":\[|"tool\/finished"/.test(line))
    .flatMap((line) => parseEvent(parseJson(line)) ?? []);
  const order = told.findLast((event) => event.type === 'report/delta' && event.citations !== undefined);
  const ids = order?.type === 'report/delta' ? (order.citations ?? []) : [];
  const claims = new Map(told.flatMap((event) => (event.type === 'report/claim' ? [[event.id, event]] : [])));
  const statements = [...claims.values()].map((claim) => ({
    ...claim,
    passages: claim.passages.map((passage) => ({ ...passage, number: ids.indexOf(passage.source) + 1 })),
  }));
  const calls = told.flatMap((event) =>
    event.type === 'tool/finished' ? { tool: event.name, sources: event.sources } : [],
  );
  return { evidence: evidenceOfVersion({ statements }), order: ids, calls };
}

/** What a version of a report says of its own statements. */
export function evidenceOfVersion({ statements }: Pick<ReportVersion, 'statements'>): Evidence[] {
  return statements.map(({ sentence, citations, verdict, reason, passages }) => ({
    ...{ sentence, key: keyOf(sentence), citations, verdict, ...(reason && { reason }) },
    passages: passages.map(({ number, source, text, place }) => ({
      ...{ number, source, text, isMarkdown: false, ...(place !== undefined && { place }) },
    })),
  }));
}

/** What the file beside a report says of its statements. */
export function evidenceOfSidecar(sidecar: string): Evidence[] {
  const verdicts = Object.entries(verdictsIn(sidecar));
  return statementsOf(blocksOf(sidecar)).map(([line = '', ...blocks]) => {
    const dash = line.lastIndexOf(' — *');
    const said = line.slice(dash + 4, -1);
    const passages: EvidencePassage[] = [];
    let [sentence, open] = [line.slice(0, dash).replace(mark, ''), [] as string[]];
    for (const block of blocks) {
      open.push(block);
      const number = numbersIn(block).at(-1);
      if (number === undefined) continue;
      // A passage that is quoted as a whole says itself, below the line that names its place.
      if (keyOf(sentence) === '')
        sentence = open
          .slice(placeLine.test(open[0]!) ? 1 : 0)
          .join('\n\n')
          .replace(mark, '');
      passages.push({ number, text: open.join('\n\n').replace(mark, '').trim(), isMarkdown: true });
      open = [];
    }
    const verdict = verdicts.find(([, word]) => said.startsWith(word))?.[0] ?? '';
    return { sentence, key: keyOf(sentence), citations: numbersIn(line.slice(0, dash)), said, passages, verdict };
  });
}

/** `docs/a.md#L1-L2` */
const placeLine = /^\S.*#L\d{1,7}-L\d{1,7}$/;

function blocksOf(sidecar: string): string[] {
  return sidecar
    .replaceAll('\r\n', '\n')
    .trimEnd()
    .split(/\n{2,}/);
}

/** The blocks of each statement: the line with its verdict, and those up to the next one or the references. */
function statementsOf(blocks: readonly string[]): string[][] {
  const found: string[][] = [];
  for (const block of blocks) {
    if (block.startsWith('## ')) break;
    if (/ — \*[^*]+\*$/.test(block) && !block.startsWith('>')) found.push([block]);
    else found.at(-1)?.push(block);
  }
  return found;
}

/** What the verdicts are called in a file beside a report, as its front matter says. */
function verdictsIn(sidecar: string): Readonly<Record<string, string>> {
  const words = parseJson(/^verdicts: (\{.{1,2000}\})$/m.exec(sidecar.slice(0, 64_000))?.[1] ?? '');
  return isRecord(words) && Object.values(words).every((word) => typeof word === 'string')
    ? (words as Record<string, string>)
    : { quoted: 'quotation', supported: 'supported', corrected: 'corrected', unverified: 'unverified' };
}

/**
 * The file beside a report with these statements in place of what it said of the same words.
 *
 * @param report Its words: of others the file says nothing any more, and its references are those of the report. Default: any.
 */
export function withStatements(sidecar: string, statements: readonly Evidence[], report?: string): string {
  const blocks = blocksOf(sidecar);
  const all = statementsOf(blocks);
  const known = evidenceOfSidecar(sidecar);
  const fresh = new Set(statements.map(({ key }) => key));
  const whole = report === undefined ? undefined : keyOf(report);
  const kept = all.filter((_, index) => {
    const { key } = known[index]!;
    return !fresh.has(key) && (whole === undefined || whole.includes(key));
  });
  const first = all.length > 0 ? blocks.indexOf(all[0]![0]!) : -1;
  const end = blocks.findIndex((block) => block.startsWith('## '));
  const head = blocks.slice(0, first >= 0 ? first : end >= 0 ? end : undefined);
  const tail = end < 0 ? [] : blocks.slice(end);
  const verdicts = verdictsIn(sidecar);
  const added = statements.flatMap(({ sentence, key, citations, verdict, passages }) => {
    const isWhole = passages.length === 1 && keyOf(plainPassage(passages[0]!)) === key;
    const words = isWhole ? '' : `${sentence.replace(/\s+/g, ' ').trim()} `;
    return [
      `${words}${citations.map(citationMark).join('')} — *${verdicts[verdict] ?? verdict}*`,
      ...passages.flatMap(passageBlocks),
    ];
  });
  const references =
    report === undefined ? tail.slice(1) : [...report.matchAll(reference)].map(([line]) => line).join('\n');
  return `${[...head, ...kept.flat(), ...added, ...tail.slice(0, 1), ...[references].flat()].join('\n\n').trimEnd()}\n`;
}

/** A passage below its place; one of several lines is a listing, in which nothing is active. */
function passageBlocks({ number, text, isMarkdown, path, place }: EvidencePassage): string[] {
  if (isMarkdown) return [`${text} ${citationMark(number)}`];
  const where = path === undefined || place === undefined ? [] : [`${path}#${place}`.replace(active, '\\$&')];
  const lines = text.split('\n');
  if (lines.length === 1) return [...where, `> ${text.trim().replace(active, '\\$&')} ${citationMark(number)}`];
  const fence = '`'.repeat(1 + largest([2, ...(text.match(/`+/g) ?? []).map(({ length }) => length)]));
  const listing = [fence, ...lines, fence, '', citationMark(number)];
  return [...where, listing.map((line) => `> ${line}`.trimEnd()).join('\n')];
}

/** What Markdown may act on in a line of words, addresses too. */
const active = /^[!-/:-@[-`{-~]|[\\`*_[\]<>&|~:@$]|(?<=\bwww)\./giu;

/** A text that Markdown shows as it is. */
export function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Markdown of ours as its words. */
function unescaped(markdown: string): string {
  return markdown
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => ({ amp: '&', lt: '<', gt: '>' })[name]);
}

/** The words of a passage. */
export function plainPassage({ text, isMarkdown }: EvidencePassage): string {
  return isMarkdown ? unescaped(text.replace(/^> ?/gm, '')) : text;
}

/** A passage with the words that decide; what is far from them is left out. `longest` is in UTF-16 units. */
export function excerptOf(
  passage: EvidencePassage,
  sentence: string,
  longest = 1_500,
): { readonly before: string; readonly marked: string; readonly after: string } {
  // A sentence goes on behind the end of a line, but for a list, a table or a heading.
  const words = plainPassage(passage).replace(/(?<=\S)\n(?=[^\s#>|*+-])/g, ' ');
  const [start, end] = decidingWords(words, sentence) ?? [0, 0];
  const from = Math.max(0, Math.min(start - Math.floor(longest / 3), words.length - longest));
  const to = Math.min(words.length, Math.max(from + longest, Math.min(end, start + longest)));
  return {
    before: `${from > 0 ? '… ' : ''}${words.slice(from, start)}`,
    marked: words.slice(start, Math.min(end, to)),
    after: `${words.slice(Math.min(end, to), to)}${to < words.length ? ' …' : ''}`,
  };
}

/** What a statement may rest on, as far as its sources support it: the passages of these numbers with most of its words. */
export function supportedBy(text: string, citations: readonly number[], all: readonly Evidence[]): Evidence {
  const words = new Set(wordsOf(text));
  const shared = (passage: EvidencePassage) => wordsOf(plainPassage(passage)).filter((word) => words.has(word)).length;
  const known = all.flatMap(({ passages }) => passages.filter(({ number }) => citations.includes(number)));
  const passages = [...new Map(known.map((one) => [one.text, one])).values()].sort((a, b) => shared(b) - shared(a));
  return {
    ...{ sentence: text, key: keyOf(text), citations, verdict: 'supported' },
    passages: citations.flatMap((number) => passages.find((one) => one.number === number) ?? []),
  };
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(mark)].map(([, linked, plain]) => Number(linked ?? plain));
}

/** The letters and digits of a text as a reader sees them, without the numbers of lists. */
export function keyOf(markdown: string): string {
  return readKey(markdown).key;
}

function lettersOf(text: string): RegExpExecArray[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)];
}

/** Of the same length; what no reader sees is bars. */
function withoutMarks(markdown: string): string {
  const bars = (found: string) => '|'.repeat(found.length);
  return markdown
    .replace(mark, bars)
    .replace(/^[> ]*\d{1,9}[.)] /gm, bars)
    .replace(/\]\([^()\s]{0,2000}\)|&\w{1,30};/g, bars);
}

/** The text around a place of a report, and what of it is before that, as far as a statement may be long. */
export function textAround(report: string, start: number, all: readonly Evidence[]) {
  // With the addresses of its links, and the marks of a listing, a statement is longer than its words.
  const longest = largest(all.flatMap(({ sentence, passages }) => [sentence.length, passages[0]?.text.length ?? 0]));
  const reach = 1_000 + 2 * longest;
  const first = Math.max(0, start - reach);
  return { block: report.slice(first, start + reach), before: report.slice(first, start) };
}

/**
 * The statement that a citation is at the end of, or inside, by the text around the citation, and what of it is before; undefined where its
 * words were edited.
 */
export function evidenceIn(
  text: string,
  before: string,
  number: number,
  all: readonly Evidence[],
): Evidence | undefined {
  return statementsAt(readKey(text), [{ at: keyOf(before).length, number }], all)[0];
}

/** The letters and digits of a text, and where its words are: their places in the key, and in the text, in UTF-16 units. */
interface ReadKey {
  readonly key: string;
  readonly text: string;
  readonly words: readonly { readonly at: number; readonly start: number; readonly end: number }[];
}

function readKey(markdown: string): ReadKey {
  const text = withoutMarks(markdown);
  let key = '';
  const words = lettersOf(text).map(({ 0: word, index: start }) => {
    const at = key.length;
    key += word.toLowerCase();
    return { at, start, end: start + word.length };
  });
  return { key, text, words };
}

/** Letters and digits by which a statement is found. */
interface StatementKey {
  readonly key: string;
  /** What of the statement it is: its words, its passage where it is quoted whole, or the row that a table is quoted for. */
  readonly kind: 'sentence' | 'quoted' | 'row';
  readonly evidence: Evidence;
  readonly citations: ReadonlySet<number>;
  /** Of the statement among all. */
  readonly index: number;
}

/** A key is looked up by as many of its first letters as it has of these. */
const prefixLengths = [64, 32, 16, 8, 4, 2, 1];
/** Letters that are compared, and citations that are looked at: a report that needs more is none of ours. */
const mostSteps = 20_000_000;

/** Of statements that do not change any more. */
const keysOfAll = new WeakMap<readonly Evidence[], ReadonlyMap<string, readonly StatementKey[]>>();

/** The keys of statements by their first letters. */
function keysOf(all: readonly Evidence[]): ReadonlyMap<string, readonly StatementKey[]> {
  const known = keysOfAll.get(all);
  if (known) return known;
  const keys = all.flatMap((evidence, index) => {
    const { key, passages, verdict } = evidence;
    // A listing has its comments, and each row of a table is below the head that is quoted with it.
    const quoted = verdict === 'quoted' && passages.length === 1 ? plainPassage(passages[0]!) : '';
    const row = quoted.slice(quoted.lastIndexOf('\n') + 1);
    const citations = new Set(evidence.citations);
    return Object.entries({ sentence: key, quoted: keyOf(quoted), row: keyOf(row) }).flatMap(([kind, one]) =>
      one === '' ? [] : { key: one, kind: kind as StatementKey['kind'], evidence, citations, index },
    );
  });
  const made = Map.groupBy(keys, ({ key }) => {
    const length = prefixLengths.find((one) => one <= key.length);
    return key.slice(0, length);
  });
  keysOfAll.set(all, made);
  return made;
}

/** The keys of statements that a text has, in its order, with the index of the word that each begins with. */
function* keysIn(
  { key, words }: ReadKey,
  all: readonly Evidence[],
): Generator<StatementKey & { readonly word: number }> {
  const keys = keysOf(all);
  let steps = mostSteps;
  for (const [word, { at }] of words.entries())
    for (const length of prefixLengths)
      for (const one of (at + length <= key.length && keys.get(key.slice(at, at + length))) || []) {
        if ((steps -= one.key.length) < 0) return;
        if (key.startsWith(one.key, at)) yield { ...one, word };
      }
}

/** The place in the key of what begins at this place of the text. */
function placeIn({ key, words }: ReadKey, start: number): number {
  return words[firstBehind(words, (word) => word.start >= start)]?.at ?? key.length;
}

/**
 * For each of these citations, in their order, the longest statement that it may be of, by its place in the key; of two the later. A
 * statement begins behind a mark that is no comma, and its last word is the last before the citation: no words were added to it.
 */
function statementsAt(
  read: ReadKey,
  cited: readonly { readonly at: number; readonly number: number }[],
  all: readonly Evidence[],
): (Evidence | undefined)[] {
  const best = cited.map((): StatementKey | undefined => undefined);
  let steps = mostSteps;
  for (const found of keysIn(read, all)) {
    if (!beginsStatement(read, found)) continue;
    const { at } = read.words[found.word]!;
    const isLonger = ({ evidence, index }: StatementKey): boolean =>
      (found.evidence.key.length - evidence.key.length || found.index - index) >= 0;
    for (let place = firstBehind(cited, (one) => one.at > at); place < cited.length; place += 1) {
      const { at: end, number } = cited[place]!;
      if (end > at + found.key.length || (steps -= 1) < 0) break;
      const known = best[place];
      if (found.citations.has(number) && (!known || isLonger(known))) best[place] = found;
    }
  }
  return best.map((found) => found?.evidence);
}

/** Between the last word of a statement and the first of the next one. */
const betweenStatements = /[\p{Sentence_Terminal}\n|:：;；…—]/u;

/** True where a key begins with the first word of a sentence, an item or a cell. */
function beginsStatement(
  { text, words }: ReadKey,
  { word, kind }: Pick<StatementKey, 'kind'> & { word: number },
): boolean {
  const last = words[word - 1];
  const marks = kind === 'row' ? /\|/ : betweenStatements;
  return !last || marks.test(text.slice(last.end, words[word]!.start));
}

/** The index of the first item of an ordered list that is behind a place; binary search. */
function firstBehind<T>(items: readonly T[], isBehind: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The statements that a report still has as they were judged. */
export function presentIn(report: string, all: readonly Evidence[]): Evidence[] {
  const present = new Set<Evidence>();
  for (const { evidence } of statementsIn(report, all)) present.add(evidence);
  return all.filter((one) => present.has(one));
}

/** Where a report has statements as they were judged: where each begins, in UTF-16 units, in their order. */
export function* statementsIn(
  report: string,
  all: readonly Evidence[],
): Generator<{ readonly evidence: Evidence; readonly start: number }> {
  const read = readKey(report);
  for (const { kind, evidence, word } of keysIn(read, all))
    if (kind === 'sentence') yield { evidence, start: read.words[word]!.start };
}

/** Whether the sources of a statement support it as it is. */
export function isVerified({ verdict }: Pick<Evidence, 'verdict'>): boolean {
  return ['quoted', 'supported', 'corrected'].includes(verdict);
}

/** What tables may have charts of; see `tableChart`. */
export function chartKeys(all: readonly Evidence[]): string[] {
  return all.filter(isVerified).map(({ sentence }) => chartKey(sentence.replace(mark, '')));
}

/** From one second-level heading to the next, in UTF-16 units of the report. */
export function sectionsOf(report: string): { readonly start: number; readonly end: number }[] {
  const starts = [...report.matchAll(/^## /gm)].map(({ index }) => index);
  return starts.map((start, place) => ({ start, end: starts[place + 1] ?? report.length }));
}

/** Words of a report that rest on citations, in UTF-16 units of it. */
export interface CitedText {
  readonly start: number;
  readonly end: number;
  /** Of its citations. */
  readonly markers: readonly Marker[];
}

/** The texts of a report that have citations, with what is known of each: nothing where its words were edited. */
export function judgedTexts(
  report: string,
  all: readonly Evidence[],
  references = referencesOf(report),
): (CitedText & { readonly evidence: Evidence | undefined })[] {
  const read = readKey(report);
  const texts = citedTexts(report, references);
  const cited = texts.map(({ markers: [first] }) => ({ at: placeIn(read, first!.start), number: first!.number }));
  const evidence = statementsAt(read, cited, all);
  return texts.map((text, index) => ({ ...text, evidence: evidence[index] }));
}

const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The sentences, items, cells and rows of a report that have citations, as far as one line has them, and its listings. */
export function citedTexts(report: string, references = referencesOf(report)): CitedText[] {
  const found: (CitedText & { markers: Marker[] })[] = [];
  let [from, line] = [0, 0];
  for (const marker of markersOf(report, references)) {
    const newline = report.slice(from, marker.start).lastIndexOf('\n');
    if (newline >= 0) line = from + newline + 1;
    const begins = Math.max(from, line);
    const between = report.slice(begins, marker.start).replace(/\[$/, '');
    const above = report.slice(from, begins).trimEnd();
    const behind = from;
    from = report.startsWith(`](#ref-${marker.number})`, marker.end) ? report.indexOf(')', marker.end) + 1 : marker.end;
    const last = found.at(-1);
    if (keyOf(between) === '') {
      const listing = listingAt(above);
      if (last && line <= last.end) last.markers.push(marker);
      else if (listing) found.push({ start: behind + listing.start, end: behind + listing.end, markers: [marker] });
      continue;
    }
    const cell = between.lastIndexOf('|') + 1;
    const sentences = [...sentenceSegmenter.segment(between.slice(cell))];
    const sentence = sentences.findLast(({ segment }) => keyOf(segment) !== '');
    if (!sentence) {
      // The last cell of a row that is quoted has its citation alone.
      const words = lettersOf(between);
      const { 0: word, index } = words.at(-1)!;
      found.push({ start: begins + words[0]!.index, end: begins + index + word.length, markers: [marker] });
      continue;
    }
    const words = sentence.segment.replace(/^\s*(?:[-*+>]|\d+[.)]|#+)?\s+/, '');
    const end = begins + cell + sentence.index + sentence.segment.trimEnd().length;
    found.push({
      start: begins + cell + sentence.index + sentence.segment.length - words.length,
      end,
      markers: [marker],
    });
  }
  return found;
}

/** The lines of the listing that a text ends with. */
function listingAt(text: string): { readonly start: number; readonly end: number } | undefined {
  const fence = /^[ >]*(`{3,}|~{3,})$/m.exec(text.slice(text.lastIndexOf('\n') + 1))?.[1];
  if (fence === undefined) return undefined;
  const end = text.lastIndexOf('\n');
  const opens = text.lastIndexOf(fence, end - 1);
  const start = text.indexOf('\n', opens) + 1;
  return opens < 0 || start > end ? undefined : { start, end };
}

/** Where the sentence of a passage that has most words of a statement begins and ends. */
function decidingWords(passage: string, sentence: string): readonly [number, number] | undefined {
  const wanted = new Set(wordsOf(sentence));
  let best: { readonly shared: number; readonly at: readonly [number, number] } | undefined;
  for (const { segment, index } of sentenceSegmenter.segment(passage)) {
    const shared = wordsOf(segment).filter((word) => wanted.has(word)).length;
    const at = [index + segment.length - segment.trimStart().length, index + segment.trimEnd().length] as const;
    if (shared > (best?.shared ?? 0)) best = { shared, at };
  }
  return best?.at;
}

export function wordsOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.toLowerCase());
  return [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}
