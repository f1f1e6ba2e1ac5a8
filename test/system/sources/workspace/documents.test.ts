import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openWorkspace } from '../../../../src/node/workspace.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { type Reading, unwatched } from '../../../../src/research/ports.ts';
import { readDocument } from '../../../../src/sources/readers/readDocument.ts';
import { createWorkspaceTools } from '../../../../src/sources/workspace/workspaceTools.ts';
import { removeFolder, temporaryFolder } from '../../../support/paths.ts';
import { samplePdf } from '../../../support/samplePdf.ts';
import { english } from '../../../support/sourceContext.ts';

const never = new AbortController().signal;
let folder: string;
let reads = 0;

before(() => {
  folder = temporaryFolder('documents');
  const lines = (words: string) => Array.from({ length: 12 }, (_, index) => `${words} in line ${index} of this page.`);
  fs.writeFileSync(
    path.join(folder, 'report.pdf'),
    samplePdf([lines('The harbour handles containers'), [...lines('Storage'), 'The crane lifts 4711 tons a day.']]),
  );
  fs.writeFileSync(path.join(folder, 'locked.pdf'), '%PDF-1.7 nothing');
  const cells = [
    { cell_type: 'markdown', source: '# Latency study' },
    {
      cell_type: 'code',
      source: 'measure()',
      outputs: [{ output_type: 'stream', text: 'p99 of the gateway was 310 ms' }],
    },
  ];
  fs.writeFileSync(path.join(folder, 'study.ipynb'), JSON.stringify({ nbformat: 4, cells }));
  fs.writeFileSync(path.join(folder, 'notes.md'), 'Nothing of interest.');
});
after(() => removeFolder(folder));

const open = (withPdf = true) =>
  openWorkspace(folder, {
    exclude: [],
    reportFolder: 'research',
    ...(withPdf && {
      readPdf: async (bytes: Uint8Array, signal: AbortSignal) => {
        reads += 1;
        return (await readDocument(bytes, 'application/pdf', '', signal)).text;
      },
    }),
  });

it('a large file on which a reader throws, whatever it throws, is left out by name', async () => {
  const place = temporaryFolder('large');
  for (const name of ['big.log', 'other.log'])
    fs.writeFileSync(path.join(place, name), `the crane ${'lifts tons\n'.repeat(200_000)}`);
  const reading: Reading = {
    ...unwatched,
    during: (input, work) => (input.name === 'big.log' ? assert.fail('A reader has a bug.') : work()),
  };
  const [search] = createWorkspaceTools(openWorkspace(place, { exclude: [], reportFolder: 'research', reading }));
  const { warnings, documents } = await search!.run({ query: 'crane lifts' }, english, never);
  assert.deepEqual(warnings, ["Not searched, because they can't be read: big.log."]);
  assert.equal(documents[0]?.file?.path, 'other.log');
  removeFolder(place);
});

describe('documents of the workspace', () => {
  it('are found by their words: pages of a PDF, cells of a notebook', async () => {
    const [search] = createWorkspaceTools(open());
    const find = async (query: string) => (await search!.run({ query }, english, never)).documents;
    const [page] = await find('how many tons does the crane lift');
    assert.equal(page?.file?.path, 'report.pdf');
    assert.match(page?.text ?? '', /4711 tons/);
    const [cell] = await find('p99 of the gateway');
    assert.equal(cell?.file?.path, 'study.ipynb');
    assert.match(cell?.text ?? '', /310 ms/);
  });

  it('are read once for many searches', async () => {
    const [search] = createWorkspaceTools(open());
    reads = 0;
    for (const query of ['crane', 'containers', 'storage']) await search!.run({ query }, english, never);
    // The damaged one is not read again either: it is in the index without a word.
    assert.equal(reads, 2);
  });

  it('that are damaged or too large are left out by name, and refused when they are asked for', async () => {
    const large = path.join(folder, 'large.ipynb');
    fs.writeFileSync(large, Buffer.alloc(20_000_000, ' '));
    const workspace = open();
    const [search] = createWorkspaceTools(workspace);
    const { warnings } = await search!.run({ query: 'how many tons does the crane lift' }, english, never);
    assert.deepEqual(warnings, ["Not searched, because they can't be read: large.ipynb, locked.pdf."]);
    for (const name of ['locked.pdf', 'large.ipynb'])
      await assert.rejects(workspace.read(name, never), (error) => ResearchError.is(error, 'badAnswer'));
    fs.rmSync(large);
    assert.match(await workspace.read('study.ipynb', never), /^# Latency study/);
  });

  it('are not listed where nothing reads PDFs', async () => {
    const files = await open(false).files(never);
    assert.deepEqual(
      files.map(({ path: name }) => name),
      ['notes.md', 'study.ipynb'],
    );
  });
});
