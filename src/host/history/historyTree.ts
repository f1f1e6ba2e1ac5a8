import fs from 'node:fs';
import * as vscode from 'vscode';
import { contextKeys } from '../commandIds.ts';
import { arrangeRuns, groupKey, groupRuns, type RunGroup, type SortOrder, sortOrders } from './arrangeRuns.ts';
import type { HistoryService, HistoryNode } from './historyService.ts';
import { oneLine } from './plainText.ts';
import type { RunCatalogue } from './runCatalogue.ts';
import type { RunEntry } from './runEntry.ts';
import { runTooltip, stateWords, treeItem } from './runItem.ts';

/** How often runs of other windows are looked at, while some are on and the view is seen (milliseconds). */
const lookMs = 15_000;

/** The runs as the tree shows them: filtered, sorted, grouped by date, and kept up to date while the view is seen. */
export class HistoryTree implements vscode.Disposable {
  readonly #desk: HistoryService;
  readonly #catalogue: RunCatalogue;
  readonly #view: vscode.TreeView<HistoryNode>;
  readonly #changed: (node: HistoryNode | undefined) => void;
  #runs: readonly RunEntry[] = [];
  #shown: readonly RunEntry[] = [];
  #groups: readonly RunGroup[] | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #watcher: fs.FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(
    desk: HistoryService,
    catalogue: RunCatalogue,
    view: vscode.TreeView<HistoryNode>,
    changed: (node: HistoryNode | undefined) => void,
  ) {
    this.#desk = desk;
    this.#catalogue = catalogue;
    this.#view = view;
    this.#changed = changed;
  }

  /** Reads the runs for the first time. Of thousands that no index knows the newest are shown at once, the others as they are read. */
  async load(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const show = () => {
        this.#arrange();
        resolve();
      };
      const showFirst = (newest: readonly RunEntry[]) => {
        this.#runs = newest;
        show();
      };
      this.#read(showFirst).then(show, reject);
    });
    if (this.#view.visible) this.#observe();
  }

  dispose(): void {
    this.#unwatch();
  }

  // --------------------------------------------------------------------------------------------------------- the tree

  children(node: HistoryNode | undefined): HistoryNode[] {
    if (node?.kind === 'group') return node.group.runs.map(runNode);
    if (node) return [];
    return this.#groups ? this.#groups.map((group) => ({ kind: 'group', group })) : this.#shown.map(runNode);
  }

  item(node: HistoryNode): vscode.TreeItem {
    return treeItem(node, new Date());
  }

  /** What only the one item needs that the mouse rests on. */
  resolve(item: vscode.TreeItem, node: HistoryNode): vscode.TreeItem {
    if (node.kind === 'run') item.tooltip = runTooltip(node.entry);
    return item;
  }

  parent(node: HistoryNode): HistoryNode | undefined {
    if (node.kind === 'group' || !this.#groups) return undefined;
    const key = groupKey(new Date(node.entry.created), new Date());
    const group = this.#groups.find((one) => one.key === key);
    return group && { kind: 'group', group };
  }

  /** Every run, newest first, whatever the tree shows. */
  async all(): Promise<readonly RunEntry[]> {
    await this.refresh();
    return this.#runs;
  }

  /** One run as it stands now. */
  look(run: string): RunEntry | undefined {
    return this.#catalogue.read(run, this.#desk.facts());
  }

  get selection(): readonly RunEntry[] {
    return this.#view.selection.flatMap((node) => (node.kind === 'run' ? [node.entry] : []));
  }

  /** Selects a run, and widens what is shown when it is not among it. */
  async reveal(run: string): Promise<void> {
    await this.refresh();
    const has = () => this.#shown.find((entry) => entry.run === run);
    if (!has() && this.filter !== '') await this.setFilter('');
    if (!has()) await this.setEverywhere(true);
    const entry = has();
    if (entry) await this.#view.reveal(runNode(entry), { select: true, focus: false, expand: true });
  }

  // ------------------------------------------------------------------------------------------- filter, order and scope

  get filter(): string {
    return this.#desk.state.get<string>('history.filter') ?? '';
  }

  async setFilter(filter: string): Promise<void> {
    await this.#desk.state.update('history.filter', filter.trim() === '' ? undefined : filter);
    this.#arrange();
  }

  get sort(): SortOrder {
    const kept = this.#desk.state.get<string>('history.sort');
    return sortOrders.find((order) => order === kept) ?? 'newest';
  }

  async setSort(sort: SortOrder): Promise<void> {
    await this.#desk.state.update('history.sort', sort);
    this.#arrange();
  }

  /** Runs of other folders are shown too. */
  get everywhere(): boolean {
    return this.#desk.state.get<boolean>('history.everywhere') ?? false;
  }

  async setEverywhere(everywhere: boolean): Promise<void> {
    await this.#desk.state.update('history.everywhere', everywhere);
    this.#arrange();
  }

  // ------------------------------------------------------------------------------------------------------ keeping up

  /** Reads again what changed. The tree is drawn anew only when something did. */
  async refresh(): Promise<void> {
    const before = this.#runs;
    await this.#read();
    if (!same(before, this.#runs)) this.#arrange();
  }

  /** Looks after what other windows do, while the view is seen. */
  watch(visible: boolean): void {
    if (!visible) return this.#unwatch();
    this.#observe();
    // Drawn anew in any case: "5 minutes ago" was right when the view was hidden.
    void this.#read().then(() => this.#arrange());
  }

  #observe(): void {
    this.#unwatch();
    try {
      this.#watcher = fs.watch(this.#desk.runsFolder, { persistent: false }, () => {
        clearTimeout(this.#soon);
        this.#soon = setTimeout(() => void this.refresh(), 300);
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // The folder is made by the first run, which tells of itself.
    }
    this.#timer = setInterval(() => this.#runs.some(({ elsewhere }) => elsewhere) && void this.refresh(), lookMs);
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
  }

  /** One reading at a time; who asks while one is on gets the one after it, which has seen what they did. */
  async #read(onFirst?: (newest: readonly RunEntry[]) => void): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = (async () => {
      try {
        do {
          this.#again = false;
          this.#runs = await this.#catalogue.list(this.#desk.facts(), onFirst);
          onFirst = undefined;
        } while (this.#again);
      } finally {
        this.#reading = undefined;
      }
    })();
    return this.#reading;
  }

  #arrange(): void {
    const { sort, filter } = this;
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath);
    // Without a folder there is no "here": everything is shown.
    const workspaces = this.everywhere || !folders?.length ? undefined : folders;
    this.#shown = arrangeRuns(this.#runs, { sort, filter, workspaces }, stateWords);
    this.#groups = sort === 'newest' || sort === 'oldest' ? groupRuns(this.#shown, new Date()) : undefined;
    this.#view.message = filter === '' ? undefined : this.#filterMessage(filter);
    const context = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
    context(contextKeys.historyFiltered, filter !== '');
    context(contextKeys.historyEverywhere, this.everywhere);
    context(contextKeys.historyElsewhere, this.#shown.length === 0 && this.#runs.length > 0);
    this.#changed(undefined);
  }

  #filterMessage(filter: string): string {
    const words = oneLine(filter, 60);
    if (this.#shown.length === 0) return vscode.l10n.t('No run matches “{0}”.', words);
    return vscode.l10n.t('Filter “{0}”: {1} of {2} runs', words, this.#shown.length, this.#runs.length);
  }
}

export function runNode(entry: RunEntry): HistoryNode {
  return { kind: 'run', entry };
}

function same(before: readonly RunEntry[], after: readonly RunEntry[]): boolean {
  return before.length === after.length && before.every((entry, index) => entry === after[index]);
}
