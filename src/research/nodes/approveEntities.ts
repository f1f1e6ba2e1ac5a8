import { Command, interrupt } from '@langchain/langgraph';
import { wantedEntities } from '../plan/entities.ts';
import type { Route } from '../routes.ts';
import type { EntitiesResume, Interrupt } from './interrupts.ts';
import type { AnalystPort } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';

/** Waits until the user has said which of the discovered entities the report is about. Calls nothing. */
export function approveEntitiesNode(run: AnalystPort) {
  return (state: ResearchStateType): Route<'approveEntities'> => {
    const { discoveredItems: entities, discoveryCoverage: coverage } = state;
    const { wanted } = interrupt<Interrupt, EntitiesResume>({ kind: 'entities', found: { entities, coverage } });
    const update = wantedEntities(entities, wanted);
    const names = update.leftOut.join(', ');
    // Every later prompt has the question. Without a model, a name in it would be searched for.
    const isTold = names !== '' && run.analyst.kind === 'llm';
    const clarifiedQuery = `${state.clarifiedQuery || state.originalQuery}\n\nNot about: ${names}`;
    return new Command({ update: { ...update, ...(isTold ? { clarifiedQuery } : {}) }, goto: 'plan' });
  };
}
