import type { Source } from '../evidence/source.ts';
import { CitationWriter, type CitableEvidence, type CitationCounts } from '../evidence/citations.ts';
import { inertLine, safeUrl } from '../evidence/neutralize.ts';
import type { SectionState } from '../state.ts';
import { format, reportTexts } from './reportTexts.ts';
import { outlineReport, type ReportPart } from './outlineReport.ts';

export interface RenderInput {
  /** What the writer wrote, source ids as markers; "" when it wrote nothing. */
  readonly raw: string;
  /** False when the writer was cut off in the middle of the last part. */
  readonly isWhole: boolean;
  readonly title: string;
  readonly sections: readonly SectionState[];
  readonly language: string;
  readonly evidence: CitableEvidence;
  /** Text whose figures need no source. */
  readonly given: string;
  readonly verified: ReadonlySet<string>;
  /** The account of how the report was made, one item a line, already inert Markdown. */
  readonly account: (counts: CitationCounts) => readonly string[];
}

export interface RenderedReport {
  /** Markdown from `# title` to the account, without front matter. */
  readonly markdown: string;
  readonly title: string;
  /** Ids of the cited sources, by number. */
  readonly order: readonly string[];
  readonly counts: CitationCounts;
}

/**
 * The report from what the writer wrote and the plan: every planned section stands in it once, in the plan's order, under
 * its title; one that the writer left out is given as it was distilled, one without a source says so. References and the
 * account are written by code.
 */
export function renderReport(input: RenderInput): RenderedReport {
  const texts = reportTexts(input.language);
  const outlined = outlineReport(input.raw, input.sections, input.isWhole);
  const writer = new CitationWriter(input.evidence, input.given, input.verified);
  const title = plainTitle(outlined.title) || inertLine(input.title);
  let out = writer.trusted(`# ${title}\n\n`);
  const heading = (text: string): void => {
    out += writer.trusted(`${gap(out)}## ${text}\n\n`);
  };
  const body = (text: string): void => {
    out += writer.push(`${text.trim()}\n`) + writer.finish();
  };
  const part = ({ heading: text, body: content }: ReportPart): void => {
    if (content.trim() === '') return;
    heading(plainTitle(text));
    body(content);
  };
  if (outlined.summary.trim() !== '') body(outlined.summary);
  outlined.before.forEach(part);
  for (const section of input.sections) {
    heading(inertLine(section.title));
    const before = out.length;
    const written = outlined.sections.get(section.id);
    const found = section.distilled?.content ?? '';
    if (section.sourceIds.length > 0)
      body(
        written === undefined
          ? found
          : section.id === outlined.half
            ? `${written.trimEnd()}\n\n${unsaid(found, written)}`
            : written,
      );
    if (out.slice(before).trim() === '') out += writer.trusted(`${emptySection(section, texts)}\n`);
  }
  outlined.after.forEach(part);
  heading(texts.conclusion);
  const beforeConclusion = out.length;
  if (outlined.conclusion !== undefined) body(outlined.conclusion);
  if (out.slice(beforeConclusion).trim() === '')
    out += writer.trusted(`${ownConclusion(input.sections, writer.order.length, texts)}\n`);
  if (writer.order.length > 0) {
    heading(texts.references);
    const list = writer.order.map((id, index) => reference(index + 1, input.evidence.get(id)!, texts.retrieved));
    out += writer.trusted(`${list.join('\n')}\n`);
  }
  heading(texts.howMade);
  out += writer.trusted(
    `${input
      .account(writer.counts)
      .map((line) => `- ${line}`)
      .join('\n')}\n`,
  );
  return { markdown: out, title, order: [...writer.order], counts: writer.counts };
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

/** One item of the references: `- [3] Title. Authors, date. URL. Retrieved DATE`. */
export function reference(number: number, source: Source, retrieved: string): string {
  const shown = source.authors
    .slice(0, 3)
    .map(inertLine)
    .filter((name) => name !== '');
  const authors = source.authors.length > 3 ? `${shown.join(', ')} et al.` : shown.join(', ');
  // A file's date is that of its last change on this disk: no date of publication.
  const by = [authors, source.file ? '' : (source.date ?? '')].filter((text) => text !== '').join(', ');
  const where = source.file
    ? `${inertLine(source.file.path)}#L${source.file.firstLine}-L${source.file.lastLine}`
    : (source.url && safeUrl(source.url)) || '';
  const parts = [inertLine(source.title), by, where, `${retrieved} ${source.retrievedAt.slice(0, 10)}`].filter(
    (text) => text !== '',
  );
  return `- [${number}] ${parts.map((text) => text.replace(/\.$/, '')).join('. ')}`;
}

function emptySection(section: SectionState, texts: ReturnType<typeof reportTexts>): string {
  if (section.status === 'failed' && section.error) return format(texts.sectionFailed, inertLine(section.error));
  return format(texts.nothingFound, section.searched.map(inertLine).join(', ') || '—');
}

function ownConclusion(
  sections: readonly SectionState[],
  cited: number,
  texts: ReturnType<typeof reportTexts>,
): string {
  const missing = sections
    .filter((section) => section.sourceIds.length === 0)
    .map((section) => inertLine(section.title));
  const covered = format(texts.covered, sections.length - missing.length, cited);
  return missing.length > 0 ? `${covered} ${format(texts.notCovered, missing.join('; '))}` : covered;
}

function plainTitle(text: string): string {
  const words = text
    .replace(/\[?S[0-9a-f]{5,64}\]?/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\^?\d+\]/g, '');
  return inertLine(words.replace(/[*_`]/g, ''));
}

/** What it takes to stand one blank line below what was written before. */
function gap(before: string): string {
  if (before.endsWith('\n\n')) return '';
  return before.endsWith('\n') ? '\n' : '\n\n';
}
