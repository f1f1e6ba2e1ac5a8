import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { Lexer } from 'marked';
import { lexBlocks } from '../../../src/markdown/lexer.ts';
import { fillers, textFor, targets } from '../../fuzz/targets.ts';

const kinds = (text: string) => [...lexBlocks(text)].map(({ token, continues }) => [token.type, continues]);

describe('blocks of a foreign text', () => {
  it('know where each begins, whatever ends a line', () => {
    const text = '# T\r\n\r\ntext\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- a\n  - b\n\n  c\n<!-- x -->\n\n    body\n';
    const plain = text.replaceAll('\r\n', '\n');
    assert.deepEqual(
      [...lexBlocks(text)].map(({ token, at }) => [token.type, plain.slice(at).split('\n', 1)[0]]),
      [
        ['heading', '# T'],
        ['paragraph', 'text'],
        ['table', '| a | b |'],
        ['list', '- a'],
        ['html', '<!-- x -->'],
        ['paragraph', '    body'],
      ],
    );
  });

  it('go on where one is too long to be read at once', () => {
    assert.deepEqual(kinds(`\`\`\`sh\n${'x\n\n'.repeat(9_000)}\`\`\`\n\nafter\n`), [
      ['code', false],
      ['code', true],
      ['paragraph', false],
    ]);
    assert.deepEqual(kinds(`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(3_000)}\nafter\n`), [
      ['table', false],
      ['table', true],
      ['paragraph', false],
    ]);
  });

  it('hide nothing behind a comment that nothing closes', () => {
    assert.deepEqual(kinds('<!-- a\n\nb\n'), [
      ['paragraph', false],
      ['paragraph', false],
    ]);
  });

  it('cost steps in proportion to the text: no piece is long, and none is read more often than it is nested', () => {
    const measure = (text: string): void => {
      const spy = mock.method(Lexer.prototype, 'blockTokens');
      const blocks = [...lexBlocks(text)];
      const lengths = spy.mock.calls.map(({ arguments: [src] }) => src.length);
      spy.mock.restore();
      assert.ok(Math.max(0, ...lengths) <= 22_000, 'a long piece');
      const steps = lengths.reduce((sum, length) => sum + length, 0);
      assert.ok(steps <= 24 * text.length, `${steps} characters for ${text.length}`);
      assert.ok(blocks.every(({ at }) => at < text.length));
    };
    for (const filler of fillers) measure(filler.repeat(Math.ceil(100_000 / filler.length)));
    const corpus = fc.oneof(
      ...targets.slice(0, 12).map(textFor),
      textFor(targets.find(({ name }) => name === 'report reader')!),
    );
    fc.assert(fc.property(corpus, measure), { numRuns: 200 });
  });
});
