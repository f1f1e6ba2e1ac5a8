import type { ReviewedSection } from '../analyst.ts';
import { cutToTokens, estimateTokens } from './estimateTokens.ts';
import { fenced, oneLine } from './fence.ts';
import { shareTokens } from './passages.ts';

/**
 * The findings of all sections within so many tokens. When space is short the continuous text is cut first: the findings
 * with their quotes are what can be proved.
 */
export function sectionsText(sections: readonly ReviewedSection[], tokens: number): string {
  const heads = sections.map(headOf);
  const headShares = shareTokens(heads.map(estimateTokens), Math.floor(tokens * 0.7));
  const cutHeads = heads.map((head, index) => cutToTokens(head, headShares[index]!));
  const left = tokens - cutHeads.reduce((sum, head) => sum + estimateTokens(head), 0);
  const bodyShares = shareTokens(sections.map((section) => estimateTokens(section.content)), Math.max(0, left));
  return sections
    .map((section, index) => {
      const body = cutToTokens(section.content, bodyShares[index]!).trim();
      const text = body === '' ? cutHeads[index]! : `${cutHeads[index]!}\n\nText:\n\n${body}${body.length < section.content.trim().length ? '\n[…]' : ''}`;
      return fenced('section', text, { id: section.id, title: section.title });
    })
    .join('\n\n');
}

function headOf(section: ReviewedSection): string {
  const lines = [oneLine(section.description)];
  if (section.status === 'failed') lines.push('This section could not be researched.');
  lines.push(`Sources: ${section.sourceIds.length === 0 ? 'none' : section.sourceIds.slice(0, 60).join(', ')}`);
  lines.push(section.findings.length === 0 ? 'Findings: none' : 'Findings:');
  for (const finding of section.findings) lines.push(`- ${oneLine(finding.claim)} [${finding.source}] “${oneLine(finding.quote)}”`);
  return lines.filter((line) => line !== '').join('\n');
}
