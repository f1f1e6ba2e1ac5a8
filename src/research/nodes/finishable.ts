import { Command } from '@langchain/langgraph';
import { ResearchError } from '../errors.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';

type Node = (state: ResearchStateType) => Promise<Command> | Command;

/** A node that "finish now" skips, or leaves in the middle: the report comes next. */
export function finishable(run: RunContext, node: Node): Node {
  return async (state) => {
    if (run.finishSignal.aborted) return new Command({ goto: 'report' });
    try {
      return await node(state);
    } catch (error) {
      if (ResearchError.is(error, 'finish') && !run.signal.aborted) return new Command({ goto: 'report' });
      throw error;
    }
  };
}
