import path from 'node:path';
import * as vscode from 'vscode';
import type { InterruptedStrings } from '../../protocol/interrupted.ts';
import { interruptedReason } from '../../protocol/reduceRun.ts';
import type { RunView } from '../../protocol/runView.ts';
import { noticeLine } from '../history/plainText.ts';
import type { Attachment } from '../../protocol/ports.ts';
import type { RunEntry, WindowFacts } from '../history/runEntry.ts';
import type { LastRunMemory } from '../lastRun.ts';
import { isOpenFolder } from '../workspaceFolder.ts';
import { isHeld } from './runHeld.ts';
import type { RunSession } from './runSession.ts';

/** How often a run that another process holds is checked (milliseconds). */
const releaseCheckMs = 500;

/** The part of the panel that is used. */
interface ShownPanel {
  show(preserveFocus: boolean): Promise<void>;
}

/** Earlier runs in the panel: the last one after a reload, any of them from the history. */
export class ReopenedRuns {
  readonly #session: RunSession;
  readonly #memory: LastRunMemory;
  readonly #panel: ShownPanel;
  readonly #runsFolder: string;
  /** The folder that a run of this window would research. */
  readonly #folder: () => string | undefined;
  readonly #texts: () => Promise<InterruptedStrings>;
  /** Texts of pages that the user gave for the shown run. */
  readonly #pages: () => readonly Attachment[];
  #restoring: Promise<void> | undefined;

  constructor(
    session: RunSession,
    memory: LastRunMemory,
    panel: ShownPanel,
    runsFolder: string,
    folder: () => string | undefined,
    texts: () => Promise<InterruptedStrings>,
    pages: () => readonly Attachment[],
  ) {
    this.#session = session;
    this.#memory = memory;
    this.#panel = panel;
    this.#runsFolder = runsFolder;
    this.#folder = folder;
    this.#texts = texts;
    this.#pages = pages;
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
    if (this.#session.running) return false;
    const view = await this.read(run.run);
    if (!view || this.#session.running) return false;
    // The window's last run must not replace it.
    this.#restoring ??= Promise.resolve();
    const { path: _recorded, ...report } = view.report;
    const workspaceFolder = run.workspace === undefined ? {} : { workspaceFolder: run.workspace };
    // Remembered, so that the panel shows it after a reload too.
    this.#memory.run = { run: run.run, dismissed: false, ...workspaceFolder };
    this.#session.show({ ...view, report: { ...report, ...(path === undefined ? {} : { path }) } });
    await this.#panel.show(preserveFocus);
    return true;
  }

  async resume(run: RunEntry): Promise<void> {
    if (await this.show(run, run.path, false)) await this.resumeShown();
  }

  /**
   * Resumes the run that is shown, in the folder that its record names and in no other; without one when it started so.
   */
  async resumeShown(): Promise<void> {
    const { run } = this.#session.view;
    const { readBeginning } = await import('./savedRun.ts');
    const record = await readBeginning(this.#runsFolder, run);
    // Another run is shown by now, or in progress.
    if (this.#session.running || this.#session.view.run !== run) return;
    // The record does not name a folder that could not be read last time.
    const last = this.#memory.run?.run === run ? this.#memory.run : undefined;
    const folder = record?.workspace ?? last?.workspaceFolder;
    if (folder === undefined || isOpenFolder(folder)) return void this.#session.resume(folder, this.#pages());
    const open = vscode.l10n.t('Open Folder');
    const message = vscode.l10n.t(
      'This run belongs to another folder: {0}. Open that folder to resume it.',
      noticeLine(folder, 200),
    );
    if ((await vscode.window.showInformationMessage(message, open)) === open)
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true });
  }

  /** What only this window knows of its runs. */
  facts(): WindowFacts {
    const { view, running } = this.#session;
    return running && view.run !== ''
      ? { own: { run: view.run, state: view.status === 'waiting' ? 'waiting' : 'running' } }
      : {};
  }

  async #restoreLast(): Promise<void> {
    if (this.#session.running) return;
    const workspaceFolder = this.#folder();
    const { findInterruptedRun } = await import('./interruptedRun.ts');
    const unnoted = await findInterruptedRun(this.#runsFolder, workspaceFolder, this.#memory.latest);
    if (unnoted !== undefined)
      this.#memory.run = {
        run: unnoted,
        dismissed: false,
        ...(workspaceFolder === undefined ? {} : { workspaceFolder }),
      };
    const last = this.#memory.run;
    if (!last || last.dismissed) return;
    const view = await this.read(last.run);
    if (!view || this.#session.view.status !== 'idle') return;
    if (view.end?.reason === interruptedReason && isHeld(path.join(this.#runsFolder, last.run)))
      this.#showWhenReleased(last.run);
    else this.#session.show(view);
  }

  /**
   * A run whose lock some process holds is not interrupted: another window has it, or this one had it a moment ago,
   * before its reload. It is shown when the lock is released without an end of the run, unless something else is shown
   * by then.
   */
  #showWhenReleased(run: string): void {
    const timer = setInterval(() => {
      const isWanted =
        this.#session.view.status === 'idle' && this.#memory.run?.run === run && !this.#memory.run.dismissed;
      if (isWanted && isHeld(path.join(this.#runsFolder, run))) return;
      clearInterval(timer);
      if (isWanted)
        void this.read(run).then(
          (view) =>
            view?.end?.reason === interruptedReason && this.#session.view.status === 'idle' && this.#session.show(view),
        );
    }, releaseCheckMs);
    timer.unref();
  }

  /** The view of a saved run; undefined when nothing of it can be read. */
  async read(run: string): Promise<RunView | undefined> {
    const { readSavedRun } = await import('./savedRun.ts');
    return readSavedRun(this.#runsFolder, run, await this.#texts());
  }
}
