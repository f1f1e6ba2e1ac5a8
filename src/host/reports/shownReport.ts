import path from 'node:path';
import { versionAt } from '../../protocol/runFolder.ts';
import { isLive, type RunView } from '../../protocol/runView.ts';
import { shownWarning } from '../../protocol/shownWarning.ts';
import { commandIds } from '../commandIds.ts';
import type { HistoryView } from '../history/historyView.ts';
import type { LastReport } from '../lastRun.ts';
import type { EngineOptions, RunResult } from '../../protocol/ports.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { errorText } from '../shownErrors.ts';
import { type ReportService, type SavedReport, savedReportText } from './reportService.ts';

/** What is needed of the window. */
interface ShownReportHost extends Pick<ResearchWindow, 'memory' | 'runsFolder' | 'showError'> {
  readonly reports: ReportService;
  readonly history: HistoryView;
}

/**
 * The report that the panel's buttons and "View Last Report" mean: of the run that is shown, else the last that was
 * written.
 */
export class ShownReport {
  readonly #host: ShownReportHost;
  #report: SavedReport | undefined;
  /** The run whose report the shown run is about, and the version of it that it has written. */
  #parent: string | undefined;
  #version: number | undefined;

  constructor(host: ShownReportHost) {
    this.#host = host;
  }

  /** A run has just written its report: opens it, or says that it couldn't be saved. */
  async written(
    { run, path: file, report: text, parent, reportVersion }: RunResult,
    { workspaceFolder }: EngineOptions,
    warnings: RunView['warnings'],
  ): Promise<void> {
    // An answer is no report: the panel shows it beneath the one that it is about.
    if (parent !== undefined) {
      if (reportVersion !== undefined) await this.#host.history.run(commandIds.compareVersion, [parent, reportVersion]);
      return;
    }
    const last: LastReport = { run, path: file, workspaceFolder };
    const report = { ...last, text: () => Promise.resolve(text) };
    this.#host.memory.report = last;
    this.#report = report;
    if (file !== undefined || workspaceFolder === undefined)
      await this.#host.reports.open(report, { preserveFocus: true });
    else {
      const unsaved = warnings.findLast(({ code }) => code === 'report.unsaved');
      this.#saved(report, await this.#host.reports.offer(report, unsaved && shownWarning(unsaved, errorText)));
    }
  }

  /** Another run is shown, or the run has ended: its report, as far as it was written. */
  follow(view: RunView): void {
    const { text, path: file } = view.report;
    if (!isLive(view)) this.#host.reports.readers?.ended(view);
    this.#parent = view.parent;
    this.#version = versionAt(file)?.number;
    if (text === '' || isLive(view) || view.parent !== undefined) {
      this.#report = undefined;
      return;
    }
    if (this.#report?.run === view.run) return;
    const workspaceFolder = this.#host.memory.run?.workspaceFolder;
    this.#report = this.#savedReport({ run: view.run, path: file, workspaceFolder }, text);
  }

  /** Opens it in a tab; false when there is none yet. */
  async open(): Promise<boolean> {
    if (this.#parent !== undefined) return this.#openParent(this.#parent);
    const report = this.#report ?? (this.#host.memory.report && this.#savedReport(this.#host.memory.report));
    if (report) await this.#host.reports.open(report);
    return report !== undefined;
  }

  /** What the shown run changes in a report, while that waits; else the report. */
  async #openParent(parent: string): Promise<true> {
    const { waitingVersion } = await import('../../files/readVersions.ts');
    const waiting = await waitingVersion(path.join(this.#host.runsFolder, parent), this.#version);
    if (waiting) await this.#host.history.run(commandIds.compareVersion, [parent, waiting]);
    else await this.#host.history.run(commandIds.openRun, [parent]);
    return true;
  }

  /** Opens it as it is read; the tab that it is written into is brought to the front. @param run That is shown. */
  async read(run: string): Promise<void> {
    if (this.#host.reports.readers?.show(run)) return;
    if (this.#parent !== undefined) await this.#openParent(this.#parent);
    if (this.#report) await this.#host.reports.read(this.#report);
  }

  async saveAs(): Promise<void> {
    const report = this.#report;
    if (report) this.#saved(report, await this.#host.reports.saveAs(report));
  }

  /** From now on the file is what "open" means, unless another run has come in the meantime. */
  #saved(report: SavedReport, file: string | undefined): void {
    if (file === undefined) return;
    // The run's record does not know a file that was chosen here.
    this.#host.history.savedAs(report.run, file).catch((error: unknown) => this.#host.showError(error));
    if (this.#report?.run === report.run) this.#report = { ...report, path: file };
    if (this.#host.memory.report?.run === report.run)
      this.#host.memory.report = { ...this.#host.memory.report, path: file };
  }

  /** `fallback`: the text when the run's folder has none. */
  #savedReport(report: LastReport, fallback = ''): SavedReport {
    return { ...report, text: async () => (await savedReportText(this.#host.runsFolder, report.run)) ?? fallback };
  }
}
