import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { latexText } from '../../../../src/sources/arxiv/latexText.ts';

describe('LaTeX in abstracts', () => {
  it('becomes prose', () => {
    assert.equal(
      latexText('We introduce \\textbf{DeepRead}, with \\textsf{Retrieve} and \\emph{very \\textit{nested}} tools'),
      'We introduce DeepRead, with Retrieve and very nested tools',
    );
    assert.equal(
      latexText("a human-like ``locate-then-read'' paradigm by 10.3\\%"),
      'a human-like “locate-then-read” paradigm by 10.3%',
    );
    assert.equal(
      latexText('D$^2$Plan is $2.5\\times$ faster at $\\alpha \\leq 0.5$'),
      'D^2Plan is 2.5× faster at α ≤ 0.5',
    );
    assert.equal(
      latexText('Schr\\"odinger, Erd\\H{o}s, Gar\\c{c}on, na\\"{\\i}ve, \\O ystein'),
      'Schrödinger, Erdős, Garçon, naïve, Øystein',
    );
    assert.equal(
      latexText('code at \\url{https://example.org/x_y} and \\href{https://a.b}{here}'),
      'code at https://example.org/x_y and here',
    );
    assert.equal(latexText('wrapped\n  title   here'), 'wrapped title here');
  });

  it('leaves what it does not know, and money', () => {
    assert.equal(latexText('for all $x \\in \\mathfrak{g}$ holds'), 'for all $x \\in \\mathfrak{g}$ holds');
    assert.equal(latexText('paid $35,000 in total and $10 later'), 'paid $35,000 in total and $10 later');
    assert.equal(latexText('costs \\$5'), 'costs $5');
  });

  it('takes any text in time', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => typeof latexText(text) === 'string'));
    latexText(`${'\\textbf{'.repeat(20_000)}x`);
    latexText('$'.repeat(50_000));
    latexText('``'.repeat(50_000));
  });
});
