import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutPassages } from '../../../../src/research/text/passages.ts';
import type { WordFate } from '../../../../src/research/text/wordFates.ts';
import { withOverview } from '../../../../src/sources/workspace/overview.ts';

const texts: Readonly<Record<string, string>> = {
  'README.md': `# Tidegate

[![Build](https://example.org/b.svg)](https://example.org) [Read on example.org](https://example.org)

Tidegate is a relay that delivers events to lanes, in order and at least once.

It is written in Go and runs on one machine. Its lanes are files.

## Sponsors

Our sponsors pay for the machine that builds all of this every night.
`,
  'README.de.md': '# Tidegate\n\nTidegate ist ein Relais, das Ereignisse in ihrer Reihenfolge zustellt.\n',
  'package.json': '{\n  "name": "tidegate",\n  "description": "Relay of events"\n}\n',
  'docs/retries.md': '# Retries\n\nA lane retries five times before it gives an event up.\n',
  'docs/notes.md': 'We talked of the architecture of the town hall and how to get there by bus.\n',
};
const files = Object.keys(texts).map((path) => ({ path, size: texts[path]!.length, modified: 0 }));
const passageOf = (path: string) => ({
  file: files.find((file) => file.path === path)!,
  passage: cutPassages(path, texts[path]!)[0]!,
});

async function asked(question: string, path: string, fate: WordFate['fate'], language = 'en', readme?: string) {
  const read = async (one: string) => (one === 'README.md' && readme) || texts[one]!;
  const result = { found: [passageOf(path)], words: [{ word: 'x', fate, weight: 1 }] };
  const { found, words } = await withOverview(question, language, result, files, read);
  return { shown: found.map(({ file, passage }) => `${file.path}:${passage.firstLine}`), words };
}

describe('the overview of a folder', () => {
  const overview = ['README.md:5', 'README.md:7', 'package.json:1'];

  it('is quoted from README and manifest, without badges, links and later sections', async () => {
    for (const question of ['What does this project do?', 'What is this folder about?', 'How does it work?'])
      assert.deepEqual((await asked(question, 'docs/notes.md', 'held')).shown, overview, question);
    const { shown, words } = await asked('Was macht dieses Projekt?', 'docs/notes.md', 'missing', 'de');
    assert.deepEqual([shown, words], [overview, [{ word: 'x', fate: 'near', weight: 0 }]]);
  });

  it('answers a word that no file has, of which nothing more is said', async () => {
    const { shown, words } = await asked('What does the repo do?', 'docs/notes.md', 'missing');
    assert.deepEqual([shown, words], [overview, []]);
  });

  it('comes before what was found under no title', async () => {
    const { shown } = await asked('Explain the architecture', 'docs/notes.md', 'held');
    assert.deepEqual(shown, ['README.md:5', 'docs/notes.md:1']);
  });

  it('answers a question about its own name alone, however it is spelled', async () => {
    for (const question of ['What is Tidegate?', 'what is tidegate', 'What does tide-gate do?', 'Why Tidegate?'])
      assert.deepEqual((await asked(question, 'docs/retries.md', 'held')).shown, overview, question);
    assert.deepEqual((await asked('Which lanes has Tidegate?', 'docs/retries.md', 'held')).shown, [
      'docs/retries.md:1',
    ]);
  });

  it('takes neither thanks nor notices above the title, nor a table of tags', async () => {
    const table = `<table>\n<tr><td><a href="https://example.org/long/address"><img src="https://example.org/a.png"></a>
<div><b>Warped is built for many agents, and hires in town.</b></div></td></tr>\n</table>`;
    const readme = `I stopped working on this project in April for several reasons.\n\n${table}\n\n# Tidegate: a relay\n\n${table}
\nTidegate is a relay that delivers events to lanes.\n`;
    for (const question of ['What does this project do?', 'What is Tidegate?'])
      assert.deepEqual((await asked(question, 'docs/notes.md', 'held', 'en', readme)).shown, [
        'README.md:15',
        'package.json:1',
      ]);
  });

  it('begins above the first section of a text without a title', async () => {
    const readme = `<p align="center"><strong>Tidegate</strong></p>

Tidegate is a relay that delivers events to lanes.\n\n## Features\n\nIt keeps the order of everything that is sent to a lane.\n`;
    const { shown } = await asked('What does this project do?', 'docs/notes.md', 'held', 'en', readme);
    assert.deepEqual(shown, ['README.md:3', 'README.md:5', 'package.json:1']);
  });

  it('is left out where the question names what it asks for', async () => {
    for (const [question, path, fate, language] of [
      ['Explain retries', 'docs/retries.md', 'held'],
      ['How many events does a lane give up?', 'docs/retries.md', 'held'],
      ['What is the Frobnicator?', 'docs/notes.md', 'missing'],
      ['What does max_lag do?', 'docs/notes.md', 'missing'],
      ['Is there a licence server?', 'docs/notes.md', 'missing'],
      ['Wo wird das Zertifikat geprüft?', 'docs/notes.md', 'missing', 'de'],
      ["Comment renouveler l'abonnement ?", 'docs/notes.md', 'missing', 'fr'],
    ] as const)
      assert.ok(!(await asked(question, path, fate, language)).shown.includes('README.md:5'), question);
  });
});
