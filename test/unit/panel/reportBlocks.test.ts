import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { BlockReader } from '../../../src/markdown/blockReader.ts';
import { type Block, readDocument } from '../../../src/markdown/readDocument.ts';
import { ReportBlocks } from '../../../src/panel/report/reportBlocks.ts';
import { rounds } from '../../support/sampled.ts';

const pieces = [
  '# Title',
  '## A [1]',
  'Some text [2].',
  'word',
  '\n',
  '\n',
  '\n\n',
  ' ',
  '- item',
  '- [x] task',
  '* star',
  '1. one',
  '2. two',
  '2',
  '-',
  '--',
  '---',
  '***',
  '===',
  '| a | b |',
  '|---|:-:|',
  '| 1 [3] | x',
  '|',
  '```',
  '```js',
  '~~~',
  '`code`',
  '    ',
  '  ',
  '\t',
  '> quote',
  '>',
  '<div>',
  '</div>',
  '<b>',
  '<!--',
  '-->',
  '<script>',
  '[1]: http://x',
  '[a](http://x)',
  '![i](u)',
  '**',
  '_',
  '\\',
  '&lt;',
  '#',
  '…',
  '中文',
  '10) ten',
  '+ plus',
  '[^1]: note',
  '&',
  '[',
  ']',
];
const source = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

/** Feeds the text in chunks and gives the blocks that stand there at the end. */
function streamed(text: string, cuts: readonly number[]): Block[] {
  const stream = new ReportBlocks();
  const shown: Block[] = [];
  const stops = [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  for (const stop of stops) {
    const { kept, blocks } = stream.update(text.slice(0, stop));
    shown.splice(kept, Infinity, ...blocks);
  }
  return shown;
}

function whole(text: string): Block[] {
  return readDocument(text).map(({ block }) => block);
}

describe('a report that streams', () => {
  test('stands there at its end as if it had come at once, however it was cut', () => {
    fc.assert(
      fc.property(source, fc.array(fc.nat(), { maxLength: 30 }), (text, cuts) => {
        assert.deepEqual(streamed(text, cuts), whole(text));
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('may take text back', () => {
    fc.assert(
      fc.property(source, source, source, (start, wrong, right) => {
        const stream = new ReportBlocks();
        const shown: Block[] = [];
        for (const text of [start, start + wrong, start + right]) {
          const { kept, blocks } = stream.update(text);
          shown.splice(kept, Infinity, ...blocks);
        }
        assert.deepEqual(shown, whole(start + right));
      }),
      { numRuns: 1000 },
    );
  });

  test('freezes complete blocks, so that they are read once', () => {
    const stream = new ReportBlocks();
    const text = Array.from({ length: 50 }, (_, i) => `Paragraph ${i} of the report [1].\n\n`).join('');
    stream.update(text);
    const { kept, blocks } = stream.update(`${text}More`);
    assert.deepEqual([kept, blocks.length], [49, 2]);
  });

  test('is read in proportion to its length when it is drawn step by step, whatever its last block is', () => {
    const item = (at: number) =>
      `- [${at}] A work. Author, 2024. https://example.com/page/${at}. Retrieved 2026-01-01\n`;
    const items = Array.from({ length: 1_000 }, (_, at) => item(at)).join('');
    for (const text of [items, `| a | b |\n|---|---|\n${'| 1 [3] | x |\n'.repeat(5_000)}`, 'word '.repeat(10_000)]) {
      const stream = new ReportBlocks();
      const spy = mock.method(BlockReader.prototype, 'push');
      for (let at = 0; at < text.length;) {
        at = stream.stepEnd(text, at);
        stream.update(text.slice(0, at));
      }
      const lengths = spy.mock.calls.map(({ arguments: [read] }) => read.length);
      spy.mock.restore();
      const steps = lengths.reduce((sum, length) => sum + length, 0);
      assert.ok(steps <= 12 * text.length, `${steps} characters for ${text.length}`);
    }
  });
});
