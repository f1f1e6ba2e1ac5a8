import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeInlines } from '../../../src/markdown/writeInlines.ts';
import { assertAllowed } from '../../support/hostileMarkdown.ts';

test('nothing in a text becomes a link, whether or not it is an address', () => {
  for (const text of [
    ...[
      'https://|',
      'https://',
      'http://a',
      '//a.b',
      'x://y',
      'www.a',
      'WWW3.x_y',
      'mailto:x',
      'a@b.c1',
      'word@|3.5',
      'a.b@c.museum',
    ],
    ...['ftp://[::1]', '////x.y', 'https:///x', 'xmpp:a@b.c', 'a://b@c.d//e'],
  ])
    for (const place of ['start', 'middle', 'cell'] as const)
      assertAllowed(writeInlines([{ type: 'text', text }], place));
});

test('an at sign is escaped once', () => {
  assert.equal(writeInlines([{ type: 'text', text: '@evil.example' }]), '\\@evil.example');
  assert.equal(writeInlines([{ type: 'text', text: '%@evil.example' }]), '\\%\\@evil.example');
});

test('a path and a rate are written as they are', () => {
  for (const text of ['a/b', 'and/or', 'pass@1', '@ noon', '100 % of', 'C#', 'a // b', 'wwwx'])
    assert.equal(writeInlines([{ type: 'text', text }]), text);
});

test('a display formula that nothing closes is no formula', () => {
  const write = (text: string) => writeInlines([{ type: 'text', text }], 'start');
  assert.equal(write('$$x, and the rest'), '\\$\\$x, and the rest');
  assert.equal(write('$$x$$ is closed'), '$$x$$ is closed');
});

test('what Pandoc, Quarto, MDX, Liquid, Obsidian and GitHub would act on is plain text', () => {
  const write = (text: string) => writeInlines([{ type: 'text', text }], 'middle');
  assert.equal(write('a {=html} b'), 'a \\{=html} b');
  assert.equal(write('{{ site.x }} {% raw %}'), '\\{\\{ site.x }} \\{\\% raw \\%}');
  assert.equal(write('{# a #}{%- b -%}'), '\\{\\# a \\#}\\{\\%- b -\\%}');
  assert.equal(write('$x_{{a}}$'), '$x_{ {a}}$');
  const parts = [
    { type: 'text', text: '{' },
    { type: 'deleted', children: [{ type: 'text', text: '% raw %' }] },
  ] as const;
  assert.equal(writeInlines(parts), '\\{~~\\% raw %~~');
  assert.equal(write('\\input{/etc/passwd}'), '\\\\input\\{/etc/passwd}');
  assert.equal(write('%%hidden%%'), '\\%\\%hidden\\%\\%');
  assert.equal(write('by @name. Fixes #1'), 'by \\@name. Fixes \\#1');
  const code = (text: string) => writeInlines([{ type: 'code', text }]);
  assert.equal(code('r system("id")'), 'r `system("id")`');
  assert.equal(code(' r 1'), 'r `1`');
  assert.equal(code('{python} 1'), '\\{python} `1`');
  assert.equal(code('$= = dv.pages()'), '$= = `dv.pages()`');
  assert.equal(code('= this.file'), '= `this.file`');
  assert.equal(write('`r system("id") #`'), '&#96;r system("id") #\\`');
  assert.equal(write('a `b` and `rm`'), 'a \\`b\\` and \\`rm\\`');
  for (const text of ['return 1', '{ "a": 1 }', 'x = 1', 'rm -r a']) assert.equal(code(text), `\`${text}\``);
});

test('a command of TeX that reads, writes or runs is text, in a formula, around one and in code', () => {
  const write = (text: string) => writeInlines([{ type: 'text', text }]);
  assert.equal(write('$\\input{/etc/passwd}$'), '$\\\\input\\{/etc/passwd}$');
  assert.equal(write('$\\write18{id}$'), '$\\\\write18\\{id}$');
  assert.equal(write('$^^5cinput /etc/passwd$'), '$\\^\\^5cinput /etc/passwd$');
  for (const command of ['@input a', 'include{a}', 'openin1=a', 'read1', 'immediate\\write18{id}', 'def\\x{\\x\\x}\\x'])
    assert.match(write(`$\\${command}_1$`), /^\$\\\\/, command);
  for (const command of [
    'catcode`a',
    'special{a}',
    'csname x',
    'let\\a',
    'begin{filecontents}',
    'href{a}{b}',
    'directlua{a}',
  ])
    assert.match(write(`$\\${command}_1$`), /^\$\\\\/, command);
  const parts = [
    { type: 'text', text: 'costs $5 or ' },
    { type: 'code', text: '\\input{/etc/passwd}' },
    { type: 'text', text: ' ($x_1$)' },
  ] as const;
  assert.equal(writeInlines(parts), 'costs $5 or \\\\`input{/etc/passwd}` ($x_1$)');
});

test('a formula is written as it is', () => {
  for (const text of [
    '$\\frac{a}{b}$',
    '$\\mathopen{(}\\displaystyle x_1\\bullet\\undefined$',
    '$\\text{if } x^2 < \\overline{y}$',
    '$\\triangleleft\\stackrel{\\text{def}}{=}\\mathcal{L}$',
  ])
    assert.equal(writeInlines([{ type: 'text', text }]), text);
});

test('an address stays code behind a mark that is executed, and beside other code', () => {
  assert.equal(writeInlines([{ type: 'code', text: '{r} https://evil.example' }]), '\\{r} `https://evil.example`');
  assert.equal(
    writeInlines([
      { type: 'code', text: 'https://evil.example' },
      { type: 'code', text: '``` a' },
    ]),
    '`https://evil.example` ```` ``` a ````',
  );
});

test('marks that are executed are text however many there are', () => {
  assert.equal(writeInlines([{ type: 'code', text: '{r} $= a' }]), '\\{r} $= `a`');
  assert.doesNotThrow(() => writeInlines([{ type: 'code', text: 'r '.repeat(100_000) }]));
});
