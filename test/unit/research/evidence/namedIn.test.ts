import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { namedIn } from '../../../../src/research/evidence/namedIn.ts';
import { root } from '../../../support/paths.ts';

const lines = fs
  .readFileSync(path.join(root, 'test/fixtures/named/questions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' | ') as [string, string]);

describe('what a question names', () => {
  it('is found in 40 labelled questions', () => {
    assert.ok(lines.length >= 40);
    const wrong = lines
      .map(([question, wanted]) => {
        const got = namedIn(question).map(({ identity }) => identity);
        return { question, wanted, got: got.length === 0 ? '-' : got.join(' ; ') };
      })
      .filter(({ wanted, got }) => wanted !== got);
    assert.deepEqual(wrong, []);
  });

  it('has the address to open, with a scheme where none was written', () => {
    const [first, second] = namedIn('Compare www.example.org/a?utm_source=x and github.com/o/name.');
    assert.deepEqual(first, {
      identity: 'url:https://example.org/a',
      url: 'https://www.example.org/a?utm_source=x',
      text: 'www.example.org/a?utm_source=x',
    });
    assert.deepEqual([second?.identity, second?.url], ['github:o/name', 'https://github.com/o/name']);
  });

  it('is at most ten works, found in linear time in any text', () => {
    const many = Array.from({ length: 30 }, (_, index) => `https://example.org/${index}`).join(' ');
    assert.equal(namedIn(many).length, 10);
    const hostile = [')', '(', 'a.', 'https://', '10.1234/(', 'github a-', '字a', 'https://a.b/字'].map((part) =>
      part.repeat(20_000),
    );
    for (const text of [...hostile, `https://a.b/${')'.repeat(20_000)}`]) namedIn(text);
  });
});
