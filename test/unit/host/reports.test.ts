import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { isReport } from '../../../src/host/reports/reportText.ts';
import { sourceTarget } from '../../../src/host/reports/sourceTarget.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

const report = '---\ntitle: "T"\nquestion: "Q?"\ncreated: 2025-01-01T00:00:00.000Z\nstrategy: sections\nmodel: null\nrun: r1\nsources: 3\n---\n\n# T\n';

test('a report is recognised by its front matter, with either line end', () => {
  assert.equal(isReport(report), true);
  assert.equal(isReport(report.replaceAll('\n', '\r\n')), true);
  assert.equal(isReport(`\uFEFF${report}`), true);
});

test('other Markdown is not taken for a report', () => {
  const others = ['', '# T', '---\ntitle: T\n---\n', `text\n${report}`, report.replace('run:', 'ran:'), report.replaceAll('---', '```'), `---\n${'x: y\n'.repeat(5_000)}question: q\nstrategy: s\nrun: r\n---\n`];
  for (const text of others) assert.equal(isReport(text), false, text.slice(0, 40));
});

const folder = temporaryFolder('run');
after(() => removeFolder(folder));
mkdirSync(folder, { recursive: true });
const file = (id: string, at: string) => ({ id, kind: 'workspace', title: at, text: 'T', file: { path: at, firstLine: 3, lastLine: 9 } });
writeFileSync(
  path.join(folder, 'sources.json'),
  JSON.stringify([file('S1', 'docs/a.md'), file('S2', '../outside.md'), file('S3', '/etc/passwd'), file('S4', 'docs/../../x.md'), { id: 'S5' }]),
);
const view = (id: string, url?: string) => ({ id, kind: 'workspace', title: id, ...(url === undefined ? {} : { url }) });

test('a cited file is found with its lines inside of the workspace', async () => {
  assert.deepEqual(await sourceTarget(view('S1'), folder, '/ws'), { kind: 'file', path: path.resolve('/ws/docs/a.md'), firstLine: 3, lastLine: 9 });
});

test('a file outside of the workspace is never opened', async () => {
  for (const id of ['S2', 'S3', 'S4']) assert.deepEqual(await sourceTarget(view(id), folder, '/ws'), { kind: 'none' }, id);
});

test('a page opens by http and https alone', async () => {
  assert.deepEqual(await sourceTarget(view('S9', 'https://arxiv.org/abs/2005.11401'), folder, '/ws'), { kind: 'page', url: 'https://arxiv.org/abs/2005.11401' });
  for (const url of ['command:workbench.action.quit', 'file:///etc/passwd', 'javascript:alert(1)', 'vscode://x/y', 'nonsense', '']) {
    assert.deepEqual(await sourceTarget(view('S9', url), folder, '/ws'), { kind: 'none' }, url);
  }
});

test('an unknown source, a run without sources and a window without a folder open nothing', async () => {
  assert.deepEqual(await sourceTarget(undefined, folder, '/ws'), { kind: 'none' });
  assert.deepEqual(await sourceTarget(view('S404'), folder, '/ws'), { kind: 'none' });
  assert.deepEqual(await sourceTarget(view('S5'), folder, '/ws'), { kind: 'none' });
  assert.deepEqual(await sourceTarget(view('S1'), folder, undefined), { kind: 'none' });
  assert.deepEqual(await sourceTarget(view('S1'), path.join(folder, 'gone'), '/ws'), { kind: 'none' });
});
