import { normalizeForQuote } from '../../evidence/quotes.ts';
import type { ReviewedSection, Scope } from '../analyst.ts';
import { cutToTokens, estimateTokens } from './estimateTokens.ts';
import { fenced, oneLine } from './fence.ts';
import { shareTokens } from './passages.ts';

/**
 * The findings of all sections within so many tokens. When space is short the continuous text is cut first: the findings
 * with their quotes are what can be proved.
 */
export function sectionsText(
  sections: readonly ReviewedSection[],
  tokens: number,
  scope: Pick<Scope, 'source'>,
): string {
  const heads = sections.map((section) => headOf(section, scope));
  const headShares = shareTokens(heads.map(estimateTokens), Math.floor(tokens * 0.7));
  const cutHeads = heads.map((head, index) => cutToTokens(head, headShares[index]!));
  const left = tokens - cutHeads.reduce((sum, head) => sum + estimateTokens(head), 0);
  const bodyShares = shareTokens(
    sections.map((section) => estimateTokens(section.content)),
    Math.max(0, left),
  );
  return sections
    .map((section, index) => {
      const body = cutToTokens(section.content, bodyShares[index]!).trim();
      const text =
        body === ''
          ? cutHeads[index]!
          : `${cutHeads[index]!}\n\nText:\n\n${body}${body.length < section.content.trim().length ? '\n[…]' : ''}`;
      return fenced('section', text, { id: section.id, title: section.title });
    })
    .join('\n\n');
}

/** Sources of a section that are described; the others are counted. */
const describedSources = 25;

function headOf(section: ReviewedSection, scope: Pick<Scope, 'source'>): string {
  const lines = [oneLine(section.description)];
  if (section.status === 'failed') lines.push('This section could not be researched.');
  lines.push(section.findings.length === 0 ? 'Findings: none' : 'Findings:');
  for (const finding of section.findings) {
    const same = normalizeForQuote(finding.claim) === normalizeForQuote(finding.quote);
    lines.push(`- ${oneLine(finding.claim)} [${finding.source}]${same ? '' : ` “${oneLine(finding.quote)}”`}`);
  }
  const more = section.sourceIds.length - describedSources;
  lines.push(
    section.sourceIds.length === 0 ? 'Sources: none' : 'Sources:',
    ...section.sourceIds.slice(0, describedSources).map((id) => sourceOf(id, scope)),
  );
  if (more > 0) lines.push(`and ${more} more`);
  return lines.filter((line) => line !== '').join('\n');
}

/** Kind and date show a reviewer diversity and timeliness. */
function sourceOf(id: string, scope: Pick<Scope, 'source'>): string {
  const source = scope.source(id);
  if (!source) return `- ${id}`;
  return `- ${id}: ${oneLine(source.title).slice(0, 100)} (${[source.kind, source.date ?? 'no date'].join(', ')})`;
}
