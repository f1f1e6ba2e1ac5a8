import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { isReport, proposedName, runOfReport } from '../../../src/host/reports/reportText.ts';
import { sourceTarget } from '../../../src/host/reports/sourceTarget.ts';

const report =
  '---\ntitle: "T"\nquestion: "Q?"\ncreated: 2025-01-01T00:00:00.000Z\nstrategy: sections\nmodel: null\nrun: r1\nsources: 3\n---\n\n# T\n';

test('a report is recognised by its front matter, with either line end', () => {
  assert.equal(isReport(report), true);
  assert.equal(isReport(report.replaceAll('\n', '\r\n')), true);
  assert.equal(isReport(`\uFEFF${report}`), true);
});

test('other Markdown is not taken for a report', () => {
  const others = [
    '',
    '# T',
    '---\ntitle: T\n---\n',
    `text\n${report}`,
    report.replace('run:', 'ran:'),
    report.replaceAll('---', '```'),
    `---\n${'x: y\n'.repeat(5_000)}question: q\nstrategy: s\nrun: r\n---\n`,
  ];
  for (const text of others) assert.equal(isReport(text), false, text.slice(0, 40));
});

test('a report of a question as long as questions may be is recognised', () => {
  assert.equal(isReport(report.replace('Q?', 'q'.repeat(20_000))), true);
});

const id = '20260304-100000-1a2b3c';
const saved = report.replace('r1', `"${id}"`);

test('a report names its run, whatever an editor did to its front matter', () => {
  const edited = [
    saved,
    saved.replaceAll('\n', '\r\n'),
    `\uFEFF${saved}`,
    saved.replace(`"${id}"`, id),
    saved.replace(`"${id}"`, `'${id}'`),
    saved.replace(`"${id}"`, `"${id}"   # of March`),
    saved.replace('run:', '"run" :'),
    saved.replace('title:', 'tags: [a, b]\naliases:\n  - x\ntitle:'),
    saved.replace('title: "T"', 'title: >\n  several lines\n  run: 20200101-000000-000000'),
    saved.replace(/\nstrategy: sections/, ''),
    saved.replace('\n---\n\n', '\n---  \n\n').replace('---\n', '--- \n'),
    saved.slice(0, saved.indexOf('\n---\n') + 4),
  ];
  for (const text of edited) assert.equal(runOfReport(text), id, text);
});

test('nothing but the id of a run is taken for one', () => {
  const others = [
    '../../etc',
    '/etc/passwd',
    'r1',
    '',
    'null',
    `${id}/..`,
    `${id} x`,
    id.toUpperCase(),
    `${id}"`,
    '[a]',
    `*${id}`,
  ];
  for (const value of others) assert.equal(runOfReport(saved.replace(`"${id}"`, value)), undefined, value);
  for (const value of others) assert.equal(runOfReport(saved.replace(id, value)), undefined, value);
  const texts = [
    '',
    '# T\nrun: ' + id,
    `text\n${saved}`,
    saved.replace('run:', ' run:'),
    saved.replace('run:', 'rerun:'),
    saved.replace('\n---\n', '\n'),
    `---\n---\nrun: ${id}\n---\n`,
  ];
  for (const text of texts) assert.equal(runOfReport(text), undefined, text);
});

test('a hostile front matter is passed over in no time', () => {
  for (const filler of ['run: ', 'run:"', '-', ' ', '\n', '---\n', 'run: "a\n'])
    runOfReport(`---\n${filler.repeat(200_000)}`);
});

test('the proposed file name has the date and the title, and nothing that a file system refuses', () => {
  assert.equal(proposedName(report), '2025-01-01 T.md');
  assert.equal(proposedName('# What is a/b: "c"?\u0007 <d>\n'), 'What is a b c d.md');
  assert.equal(proposedName('# 检索增强生成\n'), '检索增强生成.md');
  assert.equal(proposedName(`# ${'😀'.repeat(500)}\n`), `${'😀'.repeat(80)}.md`);
  for (const text of ['', 'no title', '# ...\n', '# ../..\n']) assert.equal(proposedName(text), 'report.md');
});

const page = (url: string) => sourceTarget({ id: 'S1', kind: 'web', title: 'T', url }, '/ws');
const file = (below: string, workspaceFolder: string | undefined = '/ws') =>
  sourceTarget(
    { id: 'S1', kind: 'workspace', title: 'T', file: { path: below, firstLine: 3, lastLine: 9 } },
    workspaceFolder,
  );

test('a cited file is found with its lines inside of the workspace', () => {
  assert.deepEqual(file('docs/a.md'), { kind: 'file', path: path.resolve('/ws/docs/a.md'), firstLine: 3, lastLine: 9 });
  assert.deepEqual(file('..notes/a.md'), {
    kind: 'file',
    path: path.resolve('/ws/..notes/a.md'),
    firstLine: 3,
    lastLine: 9,
  });
});

test('a file outside of the workspace is never opened', () => {
  for (const below of ['../outside.md', '/etc/passwd', 'docs/../../x.md', '..', '', '.'])
    assert.deepEqual(file(below), { kind: 'none' }, below);
});

test('a page opens by http and https alone', () => {
  assert.deepEqual(page('https://arxiv.org/abs/2005.11401'), { kind: 'page', url: 'https://arxiv.org/abs/2005.11401' });
  for (const url of [
    'command:workbench.action.quit',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://x/y',
    'nonsense',
    '',
  ]) {
    assert.deepEqual(page(url), { kind: 'none' }, url);
  }
});

test('an unknown source, one without a place and a window without a folder open nothing', () => {
  assert.deepEqual(sourceTarget(undefined, '/ws'), { kind: 'none' });
  assert.deepEqual(sourceTarget({ id: 'S1', kind: 'mcp', title: 'T' }, '/ws'), { kind: 'none' });
  assert.deepEqual(
    sourceTarget(
      { id: 'S1', kind: 'workspace', title: 'T', file: { path: 'a.md', firstLine: 1, lastLine: 1 } },
      undefined,
    ),
    { kind: 'none' },
  );
});
