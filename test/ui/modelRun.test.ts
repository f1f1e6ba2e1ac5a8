import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { exportRun } from '../../src/engine.ts';
import type { EditorPage } from '../support/editor.ts';
import { assertAllowed } from '../support/hostileMarkdown.ts';
import { answerLikeAModel } from '../support/modelAnswers.ts';
import { isWriting } from '../support/modelRequest.ts';
import { clarifyOnce, either, failResearcher, requestsOf, sendBackOnce } from '../support/modelScenarios.ts';
import type { ModelServer, Script } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { root } from '../support/paths.ts';
import { keepFailures, type Panel } from './support/researchPage.ts';

/** Everything that a renderer of Markdown or HTML might fetch, or offer to open. */
const constructs = (at: string): string =>
  [
    `![a](${at}/1.png)`,
    `<img src="${at}/2.png" onerror="fetch('${at}/3')">`,
    `<link rel=stylesheet href="${at}/4.css"><style>@import "${at}/5.css"; * { background: url(${at}/6) }</style>`,
    `<iframe src="${at}/7"></iframe><object data="${at}/8"></object><video poster="${at}/9"></video>`,
    `<script>fetch('${at}/10')</script><svg><image href="${at}/11"/></svg>`,
    `[r]: ${at}/12\n\n![r] and [a link](${at}/13) and <${at}/14> and ${at}/15`,
    `\`\`\`mermaid\ngraph TD; A[<img src='${at}/16'>]; click A "${at}/17"\n\`\`\``,
    `| ![t](${at}/18) | b |\n|---|---|\n| <img src=${at}/19> | c |`,
    `- > ![l](${at}/20)\n\n    <img src=${at}/21>`,
    `$$\\includegraphics{${at}/22}$$ [[${at}/23]] ![[${at}/24]] {% include ${at}/25 %}`,
  ].join('\n\n');

/** The imitated model's own answers, with all of it in every text that a person reads. */
const hostile: Script = (request) => {
  const { text } = answerLikeAModel(request, {}, []);
  if (isWriting(request.step)) return { text: `${text}\n\n### More\n\n${constructs(at)}\n` };
  if (text.startsWith('{')) return { json: poisoned(JSON.parse(text)) };
  return undefined;
};
const poisoned = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string')
    return /^(?:title|description|content|claim|summary|brief|name|reasoning|verification|objective)$/.test(name)
      ? `${value} ${name === 'content' ? constructs(at) : `![a](${at}/40.png) <img src=${at}/41>`}`
      : value;
  if (Array.isArray(value)) return value.map((item) => poisoned(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poisoned(item, key)]));
};
// Both suites research in one window; the model answers each in its own way.
let isHostile = true;
let modelEditor: ModelEditor;
let workspace: string;
let server: ModelServer;
let page: EditorPage;
let panel: Panel;
/** Where a request shows that something was fetched. */
let listener: http.Server;
let at = '';
const fetched: string[] = [];

before(async () => {
  listener = http.createServer((request, response) => {
    fetched.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  at = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const disturbed = either(clarifyOnce(), failResearcher(/Limits/), sendBackOnce());
  modelEditor = await openModelEditor({
    beside: [path.join(root, 'test', 'fixtures', 'modelProvider')],
    env: { IMITATED_MODEL: 'Modest' },
    model: {
      models: ['imitation-1', 'imitation-2'],
      delayMs: 20,
      script: (request) => (isHostile ? hostile : disturbed)(request),
      imitation: { sections: 4 },
    },
  });
  ({ workspace, server, page, panel } = modelEditor);
});
keepFailures(() => page);
after(async () => {
  await modelEditor?.close();
  listener?.close();
});

const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';

describe('a report whose every field is hostile', () => {
  before(() => {
    fs.writeFileSync(
      path.join(workspace, 'hostile.md'),
      `# Retrieval-augmented generation ![a](${at}/30.png)\n\nRetrieval-augmented generation is hostile here. ${constructs(at)}\n`,
    );
  });
  after(async () => {
    isHostile = false;
    await page.runCommand('View: Close All Editors');
    await panel.get('new-question').click();
    for (const name of ['hostile.md', 'report.html', 'research'])
      fs.rmSync(path.join(workspace, name), { recursive: true, force: true });
  });

  /** What of the window leads to the listener. */
  const traces = async (): Promise<string[]> => {
    const found = await Promise.all(
      page.page
        .frames()
        .map((frame) =>
          frame
            .evaluate(
              (place) =>
                [...document.querySelectorAll('[src], [href], [poster], [data], [srcset], [style*="url("]')]
                  .map((element) => element.outerHTML.slice(0, 300))
                  .filter((html) => html.includes(place) && !html.includes('data-uri=')),
              at.slice('http://'.length),
            )
            .catch(() => []),
        ),
    );
    return found.flat();
  };

  it('asks the listener for nothing in the panel, as text, in the preview, as a web page and from the clipboard', async () => {
    const { editor } = modelEditor;
    await panel.ask(`How does retrieval-augmented generation work? ![q](${at}/50.png) <img src=${at}/51>`);
    await panel.reaches('finished');
    assert.deepEqual(await traces(), []);

    await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await panel.get('copy-report').click();
    const copied = await page.page.waitForFunction(async () => {
      const text = await navigator.clipboard.readText().catch(() => '');
      return text.includes('References') && text;
    });
    assertAllowed(String(await copied.jsonValue()), (href) => !href.includes(at));

    await panel.get('open-report').click();
    await page.page.locator('.tab', { hasText: '.md' }).first().waitFor();
    await panel.get('open-preview').click();
    const preview = await page.webview('.reader h1');
    await preview.getByRole('heading', { name: 'References' }).waitFor();
    assert.deepEqual(await traces(), []);
    await page.screenshot('hostile-report');

    const id = fs.readdirSync(editor.runs).sort().at(-1)!;
    const run = path.join(editor.runs, id);
    const saved = fs.readFileSync(path.join(run, 'report.md'), 'utf8');
    assertAllowed(saved.replace(/^---\n[^]*?\n---\n/, ''), (href) => !href.includes(at));
    const target = path.join(workspace, 'report.html');
    await exportRun({ runsFolder: editor.runs, run: id, format: 'html', target });
    const tab = await page.page.context().browser()!.newPage();
    await tab.goto(pathToFileURL(target).href);
    assert.equal(await tab.locator('script, img, iframe, object, video, svg image').count(), 0);
    assert.deepEqual(fetched, []);
  });
});

describe('a research with a model behind an OpenAI-compatible server', () => {
  let begun = 0;
  before(() => {
    begun = server.requests.length;
  });

  it('says before it starts which host gets the question and the found text', async () => {
    assert.ok((await panel.get('setup-line').innerText()).includes(new URL(server.url).host));
  });

  const offered = () => page.page.locator('.quick-input-list .monaco-list-row');

  it('lists the models of the server and of the editor by a command, and tests and takes the one that is chosen', async () => {
    await page.runCommand('Deep Research: Select Model');
    const chosen = offered().filter({ hasText: 'imitation-2' }).first();
    await chosen.waitFor();
    for (const model of ['imitation-1', 'Modest']) await offered().filter({ hasText: model }).first().waitFor();
    await page.screenshot('select-model');
    await chosen.click();
    await page.notification(/imitation-2 answered in [\d.]+ s/);
    assert.deepEqual(
      server.requests.slice(begun).map(({ model, step }) => [model, step]),
      [['imitation-2', 'other']],
    );
    await panel.get('setup-line').filter({ hasText: 'imitation-2' }).waitFor();
    await page.clearNotifications();
  });

  it('asks back, and an option button answers', async () => {
    await panel.ask('How does retrieval-augmented generation work?');
    await panel.get('clarify').waitFor();
    assert.equal(await panel.get('option').count(), 3);
    await page.screenshot('model-clarify');
    await panel.get('option').nth(1).click();
    await panel.get('section').first().waitFor();
    assert.equal(await panel.get('clarify').count(), 0);
    await page.screenshot('model-sections');
  });

  it('sends one section back, gives one that the model fails as quotes, and ends with a report that says so', async () => {
    await panel.get('attempt').first().waitFor();
    await panel.reaches('finished');
    const sections = await panel.sections();
    assert.deepEqual(
      sections.map(({ status }) => status),
      Array<string>(4).fill('completed'),
    );
    const failing = sections.find(({ title }) => /Limits/.test(title))!.title;
    const requests = server.requests.slice(begun);
    const distilled = requestsOf(requests, 'distil').filter(({ section }) => section === failing);
    assert.equal(distilled.length, 3, 'asked, and tried twice again');
    assert.equal(requestsOf(requests, 'review').length, 2);
    assert.ok(
      requests.some(({ prompt }) => prompt.includes('Recent results')),
      'the chosen option reaches the model',
    );
    await page.screenshot('model-finished');
  });

  it('opens the saved report, with every citation resolved', async () => {
    await page
      .editorTab(/^\d{4}-\d\d-\d\d-/)
      .first()
      .waitFor();
    const [file] = fs.readdirSync(path.join(workspace, 'research')).filter((name) => !name.endsWith('.evidence.md'));
    const text = fs.readFileSync(path.join(workspace, 'research', file!), 'utf8');
    assert.doesNotMatch(text, /\[S[0-9a-f]{5,}\]/);
    assert.match(text, /^- <a id="ref-1"><\/a>\[1\] .*\]\(\.\.\/notes\/[\w-]+\.md#L\d+-L\d+\)/m);
    assert.match(text, /^## .*Limits/m, 'the section that the model failed is there');
    assert.match(text, /^- Note: The findings could not be condensed: .*HTTP 500.*given as quotes\.$/m);
    assert.match(text, /model: ["']?imitation-2/);
  });

  it('shows at one key for each citation the passage of its own statement, marked', async () => {
    await page.runCommand('Deep Research: Open as Report');
    const reader = await page.webview('.reader h1');
    const report = reader.getByTestId('report');
    // The whole text is there.
    await report.getByText('References', { exact: true }).waitFor();
    const markers = report.locator('[data-citation]:not([data-target], .chart *)');
    const count = await markers.count();
    assert.ok(count >= 10, `${count} citations`);
    const files = fs.globSync('**/*.{md,txt}', { cwd: workspace, exclude: (name) => name === 'research' });
    const read = files.map((name) => plainWords(fs.readFileSync(path.join(workspace, name), 'utf8')));
    await report.click({ position: { x: 5, y: 5 } });
    for (let place = 0; place < count; place += 1) {
      await page.page.keyboard.press(']');
      await markers.nth(place).and(reader.locator(':focus')).waitFor();
      const marked = reader.getByTestId('evidence').locator('mark').first();
      await marked.waitFor();
      const words = plainWords(await marked.innerText());
      assert.ok(words !== '' && read.some((text) => text.includes(words)), `${place}: ${words}`);
      const { top, bottom } = await marked.evaluate((element) => element.getBoundingClientRect());
      assert.ok(top >= 0 && bottom <= (await reader.evaluate(() => window.innerHeight)), `${place}: in sight`);
    }
  });

  it('is searched by Find, from one place to the next', async () => {
    const reader = await page.webview('.reader h1');
    const report = reader.getByTestId('report');
    const word = 'retrieval';
    assert.ok((await report.innerText()).toLowerCase().split(word).length > 3);
    await report.click({ position: { x: 5, y: 5 } });
    await page.page.keyboard.press('Control+F');
    const box = page.page.locator('.simple-find-part.visible input').first();
    await box.fill(word);
    const found = () =>
      reader.evaluate(() => {
        const selection = window.getSelection()!;
        return selection.rangeCount === 0 || selection.isCollapsed
          ? undefined
          : { text: selection.toString().toLowerCase(), top: selection.getRangeAt(0).getBoundingClientRect().top };
      });
    const next = async (before: number | undefined) => {
      await box.press('Enter');
      for (;;) {
        const at = await found();
        if (at !== undefined && at.top !== before) return at;
      }
    };
    const first = await next(undefined);
    assert.equal(first.text, word);
    assert.equal((await next(first.top)).text, word);
    await page.screenshot('reader-find');
    assert.equal(await reader.getByTestId('challenge-selection').count(), 0, 'nothing covers what is found');
    await box.press('Escape');
    await box.waitFor({ state: 'hidden' });
  });

  it('has its sources in a tree, which is filtered', async () => {
    await page.runCommand('Deep Research: Focus on Sources View');
    const header = page.page.locator('.pane-header[aria-label^="Sources"]');
    const rows = page.page.locator('.pane').filter({ has: header }).locator('.monaco-list-row');
    const shown = async () => (await rows.allInnerTexts()).map((row) => /read, not cited/.test(row));
    await rows.filter({ hasText: /\[1\]/ }).first().waitFor();
    const filter = async (chosen: string) => {
      await header.hover();
      await page.page.getByRole('button', { name: 'Filter Sources…' }).first().click();
      await offered().filter({ hasText: chosen }).first().click();
    };
    await filter('Read, not cited');
    await rows.filter({ hasText: /\[1\]/ }).first().waitFor({ state: 'detached' });
    const left = await shown();
    assert.ok(left.length > 0 && left.every((isLeft) => isLeft));
    await filter('All sources');
    await rows.filter({ hasText: /\[1\]/ }).first().waitFor();
    await page.screenshot('sources-tree');
  });

  it('says what it costs to check an edited sentence again, and asks the model for nothing before', async () => {
    const folder = path.join(workspace, 'research');
    const [name] = fs.readdirSync(folder).filter((one) => !one.endsWith('.evidence.md'));
    const file = path.join(folder, name!);
    const was = fs.readFileSync(file, 'utf8');
    const [sentence] = /\n\n[A-Z][^\n[\]#]{20,}? \[\[\d+\]\]/.exec(was)!;
    fs.writeFileSync(file, was.replace(sentence, `\n\nNowadays ${sentence.trim()}`));
    await page.runCommand('Deep Research: Reopen as Text');
    const edited = page.page.locator('.view-line').filter({ hasText: 'Nowadays' }).first();
    await edited.waitFor();
    const asked = server.requests.length;
    const dialog = page.page.locator('.monaco-dialog-box');
    const check = async () => {
      await edited.click({ position: { x: 30, y: 5 } });
      await page.page.keyboard.press('Control+.');
      await page.page.locator('.action-widget').getByText('Check Again', { exact: true }).click();
      await dialog.waitFor();
    };
    await check();
    assert.match(
      await dialog.innerText(),
      /Check this statement against its sources with imitation-2\?[^]*About [\d,]+ tokens/,
    );
    await page.screenshot('check-again');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(server.requests.length, asked);
    await check();
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await server.waitFor(({ index, step }) => index >= asked && step === 'verify');
    await page.notification(/statement/);
    await page.clearNotifications();
    fs.writeFileSync(file, was);
    await page.runCommand('Deep Research: Open as Report');
    await page.webview('.reader h1');
  });

  it('counts tokens and time', async () => {
    assert.match(await panel.get('tokens').innerText(), /tokens/);
    assert.match(await panel.get('elapsed').innerText(), /\d:\d\d/);
  });

  it('is asked about in a box beneath it, with the costs before anything is sent and the answer in the panel', async () => {
    await panel.get('follow-up').waitFor();
    assert.match(await panel.get('follow-up-about').innerText(), /^About “.+”, version 1$/);
    for (const kind of ['answer', 'research', 'rewrite', 'challenge'])
      await panel
        .get(`follow-up-${kind}`)
        .filter({ hasText: /about [\d,]+ tokens/ })
        .waitFor();
    const [asked, tabs] = [server.requests.length, await page.page.locator('.tab').count()];
    await panel.get('follow-up-text').fill('How does reranking work?');
    await panel.get('follow-up-answer').click();
    await page.screenshot('follow-up');
    assert.equal(server.requests.length, asked);
    await panel.get('follow-up-text').press('Enter');
    await panel.get('answer-end').waitFor();
    const requests = server.requests.slice(asked);
    assert.equal(requests[0]!.step, 'followUp');
    assert.deepEqual(
      requests.filter(({ step }) => ['assess', 'plan', 'act'].includes(step)),
      [],
    );
    assert.equal(await panel.get('shown-question').innerText(), 'How does reranking work?');
    assert.equal(await panel.get('report').count(), 1, 'the report is in its tab');
    assert.ok((await panel.get('report').last().getByTestId('citation').count()) > 0);
    // What it costs is estimated once the answer is there.
    await panel
      .get('research-it')
      .filter({ hasText: /Research it \(about [\d,]+ tokens\)/ })
      .waitFor();
    assert.equal(await page.page.locator('.tab').count(), tabs, 'an answer has no tab');
    await page.screenshot('follow-up-answer');
  });

  it('is changed from there by a version that waits, shown in the diff editor', async () => {
    const asked = server.requests.length;
    await panel.get('research-it').click();
    await page.page.locator('.tab', { hasText: 'How does reranking work' }).first().waitFor();
    assert.ok(requestsOf(server.requests.slice(asked), 'act').length > 0, 'it searches');
    await page.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
    await page.screenshot('follow-up-diff');
    await page.clearNotifications();
    await page.runCommand('View: Close All Editors');
  });

  it('offers the models from under its question box too, and says when one of the editor is taken', async () => {
    await panel.get('new-question').click();
    await panel.get('select-model').click();
    await offered().filter({ hasText: 'Modest' }).first().click();
    await page.notification(/imitated\/modest answered in/);
    await panel.get('setup-line').filter({ hasText: 'imitated/modest' }).waitFor();
    assert.match(await panel.get('setup-line').innerText(), /VS Code/);
    assert.match((await panel.get('setup-line').getAttribute('title')) ?? '', /imitated\/modest/);
  });

  it('still lists the models of the server whose address that choice replaced', async () => {
    await page.clearNotifications();
    await panel.get('select-model').click();
    await offered().filter({ hasText: 'imitation-1' }).first().click();
    await page.notification(/imitation-1 answered in/);
    await panel
      .get('setup-line')
      .filter({ hasText: new URL(server.url).host })
      .waitFor();
  });
});
