import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { Lexer, type Tokens } from 'marked';
import { lexBlocks } from '../../../src/markdown/lexer.ts';
import { fillers, textFor, targets } from '../../fuzz/targets.ts';

const outline = (text: string) => [...lexBlocks(text)].map(({ token, at }) => [token.type, at, token.raw.trimEnd()]);

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

  it('are whole where one is too long to be read at once', () => {
    const code = `\`\`\`sh\n${'x\n\n'.repeat(9_000)}\`\`\``;
    const table = `| a | b |\n|---|---|${'\n| 1 | 2 |'.repeat(5_000)}`;
    const prose = 'Words. '.repeat(5_000).trim();
    const blocks = `${code}\n\n${table}\n\nafter\n`;
    assert.deepEqual(outline(blocks), [
      ['code', 0, code],
      ['table', code.length + 2, table],
      ['paragraph', code.length + table.length + 4, 'after'],
    ]);
    const [first] = lexBlocks(code);
    assert.equal((first!.token as Tokens.Code).text, `${'x\n\n'.repeat(9_000)}`);
    const [second] = lexBlocks(table);
    assert.equal((second!.token as Tokens.Table).rows.length, 5_000);
    const parts = outline(prose).map(([, , raw]) => `${raw}`);
    assert.ok(parts.length === 2 && parts.every(({ length }) => length <= 20_000));
    assert.ok(parts.join('').replaceAll(' ', '') === prose.replaceAll(' ', ''));
  });

  it('are parted between lists rather than in one', () => {
    const list = `${'- item of a list\n\n'.repeat(500)}`;
    const types = outline(`${'Words.\n\n'.repeat(1_500)}${list}`).map(([type]) => type);
    assert.deepEqual(
      types.filter((type) => type === 'list'),
      ['list'],
    );
  });

  it('are text below marks that nest too deep, and rules where these are all', () => {
    const types = (text: string) => outline(text).map(([type]) => type);
    assert.ok(!types(`- a\n${'- '.repeat(12)}b\n`).includes('list'));
    assert.deepEqual(types(`- a\n\n${'- '.repeat(12)}\n`), ['list', 'hr']);
  });

  it('hide nothing behind a comment that nothing closes', () => {
    assert.deepEqual(
      outline('<!-- a\n\nb\n').map(([type]) => type),
      ['paragraph', 'paragraph'],
    );
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
    measure(`\`\`\`\n${'code\n'.repeat(200_000)}`);
    measure(`| a |\n|---|\n${'| 1 |\n'.repeat(100_000)}`);
    for (const filler of fillers) measure(filler.repeat(Math.ceil(100_000 / filler.length)));
    const corpus = fc.oneof(
      ...targets.slice(0, 12).map(textFor),
      textFor(targets.find(({ name }) => name === 'report reader')!),
    );
    fc.assert(fc.property(corpus, measure), { numRuns: 200 });
  });
});
