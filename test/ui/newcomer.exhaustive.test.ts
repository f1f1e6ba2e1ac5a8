import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { isWriting } from '../support/modelRequest.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { type ProviderServer, startProviderServer } from '../support/providerServer.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';
const ollamaPort = 11_434;

/** The extension is installed, and nothing is set: no model, no key, no source. */
describe('a newcomer', () => {
  let workspace: string | undefined;
  let editor: Editor;
  let page: EditorPage;
  let ollama: ProviderServer | undefined;
  let actions: string[] = [];

  /** One thing that a person does: a command, a click, a line that is typed and sent. */
  async function act<T>(name: string, done: () => Promise<T>): Promise<T> {
    actions.push(name);
    return done();
  }

  async function open(): Promise<void> {
    actions = [];
    workspace = copyWorkspace('examples');
    editor = await startEditor({ workspace, installed: true, machineSettings: await offline() });
    page = await editor.openPage();
  }
  keepFailures(() => page);
  afterEach(async () => {
    await editor?.stop();
    await ollama?.close();
    if (workspace) removeFolder(workspace);
  });

  /** The report that the panel has shown, as it was saved. */
  async function report(panel: Panel): Promise<string> {
    await panel.reaches('finished');
    const folder = path.join(workspace!, 'research');
    const [name] = fs.readdirSync(folder).filter((file) => /(?<!\.evidence)\.md$/.test(file));
    return fs.readFileSync(path.join(folder, name!), 'utf8');
  }

  it('has a cited report written by the model of an Ollama on this machine after at most five actions', async (context) => {
    try {
      ollama = await startProviderServer('ollama', undefined, ollamaPort);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      return context.skip(`port ${ollamaPort} is in use, perhaps by a real Ollama`);
    }
    await open();
    const panel = await act('open the panel', () => openPanel(page));
    await panel
      .get('setup-line')
      .filter({ hasText: `127.0.0.1:${ollamaPort}` })
      .waitFor();
    await act('ask', () => panel.ask(question));
    const text = await report(panel);
    const [, model] = /^model: "?([^"\n]+)"?$/m.exec(text)!;
    await page.screenshot('newcomer-ollama');
    assert.ok(ollama.requests.some((request) => request.wire['model'] === model && request.step === 'trial'));
    assert.ok(ollama.requests.some((request) => request.wire['model'] === model && isWriting(request.step)));
    assert.match(text, /\[\[1\]\]\(#ref-1\)/);
    assert.ok(actions.length <= 5, actions.join(', '));
  });
});
