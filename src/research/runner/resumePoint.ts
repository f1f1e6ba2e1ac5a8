import { START } from '@langchain/langgraph';
import type { CheckpointLog } from '../persistence/checkpointLog.ts';
import { sectionsSchema, stateSchema, sourcesOf } from '../stateSchema.ts';
import type { RunContext } from '../run/runContext.ts';

/**
 * Prepares to resume a run at its last checkpoint: restores the sources that its state refers to. False when it can't be resumed
 * there (no checkpoint was written, its file is damaged, it does not match the journal): the run then restarts, replaying its
 * journal.
 */
export async function resumePoint(context: RunContext, log: CheckpointLog): Promise<boolean> {
  const state = await readState(context, log);
  if (state === undefined) return false;
  await context.calls.restore(({ section, query, sources }) => {
    if (section === undefined) return;
    context.pool.found(section, sources);
    if (query !== undefined) context.pool.searched(section, query);
  });
  const missing = [...sourcesOf(state)].filter((id) => !context.registry.get(id));
  if (missing.length === 0) return true;
  context.log.warn(`the checkpoint refers to sources that the journal does not have: ${missing.join(', ')}`);
  context.warn({ kind: 'resume.checkpoint' });
  return false;
}

async function readState(
  context: RunContext,
  log: CheckpointLog,
): Promise<Parameters<typeof sourcesOf>[0] | undefined> {
  try {
    const tuple = await log.getTuple({ configurable: { thread_id: context.run } });
    // Before the first step there is nothing to resume.
    if (tuple === undefined || START in tuple.checkpoint.channel_values) return undefined;
    const { sections = [], ...state } = stateSchema.parse(tuple.checkpoint.channel_values);
    const finished = (tuple.pendingWrites ?? []).flatMap(([, channel, value]) =>
      channel === 'sections' ? sectionsSchema.parse(value) : [],
    );
    return { ...state, sections: [...sections, ...finished] };
  } catch (error) {
    context.log.warn(`the last checkpoint can't be used: ${error instanceof Error ? error.message : String(error)}`);
    context.warn({ kind: 'resume.checkpoint' });
    return undefined;
  }
}
