import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { SectionGraphStateType, SectionState } from '../state.ts';
import { emitSection } from './emitSection.ts';
import { sectionRun } from './sectionRun.ts';
import { stoppable } from './stopped.ts';
import { type LoopSteering, toolLoop } from './toolLoop.ts';

/** Turns that cost no tool call (thinking alone) are allowed, but not without end. */
const thinkingTurns = 6;

/** The researcher: its whole tool loop is one node, so that no payload ever travels through a checkpoint. */
export function researchNode(whole: RunContext) {
  return async (state: SectionGraphStateType): Promise<Partial<SectionGraphStateType>> => {
    const run = sectionRun(whole, state.section);
    const section: SectionState = { ...state.section, status: 'researching', attempt: state.section.attempt + 1 };
    emitSection(run, section, '');
    const maxCalls = run.settings['limits.maxToolCallsPerResearcher'];
    const scope = scopeOf(
      run,
      {
        path: `section/${section.id}/${section.attempt}`,
        phase: 'research',
        section: section.id,
        today: state.today,
        language: state.language,
      },
      stoppable(run, section.id),
    );
    let seen = section.remarks ?? 0;
    const look: LoopSteering['look'] = async (turn, callsLeft) => {
      const { remarks, stopped } = await run.steering.look(`${scope.path}/turn/${turn}`, section.id);
      const hasNew = remarks > seen && callsLeft > 0;
      if (hasNew) seen = remarks;
      if (hasNew && !stopped) run.steering.seen(section.id, seen);
      return { isStopped: stopped, remarks: run.steering.remarksOf(section.id, seen), hasNew };
    };
    const gathered = await toolLoop(
      run,
      scope,
      {
        role: 'researcher',
        task: {
          title: section.title,
          description: [section.description, section.border ?? ''].filter((text) => text !== '').join(' '),
          queries: section.queries,
        },
        question: state.clarifiedQuery,
        otherSections: state.otherSections,
        gaps: section.gaps,
        known: section.sourceIds,
        maxCalls,
        maxTurns: maxCalls + thinkingTurns,
        steering: { look },
      },
      ({ activity, sources }) => emitSection(run, section, activity, sources),
    );
    return { section: { ...section, ...(seen > 0 ? { remarks: seen } : {}) }, gathered };
  };
}
