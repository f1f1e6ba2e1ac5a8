import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { wantedStrategies } from '../../protocol/strategy.ts';
import { type CommandId, commandIds } from '../commandIds.ts';
import { type SavedReport, savedReportText } from '../reports/reportService.ts';
import { reportHeadLength, runOfReport } from '../reports/reportText.ts';
import { amendRecord, readRecord } from './amendRecord.ts';
import { exportFormatOf, exportSavedRun } from './exportSavedRun.ts';
import type { HistoryService, HistoryNode } from './historyService.ts';
import type { HistoryTree } from './historyTree.ts';
import { locateReport } from './locateReport.ts';
import { pickFilter, pickRun, pickSort } from './pickers.ts';
import { noticeLine } from './plainText.ts';
import { canResume, hasReport, isOn, type RunEntry, titleOf } from './runEntry.ts';
import { revealRun } from './revealRun.ts';
import type { RunTrash, TrashedRun } from './runTrash.ts';

/** The keybinding's argument: the command means what is selected in the tree, instead of asking which run. */
const selectionArgument = 'selection';
const longestName = 200;

/** What a user does with kept runs. */
export class HistoryActions {
  readonly #desk: HistoryService;
  readonly #tree: HistoryTree;
  readonly #trash: RunTrash;
  /** By run, so that a second click shows the same untitled tab. */
  readonly #unsaved = new Map<string, SavedReport>();
  #deleted: readonly TrashedRun[] = [];

  constructor(desk: HistoryService, tree: HistoryTree, trash: RunTrash) {
    this.#desk = desk;
    this.#tree = tree;
    this.#trash = trash;
  }

  async run(command: CommandId, args: readonly unknown[]): Promise<void> {
    const format = exportFormatOf(command);
    if (format)
      return this.#withRun(
        args,
        vscode.l10n.t('Export which run?'),
        ({ state }) => state !== 'unreadable' || format === 'zip',
        (run) => exportSavedRun(this.#desk, run, format),
      );
    switch (command) {
      case commandIds.openRun:
        return this.#withRun(
          args,
          vscode.l10n.t('Open which run?'),
          () => true,
          (run) => this.#open(run, isNode(args[0])),
        );
      case commandIds.resumeRun:
        return this.#withRun(args, vscode.l10n.t('Go on with which run?'), canResume, (run) => this.#resume(run));
      case commandIds.rerunRun:
        return this.#withRun(args, vscode.l10n.t('Run which question again?'), isReadable, (run) => this.#rerun(run));
      case commandIds.renameRun:
        return this.#withRun(args, vscode.l10n.t('Rename which run?'), isReadable, (run) => this.#rename(run));
      case commandIds.revealRun:
        return this.#withRun(
          args,
          vscode.l10n.t('Reveal which run?'),
          () => true,
          (run) => revealRun(this.#desk, run),
        );
      case commandIds.deleteRun:
        return this.#withRuns(
          args,
          vscode.l10n.t('Delete which run?'),
          (run) => !isOn(run),
          (runs) => this.#delete(runs),
        );
      case commandIds.undoDelete:
        return this.#undoDelete(this.#deleted);
      case commandIds.showRun:
        return this.#showRunOf(args[0]);
      case commandIds.filterRuns:
        return pickFilter(this.#tree);
      case commandIds.clearRunFilter:
        return this.#tree.setFilter('');
      case commandIds.sortRuns:
        return pickSort(this.#tree);
      case commandIds.showAllRuns:
        return this.#tree.setEverywhere(true);
      case commandIds.showRunsHere:
        return this.#tree.setEverywhere(false);
      case commandIds.refreshRuns:
        return this.#tree.refresh();
    }
  }

  /** The report of a run was saved at a place that its record does not know. */
  async remember(run: string, file: string): Promise<void> {
    await amendRecord(this.#desk.runsFolder, run, { path: file });
    await this.#tree.refresh();
  }

  async close(): Promise<void> {
    await this.#trash.empty();
  }

  // ------------------------------------------------------------------------------------------------------- which run

  async #withRun(
    args: readonly unknown[],
    title: string,
    fits: (run: RunEntry) => boolean,
    act: (run: RunEntry) => Promise<void>,
  ): Promise<void> {
    return this.#withRuns(args.slice(0, 1), title, fits, async ([run]) => run && act(run));
  }

  /** The runs that were clicked or are selected, as they stand now; from the palette one that the user picks. */
  async #withRuns(
    args: readonly unknown[],
    title: string,
    fits: (run: RunEntry) => boolean,
    act: (runs: readonly RunEntry[]) => Promise<void>,
  ): Promise<void> {
    const [clicked, all] = args;
    const meant =
      Array.isArray(all) && all.some(isNode)
        ? all
        : isNode(clicked)
          ? [clicked]
          : clicked === selectionArgument
            ? this.#tree.selection.map((entry) => ({ kind: 'run', entry }))
            : undefined;
    if (!meant) {
      const picked = await pickRun((await this.#tree.all()).filter(fits), title);
      return picked && act([picked]);
    }
    const runs = meant.filter(isNode).flatMap(({ entry }) => this.#tree.look(entry.run) ?? []);
    if (runs.length > 0) return act(runs);
    await this.#tree.refresh();
    if (meant.length > 0) void vscode.window.showInformationMessage(vscode.l10n.t('This run is no longer kept.'));
  }

  // ---------------------------------------------------------------------------------------------------------- actions

  /** Shows a run in the panel and its report in a tab. From the tree the keys stay with the tree. */
  async #open(run: RunEntry, preserveFocus: boolean): Promise<void> {
    if (run.elsewhere)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('“{0}” is at work in another window.', noticeLine(titleOf(run))),
      );
    if (isOn(run)) return this.#desk.focusPanel();
    const found = await this.#locate(run);
    const text = found === undefined ? await savedReportText(this.#desk.runsFolder, run.run) : undefined;
    const shown = await this.#desk.showRun(run, found, preserveFocus);
    const report = found !== undefined || (text !== undefined && (hasReport(run) || run.state === 'unreadable'));
    if (report) await this.#desk.reports.open(this.#report(run, found), { preserveFocus, preview: true });
    if (!shown && this.#desk.facts().own) this.#tellBusy(report);
    else if (!shown && !report)
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Nothing of “{0}” can be shown: its files are damaged or gone.', noticeLine(titleOf(run))),
      );
    if (report && found === undefined && run.path !== undefined) await this.#offerCopy(run);
  }

  #tellBusy(reportOpened: boolean): void {
    const message = reportOpened
      ? vscode.l10n.t('A research run is on, and the panel stays with it: only the report was opened.')
      : vscode.l10n.t('A research run is on, and the panel stays with it. Open the other one when it has ended.');
    void vscode.window.showInformationMessage(message);
  }

  /** The file is gone; what was opened is the copy that the run keeps. */
  async #offerCopy(run: RunEntry): Promise<void> {
    const save = vscode.l10n.t('Save As…');
    const message = vscode.l10n.t(
      'The file of this report is gone: {0}. Its text was kept with the run.',
      noticeLine(run.path ?? '', 200),
    );
    if ((await vscode.window.showInformationMessage(message, save)) !== save) return;
    const saved = await this.#desk.reports.saveAs(this.#report(run, undefined));
    if (saved !== undefined) await this.remember(run.run, saved);
  }

  async #resume(run: RunEntry): Promise<void> {
    if (run.elsewhere)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('“{0}” is at work in another window.', noticeLine(titleOf(run))),
      );
    if (isOn(run)) return this.#desk.focusPanel();
    if (!canResume(run))
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('“{0}” has nothing to go on with: it is finished.', noticeLine(titleOf(run))),
      );
    await this.#desk.resumeRun(run);
  }

  async #rerun(run: RunEntry): Promise<void> {
    const record = await readRecord(this.#desk.runsFolder, run.run);
    if (record)
      await this.#desk.start(
        record.question,
        wantedStrategies.find((strategy) => strategy === record.strategy),
      );
  }

  async #rename(run: RunEntry): Promise<void> {
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Rename the run'),
      prompt: vscode.l10n.t('Leave it empty to use the title of the report.'),
      value: titleOf(run).slice(0, longestName),
      validateInput: (text) =>
        text.length > longestName ? vscode.l10n.t('At most {0} characters.', longestName) : undefined,
    });
    if (name === undefined) return;
    const { name: _old, ...unnamed } = run;
    const chosen = name.trim() === '' || name.trim() === titleOf(unnamed) ? undefined : name.trim();
    if (!(await amendRecord(this.#desk.runsFolder, run.run, { name: chosen })))
      void vscode.window.showWarningMessage(vscode.l10n.t('This run is no longer kept.'));
    await this.#tree.refresh();
  }

  // ----------------------------------------------------------------------------------------------------------- delete

  /** Moves runs to the trash; reports that were saved in a workspace are never touched. */
  async #delete(runs: readonly RunEntry[]): Promise<void> {
    const idle = runs.filter((run) => !isOn(run));
    if (idle.length < runs.length)
      void vscode.window.showInformationMessage(vscode.l10n.t('A run that is at work is not deleted. Stop it first.'));
    const trashed: TrashedRun[] = [];
    try {
      for (const { run } of idle) {
        const moved = await this.#trash.put(run);
        if (moved) trashed.push(moved);
      }
    } catch (error) {
      void vscode.window.showErrorMessage(vscode.l10n.t('The run could not be deleted: {0}', messageOf(error)));
    }
    await this.#tree.refresh();
    if (trashed.length === 0) return;
    this.#deleted = trashed;
    const undo = vscode.l10n.t('Undo');
    const [first] = idle;
    const message =
      trashed.length === 1 && first
        ? vscode.l10n.t('Deleted “{0}”. Its saved report stays where it is.', noticeLine(titleOf(first)))
        : vscode.l10n.t('Deleted {0} runs. Their saved reports stay where they are.', trashed.length);
    // Not waited for: the command is done, and its undo may come much later.
    void vscode.window
      .showInformationMessage(message, undo)
      .then((chosen) => (chosen === undo ? this.#undoDelete(trashed) : undefined));
  }

  async #undoDelete(trashed: readonly TrashedRun[]): Promise<void> {
    if (trashed.length === 0)
      return void vscode.window.showInformationMessage(vscode.l10n.t('There is no deleted run to bring back.'));
    if (this.#deleted === trashed) this.#deleted = [];
    const failures: string[] = [];
    for (const run of trashed) {
      const restored = await this.#trash.restore(run).catch((error: unknown) => messageOf(error));
      if (typeof restored === 'string') failures.push(restored);
      else if (!restored) failures.push(vscode.l10n.t('It is gone for good.'));
    }
    await this.#tree.refresh();
    if (failures[0] !== undefined)
      void vscode.window.showErrorMessage(vscode.l10n.t('The run could not be brought back: {0}', failures[0]));
  }

  // ---------------------------------------------------------------------------------------------------- report and run

  /** From a report to the run that wrote it. */
  async #showRunOf(argument: unknown): Promise<void> {
    const document =
      argument instanceof vscode.Uri
        ? await vscode.workspace.openTextDocument(argument)
        : vscode.window.activeTextEditor?.document;
    const id = document && runOfReport(document.getText().slice(0, reportHeadLength));
    if (!document || id === undefined)
      return void vscode.window.showInformationMessage(vscode.l10n.t('This document names no research run.'));
    const run = this.#tree.look(id);
    if (!run)
      return void vscode.window.showInformationMessage(vscode.l10n.t('The run of this report is no longer kept.'));
    if (isOn(run) && !run.elsewhere) await this.#desk.focusPanel();
    else {
      const file = document.uri.scheme === 'file' ? document.uri.fsPath : undefined;
      if (!(await this.#desk.showRun(run, file, true)) && this.#desk.facts().own) this.#tellBusy(true);
    }
    await this.#tree.reveal(id);
  }

  async #locate(run: RunEntry): Promise<string | undefined> {
    const found = await locateReport(run);
    if (found !== undefined && found !== run.path) {
      await amendRecord(this.#desk.runsFolder, run.run, { path: found }).catch(() => false);
      await this.#tree.refresh();
    }
    return found;
  }

  #report(run: RunEntry, found: string | undefined): SavedReport {
    const kept = {
      run: run.run,
      text: async () => (await savedReportText(this.#desk.runsFolder, run.run)) ?? '',
      workspaceFolder: run.workspace ?? (run.path === undefined ? homedir() : path.dirname(run.path)),
    };
    if (found !== undefined) return { ...kept, path: found };
    const unsaved = this.#unsaved.get(run.run) ?? kept;
    this.#unsaved.set(run.run, unsaved);
    return unsaved;
  }
}

function isReadable({ state }: RunEntry): boolean {
  return state !== 'unreadable';
}

function isNode(value: unknown): value is Extract<HistoryNode, { kind: 'run' }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'run' && 'entry' in value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
