import type { GatheredCall, Scope, Turn } from '../analyst/analyst.ts';
import { searchShare } from '../policy/budget.ts';
import { interleave } from '../policy/interleave.ts';
import type { RunContext, CallPort, EvidencePort, LimitPort } from '../run/runContext.ts';
import { type ChosenCall, sourceTraits } from '../tools.ts';
import { beginTool } from './begunTools.ts';
import type { LoopTask } from './loopTask.ts';

/** Searches that a section begins with, and found documents that are opened after them, by depth; a part of the calls is the model's. */
const searches = { quick: 3, standard: 5, deep: 8 } as const;
const opened = { quick: 0, standard: 2, deep: 4 } as const;
/** Searches with the person's own question, when those of the plan found nothing. */
const questionSearches = 3;

/**
 * The turns of a model's researcher that need no model: the queries that came with the section are sent; where they find nothing,
 * the person's own question; then what the results only name is opened. Undefined when the next turn is the model's.
 */
export async function seedTurn(
  run: RunContext,
  scope: Scope,
  task: LoopTask,
  turn: number,
  gathered: readonly GatheredCall[],
  callsLeft: number,
): Promise<Turn | undefined> {
  // What is missing after a review is in no query of the plan.
  if (run.analyst.kind !== 'llm' || task.role !== 'researcher' || task.gaps.length > 0) return undefined;
  const calls = (await ownCalls(run, scope, task, turn, gathered)).slice(0, turn === 0 ? callsLeft : callsLeft / 2);
  if (calls.length === 0) return undefined;
  return { said: '', calls: calls.map(({ name, args }, index) => ({ id: `turn${turn}_${index}`, name, args })) };
}

async function ownCalls(
  run: CallPort & EvidencePort & LimitPort,
  scope: Scope,
  task: LoopTask,
  turn: number,
  gathered: readonly GatheredCall[],
): Promise<readonly ChosenCall[]> {
  if (turn === 0) return firstSearches(run, scope, task);
  const { value } = await run.replay.observed(`${scope.path}/own/${turn}`, () => {
    if (!gathered.some(({ sources }) => sources.length > 0))
      return turn === 1 ? searchesOf(run, askedFor(task), questionSearches) : [];
    return gathered.some((call) => isOpening(run, call)) ? [] : openings(run, gathered, opened[run.settings.depth]);
  });
  return value;
}

/** The person's own question, and with the section's title in front, so that sections don't all find the same. */
function askedFor({ question, task: { title } }: LoopTask): string[] {
  return title === question ? [question] : [question, `${title}, ${question}`];
}

/** Chooses what a section's research begins with before its researcher does, and sends it. */
export function beginSearches(run: CallPort & LimitPort, scope: Scope, task: LoopTask): void {
  run.prefetch.start(placeOf(scope, task), async () => {
    const calls = await chosenSearches(run, scope, task);
    for (const [index, call] of calls.entries()) beginTool(run, scope, task, call, index);
    return calls;
  });
}

async function firstSearches(run: CallPort & LimitPort, scope: Scope, task: LoopTask): Promise<readonly ChosenCall[]> {
  return (await run.prefetch.take<readonly ChosenCall[]>(placeOf(scope, task))) ?? chosenSearches(run, scope, task);
}

function placeOf({ path }: Scope, { task }: LoopTask): string {
  return `${path}/own/0 ${task.queries.join(' | ')}`;
}

async function chosenSearches(
  run: CallPort & LimitPort,
  scope: Scope,
  { task, maxCalls }: LoopTask,
): Promise<readonly ChosenCall[]> {
  const given = task.queries.filter((query) => query.trim() !== '');
  // A delegated topic, or the question itself, has no queries.
  const queries = given.length > 0 ? given : [task.title];
  const { depth } = run.settings;
  const usual = Math.min(Math.ceil(maxCalls / 2), searches[depth]);
  // Every source that fits is asked, where the budget has room for them and for opening what they find.
  const fitting = depth === 'quick' ? 0 : run.sources.fitting(queries, run.tools);
  const count = Math.max(usual, Math.min(searchShare(maxCalls), fitting));
  // What other researchers have chosen by now may differ after a resume, so it is journalled.
  const { value } = await run.replay.observed(
    `${scope.path}/own/0`,
    () => searchesOf(run, queries, count),
    queries.join('\n'),
  );
  return value;
}

/**
 * Each query to the tools that it is dealt, in the words that the tool's source understands. In the order of the tools: which
 * source has answered by now depends on timing, and the prompts with the results must not.
 */
export function searchesOf(run: CallPort, queries: readonly string[], count: number): ChosenCall[] {
  const calls = run.sources.deal(queries, count).flatMap((dealt, index) => {
    const text = queries[index]!;
    // A section may have fewer sources than the run.
    const tools = run.tools.filter(({ name }) => dealt.some((tool) => tool.name === name));
    return tools.flatMap(({ name, traits }): ChosenCall[] => {
      const query = traits?.fitQuery?.({ text, subject: text, englishSubject: '' }) ?? text;
      return query === '' ? [] : [{ name, args: { query } }];
    });
  });
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}

/** Calls that open what the results of searches only name. */
export function openings(run: CallPort & EvidencePort, gathered: readonly GatheredCall[], most: number): ChosenCall[] {
  const found = [...new Set(gathered.flatMap(({ sources }) => sources))].flatMap((id) => run.registry.get(id) ?? []);
  // Without the workspace's facts: what it cites has nothing to do with these results.
  const wishes = sourceTraits(run.tools).map((traits) => traits.open?.(found, undefined) ?? []);
  return interleave(wishes).slice(0, most);
}

function isOpening(run: CallPort, { call }: GatheredCall): boolean {
  return run.tools.some(({ name, kind }) => name === call.name && kind === 'read');
}
