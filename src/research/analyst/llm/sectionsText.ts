import { statementLine } from '../../text/statementLine.ts';
import { normalizeForQuote } from '../../evidence/quotes.ts';
import type { Finding } from '../../evidence/source.ts';
import type { ReviewedSection, Scope } from '../analyst.ts';
import { cutToTokens, estimateTokens } from './estimateTokens.ts';
import { fenced, oneLine } from './fence.ts';
import { bestEntries, condensed, shareTokens } from './passages.ts';

/** Part of the space that findings with their sources may take before any continuous text. */
const headShare = 0.7;
/** Of a section's head: the list of its sources. */
const sourcesShare = 0.25;
/** What a section takes beside its head and its text: its fence, its heading, marks of what was left out. */
const overhead = 40;

/**
 * The findings of all sections within so many tokens. When space is short the continuous text is condensed first, then the
 * findings: those stay that bear on their section, since findings with their quotes are what can be proved.
 */
export function sectionsText(
  sections: readonly ReviewedSection[],
  tokens: number,
  scope: Pick<Scope, 'source'>,
): string {
  const space = Math.max(0, tokens - sections.length * overhead);
  const wholeHeads = sections.map((section) => headOf(section, Infinity, scope));
  const headShares = shareTokens(wholeHeads.map(estimateTokens), Math.floor(space * headShare));
  const heads = sections.map((section, index) =>
    estimateTokens(wholeHeads[index]!) <= headShares[index]!
      ? wholeHeads[index]!
      : headOf(section, headShares[index]!, scope),
  );
  const left = space - heads.reduce((sum, head) => sum + estimateTokens(head), 0);
  const bodyShares = shareTokens(
    sections.map((section) => estimateTokens(section.content)),
    Math.max(0, left),
  );
  return sections
    .map((section, index) => {
      const body = condensed(section.content, subjectOf(section), bodyShares[index]!).trim();
      const text = body === '' ? heads[index]! : `${heads[index]!}\n\nText:\n\n${body}`;
      return fenced('section', text, { id: section.id, title: section.title });
    })
    .join('\n\n');
}

const subjectOf = ({ title, description }: ReviewedSection) => `${title} ${description}`;

/** Sources of a section that are described; the others are counted. */
const describedSources = 25;

function headOf(section: ReviewedSection, tokens: number, scope: Pick<Scope, 'source'>): string {
  const lines = [cutToTokens(oneLine(section.description), Math.max(0, tokens * 0.3))];
  const { remarks = [] } = section;
  if (remarks.length > 0)
    lines.push(
      `The user asked of it: ${cutToTokens(oneLine(remarks.slice(-5).join(' / ')), Math.min(200, tokens * 0.15))}`,
    );
  if (section.status === 'failed') lines.push('This section could not be researched.');
  const listed = section.sourceIds.slice(0, describedSources).map((id) => sourceOf(id, scope));
  const described = bestEntries(listed, subjectOf(section), tokens * sourcesShare).map((index) => listed[index]!);
  const left = tokens - estimateTokens([...lines, ...described].join('\n')) - overhead;
  const findings = section.findings.map(findingLine);
  const chosen = fromEverySource(section, findings, left);
  lines.push(findings.length === 0 ? 'Findings: none' : 'Findings:', ...chosen);
  if (chosen.length < findings.length) lines.push(`(${findings.length - chosen.length} more findings)`);
  const more = section.sourceIds.length - described.length;
  lines.push(section.sourceIds.length === 0 ? 'Sources: none' : 'Sources:', ...described);
  if (more > 0) lines.push(`and ${more} more`);
  return lines.filter((line) => line !== '').join('\n');
}

function findingLine(finding: Finding): string {
  const same = normalizeForQuote(finding.claim) === normalizeForQuote(finding.quote);
  return `- ${oneLine(statementLine(finding.claim))} [${finding.source}]${same ? '' : ` “${oneLine(statementLine(finding.quote))}”`}`;
}

/** The findings that bear on the section; the first of every source before the second of any. */
function fromEverySource(section: ReviewedSection, lines: readonly string[], tokens: number): string[] {
  const seen = new Set<string>();
  const first = section.findings.map(({ source }) => !seen.has(source) && seen.add(source) !== undefined);
  const chosen = new Set<number>();
  let left = tokens;
  for (const isFirst of [true, false]) {
    const places = [...lines.keys()].filter((place) => first[place] === isFirst);
    const entries = places.map((place) => lines[place]!);
    for (const entry of bestEntries(entries, subjectOf(section), left)) {
      chosen.add(places[entry]!);
      left -= estimateTokens(entries[entry]!) + 1;
    }
  }
  return [...chosen].sort((a, b) => a - b).map((place) => lines[place]!);
}

/** Kind and date show a reviewer diversity and timeliness. */
function sourceOf(id: string, scope: Pick<Scope, 'source'>): string {
  const source = scope.source(id);
  if (!source) return `- ${id}`;
  return `- ${id}: ${oneLine(source.title).slice(0, 100)} (${[source.kind, source.date ?? 'no date'].join(', ')})`;
}
