import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { readWords, type WordList } from '../../../src/sources/outgoing/wordLists.ts';

const lists: readonly WordList[] = ['en', 'names', 'public', 'terms', 'de', 'fr', 'ko', 'zh'];

for (const list of lists)
  test(`the list "${list}" has each of its words, first and last included, and no others`, async () => {
    const packed = readFileSync(new URL(`../../../src/sources/words/${list}.br`, import.meta.url));
    const words = brotliDecompressSync(packed).toString('utf8').split('\n');
    const read = await readWords(list);
    const own = new Set(words);
    const sample = words.filter((_, at) => at % 97 === 0 || at < 3 || at > words.length - 4);
    assert.deepEqual(
      sample.filter((word) => !read.has(word)),
      [],
    );
    const others = ['', '\n', '0', '\uFFFF', ...sample.map((word) => `${word}\uE000`)];
    assert.deepEqual(
      others.filter((word) => read.has(word) !== own.has(word)),
      [],
    );
  });
