import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFolder } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { saveRun } from '../../support/savedRuns.ts';

test('the rerun of what was asked about a report asks it about that report', async (context) => {
  const runsFolder = temporaryFolder('reruns');
  context.after(() => removeFolder(runsFolder));
  openFolder(runsFolder, true);
  const { HistoryActions } = await import('../../../src/host/history/historyActions.ts');
  const reruns: unknown[][] = [];
  const host = {
    runsFolder,
    session: { facts: () => ({}), view: { run: '' } },
    context: { workspaceState: { get: () => undefined } },
    log: { warn: () => undefined },
    documents: { attachments: () => [] },
    rerun: async (...call: unknown[]) => void reruns.push(call),
  };
  const view = { visible: false, selection: [] };
  const actions = new HistoryActions(host as never, view as never, () => undefined);
  const about = { status: 'failed', question: 'Shorter, please.' } as const;
  const parent = saveRun(runsFolder, 1);
  const attachment = { path: '/a/attached.md' };
  Object.assign(host.documents, { attachments: () => [attachment] });
  const rewrite = saveRun(runsFolder, 2, { ...about, parent, followUp: { as: 'rewrite', without: [2] } });
  const answer = saveRun(runsFolder, 3, { ...about, parent });
  await actions.run('deepResearch.rerunRun', [rewrite]);
  // What is attached in the panel is for what is asked next, or of the run that the panel shows.
  host.session.view.run = answer;
  await actions.run('deepResearch.rerunRun', [answer]);
  assert.deepEqual(reruns, [
    [rewrite, about.question, { followUp: { as: 'rewrite', without: [2], run: parent }, attached: [] }],
    [answer, about.question, { followUp: { as: 'answer', run: parent }, attached: [attachment] }],
  ]);
});
