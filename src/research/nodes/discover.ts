import { Command } from '@langchain/langgraph';
import type { DiscoveredEntity } from '../../protocol/events.ts';
import { maxEntities } from '../../protocol/planBounds.ts';
import { maxPlanned } from '../../protocol/strategy.ts';
import type { GatheredCall } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import type { Route } from '../routes.ts';
import { entityKey } from '../evidence/entityKey.ts';
import { mustApproveEntities } from '../plan/proposal.ts';
import { optionalFailure } from '../run/failure.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import { toolLoop } from '../section/toolLoop.ts';
import type { ResearchStateType } from '../state.ts';
import { questionOf } from '../run/questionOf.ts';

const callsPerRound = 4;

/**
 * For list questions: finds the members that the report is about, each with a source that was fetched in this run. Where they wait for
 * no one, they are extracted beside the plan, which is made of the same sources, and the research.
 */
export function discoverNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'discover'>> => {
    run.emit({ type: 'run/phase', phase: 'discover' });
    const question = questionOf(run, state);
    const rounds = run.settings['limits.maxDiscoverIterations'];
    try {
      const { gathered: calls } = await toolLoop(
        run,
        stepScope(run, state, 'discover', 'discover'),
        {
          role: 'discoverer',
          task: { title: targetOf(run, state), description: question.clarifiedQuestion, queries: [] },
          question: question.clarifiedQuestion,
          otherSections: [],
          gaps: [],
          known: [],
          maxCalls: rounds * callsPerRound,
          maxTurns: rounds,
        },
        () => undefined,
      );
      if (!calls.some((call) => call.sources.length > 0)) {
        run.warn({ kind: 'discover.nothing' });
        return new Command({ goto: 'plan' });
      }
      if (!mustApproveEntities(run, state, maxPlanned)) {
        run.prefetch.start(membersPlace, () => membersOf(run, state, calls));
        return new Command({ update: { retrieved: [{ section: '', calls }] }, goto: 'plan' });
      }
      const update = await membersOf(run, state, calls);
      const isWaiting = mustApproveEntities(run, state, update.discoveredItems?.length ?? 0);
      return new Command({ update, goto: isWaiting ? 'approveEntities' : 'plan' });
    } catch (error) {
      // The plan can be made without: a list from the question's own words is worse, but no reason to lose the run.
      run.warn({ kind: 'discover.failed', error: optionalFailure(run, 'discover', error) });
      return new Command({ goto: 'plan' });
    }
  };
}

const membersPlace = 'members';

/** The members that were extracted beside the plan and the research; none where "finish now" was faster. */
export async function pendingMembers(run: RunContext, state: ResearchStateType): Promise<Partial<ResearchStateType>> {
  const [found] = state.retrieved;
  if (!found || state.analysis?.needsDiscovery !== true) return {};
  const begun = run.prefetch.take<Partial<ResearchStateType>>(membersPlace) ?? membersOf(run, state, found.calls);
  const members = await begun.catch((error: unknown) => {
    if (!ResearchError.is(error, 'finish')) throw error;
    return {};
  });
  return { ...members, retrieved: [] };
}

async function membersOf(
  run: RunContext,
  state: ResearchStateType,
  gathered: readonly GatheredCall[],
): Promise<Partial<ResearchStateType>> {
  const input = { ...questionOf(run, state), target: targetOf(run, state), gathered };
  try {
    const discovery = await run.analyst.discover(input, stepScope(run, state, 'discover', 'discover'));
    const entities = mergeEntities(run, discovery.entities);
    const { summary: discoverySummary, coverage: discoveryCoverage } = discovery;
    const needsApproval = mustApproveEntities(run, state, entities.length);
    run.emit({ type: 'discover/found', entities, coverage: discoveryCoverage, needsApproval });
    return { discoveredItems: entities, discoverySummary, discoveryCoverage };
  } catch (error) {
    run.warn({ kind: 'discover.failed', error: optionalFailure(run, 'discover', error) });
    return {};
  }
}

function targetOf(run: RunContext, state: ResearchStateType): string {
  return state.analysis!.discoveryTarget.trim() || questionOf(run, state).clarifiedQuestion;
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
