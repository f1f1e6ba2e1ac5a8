import type { SectionStatus } from './events.ts';
import { isLive, type RunView } from './runView.ts';
import { interruptedReason } from './reduceRun.ts';

/** The texts that {@link interrupted} needs. */
export type InterruptedStrings = Readonly<
  Record<'interrupted.section' | 'interrupted.message' | 'interrupted.next', string>
>;

/**
 * The view of a run without a process, because the window was reloaded or its host ended: everything found
 * stays, `end` says what happened and what to do. Views that had ended, can be resumed or never began are returned unchanged.
 * `strings` are the texts in the user's language.
 */
export function interrupted(view: RunView, strings: InterruptedStrings): RunView {
  if (!isLive(view)) return view;
  return {
    ...view,
    status: 'failed',
    waitingFor: null,
    sections: view.sections.map((section) =>
      isInWork(section)
        ? { ...section, status: 'failed', activity: '', error: strings['interrupted.section'] }
        : section,
    ),
    topics: view.topics.map((topic) =>
      isInWork(topic) ? { ...topic, status: 'failed', error: strings['interrupted.section'] } : topic,
    ),
    end: {
      reason: interruptedReason,
      message: strings['interrupted.message'],
      next: strings['interrupted.next'],
    },
  };
}

function isInWork({ status }: { readonly status: SectionStatus }): boolean {
  return status === 'researching' || status === 'reviewing';
}
