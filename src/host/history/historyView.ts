import * as vscode from 'vscode';
import type { RunView } from '../../protocol/runView.ts';
import { type CommandId, historyViewId } from '../commandIds.ts';
import type { HistoryHost, HistoryNode } from './historyHost.ts';
import type { HistoryActions } from './historyActions.ts';
import { ownRunFacts } from '../../runs/runEntry.ts';

/**
 * The tree of runs below the panel. Activation loads only this part of it: the rest comes when the view is first
 * visible, or with the first command of it.
 */
export class HistoryView implements vscode.Disposable {
  readonly #host: HistoryHost;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #tree: vscode.TreeView<HistoryNode>;
  readonly #subscriptions: vscode.Disposable;
  #loading: Promise<HistoryActions> | undefined;
  #ownRun = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(host: HistoryHost) {
    this.#host = host;
    this.#tree = vscode.window.createTreeView<HistoryNode>(historyViewId, {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (await this.#load()).tree.children(node),
        getTreeItem: async (node) => (await this.#load()).tree.item(node),
        resolveTreeItem: async (item, node) => (await this.#load()).tree.resolve(item, node),
        getParent: async (node) => (await this.#load()).tree.parent(node),
      },
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.#subscriptions = vscode.Disposable.from(
      this.#tree,
      this.#changed,
      // Runs of other windows and of the command line change while the view is hidden.
      this.#tree.onDidChangeVisibility(({ visible }) => void this.#loading?.then(({ tree }) => tree.watch(visible))),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#tree.visible && this.#refreshSoon()),
      // Other runs are those of "here".
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.#loading?.then(({ tree }) => tree.refresh(true))),
    );
  }

  /** Called after every change of this window's run, and when its engine has ended. */
  follow(view: RunView): void {
    const now = ownRunFacts(view, this.#host.session.facts());
    if (now === this.#ownRun) return;
    this.#ownRun = now;
    this.#refreshSoon();
  }

  /** @returns Of a question about a report, whether a run has begun. */
  async run(command: CommandId, args: readonly unknown[]): Promise<unknown> {
    return (await this.#load()).run(command, args);
  }

  /** The report of a run was saved at a place that its record does not know. */
  async savedAs(run: string, path: string): Promise<void> {
    await (await this.#load()).savedAs(run, path);
  }

  /** Removes for good what was deleted in this window. */
  async close(): Promise<void> {
    await (await this.#loading)?.close();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    void this.#loading?.then(({ tree }) => tree.dispose());
    this.#subscriptions.dispose();
  }

  #load(): Promise<HistoryActions> {
    this.#loading ??= import('./historyActions.ts').then(
      ({ HistoryActions }) => new HistoryActions(this.#host, this.#tree, () => this.#changed.fire()),
    );
    return this.#loading;
  }

  /** Once for all that changes in the same moment; nothing while the history was never used. */
  #refreshSoon(): void {
    if (!this.#loading) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#loading?.then(({ tree }) => tree.refresh()), 100);
  }
}
