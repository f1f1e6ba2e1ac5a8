import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needlessTranslations } from '../../../src/research/text/translations.ts';

const needless = (paths: string[], language = 'en', question = 'How do I install it?'): string[] => [
  ...needlessTranslations(paths, language, question),
];

test('translations of a document are left out where it stands in the language of the question', () => {
  const docs = ['docs/en/setup.md', 'docs/de/setup.md', 'docs/pt-BR/setup.md', 'docs/zhTW/setup.md'];
  assert.deepEqual(needless(docs), docs.slice(1));
  assert.deepEqual(needless(docs, 'de'), [docs[2], docs[3]], 'the original may be newer than its translation');
  assert.deepEqual(needless(docs, 'th'), docs.slice(1));
  assert.deepEqual(needless(['README.md', 'README.zh-CN.md', 'README_FR.md', 'README-german.md']), [
    'README.zh-CN.md',
    'README_FR.md',
    'README-german.md',
  ]);
  assert.deepEqual(needless(['guide/a.md', 'guide/ja/a.md', 'de.lang.js', 'en.lang.js']), [
    'guide/ja/a.md',
    'de.lang.js',
  ]);
});

test('a translation is searched where it is all there is, or is asked for', () => {
  assert.deepEqual(needless(['docs/de/setup.md', 'docs/fr/setup.md', 'docs/de/only.md']), []);
  assert.deepEqual(needless(['README.md', 'README.de.md'], 'en', 'What does the German README say?'), []);
  assert.deepEqual(needless(['README.md', 'README.de.md'], 'de', 'Wie installiere ich es?'), []);
  assert.deepEqual(needless(['README.md', 'README.fr.md'], 'de', 'Was steht auf Französisch da?'), []);
});

test('words that look like tags make no translation', () => {
  assert.deepEqual(
    needless(['log.md', 'log-in.md', 'src/assets/a.ts', 'src/a.ts', 'how-to/x.md', 'x.md', 'a/is.ts', 'a/it.ts']),
    [],
  );
});
