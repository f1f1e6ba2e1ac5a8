import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { editor, EventEmitter, folderEvents, openFolder } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { saveRun } from '../../support/savedRuns.ts';
import type { HistoryNode } from '../../../src/host/history/historyHost.ts';

test('the history shows the runs of the folders that are open now, by whatever path', async (context) => {
  const runsFolder = temporaryFolder('folders');
  context.after(() => removeFolder(runsFolder));
  const [own, link] = [path.join(runsFolder, 'own'), path.join(runsFolder, 'link')];
  fs.mkdirSync(own);
  fs.symlinkSync(own, link, 'dir');
  const [a, b] = [own, '/b'].map((workspace, at) => saveRun(runsFolder, at, { workspace }));
  openFolder(link, true);
  let provider: { getChildren(node?: HistoryNode): Promise<HistoryNode[]> } | undefined;
  const drawn = Promise.withResolvers<void>();
  const view = { visible: false, selection: [], onDidChangeVisibility: new EventEmitter<unknown>().event };
  Object.assign(editor.window, {
    onDidChangeWindowState: new EventEmitter<unknown>().event,
    createTreeView: (_: string, options: { readonly treeDataProvider: NonNullable<typeof provider> }) => {
      provider = options.treeDataProvider;
      return view;
    },
  });
  const { HistoryView } = await import('../../../src/host/history/historyView.ts');
  const workspaceState = { get: () => undefined };
  const host = {
    ...{ runsFolder, context: { workspaceState }, log: { warn: () => undefined }, session: { facts: () => ({}) } },
  };
  const history = new HistoryView(host as never);
  const shown = async () => {
    const groups = await provider!.getChildren();
    const nodes = (await Promise.all(groups.map((group) => provider!.getChildren(group)))).flat();
    // The command line may have some of its own.
    return nodes.flatMap((node) => (node.kind === 'run' && [a, b].includes(node.entry.run) ? node.entry.run : []));
  };
  assert.deepEqual(await shown(), [a]);
  openFolder('/b', true);
  editor.commands.executeCommand = async () => drawn.resolve();
  folderEvents.fire();
  await drawn.promise;
  assert.deepEqual(await shown(), [b]);
  history.dispose();
});
