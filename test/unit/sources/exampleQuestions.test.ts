import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openWorkspace } from '../../../src/node/workspace.ts';
import { exampleQuestions } from '../../../src/sources/workspace/exampleQuestions.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

async function questionsOf(files: Readonly<Record<string, string>>, count = 3) {
  const folder = await temporaryFolder(files);
  folders.push(folder);
  const workspace = openWorkspace(folder.path, { exclude: [], reportFolder: 'research' });
  return exampleQuestions(workspace, count, new AbortController().signal);
}

const winch =
  'The winch lifts the gate. A winch needs grease once a year. Ask the keeper for the key of the winch house. ';
const lock = 'Ein Schloss der Schleuse hebt Schiffe. Die Schleuse hat zwei Tore, und das Schloss wird nachts geprüft. ';

test('asks about headings whose text speaks of them, one a document, in its language', async () => {
  const questions = await questionsOf({
    'gate.md': `# Notes\n\nText.\n\n## Winch\n\n${winch.repeat(3)}\n\n## Next steps\n\n${'Nothing is planned. '.repeat(9)}\n`,
    'de.md': `# Das Schloss der Schleuse\n\n${lock.repeat(3)}\n`,
  });
  assert.deepEqual(questions.toSorted(), [
    'Was ist mit Das Schloss der Schleuse?',
    'What should one know about Winch?',
  ]);
});

test('takes a question as it is, and decodes what a heading writes as entities', async () => {
  const text = 'Why the gate closes: the gate closes at low water, because boats would run aground. ';
  assert.deepEqual(await questionsOf({ 'a.md': `# Why does the gate close?\n\n${text.repeat(3)}\n` }), [
    'Why does the gate close?',
  ]);
  const cafe =
    'The café at the gate opens at nine. The café sells tickets for the gate, and the café is closed on Mondays. ';
  assert.deepEqual(await questionsOf({ 'b.md': `# Caf&eacute; tickets\n\n${cafe.repeat(2)}\n` }), [
    'What should one know about Café tickets?',
  ]);
});

test('asks nothing where two documents have the heading, or in files that every project has', async () => {
  const same = `## Winch\n\n${winch.repeat(3)}\n`;
  assert.deepEqual(
    await questionsOf({ 'a.md': same, 'b.md': same, 'CHANGELOG.md': `## Grease\n\n${winch.repeat(3)}\n` }),
    [],
  );
});
