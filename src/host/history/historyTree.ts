import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { commandLineRunFolders } from '../../files/dataFolder.ts';
import { listVersions } from '../../files/readVersions.ts';
import { runFiles } from '../../protocol/runFolder.ts';
import { contextKeys } from '../commandIds.ts';
import { FollowedRun } from './followedRun.ts';
import { groupRuns, type RunGroup } from './groupRuns.ts';
import type { HistoryHost, HistoryNode } from './historyHost.ts';
import { RunCatalogue } from '../../runs/runCatalogue.ts';
import type { RunEntry } from '../../runs/runEntry.ts';
import { groupItem, runItem, runTooltip } from './runItem.ts';
import { versionItem } from './versionItem.ts';
import { isOpenFolder } from '../workspaceFolder.ts';

/** How often what is not watched is checked while the view is visible (milliseconds). */
const checkMs = 15_000;
/** Changes of the runs' folder come in bursts (milliseconds). */
const burstMs = 300;
const everywhereKey = 'history.everywhere';

/** The runs as the tree shows them: newest first, grouped by date, up to date while the view is visible. */
export class HistoryTree implements vscode.Disposable {
  readonly #host: HistoryHost;
  readonly #catalogue: RunCatalogue;
  /** The command line's own runs, by their folder. */
  readonly #outside = new Map<string, RunCatalogue>();
  readonly #view: vscode.TreeView<HistoryNode>;
  readonly #changed: () => void;
  /** Runs that other processes have in progress, while the view is visible. */
  readonly #followed = new Map<string, FollowedRun>();
  #runs: readonly RunEntry[] = [];
  #groups: readonly RunGroup[] = [];
  #watchers: readonly fs.FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  #burst: NodeJS.Timeout | undefined;

  constructor(host: HistoryHost, view: vscode.TreeView<HistoryNode>, changed: () => void) {
    this.#host = host;
    this.#catalogue = new RunCatalogue(host.runsFolder, host.log);
    this.#view = view;
    this.#changed = changed;
    if (view.visible) this.watch(true);
    else this.refresh();
  }

  dispose(): void {
    this.watch(false);
  }

  async children(node: HistoryNode | undefined): Promise<HistoryNode[]> {
    if (!node) return this.#groups.map((group) => ({ kind: 'group', group }));
    if (node.kind === 'group') return node.group.runs.map((entry) => ({ kind: 'run', entry }));
    if (node.kind === 'version' || node.entry.outside !== undefined) return [];
    const { entry } = node;
    const versions = await listVersions(path.join(this.#host.runsFolder, entry.run));
    return versions.map((version) => ({ kind: 'version', entry, version }));
  }

  item(node: HistoryNode): vscode.TreeItem {
    if (node.kind === 'version') return versionItem(node, new Date());
    if (node.kind === 'group') return groupItem(node.group);
    const versions = path.join(this.#host.runsFolder, node.entry.run, runFiles.versions);
    return runItem(node.entry, new Date(), fs.existsSync(versions), this.#followed.get(node.entry.run)?.view);
  }

  /** What only the row needs that the mouse rests on. */
  resolve(item: vscode.TreeItem, node: HistoryNode): vscode.TreeItem {
    if (node.kind === 'run') item.tooltip = runTooltip(node.entry, this.#followed.get(node.entry.run)?.view);
    return item;
  }

  parent(node: HistoryNode): HistoryNode | undefined {
    if (node.kind === 'group') return undefined;
    if (node.kind === 'version') return { kind: 'run', entry: node.entry };
    const group = this.#groups.find(({ runs }) => runs.some(({ run }) => run === node.entry.run));
    return group && { kind: 'group', group };
  }

  /** Every run, newest first, whatever the tree shows. */
  all(): RunEntry[] {
    const own = this.#catalogue.list(this.#host.session.facts());
    const known = new Set(own.map(({ run }) => run));
    const outside = this.#fromOutside((catalogue) => catalogue.list()).filter(({ run }) => !known.has(run));
    if (outside.length === 0) return own;
    return [...own, ...outside].sort((a, b) => (a.run < b.run ? 1 : -1));
  }

  /** One run of this editor in its current state. */
  read(run: string): RunEntry | undefined {
    return this.#catalogue.read(run, this.#host.session.facts());
  }

  /** The same, or one of the command line. */
  find(run: string): RunEntry | undefined {
    return this.read(run) ?? this.#fromOutside((catalogue) => catalogue.read(run) ?? []).at(0);
  }

  #fromOutside(look: (catalogue: RunCatalogue) => RunEntry | readonly RunEntry[]): RunEntry[] {
    return commandLineRunFolders().flatMap((folder) => {
      const catalogue = this.#outside.get(folder) ?? new RunCatalogue(folder, this.#host.log);
      this.#outside.set(folder, catalogue);
      return [look(catalogue)].flat().map((entry) => ({ ...entry, outside: folder }));
    });
  }

  get selection(): readonly HistoryNode[] {
    return this.#view.selection;
  }

  /** Selects a run; shows the runs of all folders when it is of another one. */
  async reveal(run: string): Promise<void> {
    this.refresh();
    const find = () => this.#groups.flatMap(({ runs }) => runs).find((entry) => entry.run === run);
    if (!find()) await this.setEverywhere(true);
    const entry = find();
    if (entry) await this.#view.reveal({ kind: 'run', entry }, { select: true, focus: false, expand: true });
  }

  /** Whether runs of other folders are shown too. */
  async setEverywhere(everywhere: boolean): Promise<void> {
    await this.#host.context.workspaceState.update(everywhereKey, everywhere);
    this.#draw();
  }

  /** The versions of a run's report have changed. */
  changed(): void {
    this.#changed();
  }

  /** Reads the runs again; the tree is drawn again when something changed, or `always`. */
  refresh(always = false): void {
    const before = JSON.stringify(this.#runs);
    this.#runs = this.all();
    if (this.#timer) this.#follow();
    if (always || JSON.stringify(this.#runs) !== before) this.#draw();
  }

  /** Follows what other windows and programs do, while the view is visible. */
  watch(visible: boolean): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
    clearInterval(this.#timer);
    this.#timer = undefined;
    clearTimeout(this.#burst);
    if (!visible) return this.#follow([]);
    this.#runs = this.all();
    this.#follow();
    // Drawn again in any case: "5 minutes ago" was right when the view was hidden.
    this.#draw();
    this.#timer = setInterval(() => this.#mayHaveChanged() && this.refresh(), checkMs);
    this.#watchers = [this.#host.runsFolder, ...commandLineRunFolders()].flatMap((folder) => this.#watched(folder));
  }

  #follow(runs = this.#runs): void {
    const inProgress = new Map(runs.filter(({ elsewhere }) => elsewhere).map((entry) => [entry.run, entry]));
    for (const [run, followed] of this.#followed)
      if (!inProgress.delete(run)) {
        followed.dispose();
        this.#followed.delete(run);
      }
    for (const { run, outside = this.#host.runsFolder } of inProgress.values())
      this.#followed.set(run, new FollowedRun(path.join(outside, run), () => this.refresh(true)));
  }

  /** Beyond what is watched: records of runs in progress, and a folder that was not there. */
  #mayHaveChanged(): boolean {
    return this.#watchers.length < 2 || this.#runs.some(({ elsewhere }) => elsewhere);
  }

  #watched(folder: string): fs.FSWatcher[] {
    try {
      const watcher = fs.watch(folder, { persistent: false }, () => {
        clearTimeout(this.#burst);
        this.#burst = setTimeout(() => this.refresh(), burstMs);
      });
      return [watcher.on('error', () => watcher.close())];
    } catch {
      // The first run creates the folder, and this window reports its own runs.
      return [];
    }
  }

  #draw(): void {
    const everywhere = this.#host.context.workspaceState.get<boolean>(everywhereKey) ?? false;
    // Without a folder there is no "here": everything is shown.
    const isAll = everywhere || !vscode.workspace.workspaceFolders?.length;
    const isShown = ({ workspace }: RunEntry) => isAll || workspace === undefined || isOpenFolder(workspace);
    this.#groups = groupRuns(this.#runs.filter(isShown), new Date());
    const context = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
    context(contextKeys.historyEverywhere, everywhere);
    context(contextKeys.historyElsewhere, this.#groups.length === 0 && this.#runs.length > 0);
    this.#changed();
  }
}
