import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { editor, openFolder, Uri } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { saveRun } from '../../support/savedRuns.ts';

test('a run that is deleted is shown no longer, and a question about it is not answered about the report in front', async (context) => {
  const runsFolder = temporaryFolder('deleted-report');
  context.after(() => removeFolder(runsFolder));
  openFolder(runsFolder, true);
  const { HistoryActions } = await import('../../../src/host/history/historyActions.ts');
  const [run, other] = [saveRun(runsFolder, 1), '20260102-000000-abcdef'];
  const shown: unknown[] = [];
  const started: unknown[] = [];
  const uri = Uri.file('/elsewhere/other.md') as unknown as vscode.Uri;
  const host = {
    runsFolder,
    session: { facts: () => ({}), view: { run }, show: (...call: unknown[]) => shown.push(call) },
    context: { workspaceState: { get: () => undefined } },
    log: { warn: () => undefined },
    documents: { attachments: () => [] },
    reports: { front: () => ({ run: other, text: '', document: { uri } }) },
    start: async (question: string) => void started.push(question),
  };
  const view = { visible: false, selection: [] };
  const actions = new HistoryActions(host as never, view as never, () => undefined);
  await actions.run('deepResearch.deleteRun', [run]);
  assert.deepEqual(shown, [[]]);
  await actions.run('deepResearch.askRun', [run, 'Why?', { as: 'research' }]);
  assert.deepEqual(started, []);
  assert.match(editor.window.shown.at(-1)!, /no longer exists/);
  await actions.run('deepResearch.askRun', [other, 'Why?', { as: 'research' }]);
  assert.deepEqual(started, ['Why?'], 'that in front is asked about by its own run');
});
