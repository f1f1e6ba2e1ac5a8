import type { ReportVersion } from '../../protocol/reportVersion.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import type { RunEntry } from '../../runs/runEntry.ts';
import type { ReportService } from '../reports/reportService.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import type { ReopenedRuns } from '../sessions/reopenedRuns.ts';
import type { RunGroup } from './groupRuns.ts';

type Members =
  | 'session'
  | 'panel'
  | 'documents'
  | 'context'
  | 'runsFolder'
  | 'log'
  | 'loadEngine'
  | 'describeSetup'
  | 'start'
  | 'showError';

/** What the history needs of the window that it belongs to. */
export interface HistoryHost extends Pick<ResearchWindow, Members> {
  readonly reports: ReportService;
  reopened(): Promise<ReopenedRuns>;
  /** Resumes a run, one at a time. */
  resumeRun(run: RunEntry): Promise<void>;
  /** A new run of a saved one's question, with today's settings and what of its attachments is in the open folder. */
  rerun(run: string, question: string, choices: RunChoices): Promise<unknown>;
  /** A version of a run's report was accepted. */
  accepted(run: string): Promise<void>;
}

/** A version of a run's report. */
export interface VersionNode {
  readonly kind: 'version';
  readonly entry: RunEntry;
  readonly version: ReportVersion;
}

export type HistoryNode =
  | { readonly kind: 'run'; readonly entry: RunEntry }
  | VersionNode
  | { readonly kind: 'group'; readonly group: RunGroup };
