import type { RunView } from '../../protocol/runView.ts';
import type { WindowFacts } from './runEntry.ts';

/**
 * What the tree shows of this window's run, as one text: when it changes, the tree is read again. `own` is part of it:
 * the run's last event comes before the engine has ended, and until then the tree shows the run as in progress.
 */
export function ownRunFacts({ run, status, report, waitingFor }: RunView, { own }: WindowFacts): string {
  return [run, status, waitingFor, own?.run === run, report.path].join(' ');
}
