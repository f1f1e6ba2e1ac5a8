import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { wantedStrategies } from '../../protocol/strategy.ts';
import { type CommandId, commandIds } from '../commandIds.ts';
import { inform, offer } from '../inform.ts';
import type { CitingReport } from '../reports/citedEvidence.ts';
import { type SavedReport, savedReportText } from '../reports/reportService.ts';
import { l10n } from '../l10n.ts';
import { informRestricted, mayRead } from '../restrictedMode.ts';
import { fieldOf, reportHeadLength, runOfReport } from '../reports/reportText.ts';
import { amendRecord, readRecord } from '../../files/amendRecord.ts';
import type { ReportVersions, VersionDecision } from '../reports/reportVersions.ts';
import { askOfFile, followUpOf } from './askAboutRun.ts';
import { DeletedRuns } from './deletedRuns.ts';
import { exportKinds, exportSavedRun, printRun, removePrinted, shareRun } from './exportSavedRun.ts';
import type { ReopenedRuns } from '../sessions/reopenedRuns.ts';
import type { HistoryHost, HistoryNode } from './historyHost.ts';
import { HistoryTree } from './historyTree.ts';
import { locateReport } from './locateReport.ts';
import { pickExport, pickRun } from './pickRun.ts';
import { noticeLine } from './plainText.ts';
import { informOutside, offerCommand } from './outsideRuns.ts';
import { revealRun } from './revealRun.ts';
import { canResume, hasReport, isInProgress, isReadable, type RunEntry, titleOf } from '../../runs/runEntry.ts';
import { messageOf } from '../../runs/log.ts';
import { errorText } from '../shownErrors.ts';

const maxNameLength = 200;

/** What a user does with saved runs. */
export class HistoryActions {
  readonly tree: HistoryTree;
  readonly #host: HistoryHost;
  readonly #deletedRuns: DeletedRuns;
  /** By run, so that a second click shows the same untitled tab. */
  readonly #unsaved = new Map<string, SavedReport>();
  #versions: Promise<ReportVersions> | undefined;
  /** Ids of the latest delete. */
  #lastDeleted: readonly string[] = [];

  /** @param changed Draws the view again. */
  constructor(host: HistoryHost, view: vscode.TreeView<HistoryNode>, changed: () => void) {
    this.#host = host;
    this.#deletedRuns = new DeletedRuns(host.runsFolder);
    void this.#deletedRuns.sweep();
    this.tree = new HistoryTree(host, view, changed);
  }

  readonly #commands: Readonly<Partial<Record<CommandId, (args: readonly unknown[]) => Promise<unknown>>>> = {
    [commandIds.undoDelete]: () => this.#undoDelete(this.#lastDeleted),
    [commandIds.askRun]: (args) => this.#ask(args),
    [commandIds.challengeSelection]: () => this.#challengeSelection(),
    [commandIds.refreshRun]: ([about]) => this.#refresh(about),
    [commandIds.removeSection]: (args) => this.#removeSection(args),
    [commandIds.compareVersion]: (args) => this.#compare(args),
    [commandIds.showRun]: ([about]) => this.#showRunOf(about),
    [commandIds.showAllRuns]: () => this.tree.setEverywhere(true),
    [commandIds.showRunsHere]: () => this.tree.setEverywhere(false),
    [commandIds.exportReport]: async (args) => {
      const foreign = this.#foreignReport(args[0]);
      if (foreign && !mayRead(vscode.Uri.file(foreign.path))) return informRestricted();
      const kind = await pickExport(foreign !== undefined);
      if (kind) await (foreign ? exportSavedRun(this.#host, foreign, kind) : this.#runOnRow(kind.id, args));
    },
    [commandIds.printReport]: async (args) => {
      const foreign = this.#foreignReport(args[0]);
      if (foreign && !mayRead(vscode.Uri.file(foreign.path))) return informRestricted();
      await (foreign ? printRun(this.#host, foreign) : this.#runOnRow(commandIds.printReport, args));
    },
    [commandIds.findRun]: async () => {
      const found = await pickRun(this.tree.all());
      if (found) await this.#open(found, false);
    },
  };

  readonly #rowCommands: Readonly<Partial<Record<CommandId, (run: RunEntry) => Promise<void>>>> = {
    [commandIds.openRun]: (run) => this.#open(run, true),
    [commandIds.resumeRun]: (run) => this.#resume(run),
    [commandIds.rerunRun]: (run) => this.#rerun(run),
    [commandIds.renameRun]: (run) => this.#rename(run),
    [commandIds.shareReport]: (run) => shareRun(this.#host, run),
    [commandIds.printReport]: (run) => printRun(this.#host, run),
    [commandIds.revealRun]: (run) => revealRun(this.#host, run),
  };

  /** See `HistoryView.run`. */
  run(command: CommandId, args: readonly unknown[]): Promise<unknown> {
    return this.#commands[command]?.(args) ?? this.#runOnRow(command, args);
  }

  async #runOnRow(command: CommandId, args: readonly unknown[]): Promise<void> {
    const all = this.#runsOf(args);
    const runs = all.filter(({ outside }) => outside === undefined);
    const [run] = runs;
    if (!run) {
      if (command === commandIds.openRun) return all[0] && this.#open(all[0], true);
      return all[0] && (command === commandIds.revealRun ? revealRun(this.#host, all[0]) : informOutside(all[0]));
    }
    if (command === commandIds.deleteRun) return this.#delete(runs);
    const kind = exportKinds().find(({ id }) => id === command);
    if (kind) return exportSavedRun(this.#host, run, kind);
    await this.#rowCommands[command]?.(run);
  }

  async savedAs(run: string, file: string): Promise<void> {
    await amendRecord(this.#host.runsFolder, run, { path: file });
    this.tree.refresh();
  }

  async close(): Promise<void> {
    (await this.#versions)?.dispose();
    await removePrinted(this.#host);
    await this.#deletedRuns.close();
  }

  /**
   * The runs that a command means, in their current state: the clicked row with those selected beside it; by keyboard the
   * selection.
   */
  #runsOf([clicked, all]: readonly unknown[]): RunEntry[] {
    const clickedRows: readonly unknown[] = Array.isArray(all) ? all : [clicked];
    const nodes = (isRunNode(clicked) ? clickedRows : this.tree.selection).filter(isRunNode);
    // A report names its run.
    const ids = typeof clicked === 'string' ? [clicked] : nodes.map(({ entry }) => entry.run);
    const runs = ids.flatMap((id) => this.tree.find(id) ?? []);
    if (runs.length < ids.length) {
      this.tree.refresh();
      inform(vscode.l10n.t('This run no longer exists.'));
    }
    return runs;
  }

  // -------- actions

  /** Shows a run in the panel and its report in a tab. From the tree the focus stays in the tree. */
  async #open(run: RunEntry, preserveFocus: boolean): Promise<void> {
    if (isInProgress(run)) return this.#showInProgress(run);
    const file = await this.#locate(run);
    const text = file === undefined ? await savedReportText(run.outside ?? this.#host.runsFolder, run.run) : undefined;
    const isShown = run.outside === undefined && (await this.#showInPanel(run, file, preserveFocus));
    const opensReport = file !== undefined || (text !== undefined && (hasReport(run) || !isReadable(run)));
    if (opensReport) await this.#host.reports.open(this.#report(run, file), { preserveFocus, preview: true });
    if (run.outside !== undefined) return opensReport ? undefined : offerCommand(run);
    if (!isShown && this.#host.session.facts().own) this.#informBusy(opensReport);
    else if (!isShown && !opensReport)
      inform(vscode.l10n.t('“{0}” can’t be shown: its files are damaged or missing.', noticeLine(titleOf(run))));
    if (opensReport && file === undefined && run.path !== undefined) await this.#offerCopy(run, run.path);
  }

  /** False: another run is in progress, or nothing of this one can be read. */
  async #showInPanel(...shown: Parameters<ReopenedRuns['show']>): Promise<boolean> {
    return (await this.#host.reopened()).show(...shown);
  }

  async #showInProgress(run: RunEntry): Promise<void> {
    if (run.outside !== undefined) informOutside(run);
    else if (run.elsewhere) inform(vscode.l10n.t('“{0}” is running in another window.', noticeLine(titleOf(run))));
    else await this.#host.panel.focus();
  }

  #informBusy(opensReport: boolean): void {
    inform(
      opensReport
        ? vscode.l10n.t('The panel shows the run in progress, so only the report was opened.')
        : vscode.l10n.t('The panel shows the run in progress. Open the other run when it has ended.'),
    );
  }

  /** The report's file is gone; what was opened is the copy in the run's folder. */
  async #offerCopy(run: RunEntry, missing: string): Promise<void> {
    const message = vscode.l10n.t(
      'The file {0} is missing. This is the copy saved with the run.',
      noticeLine(missing, 200),
    );
    if (!(await offer(message, vscode.l10n.t('Save As…')))) return;
    const saved = await this.#host.reports.saveAs(this.#report(run, undefined));
    if (saved !== undefined) await this.savedAs(run.run, saved);
  }

  async #resume(run: RunEntry): Promise<void> {
    if (isInProgress(run)) return this.#showInProgress(run);
    if (canResume(run)) return this.#host.resumeRun(run);
    inform(vscode.l10n.t('“{0}” is finished: there is nothing to resume.', noticeLine(titleOf(run))));
  }

  async #rerun({ run }: RunEntry): Promise<void> {
    const record = await readRecord(this.#host.runsFolder, run);
    const strategy = wantedStrategies.find((wanted) => wanted === record?.strategy);
    if (!record) return;
    const { question, parent, followUp: wanted = { as: 'answer' } } = record;
    if (parent === undefined) return void (await this.#host.rerun(run, question, { strategy }));
    if (wanted.file !== undefined && !mayRead(vscode.Uri.file(wanted.file))) return informRestricted();
    // Of another run it is for what is asked next.
    const attached = this.#host.session.view.run === run ? this.#host.documents.attachments() : [];
    await this.#host.rerun(run, question, { followUp: { ...wanted, run: parent }, attached });
  }

  /**
   * Asks about the report of a row, of a document, or of a run by its id, or changes it; a keybinding may pass the question and what is
   * to be done with it.
   */
  async #ask([about, asked, how]: readonly unknown[]): Promise<boolean> {
    const run = await this.#aboutRun(about);
    if (!run) return this.#askOfFile(about, asked, how);
    const hasModel = async () => (await this.#host.describeSetup()).analyst === 'llm';
    const wanted = await followUpOf(this.#host.runsFolder, run, hasModel, asked, how);
    if (!wanted) return false;
    const attached = this.#host.documents.attachments();
    return this.#host.start(wanted.question, { followUp: wanted.followUp, attached });
  }

  /** What is selected in a report that is open as text; the user may change it before what speaks against it is searched. */
  async #challengeSelection(): Promise<boolean> {
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    const fill = document?.getText(selection).slice(0, 1_000).trim() ?? '';
    return fill !== '' && this.#ask([document!.uri, undefined, { as: 'challenge', fill }]);
  }

  /** The run of a report is not on this machine. */
  async #askOfFile(about: unknown, asked: unknown, how: unknown): Promise<boolean> {
    const { run, document } = (isRunNode(about) ? undefined : await this.#reportOf(about)) ?? {};
    if (run === undefined || document?.uri.scheme !== 'file')
      inform(vscode.l10n.t('The run of this report no longer exists.'));
    else if (!mayRead(document.uri)) informRestricted();
    else {
      const wanted = await askOfFile(run, document.uri.fsPath, asked, how);
      if (wanted) return this.#host.start(wanted.question, wanted.choices);
    }
    return false;
  }

  /** Looks at the sources of the report again; what changed is a version that waits. */
  async #refresh(about: unknown): Promise<void> {
    const run = await this.#aboutRun(about);
    if (!run) return inform(vscode.l10n.t('The run of this report no longer exists.'));
    await this.#host.start(run.question ?? titleOf(run), { followUp: { run: run.run, refresh: true } });
  }

  async #aboutRun(about: unknown): Promise<RunEntry | undefined> {
    const id = isRunNode(about)
      ? about.entry.run
      : typeof about === 'string'
        ? about
        : (await this.#reportOf(about))?.run;
    return id === undefined ? undefined : this.tree.read(id);
  }

  /** The report of the document at an address, or of the tab in front, which may have to be that of a run. Undefined: there is none. */
  async #reportOf(address: unknown): Promise<Pick<CitingReport, 'run' | 'document'> | undefined> {
    // The tab that a run wrote its report into has an address of its own.
    if (!(address instanceof vscode.Uri) || address.scheme === 'webview-panel') {
      const front = this.#host.reports.front();
      return typeof address === 'string' && front?.run !== address ? undefined : front;
    }
    const document = await vscode.workspace.openTextDocument(address);
    return { run: runOfReport(document.getText().slice(0, reportHeadLength)), document };
  }

  /** The report in front as a run, where its own is not on this machine. */
  #foreignReport(run: unknown): (RunEntry & { readonly path: string }) | undefined {
    const { run: id, document, text = '' } = this.#host.reports.front() ?? {};
    if (typeof run !== 'string' || id !== run || document?.uri.scheme !== 'file' || this.tree.find(run))
      return undefined;
    const file = document.uri.fsPath;
    const title = path.basename(file, '.md').replace(/^\d{4}-\d\d-\d\d[- ]?/, '');
    const created = fieldOf(text, 'created') ?? new Date().toISOString();
    return { run, created, title, state: 'finished', elsewhere: false, path: file };
  }

  /** A new version without a section, which waits as any other. */
  async #removeSection([about, heading]: readonly unknown[]): Promise<void> {
    const run = await this.#aboutRun(about);
    if (!run || typeof heading !== 'string') return;
    const file = await this.#locate(run);
    if (file !== undefined && !mayRead(vscode.Uri.file(file))) return informRestricted();
    const versions = await this.#loadVersions();
    await this.#compare([run.run, await versions.withoutSection(run.run, heading)]);
  }

  #loadVersions(): Promise<ReportVersions> {
    return (this.#versions ??= import('../reports/reportVersions.ts').then(
      ({ ReportVersions: Versions }) =>
        new Versions(
          this.#host.runsFolder,
          (run) => this.#host.accepted(run),
          (error) => this.#host.showError(error),
        ),
    ));
  }

  /** Shows a version of a row, or of a run by its id; a keybinding may pass what becomes of it. */
  async #compare([about, number, decided]: readonly unknown[]): Promise<void> {
    const node = about as HistoryNode;
    const isVersion = typeof about === 'object' && about !== null && node.kind === 'version';
    const run = isVersion ? this.tree.read(node.entry.run) : await this.#aboutRun(about);
    const chosen = isVersion ? node.version.number : number;
    if (!run || typeof chosen !== 'number') return inform(vscode.l10n.t('This run no longer exists.'));
    const file = await this.#locate(run);
    if (file !== undefined && !mayRead(vscode.Uri.file(file))) return informRestricted();
    await (await this.#loadVersions()).review(run.run, chosen, file, decided as VersionDecision | undefined);
    this.tree.changed();
  }

  async #rename(run: RunEntry): Promise<void> {
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Rename Run'),
      prompt: vscode.l10n.t('Leave it empty to use the title of the report.'),
      value: titleOf(run).slice(0, maxNameLength),
      validateInput: (text) =>
        text.length > maxNameLength ? vscode.l10n.t('At most {0} characters.', maxNameLength) : undefined,
    });
    if (name === undefined) return;
    const { name: _old, ...unnamed } = run;
    const chosen = name.trim() === '' || name.trim() === titleOf(unnamed) ? undefined : name.trim();
    if (!(await amendRecord(this.#host.runsFolder, run.run, { name: chosen })))
      inform(vscode.l10n.t('This run no longer exists.'));
    this.tree.refresh();
  }

  /** Deletes runs; reports that were saved in a workspace are never touched. */
  async #delete(runs: readonly RunEntry[]): Promise<void> {
    if (runs.some(isInProgress)) inform(vscode.l10n.t('A run in progress can’t be deleted. Stop it first.'));
    const deleted: RunEntry[] = [];
    try {
      for (const run of runs) if (!isInProgress(run) && (await this.#deletedRuns.delete(run.run))) deleted.push(run);
    } catch (error) {
      void vscode.window.showErrorMessage(
        vscode.l10n.t('The run couldn’t be deleted: {0}', errorText(messageOf(error))),
      );
    }
    this.tree.refresh();
    const [first] = deleted;
    if (!first) return;
    const ids = deleted.map(({ run }) => run);
    this.#lastDeleted = ids;
    const { session } = this.#host;
    if (ids.includes(session.view.run)) session.show();
    const message =
      deleted.length === 1
        ? vscode.l10n.t('Deleted “{0}”. Its saved report was not touched.', noticeLine(titleOf(first)))
        : l10n.t(
            'Deleted {0, plural, one {# run} other {# runs}}. The saved reports were not touched.',
            deleted.length,
          );
    // Not awaited: the command is done, and its undo may come much later.
    void offer(message, vscode.l10n.t('Undo')).then((isUndone) => (isUndone ? this.#undoDelete(ids) : undefined));
  }

  async #undoDelete(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return inform(vscode.l10n.t('There is no delete to undo.'));
    if (this.#lastDeleted === ids) this.#lastDeleted = [];
    for (const id of ids) {
      const gone = vscode.l10n.t('it is gone for good.');
      const failure = await this.#deletedRuns.restore(id).then((restored) => (restored ? undefined : gone), messageOf);
      if (failure !== undefined)
        void vscode.window.showErrorMessage(vscode.l10n.t('The run couldn’t be restored: {0}', errorText(failure)));
    }
    this.tree.refresh();
  }

  /** From a report to the run that wrote it. */
  async #showRunOf(argument: unknown): Promise<void> {
    const report = await this.#reportOf(argument);
    if (report?.run === undefined) return inform(vscode.l10n.t('This document is not a research report.'));
    const { run: id, document } = report;
    const run = this.tree.find(id);
    if (!run) return inform(vscode.l10n.t('The run of this report no longer exists.'));
    if (run.outside !== undefined) return this.tree.reveal(id);
    const file = document?.uri.scheme === 'file' ? document.uri.fsPath : undefined;
    if (isInProgress(run)) await this.#showInProgress(run);
    else if (!(await this.#showInPanel(run, file, true)) && this.#host.session.facts().own) this.#informBusy(true);
    await this.tree.reveal(id);
  }

  // -------- reports

  async #locate(run: RunEntry): Promise<string | undefined> {
    const file = await locateReport(run);
    if (file !== undefined && file !== run.path) await this.savedAs(run.run, file).catch(() => undefined);
    return file;
  }

  #report(
    { run, workspace, path: recorded, outside = this.#host.runsFolder }: RunEntry,
    file: string | undefined,
  ): SavedReport {
    const copy = {
      run,
      text: async () => (await savedReportText(outside, run)) ?? '',
      workspaceFolder: workspace ?? (recorded === undefined ? homedir() : path.dirname(recorded)),
    };
    if (file !== undefined) return { ...copy, path: file };
    const unsaved = this.#unsaved.get(run) ?? copy;
    this.#unsaved.set(run, unsaved);
    return unsaved;
  }
}

function isRunNode(value: unknown): value is Extract<HistoryNode, { kind: 'run' }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'run' && 'entry' in value;
}
