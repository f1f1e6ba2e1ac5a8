import { mostAttempts } from '../../protocol/steering.ts';
import type { EventPort, LimitPort } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';

/**
 * The sections with remarks of the user that no researcher has seen, to be researched again.
 * @param isLast The report comes next: when there are none, no more remarks are taken.
 */
export async function pendingRemarks(
  run: EventPort & LimitPort,
  state: Pick<ResearchStateType, 'sections'>,
  step: string,
  isLast: boolean,
): Promise<SectionState[]> {
  // "Finish now" and a budget that is used up come first; the report closes what is left.
  if (run.finishSignal.aborted || run.budget.isNarrow) return [];
  const attempts = state.sections.reduce((sum, { attempt }) => sum + attempt, 0);
  const waiting = await run.steering.unseen(
    `${step}/${attempts}`,
    state.sections.map(({ id, remarks = 0 }) => ({ id, remarks })),
    isLast,
  );
  return state.sections
    .filter(({ id, stopped, attempt }) => waiting.includes(id) && !stopped && attempt < mostAttempts)
    .map((section): SectionState => ({ ...section, status: 'pending', gaps: [] }));
}
