import * as vscode from 'vscode';
import type { RunView } from '../../protocol/runView.ts';
import { type CommandId, historyViewId } from '../commandIds.ts';
import type { HistoryService, HistoryNode } from './historyService.ts';
import type { LoadedHistory } from './loadHistory.ts';
import { ownRunFacts } from './ownRunFacts.ts';

/**
 * The tree of runs below the panel. All that activation loads of it is this: the rest comes when the view is first seen, or
 * when a command of it is first run.
 */
export class HistoryView implements vscode.Disposable {
  readonly #desk: HistoryService;
  readonly #changed = new vscode.EventEmitter<HistoryNode | undefined>();
  readonly #tree: vscode.TreeView<HistoryNode>;
  readonly #subscriptions: vscode.Disposable;
  #loading: Promise<LoadedHistory> | undefined;
  #told = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(desk: HistoryService) {
    this.#desk = desk;
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
      // Runs of other windows and of the command line change while nobody looks.
      this.#tree.onDidChangeVisibility(({ visible }) => void this.#loading?.then(({ tree }) => tree.watch(visible))),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#tree.visible && this.#refreshSoon()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#refreshSoon()),
    );
  }

  /** Called after every change of this window's run, and when the window has let go of it. */
  follow(view: RunView): void {
    const now = ownRunFacts(view, this.#desk.facts());
    if (now === this.#told) return;
    this.#told = now;
    this.#refreshSoon();
  }

  async run(command: CommandId, args: readonly unknown[]): Promise<void> {
    const { actions } = await this.#load();
    await actions.run(command, args);
  }

  /** A file of the report was chosen elsewhere: the run keeps it. */
  async savedAs(run: string, path: string): Promise<void> {
    const { actions } = await this.#load();
    await actions.remember(run, path);
  }

  /** Removes for good what was deleted in this window. */
  async close(): Promise<void> {
    await (await this.#loading)?.actions.close();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    void this.#loading?.then(({ tree }) => tree.dispose());
    this.#subscriptions.dispose();
  }

  #load(): Promise<LoadedHistory> {
    this.#loading ??= import('./loadHistory.ts').then(({ loadHistory }) =>
      loadHistory(this.#desk, this.#tree, (node) => this.#changed.fire(node)),
    );
    return this.#loading;
  }

  /** Once for all that changes in the same moment; nothing when the history was never looked at. */
  #refreshSoon(): void {
    if (!this.#loading) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#loading?.then(({ tree }) => tree.refresh()), 100);
  }
}
