import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fragmentText } from '../../../../src/sources/readers/htmlReader.ts';

describe('HTML as Markdown', () => {
  it('numbers items, nests lists and keeps what an item holds together', () => {
    assert.equal(
      fragmentText(
        '<ol start="3"><li>three<ul><li>a</li><li><p>b</p><p>c</p></li></ul></li><li>four</li></ol><p>x</p>',
      ),
      '3. three\n   - a\n   - b\n     c\n4. four\n\nx',
    );
  });

  it('makes rows of tables of data alone, their cells on one line', () => {
    const cells = '<tr><th>a<br>b</th><th colspan="2">c|d</th></tr><tr><td><p>1</p></td><td></td><td>3</td></tr>';
    assert.equal(
      fragmentText(`<table><caption>T</caption><thead></thead><tbody>${cells}<tr><td></td></tr></tbody></table>`),
      'T\n\n| a b | c\\|d |  |\n| --- | --- | --- |\n| 1 |  | 3 |',
    );
    assert.equal(
      fragmentText('<table role="presentation"><tr><td>left</td><td>right</td></tr><tr><td>x</td></tr></table>'),
      'left\n\nright\n\nx',
    );
  });

  it('has code in a cell as one line of it', () => {
    assert.equal(
      fragmentText('<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td><pre>x |\n y</pre></td></tr></table>'),
      '| a | b |\n| --- | --- |\n| 1 | x \\| y |',
    );
  });

  it('has code as it is, behind a fence that none of its lines closes', () => {
    assert.equal(
      fragmentText('<blockquote><p>x</p><pre>a\n\nb</pre></blockquote>'),
      '> x\n> \n> ```\n> a\n> \n> b\n> ```',
    );
    assert.equal(fragmentText('<pre>\n```\n  x &lt; *y*\n</pre>'), '````\n```\n  x < *y*\n````');
  });

  it('is words without marks: what a page says can be quoted', () => {
    assert.equal(
      fragmentText(
        '<p>A <b>bold</b>&nbsp;<a href="https://a.example">link_to</a> <code>f(*x)</code> <img src="x" alt="y">[1]</p>' +
          '<dl><dt>Term</dt><dd>What\n it is</dd></dl><details><summary>More</summary>Text</details>',
      ),
      'A bold link_to f(*x) [1]\n\nTerm:\n\nWhat it is\n\nMore\n\nText',
    );
  });

  it('marks a raised number and leaves out a note', () => {
    assert.equal(
      fragmentText(
        '<p>10<sup>-5</sup> m<sup><a href="#n1">1</a></sup>, 2<sup class="reference">[3]</sup>, n<sup>th</sup></p>',
      ),
      '10^-5 m, 2, nth',
    );
  });
});
