import assert from 'node:assert/strict';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openWorkspace } from '../../../src/node/workspace.ts';
import { ResearchError, type ErrorReason } from '../../../src/research/errors.ts';
import type { WorkspacePort } from '../../../src/research/ports.ts';
import { WorkspaceIndex } from '../../../src/sources/workspace/workspaceIndex.ts';
import { createWorkspaceTools } from '../../../src/sources/workspace/workspaceTools.ts';
import { english } from '../../support/sourceContext.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const never = new AbortController().signal;
const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

async function workspaceOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder(files);
  folders.push(folder);
  return { folder, ...toolsOf(openWorkspace(folder.path, { exclude: [], reportFolder: 'research', listingMs: 0 })) };
}
function toolsOf(port: WorkspacePort) {
  const [search, read] = createWorkspaceTools(port);
  assert.ok(search && read);
  return {
    search: (args: Record<string, unknown>, language = 'en', signal = never) =>
      search.run(args, { ...english, language }, signal),
    read: (args: Record<string, unknown>) => read.run(args, english, never),
  };
}
function fails(reason: ErrorReason, pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(ResearchError.is(error, reason), `expected ${reason}, got ${String(error)}`);
    assert.match(error.message, pattern);
    return true;
  };
}

describe('search_workspace', () => {
  it('finds passages and cites them by file and lines', async () => {
    const { search } = await workspaceOf({
      'notes/chunking.md': '# Chunking\n\nIntro.\n\n## Overlap\n\nAn overlap of 20 tokens keeps sentences whole.\n',
      'other.md': '# Cooking\n\nAdd salt.\n',
    });
    const { documents, note } = await search({ query: 'overlap of chunks' });
    assert.equal(documents.length, 1 + Number(documents.length > 1));
    assert.deepEqual(documents[0]?.file, { path: 'notes/chunking.md', firstLine: 5, lastLine: 7 });
    assert.equal(documents[0]?.title, 'Chunking › Overlap (chunking.md)');
    assert.equal(documents[0]?.text, '## Overlap\n\nAn overlap of 20 tokens keeps sentences whole.');
    assert.equal(documents[0]?.kind, 'workspace');
    assert.equal(documents[0]?.url, undefined);
    assert.match(documents[0]?.date ?? '', /^\d{4}-\d{2}-\d{2}$/);
    assert.match(note ?? '', /passages of 1 files/);
  });

  it('finds other scripts, plurals, names of files and entries of a bibliography', async () => {
    const { search } = await workspaceOf({
      '笔记.md': '# 检索\n\n检索增强生成把检索和生成结合起来。\n',
      'refs.bib': '@article{a, title={Speculative Decoding}, author={Doe, Jane}, year={2023}}\n',
      'src/tokenBudget.ts': 'export const x = 1;\n',
      'b.md': '# B\n\nRerankers read both texts.\n',
    });
    assert.equal((await search({ query: '检索增强生成' }, 'zh')).documents[0]?.file?.path, '笔记.md');
    assert.equal((await search({ query: 'reranker' })).documents[0]?.file?.path, 'b.md');
    const [entry] = (await search({ query: 'speculative decoding' })).documents;
    assert.deepEqual([entry?.title, entry?.authors, entry?.date], ['Speculative Decoding', ['Jane Doe'], '2023']);
    assert.equal((await search({ query: 'tokenBudget' })).documents[0]?.file?.path, 'src/tokenBudget.ts');
  });

  it('gives every passage of a file that fits, and neighbours as one', async () => {
    const section = (n: number): string =>
      `## Part ${n}\n\nThe gateway retries part ${n} of the requests ${n} times.\n`;
    const { search } = await workspaceOf({
      'long.md': `# L\n\n${[1, 2, 3, 4, 5, 6].map(section).join('\n')}`,
      'code.ts': '// The gateway retries requests, then it waits.\nretry();\n',
    });
    const { documents } = await search({ query: 'gateway retries' });
    assert.equal(documents.filter(({ file }) => file?.path === 'long.md').length, 6);
    assert.equal(documents.filter(({ file }) => file?.path === 'code.ts').length, 1);
  });

  it('names the words of a query that no file holds', async () => {
    const { search } = await workspaceOf({ 'a.md': 'The gateway retries requests.\n' });
    const { words, note } = await search({ query: 'Does the gateway speak Kerberos?' });
    assert.deepEqual(words?.find(({ word }) => word === 'Kerberos')?.fate, 'missing');
    assert.deepEqual(words?.find(({ word }) => word === 'gateway')?.fate, 'held');
    assert.match(note ?? '', /No file holds: .*Kerberos/);
  });

  it('names a file that it does not read for its name, where the question has a word of that', async () => {
    const { search } = await workspaceOf({
      'password-policy.md': 'Passwords are changed twice a year.',
      'wifi-password.txt': 'hunter2',
      'a.md': 'The policy of the house.',
    });
    const { documents, warnings } = await search({ query: 'the policy for the gate' });
    assert.deepEqual(
      documents.map(({ file }) => file?.path),
      ['a.md'],
    );
    assert.deepEqual(warnings, ['Not searched, because of names of secrets: password-policy.md.']);
    assert.deepEqual((await search({ query: 'the house' })).warnings, []);
  });

  it('says when there is nothing', async () => {
    const { search } = await workspaceOf({ 'a.md': '# A\n\ntext\n' });
    for (const query of ['zebra', 'the of and', '?!', '😀']) {
      const { documents, note } = await search({ query });
      assert.deepEqual(documents, []);
      assert.match(note ?? '', /^Nothing in the workspace's 1 files/);
    }
    await assert.rejects(search({ query: '' }), fails('badRequest', /query/));
    assert.match((await (await workspaceOf({})).search({ query: 'x' })).note ?? '', /0 files/);
  });

  it('keeps to a folder or pattern, and refuses what lies outside', async () => {
    const { search } = await workspaceOf({ 'docs/a.md': 'alpha beta\n', 'src/b.ts': '// alpha gamma\n' });
    const found = async (path: string) =>
      (await search({ query: 'alpha', path })).documents.map(({ file }) => file?.path);
    assert.deepEqual(await found('docs'), ['docs/a.md']);
    assert.deepEqual(await found('*.ts'), ['src/b.ts']);
    assert.deepEqual((await found('')).length, 2);
    await assert.rejects(found('../other'), fails('badRequest', /refused/));
    await assert.rejects(found('/etc'), fails('badRequest', /refused/));
    await assert.rejects(found('doc'), fails('notFound', /Similar: docs/));
  });

  it('sees changed, new and removed files', async () => {
    const { folder, search } = await workspaceOf({ 'a.md': 'apple\n', 'b.md': 'banana\n' });
    const found = async (query: string) =>
      (await search({ query })).documents.map(({ file, text }) => `${file?.path}: ${text.trim()}`);
    assert.deepEqual(await found('apple'), ['a.md: apple']);
    await folder.write({ 'a.md': 'cherry apple pie\n', 'c.md': 'apple cake\n' });
    await rm(join(folder.path, 'b.md'));
    await utimes(join(folder.path, 'a.md'), new Date(), new Date(Date.now() + 5_000));
    assert.deepEqual((await found('apple')).toSorted(), ['a.md: cherry apple pie', 'c.md: apple cake']);
    assert.deepEqual(await found('banana'), []);
  });

  it('passes over binaries under a harmless name, and reads large files', async () => {
    const { search } = await workspaceOf({
      'odd.md': new Uint8Array([97, 0, 98]),
      'big.ts': `// alpha of the large file\n${'x();\n'.repeat(80_000)}`,
      'a.md': 'alpha\n',
    });
    const { documents } = await search({ query: 'alpha' });
    assert.deepEqual(documents.map(({ file }) => file?.path).toSorted(), ['a.md', 'big.ts']);
  });

  it('finds a line far into a large file, and reads it', async () => {
    const line = 'INFO gate=quarry state=open temperature=12.5 operator=unknown\n';
    const { search, read } = await workspaceOf({
      'gate.log': `${line.repeat(40_000)}WARN the winch of the quarry broke\n${line.repeat(20_000)}`,
    });
    const { documents, words, reach } = await search({ query: 'Which winch broke in the quarry?' });
    assert.match(documents[0]!.text, /the winch of the quarry broke/);
    const { firstLine, lastLine } = documents[0]!.file!;
    assert.ok(firstLine <= 40_001 && lastLine >= 40_001, `${firstLine} to ${lastLine}`);
    assert.ok(words?.every(({ fate }) => fate === 'held'));
    assert.deepEqual(reach, { files: 1, indexed: 0, unread: 0, isCut: false });
    const lines = await read({ path: 'gate.log', first_line: 40_001, last_line: 40_001 });
    assert.equal(lines.documents[0]?.text, 'WARN the winch of the quarry broke');
  });

  it('finds what the index has not reached yet, and masks its secrets', async () => {
    const { folder } = await workspaceOf({
      'a.md': '# Gate\n\nThe winch of the quarry broke.\n',
      'b.md': 'Cooking.\n',
      'c.md': 'The password of the winch is:\n\npassword: hunter2hunter2\n',
      'd.csv': 'part,price\nwinch,120\nrope,4\n',
    });
    const port = openWorkspace(folder.path, { exclude: [], reportFolder: 'research' });
    const options = { limit: 8, leastShare: 0, language: 'en', within: () => true };
    const { found, words, reach } = await new WorkspaceIndex(0).search(port, 'winch Kerberos', options, never);
    assert.deepEqual(found.map(({ file }) => file.path).toSorted(), ['a.md', 'c.md', 'd.csv']);
    assert.deepEqual(
      words.map(({ fate }) => fate),
      ['held', 'missing'],
    );
    assert.equal(reach.indexed, 0);
    assert.doesNotMatch(found.map(({ passage }) => passage.text).join(), /hunter2/);
    assert.equal(found.find(({ file }) => file.path === 'd.csv')?.passage.head, 'part,price');
  });

  it('answers from what is indexed as soon as that is enough, and counts what it left out', async () => {
    const files = Array.from({ length: 400 }, (_, at) => ({ path: `${at}.md`, size: 99, modified: 0 }));
    const enough = new AbortController();
    let reads = 0;
    const port: WorkspacePort = {
      name: 'folder',
      files: async () => files,
      read: async (path) => {
        reads += 1;
        return `Crane ${path} lifts the winch.`;
      },
      async *blocks(path) {
        yield { firstLine: 1, text: `Crane ${path} lifts the winch.` };
      },
      gitRemotes: async () => [],
    };
    const onIndexed = (done: number): void => void (done >= 32 && enough.abort());
    const options = { limit: 1, leastShare: 0, language: 'en', within: () => true, onIndexed, enough: enough.signal };
    const { found, reach } = await new WorkspaceIndex().search(port, 'winch', options, never);
    assert.equal(found.length, 1);
    assert.ok(reach.indexed >= 32 && reach.indexed < 400, `${reach.indexed}`);
    assert.equal(reach.indexed + reach.unread, 400);
    assert.ok(reads < 400);
  });

  it('reads each file once for many searches at the same time, and survives one that leaves', async () => {
    const { folder } = await workspaceOf({ 'a.md': 'alpha\n', 'b.md': 'alpha beta\n' });
    const real = openWorkspace(folder.path, { exclude: [], reportFolder: 'research' });
    const reads: string[] = [];
    const { search } = toolsOf({ ...real, read: (path, signal) => (reads.push(path), real.read(path, signal)) });
    const stop = new AbortController();
    const left = search({ query: 'alpha' }, 'en', stop.signal);
    const searches = ['alpha', 'beta', 'gamma'].map((query) => search({ query }));
    stop.abort(new Error('left'));
    await assert.rejects(left, /left/);
    assert.deepEqual(
      (await Promise.all(searches)).map(({ documents }) => documents.length),
      [2, 1, 0],
    );
    // Once for the index and once for each result.
    assert.ok(reads.length <= 2 + 3 + 2, reads.join());
  });

  it('reads no further file after a Stop, and continues with the next search', async () => {
    const files = Array.from({ length: 400 }, (_, at) => ({ path: `${at}.md`, size: 99, modified: 0 }));
    const stop = new AbortController();
    const reads: string[] = [];
    const port: WorkspacePort = {
      name: 'folder',
      files: async () => files,
      read: async (path) => {
        if (reads.push(path) === 20) stop.abort(new ResearchError('abort', 'Stopped.'));
        return `Crane ${path} lifts the winch.`;
      },
      async *blocks() {},
      gitRemotes: async () => [],
    };
    const index = new WorkspaceIndex();
    await index.prepare(port, stop.signal);
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(reads.length < 40, `${reads.length} files were read`);
    const options = { limit: 1, leastShare: 0, language: 'en', within: () => true };
    const { reach } = await index.search(port, 'winch', options, never);
    assert.equal(reach.indexed, 400);
    assert.ok(reads.length < 400 + 40, `${reads.length} files were read`);
  });
});

describe('read_workspace_file', () => {
  const long = Array.from({ length: 1_000 }, (_, n) => `line ${n + 1}`).join('\n');

  it('gives a file, or some of its lines', async () => {
    const { read } = await workspaceOf({ 'a.md': '# A\n\none\n\n## B\n\ntwo\n' });
    const whole = await read({ path: 'a.md' });
    assert.deepEqual(whole.documents[0]?.file, { path: 'a.md', firstLine: 1, lastLine: 7 });
    assert.equal(whole.documents[0]?.text, '# A\n\none\n\n## B\n\ntwo');
    const some = await read({ path: './a.md', first_line: '5', last_line: 7 });
    assert.equal(some.documents[0]?.text, '## B\n\ntwo');
    assert.equal(some.documents[0]?.title, 'A › B (a.md)');
    assert.deepEqual((await read({ path: 'a.md#L5-L7' })).documents[0]?.file, {
      path: 'a.md',
      firstLine: 5,
      lastLine: 7,
    });
  });

  it('gives a long file in parts and says how to go on', async () => {
    const { read } = await workspaceOf({ 'long.txt': long, 'wide.txt': `${'w'.repeat(50_000)}\nnext\n` });
    const first = await read({ path: 'long.txt' });
    assert.deepEqual(
      [first.documents[0]?.file?.lastLine, first.note],
      [400, 'Lines 1 to 400 of 1000. Go on with first_line 401.'],
    );
    const beyond = await read({ path: 'long.txt', first_line: 5_000 });
    assert.equal(beyond.documents[0]?.text, 'line 1000');
    assert.equal((await read({ path: 'long.txt', first_line: 10, last_line: 3 })).documents[0]?.text, 'line 10');
    assert.equal((await read({ path: 'wide.txt' })).documents[0]?.file?.lastLine, 1);
  });

  it('refuses every path that is not listed, and proposes similar ones', async () => {
    const { read } = await workspaceOf({ 'docs/design.md': 'x\n', '.env': 'KEY=1\n', 'empty.md': '' });
    await assert.rejects(
      read({ path: '../docs/design.md' }),
      fails('badRequest', /refused: only paths inside the workspace/),
    );
    await assert.rejects(read({ path: '/etc/passwd' }), fails('badRequest', /refused/));
    await assert.rejects(read({ path: '.env' }), fails('notFound', /nothing at "\.env" that may be read/));
    await assert.rejects(read({ path: 'design.md' }), fails('notFound', /Similar: docs\/design\.md/));
    await assert.rejects(read({}), fails('badRequest', /path/));
    assert.match((await read({ path: 'empty.md' })).note ?? '', /no text/);
  });
});
