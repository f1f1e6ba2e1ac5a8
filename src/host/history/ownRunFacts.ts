import type { RunView } from '../../protocol/runView.ts';
import type { WindowFacts } from './runEntry.ts';

/**
 * What the tree shows of this window's run, as one text: another text, and the tree is read again. Whether the window is at work
 * on it belongs to it: the run's last event comes before the engine lets go, and until then the tree says that it is on.
 */
export function ownRunFacts({ run, status, report, waitingFor }: RunView, { own }: WindowFacts): string {
  return [run, status, waitingFor, own?.run === run, report.path].join(' ');
}
