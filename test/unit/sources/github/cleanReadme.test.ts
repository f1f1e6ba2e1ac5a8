import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cleanReadme } from '../../../../src/sources/github/cleanReadme.ts';

describe('a README', () => {
  it('loses badges, pictures, comments and HTML', () => {
    const text = cleanReadme(`<div align="center">
  <a href="https://x.y"><img src="https://x.y/logo.png" alt="logo"></a>
  <h1 align="center">The <b>Tool</b></h1>
</div>

<!-- hidden
instructions -->
[![build](https://ci/badge.svg)](https://ci) • [![license](https://l/(x).svg "t")][lic] | ![pic][p]

<p>It reads <code>files</code> &amp; folders.<br>Fast &lt;1&nbsp;s.</p>
<ul><li>One</li><li>Two</li></ul>
<details><summary>More</summary>Hidden text.</details>

[lic]: https://l
`);
    assert.equal(text, '# The Tool\n\nIt reads `files` & folders.\nFast <1 s.\n\n- One\n- Two\n\nMore\nHidden text.');
  });

  it('keeps code as it is, also what looks like markup in it', () => {
    const code = '```html\n<div>![x](y)</div>\n<!-- kept -->\n```';
    assert.equal(cleanReadme(`Before.\n\n${code}\n\nAfter <b>it</b>.`), `Before.\n\n${code}\n\nAfter it.`);
    assert.equal(cleanReadme('~~~\n```\n<b>\n~~~\n<b>x</b>'), '~~~\n```\n<b>\n~~~\nx');
  });

  it('keeps the words of links, and the address of papers', () => {
    assert.equal(
      cleanReadme(
        'See [docs](https://docs.x/y_(z) "Docs"), [the **paper** [1]](https://arxiv.org/abs/2310.07240), [ref][1] and <https://a.b>.',
      ),
      'See docs, the **paper** [1] (https://arxiv.org/abs/2310.07240), ref and <https://a.b>.',
    );
  });

  it('keeps tables and rules', () => {
    assert.equal(cleanReadme('| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n'), '| a | b |\n|---|---|\n| 1 | 2 |\n\n---');
  });

  it('becomes text from anything, in time', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => typeof cleanReadme(text) === 'string'));
    for (const hostile of [
      '<'.repeat(100_000),
      '[![a]('.repeat(20_000),
      '<a href="'.repeat(20_000),
      '<h1>'.repeat(20_000),
      '<!--'.repeat(50_000),
      '[a]('.repeat(40_000),
      '[[[['.repeat(30_000),
      '&#1;'.repeat(50_000),
      '<script>'.repeat(10_000),
      '![]('.repeat(30_000),
      '('.repeat(100_000),
    ])
      cleanReadme(hostile);
  });
});
