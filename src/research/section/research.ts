import { scopeOf, type RunContext, type AnalystPort, type LimitPort } from '../run/runContext.ts';
import type { PlannedSection, Scope } from '../analyst/analyst.ts';
import { pendingSection, type ResearchStateType, type SectionGraphStateType, type SectionState } from '../state.ts';
import { emitSection } from './emitSection.ts';
import { sectionRun } from './sectionRun.ts';
import { beginSearches } from './seedTurns.ts';
import { stoppable } from './stopped.ts';
import { toolLoop } from './toolLoop.ts';
import type { LoopSteering, LoopTask } from './loopTask.ts';

/** Turns that cost no tool call (thinking alone) are allowed, but not without end. */
const thinkingTurns = 6;

/** Sends the queries of a planned section before its researcher starts. */
export function beginSection(run: RunContext, state: ResearchStateType, planned: PlannedSection): void {
  const { clarifiedQuery, originalQuery, today, language } = state;
  const section = { ...pendingSection(planned, run.attached), attempt: 1 };
  const attempt = { section, clarifiedQuery: clarifiedQuery || originalQuery, today, language, otherSections: [] };
  beginSearches(run, scopeFor(run, attempt), taskFor(run, attempt));
}

/** The researcher: its whole tool loop is one node, so that no payload ever travels through a checkpoint. */
export function researchNode(whole: RunContext) {
  return async (state: SectionGraphStateType): Promise<Partial<SectionGraphStateType>> => {
    const run = sectionRun(whole, state.section);
    const section: SectionState = { ...state.section, status: 'researching', attempt: state.section.attempt + 1 };
    emitSection(run, section, '');
    const attempt = { ...state, section };
    const scope = scopeFor(run, attempt);
    let seen = section.remarks ?? 0;
    const look: LoopSteering['look'] = async (turn, callsLeft) => {
      const { remarks, stopped } = await run.steering.look(`${scope.path}/turn/${turn}`, section.id);
      const hasNew = remarks > seen && callsLeft > 0;
      if (hasNew) seen = remarks;
      if (hasNew && !stopped) run.steering.seen(section.id, seen);
      return { isStopped: stopped, remarks: run.steering.remarksOf(section.id, seen), hasNew };
    };
    const researched = await toolLoop(
      run,
      scope,
      { ...taskFor(run, attempt), steering: { look } },
      ({ activity, sources }) => emitSection(run, section, activity, sources),
    );
    // The distillation takes what they bring.
    const { pending } = researched;
    if (pending.length > 0) run.prefetch.start(pendingPlace(section), () => Promise.resolve(pending));
    return { section: { ...section, ...(seen > 0 ? { remarks: seen } : {}) }, gathered: researched.gathered };
  };
}

/** Of what an attempt's pending calls still bring. */
export function pendingPlace({ id, attempt }: Pick<SectionState, 'id' | 'attempt'>): string {
  return `section/${id}/${attempt}/look`;
}

type Attempt = Pick<SectionGraphStateType, 'section' | 'clarifiedQuery' | 'today' | 'language' | 'otherSections'>;

function scopeFor(run: RunContext, { section: { id, attempt }, today, language }: Attempt): Scope {
  const place = { path: `section/${id}/${attempt}`, phase: 'research', section: id, today, language } as const;
  return scopeOf(run, place, stoppable(run, id));
}

function taskFor(run: AnalystPort & LimitPort, { section, clarifiedQuery, otherSections }: Attempt): LoopTask {
  const maxCalls = run.settings['limits.maxToolCallsPerResearcher'];
  return {
    role: 'researcher',
    task: { title: section.title, description: section.description, queries: section.queries },
    question: clarifiedQuery,
    otherSections,
    gaps: section.gaps,
    known: section.sourceIds,
    maxCalls,
    maxTurns: maxCalls + thinkingTurns,
    looks:
      run.analyst.kind === 'llm' &&
      run.settings.depth === 'standard' &&
      section.gaps.length === 0 &&
      otherSections.length > 0,
  };
}
