import type { ActInput, Analyst, GatheredCall, Scope, Turn } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { searchShare } from '../policy/budget.ts';
import { hasEnough } from '../policy/sectionSufficiency.ts';
import type { ToolCall } from '../ports.ts';
import type { RunContext, AnalystPort, EvidencePort, LimitPort, CallPort } from '../run/runContext.ts';
import {
  type CallOutcome,
  endsBefore,
  fatesOf,
  firstState,
  joined,
  type LoopRules,
  type LoopState,
  step,
  thinkTool,
  type TurnOutcome,
} from './loopState.ts';
import type { LoopTask } from './loopTask.ts';
import { answeredInTime, graceMs, lookCalls, PendingCalls } from './pendingCalls.ts';
import { openings, seedTurn } from './seedTurns.ts';
import { callTool } from './toolCall.ts';

export interface LoopProgress {
  /** One short line on what is being done. */
  readonly activity: string;
  /** Ids of all sources that were found so far. */
  readonly sources: readonly string[];
}

/** What a researcher works with. */
interface Loop {
  readonly run: RunContext;
  readonly scope: Scope;
  readonly task: LoopTask;
  readonly onProgress: (progress: LoopProgress) => void;
}

export interface Researched {
  readonly gathered: readonly GatheredCall[];
  /** Calls that were not waited for. */
  readonly pending: readonly PendingCalls[];
}

/**
 * Thinks and calls tools, several at once, until the analyst is done, says `research_complete`, or the budget of tool calls
 * is used up: {@link step} decides after each turn. Every call gets its answer: a failure is an observation, a call over the budget a
 * refusal. An analyst that fails after something was found ends the loop with a warning; before, its error is thrown. One that can't be
 * brought to make a usable call is helped out by rules; `badAnswer` is thrown when that calls nothing either.
 */
export async function toolLoop(
  run: RunContext,
  scope: Scope,
  task: LoopTask,
  onProgress: (progress: LoopProgress) => void,
): Promise<Researched> {
  const loop = { run, scope, task, onProgress };
  const rules = rulesOf(run, task);
  let state = firstState(task);
  let look: PendingCalls | undefined;
  let late: PendingCalls | undefined;
  const isIn = async (calls: PendingCalls, at: string): Promise<boolean> =>
    (await run.replay.observed(`${calls.path}/${at}`, () => calls.isDone)).value;
  while (!state.isOver && state.turn < task.maxTurns && !run.finishSignal.aborted) {
    const told = (await task.steering?.look(state.turn, state.callsLeft)) ?? silence;
    if (endsBefore(state, told, run.budget.isNarrow)) break;
    if (late && (await isIn(late, `in/${state.turn}`))) {
      state = joined(state, late.held, await late.outcome);
      late = undefined;
    }
    if (state.turn === 1 && (await mayLook(loop, state, told))) {
      // Its turn and its calls are set aside: what code does meanwhile doesn't depend on how it goes.
      const held = Math.min(lookCalls, Math.floor(state.callsLeft / 2));
      look = beginLook(loop, { ...state, callsLeft: held });
      state = { ...state, turn: state.turn + 1, callsLeft: state.callsLeft - held };
    }
    const seed = await seedOf(loop, state, told);
    if (look && seed === undefined && !state.isEnough && !told.hasNew) {
      state = step({ ...state, callsLeft: state.callsLeft + look.held }, await look.outcome, rules);
      look = undefined;
      continue;
    }
    const outcome = await takeTurn(loop, state, told, seed);
    const next = step(state, outcome, rules);
    if (outcome.kind === 'called' && next.lead === 'rules' && state.lead !== 'rules')
      scope.warn({ kind: 'research.byRules' });
    late = outcome.late ?? late;
    state = next;
  }
  const pending: PendingCalls[] = [];
  for (const calls of [late, look]) {
    if (calls === undefined) continue;
    if (await isIn(calls, 'joined')) state = joined(state, calls.held, await calls.outcome);
    else pending.push(calls);
  }
  const { usable, gathered } = state;
  const isUnusable = usable === 0 && task.known.length === 0 && gathered.some((call) => call.error !== undefined);
  if (isUnusable && !scope.signal.aborted) {
    await scope.forget('act/');
    throw new ResearchError('badAnswer', 'The model made no usable tool call.', {
      next: 'Try again, or choose a model that is better at calling tools (deepResearch.model.name).',
    });
  }
  return { gathered, pending };
}

/** Whether the model looks at what the first searches found. The first answer holds after a resume. */
async function mayLook({ run, scope, task }: Loop, state: LoopState, told: Told): Promise<boolean> {
  const { lead, gathered, callsLeft } = state;
  if (!task.looks || lead !== 'code' || told.isStopped || told.remarks.length > 0 || callsLeft < 2) return false;
  if (!gathered.some(({ sources }) => sources.length > 0)) return false;
  return (await run.replay.observed(`${scope.path}/look`, () => !run.budget.isNarrow)).value;
}

function beginLook(loop: Loop, state: LoopState): PendingCalls {
  const [scope, stop] = stoppableScope(loop);
  const own = { ...loop, scope, onProgress: () => undefined };
  const turn = decide(own, state, [], true).then((decided) => {
    if (decided === undefined || decided === 'refused' || stop.signal.aborted) return undefined;
    if (decided.said.trim() !== '') scope.thought(decided.said.trim());
    return startCalls(own, state, decided).map((call, index) => withBest(own, state, decided, call, index));
  });
  return new PendingCalls(`${loop.scope.path}/look`, state.callsLeft, turn, stop);
}

type Told = Awaited<ReturnType<NonNullable<LoopTask['steering']>['look']>>;
const silence: Told = { isStopped: false, remarks: [], hasNew: false };

function rulesOf(
  run: AnalystPort & EvidencePort & LimitPort,
  { role, task: { title, queries }, known, gaps }: LoopTask,
): LoopRules {
  return {
    hasRules: run.analyst.kind === 'llm',
    endsByCode: run.analyst.kind === 'llm' && role === 'researcher',
    hasEnough: (found, isGuided) => {
      const sources = [...found].filter((id) => !known.includes(id)).flatMap((id) => run.registry.get(id) ?? []);
      const works = (ids: Iterable<string>): number => run.registry.works(ids);
      const gathering = { sources, subjects: [title, ...queries], isSentBack: gaps.length > 0, isGuided, works };
      return hasEnough(gathering, run.settings.depth);
    },
  };
}

/** A search names its results: the best of each is opened as well, since the look has no further turn. */
async function withBest(
  { run, scope, task }: Loop,
  { turn }: LoopState,
  { calls }: Turn,
  searched: Promise<CallOutcome>,
  index: number,
): Promise<CallOutcome> {
  const outcome = await searched;
  const { value } = await run.replay.observed(`${scope.path}/own/${turn}/${index}`, () =>
    outcome.fate === 'usable' ? openings(run, [outcome.answer], 1) : [],
  );
  const [best] = scope.signal.aborted ? [] : value;
  const at = calls.length + index;
  if (best) await callTool(run, scope, task, { id: `turn${turn}_${at}`, ...best }, turn, at);
  return outcome;
}

/** The calls of a turn that needs no model. Remarks of the user need a reader. */
async function seedOf({ run, scope, task }: Loop, state: LoopState, { remarks }: Told): Promise<Turn | undefined> {
  const { turn, gathered, callsLeft, lead } = state;
  if (lead !== 'code' || remarks.length > 0 || run.tools.length === 0) return undefined;
  return seedTurn(run, scope, task, turn, gathered, callsLeft);
}

/** What a turn came to, and calls of it that were not waited for. */
type Taken = TurnOutcome & { readonly late?: PendingCalls | undefined };

async function takeTurn(
  loop: Loop,
  state: LoopState,
  { remarks, hasNew }: Told,
  seed: Turn | undefined,
): Promise<Taken> {
  const { run, scope } = loop;
  // All that it has was read before.
  if (run.tools.length === 0) return { kind: 'over' };
  if (state.isEnough && seed === undefined && !hasNew) return { kind: 'over' };
  const decided = seed ?? (await decide(loop, state, remarks));
  if (decided === 'refused') return { kind: 'refused' };
  if (decided === undefined) return { kind: 'over' };
  if (decided.calls.length === 0) return { kind: 'idle' };
  if (decided.said.trim() !== '') scope.thought(decided.said.trim());
  const hasRemarks = remarks.length > 0;
  if (seed !== undefined && state.turn === 0) return firstTurn(loop, state, seed, hasRemarks);
  const calls = await Promise.all(startCalls(loop, state, decided));
  return { kind: 'called', calls, isSeed: seed !== undefined, hasRemarks };
}

/**
 * A section's first searches, of which the slow ones (arXiv takes a request each 3 s) hold nothing up where the others suffice. What is on
 * this machine is the user's own, and is waited for.
 */
async function firstTurn(loop: Loop, state: LoopState, seed: Turn, hasRemarks: boolean): Promise<Taken> {
  const { run, task } = loop;
  const [scope, stop] = stoppableScope(loop);
  const path = `${scope.path}/searches`;
  const started = startCalls({ ...loop, scope }, state, seed);
  const { hasEnough } = rulesOf(run, task);
  const isLocal = (index: number): boolean =>
    run.tools.some(({ name, traits }) => name === seed.calls[index]?.name && traits?.isLocal === true);
  const { value: known } = await run.replay.observed(`${path}/answered`, () =>
    answeredInTime(started, isLocal, (found) => hasEnough(found, true)),
  );
  const calls = await Promise.all(started.filter((_, index) => known.includes(index)));
  const others = started.filter((_, index) => !known.includes(index));
  const late =
    others.length === 0 ? undefined : new PendingCalls(path, others.length, Promise.resolve(others), stop, graceMs);
  return { kind: 'called', calls, isSeed: true, hasRemarks, held: others.length, late };
}

/** The loop's scope with an end of its own. */
function stoppableScope({ scope }: Loop): readonly [Scope, AbortController] {
  const stop = new AbortController();
  return [{ ...scope, signal: AbortSignal.any([scope.signal, stop.signal]) }, stop];
}

/** Makes the calls of a turn, all at once. */
function startCalls(loop: Loop, state: LoopState, { said, calls }: Turn): Promise<CallOutcome>[] {
  const { run, scope, task, onProgress } = loop;
  const { turn } = state;
  const found = new Set(state.found);
  const fates = fatesOf(calls, state.callsLeft);
  const sent = calls.filter((_, index) => fates[index] === 'sent');
  onProgress({ activity: activityOf(run, sent), sources: [...found] });
  const refusal = `Refused: the budget of ${task.maxCalls} tool calls is used up. Finish with what was found.`;
  return calls.map(async (call, index): Promise<CallOutcome> => {
    const about = { call, turn, said, sources: [], note: '' };
    const fate = fates[index]!;
    if (fate === 'free') return { fate, answer: noted(call, about, scope) };
    if (fate === 'refused') return { fate, answer: { ...about, error: refusal } };
    const { isUnusable, cutOff = false, ...answer } = await callTool(run, scope, task, call, turn, index);
    for (const id of answer.sources) found.add(id);
    if (answer.sources.length > 0) onProgress({ activity: activityOf(run, [call]), sources: [...found] });
    return { fate: isUnusable ? 'unusable' : 'usable', cutOff, answer: { ...about, ...answer } };
  });
}

/** The next calls; `refused` where the model can't be used and rules can. */
async function decide(
  loop: Loop,
  state: LoopState,
  remarks: readonly string[],
  isLook = false,
): Promise<Turn | 'refused' | undefined> {
  const { run, scope, task } = loop;
  const isByRules = state.lead === 'rules';
  const analyst = isByRules ? run.fallback : run.analyst;
  const place = isByRules ? 'byRules' : state.turn;
  const input = actInput(loop, state, place, remarks);
  try {
    if (analyst.kind === 'llm') return await analyst.act({ ...input, isLook }, scope);
    // Rules look at how other researchers fared and what they opened, which may differ after a resume: the choice is journalled.
    const { value } = await run.replay.observed(`${scope.path}/act/${place}`, () =>
      analyst.act({ ...input, tools: toolsByRules(run, input) }, scope),
    );
    return value;
  } catch (error) {
    const isEmpty = !input.gathered.some((call) => call.sources.length > 0) && task.known.length === 0;
    return withoutTurn(loop, error, analyst, isEmpty);
  }
}

function actInput(
  { run, task }: Loop,
  state: LoopState,
  place: 'byRules' | number,
  remarks: readonly string[],
): ActInput {
  const { role, task: subject, question, otherSections, gaps, known } = task;
  return {
    ...{ role, task: subject, question, otherSections, gaps, known },
    ...(remarks.length === 0 ? {} : { remarks }),
    ...{ tools: run.tools, callsLeft: state.callsLeft },
    // Rules begin at the beginning.
    ...(place === 'byRules' ? { gathered: [], turn: 0 } : { gathered: state.gathered, turn: place }),
    ...(run.workspace ? { workspace: run.workspace } : {}),
  };
}

/** An analyst that failed: the loop ends with what it has, or rules take over, or the failure is thrown. */
function withoutTurn({ run, scope }: Loop, error: unknown, analyst: Analyst, isEmpty: boolean): 'refused' | undefined {
  if (run.signal.aborted) throw run.signal.reason;
  const failure = ResearchError.from(error);
  // The section alone was stopped: what it has found counts.
  if (scope.signal.aborted || run.finishSignal.aborted || failure.reason === 'finish') return undefined;
  if (isEmpty && analyst !== run.fallback && !failure.hasReason('auth', 'quota', 'notFound')) {
    // The budget has a warning of its own, once.
    if (failure.reason !== 'budget') run.warn({ kind: 'step.byRules', step: 'act', error: failure });
    return 'refused';
  }
  if (failure.reason === 'budget') return undefined;
  if (isEmpty) throw failure;
  scope.warn({ kind: 'research.cutShort', error: failure });
  return undefined;
}

/** A model picks from all tools. Rules use all that they are given, so they get as many searches as the budget has room for. */
function toolsByRules(run: CallPort, { task, question, known, gathered, turn, callsLeft }: ActInput) {
  const count = searchShare(callsLeft);
  const isReading = turn > 0 && (known.length > 0 || gathered.some(({ sources }) => sources.length > 0));
  if (isReading || run.tools.filter(({ kind }) => kind === 'search').length <= count) return run.tools;
  const chosen = run.sources.choose(
    [question, task.title, task.description, ...task.queries].join(' '),
    count,
    run.tools,
  );
  return run.tools.filter((tool) => tool.kind === 'read' || chosen.includes(tool));
}

function noted(call: ToolCall, about: Omit<GatheredCall, 'error'>, scope: Scope): GatheredCall {
  const reflection = call.name === thinkTool ? (call.args['reflection'] ?? call.args['thought']) : undefined;
  if (typeof reflection === 'string' && reflection.trim() !== '') scope.thought(reflection.trim());
  return { ...about, note: call.name === thinkTool ? 'Noted.' : 'Research ends after this turn.' };
}

/** What is asked where, on one line for a person: the source, not the name of its tool. */
function activityOf(run: CallPort, calls: readonly ToolCall[]): string {
  const [first] = calls;
  if (!first) return '';
  const where = run.tools.find(({ name }) => name === first.name)?.source ?? first.name;
  const query = Object.values(first.args).find((value) => typeof value === 'string');
  const what = query === undefined ? where : `${where}: ${query}`;
  const line = what.length > 90 ? `${what.slice(0, 89)}…` : what;
  return calls.length > 1 ? `${line} (+${calls.length - 1})` : line;
}
