import { Command, interrupt } from '@langchain/langgraph';
import { wantedEntities } from '../plan/entities.ts';
import type { Route } from '../routes.ts';
import type { EntitiesResume, Interrupt } from '../run/interrupts.ts';
import type { ResearchStateType } from '../state.ts';

/** Waits until the user has said which of the discovered entities the report is about. Calls nothing. */
export function approveEntitiesNode() {
  return (state: ResearchStateType): Route<'approveEntities'> => {
    const { discoveredItems: entities, discoveryCoverage: coverage } = state;
    const { wanted } = interrupt<Interrupt, EntitiesResume>({ kind: 'entities', found: { entities, coverage } });
    return new Command({ update: wantedEntities(entities, wanted), goto: 'plan' });
  };
}
