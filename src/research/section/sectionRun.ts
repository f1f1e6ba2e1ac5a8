import type { RunContext } from '../run/runContext.ts';
import type { SectionState } from '../state.ts';

/** The run as one section may use it: with the tools of the sources that were chosen for it, at its own depth, and without its asides. */
export function sectionRun(
  run: RunContext,
  { sources, depth, distilled }: Pick<SectionState, 'sources' | 'depth' | 'distilled'>,
): RunContext {
  return {
    ...run,
    asides: distilled?.asides,
    ...(sources === undefined ? {} : { tools: run.tools.filter(({ source }) => sources.includes(source)) }),
    ...(depth === undefined ? {} : { settings: { ...run.settings, depth } }),
  };
}
