import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { notebookText } from '../../../../src/node/notebookText.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { readAllSettings } from '../../../../src/catalogue.ts';
import type { WorkspacePort } from '../../../../src/research/ports.ts';
import { createWorkspaceTools } from '../../../../src/sources/workspace/workspaceTools.ts';
import { readWorkspaceFacts } from '../../../../src/sources/workspaceFacts.ts';
import { english } from '../../../support/sourceContext.ts';

const never = new AbortController().signal;

/** A folder of one note and of files on which readers fail. */
function folder(failures: Readonly<Record<string, unknown>>): WorkspacePort {
  const texts: Readonly<Record<string, string>> = { 'notes.md': 'The crane lifts 4711 tons a day.' };
  return {
    name: 'folder',
    files: async () =>
      [...Object.keys(texts), ...Object.keys(failures)].map((path) => ({ path, size: 99, modified: 0 })),
    read: async (path) => {
      if (path in failures) throw failures[path];
      return texts[path]!;
    },
    // None is so large.
    async *blocks() {},
    gitRemotes: async () => [],
  };
}

describe('a file of the workspace on which a reader fails', () => {
  it('is skipped by name, whatever is thrown, and the others are searched', async () => {
    const [search] = createWorkspaceTools(
      folder({
        'many.ipynb': new RangeError('Maximum call stack size exceeded'),
        'odd\u001bc.md': 'no error at all',
        'bad.md': new ResearchError('badAnswer', 'bad'),
        'binary.md': new ResearchError('badRequest', 'binary'),
      }),
    );
    const { documents, warnings } = await search!.run({ query: 'how many tons does the crane lift' }, english, never);
    assert.deepEqual(
      documents.map(({ file }) => file?.path),
      ['notes.md'],
    );
    assert.match(
      String(warnings),
      /^Not searched, because they can't be read: (?=.*many\.ipynb)(?=.*oddc\.md)(?=.*bad\.md)/,
    );
    assert.doesNotMatch(String(warnings), /binary|\u001b/);
  });

  it('is named by later questions too, which find it in the saved index, and read again the next day', async (test) => {
    test.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-04T10:00:00Z') });
    let stored: Uint8Array | undefined;
    let reads = 0;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.pdf`);
    const port = folder(Object.fromEntries(names.map((name) => [name, new ResearchError('badAnswer', 'bad')])));
    const ask = async () => {
      const workspace: WorkspacePort = {
        ...port,
        read: (path, signal) => {
          reads += 1;
          return port.read(path, signal);
        },
        index: {
          load: async () => stored,
          save: async (parts) => void (stored = new Uint8Array(Buffer.concat(parts))),
        },
      };
      const [search] = createWorkspaceTools(workspace);
      return String((await search!.run({ query: 'how many tons does the crane lift' }, english, never)).warnings);
    };
    const said = "Not searched, because they can't be read: a.pdf, b.pdf, c.pdf, d.pdf, and 2 more.";
    assert.equal(await ask(), said);
    const first = reads;
    assert.equal(await ask(), said);
    assert.ok(reads - first < names.length, 'they are not read again');
    test.mock.timers.setTime(Date.parse('2026-03-05T10:00:00Z'));
    const before = reads;
    assert.equal(await ask(), said);
    assert.ok(reads - before >= names.length, 'they are read again');
  });

  it('costs the facts of the folder nothing else', async () => {
    const facts = await readWorkspaceFacts(
      folder({ 'README.md': new TypeError('x'), 'package.json': null }),
      readAllSettings({}).settings,
      never,
    );
    assert.equal(facts.fileCount, 3);
  });
});

describe('a notebook', () => {
  it('may have any number of fences in a cell', () => {
    const cells = [{ cell_type: 'code', source: '```\n'.repeat(200_000), outputs: [] }];
    assert.match(notebookText(JSON.stringify({ cells }))!, /^Cell 1:\n\n````\n/);
  });
});

describe('documents of a folder, which nothing but the index searches', () => {
  it('are read first where their names have words of the question, and waited for longer than texts', async (test) => {
    let now = 0;
    test.mock.method(performance, 'now', () => now);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'dynamo-store'].map((name) => `${name}.pdf`);
    const reads: { readonly path: string; readonly end: (text: string) => void }[] = [];
    const workspace: WorkspacePort = {
      ...folder({}),
      // The smallest are read first.
      files: async () => names.map((path, size) => ({ path, size, modified: 0 })),
      read: (path) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        reads.push({ path, end: resolve });
        return promise;
      },
    };
    const began = async (count: number): Promise<void> => {
      while (reads.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const [search] = createWorkspaceTools(workspace);
    let isDone = false;
    const searching = search!.run({ query: 'How does dynamo resolve conflicts?' }, english, never).then((result) => {
      isDone = true;
      return result;
    });
    await began(2);
    now = 30_000;
    reads.forEach(({ end, path }) => end(`The text of ${path}.`));
    await began(4);
    assert.deepEqual(
      reads.slice(0, 3).map(({ path }) => path),
      ['a.pdf', 'b.pdf', 'dynamo-store.pdf'],
    );
    assert.ok(!isDone, 'the texts had 10 s');
    now = 61_000;
    reads.slice(2).forEach(({ end, path }) => end(`${path}: conflicts are resolved by the reader.`));
    await began(6);
    reads.slice(4).forEach(({ end }) => end('later'));
    void began(8).then(() => reads.slice(6).forEach(({ end, path }) => end(`${path}: conflicts are resolved.`)));
    const { documents, reach } = await searching;
    assert.equal(documents[0]?.file?.path, 'dynamo-store.pdf');
    assert.ok((reach?.unread ?? 0) > 0, 'what is left is said');
  });
});
