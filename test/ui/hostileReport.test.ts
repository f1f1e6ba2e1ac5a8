import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { exportRun } from '../../src/engine.ts';
import { assertAllowed } from '../support/hostileMarkdown.ts';
import { answerLikeAModel } from '../support/modelAnswers.ts';
import type { Script } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { keepFailures } from './support/researchPage.ts';
import { isWriting } from '../support/modelRequest.ts';

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

describe('a report whose every field is hostile', () => {
  let modelEditor: ModelEditor;
  let listener: http.Server;
  let at = '';
  const asked: string[] = [];

  before(async () => {
    listener = http.createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    at = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    modelEditor = await openModelEditor({
      model: { delayMs: 10, script: hostile },
      settings: { clarification: 'off', planApproval: 'never', strategy: 'sections' },
    });
    fs.writeFileSync(
      path.join(modelEditor.workspace, 'hostile.md'),
      `# Retrieval-augmented generation ![a](${at}/30.png)\n\nRetrieval-augmented generation is hostile here. ${constructs(at)}\n`,
    );
  });
  keepFailures(() => modelEditor.page);
  after(async () => {
    await modelEditor?.close();
    listener?.close();
  });

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
  /** What of the window leads to the listener. */
  const traces = async (): Promise<string[]> => {
    const found = await Promise.all(
      modelEditor.page.page
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
    const { panel, page, editor } = modelEditor;
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
    const target = path.join(modelEditor.workspace, 'report.html');
    await exportRun({ runsFolder: editor.runs, run: id, format: 'html', target });
    const tab = await page.page.context().browser()!.newPage();
    await tab.goto(pathToFileURL(target).href);
    assert.equal(await tab.locator('script, img, iframe, object, video, svg image').count(), 0);
    assert.deepEqual(asked, []);
  });
});
