import type * as vscode from 'vscode';
import type { WantedStrategy } from '../../protocol/strategy.ts';
import type { ReportService } from '../reports/reportService.ts';
import type { Attachment, Log, ResearchEngine } from '../../protocol/ports.ts';
import type { ReportVersion } from '../../protocol/reportVersion.ts';
import type { RunGroup } from './groupRuns.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import type { RunEntry, WindowFacts } from '../../runs/runEntry.ts';

/** What the history needs of the window that it belongs to. */
export interface HistoryHost {
  /** Absolute path of the folder that holds one folder a run. */
  readonly runsFolder: string;
  /** Remembers, for each workspace, whether runs of other folders are shown. */
  readonly state: vscode.Memento;
  readonly log: Log;
  readonly reports: ReportService;
  loadEngine(): Promise<ResearchEngine>;
  facts(): WindowFacts;
  /** Brings the panel to the front. */
  focusPanel(): Promise<void>;
  /**
   * Shows a saved run in the panel, with its report at `path`. False: another run is in progress, or nothing of it can
   * be read.
   */
  showRun(run: RunEntry, path: string | undefined, preserveFocus: boolean): Promise<boolean>;
  /** Resumes a run, one at a time. */
  resumeRun(run: RunEntry): Promise<void>;
  /** A new run of a saved one's question, with today's settings and what of its attachments is in the open folder. */
  rerun(run: string, question: string, strategy: WantedStrategy | undefined): Promise<void>;
  /** Starts a run, one at a time. */
  start(question: string, choices: RunChoices): Promise<void>;
  /** What is attached to the next question. */
  attachments(): readonly Attachment[];
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
