import { Command, Send } from '@langchain/langgraph';
import { writesSections } from '../report/drafts.ts';
import type { RunContext } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType, SectionGraphStateType, SectionState } from '../state.ts';

/** Starts the subgraph of every pending section at once; the limit on researchers queues them. */
export function dispatchNode(run: RunContext) {
  return (state: ResearchStateType): Route<'dispatch'> => {
    run.emit({ type: 'run/phase', phase: 'research' });
    if (writesSections(run, state)) run.drafts.open(state);
    const pending = state.sections.filter((section) => section.status === 'pending');
    for (const section of pending) {
      run.emit({
        type: 'section/updated',
        id: section.id,
        title: section.title,
        status: 'pending',
        attempt: section.attempt + 1,
        activity: '',
        sources: run.registry.works(section.sourceIds),
      });
    }
    if (pending.length === 0) return new Command({ goto: 'aggregate' });
    return new Command({
      goto: pending.map((section) => new Send('section', sectionInput(state, section, state.sections))),
    });
  };
}

/** What the subgraph of a section starts with. */
export function sectionInput(
  state: ResearchStateType,
  section: SectionState,
  all: readonly SectionState[],
): Partial<SectionGraphStateType> {
  return {
    section,
    clarifiedQuery: state.clarifiedQuery || state.originalQuery,
    today: state.today,
    language: state.language,
    analysis: state.analysis,
    leftOut: state.leftOut,
    otherSections: all.filter((other) => other.id !== section.id).map((other) => other.title),
  };
}
