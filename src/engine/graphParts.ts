import type { RunParts } from '../research/runner/createRun.ts';
import type { ResearchTool } from '../research/tools.ts';
import { assemble } from './assemble.ts';
import type { RunOptions } from './runOptions.ts';

export type AnalystParts = Pick<RunParts, 'analyst' | 'fallback' | 'models' | 'provider' | 'model' | 'prices'>;

export type SourceParts = Pick<RunParts, 'workspace' | 'outgoing' | 'sourceKinds'> & {
  readonly sources: readonly ResearchTool[];
  /** Ends what was started for the sources. Never rejects. */
  readonly close: () => Promise<void>;
};

/** Who thinks in a run with these options. Rejects with `config` or `auth` when there is no such model. */
export async function createAnalyst(options: RunOptions, signal?: AbortSignal): Promise<AnalystParts> {
  const { parts } = await assemble({ ...options, readsOnly: true }, signal);
  const { analyst, fallback, models, provider, model, prices } = parts;
  return { analyst, fallback, models, provider, model, prices };
}

/** Where a run with these options looks. Rejects with `config`. */
export async function createSources(options: RunOptions, signal?: AbortSignal): Promise<SourceParts> {
  const { parts, controller, close } = await assemble(options, signal);
  const { tools: sources, workspace, outgoing, sourceKinds } = parts;
  return { ...{ sources, workspace, outgoing, sourceKinds }, close: () => (controller.abort(), close()) };
}
