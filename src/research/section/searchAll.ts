import type { GatheredCall, Scope } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import type { ToolCall } from '../ports.ts';
import type { RunContext, CallPort, AnalystPort, EvidencePort } from '../run/runContext.ts';
import { interleave } from '../policy/interleave.ts';
import { searchShare } from '../policy/budget.ts';
import { type ChosenCall, type ResearchTool, sourceTraits } from '../tools.ts';
import { foundBy, observedFailure, reportWarnings } from './toolCall.ts';

/** Of one source. */
const openedPerQuery = 1;

export interface SearchTask {
  readonly queries: readonly string[];
  /** What results are ordered and cut by. */
  readonly focus: string;
}

/**
 * Sends every query to the search tools that {@link SourceChoice} deals it, in parallel, and opens with the rest of the budget
 * of tool calls what the searches only named. A tool that fails is an observation.
 */
export async function searchAll(run: RunContext, scope: Scope, task: SearchTask): Promise<readonly GatheredCall[]> {
  const maxCalls = run.settings['limits.maxToolCallsPerResearcher'];
  const planned = await plannedSearches(run, scope, task, searchShare(maxCalls));
  const found = await Promise.all(
    planned.map(({ tool, args }, index) => callOne(run, scope, task, tool, args, `search/${index}`)),
  );
  // What others have opened by now may differ after a resume, so it is journalled.
  const { value: chosen } = await run.replay.observed(`${scope.path}/open`, () =>
    toOpen(run, found, task.queries.length).slice(0, maxCalls - planned.length),
  );
  const opened = await Promise.all(
    called(run, chosen).map(({ tool, args }, index) => callOne(run, scope, task, tool, args, `open/${index}`)),
  );
  return [...found, ...opened];
}

/** A choice that is in the journal is used again: so are its calls. */
async function plannedSearches(run: CallPort, scope: Scope, task: SearchTask, count: number): Promise<Planned[]> {
  const searches = run.tools.filter((tool) => tool.kind === 'search');
  const all = searches.flatMap((tool) => task.queries.map((query) => ({ tool, args: { query } })));
  if (all.length <= count) return all;
  const texts = task.queries.map((query) => `${query} ${task.focus}`);
  const { value: chosen } = await run.replay.observed(`${scope.path}/sources`, () =>
    run.sources
      .deal(texts, count, run.tools)
      .flatMap((tools, index) => tools.map(({ name }) => ({ name, args: { query: task.queries[index]! } }))),
  );
  return called(run, chosen);
}

function called(run: CallPort, calls: readonly ChosenCall[]): Planned[] {
  return calls.flatMap(({ name, args }) => {
    const tool = run.tools.find((candidate) => candidate.name === name);
    return tool === undefined ? [] : [{ tool, args }];
  });
}

interface Planned {
  readonly tool: ResearchTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Makes calls that were chosen, all at once; each rejects only when aborted. */
export function callAll(
  run: RunContext,
  scope: Scope,
  task: SearchTask,
  chosen: readonly ChosenCall[],
): readonly Promise<GatheredCall>[] {
  return called(run, chosen).map(({ tool, args }, index) => callOne(run, scope, task, tool, args, `search/${index}`));
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
  const about = { call, turn: 0, said: '', sources: [], note: '' };
  try {
    const context = { focus: task.focus, language: scope.language };
    const made = { key: `${scope.path}/${label}`, section: scope.section, tool, args, context };
    const outcome = await run.calls.tool(made, scope.signal);
    reportWarnings(run, tool, outcome);
    return { ...about, ...foundBy(outcome) };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    // The section alone was stopped: what it has found counts.
    if (scope.signal.aborted) return { ...about, error: 'Stopped.', why: run.texts.stoppedByUser };
    return { ...about, ...observedFailure(run, tool, args, ResearchError.from(error), scope.section) };
  }
}

/** What the sources would open of the results so far: the best of each before the second of any. */
function toOpen(
  run: AnalystPort & CallPort & EvidencePort,
  found: readonly GatheredCall[],
  queries: number,
): ChosenCall[] {
  const sources = found.flatMap((call) => call.sources).map((id) => run.registry.get(id)!);
  const wishes = sourceTraits(run.tools).map(
    (traits) => traits.open?.(sources, run.workspace).slice(0, openedPerQuery * queries) ?? [],
  );
  return interleave(wishes);
}
