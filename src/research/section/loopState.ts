import type { GatheredCall } from '../analyst/analyst.ts';
import type { ToolCall } from '../ports.ts';
import type { LoopTask } from './loopTask.ts';

/** Tools that cost nothing and call nothing. */
export const thinkTool = 'think';
export const completeTool = 'research_complete';

/** A model that gives no usable call in so many turns on end will not give one in the next. */
const hopelessTurns = 3;
/** Turns of a model on end that bring nothing new: the next one does not either. */
const mostDryTurns = 2;

/** Where a researcher is between two turns. */
export interface LoopState {
  readonly turn: number;
  readonly gathered: readonly GatheredCall[];
  /** Ids of all sources, those known before included. */
  readonly found: ReadonlySet<string>;
  readonly callsLeft: number;
  /** Calls that a tool was given. */
  readonly usable: number;
  /** On end, without such a call. */
  readonly unusableTurns: number;
  /** Of a model, on end, without a new source. */
  readonly dryTurns: number;
  /** Who chooses the calls: code what a section begins with, then the analyst, and rules where a model can't. */
  readonly lead: 'code' | 'analyst' | 'rules';
  /** Nothing is left to do, unless the user says something. */
  readonly isDone: boolean;
  /** What was found suffices: what it only names is still opened, which takes no model. */
  readonly isEnough: boolean;
  readonly isOver: boolean;
}

/** What becomes of a call: it costs nothing, is over the budget, or is sent and may then turn out to be unusable. */
export type CallFate = 'free' | 'refused' | 'usable' | 'unusable';

export interface CallOutcome {
  readonly answer: GatheredCall;
  readonly fate: CallFate;
  /** It was in progress when its section was stopped. */
  readonly cutOff?: boolean;
}

/** What a turn came to. */
export type TurnOutcome =
  /** The loop ends. */
  | { readonly kind: 'over' }
  /** The model can't be used. */
  | { readonly kind: 'refused' }
  /** No call was chosen. */
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'called';
      readonly calls: readonly CallOutcome[];
      /** Code chose them. */
      readonly isSeed: boolean;
      /** The user has said something to the section. */
      readonly hasRemarks: boolean;
      /** Calls that were not waited for. */
      readonly held?: number;
    };

/** What is known of the researcher and does not change. */
export interface LoopRules {
  /** Rules can take over from the model. */
  readonly hasRules: boolean;
  /** Code ends the research when it suffices or brings nothing new: of a section, with a model. */
  readonly endsByCode: boolean;
  hasEnough(found: ReadonlySet<string>, isGuided: boolean): boolean;
}

export function firstState({ known, maxCalls }: Pick<LoopTask, 'known' | 'maxCalls'>): LoopState {
  return {
    ...{ turn: 0, gathered: [], found: new Set(known), callsLeft: maxCalls },
    ...{ usable: 0, unusableTurns: 0, dryTurns: 0 },
    ...{ lead: 'code', isDone: false, isEnough: false, isOver: false },
  };
}

/** Whether the loop ends before its next turn. */
export function endsBefore(
  { isDone, usable, found }: LoopState,
  told: { readonly isStopped: boolean; readonly hasNew: boolean },
  isNarrow: boolean,
): boolean {
  return told.isStopped || (isDone && !told.hasNew) || (isNarrow && usable > 0 && found.size > 0);
}

/** Which calls of a turn the budget has room for. */
export function fatesOf(calls: readonly ToolCall[], callsLeft: number): readonly ('free' | 'refused' | 'sent')[] {
  let left = callsLeft;
  return calls.map(({ name }) => {
    if (name === thinkTool || name === completeTool) return 'free';
    left -= 1;
    return left < 0 ? 'refused' : 'sent';
  });
}

/** The state after a turn. Pure. */
export function step(state: LoopState, outcome: TurnOutcome, rules: LoopRules): LoopState {
  const next: LoopState = { ...state, turn: state.turn + 1, isDone: false };
  const lead = state.lead === 'rules' ? 'rules' : 'analyst';
  switch (outcome.kind) {
    case 'over':
      return { ...next, isOver: true };
    case 'refused':
      // Searching takes no model: what rules find is at least quoted.
      return { ...next, lead: 'rules' };
    case 'idle':
      return { ...next, lead, isDone: true };
    case 'called': {
      const callsLeft = next.callsLeft - (outcome.held ?? 0);
      const counted = withCalls({ ...next, lead: outcome.isSeed ? state.lead : lead, callsLeft }, outcome.calls);
      const isOver = outcome.calls.some(({ cutOff }) => cutOff);
      return isOver ? { ...counted, isOver } : afterCalls(state, counted, outcome, rules);
    }
  }
}

/** The state with what pending calls have brought. */
export function joined(state: LoopState, held: number, outcome: TurnOutcome): LoopState {
  return withCalls({ ...state, callsLeft: state.callsLeft + held }, outcome.kind === 'called' ? outcome.calls : []);
}

function withCalls(state: LoopState, calls: readonly CallOutcome[]): LoopState {
  const usable = calls.filter(({ fate }) => fate === 'usable').length;
  const isThought = calls.every(({ fate }) => fate === 'free');
  return {
    ...state,
    gathered: [...state.gathered, ...calls.map(({ answer }) => answer)],
    found: new Set([...state.found, ...calls.flatMap(({ answer }) => answer.sources)]),
    callsLeft: state.callsLeft - usable,
    usable: state.usable + usable,
    unusableTurns: usable > 0 ? 0 : state.unusableTurns + (isThought ? 0 : 1),
  };
}

function afterCalls(
  before: LoopState,
  state: LoopState,
  { calls, isSeed, hasRemarks }: Extract<TurnOutcome, { kind: 'called' }>,
  rules: LoopRules,
): LoopState {
  const { callsLeft, unusableTurns, found } = state;
  const ends = calls.some(({ answer }) => answer.call.name === completeTool);
  const isHopeless = unusableTurns >= hopelessTurns;
  if (state.lead === 'rules') return { ...state, isOver: true };
  if (rules.hasRules && state.usable === 0 && unusableTurns > 0 && (ends || isHopeless))
    return { ...state, lead: 'rules' };
  const isUsedUp = callsLeft <= 0 && calls.every(({ fate }) => fate === 'free' || fate === 'refused');
  if (isHopeless || isUsedUp) return { ...state, isOver: true };
  if (ends || !rules.endsByCode || state.usable === before.usable) return { ...state, isDone: ends };
  // Without a call left a turn could only say that it is done.
  if (callsLeft <= 0) return { ...state, isOver: true };
  const dryTurns = found.size > before.found.size ? 0 : before.dryTurns + (isSeed ? 0 : 1);
  const isGuided = state.lead === 'analyst';
  const isEnough = !hasRemarks && rules.hasEnough(found, isGuided);
  return { ...state, dryTurns, isEnough, isDone: (isEnough && isGuided) || dryTurns >= mostDryTurns };
}
