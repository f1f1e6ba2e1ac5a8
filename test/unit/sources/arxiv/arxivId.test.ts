import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findArxivIds, parseArxivId } from '../../../../src/sources/arxiv/arxivId.ts';

describe('arXiv ids', () => {
  it('are read from every way to name a paper', () => {
    const named = {
      '2005.11401': '2005.11401',
      ' arXiv:2005.11401v4 ': '2005.11401v4',
      'https://arxiv.org/abs/2005.11401v2': '2005.11401v2',
      'http://export.arxiv.org/abs/2005.11401': '2005.11401',
      'arxiv.org/pdf/2005.11401v1.pdf': '2005.11401v1',
      'https://arxiv.org/html/2005.11401v4#S1': '2005.11401v4',
      'https://www.arxiv.org/pdf/2005.11401?download=1': '2005.11401',
      'https://doi.org/10.48550/arXiv.2005.11401': '2005.11401',
      'hep-th/9901001v2': 'hep-th/9901001v2',
      'https://arxiv.org/abs/math.GT/0309136': 'math.GT/0309136',
      'cond-mat/0601001': 'cond-mat/0601001',
    };
    for (const [text, expected] of Object.entries(named)) {
      const id = parseArxivId(text);
      assert.equal(id && id.id + id.version, expected, text);
    }
  });

  it('are not read from anything else', () => {
    for (const text of [
      '',
      'abc',
      '2005.114',
      '2005.1140123',
      '12.5',
      'https://example.org/abs/2005.11401',
      '2005.11401 OR 1',
      '../2005.11401',
      '2005.11401v0',
      "2005.11401'",
      'id_list=1',
    ]) {
      assert.equal(parseArxivId(text), undefined, text);
    }
  });

  it('are found in prose, Markdown and BibTeX, but not in bare numbers', () => {
    const text = `See [RAG](https://arxiv.org/abs/2005.11401v4) and arXiv:1706.03762, again https://arxiv.org/pdf/2005.11401.
      eprint = {2312.10997}, doi = {10.48550/arXiv.2310.11511}, old: arXiv:hep-th/9901001. Not 3.14159, 2024.12345 or 1999.9999.`;
    assert.deepEqual(findArxivIds(text), ['2005.11401', '1706.03762', '2312.10997', '2310.11511', 'hep-th/9901001']);
  });
});
