import { Command } from '@langchain/langgraph';
import type { DiscoveredEntity } from '../../protocol/events.ts';
import type { Route } from '../routes.ts';
import { maxEntities } from '../../protocol/planBounds.ts';
import { entityKey } from '../evidence/entityKey.ts';
import { mustApproveEntities } from '../plan/proposal.ts';
import { optionalFailure } from '../run/failure.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import { toolLoop } from '../section/toolLoop.ts';
import type { ResearchStateType } from '../state.ts';
import { questionOf } from '../run/questionOf.ts';

const callsPerRound = 4;

/** For list questions: finds the entities that the report is about, each with a source that was fetched in this run. */
export function discoverNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'discover'>> => {
    run.emit({ type: 'run/phase', phase: 'discover' });
    const scope = stepScope(run, state, 'discover', 'discover');
    const question = questionOf(run, state);
    const target = state.analysis!.discoveryTarget.trim() || question.clarifiedQuestion;
    const rounds = run.settings['limits.maxDiscoverIterations'];
    try {
      const { gathered } = await toolLoop(
        run,
        scope,
        {
          role: 'discoverer',
          task: { title: target, description: question.clarifiedQuestion, queries: [] },
          question: question.clarifiedQuestion,
          otherSections: [],
          gaps: [],
          known: [],
          maxCalls: rounds * callsPerRound,
          maxTurns: rounds,
        },
        () => undefined,
      );
      if (!gathered.some((call) => call.sources.length > 0)) {
        run.warn({ kind: 'discover.nothing' });
        return new Command({ goto: 'plan' });
      }
      const discovery = await run.analyst.discover({ ...question, target, gathered }, scope);
      const entities = mergeEntities(run, discovery.entities);
      const { summary: discoverySummary, coverage: discoveryCoverage } = discovery;
      const needsApproval = mustApproveEntities(run, state, entities.length);
      run.emit({ type: 'discover/found', entities, coverage: discoveryCoverage, needsApproval });
      return new Command({
        update: { discoveredItems: entities, discoverySummary, discoveryCoverage },
        goto: needsApproval ? 'approveEntities' : 'plan',
      });
    } catch (error) {
      // The plan can be made without: a list from the question's own words is worse, but no reason to lose the run.
      run.warn({ kind: 'discover.failed', error: optionalFailure(run, 'discover', error) });
      return new Command({ goto: 'plan' });
    }
  };
}

/** Merges the spellings of an entity into one, and drops sources and URLs that no tool of this run returned. */
function mergeEntities(run: Pick<RunContext, 'registry'>, entities: readonly DiscoveredEntity[]): DiscoveredEntity[] {
  const merged = new Map<string, DiscoveredEntity>();
  for (const entity of entities) {
    const source =
      run.registry.get(entity.source.replace(/[[\]]/g, '')) ??
      entity.urls.map((url) => run.registry.byUrl(url)).find((known) => known !== undefined);
    if (!source || entity.name.trim() === '') continue;
    const urls = entity.urls.filter((url) => run.registry.byUrl(url) !== undefined);
    const key = entityKey(entity.name);
    const before = merged.get(key);
    merged.set(key, {
      ...(before ?? { ...entity, source: source.id }),
      brief: longer(before?.brief ?? '', entity.brief),
      urls: [...new Set([...(before?.urls ?? []), ...urls, ...(source.url ? [source.url] : [])])],
    });
  }
  const order = { high: 0, medium: 1, low: 2 } as const;
  return [...merged.values()].sort((a, b) => order[a.priority] - order[b.priority]).slice(0, maxEntities);
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}
