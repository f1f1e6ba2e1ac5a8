import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { ReaderTask } from '../../../../src/sources/readers/readerProcess.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { readDocument } from '../../../../src/sources/readers/readDocument.ts';
import { sampled } from '../../../support/sampled.ts';
import { type PdfLine, samplePdf } from '../../../support/samplePdf.ts';

const never = new AbortController().signal;
const url = 'https://example.com/blog/post';
const read = (body: string | Uint8Array, type = 'text/html; charset=utf-8', signal = never) =>
  readDocument(typeof body === 'string' ? Buffer.from(body) : body, type, url, signal);
const unusable = (pattern: RegExp) => (error: unknown) => {
  assert.ok(ResearchError.is(error, 'badAnswer'), String(error));
  assert.match(error.message, pattern);
  return true;
};

const filler = 'The passage is long enough to be taken for the content of the page, with commas, and clauses. '.repeat(
  6,
);
const article = `<!doctype html><html lang="en-GB"><head><title>A post | Example</title>
<meta property="og:title" content="A post"><meta name="citation_author" content="Ann Author"><meta name="citation_author" content="Bo Writer">
<meta property="article:published_time" content="2026-03-04T05:06:07Z"><meta name="citation_doi" content="10.1234/abc.5">
<link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body>
<nav><a href="/">Home</a> <a href="/all">All posts</a></nav>
<article><h1>A post</h1><p>${filler}</p>
<h2>Method</h2><p>It costs 10<sup>5</sup> steps<sup><a href="#fn1">1</a></sup>, and ${filler}</p>
<ul><li>First <b>item</b>, here</li><li>Second<ul><li>Nested</li></ul></li></ul>
<table><caption>Scores</caption><tr><th>Model</th><th>Score</th></tr><tr><td>A|B</td><td>0.5</td></tr></table>
<h3>Code</h3><pre><code>const x = 1;
  return x;</code></pre>
<blockquote><p>Quoted words.</p></blockquote>
<p>Last line<br>and its second half. ${filler}</p></article>
<footer>© Example</footer><script>alert(1)</script></body></html>`;

describe('a web page', () => {
  it('is read to its main content, with headings, lists, tables and code', async () => {
    const page = await read(article);
    assert.equal(page.format, 'html');
    assert.equal(page.title, 'A post');
    assert.deepEqual(page.authors, ['Ann Author', 'Bo Writer']);
    assert.deepEqual([page.date, page.doi], ['2026-03-04', '10.1234/abc.5']);
    assert.deepEqual(page.feeds, ['https://example.com/feed.xml']);
    for (const piece of [
      'It costs 10^5 steps, and',
      '- First item, here\n- Second\n  - Nested',
      'Scores\n\n| Model | Score |\n| --- | --- |\n| A\\|B | 0.5 |',
      '```\nconst x = 1;\n  return x;\n```',
      '> Quoted words.',
      'Last line\nand its second half.',
    ])
      assert.ok(page.text.includes(piece), `${piece}\n---\n${page.text}`);
    assert.doesNotMatch(page.text, /alert|All posts|© Example/);
    assert.match(page.text, /^## Method$[^]*^### Code\n\n```$/m);
  });

  it('loses what its reader does not see', async () => {
    const hidden = [
      '<p style="display:none">SECRET1</p>',
      '<p style="visibility: hidden">SECRET2</p>',
      '<p hidden>SECRET3</p>',
      '<p aria-hidden="true">SECRET4</p>',
      '<!-- SECRET5 -->',
      '<template><p>SECRET6</p></template>',
      '<script>SECRET7</script><style>SECRET8</style><noscript>SECRET9</noscript>',
      '<p style="font-size:0">SECRET10</p>',
      `<p>vis\u200B\u{E0053}\u{E0045}ible</p>`,
      '<form><textarea>SECRET11</textarea></form>',
      '<img alt="SECRET12" src="https://evil.example/?q"><iframe srcdoc="SECRET13"></iframe>',
    ];
    const page = await read(
      `<html><body><article><h1>T</h1><p>${filler}</p>${hidden.join('')}<p>${filler}</p></article></body></html>`,
    );
    assert.doesNotMatch(page.text, /SECRET|evil\.example|<|\u200B|[\u{E0000}-\u{E007F}]/u);
    assert.match(page.text, /visible/);
  });

  it('is read in the encoding that it is written in', async () => {
    const body = (charset: string) =>
      `<html><head><meta charset="${charset}"><title>Grüße</title></head><body><p>Grüße</p></body></html>`;
    assert.match((await read(Buffer.from(body('iso-8859-1'), 'latin1'), 'text/html')).text, /Grüße/);
    assert.match((await read(Buffer.from(body('x-unknown'), 'utf8'), 'text/html')).text, /Grüße/);
    assert.match(
      (await read(Buffer.from('<html><body><p>Grüße</p></body></html>', 'latin1'), 'text/html')).text,
      /Grüße/,
    );
    const chinese = Buffer.from([0x3c, 0x70, 0x3e, 0xc4, 0xe3, 0xba, 0xc3, 0x3c, 0x2f, 0x70, 0x3e]);
    assert.match((await read(chinese, 'text/html; charset=gbk')).text, /你好/);
    const wide = Buffer.from('<html><body><p>Grüße ohne Marke</p></body></html>', 'utf16le');
    assert.equal((await read(wide, 'text/html; charset=utf-16le')).text, 'Grüße ohne Marke');
    assert.equal((await read(Buffer.from('Grüße', 'utf16le'), 'text/plain; charset=UTF-16LE')).text, 'Grüße');
    const binary = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(600)]);
    await assert.rejects(read(binary, 'text/plain; charset=utf-16'), unusable(/no text/));
  });

  it('that stands in place of the wanted one says so', async () => {
    const barrier = async (body: string) =>
      (await read(`<html><head><title>x</title></head><body>${body}</body></html>`)).barrier;
    assert.equal(await barrier('<p>Verifying you are human. This may take a few seconds.</p>'), 'robotCheck');
    assert.equal(await barrier('<p>Subscribe to continue reading this article.</p>'), 'payment');
    assert.equal(await barrier('<p>Please log in to continue.</p>'), 'login');
    assert.equal(await barrier('<div id=root></div><p>You need to enable JavaScript to run this app.</p>'), 'script');
    assert.equal(await barrier(`<p>The CAPTCHA was invented in 2000. ${filler.repeat(4)}</p>`), undefined);
  });

  it('that is hostile ends within its limits', async () => {
    const hostile = [
      '<div>'.repeat(200_000),
      `${'<b>'.repeat(50_000)}text${'</b>'.repeat(50_000)}`,
      '<p>x'.repeat(20_000),
      `<a href="${'x'.repeat(500_000)}">x</a>`,
      '<table>'.repeat(20_000),
      `<ul>${'<li><ul>'.repeat(20_000)}`,
      '<'.repeat(300_000),
      `<p>${'&amp;'.repeat(200_000)}</p>`,
      '<!--'.repeat(200_000),
      '',
    ];
    for (const body of sampled(hostile)) {
      await read(body).catch((error: unknown) =>
        assert.ok(ResearchError.is(error, 'badAnswer', 'timeout'), String(error)),
      );
    }
  });

  it('stops at once when no one waits for it', async () => {
    const stop = new AbortController();
    const waiting = read('<p>Some, words</p>'.repeat(150_000), 'text/html', stop.signal);
    setImmediate(() => stop.abort(new Error('Stop')));
    await assert.rejects(waiting, /Stop/);
  });
});

describe('a PDF', () => {
  const paper = (pages: number): readonly (readonly PdfLine[])[] =>
    Array.from({ length: pages }, (_, index) => [
      `Journal of Samples, vol. 3, page ${index + 1}`,
      '',
      ...(index === 0 ? [{ text: 'A Study of Samples', size: 20 }, ''] : []),
      { text: `${index + 1} Part ${['One', 'Two', 'Three'][index] ?? 'More'}`, size: 14 },
      '',
      `On page ${index + 1} the figure is ${index + 1}2.5 percent of the whole, meas-`,
      `ured twice. A ${['first', 'second', 'third'][index] ?? ''} sentence follows here.`,
      '',
      `Another paragraph of ${['the opening', 'the middle', 'the end'][index] ?? ''} stands apart from the first one.`,
    ]);

  it('is read by page, with headings, whole words and without running heads', async () => {
    const document = await read(
      samplePdf(paper(3), {
        Title: 'A Study of Samples',
        Author: 'Ann Author; Bo Writer',
        CreationDate: 'D:20250607000000Z',
      }),
      'application/pdf',
    );
    assert.equal(document.format, 'pdf');
    assert.deepEqual(
      [document.title, document.authors, document.date, document.pages],
      ['A Study of Samples', ['Ann Author', 'Bo Writer'], '2025-06-07', 3],
    );
    assert.equal(
      document.text.split(/\[Page \d\]/)[2]?.trim(),
      [
        '# 2 Part Two',
        'On page 2 the figure is 22.5 percent of the whole, measured twice. A second sentence follows here.',
        'Another paragraph of the middle stands apart from the first one.',
      ].join('\n\n'),
    );
    assert.doesNotMatch(document.text, /Journal of Samples/);
  });

  it('is found out by its first bytes, whatever it is called', async () => {
    for (const type of ['text/html', '', 'application/octet-stream', 'text/plain'])
      assert.equal((await read(samplePdf(paper(1)), type)).format, 'pdf');
  });

  it('that is damaged, cut or empty says so', async () => {
    const whole = samplePdf(paper(2));
    await assert.rejects(read(Buffer.from('%PDF-1.7\nnothing'), 'application/pdf'), unusable(/damaged/));
    await assert.rejects(read(whole.subarray(0, 60), 'application/pdf'), unusable(/damaged/));
    await assert.rejects(read(samplePdf([[''], ['']]), 'application/pdf'), unusable(/pictures/));
    const cut = await read(whole.subarray(0, whole.length - 400), 'application/pdf').catch((error: unknown) => error);
    assert.ok(ResearchError.is(cut, 'badAnswer') || (cut as { text: string }).text.includes('figure'));
  });
});

describe('a PDF that unpacks to more than it is', () => {
  /** Spaces in streams in streams, as the content of the one page, its font's mapping or its font. */
  const packed = (levels: number, content: Buffer): Buffer =>
    levels === 0 ? content : packed(levels - 1, deflateSync(content, { level: 9 }));
  const bomb = (data: string, use: 'Contents' | 'ToUnicode'): Buffer => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /Font << /F 4 0 R >> >> /Contents ${use === 'Contents' ? 5 : 6} 0 R >>`,
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${use === 'ToUnicode' ? '/ToUnicode 5 0 R' : ''} >>`,
      `<< /Filter [/FlateDecode /FlateDecode /FlateDecode] /Length ${data.length} >>\nstream\n${data}\nendstream`,
      '<< /Length 33 >>\nstream\nBT /F 9 Tf (Words of a page.) Tj ET\nendstream',
    ];
    const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
    return Buffer.from(`%PDF-1.7\n${body}trailer << /Root 1 0 R >>\n%%EOF`, 'latin1');
  };

  it('is ended and named', async () => {
    const data = packed(3, Buffer.alloc(550_000_000, ' ')).toString('latin1');
    for (const use of ['Contents', 'ToUnicode'] as const) {
      const small = bomb(data, use);
      assert.ok(small.length < 2_500, String(small.length));
      await assert.rejects(read(small, 'application/pdf'), unusable(/too much memory/));
    }
  });
});

describe('the process that reads', () => {
  /** What it answers before it is gone. */
  const readerWith = (limits: Pick<ReaderTask, 'longestMs' | 'mostMemory'>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const file = new URL('../../../../src/sources/readers/readerProcess.ts', import.meta.url);
      const reader = fork(file, [], {
        execArgv: [],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
      });
      let answer: unknown;
      reader.on('message', (message) => (answer = message));
      reader.once('error', reject);
      reader.once('exit', () => resolve(answer));
      const bytes = samplePdf(Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => 'A line of a page.')));
      reader.send({ bytes, contentType: 'application/pdf', url, isPdf: true, ...limits } satisfies ReaderTask);
    });

  it('ends by itself when its time or its memory is used up', async () => {
    assert.deepEqual(await readerWith({ longestMs: 1, mostMemory: 700_000_000 }), { isLate: true });
    assert.deepEqual(await readerWith({ longestMs: 60_000, mostMemory: 1 }), {
      why: 'The document needs too much memory.',
    });
  });
});

describe('a feed', () => {
  const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>A &amp; B</title><link>https://example.com/</link>
<item><title>Old &lt;b&gt;post&lt;/b&gt;</title><link>https://example.com/old</link><pubDate>Tue, 05 Aug 2025 09:00:00 GMT</pubDate><dc:creator>Ann</dc:creator><description>&lt;p&gt;Short&lt;/p&gt;</description></item>
<item><title>New</title><guid>https://example.com/new</guid><pubDate>Wed, 06 May 2026 09:00:00 +0200</pubDate><content:encoded><![CDATA[<h2>H</h2><p>Whole <script>x</script>text</p>]]></content:encoded></item>
</channel></rss>`;

  it('gives its entries, newest first', async () => {
    const feed = await read(rss, 'text/html');
    assert.equal(feed.format, 'feed');
    assert.equal(feed.title, 'A & B');
    assert.deepEqual(feed.entries, [
      { title: 'New', authors: [], text: '## H\n\nWhole text', url: 'https://example.com/new', date: '2026-05-06' },
      { title: 'Old post', authors: ['Ann'], text: 'Short', url: 'https://example.com/old', date: '2025-08-05' },
    ]);
  });

  it('may be Atom, RDF or JSON', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title type="html">E</title><link rel="self" href="/self"/><link rel="alternate" href="/e"/><updated>2026-01-02T00:00:00Z</updated><author><name>Ann</name></author><summary>S</summary></entry></feed>`;
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel><title>T</title></channel><item><title>E</title><link>/e</link><dc:date>2026-01-02</dc:date><dc:creator>Ann</dc:creator><description>S</description></item></rdf:RDF>`;
    const json = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'T',
      items: [
        {
          title: 'E',
          url: '/e',
          date_published: '2026-01-02T00:00:00Z',
          authors: [{ name: 'Ann' }],
          content_text: 'S',
        },
      ],
    });
    for (const [body, type] of [
      [atom, 'application/atom+xml'],
      [rdf, 'text/xml'],
      [json, 'application/feed+json'],
    ] as const)
      assert.deepEqual((await read(body, type)).entries, [
        { title: 'E', authors: ['Ann'], text: 'S', url: 'https://example.com/e', date: '2026-01-02' },
      ]);
  });

  it('that is cut, or defines entities, is refused', async () => {
    await assert.rejects(read(rss.slice(0, -40), 'application/rss+xml'), unusable(/cut/));
    const laughs = `<!DOCTYPE rss [<!ENTITY a "${'ha'.repeat(1000)}">${Array.from({ length: 9 }, (_, n) => `<!ENTITY b${n} "${'&a;'.repeat(50)}">`).join('')}]><rss><channel><title>&b0;&b1;</title></channel></rss>`;
    const outcome = await read(laughs, 'application/rss+xml').catch((error: unknown) => error);
    assert.ok(ResearchError.is(outcome, 'badAnswer') || (outcome as { title: string }).title.length <= 500);
  });
});

describe('a text', () => {
  it('stays as it is, with its headings', async () => {
    const text = '```\n# no heading\n```\n\n# Title\n\nSome words.\n\n## Part\n\n| a | b |\n| - | - |';
    const document = await read(`${text}\n`, 'text/markdown');
    assert.equal(document.title, 'Title');
    assert.equal(document.text, text);
  });

  it('that is none is refused', async () => {
    await assert.rejects(read(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), 'text/plain'), unusable(/no text/));
    await assert.rejects(read(Buffer.alloc(10), 'text/html'), unusable(/no text/));
  });
});
