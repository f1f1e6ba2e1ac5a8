import path from 'node:path';
import * as vscode from 'vscode';
import { interruptedReason } from '../../protocol/reduceRun.ts';
import type { ReportThread } from '../../protocol/messages.ts';
import type { RunView } from '../../protocol/runView.ts';
import { noticeLine } from '../history/plainText.ts';
import type { RunEntry } from '../../runs/runEntry.ts';
import { offer } from '../inform.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { informRestricted, mayRead } from '../restrictedMode.ts';
import { currentFolder, isOpenFolder } from '../workspaceFolder.ts';
import { isHeld } from '../../files/runHeld.ts';

/** How often a run that another process holds is checked (milliseconds). */
const releaseCheckMs = 500;

/** What is needed of the window. */
type ReopenedHost = Pick<
  ResearchWindow,
  'session' | 'panel' | 'memory' | 'documents' | 'runsFolder' | 'log' | 'texts' | 'describeSetup'
>;

/** Earlier runs in the panel: the last one after a reload, any of them from the history. */
export class ReopenedRuns {
  readonly #host: ReopenedHost;
  #restoring: Promise<void> | undefined;
  /** Of the report that the shown run is about, as it is now. */
  #cited: RunView['sources'] = [];

  constructor(host: ReopenedHost) {
    this.#host = host;
  }

  /**
   * After a reload, once: shows the last run again; if the reload interrupted it, with everything that it had found.
   */
  restore(): Promise<void> {
    this.#restoring ??= this.#restoreLast();
    return this.#restoring;
  }

  /** Shows a run, with its report at `path`. False: another run is in progress, or there is nothing to show. */
  async show(run: RunEntry, path: string | undefined, preserveFocus: boolean): Promise<boolean> {
    if (this.#host.session.running) return false;
    const view = await this.read(run.run);
    if (!view || this.#host.session.running) return false;
    // The window's last run must not replace it.
    this.#restoring ??= Promise.resolve();
    const { path: _recorded, ...report } = view.report;
    // Remembered, so that the panel shows it after a reload too.
    this.#host.memory.run = { run: run.run, dismissed: false, workspaceFolder: run.workspace };
    this.#host.session.show({ ...view, report: { ...report, ...(path === undefined ? {} : { path }) } });
    await this.#host.panel.show(preserveFocus);
    return true;
  }

  async resume(run: RunEntry): Promise<void> {
    if (await this.show(run, run.path, false)) await this.resumeShown();
  }

  /**
   * Resumes the run that is shown, in the folder that its record names and in no other; without one when it started so.
   */
  async resumeShown(): Promise<void> {
    const { run } = this.#host.session.view;
    const { readRecord } = await import('../../files/amendRecord.ts');
    const record = await readRecord(this.#host.runsFolder, run);
    // Another run is shown by now, or in progress.
    if (this.#host.session.running || this.#host.session.view.run !== run) return;
    const about = record?.followUp?.file;
    if (about !== undefined && !mayRead(vscode.Uri.file(about))) return informRestricted();
    // The record does not name a folder that could not be read last time.
    const last = this.#host.memory.run?.run === run ? this.#host.memory.run : undefined;
    const folder = record?.workspace ?? last?.workspaceFolder;
    // Texts of pages that the user gave for the run.
    const pages = this.#host.documents.attachments().filter(({ url }) => url !== undefined);
    if (folder === undefined || isOpenFolder(folder)) return void this.#host.session.resume(folder, pages);
    const message = vscode.l10n.t(
      'This run belongs to another folder: {0}. Open that folder to resume it.',
      noticeLine(folder, 200),
    );
    // Not awaited: the message may stay open.
    void offer(message, vscode.l10n.t('Open Folder')).then(
      (isWanted) =>
        isWanted &&
        vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true }),
    );
  }

  /** There is no report to show: whether the user starts a run instead. */
  offerStart(): Promise<boolean> {
    return offer(vscode.l10n.t('There is no report in this workspace yet.'), vscode.l10n.t('Start'));
  }

  /** The report of the shown run, or that it is about, with the answers to what was asked about it. */
  async thread(): Promise<ReportThread | undefined> {
    const { threadOf } = await import('../history/reportThread.ts');
    const thread = await threadOf(this.#host, (run) => this.read(run));
    this.#cited = thread?.report?.sources ?? [];
    return thread;
  }

  /** Of what the panel shows. */
  sources(): RunView['sources'] {
    return [...this.#host.session.view.sources, ...this.#cited];
  }

  async #restoreLast(): Promise<void> {
    if (this.#host.session.running) return;
    const folder = currentFolder()?.uri.fsPath;
    const { RunCatalogue } = await import('../../runs/runCatalogue.ts');
    const catalogue = new RunCatalogue(this.#host.runsFolder, this.#host.log);
    // A run without a folder is taken for one of a window without a folder, unless that is in Restricted Mode.
    const isKnown = folder !== undefined || vscode.workspace.isTrusted;
    const unrecorded = isKnown ? catalogue.newestInterrupted(folder, this.#host.memory.latest ?? '') : undefined;
    if (unrecorded !== undefined) this.#host.memory.started(unrecorded, folder);
    const last = this.#host.memory.run;
    if (!last || last.dismissed) return;
    const view = await this.read(last.run);
    if (!view || this.#host.session.view.status !== 'idle') return;
    if (view.end?.reason === interruptedReason && isHeld(path.join(this.#host.runsFolder, last.run)))
      this.#showWhenReleased(last.run);
    else this.#host.session.show(view);
  }

  /**
   * A run whose lock some process holds is not interrupted: another window has it, or this one had it a moment ago,
   * before its reload. It is shown when the lock is released without an end of the run, unless something else is shown
   * by then.
   */
  #showWhenReleased(run: string): void {
    const timer = setInterval(() => {
      const isWanted =
        this.#host.session.view.status === 'idle' &&
        this.#host.memory.run?.run === run &&
        !this.#host.memory.run.dismissed;
      if (isWanted && isHeld(path.join(this.#host.runsFolder, run))) return;
      clearInterval(timer);
      if (isWanted)
        void this.read(run).then(
          (view) =>
            view?.end?.reason === interruptedReason &&
            this.#host.session.view.status === 'idle' &&
            this.#host.session.show(view),
        );
    }, releaseCheckMs);
    timer.unref();
  }

  /** The view of a saved run; undefined when nothing of it can be read. */
  async read(run: string): Promise<RunView | undefined> {
    const { readSavedRun } = await import('../../runs/savedRun.ts');
    return readSavedRun(this.#host.runsFolder, run, await this.#host.texts());
  }
}
