import { largest } from '../../protocol/numbers.ts';
import { wordsOf, type Inline } from '../../markdown/tree.ts';
import type { CitableEvidence, CitationCounts, Said } from '../evidence/checker.ts';
import { type CheckedText, CitationWriter, type Placed } from '../evidence/citations.ts';
import { claimsIn, heldIn, notHeld } from '../evidence/exact.ts';
import { plainText } from '../evidence/metadata.ts';
import { literalNodes, titleNodes } from '../evidence/neutralize.ts';
import { withSourceIds } from '../evidence/findingNumber.ts';
import type { Finding } from '../evidence/source.ts';
import { countVoices } from '../evidence/voices.ts';
import type { SectionState } from '../state.ts';
import type { Contradiction } from '../stateSchema.ts';
import { type CheckedTexts, checkedTexts } from './checkedTexts.ts';
import { idMarkers, quotesText, sifted } from './floor.ts';
import type { FloorQuotes } from './floorQuotes.ts';
import { furtherQuotes } from './furtherQuotes.ts';
import { reference } from './reference.ts';
import type { Texts } from '../languages/texts.ts';
import { fillText } from '../../protocol/fillText.ts';
import { textsIn } from '../languages/texts.ts';
import { isStated, unstated } from './repeats.ts';
import { detectLanguage } from '../text/language.ts';
import { sharesWord } from '../text/sharesWord.ts';
import { sha256 } from '../text/digest.ts';
import { statementLine } from '../evidence/statementLine.ts';
import { outlineReport, type OutlinedReport, type ReportPart } from '../analyst/llm/outlineReport.ts';

export interface RenderInput {
  /** What the writer wrote, source ids as markers; "" when it wrote nothing. */
  readonly raw: string;
  /** False when the writer stopped in the middle of the last part. */
  readonly isWhole: boolean;
  /** It has no conclusion, and no quotes beside what was written. Default: false. */
  readonly isAnswer?: boolean;
  /** Written from the findings of another report: what has none rested on sources that are left out. Default: false. */
  readonly isRewrite?: boolean;
  readonly title: string;
  readonly sections: readonly SectionState[];
  readonly language: string;
  readonly evidence: CitableEvidence;
  /** As the user asked it. Absent: what is `given` stands for it. */
  readonly question?: string;
  /** Text whose figures need no source. */
  readonly given: string;
  readonly verified: ReadonlySet<string>;
  /**
   * Of a report that a model wrote: the run's quotes. They replace a report of which nothing may stay, and complete one that says less.
   * Absent: the report is made of quotes already.
   */
  readonly floor?: FloorQuotes;
  /** Where sources disagree, as far as it is known. */
  readonly contradictions?: readonly Contradiction[];
  /** Id of the source that a source counts with. Default: itself. */
  readonly workOf?: (id: string) => string;
  /** What could not be answered, in the words of a review, with the title of its section and the sources that were searched. */
  readonly gaps?: readonly NamedGap[];
  /** See {@link ReportSink.toWorkspace}. */
  readonly toWorkspace?: string | undefined;
  /** What is said above everything that was found: what was not searched. */
  readonly unsearched?: readonly string[];
  /** The account of how the report was made, one plain text an item. */
  readonly account: (
    counts: CitationCounts,
    order: readonly string[],
    parts: ReportParts,
    statements: readonly ReportStatement[],
  ) => readonly string[];
}

export interface NamedGap {
  readonly gap: string;
  /** "" for the whole report. */
  readonly title: string;
  readonly searched: readonly string[];
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
  /** What it says, in its order, uncited statements included. */
  readonly statements: readonly ReportStatement[];
  /** Markdown of the sections of the plan, headings included. */
  readonly sections: readonly string[];
  /** Where what the writer wrote is shown: ids of sections, "summary", "conclusion". */
  readonly filled: ReadonlySet<string>;
}

export interface ReportStatement extends Placed {
  /** The same for the same words that rest on the same passages. */
  readonly id: string;
  /** Id of the section; "summary" and "conclusion" for what is around them. */
  readonly section: string;
}

/**
 * The report from what the writer wrote and the plan: every planned section is in it once, in the plan's order, under
 * its title; of one that the writer left out, joined or renamed what the rest doesn't state is given as it was distilled, and nothing
 * when the rest states all of it; one without a source says so. References and the account are written by code.
 *
 * @param checks Those of an earlier draft of the report: its texts aren't checked again.
 */
export function renderReport(
  input: RenderInput,
  checks = checkedTexts(input.evidence, input.given, input.verified, input.floor && input.language),
): RenderedReport {
  return new Rendering(input, checks).render();
}

export function statementId({ text, grounds }: Pick<Said, 'text' | 'grounds'>): string {
  const words = grounds.flatMap(({ passages }) => passages.map((passage) => `${passage.source} ${passage.text}`));
  return `C${sha256([text, ...words].join('\n')).slice(0, 8)}`;
}

/** A report while it is rendered. */
class Rendering {
  readonly #input: RenderInput;
  readonly #checks: CheckedTexts;
  readonly #texts: Texts['report'];
  readonly #outlined: OutlinedReport;
  readonly #writer: CitationWriter;
  readonly #parts = { written: [] as string[], quoted: [] as string[] };
  /** What is around sections that the writer left out; the summary and the conclusion repeat it. */
  readonly #between: string;
  #out = '';
  /** Of what is written now. */
  #place = 'summary';
  readonly #statements: ReportStatement[] = [];
  readonly #filled = new Set<string>();

  constructor(input: RenderInput, checks: CheckedTexts) {
    const { evidence, given, verified, language, raw, sections, isWhole } = input;
    this.#input = input;
    this.#checks = checks;
    this.#texts = textsIn(language, 'report');
    this.#outlined = outlineReport(raw, sections, isWhole);
    this.#writer = new CitationWriter(evidence, given, verified);
    const { before, after, sections: written } = this.#outlined;
    const around = [...[...before, ...after].map((one) => one.body), ...written.values()];
    this.#between = sections.some((one) => this.#isLeftOut(one))
      ? withSourceIds(around.map((text) => checks.fit(text)?.text ?? '').join('\n\n'), evidence.findings ?? new Map())
      : '';
  }

  render(): RenderedReport {
    const { summary, before, after, conclusion } = this.#outlined;
    const title = this.#title();
    if (this.#fit(summary)) this.#filled.add('summary');
    for (const gap of this.#input.unsearched ?? []) this.#paragraph(gap);
    before.forEach((part) => this.#part(part));
    const sections = this.#input.sections.map((one) => {
      const { length } = this.#out;
      this.#place = one.id;
      this.#section(one);
      return this.#out.slice(length).trim();
    });
    this.#place = 'conclusion';
    after.forEach((part) => this.#part(part));
    if (!this.#input.isAnswer) {
      this.#further();
      this.#heading(literalNodes(this.#texts.conclusion));
      if (this.#fit(conclusion ?? '')) this.#filled.add('conclusion');
      else this.#paragraph(this.#ownConclusion());
    }
    this.#disagreements();
    this.#notAnswered();
    this.#references();
    this.#account();
    const { order, counts } = this.#writer;
    const made = { markdown: this.#out, title, order: [...order], counts, sections, filled: this.#filled };
    return { ...made, parts: this.#parts, statements: this.#statements };
  }

  #title(): string {
    const { floor, language, title } = this.#input;
    const own = this.#outlined.title;
    const isFit = floor === undefined || (sifted(own, { language }).removed === 0 && sharesWord(own, this.#subjects()));
    const written = isFit ? titleNodes(own) : [];
    const nodes = wordsOf(written).trim() === '' ? literalNodes(title) : written;
    this.#out += this.#writer.heading(1, nodes);
    return wordsOf(nodes).trim();
  }

  /** Words of which a title has one at least: the question's and those that were found. In another language than the question's the plan's, too. */
  *#subjects(): Iterable<string> {
    const { question, given, language, sections } = this.#input;
    const isTranslated = question === undefined || detectLanguage(question) !== language.split('-')[0];
    yield* isTranslated ? [given, ...sections.map((one) => one.title)] : [question];
    for (const { distilled } of sections) for (const { quote } of distilled?.findings ?? []) yield quote;
  }

  #heading(nodes: readonly Inline[]): void {
    this.#out += this.#writer.heading(2, nodes);
  }

  #paragraph(text: string): void {
    this.#out += this.#writer.paragraph(literalNodes(text));
  }

  /** False when none of it may stay. */
  #body(checked: CheckedText): boolean {
    const before = this.#writer.placed.length;
    const shown = this.#writer.add(checked);
    this.#out += shown;
    for (const placed of this.#writer.placed.slice(before))
      this.#statements.push({ ...placed, id: statementId(placed), section: this.#place });
    return shown.trim() !== '';
  }

  /** What of a text is fit to be shown; false when nothing is. */
  #fit(text: string): boolean {
    const fit = this.#checks.fit(text);
    return fit !== undefined && this.#body(fit.checked);
  }

  #part({ heading, body }: ReportPart): void {
    const fit = this.#isOfCode(heading, body) ? undefined : this.#checks.fit(body);
    if (fit === undefined) return;
    const nodes = titleNodes(heading);
    this.#heading(nodes);
    if (this.#body(fit.checked)) this.#parts.written.push(wordsOf(nodes));
  }

  /** A heading of what code alone says: a writer that uses it imitates that, unless it cites what it says of gaps and disagreements. */
  #isOfCode(heading: string, body: string): boolean {
    const words = (text: string): string =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
    const { howMade, notAnswered, disagree } = this.#texts;
    const isNamed = (own: string): boolean => words(own) === words(heading);
    return isNamed(howMade) || ([notAnswered, disagree.heading].some(isNamed) && !/\[[FS][0-9a-f]/.test(body));
  }

  #isLeftOut({ id, distilled }: SectionState): boolean {
    return this.#input.floor !== undefined && distilled !== undefined && !this.#outlined.sections.has(id);
  }

  #openFindings(one: SectionState): readonly Finding[] {
    const { findings = [] } = one.distilled ?? {};
    return this.#isLeftOut(one) ? findings.filter((finding) => !isStated(finding, this.#between)) : findings;
  }

  /** What was found of a section, without what was written of it elsewhere. */
  #foundOf(one: SectionState): string {
    const { content = '', findings = [], quoted = false } = one.distilled ?? {};
    if (!this.#isLeftOut(one)) return content;
    return quoted && this.#between !== ''
      ? quotesText(this.#openFindings(one))
      : unstated(content, findings, this.#between);
  }

  #section(one: SectionState): void {
    const found = this.#foundOf(one);
    const isStatedElsewhere =
      this.#isLeftOut(one) && one.distilled!.content.trim() !== '' && this.#between !== '' && found === '';
    if (isStatedElsewhere) return;
    this.#heading(titleNodes(one.title));
    const isShown = one.sourceIds.length > 0 && this.#sectionBody(one, found);
    if (isShown) return;
    this.#paragraph(this.#input.isRewrite ? this.#texts.leftOut : emptySection(one, this.#texts));
  }

  /** The section as it was written, or as it was condensed, or its quotes: the first that cites a source. */
  #sectionBody(one: SectionState, found: string): boolean {
    const title = wordsOf(titleNodes(one.title));
    const quotes = this.#input.floor?.sections.get(one.id);
    const text = bodyOf(one, this.#outlined, found, this.#input.evidence.findings);
    if (quotes === undefined) return [text, found].some((given) => this.#body(this.#checks.check(given)));
    const { distilled } = one;
    const written = this.#checks.fit(text);
    const condensed = this.#checks.fit(found, distilled?.quoted);
    const fit = written ?? condensed;
    if (fit === undefined) {
      const findings = quotes.findings.length > 0 ? quotes.findings : (distilled?.findings ?? []);
      if (!this.#body(this.#checks.check(quotesText(findings)))) return false;
      this.#parts.quoted.push(title);
      return true;
    }
    const isCondensed = fit.text === condensed?.text;
    (isCondensed && distilled?.quoted === true ? this.#parts.quoted : this.#parts.written).push(title);
    const isShown = this.#body(fit.checked);
    if (isShown && !isCondensed) this.#filled.add(one.id);
    const rest = isCondensed ? openItems(fit.text, this.#openFindings(one)) : '';
    return (rest !== '' && this.#body(this.#checks.check(rest))) || isShown;
  }

  #further(): void {
    const { floor } = this.#input;
    const further = floor ? furtherQuotes(floor, this.#writer) : [];
    if (further.length === 0) return;
    this.#heading(literalNodes(this.#texts.furtherQuotes));
    this.#body(this.#checks.check(quotesText(further)));
    this.#parts.quoted.push(this.#texts.furtherQuotes);
  }

  #ownConclusion(): string {
    const { sections, workOf = (id) => id } = this.#input;
    const missing = sections
      .filter((section) => section.sourceIds.length === 0)
      .map((section) => wordsOf(titleNodes(section.title)));
    const works = new Set(this.#writer.order.map(workOf)).size;
    const numbers = { 0: sections.length - missing.length, 1: works };
    const covered = fillText(this.#texts.covered, numbers);
    return missing.length > 0 ? `${covered} ${fillText(this.#texts.notCovered, { 0: missing.join('; ') })}` : covered;
  }

  #disagreements(): void {
    const { contradictions = [] } = this.#input;
    const rows = contradictions.map((one) => this.#disagreement(one)).filter((row) => row !== undefined);
    if (rows.length === 0) return;
    const { heading, topic, value } = this.#texts.disagree;
    const width = largest(rows.map((row) => row.length));
    const columns = Array.from({ length: width - 1 }, (_, index) => fillText(value, { 0: index + 1 }));
    const table = [[topic, ...columns], Array.from({ length: width }, () => '---'), ...rows];
    this.#heading(literalNodes(heading));
    this.#body(this.#checks.check(table.map((row) => `| ${row.join(' | ')} |`).join('\n')));
  }

  /** Cells of a row: the topic, and each value that its own sources support. Undefined: no two voices are left of it. */
  #disagreement({ topic, values }: Contradiction): string[] | undefined {
    const { evidence, workOf = (id) => id } = this.#input;
    const sides = values.flatMap(({ text, sources }) => {
      const ids = sources.filter((id) => evidence.get(id) !== undefined);
      const cell = `${cellText(text)} ${ids.map((id) => `[${id}]`).join('')}`;
      const { statements, dropped } = this.#checks.check(cell);
      return ids.length === 0 || statements.size === 0 || dropped > 0 ? [] : { cell, ids };
    });
    const said = sides.flatMap(({ ids }) => ids.map((source) => ({ source, text: '' })));
    const isOne = sides.length < 2 || countVoices(said, workOf) < 2;
    return isOne || !this.#isPlain(topic) ? undefined : [cellText(topic), ...sides.map(({ cell }) => cell)];
  }

  #notAnswered(): void {
    const { gaps = [] } = this.#input;
    if (gaps.length === 0) return;
    const { notAnswered, searchedIn } = this.#texts;
    const items = gaps.map(({ gap, title, searched }) => {
      const words = this.#isPlain(gap) ? plainText(gap.replace(idMarkers, ''), longestGap) : '';
      const where = searched.length === 0 ? '' : fillText(searchedIn, { 0: searched.join(', ') });
      const [first = '', ...rest] = [words, title, where].filter((part) => part.trim() !== '');
      return rest.length === 0 ? first : `${first.replace(/[.。]$/, '')} (${rest.join('; ')})`;
    });
    this.#heading(literalNodes(notAnswered));
    for (const item of new Set(items)) this.#out += this.#writer.item(literalNodes(item, 'drop'));
  }

  /** Words without a citation: no order to a model, and no figure but a year that neither question nor quote has. */
  #isPlain(words: string): boolean {
    const { floor, language, given, sections } = this.#input;
    if (floor !== undefined && sifted(words, { language }).removed > 0) return false;
    const quotes = sections.flatMap(({ distilled }) => distilled?.findings.map(({ quote }) => quote) ?? []);
    const open = notHeld(claimsIn(words), [heldIn([given, ...quotes].join('\n'))]);
    return open.quantities.every(({ isYear }) => isYear);
  }

  #references(): void {
    const { order } = this.#writer;
    if (order.length === 0) return;
    const { evidence, toWorkspace } = this.#input;
    this.#heading(literalNodes(this.#texts.references));
    order.forEach((id, index) => {
      this.#out += this.#writer.item(reference(index + 1, evidence.get(id)!, this.#texts, toWorkspace));
    });
  }

  #account(): void {
    const { counts, order } = this.#writer;
    const lines = this.#input.account(counts, order, this.#parts, this.#statements);
    if (lines.length > 0) this.#heading(literalNodes(this.#texts.howMade));
    for (const line of lines) this.#out += this.#writer.item(literalNodes(line));
  }
}

/** A text of a model without markers, as a cell of a table that is parsed again. */
function cellText(text: string): string {
  return plainText(text.replace(idMarkers, ''), longestGap).replaceAll('|', '/');
}

/** Of what could not be answered, in characters. */
const longestGap = 300;

/** A section that was not written cites every source of its findings, also those beyond its overview. */
function openItems(text: string, findings: readonly Finding[]): string {
  const open = findings.filter(({ source }) => !text.includes(source));
  return open.map(({ claim, quote, source }) => `- ${statementLine(claim || quote)} [${source}]`).join('\n');
}

/** What was written of a section; what was found when the writer left it out or stopped in it. */
function bodyOf(
  section: SectionState,
  { sections, half }: OutlinedReport,
  found: string,
  findings: CitableEvidence['findings'],
): string {
  const written = sections.get(section.id);
  if (written === undefined) return found;
  return section.id === half ? `${written.trimEnd()}\n\n${unsaid(found, written, findings)}` : written;
}

/** The paragraphs of what was found that lean on a source which a half-written section has not come to. */
function unsaid(found: string, written: string, findings: ReadonlyMap<string, Finding> = new Map()): string {
  const idsOf = (text: string) => text.match(/\bS[0-9a-f]{5,64}\b/g) ?? [];
  const said = new Set(idsOf(withSourceIds(written, findings)));
  return found
    .split(/\n{2,}/)
    .filter((paragraph) => idsOf(paragraph).some((id) => !said.has(id)))
    .join('\n\n');
}

function emptySection(section: SectionState, texts: Texts['report']): string {
  if (section.status === 'failed' && section.error) return fillText(texts.sectionFailed, { 0: section.error });
  return fillText(texts.nothingFound, { 0: section.searched.join(', ') || '—' });
}
