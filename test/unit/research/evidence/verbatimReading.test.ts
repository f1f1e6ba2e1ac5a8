import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verbatimPassage } from '../../../../src/research/evidence/verbatim.ts';
import { source } from '../../../support/analystTestKit.ts';
import { plainMarks } from '../../../support/plainMarks.ts';

const quoted = (text: string): string =>
  plainMarks(verbatimPassage(source('Sa1b2c', text), text, 1).slice(1).join('\n'));

test('formulas are quoted as they stand', () => {
  const text = String.raw`因为$\alpha_{i}\geqslant0$，且$f(\boldsymbol{x}_i^{*})\:h_{j}$是凸的。`;
  assert.equal(quoted(text), `> ${text} [1]`);
  const block = String.raw`So it holds:

$$
x_i = \frac{a_{ij}}{b} * c_i
$$`;
  assert.equal(quoted(block), `> So it holds:\n>\n> $$\n> ${String.raw`x_i = \frac{a_{ij}}{b} * c_i`}\n> $$\n>\n> [1]`);
});

test('a display formula that nothing closes is text', () => {
  assert.equal(
    quoted('So it holds:\n\n$$\nx_i = 1\n\nIt ends.'),
    String.raw`> So it holds:
>
> \$\$
> x_i = 1
>
> It ends. [1]`,
  );
});

test('what only looks like a formula is text', () => {
  assert.equal(quoted('It costs $5 and $6_a.'), '> It costs $5 and $6_a. [1]');
  assert.match(quoted('See $x_1 [3] y$ and $<b x_1$.'), /\$x_1 \\\[3\\\] y\$ and \$&lt;b/);
  assert.equal(quoted('See $www.evil.example/x_1$.'), '> See $`www.evil.example/x_1$`. [1]');
});

test('boxes and indented passages are read as text', () => {
  const text = '        - Provide a file.\n\n    !!! info "About the script"\n\n        It keeps the keys.';
  assert.equal(quoted(text), '> - Provide a file.\n>\n> **About the script**\n>\n>     It keeps the keys. [1]');
});

test('a heading ends without a space before its marks', () => {
  assert.match(quoted('### Caching <span id="caching"></span>\n\nIt saves time.'), /^> \*\*Caching\*\*$/m);
});
