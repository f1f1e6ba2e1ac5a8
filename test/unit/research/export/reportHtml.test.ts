import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reportHtml } from '../../../../src/research/export/reportHtml.ts';
import { loadTexts } from '../../../../src/research/languages/texts.ts';
import { savedFiles, savedRecord, notes, paper, repository } from '../../../support/savedRun.ts';

const page = (report: string, over: Parameters<typeof savedRecord>[0] = {}) => reportHtml(report, savedRecord(over));
const bodyOf = (html: string) => html.slice(html.indexOf('<body>'));

/** Everything that may stand in the body, by element: what its attributes may say. */
const allowed: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  ...Object.fromEntries(
    [
      'body',
      'main',
      'header',
      'dl',
      'div',
      'dt',
      'ul',
      'table',
      'thead',
      'tbody',
      'tr',
      'br',
      'hr',
      'strong',
      'em',
      'del',
      'code',
      'blockquote',
      'dd',
      'bdi',
    ].map((tag) => [tag, {}]),
  ),
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p'].map((tag) => [tag, { dir: /^auto$/ }])),
  ol: { start: /^\d+$/ },
  li: { dir: /^auto$/, id: /^ref-\d+$/, class: /^reference$/ },
  div: { class: /^table$/, tabindex: /^0$/, role: /^region$/, 'aria-label': /./ },
  pre: { dir: /^(ltr|auto)$/, tabindex: /^0$/, role: /^region$/, 'aria-label': /./ },
  th: { scope: /^col$/, class: /^(left|center|right)$/ },
  td: { class: /^(left|center|right)$/ },
  span: { class: /^(number|backs)$/ },
  time: { datetime: /^[\d:.TZ+-]+$/ },
  a: {
    href: /^(https?:\/\/|#(ref|cite)-\d+)/,
    rel: /^noopener noreferrer$/,
    class: /^(citation|back)$/,
    id: /^cite-\d+-\d+$/,
    role: /^doc-/,
    'aria-label': /./,
    title: /./,
  },
};

/** Reads a page as a browser would begin to, and fails at everything that is no element of ours. */
function assertInert(html: string): void {
  assert.ok(!/[\u202A-\u202E\u2066-\u2069]/.test(html), 'no character turns the text around');
  const style = html.indexOf('<style>');
  assert.ok(
    style > html.indexOf('<title>') && !html.slice(style + 7, html.lastIndexOf('</style>')).includes('<'),
    'the styles end where they do',
  );
  assert.equal(html.match(/<\/style/gi)?.length, 1);
  assert.equal(html.match(/<\/title/gi)?.length, 1);
  const open: string[] = [];
  const body = bodyOf(html).replace(/<\/html>\s*$/, '');
  const rest = body.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/g,
    (_, close: string, tag: string, attributes: string) => {
      const rules = allowed[tag];
      assert.ok(rules, `<${tag}> is of ours`);
      for (const [, name, value] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g))
        assert.match(value!, rules[name!] ?? /(?!)/, `${tag} ${name}="${value}"`);
      if (close) assert.equal(open.pop(), tag, 'elements are closed in their order');
      else if (tag !== 'br' && tag !== 'hr') open.push(tag);
      return '';
    },
  );
  assert.deepEqual(open, []);
  assert.ok(!/[<>]/.test(rest), `nothing else is markup: ${/.{0,40}[<>].{0,40}/s.exec(rest)?.[0]}`);
}

test('a report becomes one page that loads nothing, in the language of its question', async () => {
  for (const tag of ['zh', 'ar', 'de']) await loadTexts(tag);
  const html = page(savedFiles([paper, repository, notes]).report);
  assertInert(html);
  assert.match(html, /^<!doctype html>\n<html lang="en" dir="ltr">/);
  assert.match(
    html,
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;/,
  );
  assert.ok(html.indexOf('Content-Security-Policy') < html.indexOf('<style>'));
  assert.doesNotMatch(html, /<script|<link|<img|<iframe|@import|url\(|src=/i);
  assert.match(page('# 检索', { question: '检索增强生成是什么？' }), /<html lang="zh" dir="ltr">/);
  assert.match(page('# T', { question: 'ما هو الاسترجاع؟' }), /<html lang="ar" dir="rtl">[\s\S]*<dt>السؤال<\/dt>/);
  assert.match(
    page('# T', { settings: { 'report.language': 'de' } }),
    /<html lang="de"[\s\S]*<dt>Frage<\/dt>[\s\S]*4\. März 2026/,
  );
  assert.match(page('# T', { settings: { 'report.language': '"><script>' } }), /<html lang="en"/);
});

test('the front matter is a quiet header and never part of the text', () => {
  const html = page(savedFiles([paper]).report);
  for (const [name, value] of [
    ['Question', 'How does retrieval work\\?'],
    ['Date', '<time datetime="2026-03-04T10:00:00.000Z">March 4, 2026</time>'],
    ['Strategy', 'sections'],
    ['Model', 'imitation-1'],
    ['Run', '<code>20260304-100000-abcdef</code>'],
  ]) {
    assert.match(html, new RegExp(`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`));
  }
  assert.doesNotMatch(bodyOf(html), /tokens:|question:/);
});

test('a front matter that was edited, damaged or taken out falls back on what the run was', () => {
  const { report } = savedFiles([paper]);
  assert.match(
    page(report.replace(/^question:.*$/m, "question: 'It''s mine: \"why\"?' # mine")),
    /<dd><bdi>It&#39;s mine: &#34;why&#34;\?<\/bdi><\/dd>/,
  );
  assert.match(
    page(report.replace(/^created:.*$/m, 'created: yesterday')),
    /<time datetime="2026-03-04T10:00:00.000Z">/,
  );
  for (const text of [
    report.replace(/^---[\s\S]*?\n---\n/, ''),
    report.replace(/^question:.*$/m, 'question: "half'),
    report.replace(/^question:.*$/m, 'question: [a, {b'),
    `---\n---\n${report.replace(/^---[\s\S]*?\n---\n/, '')}`,
  ]) {
    const html = page(text);
    assert.match(html, /<dd><bdi>How does retrieval work\?<\/bdi><\/dd>/);
    assert.match(html, /<h1 dir="auto">How retrieval works<\/h1>/);
    assertInert(html);
  }
});

test('a marker leads to its reference, and the reference back to every place that cites it', () => {
  const html = page(
    savedFiles([paper, notes], {
      body: 'One. [1] Two. [2][1]\n\n| a | b |\n|---|---|\n| x [1] | `[1]` |\n\nAn array[7] and [a [1] link](https://x.org).',
    }).report,
  );
  assertInert(html);
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
  assert.deepEqual([...new Set(ids)].length, ids.length, 'ids are unique');
  assert.deepEqual(ids.filter((id) => id.startsWith('cite-')).sort(), ['cite-1-1', 'cite-1-2', 'cite-1-3', 'cite-2-1']);
  assert.deepEqual(
    ids.filter((id) => id.startsWith('ref-')),
    ['ref-1', 'ref-2'],
  );
  const targets = [...html.matchAll(/ href="#([^"]+)"/g)].map((match) => match[1]!);
  assert.deepEqual(
    targets.filter((id) => !ids.includes(id)),
    [],
  );
  assert.deepEqual(targets.filter((id) => id.startsWith('cite-')).sort(), [
    'cite-1-1',
    'cite-1-2',
    'cite-1-3',
    'cite-2-1',
  ]);
  assert.match(html, /array\[7\]/, 'what cites nothing stays text');
  assert.match(html, /<code>\[1\]<\/code>/);
});

test('references keep their addresses as links, also when an editor renumbered, escaped or repeated them', () => {
  const { report } = savedFiles([paper, repository]);
  assert.match(
    page(report),
    /<a href="https:\/\/github\.com\/langchain-ai\/langgraphjs" rel="noopener noreferrer">https:\/\/github\.com\/langchain-ai\/langgraphjs<\/a>\. Retrieved/,
  );
  for (const text of [
    report.replaceAll('- [', '* ['),
    report.replaceAll('- [1]', '1. [1]'),
    `${report}\n\n## References\n\nNone.\n`,
    report.replace('- [2]', '- [1]'),
    report.replaceAll('- [', '- \\['),
  ])
    assertInert(page(text));
});

test('there is one first-level heading, and no level is left out below it', () => {
  for (const text of [
    '# T\n\n## a\n\n#### b\n\n# c\n\n###### d\n\n## e\n',
    '### a\n\n# b\n',
    'No heading.\n',
    '# a\n\n# b\n\n# c\n',
  ]) {
    const levels = [...page(text).matchAll(/<h(\d)/g)].map((match) => Number(match[1]));
    assert.equal(levels[0], 1);
    assert.equal(levels.filter((level) => level === 1).length, 1, text);
    levels.forEach((level, index) =>
      assert.ok(index === 0 || level <= levels[index - 1]! + 1, `${text}: ${levels.join(' ')}`),
    );
  }
});

const hostile: Readonly<Record<string, string>> = {
  script: '# <script>alert(1)</script>\n\n<script>alert(1)</script>\n\nText <script src=x></script> on.',
  handlers:
    '<img src=x onerror=alert(1)> <svg/onload=alert(1)>\n\n<div onclick="x">a</div>\n\n<a href="javascript:alert(1)">x</a>',
  styles: '</style><script>alert(1)</script>\n\n</title></head><body onload=x>\n\n<style>*{background:url(x)}</style>',
  links:
    '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>1</script>) [d](vbscript:x) [e](command:x) [f](file:///etc/passwd) [g](//evil.test) [h](/x) [i](java\nscript:x) <javascript:alert(1)> [j](&#106;avascript:alert(1)) [k](\u0001javascript:x) [l](mailto:a@b.c) [m](https://u:p@evil.test)',
  definitions: '[a]: javascript:alert(1)\n[b]: https://ok.test "t\\" onmouseover=\\"x"\n\n[a] [b] ![a]',
  titles:
    '[a](https://ok.test "\\" onmouseover=\\"alert(1)") [b](https://ok.test/"onmouseover="alert(1)) [c](https://ok.test/\'x\'<y>)',
  images:
    '![x](https://evil.test/track.png) ![<b>](data:image/svg+xml,x) ![a"onerror="x](y) [![i](https://evil.test/i.png)](https://ok.test)',
  bidi: 'a \u202Egnp.exe\u202C b \u2066c\u2069 \u{E0041} d\u200Be',
  code: '```html onload="x"\n<script>alert(1)</script>\n```\n\n`<b onclick=x>`\n\n    <script>x</script>\n\n```"><script>\nx\n```',
  tables: '| <script> | "onload=x |\n|:--|--:|\n| </td><script>x</script> | [x](javascript:x) |',
  comments: '<!-- --><script>x</script> <![CDATA[<script>x</script>]]> <?php x ?> <!doctype x>',
  entities: '&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62; &amp;lt; &#x3c;img src=x onerror=x&#x3e;',
  references:
    '# T\n\n[1] [2]\n\n## References\n\n- [1] <img src=x onerror=x>. javascript:alert(1). https://ok.test/"><script>x</script>\n- [2] [x](javascript:alert(1))\n- [1] again\n- [0] zero\n- [99999] more',
  front:
    '---\ntitle: "</title><script>alert(1)</script>"\nquestion: "</dd><img src=x onerror=x>"\ncreated: "\\"><script>"\nstrategy: <b>\nmodel: "\\u202Ex</style>"\n__proto__: "x"\n---\n\nText.',
};

for (const [name, text] of Object.entries(hostile)) {
  test(`hostile ${name} in a report stay text`, () => {
    const html = page(text);
    assertInert(html);
    assert.doesNotMatch(bodyOf(html), /href="(?!https?:\/\/ok\.test|#)/);
    assert.doesNotMatch(html, /="[^"]*(?:javascript|evil\.test)/i);
  });
}

test('hostile fields of a record stay text', () => {
  const evil = '"><script>alert(1)</script>\u202E';
  assertInert(page('Text.', { question: evil, title: evil, model: evil, strategy: evil }));
});

test('any text becomes a page whose elements are ours and closed', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '[1]',
    '[',
    ']',
    '(',
    ')',
    '`',
    '```',
    '\n',
    '\n\n',
    '# ',
    '- ',
    '1. ',
    '> ',
    '| a | b |\n|---|---|\n',
    '*',
    '_',
    '~~',
    '\\',
    '![',
    '](',
    'https://a.test',
    'javascript:',
    '<script>',
    '</style>',
    '<!--',
    '&lt;',
    '## References\n\n',
    '- [1] ',
    '    ',
    '\t',
    '---\n',
    'word ',
    '\u202E',
    '\0',
    '\uD800',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
      ),
      (text) => assertInert(page(text)),
    ),
    { numRuns: 400 },
  );
});

test('what makes a Markdown parser slow or overflow is shown all the same, in little time', () => {
  const nested = Array.from({ length: 1_000 }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n');
  for (const text of [
    '<'.repeat(200_000),
    'a.'.repeat(100_000) + '@',
    '['.repeat(100_000),
    '_a_'.repeat(50_000),
    '>'.repeat(100_000),
    '- '.repeat(50_000),
    '> - '.repeat(20_000),
    '1. '.repeat(20_000),
    nested,
    '[1]'.repeat(2_000) + '\n\n## References\n\n- [1] a\n',
    `---\na: ${'{'.repeat(60_000)}\n---\n`,
  ]) {
    const html = page(text);
    assert.ok(html.endsWith('</html>\n'));
    assert.ok(html.length < 60 * text.length + 20_000);
  }
});

test('a table with checked figures in one unit has a chart behind it', () => {
  const table = '| Gate | Height |\n| --- | --- |\n| <A> | 1 m [1] |\n| B | 2 m [1] |\n| C | 4 m [2] |\n';
  const report = `# T\n\n${table}\n## References\n\n- [1] Gates. https://gates.example\n`;
  const charts = (statement: string) => ['1 m', '2 m', '4 m'].includes(statement.trim());
  const html = reportHtml(report, savedRecord({}), { charts });
  assert.match(
    html,
    /<\/table><\/div>\n<figure><svg class="chart" viewBox="0 0 480 66" role="group" aria-label="Height"/,
  );
  assert.match(html, /<a href="#ref-1" data-citation="1" data-row="0"><text[^>]*>\[1\]<\/text><\/a>/);
  assert.match(html, /<text class="cited"[^>]*>\[2\]<\/text>/, 'a reference that is not listed is no link');
  assert.ok(!html.includes('#ref-2') && html.includes('&#60;A&#62;: 1 m') && !html.includes('<A>'));
  assert.ok(!page(report).includes('<svg'));
});

test('a citation shows its passage where it is pointed at, and on paper below its reference, all of it as text', () => {
  const report =
    '# T\n\nThe gate **closes at 2 m** [[1]](#ref-1). Boats wait [2].\n\n## References\n\n- [1] Gates. https://gates.example\n- [2] Boats.\n';
  const asked: unknown[] = [];
  const html = reportHtml(report, savedRecord({}), {
    evidenceOf(block, before, number) {
      asked.push([block, before, number]);
      const passages = [{ number: 1, before: '', marked: 'At 2 m', after: ' <b>the gate</b> closes.' }];
      return number === 1 ? { sentence: 'The gate closes.', verdict: 'supported', passages } : undefined;
    },
  });
  assert.deepEqual(asked, [
    ['The gate closes at 2 m . Boats wait .', 'The gate closes at 2 m ', 1],
    ['The gate closes at 2 m . Boats wait .', 'The gate closes at 2 m . Boats wait ', 2],
  ]);
  const quote = '<q dir="auto"><mark>At 2 m</mark> &#60;b&#62;the gate&#60;/b&#62; closes.</q>';
  assert.ok(
    html.includes(
      `aria-describedby="evidence-1-1">[1]</a><span class="evidence" id="evidence-1-1" role="note"><strong>supported</strong>${quote}</span>`,
    ),
  );
  assert.ok(
    html.includes(`<ul class="rests"><li dir="auto">The gate closes. <em>supported</em>${quote}</li></ul></li>`),
  );
  assert.equal(html.match(/class="evidence"/g)?.length, 1);
  assert.ok(!html.includes('<script') && !html.includes('<b>'));
});
