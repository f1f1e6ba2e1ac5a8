import { validate } from '@langchain/langgraph-checkpoint-validation';
import { CheckpointLog } from '../../src/research/persistence/checkpointLog.ts';

/** LangGraph's own checks of a saver; they bring their test runner (`test/system/research/persistence/checkpointLog.test.ts` starts it). */
validate({
  checkpointerName: 'CheckpointLog',
  createCheckpointer: () => Promise.resolve(new CheckpointLog(() => Promise.resolve())),
});

/** The same with a saver that knows nothing but the lines: each reading begins with a new process, so to speak. */
class ReopenedLog extends CheckpointLog {
  readonly #lines: string[];

  constructor(lines: string[] = []) {
    super((line) => Promise.resolve(void lines.push(line)));
    this.#lines = lines;
  }

  #reopened(): CheckpointLog {
    return new CheckpointLog(() => Promise.resolve(), this.#lines);
  }

  override getTuple(...args: Parameters<CheckpointLog['getTuple']>): ReturnType<CheckpointLog['getTuple']> {
    return this.#reopened().getTuple(...args);
  }

  override list(...args: Parameters<CheckpointLog['list']>): ReturnType<CheckpointLog['list']> {
    return this.#reopened().list(...args);
  }
}
validate({
  checkpointerName: 'a CheckpointLog read from its lines',
  createCheckpointer: () => Promise.resolve(new ReopenedLog()),
});
