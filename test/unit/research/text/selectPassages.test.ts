import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PassageIndex } from '../../../../src/research/text/passageIndex.ts';
import { cutPassages } from '../../../../src/research/text/passages.ts';
import { readQuery } from '../../../../src/research/text/query.ts';
import { type Selected, selectPassages } from '../../../../src/research/text/selectPassages.ts';

/** Paths of the passages that a reader gets, best first. */
function selected(files: Readonly<Record<string, string>>, question: string): string[] {
  const query = readQuery(question);
  const index = new PassageIndex();
  const cut = new Map(Object.entries(files).map(([path, text]) => [path, cutPassages(path, text)]));
  for (const [path, passages] of cut) index.add(path, '', passages);
  const candidates = index.search(query, 24).hits.map((hit) => ({ ...hit, siblings: cut.get(hit.path)! }));
  return selectPassages(query, candidates, 8).map(({ path }) => path);
}

test('the newer version of a page stands before the older one, unless the older one is asked for', () => {
  const page = (limit: number): string =>
    `# Exports\n\nAn export holds at most ${limit} rooms of one team at a time.\n`;
  const files = { 'docs/v1/exports.md': page(40), 'docs/v2/exports.md': page(250) };
  assert.equal(selected(files, 'How many rooms can an export hold?')[0], 'docs/v2/exports.md');
  assert.equal(selected(files, 'How many rooms can an export hold in v1?')[0], 'docs/v1/exports.md');
});

test('what says the same is shown once', () => {
  const text = 'The gateway refuses requests that are larger than ten megabytes, and logs them.';
  assert.equal(
    selected({ 'a.md': text, 'copy/a.md': `${text}\n` }, 'Which requests does the gateway refuse?').length,
    1,
  );
});

test('neighbours that were found both are one passage', () => {
  const text = 'The gateway refuses large requests.\n\nLarge requests are logged by the gateway.\n';
  assert.equal(selected({ 'a.md': text }, 'What happens to large requests at the gateway?').length, 1);
});

test('a text that repeats the question does not stand before one that answers it', () => {
  const question = 'How long is a signature of the signer valid?';
  const files = {
    'a.md': `Open this folder and ask: ${question} You need no key for it.`,
    'b.md': 'A signature is valid for ninety minutes, as long as the signer lives.',
  };
  assert.equal(selected(files, question)[0], 'b.md');
});

test('a record is completed by the fields beside the one that names it', () => {
  const fields = Array.from({ length: 12 }, (_, at) => `  code${at}: ${at}\n`).join('');
  const record = (name: string, born: number) => `- name: ${name}\n  born: ${born}\n  seat: 4\n${fields}`;
  const text = record('Ana Ruiz', 1957) + record('Lee Oyelaran', 1961);
  const query = readQuery('Since when is Lee Oyelaran alive?');
  const passages = cutPassages('members.yaml', text);
  const index = new PassageIndex();
  index.add('members.yaml', '', passages);
  const { hits } = index.search(query, 1);
  const [{ passage }] = selectPassages(
    query,
    hits.map((hit) => ({ ...hit, siblings: passages })),
    1,
  ) as [Selected];
  assert.match(passage.text, /born: 1961/);
  assert.ok(text.includes(passage.text), 'as it is in the file');
});
