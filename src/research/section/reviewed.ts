import type { ReviewedSection } from '../analyst/analyst.ts';
import type { EventPort } from '../run/runContext.ts';
import type { SectionState } from '../state.ts';
import { remarksFor } from './distil.ts';

/** A section as the reviewer and the writer of a frame see it. */
export function reviewed(section: SectionState): ReviewedSection {
  return {
    id: section.id,
    title: section.title,
    description: section.description,
    status: section.status === 'failed' ? 'failed' : 'completed',
    content: section.distilled?.content ?? '',
    findings: section.distilled?.findings ?? [],
    sourceIds: section.sourceIds,
  };
}

/** The same with what the user asked of it along the way. */
export function withRemarks(run: EventPort, section: SectionState): ReviewedSection {
  return { ...reviewed(section), ...remarksFor(run, section) };
}
