import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOneEdit, PassageIndex } from '../../../../src/research/text/passageIndex.ts';
import { cutPassages } from '../../../../src/research/text/passages.ts';
import { readQuery } from '../../../../src/research/text/query.ts';
import { termsOf, tokensOf } from '../../../../src/research/text/tokenize.ts';

function indexOf(files: Readonly<Record<string, string>>): PassageIndex {
  const index = new PassageIndex();
  for (const [path, text] of Object.entries(files)) index.add(path, '1', cutPassages(path, text));
  return index;
}

function best(files: Readonly<Record<string, string>>, question: string): string | undefined {
  return indexOf(files).search(readQuery(question), 5).hits[0]?.path;
}

const terms = (text: string): string[] => tokensOf(text).flatMap(termsOf);

test('forms of a word meet, whatever their case, accents and endings', () => {
  for (const [one, other] of [
    ['configured', 'Configuration'],
    ['rotate', 'rotating'],
    ['policies', 'policy'],
    ['Ereignisse', 'Ereignis'],
    ['Zustellungen', 'Zustellung'],
    ['café', 'Cafe'],
    ['stopped', 'stop'],
    ['файлами', 'файлах'],
  ] as const)
    assert.deepEqual(terms(one), terms(other), `${one}, ${other}`);
});

test('a name is found by its parts and as a whole; scripts without spaces by pairs of characters', () => {
  assert.deepEqual(terms('bodyLimit'), ['body', 'limit', 'bodylimit']);
  assert.ok(terms('body_limit').includes('bodylimit'));
  assert.deepEqual(terms('知识图谱'), ['知识', '识图', '图谱']);
  assert.ok(terms('1,000').includes('1000'));
});

test('a question is read without what only grammar joins to its words', () => {
  const words = (question: string): string[] => readQuery(question).words.map(({ word }) => word);
  assert.deepEqual(words("Quand l'annulation est-elle gratuite ?"), ['annulation', 'gratuite']);
  assert.deepEqual(words('Was macht die CSRF-Middleware beim Login?'), ['macht', 'CSRF', 'Middleware', 'Login']);
  assert.deepEqual(words('What does the e-mail of PD-1 say?'), ['e-mail', 'PD-1']);
});

test('a word that is only the end of an unrelated one is missing', () => {
  const { words } = indexOf({ 'a.md': 'NOAUTH is an error.' }).search(readQuery('Is OAuth supported?'), 5);
  assert.equal(words.find(({ word }) => word === 'OAuth')?.fate, 'missing');
});

test('what has more and rarer words of the question comes first, headings and paths included', () => {
  assert.equal(best({ 'a.md': 'hybrid search merges rankings', 'b.md': 'search' }, 'hybrid search'), 'a.md');
  assert.equal(best({ 'a.md': '# Ports\n\nIt is 80.', 'b.md': '# Hosts\n\nIt is all.' }, 'Which port is it?'), 'a.md');
  assert.equal(
    best({ 'kurse/drechseln.md': 'Ein Samstag.', 'b.md': 'Ein Montag.' }, 'Wann ist Drechseln?'),
    'kurse/drechseln.md',
  );
});

test('typing errors are bridged by the words of the texts, and said', () => {
  const { hits, words } = indexOf({ 'a.md': 'Parked events stay.', 'b.md': 'Other things.' }).search(
    readQuery('how long do evnts stay'),
    5,
  );
  assert.equal(hits[0]?.path, 'a.md');
  assert.equal(words.find(({ word }) => word === 'evnts')?.fate, 'corrected');
  const read = (text: string, word: string) => indexOf({ 'a.md': text }).search(readQuery(word, 'en'), 5).words[0];
  assert.deepEqual(read('Parked events stay.', 'evnts')?.as, ['event']);
  assert.deepEqual(
    [read('const x', 'cost'), read('the disk', 'dsik'), read('a level', 'levl')].map((word) => word?.fate),
    ['missing', 'corrected', 'corrected'],
  );
});

test('a word that no text holds lowers no passage and is named', () => {
  const { hits, words } = indexOf({ 'a.md': 'The gateway checks tokens.' }).search(
    readQuery('Does the gateway check Kerberos?'),
    5,
  );
  assert.equal(hits.length, 1);
  assert.equal(words.find(({ word }) => word === 'Kerberos')?.fate, 'missing');
});

test('a text that changed is found by its new words alone, and a removed one not at all', () => {
  const index = indexOf({ 'a.md': 'apple', 'b.md': 'banana' });
  index.add('a.md', '2', cutPassages('a.md', 'cherry'));
  index.remove('b.md');
  const found = (word: string) => index.search(readQuery(word), 5).hits.length;
  assert.deepEqual([found('apple'), found('cherry'), found('banana')], [0, 1, 0]);
  assert.deepEqual([...index.stamps()], [['a.md', '2']]);
});

test('any text and any question is searched, with finite scores', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('#', 'release', 'notes', '2.3', 'room', '-', '|'), { maxLength: 5 })
      .map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n\n')),
        { maxLength: 6 },
      ),
      line,
      (texts, question) => {
        const index = indexOf(Object.fromEntries(texts.map((text, number) => [`${number}.md`, text])));
        for (const { score } of index.search(readQuery(question), 5).hits)
          assert.ok(score > 0 && Number.isFinite(score));
      },
    ),
  );
});

test('a typing error leaves out, adds or replaces one letter, or swaps two', () => {
  for (const other of ['disk', 'dik', 'disks', 'dusk', 'dsik']) assert.ok(isOneEdit('disk', other), other);
  for (const other of ['dikss', 'dsikk', 'task', 'ksid', 'd']) assert.ok(!isOneEdit('disk', other), other);
  assert.ok(!isOneEdit('insurance', 'instance'));
  for (const word of ['dtabase', 'bnana']) assert.ok(isOneEdit(word === 'bnana' ? 'banana' : 'database', word), word);
});
