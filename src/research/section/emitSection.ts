import type { EvidencePort, EventPort } from '../run/runContext.ts';
import type { SectionState } from '../state.ts';

/** Shows how far a section is; for a delegated topic of the strategy `supervisor`, the topic as well. */
export function emitSection(
  run: EvidencePort & EventPort,
  section: SectionState,
  activity: string,
  found: readonly string[] = section.sourceIds,
): void {
  const sources = run.registry.works(found);
  run.emit({
    type: 'section/updated',
    id: section.id,
    title: section.title,
    status: section.status,
    attempt: section.attempt,
    activity,
    sources,
    ...(section.error === undefined ? {} : { error: section.error }),
    ...(section.stopped || run.steering.signalOf(section.id).aborted ? { stopped: true } : {}),
  });
  if (section.topicRound === undefined) return;
  run.emit({
    type: 'topic/updated',
    id: section.id,
    title: section.title,
    topic: section.description,
    round: section.topicRound,
    status: section.status,
    sources,
    ...(section.error === undefined ? {} : { error: section.error }),
  });
}
