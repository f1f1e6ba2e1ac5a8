import type { Settings } from '../config.ts';
import type { SectionState } from '../state.ts';

/**
 * The quick review of a section, made by code as soon as it is distilled: finds what is plainly too thin, whatever the other
 * sections say. Returns what is missing, as instructions for another attempt; undefined when the section suffices.
 */
export function quickGaps(section: SectionState): string[] | undefined {
  const findings = section.distilled?.findings ?? [];
  const cited = new Set(findings.map((finding) => finding.source)).size;
  if (section.sourceIds.length === 0)
    return ['Nothing was found. Search with other, fewer or more general words, and in other sources.'];
  if (findings.length === 0)
    return ['No statement with a quotation could be drawn from what was found. Look for sources on this very subject.'];
  if (findings.length < 2 && cited < 2)
    return ['There is a single statement from a single source. Look for at least two more independent sources.'];
  return undefined;
}

/** `limits.maxReviewIterations` bounds how often one section is sent back, by whichever review. */
export function mayGoBack(
  { attempt }: Pick<SectionState, 'attempt'>,
  settings: Pick<Settings, 'limits.maxReviewIterations'>,
): boolean {
  return attempt <= settings['limits.maxReviewIterations'];
}
