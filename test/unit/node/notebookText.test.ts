import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutPassages } from '../../../src/research/text/passages.ts';
import { notebookText } from '../../../src/node/notebookText.ts';

const notebook = (cells: readonly unknown[], metadata: object = { language_info: { name: 'python' } }): string =>
  JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells });

describe('a notebook', () => {
  it('is its text, its code and what the code printed', () => {
    const text = notebookText(
      notebook([
        { cell_type: 'markdown', source: ['# Latency\n', '\n', 'Measured on 12 hosts.'] },
        {
          cell_type: 'code',
          source: 'print(df.mean())',
          outputs: [
            { output_type: 'stream', text: ['\u001b[31m42.1 ms\u001b[0m\n'] },
            { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': ['<Figure>'] } },
            { output_type: 'error', ename: 'KeyError', evalue: "'p99'", traceback: ['…'] },
          ],
        },
        { cell_type: 'raw', source: '' },
        { cell_type: 'code', source: '```\nx\n```' },
      ]),
    );
    assert.equal(
      text,
      [
        '# Latency\n\nMeasured on 12 hosts.',
        'Cell 2:\n\n```python\nprint(df.mean())\n```',
        "Output of cell 2:\n\n```\n42.1 ms\n<Figure>\nKeyError: 'p99'\n```",
        'Cell 4:\n\n````python\n```\nx\n```\n````',
      ].join('\n\n'),
    );
    assert.doesNotMatch(text ?? '', /iVBOR/);
  });

  it('gives passages under its headings', () => {
    const text = notebookText(
      notebook([
        { cell_type: 'markdown', source: '# Latency' },
        { cell_type: 'code', source: 'a = 1', outputs: [{ output_type: 'stream', text: 'p99 was 310 ms' }] },
      ]),
    )!;
    const passage = cutPassages('study.ipynb', text).find(({ text: words }) => words.includes('310 ms'));
    assert.deepEqual(passage?.headings.slice(0, 1), ['Latency']);
  });

  it('is nothing when it is none', () => {
    for (const text of ['', '{', '[]', 'null', '{"cells":5}', '{"worksheets":[]}'])
      assert.equal(notebookText(text), undefined, text);
    assert.equal(notebookText(notebook([null, 5, { cell_type: 'code' }, { source: 'x' }])), '');
  });

  it('is bounded, whatever it holds', () => {
    const output = { output_type: 'stream', text: 'x'.repeat(1_000_000) };
    const many = notebookText(notebook([{ cell_type: 'code', source: 'y', outputs: [output, output] }]))!;
    assert.ok(many.length < 10_000);
    notebookText(notebook(Array.from({ length: 50_000 }, () => ({ cell_type: 'markdown', source: '`'.repeat(50) }))));
    notebookText('['.repeat(500_000));
    fc.assert(fc.property(fc.json(), (json) => typeof (notebookText(json) ?? '') === 'string'));
  });
});
