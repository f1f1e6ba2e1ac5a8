import assert from 'node:assert/strict';
// @ts-expect-error The package has no types of its own.
import * as commonmark from 'commonmark';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { marked, type Token, type Tokens } from 'marked';

const hosts = [
  'evil.example',
  'evil.com',
  'EVIL.COM',
  'www.evil.com',
  'bit.ly',
  'xn--rxiv-3ve.org',
  'аrxiv.org',
  'arxiv.org.evil.example',
  'arxiv.org@evil.example',
  '[::1]',
  '127.0.0.1:8080',
  'evil．com',
  'e\u200Dvil.com',
  'evil.co\u00ADm',
  'пример.рф',
  ...['evil。com', 'arxiv․org.evil.com', 'evil.𝐜𝐨𝐦', 'xn--pple-43d.com', 'evil.zip', '0x7f000001'],
];
const schemes = [
  'https://',
  'HTTPS://',
  'http:',
  'hTtP:\\\\',
  '//',
  '',
  'ftp://',
  'javascript:',
  'JAVASCRIPT:',
  'java\nscript:',
  'vbscript:',
  'data:text/html,',
  'command:',
  'vscode://',
  'file:///',
  'mailto:a@',
  'mailto:',
  '&#104;ttps://',
  'https&colon;//',
  'https\\://',
  'ht**tp**s://',
  'git+ssh://',
  'blob:https://',
  'view-source:https://',
];
const paths = ['', '/', '/x', '/x.png', '?q=1', '/a_b_(c)', '/%22onload=x', '/x"y', "/'", '#f', ':443/x'];

/** Addresses that no source of a test vouches for. */
const address = fc
  .tuple(fc.constantFrom(...schemes), fc.constantFrom(...hosts), fc.constantFrom(...paths))
  .map((parts) => parts.join(''));

const mark = fc.constantFrom(
  ...[
    '*',
    '**',
    '***',
    '_',
    '__',
    '~~',
    '`',
    '``',
    '```',
    '~~~',
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '<',
    '>',
    '<!--',
    '-->',
    '|',
    '\\',
    '&',
    '&amp;',
    '&lt;',
    '&#x3c;',
    '&#91;',
    '&NewLine;',
    '#',
    '# ',
    '- ',
    '+ ',
    '* ',
    '1. ',
    '1) ',
    '> ',
    '---',
    '===',
    '    ',
    '\t',
    '  \n',
    '\\\n',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    ':',
    '!',
    '"',
    "'",
    '$',
    '$$',
    '{',
    '}',
    '{{x}}',
    '%',
    '^',
    '==',
    '@',
    ';',
    '\u2028',
    '\u0000',
    '\u202E',
    '\uFEFF',
    '\uD800',
    '。',
    '. ',
    '! ',
  ],
);
const word = fc.constantFrom('word', 'Data', 'the', '检索', 'كلمة', '9', '42%', '3.5', 'S12', 's1', 'a', 'Evil', '😀');
/** Constructs, with an address in its place. */
const construct = fc
  .tuple(
    fc.constantFrom(
      ...[
        '![x](@)',
        '!\\[x](@)',
        '![x][r]\n\n[r]: @',
        '[![x](@)](@)',
        '[x](@ "t")',
        '[x](<@>)',
        '[x](@\n"t")',
        '[x][r]\n\n[r]: @\n',
        '[r]\n\n[r]:\n@',
        '[x]\n(@)',
        '[ x ] ( @ )',
        '<@>',
        '@',
        '(@)',
        '"@"',
        '`@`',
        '``@``',
        '*@*',
        '_@_',
        '**@**',
        '~~@~~',
        '<img src="@">',
        '<IMG SRC=@ onerror=x>',
        '<a href="@">x</a>',
        '<iframe src=@>',
        '<script src=@></script>',
        '<svg/onload=x>',
        '<style>@import "@"</style>',
        '<!-- @ -->',
        '<![CDATA[@]]>',
        '<?php @ ?>',
        '<div\nstyle="background:url(@)">',
        '[^1]\n\n[^1]: @',
        '[^1]: @',
        '[1]: @',
        '[1](@)',
        '[1]\\(@)',
        '[1][2]',
        '[S3f9a1](@)',
        '[S3f9a1]: @',
        '![S3f9a1]',
        '![S3f9a1](@)',
        '[s1](@)',
        '[@](@)',
        '[@][S3f9a1]',
        '```mermaid\ngraph TD; A-->B; click A "@"\n```',
        '~~~mermaid\n@\n~~~',
        '```{r}\n@\n```',
        '``` plantuml\n@\n```',
        '```js @\nx\n```',
        '```\n@',
        '> ![x](@)',
        '- ![x](@)',
        '1. [x](@)',
        '| ![x](@) | b |\n|---|---|\n| ![x](@) | `|` @ |',
        '| a |\n|---|\n| \\| ![x](@) |\n| `a\\|![x](@)` |',
        '| `\\|<img src=@>` |\n|-|\n| `\\\\|<img src=@>` |',
        '# ![x](@)',
        '## [x](@) #',
        'x\n===\n@\n---',
        '    ![x](@)',
        '\t<img src=@>',
        '- x\n\n      <img src=@>',
        'Term\n: @',
        ':::note\n@\n:::',
        '$$\n\\href{@}{x}\n$$',
        '$\\includegraphics{@}$',
        '[[@]]',
        '{{@}}',
        '<@|x>',
        '[x]: @\n[x]',
        '\\[x\\](@)',
        '\\![x](@)',
        '!\n[x](@)',
        '![\nx](@)',
        '&#33;&#91;x&#93;&#40;@&#41;',
        '&lt;img src=@&gt;',
        '[x](@',
        '![x](@ =1x1)',
        '![x]( @ )',
        '<@\n>',
        '@@',
        '[a]: <@> "x"\n![a]',
        '[x](\\@)',
        'https:[S99999]@',
        'ht[1]tps://@',
        '[3f',
        '<a\nhref=@>x',
        '[![S3f9a1]](@)',
        ...['<picture><source srcset=@></picture>', '<link rel=stylesheet href=@>', '<base href=@>', '<object data=@>'],
        ...['<svg><image href=@ /></svg>', '<meta http-equiv=refresh content="0;url=@">', '<table background=@>'],
        ...['<!--[if IE]><img src=@><![endif]-->', '<!-- -- > <img src=@> -->', '<iframe srcdoc="<img src=@>">'],
        ...[
          '```{=html}\n<img src=@>\n```',
          '````\n```\n![](@)\n````',
          '```mermaid @\nx\n```',
          '```js {cmd=true}\nx\n```',
        ],
        ...[
          '\\(\\href{@}{x}\\)',
          '![[@]]',
          '[[@|text]]',
          '{% include @ %}',
          '@[video](@)',
          '^[inline @]',
          '*[HTML]: @',
        ],
        ...['$\\input{@}$', '$\\write18{@}$', '$^^5cinput @$', '$$\n\\input{@}\n$$', '$5 `\\input{@} x$`'],
        ...['![![a](@)](@)', '![a](@\\)', '![a\\](@)', '[a](@ (t))', '[a][]\n\n[a]: @', '[a]&#40;@)', '[a](&#60;@>)'],
        ...['- - - ![a](@)', '- > 1. ![a](@)', '> - ```\n>   ![a](@)\n> - ![a](@)', '1. a\n\n       ![a](@)'],
        ...['---\ntitle: "@"\n---', '---\n![a](@)\n---\n', '\n---\nurl: @\n---\n', '=={@}==', '<http:@>', 'see:@.'],
      ],
    ),
    address,
  )
  .map(([form, place]) => form.replaceAll('@', () => place));

/** Hostile Markdown of any form. */
export const hostileMarkdown = fc
  .array(
    fc.oneof(
      { arbitrary: construct, weight: 4 },
      { arbitrary: mark, weight: 4 },
      { arbitrary: word, weight: 4 },
      { arbitrary: address, weight: 2 },
      { arbitrary: fc.constant(' '), weight: 4 },
      { arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }), weight: 1 },
      { arbitrary: fc.constantFrom('[S3f9a1]', '[S90cde, S3f9a1]', 'S90cde'), weight: 1 },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

/** Fails when a reader of Markdown finds more in a text than a report may hold: HTML, images, drawn code, foreign links. */
export function assertAllowed(markdown: string, isVouched: (href: string) => boolean = () => false): void {
  const isAllowed = (href: string): boolean => /^#ref-[1-9]\d*$/.test(href) || isVouched(href);
  readWithMarked(markdown, isAllowed);
  readWithMarkdownIt(markdown, isAllowed);
  readWithCommonmark(markdown, isAllowed);
  assertNoCommands(markdown);
}

/** Outside of fences a command of TeX that reads a file or runs a program reaches Pandoc's formulas, whatever is around it. */
function assertNoCommands(markdown: string): void {
  assert.doesNotMatch(
    markdown.replace(/^[> ]*(`{3,}|~{3,})[^]*?(?:^[> ]*\1[`~]*[ \t]*$|$(?![^]))/gm, '').replace(/`[^`]*`/g, ''),
    /\{[{%#]/,
  );
  const text = markdown.replace(/^[> ]*(`{3,}|~{3,})[^]*?(?:^[> ]*\1[`~]*[ \t]*$|$(?![^]))/gm, '');
  const found = /(?<!\\)(?:\\\\)*\\(?:input|write\d)|(?<!\\)\^\^/.exec(text);
  assert.equal(found, null, `a command of TeX in ${JSON.stringify(markdown)}`);
}

/** The only HTML that the writer knows: the beginning of a reference. */
const anchor = /^(?:<a id="ref-[1-9]\d*">|<\/a>)$/;

const allowedTokens = new Set(
  'space heading paragraph text list list_item table blockquote code strong em codespan br escape link del'.split(' '),
);
const plainInfo =
  /^(?:bash|sh|js|ts|json|python|py|c|cpp|rust|sql|yaml|html|markdown|text|console|diff|r|java|go|toml|xml|css)?$/;

function readWithMarked(markdown: string, isVouched: (href: string) => boolean): void {
  const tokens = marked.lexer(markdown, { gfm: true });
  assert.deepEqual(Object.keys(tokens.links), [], `marked: a definition in ${JSON.stringify(markdown)}`);
  void marked.walkTokens(tokens, (token: Token) => {
    const why = `marked: ${token.type} ${JSON.stringify(token.raw)} in ${JSON.stringify(markdown)}`;
    assert.ok(allowedTokens.has(token.type) || (token.type === 'html' && anchor.test(token.raw)), why);
    if (token.type === 'link') assert.ok(isVouched((token as Tokens.Link).href), why);
    if (token.type === 'code') {
      assert.equal((token as Tokens.Code).codeBlockStyle, undefined, why);
      assert.match((token as Tokens.Code).lang ?? '', plainInfo, why);
    }
  });
}

const markdownIt = new MarkdownIt({ html: true, linkify: true });
// As the editor's preview has it.
markdownIt.linkify.set({ fuzzyLink: false });

function readWithMarkdownIt(markdown: string, isVouched: (href: string) => boolean): void {
  const env: { references?: Record<string, never> } = {};
  const visit = (tokens: ReturnType<typeof markdownIt.parse>): void => {
    for (const token of tokens) {
      const why = `markdown-it: ${token.type} ${JSON.stringify(token.content)} in ${JSON.stringify(markdown)}`;
      const isAnchor = token.type === 'html_inline' && anchor.test(token.content);
      assert.ok(isAnchor || !/^(?:html_|image|code_block|hr)/.test(token.type), why);
      if (token.type === 'link_open')
        assert.ok(isVouched(String(token.attrGet('href'))), `${why} ${token.attrGet('href')}`);
      if (token.type === 'fence') assert.match(token.info.trim(), plainInfo, why);
      if (token.children) visit(token.children);
    }
  };
  visit(markdownIt.parse(markdown, env));
  assert.deepEqual(Object.keys(env.references ?? {}), [], 'markdown-it: no definition');
}

function readWithCommonmark(markdown: string, isVouched: (href: string) => boolean): void {
  interface Node {
    readonly type: string;
    readonly literal: string | null;
    readonly destination: string | null;
    readonly info: string | null;
    readonly _isFenced: boolean;
  }
  const { Parser } = commonmark as unknown as {
    readonly Parser: new () => { parse(text: string): { walker(): { next(): { readonly node: Node } | null } } };
  };
  const walker = new Parser().parse(markdown).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    const { node } = event;
    const why = `commonmark: ${node.type} ${JSON.stringify(node.literal)} in ${JSON.stringify(markdown)}`;
    const isAnchor = node.type === 'html_inline' && anchor.test(node.literal ?? '');
    assert.ok(isAnchor || !/^(?:html_|image|thematic_break|custom)/.test(node.type), why);
    if (node.type === 'link') assert.ok(isVouched(node.destination ?? ''), why);
    if (node.type === 'code_block') {
      assert.match(node.info ?? '', plainInfo, why);
      assert.ok(node._isFenced, why);
    }
  }
}

/** What a reader sees of a text outside of code, as marked and a person would read it. */
export function visibleText(markdown: string): string {
  const out: string[] = [];
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'code' || token.type === 'codespan') out.push(' ');
      else if (token.type === 'link') out.push(' ');
      else if (token.type === 'table') {
        const table = token as Tokens.Table;
        for (const cell of [...table.header, ...table.rows.flat()]) {
          visit(cell.tokens);
          out.push('\n');
        }
      } else if (token.type === 'list') (token as Tokens.List).items.forEach((item) => visit(item.tokens));
      else if ('tokens' in token && token.tokens) {
        visit(token.tokens);
        if (token.type === 'paragraph' || token.type === 'heading') out.push('\n');
      } else if ('text' in token) out.push(String(token.text));
    }
  };
  visit(marked.lexer(markdown));
  return out
    .join('')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
