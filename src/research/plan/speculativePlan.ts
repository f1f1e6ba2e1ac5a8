import { maxPlanned, strategyOf } from '../../protocol/strategy.ts';
import type { Analysis, GatheredCall, Plan, PlannedSection } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { atMost } from '../calls/waiting.ts';
import type { Source } from '../evidence/source.ts';
import { isRefocused, mayBeginEarly } from '../policy/beginEarly.ts';
import { chooseStrategy } from '../policy/chooseStrategy.ts';
import { stepScope, type RunContext, type AnalystPort, type CallPort, type LimitPort } from '../run/runContext.ts';
import { searchesOf } from '../section/seedTurns.ts';
import { callAll } from '../section/searchAll.ts';
import type { ResearchStateType } from '../state.ts';
import { unanalyzed } from '../stateSchema.ts';
import { minPlanned } from './proposal.ts';

/**
 * What begins beside the assessment of a complete question: searches with its own words, its classification, and a plan that reads
 * what the searches found. All of it is made of the question alone, so that it can be made at any time: a step takes what was
 * begun, replays it from the journal, or does it then.
 */
type Asked = Pick<ResearchStateType, 'originalQuery' | 'today' | 'language'>;
type Beginning = Asked & Pick<ResearchStateType, 'asked' | 'lookups' | 'outline'>;

/** Searches with the question's own words, and how long the slowest of them is waited for, in milliseconds. */
const scopingSearches = 3;
const scopingWaitMs = 1_500;
/** Sources that a plan is shown. */
const mostFound = 12;
const earlyPath = 'ahead/plan';
const scopingPath = 'ahead/scoping';

export function beginsEarly(
  run: AnalystPort & CallPort & LimitPort,
  { originalQuery, language, asked, lookups, outline }: Beginning,
): boolean {
  if (run.analyst.kind !== 'llm' || asked.length > 0 || lookups.length > 0 || outline !== undefined) return false;
  const hasFolder = run.tools.some(({ traits, kind }) => traits?.isLocal && kind === 'search');
  return mayBeginEarly(originalQuery, language, { workspace: run.workspace, hasFolder }, run.settings);
}

/** Whether what began with the question's own words serves it as it was understood. */
export function holdsEarly(
  run: AnalystPort & CallPort & LimitPort,
  state: Beginning & Pick<ResearchStateType, 'clarifiedQuery' | 'assessment'>,
) {
  const { originalQuery, clarifiedQuery, assessment } = state;
  return (
    assessment !== undefined && beginsEarly(run, state) && !isRefocused(originalQuery, clarifiedQuery || originalQuery)
  );
}

/** What began beside an assessment. */
export interface Beginnings {
  /** The model has begun to answer: it can be reached. */
  readonly answering: () => void;
  /** The question can be researched unchanged: starts the work that has not started. */
  readonly goOn: () => void;
  /** It has to be answered first. */
  readonly drop: () => void;
}

/** Starts the searches while the model has its trial: they need none. Once begun they aren't made again. */
export function searchEarly(run: RunContext, state: Asked): void {
  if (beginsEarly(run, { ...state, asked: [], lookups: [], outline: undefined })) startScoping(run, state);
}

function startScoping(run: RunContext, state: Asked): void {
  run.prefetch.start('scoping', (signal) => scopingOf(run, state, signal));
}

/** Starts the searches at once, and the rest when the model has begun to answer. */
export function beginEarly(run: RunContext, state: Asked): Beginnings {
  let isDecided = false;
  const search = (): void => startScoping(run, state);
  const ask = (): void => {
    run.prefetch.start('analyze', (signal) => analyzeEarly(run, state, signal));
    run.prefetch.start('plan', async (signal) => {
      const { strategy } = chooseStrategy(run.settings.strategy, state.originalQuery, unanalyzed, []);
      return strategyOf(strategy).early === 'plan' ? new EarlyPlan(run, state, signal) : undefined;
    });
    const { strategy: wanted } = run.settings;
    // By rules no question gets a brief: only the setting chooses it.
    if (wanted !== 'auto' && strategyOf(wanted).early === 'brief')
      run.prefetch.start('brief', (signal) => briefOf(run, state, signal));
  };
  // In a later turn of the event loop: an assessment that is in the journal is known by then.
  const later = (work: () => void): void =>
    void setImmediate(() => isDecided || run.signal.aborted || run.finishSignal.aborted || work());
  // Of a run that is resumed, what it had searched for is in its journal.
  if (run.replay.recorded(scopingPath) === undefined) later(search);
  else search();
  return {
    answering: () => later(ask),
    goOn: () => {
      isDecided = true;
      if (run.finishSignal.aborted) return;
      search();
      ask();
    },
    drop: () => {
      isDecided = true;
      run.prefetch.discard(unused());
    },
  };
}

/** Why what began early is cancelled. */
export function unused(): ResearchError {
  return new ResearchError('abort', 'What began early does not serve the question.');
}

/** The classification of the question by its own words. */
export async function analyzeEarly(run: RunContext, state: Asked, signal: AbortSignal): Promise<Analysis> {
  return run.analyst.analyze(questionAlone(run, state), stepScope(run, state, 'analyze', 'ahead/analyze', signal));
}

/** The plan that was begun; undefined when another one has to be made. */
export async function earlyPlan(
  run: RunContext,
  state: Beginning & Pick<ResearchStateType, 'clarifiedQuery' | 'assessment'>,
): Promise<EarlyPlan | undefined> {
  if (!holdsEarly(run, state)) return undefined;
  return (await run.prefetch.take<EarlyPlan>('plan')) ?? new EarlyPlan(run, state, run.signal);
}

/** The brief of the question as it was asked; undefined when it was understood otherwise. */
export async function earlyBrief(
  run: RunContext,
  state: Beginning & Pick<ResearchStateType, 'clarifiedQuery' | 'assessment'>,
): Promise<string | undefined> {
  if (!holdsEarly(run, state)) return undefined;
  return (await run.prefetch.take<string>('brief')) ?? briefOf(run, state, run.signal);
}

async function briefOf(run: RunContext, state: Asked, signal: AbortSignal): Promise<string> {
  const scope = stepScope(run, state, 'plan', 'ahead/brief', signal);
  return run.analyst.brief({ ...questionAlone(run, state), focus: [] }, scope);
}

/**
 * The sections of a plan as soon as they are written, where no one waits to read it: those that came first are the plan, also after a
 * resume.
 */
export async function outlineOf(
  run: Pick<RunContext, 'replay'>,
  path: string,
  make: (onOutline: (plan: Plan) => void) => Promise<Plan>,
): Promise<Plan> {
  const first = () => new Promise<Plan>((resolve, reject) => void make(resolve).then(resolve, reject));
  return (await run.replay.observed(outlineKey(path), first)).value;
}

const outlineKey = (path: string): string => `${path}/outline`;

/** A plan that is made of the question and what a few searches found. */
export class EarlyPlan {
  readonly plan: Promise<Plan>;
  readonly #sections: PlannedSection[] = [];
  readonly #outlined = Promise.withResolvers<Plan>();
  #onSection: (section: PlannedSection) => void = () => undefined;

  constructor(run: RunContext, state: Asked, signal: AbortSignal) {
    const known = run.replay.recorded(outlineKey(earlyPath)) as Plan | undefined;
    this.plan = known ? Promise.resolve(known) : this.#make(run, state, signal);
    this.plan.then(this.#outlined.resolve, this.#outlined.reject);
    this.#outlined.promise.catch(() => undefined);
  }

  /** The sections without what people read of them, as far as they came first. */
  async outline(run: Pick<RunContext, 'replay'>): Promise<Plan> {
    return outlineOf(run, earlyPath, () => this.#outlined.promise);
  }

  /** Called with each section as soon as it is written, those so far included. */
  listen(onSection: (section: PlannedSection) => void): void {
    this.#onSection = onSection;
    this.#sections.forEach(onSection);
  }

  async #make(run: RunContext, state: Asked, signal: AbortSignal): Promise<Plan> {
    const { strategy: wanted } = run.settings;
    const input = {
      ...questionAlone(run, state),
      analysis: unanalyzed,
      focus: [],
      discovered: [],
      found: await foundBy(run, state, signal),
      wanted: { min: minPlanned, max: wanted === 'auto' ? maxPlanned : strategyOf(wanted).maxSections },
      onSection: (section: PlannedSection) => {
        this.#sections.push(section);
        this.#onSection(section);
      },
      onOutline: this.#outlined.resolve,
    };
    return run.analyst.plan(input, stepScope(run, state, 'plan', earlyPath, signal));
  }
}

function questionAlone(run: AnalystPort, { originalQuery }: Asked) {
  return {
    question: originalQuery,
    clarifiedQuestion: originalQuery,
    assumptions: [],
    ...(run.workspace ? { workspace: run.workspace } : {}),
  };
}

/** What the searches with the question's own words have found; undefined where one is not done in time, or none outside the folder has answered. */
export async function firstFound(run: RunContext, state: Asked): Promise<readonly Source[] | undefined> {
  const { calls, done } = await (run.prefetch.get<Scoping>('scoping') ?? scopingOf(run, state, run.signal));
  await atMost(scopingWaitMs, Promise.all(calls));
  run.signal.throwIfAborted();
  const answered = done.filter(({ error }) => error === undefined);
  const outside = run.tools.filter(({ traits }) => traits?.isLocal !== true).map(({ name }) => name);
  if (done.length < calls.length || !answered.some(({ call }) => outside.includes(call.name))) return undefined;
  return [...new Set(answered.flatMap(({ sources }) => sources))].flatMap((id) => run.registry.get(id) ?? []);
}

interface Scoping {
  readonly calls: readonly Promise<GatheredCall>[];
  readonly done: GatheredCall[];
}

async function scopingOf(run: RunContext, state: Asked, signal: AbortSignal): Promise<Scoping> {
  const { originalQuery } = state;
  const scope = stepScope(run, state, 'assess', scopingPath, signal);
  const { value: chosen } = await run.replay.observed(scopingPath, () =>
    searchesOf(run, [originalQuery], scopingSearches),
  );
  const done: GatheredCall[] = [];
  const calls = callAll(run, scope, { queries: [originalQuery], focus: originalQuery }, chosen);
  for (const call of calls) void call.then((one) => done.push(one)).catch(() => undefined);
  return { calls, done };
}

/** What the searches have found when the plan begins: all but the slowest, which is not waited for. */
async function foundBy(run: RunContext, state: Asked, signal: AbortSignal): Promise<Source[]> {
  const { calls, done } = await (run.prefetch.get<Scoping>('scoping') ?? scopingOf(run, state, signal));
  const { value: ids, replayed } = await run.replay.observed('ahead/found', async () => {
    const most = waitForMost(calls, Math.max(1, calls.length - 1));
    const over = new AbortController();
    await Promise.race([most, run.clock.sleep(scopingWaitMs, AbortSignal.any([signal, over.signal]))]).catch(
      () => undefined,
    );
    over.abort();
    signal.throwIfAborted();
    return [...new Set(done.flatMap(({ sources }) => sources))].slice(0, mostFound);
  });
  // Their sources are those of the prompt.
  if (replayed) await Promise.all(calls);
  return ids.flatMap((id) => run.registry.get(id) ?? []);
}

async function waitForMost(calls: readonly Promise<unknown>[], count: number): Promise<void> {
  let settled = 0;
  await new Promise<void>((resolve) => {
    const one = (): void => {
      settled += 1;
      if (settled >= count) resolve();
    };
    if (calls.length === 0) resolve();
    for (const call of calls) call.then(one, one);
  });
}
