import type { SectionState } from '../state.ts';

/** Sources alone are no evidence: something in them has to be about the section. */
export function hasEvidence({ distilled }: SectionState): boolean {
  return distilled !== undefined && (distilled.findings.length > 0 || /\[S[0-9a-f]{5,64}\]/.test(distilled.content));
}
