import { idsSchema, suppliedKey } from '../run/openSupplied.ts';
import type { RunContext, CallPort, EvidencePort } from '../run/runContext.ts';
import { distilSection } from '../section/distil.ts';
import { emitSection } from '../section/emitSection.ts';
import type { ResearchStateType, SectionState } from '../state.ts';

/** Condenses sections again that were given a page after they were done, before the report is written. */
export function withSupplied<R>(run: RunContext, report: (state: ResearchStateType) => Promise<R>) {
  return async (state: ResearchStateType): Promise<R> => {
    run.supplied.isClosed = true;
    const sections = await Promise.all(
      state.sections.map(async (section) => {
        const key = `section/${section.id}/supplied/late`;
        const { value } = await run.replay.observed(key, () => freshOf(run, state, section));
        const ids = idsSchema.parse(value);
        if (ids.length === 0) return section;
        const again = {
          ...section,
          attempt: section.attempt + 1,
          sourceIds: [...new Set([...ids, ...section.sourceIds])],
        };
        const condensed = await distilSection(run, { ...state, section: again, gathered: [] });
        emitSection(run, condensed, '');
        return condensed;
      }),
    );
    return report({ ...state, sections });
  };
}

/** Pages of a section that no attempt of it has seen. */
function freshOf(run: CallPort & EvidencePort, state: ResearchStateType, section: SectionState): readonly string[] {
  const attempts = Array.from({ length: section.attempt }, (_, index) => suppliedKey(section.id, index + 1));
  const seen = new Set(attempts.flatMap((key) => idsSchema.parse(run.replay.recorded(key))));
  return run.supplied.of(section.id, state.sections).filter((id) => !seen.has(id));
}
