import type { GatheredCall, Scope } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import type { ToolCall } from '../ports.ts';
import type { RunContext } from '../run/runContext.ts';
import { type ResearchTool, sourceTraits } from '../tools.ts';
import { observedFailure, tellOf } from './toolLoop.ts';

const openedPerQuery = 1;

export interface SearchTask {
  readonly queries: readonly string[];
  /** What results are ordered and cut by. */
  readonly focus: string;
}

/**
 * Sends every query to every search tool in parallel, within the budget of tool calls, and opens the best repositories of
 * which a search gave no more than a line. A tool that fails is an observation.
 */
export async function searchAll(run: RunContext, scope: Scope, task: SearchTask): Promise<readonly GatheredCall[]> {
  const budget = run.settings['limits.maxToolCallsPerResearcher'];
  const searches = run.tools.filter((tool) => tool.kind === 'search');
  // Every query gets its first tool before any gets its second.
  const planned: Planned[] = searches
    .flatMap((tool) => task.queries.map((query) => ({ tool, args: { query } })))
    .slice(0, budget);
  const found = await Promise.all(
    planned.map(({ tool, args }, index) => callOne(run, scope, task, tool, args, `search/${index}`)),
  );
  const opened = await Promise.all(
    toOpen(run, found, task.queries.length)
      .slice(0, Math.max(0, budget - planned.length))
      .map(({ tool, args }, index) => callOne(run, scope, task, tool, args, `open/${index}`)),
  );
  return [...found, ...opened];
}

interface Planned {
  readonly tool: ResearchTool;
  readonly args: Readonly<Record<string, unknown>>;
}

async function callOne(
  run: RunContext,
  scope: Scope,
  task: SearchTask,
  tool: ResearchTool,
  args: Readonly<Record<string, unknown>>,
  label: string,
): Promise<GatheredCall> {
  const call: ToolCall = { id: label, name: tool.name, args };
  const about = { call, turn: 0, said: '' };
  try {
    const outcome = await run.calls.tool(
      {
        key: `${scope.path}/${label}`,
        section: scope.section,
        tool,
        args,
        context: { focus: task.focus, language: scope.language },
      },
      scope.signal,
    );
    tellOf(run, tool, outcome);
    const { sources, note, shared } = outcome;
    if (scope.section !== undefined) {
      run.pool.found(scope.section, sources);
      if (!shared && typeof args['query'] === 'string') run.pool.searched(scope.section, args['query']);
    }
    return { ...about, sources, note };
  } catch (error) {
    if (scope.signal.aborted) throw scope.signal.reason;
    return { ...about, sources: [], note: '', ...observedFailure(run, tool, ResearchError.from(error)) };
  }
}

/** What the sources would open of the results so far. */
function toOpen(run: RunContext, found: readonly GatheredCall[], queries: number): Planned[] {
  const sources = found.flatMap((call) => call.sources).map((id) => run.registry.get(id)!);
  const wishes = sourceTraits(run.tools).flatMap((traits) => traits.open?.(sources, run.workspace) ?? []);
  return wishes.slice(0, openedPerQuery * queries).flatMap(({ name, args }) => {
    const tool = run.tools.find((candidate) => candidate.name === name);
    return tool === undefined ? [] : [{ tool, args }];
  });
}
