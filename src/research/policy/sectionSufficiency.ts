import type { SectionState } from '../state.ts';

/**
 * The section's own quick review, made by code as soon as the section is distilled: what is so thin that nobody has to read
 * the other sections to see it. Gives what is missing, as instructions for another attempt; undefined when it may stand.
 */
export function quickGaps(section: SectionState): string[] | undefined {
  const findings = section.distilled?.findings ?? [];
  const cited = new Set(findings.map((finding) => finding.source)).size;
  if (section.sourceIds.length === 0)
    return ['Nothing was found. Search with other, fewer or more general words, and in other sources.'];
  if (findings.length === 0)
    return [
      'No statement with a quotation could be drawn from what was found. Look for sources that speak of this very subject.',
    ];
  if (findings.length < 2 && cited < 2)
    return ['There is a single statement from a single source. Look for at least two more independent sources.'];
  return undefined;
}
