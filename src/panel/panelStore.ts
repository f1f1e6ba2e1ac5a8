import { isLive, type RunView } from '../protocol/runView.ts';
import type { DocumentItem, HostMessage, ReportThread, Setup } from '../protocol/messages.ts';
import { reduceRun } from '../protocol/reduceRun.ts';
import { Texts } from '../protocol/texts.ts';

/** Something that the user asked for and that has not happened yet. */
export type Sent = 'start' | 'stop' | 'answerNow' | 'finish' | 'resume' | 'decision' | 'followUp';

export interface PanelState {
  readonly view: RunView;
  readonly setup: Setup;
  readonly texts: Texts;
  /** A tab shows the report. */
  readonly isRead: boolean;
  /** Why something that the user asked for can't be done. */
  readonly notice: string | null;
  /** The question box is shown although the view holds an ended run. */
  readonly composing: boolean;
  /** The host wants the focus in the question box, and a text in it if one is given; a new object each time. */
  readonly asked: { readonly question?: string } | null;
  /** What is attached to the next question. */
  readonly attached: readonly DocumentItem[];
  /** What could be attached, for the letters that were typed last. */
  readonly found: { readonly query: string; readonly items: readonly DocumentItem[] } | null;
  readonly sent: Sent | null;
  /** The report that is shown, with what was asked about it; null while the host has not said. */
  readonly thread: ReportThread | null;
  /** What the citation rests on that was asked about last. */
  readonly evidence: Extract<HostMessage, { type: 'evidence' }> | null;
  /** The outcome of the last remark to a section, or of its stop; a new object each time. */
  readonly steered: Extract<HostMessage, { type: 'steered' }> | null;
  /** How far this clock is ahead of the host's, in milliseconds: the extension may run on another machine. */
  readonly skew: number;
}

/** A clock that is off by less can't be distinguished from a slow message. */
const toleratedSkewMs = 2000;

/**
 * The next state after a message of the host. Before the first snapshot there is none; unknown messages change nothing.
 */
export function receive(state: PanelState | null, message: HostMessage, now: number): PanelState | null {
  if (message.type === 'snapshot') {
    const { view, setup, strings, locale, isRead } = message;
    const same = state?.view.run === view.run;
    return {
      view,
      setup,
      texts: new Texts(strings, locale),
      isRead,
      notice: state?.notice ?? null,
      composing: same && state.composing,
      asked: same ? state.asked : null,
      // The host says when it changes.
      attached: state?.attached ?? [],
      found: null,
      sent: null,
      thread: same ? state.thread : null,
      evidence: null,
      steered: null,
      skew: state?.skew ?? 0,
    };
  }
  if (!state) return null;
  switch (message.type) {
    case 'events': {
      const view = message.events.reduce(reduceRun, state.view);
      if (view === state.view) return state;
      const last = message.events.at(-1);
      const ahead = last ? now - Date.parse(last.at) : 0;
      const next = { ...state, view, skew: Math.abs(ahead) < toleratedSkewMs ? 0 : ahead };
      if (view.run !== state.view.run)
        return { ...next, isRead: false, notice: null, composing: false, asked: null, sent: null, thread: null };
      return { ...next, sent: isAnswered(state, view) ? null : state.sent };
    }
    case 'setup':
      return { ...state, setup: message.setup };
    case 'ask':
      // The box does not cover a run in progress; its text waits there.
      return {
        ...state,
        asked: message.question === undefined ? {} : { question: message.question },
        composing: !isLive(state.view),
      };
    case 'reading':
      return { ...state, isRead: message.isRead };
    case 'attached':
      return { ...state, attached: message.items };
    case 'documents':
      return { ...state, found: { query: message.query, items: message.items } };
    case 'thread':
      return message.thread.run === state.view.run ? { ...state, thread: message.thread } : state;
    case 'evidence':
      return { ...state, evidence: message };
    case 'steered':
      return { ...state, steered: message };
    case 'notice':
      // A refusal answers whatever was asked for.
      return { ...state, notice: message.message, sent: null };
    default:
      return state;
  }
}

/** What was sent is answered when the run moves on: it waits for something else, or for nothing. */
function isAnswered({ view: before, sent }: PanelState, after: RunView): boolean {
  if (sent === 'stop') return !isLive(after);
  if (sent === 'answerNow') return !isLive(after) || after.indexed === undefined;
  // The report's phase answers "finish now".
  if (sent === 'finish') return !isLive(after) || after.phase === 'report';
  if (sent === 'resume') return isLive(after);
  if (sent === 'decision') {
    // A plan that was sent back and the next one may come in one message.
    const isAnother = after.pending?.id !== before.pending?.id || after.plan?.round !== before.plan?.round;
    return after.waitingFor !== before.waitingFor || isAnother;
  }
  return true;
}
