import * as vscode from 'vscode';
import { type CommandId, sourcesViewId } from '../commandIds.ts';
import type { SourceNode, SourcesHost, SourceTree } from './sourceTree.ts';

/** Sources come in bursts (milliseconds). */
const burstMs = 300;

/** The sources of the report in front, else of the run that the panel shows. All but this is loaded when the view is first visible. */
export class SourcesView implements vscode.Disposable {
  readonly #host: SourcesHost;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #view: vscode.TreeView<SourceNode>;
  readonly #subscriptions: vscode.Disposable;
  #loading: Promise<SourceTree> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: SourcesHost) {
    this.#host = host;
    this.#view = vscode.window.createTreeView<SourceNode>(sourcesViewId, {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (await this.tree()).children(node),
        getTreeItem: async (node) => (await this.tree()).item(node),
      },
      showCollapseAll: true,
    });
    const refresh = () => this.refresh();
    this.#subscriptions = vscode.Disposable.from(
      this.#view,
      this.#changed,
      vscode.window.onDidChangeActiveTextEditor(refresh),
      vscode.window.tabGroups.onDidChangeTabs(refresh),
      vscode.workspace.onDidSaveTextDocument(refresh),
      this.#view.onDidChangeVisibility(refresh),
    );
  }

  /** The report in front, or the shown run, may be another one, or have more sources. */
  refresh(): void {
    if (!this.#loading || !this.#view.visible) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#changed.fire(), burstMs);
  }

  async run(command: CommandId, node: unknown): Promise<void> {
    await (await this.tree()).run(command, node);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  tree(): Promise<SourceTree> {
    return (this.#loading ??= import('./sourceTree.ts').then(
      ({ SourceTree: Tree }) => new Tree(this.#host, this.#view, () => this.#changed.fire()),
    ));
  }
}
