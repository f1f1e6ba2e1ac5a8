import type { PlannedSection } from '../analyst/analyst.ts';
import type { RunContext } from '../run/runContext.ts';

/** The run as one section may use it: with the tools of the sources that were chosen for it, at its own depth. */
export function sectionRun(run: RunContext, { sources, depth }: Pick<PlannedSection, 'sources' | 'depth'>): RunContext {
  return {
    ...run,
    ...(sources === undefined ? {} : { tools: run.tools.filter(({ source }) => sources.includes(source)) }),
    ...(depth === undefined ? {} : { settings: { ...run.settings, depth } }),
  };
}
