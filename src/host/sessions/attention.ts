import type { Phase } from '../../protocol/events.ts';
import { hasGaps, isOnHold, type RunView } from '../../protocol/runView.ts';

/** What is shown of a run outside of the panel. */
export type Attention =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly phase: Phase | null; readonly done: number; readonly of: number }
  | { readonly kind: 'held'; readonly message: string }
  | { readonly kind: 'waiting'; readonly waitingFor: NonNullable<RunView['waitingFor']> }
  | { readonly kind: 'finished'; readonly what: Finished }
  | { readonly kind: 'failed'; readonly message: string };

/** What a finished run has given. `version`: of a report that a follow-up has changed. */
type Finished = 'report' | 'gaps' | 'notFound' | 'answer' | 'version' | 'unchanged';

/**
 * A run in progress is always shown; that it waits or has ended only while the panel is hidden, and no longer once the
 * panel was `seen` after it. A stopped run shows nothing: the user stopped it.
 */
export function attentionOf(view: RunView, panel: { readonly visible: boolean; readonly seen: boolean }): Attention {
  const hidden = !panel.visible && !panel.seen;
  switch (view.status) {
    case 'running': {
      const ended = view.sections.filter(({ status }) => status === 'completed' || status === 'failed');
      return { kind: 'running', phase: view.phase, done: ended.length, of: view.sections.length };
    }
    case 'paused':
      // It continues by itself: the status bar says why nothing moves, without a notification.
      return isOnHold(view) ? { kind: 'held', message: view.end?.message ?? '' } : { kind: 'none' };
    case 'waiting':
      // Nothing else reminds the user while it waits, so it is shown until the panel is open.
      return panel.visible ? { kind: 'none' } : { kind: 'waiting', waitingFor: view.waitingFor ?? 'answer' };
    case 'finished':
      return hidden ? { kind: 'finished', what: finished(view) } : { kind: 'none' };
    case 'failed':
      return hidden ? { kind: 'failed', message: view.end?.message ?? '' } : { kind: 'none' };
    default:
      return { kind: 'none' };
  }
}

function finished(view: RunView): Finished {
  if (view.report.unchanged) return 'unchanged';
  if (view.end?.outcome === 'notFound') return 'notFound';
  if (view.parent !== undefined && view.report.path === undefined) return 'answer';
  if (hasGaps(view)) return 'gaps';
  return view.parent === undefined ? 'report' : 'version';
}
