import type { LoopTask } from './loopTask.ts';
import * as z from 'zod';
import type { Scope, ActInput, GatheredCall, Turn } from '../analyst/analyst.ts';
import type { ToolOutcome } from '../calls/calls.ts';
import { ResearchError } from '../errors.ts';
import { errorText, fillText } from '../languages/texts.ts';
import { searchShare } from '../policy/budget.ts';
import { type Gathering, hasEnough } from '../policy/sectionSufficiency.ts';
import type { ToolCall } from '../ports.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchTool } from '../tools.ts';
import { begunTool, toolRun } from './begunTools.ts';
import { seedTurn } from './seedTurns.ts';
import { moreOf, readMoreArguments, readMoreTool } from '../analyst/readMore.ts';

/** Tools that cost nothing and call nothing. */
const thinkTool = 'think';
const completeTool = 'research_complete';
const stoppedNote = 'The user stopped this section.';
/** A model that gives no usable call in so many turns on end will not give one in the next. */
const hopelessTurns = 3;
/** Turns of a model on end that bring nothing new: the next one does not either. */
const mostDryTurns = 2;

export interface LoopProgress {
  /** One short line on what is being done. */
  readonly activity: string;
  /** Ids of all sources that were found so far. */
  readonly sources: readonly string[];
}

/**
 * Thinks and calls tools, several at once, until the analyst is done, says `research_complete`, or the budget of tool calls
 * is used up. Every call gets its answer: a failure is an observation, a call over the budget a refusal. An analyst that
 * fails after something was found ends the loop with a warning; before, its error is thrown. One that can't be brought to make
 * a usable call is helped out by rules; `badAnswer` is thrown when that calls nothing either.
 */
export async function toolLoop(
  run: RunContext,
  scope: Scope,
  task: LoopTask,
  onProgress: (progress: LoopProgress) => void,
): Promise<readonly GatheredCall[]> {
  const gathered: GatheredCall[] = [];
  const found = new Set<string>(task.known);
  let callsLeft = task.maxCalls;
  let usable = 0;
  let unusableTurns = 0;
  let isHopeless = false;
  /** A model has made a turn: the section's own beginning is over. */
  let isGuided = false;
  let dryTurns = 0;
  let isDone = false;
  /** What was found suffices: what it only names is still opened, which takes no model. */
  let isEnough = false;
  for (let turn = 0; turn < task.maxTurns && !run.finishSignal.aborted; turn += 1) {
    const told = await task.steering?.look(turn, callsLeft);
    if (told?.isStopped || (isDone && !told?.hasNew)) break;
    isDone = false;
    if (run.budget.isNarrow && usable > 0 && found.size > 0) break;
    const remarks = told?.remarks ?? [];
    // What the user has said is for who can read it.
    const own: Turn | undefined =
      isHopeless || isGuided || remarks.length > 0
        ? undefined
        : await seedTurn(run, scope, task, turn, gathered, callsLeft);
    isGuided ||= own === undefined;
    if (isEnough && own === undefined && told?.hasNew !== true) break;
    const decided =
      own ??
      (await decide(
        run,
        scope,
        { ...task, remarks },
        isHopeless ? [] : gathered,
        isHopeless ? 'byRules' : turn,
        callsLeft,
      ));
    if (decided === 'refused') {
      // Searching takes no model: what rules find is at least quoted.
      isHopeless = true;
      continue;
    }
    if (!decided) break;
    if (decided.calls.length === 0) {
      isDone = true;
      continue;
    }
    if (decided.said.trim() !== '') scope.thought(decided.said.trim());
    const planned = decided.calls.map((call, index) => {
      const free = call.name === thinkTool || call.name === completeTool;
      const refused = !free && callsLeft <= 0;
      if (!free && !refused) callsLeft -= 1;
      return { call, index, free, refused };
    });
    onProgress({
      activity: activityOf(
        run,
        planned.filter(({ free, refused }) => !free && !refused).map(({ call }) => call),
      ),
      sources: [...found],
    });
    const usableBefore = usable;
    const foundBefore = found.size;
    let isCutOff = false;
    const answered = await Promise.all(
      planned.map(async ({ call, index, free, refused }): Promise<GatheredCall> => {
        const about = { call, turn, said: decided.said, sources: [], note: '' };
        if (free) return note(call, about, scope);
        if (refused) {
          return {
            ...about,
            error: `Refused: the budget of ${task.maxCalls} tool calls is used up. Finish with what was found.`,
          };
        }
        const { unusable, cutOff, ...outcome } = await callTool(run, scope, task, call, turn, index);
        if (cutOff) isCutOff = true;
        if (unusable) callsLeft += 1;
        else usable += 1;
        for (const id of outcome.sources) found.add(id);
        if (scope.section !== undefined) run.pool.found(scope.section, outcome.sources);
        if (outcome.sources.length > 0) onProgress({ activity: activityOf(run, [call]), sources: [...found] });
        return { ...about, ...outcome };
      }),
    );
    gathered.push(...answered);
    if (isCutOff) break;
    if (usable > usableBefore) unusableTurns = 0;
    else if (!planned.every(({ free }) => free)) unusableTurns += 1;
    const ends = decided.calls.some((call) => call.name === completeTool);
    if (
      !isHopeless &&
      run.fallback !== run.analyst &&
      usable === 0 &&
      unusableTurns > 0 &&
      (ends || unusableTurns >= hopelessTurns)
    ) {
      scope.warn({ kind: 'research.byRules' });
      isHopeless = true;
      continue;
    }
    const over = planned.every(({ free, refused }) => free || refused) && callsLeft <= 0;
    if (isHopeless || unusableTurns >= hopelessTurns || over) break;
    isDone = ends;
    if (ends || run.analyst.kind !== 'llm' || task.role !== 'researcher' || usable === usableBefore) continue;
    // Without a call left a turn could only say that it is done.
    if (callsLeft <= 0) break;
    dryTurns = found.size > foundBefore ? 0 : dryTurns + (own ? 0 : 1);
    isEnough = remarks.length === 0 && hasEnough(gatheringOf(run, task, found, isGuided), run.settings.depth);
    isDone = (isEnough && isGuided) || dryTurns >= mostDryTurns;
  }
  if (
    !scope.signal.aborted &&
    usable === 0 &&
    task.known.length === 0 &&
    gathered.some((call) => call.error !== undefined)
  ) {
    await scope.forget('act/');
    throw new ResearchError('badAnswer', 'The model made no usable tool call.', {
      next: 'Try again, or choose a model that is better at calling tools (deepResearch.model.name).',
    });
  }
  return gathered;
}

/** What was found in this attempt. */
function gatheringOf(run: RunContext, task: LoopTask, found: ReadonlySet<string>, isGuided: boolean): Gathering {
  const { title, queries } = task.task;
  return {
    sources: [...found].filter((id) => !task.known.includes(id)).flatMap((id) => run.registry.get(id) ?? []),
    subjects: [title, ...queries],
    isSentBack: task.gaps.length > 0,
    isGuided,
  };
}

async function decide(
  run: RunContext,
  scope: Scope,
  task: LoopTask & Pick<ActInput, 'remarks'>,
  gathered: readonly GatheredCall[],
  turn: number | 'byRules',
  callsLeft: number,
) {
  const { role, task: subject, question, otherSections, gaps, known, remarks = [] } = task;
  // What the others have by now differs from one life of the run to the next: the line is journalled with the turn.
  const pool =
    scope.section === undefined
      ? ''
      : (
          await run.replay.observed(`${scope.path}/pool/${turn}`, () =>
            run.pool.line(scope.section!, `${subject.title} ${subject.description}`),
          )
        ).value;
  const analyst = turn === 'byRules' ? run.fallback : run.analyst;
  const input: ActInput = {
    role,
    task: subject,
    question,
    otherSections,
    gaps,
    known,
    ...(remarks.length === 0 ? {} : { remarks }),
    pool,
    gathered,
    tools: run.tools,
    // Rules begin at the beginning.
    turn: turn === 'byRules' ? 0 : turn,
    callsLeft,
    ...(run.workspace ? { workspace: run.workspace } : {}),
  };
  try {
    if (analyst.kind === 'llm') return await analyst.act(input, scope);
    // Rules look at how other researchers fared and what they opened, which differs from one life of the run to the next.
    const { value } = await run.replay.observed(`${scope.path}/act/${turn}`, () =>
      analyst.act({ ...input, tools: toolsByRules(run, input) }, scope),
    );
    return value;
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    const failure = ResearchError.from(error);
    // The section alone was stopped: what it has found counts.
    if (scope.signal.aborted || run.finishSignal.aborted || failure.reason === 'finish') return undefined;
    const isEmpty = !gathered.some((call) => call.sources.length > 0) && known.length === 0;
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
}

/** A model picks from all tools. Rules use all that they are given, so they get as many searches as the budget has room for. */
function toolsByRules(run: RunContext, { task, question, known, gathered, turn, callsLeft }: ActInput) {
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

function note(call: ToolCall, about: Omit<GatheredCall, 'error'>, scope: Scope): GatheredCall {
  const reflection = call.name === thinkTool ? (call.args['reflection'] ?? call.args['thought']) : undefined;
  if (typeof reflection === 'string' && reflection.trim() !== '') scope.thought(reflection.trim());
  return { ...about, note: call.name === thinkTool ? 'Noted.' : 'Research ends after this turn.' };
}

async function callTool(
  run: RunContext,
  scope: Scope,
  task: LoopTask,
  call: ToolCall,
  turn: number,
  index: number,
): Promise<
  Pick<GatheredCall, 'sources' | 'note' | 'words' | 'english' | 'error' | 'why'> & {
    readonly unusable?: boolean;
    /** It was in progress when its section was stopped. */
    readonly cutOff?: boolean;
  }
> {
  const failed = (error: string) => ({ sources: [], note: '', error });
  const unusable = (error: string) => ({ ...failed(error), unusable: true });
  const tool = run.tools.find((candidate) => candidate.name === call.name);
  if (!tool && call.name === readMoreTool) {
    const args = readMoreArguments.safeParse(call.args);
    if (!args.success) return unusable('Wrong arguments: read_more needs the id of a source, and what to look for.');
    const source = scope.source(args.data.source);
    if (!source) return unusable(`There is no source "${args.data.source.slice(0, 40)}". Use an id like S3f9a1.`);
    return { sources: [source.id], note: moreOf(source, args.data).note };
  }
  if (!tool)
    return unusable(
      `There is no tool "${call.name}". Tools: ${run.tools.map(({ name }) => name).join(', ')}, ${thinkTool}, ${completeTool}.`,
    );
  if (call.malformed !== undefined)
    return unusable('The arguments were not valid JSON. Send the call again with a JSON object.');
  const key = `${scope.path}/tool/${turn}/${index}`;
  const before = failureSchema.safeParse(run.replay.usedFailure(key, (used) => hasSeen(used, scope.path, turn)));
  if (before.success) return { sources: [], note: '', ...before.data };
  try {
    const args = tool.parameters.safeParse(call.args);
    if (!args.success) {
      return unusable(
        `Wrong arguments: ${args.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`).join('; ')}.`,
      );
    }
    const made = toolRun(scope, task, tool, args.data, key);
    const outcome = await (begunTool(run, made) ?? run.calls.tool(made, scope.signal));
    reportWarnings(run, tool, outcome);
    const query = args.data['query'];
    if (scope.section !== undefined && typeof query === 'string' && !outcome.shared)
      run.pool.searched(scope.section, query);
    const { sources, note: said, words, english } = outcome;
    return { sources, note: said, ...(words ? { words } : {}), ...(english ? { english } : {}) };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    if (scope.signal.aborted) {
      // After a stop nothing is tried again: what had failed before it stays so.
      const known = failureSchema.safeParse(run.replay.recorded(`${key}/failed`));
      return known.success
        ? { ...failed(known.data.error), why: known.data.why }
        : { ...failed(stoppedNote), why: run.texts.stoppedByUser, cutOff: true };
    }
    const observed = observedFailure(run, tool, call.args, ResearchError.from(error), scope.section);
    await run.replay.recordFailure(key, observed);
    return { sources: [], note: '', ...observed };
  }
}

/** Whether the key is of a model call whose prompt has the results of a turn: a later turn, or the distillation. */
function hasSeen(key: string, path: string, turn: number): boolean {
  if (!key.startsWith(`${path}/`)) return false;
  const [step, number] = key.slice(path.length + 1).split('/');
  return step === 'distil' || (step === 'act' && Number(number) > turn);
}

/** In UTF-16 units. */
const longestAddress = 2_000;

const failureSchema = z.object({ error: z.string(), why: z.string() });

/**
 * A failed tool call as an observation, in words for the model and for a person. A source that is down or limited is a
 * warning of the run, once, as is each page that can't be read, and the run continues.
 */
export function observedFailure(
  run: RunContext,
  tool: ResearchTool,
  args: Readonly<Record<string, unknown>>,
  failure: ResearchError,
  section?: string,
): { readonly error: string; readonly why: string } {
  if (failure.reason === 'bug') {
    run.log.error(`${tool.name}: ${failure.stack ?? failure.message}`);
    run.warn({ kind: 'source.bug', source: tool.source, tool: tool.name });
    return {
      error: `${tool.name} failed because of a bug in the tool itself.`,
      why: fillText(run.texts.warnings['source.bug'], { tool: tool.name }),
    };
  }
  const { url } = args;
  if (tool.opensPages && typeof url === 'string' && failure.reason !== 'badRequest') {
    const page = url.slice(0, longestAddress);
    run.warn({ kind: 'page.unread', url: url.slice(0, 300), error: failure });
    const about = { url: page, why: errorText(failure, run.texts), ...(section === undefined ? {} : { section }) };
    if (run.supplied.unread(page, section)) run.emit({ type: 'page/unread', ...about });
  } else if (failure.hasReason('rateLimit', 'network', 'timeout', 'auth', 'badAnswer'))
    run.warn({ kind: 'source.failed', source: tool.source, error: failure });
  return { error: failure.message, why: errorText(failure, run.texts) };
}

/** What the user should know of a source that answered. */
export function reportWarnings(run: RunContext, tool: ResearchTool, { warnings = [] }: ToolOutcome): void {
  for (const text of warnings) run.warn({ kind: 'source.notice', source: tool.source, text });
}

/** What is asked where, on one line for a person: the source, not the name of its tool. */
function activityOf(run: RunContext, calls: readonly ToolCall[]): string {
  const [first] = calls;
  if (!first) return '';
  const where = run.tools.find(({ name }) => name === first.name)?.source ?? first.name;
  const query = Object.values(first.args).find((value) => typeof value === 'string');
  const what = query === undefined ? where : `${where}: ${query}`;
  const line = what.length > 90 ? `${what.slice(0, 89)}…` : what;
  return calls.length > 1 ? `${line} (+${calls.length - 1})` : line;
}
