// Whatever a sentence rests on, one action brings its passage on the screen, marked.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame, Locator, Page, Route } from 'playwright-core';
import { readPdf } from '../../src/sources/readers/pdfReader.ts';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { neverIdle } from '../support/neverIdle.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { answerArxiv } from '../support/imitatedArxiv.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { samplePdf } from '../support/samplePdf.ts';
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
const history = `<!doctype html><html lang="en"><head><title>A history of the canal lock</title><style>p { margin: 1500px 0 }</style></head>
<body><main><h1>A history of the canal lock</h1>${[
  'Leonardo drew the mitre gate of a canal lock for Milan in the year 1497.',
  'The canal lock of Briare with its flight of seven was finished in the year 1642.',
  'Electric motors moved the gates of a canal lock at Anderton from the year 1908 on.',
  'How a canal lock works was taught to keepers with a model of wood.',
]
  .map((sentence) => `<p>${sentence}</p>`)
  .join('')}</main></body></html>`;
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

/** Papers of the imitated arXiv: of one it has a page, of the other a PDF alone. */
const papers = { html: '2603.27752', pdf: '2602.12735' };
const around =
  'The crew of the data centre wrote it down at noon, and compared it with what it had been in the years before.';
const paperPage = `<!doctype html><html lang="en"><head><title>DeepRead</title><style>p { margin: 1500px 0 }</style></head><body>
<main><h1>DeepRead</h1>${[
  'Index compaction merges small segments of the posting lists at night.',
  'Cache warming replays the queries of the day before.',
]
  .map((fact, part) => `<h2>Part ${part + 1}</h2><p>${fact} ${around}</p>`)
  .join(
    '',
  )}<h2>Measurements</h2>${Array.from({ length: 20 }, (_, at) => `<p>Measurement ${at}. ${around}</p>`).join('')}</main></body></html>`;
const paperFile = samplePdf(
  ['Index compaction costs one pass over the disk.', 'Cache eviction drops the oldest entries first.'].map(
    (fact, page) => [
      { text: `VimRAG, part ${page + 1}`, size: 16 },
      '',
      fact,
      '',
      ...Array.from({ length: 12 }, (_, line) => `Line ${page + 1}.${line} was read at noon by the crew.`),
    ],
  ),
);

/** Sentences that are followed. */
const mostOfReport = 15;

describe('the sentences of three reports', () => {
  const workspace = copyWorkspace('examples');
  let model: ModelServer;
  let editor: Editor;
  let window: EditorPage;
  let place: string;
  const opened: string[] = [];
  const server = http.createServer(neverIdle, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${place}`);
    const send = (type: string, body: string | Buffer) => void response.setHeader('content-type', type).end(body);
    if (pathname === '/guide') return send('text/html; charset=utf-8', guide);
    if (pathname === '/history') return send('text/html; charset=utf-8', history);
    if (pathname === '/paper') return send('application/pdf', paper);
    if (pathname === `/arxiv/html/${papers.html}`) return send('text/html; charset=utf-8', paperPage);
    if (pathname === `/arxiv/pdf/${papers.pdf}`) return send('application/pdf', paperFile);
    if (pathname === '/arxiv/api/query') {
      const { status, headers, body } = answerArxiv(searchParams);
      return void response.writeHead(status, headers).end(body);
    }
    if (pathname !== '/searx/search') return void response.writeHead(404).end();
    const found = ['guide', 'history', 'paper'].map((name) => ({
      ...{ url: `http://${place}/${name}`, title: `Canal lock ${name}`, content: '' },
      ...{ engine: 'a', engines: ['a'], score: 1, category: 'general' },
    }));
    send('application/json', JSON.stringify({ query: '', results: found, answers: [], unresponsive_engines: [] }));
  });

  before(async () => {
    model = await startModelServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    editor = await startEditor({ workspace });
    window = await editor.openPage();
    const context = window.page.context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.route('https://arxiv.org/**', showArxiv);
  });
  keepFailures(() => window);
  after(async () => {
    await editor?.stop();
    await model?.close();
    server.closeAllConnections();
    server.close();
    removeFolder(workspace);
  });

  /** The citations of the report of a new run over one source, and the page that shows it; without a model they are fewer. */
  async function reportOf(
    source: string,
    question: string,
    provider: 'openai-compatible' | 'extractive',
  ): Promise<{ reader: Frame; markers: Locator }> {
    const settings = {
      ...(await offline()),
      'deepResearch.endpoints.arxiv': `http://${place}/arxiv`,
      'deepResearch.endpoints.searxng': `http://${place}/searx`,
      'deepResearch.network.allowPrivateHosts': [place],
      'deepResearch.sources.enabled': [source],
      'deepResearch.depth': 'deep',
      'deepResearch.clarification': 'off',
      'deepResearch.planApproval': 'never',
      'deepResearch.model.provider': provider,
      'deepResearch.model.name': 'imitation-1',
      'deepResearch.model.baseUrl': model.url,
    };
    fs.writeFileSync(path.join(editor.dataDir, 'data', 'Machine', 'settings.json'), JSON.stringify(settings));
    await window.runCommand('View: Close All Editors');
    await window.page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
    await window.reload();
    const panel = await openPanel(window);
    await panel.ask(question);
    await panel.reaches('finished');
    await window.runCommand('Deep Research: Open as Report').catch(() => undefined);
    const reader = await window.webview(`.reader:has-text(${JSON.stringify(question)})`);
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
    const opening = window.page.context().waitForEvent('page', { timeout: 120_000 });
    await window.page.keyboard.press('Enter');
    // The editor's own questions: whether another site may be opened, and on a busy machine, where the key was pressed too long ago,
    // whether to try again.
    const asked = window.page.locator('.monaco-dialog-box').getByRole('button', { name: /^(?:Open|Retry)$/ });
    const answered = asked.click({ timeout: 120_000 }).catch(() => undefined);
    const tab = await opening;
    await tab.waitForURL(/#/);
    const url = tab.url();
    await tab.close();
    void answered;
    // The served editor leads addresses of this machine through its own.
    return url.replace(/^.*\/proxy\/(\d+)\//, 'http://127.0.0.1:$1/');
  }

  /** Opens what was read of a source, by the button of a card. */
  async function followCopy(reader: Frame, deciding: string): Promise<void> {
    await reader.getByTestId('open-copy').press('Enter');
    await isSelected(deciding, /\.txt$/);
    opened.push('copy');
  }

  it('files open with the passage selected', async () => {
    const { reader, markers } = await reportOf(
      'workspace',
      'What do our notes say about chunking, retrieval, reranking, evaluation, security and cost?',
      'openai-compatible',
    );
    for (const marker of (await markers.all()).slice(0, mostOfReport)) {
      const deciding = await decidingAt(reader, marker);
      await window.page.keyboard.press('Enter');
      await isSelected(deciding, /\.(?:md|json|bib|ts)$/);
      opened.push('file');
    }
  });

  it('pages open at the sentence, PDFs at its page, and what was read of them with the passage selected', async () => {
    const { reader, markers } = await reportOf(
      'web',
      'How does a canal lock work, what are its parts, and where are the largest?',
      'openai-compatible',
    );
    const { text } = await readPdf(new Uint8Array(paper));
    const tab = await window.page.context().browser()!.newPage();
    for (const [at, marker] of (await markers.all()).slice(0, mostOfReport).entries()) {
      const deciding = await decidingAt(reader, marker);
      if (at % 3 === 2) {
        await followCopy(reader, deciding);
        continue;
      }
      const url = await follow(marker);
      const page = /\/paper#page=(\d+)(?::~:|$)/.exec(url)?.[1];
      if (page === undefined) await showsInSight(tab, url, deciding);
      else assertOnPage(text, Number(page), deciding);
      opened.push(page === undefined ? 'page' : 'pdf');
    }
    await tab.close();
  });

  it('papers of arXiv open in the form that was read, at the sentence or its page', async () => {
    const { reader, markers } = await reportOf(
      'arxiv',
      `What do arXiv:${papers.html} and arXiv:${papers.pdf} say about index compaction, cache warming and cache eviction?`,
      'extractive',
    );
    const { text } = await readPdf(new Uint8Array(paperFile));
    const tab = await window.page.context().browser()!.newPage();
    await tab.route('https://arxiv.org/**', showArxiv);
    const forms = new Set<string>();
    for (const marker of await markers.all()) {
      const deciding = await decidingAt(reader, marker);
      const url = await follow(marker);
      const [, form = '', id, page] =
        /^https:\/\/arxiv\.org\/(abs|html|pdf)\/([\d.]+)v\d#(?:page=(\d+))?/.exec(url) ?? [];
      assert.ok(Object.values(papers).includes(id!), url);
      if (form === 'pdf') assertOnPage(text, Number(page), deciding);
      else await showsInSight(tab, url, deciding);
      forms.add(form);
      opened.push('paper');
    }
    assert.ok(forms.has('html') && forms.has('pdf'), [...forms].join());
    await tab.close();
  });

  it('are thirty, of each kind', (context) => {
    const kinds = Object.entries(Object.groupBy(opened, (kind) => kind)).map(([kind, all]) => `${kind} ${all!.length}`);
    context.diagnostic(kinds.join());
    assert.deepEqual(new Set(opened), new Set(['file', 'page', 'pdf', 'paper', 'copy']), kinds.join());
    assert.ok(opened.length >= 30, kinds.join());
  });
});

function assertOnPage(pdf: string, page: number, deciding: string): void {
  assert.ok(words(pdf.split(/\[Page \d+\]/)[page] ?? '').includes(deciding), `page ${page}: ${deciding}`);
}

/** What arXiv shows at an address: the page of a paper, or its abstract. */
function showArxiv(route: Route): Promise<void> {
  const url = route.request().url();
  const { body: feed } = answerArxiv(new URLSearchParams({ id_list: /\d{4}\.\d{5}/.exec(url)?.[0] ?? '' }));
  const abstract = /<summary>([\s\S]*?)<\/summary>/.exec(feed)?.[1] ?? '';
  const body = url.includes('/html/') ? paperPage : `<!doctype html><main><p>${abstract}</p></main>`;
  return route.fulfill({ contentType: 'text/html; charset=utf-8', body });
}

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
