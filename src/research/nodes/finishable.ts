import { Command } from '@langchain/langgraph';
import { ResearchError } from '../errors.ts';
import type { LimitPort } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';

type ToReport = Command<unknown, Partial<ResearchStateType>, 'report'>;

/**
 * The one way in which "finish now" leaves a step: a node that has not started is skipped, one in progress ends with its `finish`
 * error, and the report comes next. Optional steps pass that error on through `optionalFailure`.
 *
 * @param update What the state still needs for the report when the node is skipped or left.
 */
export function finishable<R>(
  run: LimitPort,
  node: (state: ResearchStateType) => Promise<R> | R,
  update: (state: ResearchStateType) => Partial<ResearchStateType> = () => ({}),
): (state: ResearchStateType) => Promise<R | ToReport> {
  const toReport = (state: ResearchStateType): ToReport => new Command({ update: update(state), goto: 'report' });
  return async (state) => {
    if (run.finishSignal.aborted) return toReport(state);
    try {
      return await node(state);
    } catch (error) {
      if (ResearchError.is(error, 'finish') && !run.signal.aborted) return toReport(state);
      throw error;
    }
  };
}
