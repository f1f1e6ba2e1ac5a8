import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openAttachments, type AttachmentOptions } from '../../../src/node/attachments.ts';
import { ResearchError, type ErrorReason } from '../../../src/research/errors.ts';
import type { Attachment } from '../../../src/research/ports.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

let workspace: string;
let elsewhere: string;
before(() => {
  workspace = temporaryFolder('attached');
  elsewhere = temporaryFolder('elsewhere');
  write(workspace, 'docs/plan.md', '# Plan\n\nShip in May.\n');
  write(workspace, 'docs/deep/more.txt', 'More.');
  write(workspace, 'docs/.env', 'TOKEN=abc');
  write(workspace, 'docs/ignored.md', 'Ignored.');
  write(workspace, 'docs/.gitignore', 'ignored.md\n');
  write(workspace, '.env', 'API_KEY=abc');
  write(workspace, 'config.md', 'password: hunter2hunter2');
  write(workspace, 'empty.md', ' \n');
  write(workspace, 'image.png', '\u0000\u0001');
  write(workspace, 'study.ipynb', JSON.stringify({ cells: [{ cell_type: 'markdown', source: 'Cell text.' }] }));
  write(workspace, 'paper.pdf', '%PDF-1.7');
  write(elsewhere, 'notes.md', 'Elsewhere.');
  write(elsewhere, 'id_rsa', 'x');
  fs.symlinkSync(path.join(elsewhere, 'id_rsa'), path.join(workspace, 'harmless.md'));
  fs.symlinkSync(path.join(elsewhere, 'notes.md'), path.join(workspace, 'linked.md'));
});
after(() => {
  removeFolder(workspace);
  removeFolder(elsewhere);
});

function write(folder: string, name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
}

const never = new AbortController().signal;
const open = (attachments: readonly (Attachment | string)[], options: Partial<AttachmentOptions> = {}) =>
  openAttachments(
    attachments.map((one) => (typeof one === 'string' ? { path: path.join(workspace, one) } : one)),
    { workspaceFolder: workspace, readsWorkspace: true, exclude: [], ...options },
    never,
  );
async function readOne(attachment: Attachment | string, options: Partial<AttachmentOptions> = {}) {
  const port = await open([attachment], options);
  return port.read(port.names[0]!, never);
}
const fails = (reason: ErrorReason) => (error: unknown) => {
  assert.ok(ResearchError.is(error, reason), `expected ${reason}, got ${String(error)}`);
  assert.ok(error.next !== '');
  return true;
};

describe('an attached document', () => {
  it('is named without characters that act on a terminal', async () => {
    write(elsewhere, 'no\u001bc\u009b\u202etes.md', 'Elsewhere.');
    const port = await open([{ path: path.join(elsewhere, 'no\u001bc\u009b\u202etes.md') }]);
    assert.deepEqual(port.names, ['noctes.md']);
    assert.equal((await port.read('noctes.md', never)).title, 'noctes.md');
  });

  it('of the workspace leads to its lines', async () => {
    const { date, ...document } = await readOne('docs/plan.md');
    assert.match(date ?? '', /^20\d\d-/);
    assert.deepEqual(document, {
      kind: 'attached',
      title: 'docs/plan.md',
      authors: [],
      file: { path: 'docs/plan.md', firstLine: 1, lastLine: 3 },
      text: '# Plan\n\nShip in May.\n',
      facts: ['attached by the user'],
      isPrivate: true,
    });
  });

  it('from elsewhere says nothing of its folder', async () => {
    const document = await readOne({ path: path.join(elsewhere, 'notes.md') });
    assert.deepEqual([document.title, document.file, document.text], ['notes.md', undefined, 'Elsewhere.']);
    assert.ok(!JSON.stringify(document).includes(path.basename(elsewhere)));
  });

  it('may be ignored by git: it was chosen', async () => {
    assert.equal((await readOne('docs/ignored.md')).text, 'Ignored.');
    assert.equal((await readOne('linked.md')).text, 'Elsewhere.');
  });

  it('is what is selected in it, with its lines', async () => {
    const excerpt = { text: 'b\r\nc\n', firstLine: 7 };
    const { title, file, text } = await readOne({ path: path.join(workspace, 'docs/plan.md'), excerpt });
    assert.deepEqual(
      [title, file, text],
      ['docs/plan.md (7-8)', { path: 'docs/plan.md', firstLine: 7, lastLine: 8 }, 'b\nc\n'],
    );
    const unsaved = await readOne({ path: 'Untitled-1', excerpt: { text: 'Draft.', firstLine: 1 } });
    assert.deepEqual([unsaved.title, unsaved.file], ['Untitled-1 (1-1)', undefined]);
  });

  it('may be a notebook, and a PDF where something reads it', async () => {
    assert.equal((await readOne('study.ipynb')).text, 'Cell text.');
    const readPdf = (bytes: Uint8Array) => Promise.resolve(`## Page 1\n\n${Buffer.from(bytes).toString()}`);
    assert.equal((await readOne('paper.pdf', { readPdf })).text, '## Page 1\n\n%PDF-1.7');
    await assert.rejects(readOne('paper.pdf'), fails('badRequest'));
  });

  it('with secrets is not read, by whatever name, and others are masked', async () => {
    await assert.rejects(readOne('.env'), fails('badRequest'));
    await assert.rejects(readOne('harmless.md'), fails('badRequest'));
    await assert.rejects(readOne({ path: path.join(elsewhere, 'id_rsa') }), fails('badRequest'));
    assert.doesNotMatch((await readOne('config.md')).text, /hunter2/);
    const excerpt = { text: 'API_KEY=abc', firstLine: 1 };
    await assert.rejects(readOne({ path: path.join(workspace, '.env'), excerpt }), fails('badRequest'));
  });

  it('that has no text, is binary or gone is refused', async () => {
    for (const name of ['empty.md', 'image.png']) await assert.rejects(readOne(name), fails('badRequest'), name);
    await assert.rejects(readOne('gone.md'), fails('notFound'));
    await assert.rejects((await open([])).read('docs/plan.md', never), fails('notFound'));
  });

  it('of the workspace is left out where the settings let none of its text be read', async () => {
    await assert.rejects(readOne('docs/plan.md', { readsWorkspace: false }), fails('badRequest'));
    const document = await readOne({ path: path.join(elsewhere, 'notes.md') }, { readsWorkspace: false });
    assert.equal(document.text, 'Elsewhere.');
  });
});

describe('an attached folder', () => {
  it('stands for the files in it that a workspace shows, each once', async () => {
    const { names } = await open(['docs/plan.md', 'docs']);
    assert.deepEqual(names, ['docs/plan.md', 'docs/deep/more.txt']);
  });

  it('gives no more than 40 files', async () => {
    for (let index = 0; index < 60; index += 1) write(elsewhere, `many/${index}.md`, 'x');
    assert.equal((await open([{ path: path.join(elsewhere, 'many') }])).names.length, 40);
  });
});

describe('the text that a user gives for a page', () => {
  const url = 'https://paper.example/article?id=1';
  const pasted = (text: string) => readOne({ path: 'pasted text', excerpt: { text, firstLine: 1 }, url });

  it('is the source of its address, titled by its first line', async () => {
    assert.deepEqual(await pasted('# The harbour\r\n\r\nIt is 17 m deep.\n'), {
      kind: 'attached',
      title: 'The harbour',
      authors: [],
      url,
      text: '# The harbour\n\nIt is 17 m deep.',
      facts: ['text given by the user'],
      isPrivate: true,
    });
    assert.equal((await pasted(`${'word '.repeat(60)}\nMore.`)).title, 'paper.example/article');
  });

  it('is read from a PDF, and from a file anywhere', async () => {
    const readPdf = () => Promise.resolve('[Page 1]\n\nDepth 17 m.');
    const fromPdf = await readOne({ path: path.join(workspace, 'paper.pdf'), url }, { readPdf });
    assert.deepEqual([fromPdf.url, fromPdf.text, fromPdf.file], [url, '[Page 1]\n\nDepth 17 m.', undefined]);
    assert.equal((await readOne({ path: path.join(elsewhere, 'notes.md'), url })).text, 'Elsewhere.');
  });

  it('has no hidden characters and no secrets, is bounded, and empty it is none', async () => {
    const hostile = await pasted('Ti\u202Etle\u200B\n\nSee \u{E0041}\u{E0042}this. password: hunter2hunter2');
    assert.equal(hostile.title, 'Title');
    assert.doesNotMatch(hostile.text, /[\u202E\u200B\u{E0041}]|hunter2/u);
    assert.ok((await pasted('word '.repeat(4_000_000))).text.length <= 2_000_000);
    await assert.rejects(pasted(' \n\u200B'), fails('badRequest'));
    await assert.rejects(readOne({ path: path.join(elsewhere, 'id_rsa'), url }), fails('badRequest'));
    await assert.rejects(readOne({ path: path.join(elsewhere, 'gone.pdf'), url }), fails('notFound'));
  });
});
