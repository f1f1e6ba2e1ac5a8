import type { PlannedSection } from '../analyst/analyst.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionQuery } from '../state.ts';
import { searchAll } from './searchAll.ts';
import { stoppable } from './stopped.ts';

/** Retrieves what a planned section asks for before the round starts. */
export function beginRetrieval(run: RunContext, state: ResearchStateType, section: PlannedSection): void {
  const queries = section.queries.map((query) => ({ section: section.id, query }));
  const { place, scope, task } = retrievalOf(run, state, 1, section, queries);
  run.prefetch.start(place, (signal) =>
    searchAll(run, { ...scope, signal: AbortSignal.any([scope.signal, signal]) }, task),
  );
}

/** The searches of one section in one round of `iterative`. */
export function retrievalOf(
  run: RunContext,
  { clarifiedQuery, today, language }: ResearchStateType,
  round: number,
  { id, title, description }: PlannedSection,
  own: readonly SectionQuery[],
) {
  const path = `iterative/${round}/${id}`;
  const queries = own.map(({ query }) => query);
  return {
    place: `${path} ${queries.join(' | ')}`,
    scope: scopeOf(run, { path, phase: 'research', section: id, today, language }, stoppable(run, id)),
    task: { queries, focus: `${clarifiedQuery} ${title} ${description}` },
  };
}
