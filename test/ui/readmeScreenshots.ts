// Takes the README's pictures (npm run screenshots): the first minute with the sample workspace: sections, a report, and a model's question.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { drawn, openPanel, type Panel } from './support/researchPage.ts';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { clarifyOnce } from '../support/modelScenarios.ts';
import { startModelServer } from '../support/modelServer.ts';
import { removeFolder, root } from '../support/paths.ts';
import { imitatedSettings, startSourceServer } from '../support/sourceServer.ts';

// The panel shows where the report is saved: a path that reads well in a picture.
const workspace = path.join(os.tmpdir(), 'docs-assistant');
fs.rmSync(workspace, { recursive: true, force: true });
fs.cpSync(path.join(root, 'examples'), workspace, { recursive: true });
const question = 'What are the main techniques for retrieval-augmented generation?';
const quiet = { 'window.title': '${rootName}', 'editor.minimap.enabled': false, 'breadcrumbs.enabled': false };
const viewport = { width: 1120, height: 700 };

async function shoot(page: EditorPage, name: string, part?: Locator): Promise<void> {
  await page.page.mouse.move(5, 5);
  await page.page.locator('.monaco-sash.hover').waitFor({ state: 'detached' });
  await (part ?? page.page).screenshot({ path: path.join(root, 'media', 'readme', `${name}.png`) });
}

async function widen(page: EditorPage, panel: Panel, to: number): Promise<void> {
  const bar = (await page.page.locator('.part.sidebar').boundingBox())!;
  await page.page.mouse.move(bar.x + bar.width, bar.y + 300);
  await page.page.mouse.down();
  await page.page.mouse.move(bar.x + to, bar.y + 300, { steps: 5 });
  await page.page.mouse.up();
  await panel.frame.waitForFunction((wanted) => Math.abs(innerWidth - wanted) < 40, to);
}

/** A dark window in which the question is asked. */
async function asked(editor: Editor) {
  const page = await editor.openPage({ viewport });
  await page.setColorTheme('dark');
  const panel = await openPanel(page);
  await widen(page, panel, 420);
  await panel.ask(question);
  return { page, panel };
}

/** Sections that a model plans, while it condenses what they found. */
async function sections(): Promise<void> {
  const [sources, model] = await Promise.all([
    startSourceServer(),
    startModelServer({
      models: ['qwen3-30b'],
      script: ({ step }) => (step === 'distil' ? { hang: true } : undefined),
    }),
  ]);
  const editor = await startEditor({
    workspace,
    userSettings: { ...quiet, 'deepResearch.model.name': 'qwen3-30b' },
    machineSettings: { ...imitatedSettings(sources), 'deepResearch.model.baseUrl': model.url },
  });
  try {
    const { page, panel } = await asked(editor);
    await panel.frame.waitForFunction(() => document.querySelectorAll('.section-count').length >= 3);
    await drawn(panel.frame);
    await shoot(page, 'research');
  } finally {
    await editor.stop();
    await Promise.all([sources.close(), model.close()]);
  }
}

/** Without a model: the report in its tab. */
async function report(): Promise<void> {
  const sources = await startSourceServer();
  const editor = await startEditor({
    workspace,
    userSettings: { ...quiet, 'deepResearch.report.openAs': 'preview' },
    machineSettings: { ...imitatedSettings(sources) },
  });
  try {
    const { page, panel } = await asked(editor);
    await panel.reaches('finished');
    await page.editorTab(/^\d{4}-/).waitFor();
    const reader = await page.webview('.reader h1');
    await drawn(reader);
    await panel.frame.evaluate(() => scrollTo(0, 0));
    await shoot(page, 'report');
  } finally {
    await editor.stop();
    await sources.close();
  }
}

async function clarification(): Promise<void> {
  const server = await startModelServer({
    models: ['qwen3-30b'],
    script: clarifyOnce('What should the report on **RAG** concentrate on?', [
      'The main techniques, compared',
      'How to evaluate a RAG system',
      'Tools that are ready to use',
    ]),
  });
  const editor = await startEditor({
    workspace,
    userSettings: { ...quiet, 'deepResearch.model.name': 'qwen3-30b' },
    machineSettings: { 'deepResearch.model.baseUrl': server.url },
  });
  try {
    const page = await editor.openPage({ viewport: { width: 800, height: viewport.height } });
    await page.setColorTheme('dark');
    const panel = await openPanel(page);
    await widen(page, panel, 460);
    await panel.ask('Tell me about RAG');
    await panel.get('clarify').waitFor();
    await drawn(panel.frame);
    await shoot(page, 'clarify', page.page.locator('.part.sidebar'));
  } finally {
    await editor.stop();
    await server.close();
  }
}

try {
  await sections();
  await report();
  await clarification();
} finally {
  removeFolder(workspace);
}
