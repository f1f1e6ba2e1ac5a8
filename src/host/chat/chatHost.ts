import type { ResearchWindow } from '../researchWindow.ts';
import type { ReopenedRuns } from '../sessions/reopenedRuns.ts';

type Members = 'session' | 'panel' | 'runsFolder' | 'texts' | 'options' | 'setupFor' | 'prepareText';

/** What the tool and the participant need of the window. */
export interface ChatHost extends Pick<ResearchWindow, Members> {
  reopened(): Promise<ReopenedRuns>;
}
