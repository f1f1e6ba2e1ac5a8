import { normalizeForQuote } from '../../evidence/quotes.ts';
import { findingNumber } from '../../evidence/findingNumber.ts';
import type { Finding } from '../../evidence/source.ts';
import { quoteBlock } from '../../evidence/verbatim.ts';
import { statementLine } from '../../evidence/statementLine.ts';
import type { ReviewedSection, Scope } from '../analyst.ts';
import { sourceIdIn } from './common.ts';
import { cutToTokens, estimateTokens } from '../../text/estimateTokens.ts';
import { fenced, oneLine } from './fence.ts';
import { bestEntries, condensed, shareTokens } from './passages.ts';
import { around, flat, placeOf, sentencesOf } from '../../evidence/surroundings.ts';

/** Part of the space that findings with their sources may take before any continuous text. */
const headShare = 0.7;
/** Of a section's head: the list of its sources. */
const sourcesShare = 0.25;
/** What a section takes beside its head and its text: its fence, its heading, marks of what was left out. */
const overhead = 40;

/**
 * The findings of all sections within so many tokens, and what is written beside them. When space is short that text is condensed
 * first, then the findings: those stay that bear on their section, since findings with their quotes are what can be proved.
 *
 * @param radius Sentences on either side of a quote that are given with it, with the headings above, where there is space for all of
 *   them. Absent: none.
 */
export function sectionsText(
  sections: readonly ReviewedSection[],
  tokens: number,
  scope: Pick<Scope, 'source'>,
  radius?: number,
): string {
  const space = Math.max(0, tokens - sections.length * overhead);
  const rich = sections.map((section) => headOf(section, Infinity, scope, radius));
  const isRich = rich.reduce((sum, head) => sum + estimateTokens(head), 0) <= space;
  const wholeHeads = isRich ? rich : sections.map((section) => headOf(section, Infinity, scope));
  const headShares = shareTokens(wholeHeads.map(estimateTokens), isRich ? space : Math.floor(space * headShare));
  const heads = sections.map((section, index) =>
    estimateTokens(wholeHeads[index]!) <= headShares[index]!
      ? wholeHeads[index]!
      : headOf(section, headShares[index]!, scope),
  );
  const left = space - heads.reduce((sum, head) => sum + estimateTokens(head), 0);
  const bodies = sections.map(besideFindings);
  const bodyShares = shareTokens(bodies.map(estimateTokens), Math.max(0, left));
  return sections
    .map((section, index) => {
      const body = condensed(bodies[index]!, subjectOf(section), bodyShares[index]!).trim();
      const text = body === '' ? heads[index]! : `${heads[index]!}\n\nText:\n\n${body}`;
      return fenced('section', text, { id: section.id, title: section.title });
    })
    .join('\n\n');
}

/** The continuous text without the findings that it repeats. */
function besideFindings({ content, findings }: ReviewedSection): string {
  const stated = new Set(findings.map(({ claim }) => plainLine(claim)));
  const blocks = new Set(findings.map(({ source, quote }) => quoteBlock(source, quote)));
  return content
    .replace(/^(`{3,}|~{3,})quote-S[0-9a-f]{5,64}\n[\s\S]*?\n\1$/gm, (block) => (blocks.has(block) ? '' : block))
    .split('\n')
    .filter(
      (line) => !line.startsWith('- ') || !stated.has(plainLine(line.slice(2).replace(/ \[S[0-9a-f]{5,64}\]\.$/, ''))),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const plainLine = (text: string): string => normalizeForQuote(text).replace(/[.。]$/, '');

const subjectOf = ({ title, description }: ReviewedSection) => `${title} ${description}`;

function headOf(section: ReviewedSection, tokens: number, scope: Pick<Scope, 'source'>, radius?: number): string {
  const lines = [cutToTokens(oneLine(section.description), Math.max(0, tokens * 0.3))];
  const { remarks = [] } = section;
  if (remarks.length > 0)
    lines.push(
      `The user asked of it: ${cutToTokens(oneLine(remarks.slice(-5).join(' / ')), Math.min(200, tokens * 0.15))}`,
    );
  if (section.status === 'failed') lines.push('This section could not be researched.');
  // What nothing was taken from can't be cited.
  const markers = section.content.match(/\[S[0-9a-f]{5,64}\]/gi) ?? [];
  const cited = new Set([...section.findings.map(({ source }) => source), ...markers.map(sourceIdIn)]);
  const listed = section.sourceIds.filter((id) => cited.has(id)).map((id) => sourceOf(id, scope));
  const described = bestEntries(listed, subjectOf(section), tokens * sourcesShare).map((index) => listed[index]!);
  const left = tokens - estimateTokens([...lines, ...described].join('\n')) - overhead;
  const findings =
    radius === undefined
      ? section.findings.map((finding, index) => findingLine(section, finding, index))
      : withSurroundings(section, scope, radius);
  const chosen = fromEverySource(section, findings, left);
  lines.push(findings.length === 0 ? 'Findings: none' : 'Findings:');
  for (const one of chosen) lines.push(one);
  if (chosen.length < findings.length) lines.push(`(${findings.length - chosen.length} more findings)`);
  const more = section.sourceIds.length - described.length;
  lines.push(section.sourceIds.length === 0 ? 'Sources: none' : 'Sources:');
  for (const one of described) lines.push(one);
  if (more > 0) lines.push(`and ${more} that nothing was taken from`);
  return lines.filter((line) => line !== '').join('\n');
}

function findingLine({ id }: Pick<ReviewedSection, 'id'>, finding: Finding, index: number): string {
  const same = plainLine(statementLine(finding.claim)) === plainLine(statementLine(finding.quote));
  return `- ${oneLine(statementLine(finding.claim))} [${finding.source}] [${findingNumber(id, index)}]${same ? '' : ` “${oneLine(statementLine(finding.quote))}”`}`;
}

/** The findings, each with what surrounds its quote and is not shown yet. */
function withSurroundings(section: ReviewedSection, scope: Pick<Scope, 'source'>, radius: number): string[] {
  const { findings } = section;
  const shown = new Set<string>();
  const places = findings.map(({ source: id, quote }) => {
    const source = scope.source(id);
    const known = source && sentencesOf(source);
    const place = known && placeOf(known, quote);
    for (const number of place ?? []) shown.add(`${id} ${number}`);
    return place && { known, place };
  });
  return findings.map((finding, index) => {
    const line = findingLine(section, finding, index);
    const at = places[index];
    if (at === undefined) return line;
    const { headings, beside } = around(at.known, at.place, radius);
    const open = beside.filter((number) => !shown.has(`${finding.source} ${number}`));
    for (const number of open) shown.add(`${finding.source} ${number}`);
    const [before, after] = [true, false].map((isBefore) =>
      open.filter((number) => number < at.place[0]! === isBefore).map((number) => flat(at.known.sentences[number]!)),
    );
    const parts = [headings, before!.join(' '), after!.join(' ')].map(oneLine).filter((part) => part !== '');
    return parts.length === 0 ? line : `${line} (around it: ${parts.join(' … ')})`;
  });
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
