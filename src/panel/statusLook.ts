import type { Phase } from '../protocol/events.ts';
import { hasGaps, isLive, isOnHold, type RoundView, type RunView } from '../protocol/runView.ts';
import { interruptedReason } from '../protocol/reduceRun.ts';
import { knownStrategy } from '../protocol/strategy.ts';
import type { StringKey } from '../protocol/strings.ts';
import { plain } from './plain.ts';
import type { Texts } from '../protocol/texts.ts';

/** What a phase is called. */
export function phaseKey(phase: Phase): StringKey {
  return phase === 'assess' || phase === 'analyze' ? 'phase.understand' : `phase.${phase}`;
}

/** The state of the run, as an icon and a few words. */
export function statusLook(view: RunView, texts: Texts): { readonly icon: string; readonly label: string } {
  switch (view.status) {
    case 'idle':
      return { icon: 'loading', label: texts.of('status.starting') };
    case 'running':
      // Streaming text shows progress by itself; a spinner beside it costs frames.
      return {
        icon: view.report.text === '' ? 'loading' : 'edit',
        label: texts.of(view.phase ? phaseKey(view.phase) : 'status.starting'),
      };
    case 'waiting':
      return { icon: 'bell-dot', label: texts.of(waitingKey(view)) };
    case 'paused': {
      const held = view.end?.reason === 'rateLimit' ? 'status.heldLimit' : 'status.heldNetwork';
      return { icon: 'debug-pause', label: texts.of(isOnHold(view) ? held : 'status.paused') };
    }
    case 'finished':
      if (view.report.unchanged) return { icon: 'check', label: texts.of('status.unchanged') };
      if (view.end?.outcome === 'notFound') return { icon: 'search-stop', label: texts.of('status.notFound') };
      return hasGaps(view)
        ? { icon: 'warning', label: texts.of('status.partial') }
        : { icon: 'pass-filled', label: texts.of(isAnswer(view) ? 'status.answered' : 'status.finished') };
    case 'failed':
      return view.end?.reason === interruptedReason
        ? { icon: 'debug-disconnect', label: texts.of('status.interrupted') }
        : { icon: 'error', label: texts.of('status.failed') };
    case 'cancelled':
      return { icon: 'circle-slash', label: texts.of('status.cancelled') };
  }
}

/** A follow-up that has changed nothing. */
export function isAnswer({ parent, report }: RunView): boolean {
  return parent !== undefined && report.path === undefined;
}

function waitingKey(view: RunView): StringKey {
  if (view.waitingFor === 'entities') return 'status.waitingEntities';
  if (view.waitingFor === 'plan') return 'status.waitingPlan';
  return view.waitingFor === 'review' ? 'status.waitingReview' : 'status.waitingAnswer';
}

/** Which strategy runs and why, in one line; '' for an unknown one. */
export function strategyLine(
  { strategy, strategyWhy }: Pick<RunView, 'strategy' | 'strategyWhy'>,
  texts: Texts,
): string {
  if (strategy === 'auto') return texts.of('strategy.undecided');
  const known = knownStrategy(strategy);
  if (!known) return '';
  const name = texts.of(`strategy.${known}`);
  return strategyWhy === '' ? texts.of('strategy.runs', name) : texts.of('strategy.runsWhy', name, plain(strategyWhy));
}

/**
 * There are sources to write from, and the report is not being written, or is paused. The card of a review has a button
 * of its own for it.
 */
export function canFinish(view: RunView): boolean {
  if (view.sources.length === 0 || view.waitingFor === 'review' || !isLive(view)) return false;
  return view.phase !== 'report' || isOnHold(view);
}

/** What a round found. Before it has read anything there is nothing to show. */
export function roundFacts({ status, sources, score, sufficient }: RoundView, texts: Texts): string[] {
  if (status === 'retrieving') return [];
  return [
    sources > 0 ? texts.of('round.sources', sources) : texts.of('round.nothingNew'),
    ...(score === undefined ? [] : [texts.of('round.score', score)]),
    ...(sufficient === true ? [texts.of('round.enough')] : []),
  ];
}
