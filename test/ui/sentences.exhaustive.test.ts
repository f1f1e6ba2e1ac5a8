// Whatever a sentence rests on, one action brings its passage on the screen, marked.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame, Locator, Page } from 'playwright-core';
import { readPdf } from '../../src/sources/readers/pdfReader.ts';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { neverIdle } from '../support/neverIdle.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { samplePdf } from '../support/samplePdf.ts';
import { startSourceServer, type SourceServer } from '../support/sourceServer.ts';
import { keepFailures, offline, openPanel } from './support/researchPage.ts';

const list = [
  'A canal lock lifts boats between two levels of water by gravity alone.',
  'The lower gates of a canal lock are mitred, so that the water closes them.',
  'A canal lock keeper opens the paddles of the upper gate slowly.',
  'The chamber of a canal lock is filled through culverts in its walls.',
];
const rows = [
  ['Bingley Five-Rise', 'canal lock staircase', '18 m'],
  ['Three Gorges', 'canal lock flight', '113 m'],
  ['Falkirk', 'canal lock and wheel', '35 m'],
];
const rules = 'No boat shall stay in a canal lock when its keeper has left.';
const guide = `<!doctype html><html lang="en"><head><title>How a canal lock works</title><style>main > * { margin: 1500px 0 }</style></head>
<body><main><h1>How a canal lock works</h1><p>The first canal lock with two gates was built in China in the year 984.</p>
<h2>Parts of a canal lock</h2><ul>${list.map((item) => `<li>${item}</li>`).join('')}</ul>
<p>A canal lock loses one chamber of water<br>each time that a boat goes down.</p>
<table><tr><th>Place</th><th>Kind of canal lock</th><th>Rise</th></tr>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>
<blockquote><p>${rules}</p></blockquote></main></body></html>`;
const paper = samplePdf(
  ['Side ponds of a canal lock save half of its water.', 'A canal lock of concrete lasts for a hundred years.'].map(
    (sentence, page) => [
      { text: `Canal lock study, part ${page + 1}`, size: 16 },
      '',
      sentence,
      '',
      ...Array.from({ length: 12 }, (_, line) => `Measurement ${page + 1}.${line} was taken at noon by the crew.`),
    ],
  ),
);

describe('the sentences of three reports', () => {
  const workspace = copyWorkspace('examples');
  let arxiv: SourceServer;
  let editor: Editor;
  let window: EditorPage;
  let place: string;
  const opened: string[] = [];
  const server = http.createServer(neverIdle, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', `http://${place}`);
    const send = (type: string, body: string | Buffer) => void response.setHeader('content-type', type).end(body);
    if (pathname === '/guide') return send('text/html; charset=utf-8', guide);
    if (pathname === '/paper') return send('application/pdf', paper);
    if (pathname !== '/searx/search') return void response.writeHead(404).end();
    const found = ['guide', 'paper'].map((name) => ({
      ...{ url: `http://${place}/${name}`, title: `Canal lock ${name}`, content: '' },
      ...{ engine: 'a', engines: ['a'], score: 1, category: 'general' },
    }));
    send('application/json', JSON.stringify({ query: '', results: found, answers: [], unresponsive_engines: [] }));
  });

  before(async () => {
    arxiv = await startSourceServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    editor = await startEditor({ workspace });
    window = await editor.openPage();
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  keepFailures(() => window);
  after(async () => {
    await editor?.stop();
    await arxiv?.close();
    server.closeAllConnections();
    server.close();
    removeFolder(workspace);
  });

  /** The citations of the report of a new run over one source, and the page that shows it. */
  async function reportOf(source: string, question: string): Promise<{ reader: Frame; markers: Locator }> {
    const settings = {
      ...(await offline()),
      'deepResearch.endpoints.arxiv': arxiv.arxivUrl,
      'deepResearch.endpoints.searxng': `http://${place}/searx`,
      'deepResearch.network.allowPrivateHosts': [place],
      'deepResearch.sources.enabled': [source],
      'deepResearch.depth': 'deep',
    };
    fs.writeFileSync(path.join(editor.dataDir, 'data', 'Machine', 'settings.json'), JSON.stringify(settings));
    await window.runCommand('View: Close All Editors');
    await window.reload();
    const panel = await openPanel(window);
    await panel.ask(question);
    await panel.reaches('finished');
    await window.runCommand('Deep Research: Open as Report').catch(() => undefined);
    const reader = await window.webview('.reader h1');
    const markers = reader.getByTestId('report').locator('[data-citation]:not([data-target], .chart *)');
    await markers.first().waitFor();
    return { reader, markers };
  }

  /** What decides, as the card of a citation shows it. */
  async function decidingAt(reader: Frame, marker: Locator): Promise<string> {
    await marker.focus();
    const marked = reader.getByTestId('evidence').locator('mark').first();
    await marked.waitFor();
    return words(await marked.innerText());
  }

  /** The selection of the editor that has the focus is what decides, or the lines that hold it. */
  async function isSelected(deciding: string, tab: RegExp): Promise<void> {
    const { page } = window;
    await page.locator('.tab.active', { hasText: tab }).first().waitFor();
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    let copied = '';
    for (let tries = 0; tries < 50 && !copied.includes(deciding); tries += 1) {
      await page.keyboard.press('Control+C');
      copied = words(await page.evaluate(() => navigator.clipboard.readText()));
    }
    assert.ok(copied.includes(deciding), `“${deciding}” is selected: ${copied}`);
  }

  /** Presses Enter at a citation. Gives the address of the page that opens. */
  async function follow(marker: Locator): Promise<string> {
    await marker.focus();
    const opening = window.page.context().waitForEvent('page');
    await window.page.keyboard.press('Enter');
    const tab = await opening;
    await tab.waitForURL(/#/);
    const url = tab.url();
    await tab.close();
    // The served editor leads addresses of this machine through its own.
    return url.replace(/^.*\/proxy\/(\d+)\//, 'http://127.0.0.1:$1/');
  }

  it('files open with the passage selected', async () => {
    const { reader, markers } = await reportOf(
      'workspace',
      'What do our notes say about chunking, retrieval, reranking, evaluation, security and cost?',
    );
    for (let at = 0; at < (await markers.count()); at += 1) {
      const deciding = await decidingAt(reader, markers.nth(at));
      await window.page.keyboard.press('Enter');
      await isSelected(deciding, /\.(?:md|json|bib|ts)$/);
      opened.push('file');
    }
  });

  it('pages open at the sentence, PDFs at its page', async () => {
    const { reader, markers } = await reportOf(
      'web',
      'How does a canal lock work, what are its parts, and where are the largest?',
    );
    const { text } = await readPdf(new Uint8Array(paper));
    const tab = await window.page.context().browser()!.newPage();
    for (let at = 0; at < (await markers.count()); at += 1) {
      const deciding = await decidingAt(reader, markers.nth(at));
      const url = await follow(markers.nth(at));
      const page = /\/paper#page=(\d+)(?::~:|$)/.exec(url)?.[1];
      if (page === undefined) await showsInSight(tab, url, deciding);
      else assert.ok(words(text.split(/\[Page \d+\]/)[Number(page)] ?? '').includes(deciding), `${url}: ${deciding}`);
      opened.push(page === undefined ? 'page' : 'pdf');
    }
    await tab.close();
  });

  it('what was read of papers opens with the passage selected', async () => {
    const { reader, markers } = await reportOf(
      'arxiv',
      'What are the techniques, benchmarks and limitations of retrieval-augmented generation?',
    );
    for (let at = 0; at < (await markers.count()); at += 1) {
      const deciding = await decidingAt(reader, markers.nth(at));
      await reader.getByTestId('open-copy').press('Enter');
      await isSelected(deciding, /\.txt$/);
      opened.push('copy');
    }
  });

  it('are of each kind', (context) => {
    const kinds = Object.entries(Object.groupBy(opened, (kind) => kind)).map(([kind, all]) => `${kind} ${all!.length}`);
    context.diagnostic(kinds.join());
    assert.deepEqual(new Set(opened), new Set(['file', 'page', 'pdf', 'copy']), kinds.join());
  });
});

/** Opens an address in a browser, and looks whether the words are among those on the screen. */
async function showsInSight(tab: Page, url: string, deciding: string): Promise<void> {
  await tab.goto('about:blank');
  await tab.goto(url);
  const isInSight = (wanted: string) => {
    const blocks = [...document.querySelectorAll('main > *, li, tr')].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    const shown = blocks.map((one) => (one as HTMLElement).innerText.toLowerCase()).join(' ');
    return (shown.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ').includes(wanted);
  };
  await tab.waitForFunction(isInSight, deciding, { timeout: 5_000 }).catch(() => assert.fail(`${url}: ${deciding}`));
}

function words(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
