import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { research } from '../../src/engine.ts';
import { listVersions } from '../../src/files/readVersions.ts';
import { RunCatalogue } from '../../src/runs/runCatalogue.ts';
import { RunSession } from '../../src/runs/runSession.ts';
import { readSavedRun } from '../../src/runs/savedRun.ts';
import { panelStrings } from '../../src/protocol/strings.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { silentLog } from '../support/scriptedParts.ts';

/** A session as a window has it: the folder of the runs is all that windows share. */
function openWindow(runsFolder: string, workspaceFolder: string, onAsked: (window: RunSession) => void) {
  const session: RunSession = new RunSession({
    loadEngine: async () => ({ research }),
    options: () => ({
      settings: { 'deepResearch.model.provider': 'extractive', 'deepResearch.sources.enabled': ['workspace'] },
      ...{ runsFolder, secrets: { key: async () => undefined }, log: silentLog, version: 'test', workspaceFolder },
    }),
    log: silentLog,
    onReplaced: () => undefined,
    onEvent: (event) => event.type === 'clarify/asked' && onAsked(session),
    onReport: () => undefined,
    onEnd: () => undefined,
  });
  return session;
}

test('two windows that ask about one run at once see each other, and write versions of their own', async () => {
  const folder = temporaryFolder('windows');
  const workspace = copyWorkspace('examples');
  try {
    const first = openWindow(folder, workspace, () => undefined);
    await first.start('How do retries work in the examples?');
    const { run } = first.view;
    assert.equal(first.view.status, 'finished', first.view.end?.message);
    const followUp = { run, as: 'research' } as const;
    const windows = ['How are chunks cached?', 'What does reranking cost?'].map((question) => {
      const session = openWindow(folder, workspace, () => undefined);
      const ended = session.start(question, { followUp });
      assert.ok(ended !== false);
      return { session, ended };
    });
    // What the one begins is in the history of the other, as running elsewhere.
    const [one] = windows;
    await one!.session.until((view) => view.run !== '', new AbortController().signal);
    const { parent, state, elsewhere } = new RunCatalogue(folder, silentLog).read(one!.session.view.run)!;
    assert.deepEqual({ parent, state, elsewhere }, { parent: run, state: 'running', elsewhere: true });
    for (const { ended } of windows) await ended;
    const versions = await listVersions(path.join(folder, run));
    assert.deepEqual(
      versions.map(({ number, kind }) => [number, kind]),
      [
        [1, 'first'],
        [2, 'research'],
        [3, 'research'],
      ],
    );
    assert.deepEqual(
      versions
        .slice(1)
        .map((version) => version.run)
        .sort(),
      windows.map(({ session }) => session.view.run).sort(),
    );
  } finally {
    removeFolder(folder);
    removeFolder(workspace);
  }
});

test('of two windows that answer the question of one run, one goes on with it and the other says where it is', async () => {
  const folder = temporaryFolder('windows');
  const workspace = copyWorkspace('examples');
  try {
    const closed = openWindow(folder, workspace, (session) => void session.leave());
    await closed.start('help me research');
    const { run } = closed.view;
    const saved = await readSavedRun(folder, run, panelStrings);
    assert.ok(saved?.pending, 'the question waits');
    const windows = ['How do retries work?', 'What is cached?'].map((answer) => {
      const session = openWindow(folder, workspace, () => undefined);
      session.show(saved);
      const ended = session.resume(workspace);
      assert.ok(ended !== false);
      session.answer(saved.pending!.id, answer);
      return { session, ended, answer };
    });
    await Promise.all(windows.map(({ ended }) => ended));
    const finished = windows.filter(({ session }) => session.view.status === 'finished');
    const refused = windows.filter(({ session }) => session.view.status === 'failed');
    assert.deepEqual(
      [finished.length, refused.length],
      [1, 1],
      JSON.stringify(windows.map(({ session }) => session.view.end)),
    );
    const { end, pending } = refused[0]!.session.view;
    assert.match(`${end?.message} ${end?.next}`, /in another window or terminal\. .*answer its question .*there\.$/);
    assert.equal(pending, null, 'nothing more can be answered here');
    const answers = finished[0]!.session.view.answered.map(({ answer }) => answer);
    assert.deepEqual(answers, [finished[0]!.answer]);
  } finally {
    removeFolder(folder);
    removeFolder(workspace);
  }
});
