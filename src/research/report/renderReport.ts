import { append, wordsOf, type Inline } from '../../markdown/tree.ts';
import type { CitableEvidence, CitationCounts } from '../evidence/checker.ts';
import { CitationWriter, statementKey } from '../evidence/citations.ts';
import { longestName, longestTitle, plainDate, plainText } from '../evidence/metadata.ts';
import { inertLine, literalNodes, safeUrl, titleNodes } from '../evidence/neutralize.ts';
import { isSpokenOf } from '../evidence/support.ts';
import type { Finding, Source } from '../evidence/source.ts';
import type { SectionState } from '../state.ts';
import { quotesText, sifted } from './floor.ts';
import type { FloorQuotes } from './floorQuotes.ts';
import type { Texts } from '../languages/texts.ts';
import { fillText, textsIn } from '../languages/texts.ts';
import { isStated, unstated } from './repeats.ts';
import { statementLine } from '../evidence/statementLine.ts';
import { outlineReport, type OutlinedReport, type ReportPart } from '../analyst/llm/outlineReport.ts';

export interface RenderInput {
  /** What the writer wrote, source ids as markers; "" when it wrote nothing. */
  readonly raw: string;
  /** False when the writer stopped in the middle of the last part. */
  readonly isWhole: boolean;
  readonly title: string;
  readonly sections: readonly SectionState[];
  readonly language: string;
  readonly evidence: CitableEvidence;
  /** Text whose figures need no source. */
  readonly given: string;
  readonly verified: ReadonlySet<string>;
  /**
   * Of a report that a model wrote: what the run would say without it. Stands where nothing of what was written may stay, and completes
   * what says less. Absent: the report is made of quotes already.
   */
  readonly floor?: FloorQuotes;
  /** The account of how the report was made, one plain text an item. */
  readonly account: (counts: CitationCounts, order: readonly string[], parts: ReportParts) => readonly string[];
}

/** Who wrote which part of a report. */
export interface ReportParts {
  /** Titles of the sections that the model wrote, and of those that are quotes of their sources. */
  readonly written: readonly string[];
  readonly quoted: readonly string[];
}

export interface RenderedReport {
  /** Markdown from `# title` to the account, without front matter. */
  readonly markdown: string;
  readonly title: string;
  /** Ids of the cited sources, by number. */
  readonly order: readonly string[];
  readonly counts: CitationCounts;
  readonly parts: ReportParts;
}

/**
 * The report from what the writer wrote and the plan: every planned section is in it once, in the plan's order, under
 * its title; of one that the writer left out, joined or renamed what the rest doesn't state is given as it was distilled, and nothing
 * when the rest states all of it; one without a source says so. References and the account are written by code.
 */
export function renderReport(input: RenderInput): RenderedReport {
  const texts = textsIn(input.language, 'report');
  const outlined = outlineReport(input.raw, input.sections, input.isWhole);
  const { floor } = input;
  const isWritten = floor !== undefined;
  const parts = { written: [] as string[], quoted: [] as string[] };
  const statementsOf = (text: string): ReadonlySet<string> => {
    const trial = new CitationWriter(input.evidence, input.given, input.verified);
    trial.push(`${text.trim()}\n`);
    trial.finish();
    return trial.statements;
  };
  const { language, evidence } = input;
  const isSaid = (sentence: string): boolean => isSpokenOf(sentence, evidence.candidates);
  /** What of a text by a model is fit to be shown; "" when it is nonsense, or cites nothing. */
  const fit = (text: string, isQuoted = false): string => {
    if (!isWritten || text.trim() === '') return text.trim();
    const { text: rest, isNonsense } = sifted(text, isQuoted ? { language } : { language, isSaid });
    return isNonsense || statementsOf(rest).size === 0 ? '' : rest;
  };
  const writer = new CitationWriter(input.evidence, input.given, input.verified);
  const isTitled = !isWritten || sifted(outlined.title, { language }).removed === 0;
  const written = isTitled ? titleNodes(outlined.title) : [];
  const title = wordsOf(written).trim() === '' ? literalNodes(input.title) : written;
  let out = writer.heading(1, title);
  const heading = (nodes: readonly Inline[]): void => {
    out += writer.heading(2, nodes);
  };
  /** False when none of it may stay. */
  const body = (text: string): boolean => {
    const shown = writer.push(`${text.trim()}\n`) + writer.finish();
    out += shown;
    return shown.trim() !== '';
  };
  const part = ({ heading: text, body: content }: ReportPart): void => {
    const rest = fit(content);
    if (rest === '') return;
    heading(titleNodes(text));
    body(rest);
  };
  const isLeftOut = ({ id, distilled }: SectionState): boolean =>
    isWritten && distilled !== undefined && !outlined.sections.has(id);
  // The summary and the conclusion repeat what is between them.
  const between = input.sections.some(isLeftOut)
    ? [...outlined.before, ...outlined.after]
        .map((one) => one.body)
        .concat(...outlined.sections.values())
        .map((text) => fit(text))
        .join('\n\n')
    : '';
  const openFindings = (one: SectionState): readonly Finding[] =>
    (one.distilled?.findings ?? []).filter((finding) => !isLeftOut(one) || !isStated(finding, between));
  /** What was found of a section, without what was written of it elsewhere. */
  const foundOf = (one: SectionState): string => {
    const { content = '', findings = [], quoted = false } = one.distilled ?? {};
    if (!isLeftOut(one)) return content;
    return quoted ? quotesText(openFindings(one)) : unstated(content, findings, between);
  };
  const isStatedElsewhere = (one: SectionState): boolean =>
    isLeftOut(one) && one.distilled!.content.trim() !== '' && between !== '' && foundOf(one) === '';
  /** The section as it was written, or as it was condensed, or its quotes: the first that cites a source. */
  const section = (one: SectionState): boolean => {
    const [title, quotes] = [wordsOf(titleNodes(one.title)), floor?.sections.get(one.id)];
    const found = foundOf(one);
    const given = [bodyOf(one, outlined, found), found];
    if (quotes === undefined) return given.some((text) => body(text));
    const [written, condensed] = [fit(given[0]!), fit(given[1]!, one.distilled?.quoted)];
    const text = written === '' ? condensed : written;
    if (text === '') {
      const findings = quotes.findings.length > 0 ? quotes.findings : (one.distilled?.findings ?? []);
      if (!body(quotesText(findings))) return false;
      parts.quoted.push(title);
      return true;
    }
    const isQuoted = one.distilled?.quoted === true && text === condensed;
    (isQuoted ? parts.quoted : parts.written).push(title);
    return body(text === condensed ? withFindings(text, openFindings(one)) : text);
  };
  const summary = fit(outlined.summary);
  if (summary !== '') body(summary);
  outlined.before.forEach(part);
  for (const one of input.sections) {
    if (isStatedElsewhere(one)) continue;
    heading(titleNodes(one.title));
    const isShown = one.sourceIds.length > 0 && section(one);
    if (!isShown) out += writer.paragraph(literalNodes(emptySection(one, texts)));
  }
  outlined.after.forEach(part);
  const further = floor ? furtherQuotes(floor, writer) : [];
  if (further.length > 0) {
    heading(literalNodes(texts.furtherQuotes));
    body(quotesText(further));
    parts.quoted.push(texts.furtherQuotes);
  }
  heading(literalNodes(texts.conclusion));
  const conclusion = fit(outlined.conclusion ?? '');
  const isConcluded = conclusion !== '' && body(conclusion);
  if (!isConcluded) out += writer.paragraph(literalNodes(ownConclusion(input.sections, writer.order.length, texts)));
  if (writer.order.length > 0) {
    heading(literalNodes(texts.references));
    writer.order.forEach((id, index) => {
      out += writer.item(reference(index + 1, input.evidence.get(id)!, texts.retrieved, texts.standing));
    });
  }
  heading(literalNodes(texts.howMade));
  for (const line of input.account(writer.counts, writer.order, parts)) out += writer.item(literalNodes(line));
  return { markdown: out, title: wordsOf(title).trim(), order: [...writer.order], counts: writer.counts, parts };
}

/**
 * Adds quotes until the report says as much as one without a model. What says something new comes first: of
 * sources that aren't cited, and what no statement was taken from.
 */
function furtherQuotes({ digest }: FloorQuotes, writer: CitationWriter): Finding[] {
  const said = [...writer.statements];
  const all = digest.flatMap(({ distilled }) => distilled?.findings ?? []);
  const quotes = [...new Map(all.map((finding) => [statementKey(finding.quote), finding])).entries()];
  const wanted = distinct(quotes.map(([key]) => key));
  const order = ([key, { source }]: (typeof quotes)[number]): number =>
    (said.some((one) => key.includes(one)) ? 2 : 0) + (writer.order.includes(source) ? 1 : 0);
  const open = quotes.filter(([key]) => !said.some((one) => one.includes(key))).sort((a, b) => order(a) - order(b));
  const further: Finding[] = [];
  for (const [key, finding] of open) {
    if (distinct(said) >= wanted) break;
    said.push(key);
    further.push(finding);
  }
  return further;
}

/** How many statements there are that no other one holds word for word. */
function distinct(keys: readonly string[]): number {
  return keys.filter((key) => !keys.some((other) => other !== key && other.includes(key))).length;
}

/** A section that was not written cites every source of its findings, also those beyond its overview. */
function withFindings(text: string, findings: readonly Finding[]): string {
  const open = findings.filter(({ source }) => !text.includes(source));
  const items = open.map(({ claim, quote, source }) => `- ${statementLine(claim || quote)} [${source}]`);
  return items.length === 0 ? text : `${text}\n\n${items.join('\n')}`;
}

/** What was written of a section; what was found when the writer left it out or stopped in it. */
function bodyOf(section: SectionState, { sections, half }: OutlinedReport, found: string): string {
  const written = sections.get(section.id);
  if (written === undefined) return found;
  return section.id === half ? `${written.trimEnd()}\n\n${unsaid(found, written)}` : written;
}

/** The paragraphs of what was found that lean on a source which a half-written section has not come to. */
function unsaid(found: string, written: string): string {
  const idsOf = (text: string) => text.match(/\bS[0-9a-f]{5,64}\b/g) ?? [];
  const said = new Set(idsOf(written));
  return found
    .split(/\n{2,}/)
    .filter((paragraph) => idsOf(paragraph).some((id) => !said.has(id)))
    .join('\n\n');
}

/**
 * One item of the references, behind the mark of its list: `[3] Title. Authors, date. URL. Retrieved DATE`; of a retracted paper
 * `[3] Title. RETRACTED. …`.
 */
export function reference(
  number: number,
  source: Source,
  retrieved: string,
  standings?: Texts['report']['standing'],
): Inline[] {
  const authors = source.authors.slice(0, 3).map((name) => literalNodes(plainText(name, longestName), 'drop'));
  const by = joined(
    authors.filter((name) => name.length > 0),
    ', ',
  );
  if (by.length > 0 && source.authors.length > 3) append(by, { type: 'text', text: ' et al.' });
  // A file's date is that of its last change on this disk: no date of publication.
  const date = source.file ? undefined : plainDate(source.date);
  const parts = [
    titleOf(source),
    source.standing && standings ? [{ type: 'text', text: standings[source.standing] }] : [],
    joined(date === undefined ? [by] : [by, [{ type: 'text', text: date }]], ', '),
    placeOf(source),
    [{ type: 'text', text: `${retrieved} ${plainDate(source.retrievedAt) ?? ''}`.trim() }],
  ] satisfies Inline[][];
  return [
    { type: 'citation', number },
    ...joined([[{ type: 'text', text: ' ' }, ...joined(parts.map(withoutStop), '. ')]], ''),
  ];
}

function titleOf(source: Source): Inline[] {
  const nodes = literalNodes(plainText(source.title, longestTitle), 'drop');
  return /[\p{L}\p{N}]/u.test(wordsOf(nodes)) ? nodes : [{ type: 'text', text: source.id }];
}

function placeOf({ file, url }: Source): Inline[] {
  if (file) return fileNodes(`${inertLine(file.path)}#L${file.firstLine}-L${file.lastLine}`);
  const address = url === undefined ? undefined : safeUrl(url);
  return address === undefined ? [] : [{ type: 'link', href: address, children: [] }];
}

/** The path as it is, unless a renderer could take a part of it for an address. */
function fileNodes(path: string): Inline[] {
  const isAddress = /[a-z][a-z0-9+.-]{0,30}:|\/\/|\bwww\.|@/i.test(path);
  return [{ type: isAddress ? 'code' : 'text', text: path }];
}

function withoutStop(nodes: readonly Inline[]): Inline[] {
  const last = nodes.at(-1);
  return last?.type === 'text' ? [...nodes.slice(0, -1), { ...last, text: last.text.replace(/\.$/, '') }] : [...nodes];
}

function joined(parts: readonly (readonly Inline[])[], separator: string): Inline[] {
  const all: Inline[] = [];
  for (const part of parts) {
    if (part.length === 0) continue;
    if (all.length > 0) append(all, { type: 'text', text: separator });
    for (const node of part) append(all, node);
  }
  return all;
}

function emptySection(section: SectionState, texts: Texts['report']): string {
  if (section.status === 'failed' && section.error) return fillText(texts.sectionFailed, { 0: section.error });
  return fillText(texts.nothingFound, { 0: section.searched.join(', ') || '—' });
}

function ownConclusion(sections: readonly SectionState[], cited: number, texts: Texts['report']): string {
  const missing = sections
    .filter((section) => section.sourceIds.length === 0)
    .map((section) => wordsOf(titleNodes(section.title)));
  const covered = fillText(texts.covered, { 0: sections.length - missing.length, 1: cited });
  return missing.length > 0 ? `${covered} ${fillText(texts.notCovered, { 0: missing.join('; ') })}` : covered;
}
