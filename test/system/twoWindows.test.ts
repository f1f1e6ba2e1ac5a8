import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { research } from '../../src/engine.ts';
import { itemsOf } from '../../src/files/mergeReports.ts';
import { listVersions, readHead } from '../../src/files/readVersions.ts';
import { acceptVersion } from '../../src/files/versions.ts';
import { versionSink } from '../../src/node/versionSink.ts';
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

/** Two that change one report: neither writes before the other has read it, or waits for the first to be done. */
function meetBetweenReadAndWrite(t: TestContext) {
  const { open } = fs.promises;
  const both = Promise.withResolvers<void>();
  let read = 0;
  const arrive = () => {
    read += 1;
    if (read === 2) both.resolve();
  };
  let locks = 0;
  t.mock.method(fs.promises, 'open', (...args: Parameters<typeof open>) => {
    if (String(args[0]).endsWith('.lock') && (locks += 1) === 2) both.resolve();
    return open(...args);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return { arrive, met: both.promise };
}

/** A finished run with the report of a file. */
async function savedReport(t: TestContext) {
  const folder = temporaryFolder('windows');
  t.after(() => removeFolder(folder));
  const workspace = copyWorkspace('examples');
  t.after(() => removeFolder(workspace));
  const session = openWindow(folder, workspace, () => undefined);
  await session.start('How do retries work in the examples?');
  const { run, report } = session.view;
  return { runsFolder: folder, run, folder: path.join(folder, run), file: report.path! };
}

const ids = ['Saaaaaaaa', 'Sbbbbbbbb'] as const;
/** What a follow-up has found in a source that the report does not cite. */
function added(id: string) {
  const section = `## About ${id}\n\nA new statement from ${id} [[1]](#ref-1).`;
  const references = `## References\n\n- <a id="ref-1"></a>[1] Title of ${id}. https://example.org/${id}`;
  const markdown = `# New\n\n${section}\n\n${references}\n`;
  return { as: 'research', target: '', title: '', markdown, order: [id], sections: [section], claims: [] } as const;
}

test('gives no number of a citation to two sources when two follow-ups write at the same time', async (t) => {
  const { folder } = await savedReport(t);
  const { arrive, met } = meetBetweenReadAndWrite(t);
  const { link } = fs.promises;
  t.mock.method(fs.promises, 'link', async (...args: Parameters<typeof link>) => {
    if (/[\\/][23]\.md$/.test(String(args[1]))) {
      arrive();
      await met;
    }
    return link(...args);
  });
  syncBuiltinESMExports();
  await Promise.all(
    ids.map((id, index) =>
      versionSink({ folder, run: `20260101-00000${index}-abcdef`, question: id, tails: [] }).save('', '', added(id)),
    ),
  );
  const versions = await listVersions(folder);
  assert.equal(versions.length, 3);
  const sourcesOf = new Map<string, Set<string>>();
  for (const { sources } of versions)
    for (const [number, id] of Object.entries(sources))
      sourcesOf.set(number, (sourcesOf.get(number) ?? new Set<string>()).add(id));
  const twice = [...sourcesOf].filter(([, of]) => of.size > 1).map(([number, of]) => [number, ...of]);
  assert.deepEqual(twice, []);
});

test('has both of two versions that are accepted at the same time, in the file and in the folder of its run', async (t) => {
  const { runsFolder, run, folder, file } = await savedReport(t);
  for (const [index, id] of ids.entries())
    await versionSink({ folder, run: `20260101-00000${index}-abcdef`, question: id, tails: [] }).save(
      '',
      '',
      added(id),
    );
  const { arrive, met } = meetBetweenReadAndWrite(t);
  const read = async () => {
    const text = fs.readFileSync(file, 'utf8');
    arrive();
    return text;
  };
  const write = async (text: string) => {
    await met;
    fs.writeFileSync(file, text);
  };
  await Promise.all([2, 3].map((number) => acceptVersion(runsFolder, run, number, { read, write })));
  for (const text of [fs.readFileSync(file, 'utf8'), await readHead(folder)]) {
    const cited = new Set([...text.matchAll(/\]\(#ref-(\d+)\)/g)].map(([, number]) => Number(number)));
    const byNumber = (a: number, b: number) => a - b;
    assert.deepEqual([...itemsOf(text).keys()].sort(byNumber), [...cited].sort(byNumber));
    for (const id of ids) {
      const [, number] =
        new RegExp(`## About ${id}\\n\\nA new statement from ${id} \\[\\[(\\d+)\\]\\]`).exec(text) ?? [];
      assert.match(itemsOf(text).get(Number(number)) ?? '', new RegExp(`Title of ${id}`), id);
    }
  }
});
