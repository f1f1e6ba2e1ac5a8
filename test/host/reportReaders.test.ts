import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { ReportReaders } from '../../src/host/reports/reportReaders.ts';
import type { ResearchHost } from '../../src/host/researchHost.ts';
import type { ReaderHostMessage } from '../../src/protocol/readerMessages.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import type { RunView } from '../../src/protocol/runView.ts';
import { savedRecord } from '../support/savedRun.ts';
import { activateExtension, runUntil } from './support/extension.ts';

const run = '20260305-130000-abcdef';
const viewOf = (text: string): RunView => ({
  ...emptyView(),
  ...{ run, status: 'running', question: 'Tides?' },
  report: { ...emptyView().report, text, done: false },
});

function readersOf(host: ResearchHost, texts = () => host.texts()): ReportReaders {
  const { session, panel, citations, context, runsFolder, log } = host;
  return new ReportReaders({
    ...{ session, panel, citations, context, runsFolder, log, texts },
    reopened: () => host.reopened(),
    showError: (error) => host.showError(error),
  });
}

/** A tab whose page posts and receives what the test says. */
class ImitatedTab {
  isClosed = false;
  readonly #posted: ReaderHostMessage[] = [];
  readonly #received = new vscode.EventEmitter<unknown>();
  readonly #sent = new vscode.EventEmitter<void>();
  readonly #unused = new vscode.EventEmitter<never>();

  get panel(): vscode.WebviewPanel {
    const webview = {
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.#received.event,
      postMessage: async (message: ReaderHostMessage) => {
        this.#posted.push(message);
        this.#sent.fire();
      },
    };
    const dispose = () => {
      this.isClosed = true;
    };
    const events = { onDidChangeViewState: this.#unused.event, onDidDispose: this.#unused.event };
    return {
      viewType: 'deepResearch.liveReport',
      visible: true,
      active: true,
      webview,
      dispose,
      reveal: () => undefined,
      ...events,
    } as never;
  }

  /** Of what was posted. */
  get types(): readonly string[] {
    return this.#posted.map(({ type }) => type);
  }

  say(message: unknown): void {
    this.#received.fire(message);
  }

  /** The first message of a type, once it is posted. */
  posted<T extends ReaderHostMessage['type']>(type: T): Promise<Extract<ReaderHostMessage, { type: T }>> {
    const isOfType = (one: ReaderHostMessage): one is Extract<ReaderHostMessage, { type: T }> => one.type === type;
    return new Promise((resolve) => {
      const look = () => {
        const found = this.#posted.find(isOfType);
        if (found) resolve(found);
      };
      this.#sent.event(look);
      look();
    });
  }
}

describe('the tab of a report that is being written', () => {
  let host: ResearchHost;
  let folder: string;
  before(async () => {
    host = await activateExtension();
    folder = path.join(host.options().runsFolder, run);
    fs.mkdirSync(folder, { recursive: true });
    const event = { run, type: 'report/delta', seq: 8, at: '2026-03-05T13:00:00.000Z', offset: 0, text: 'One. ' };
    fs.writeFileSync(path.join(folder, 'run.json'), JSON.stringify(savedRecord({ run })));
    fs.writeFileSync(path.join(folder, 'events.ndjson'), `${JSON.stringify(event)}\n`);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it('has all of the text when the whole report was prepared while more of it arrived', async () => {
    const isPrepared = Promise.withResolvers<void>();
    const readers = readersOf(host, () => isPrepared.promise.then(() => host.texts()));
    const tab = new ImitatedTab();
    await readers.restore(tab.panel, { origin: run });
    tab.say({ type: 'ready' });
    readers.stream(viewOf('One. Two. '), 5);
    assert.deepEqual(await tab.posted('delta'), { type: 'delta', offset: 5, text: 'Two. ' });
    isPrepared.resolve();
    assert.equal((await tab.posted('report')).report.text, 'One. Two. ');
    readers.dispose();
  });

  it('is there after a reload of the window, before the panel shows its run', async () => {
    assert.notEqual(host.session.view.run, run);
    const readers = readersOf(host);
    const tab = new ImitatedTab();
    await readers.restore(tab.panel, { origin: run });
    tab.say({ type: 'ready' });
    const { origin, text, writing } = (await tab.posted('report')).report;
    assert.deepEqual([origin, text, writing], [run, 'One. ', false]);
    assert.ok(!tab.isClosed && readers.isOpen(run));
    readers.dispose();
  });

  it('goes to a citation once its page has the report', async () => {
    const readers = readersOf(host);
    const tab = new ImitatedTab();
    await readers.restore(tab.panel, { origin: run });
    const report = { document: undefined, run, text: 'One. ' };
    assert.equal(readers.goTo(report, { number: 2, nth: 1 }), true);
    tab.say({ type: 'ready' });
    assert.deepEqual(await tab.posted('goTo'), { type: 'goTo', number: 2, nth: 1 });
    assert.deepEqual(tab.types, ['report', 'goTo']);
    assert.equal(readers.goTo({ ...report, run: undefined }, { number: 2, nth: 1 }), false);
    readers.dispose();
  });

  it('says that no run has begun with a question when the list of what can happen with it is closed', async () => {
    const readers = readersOf(host);
    const tab = new ImitatedTab();
    await readers.restore(tab.panel, { origin: run });
    tab.say({ type: 'ready' });
    tab.say({ type: 'ask', question: 'How deep?' });
    const { isTaken } = await runUntil('workbench.action.closeQuickOpen', tab.posted('asked'));
    assert.deepEqual([isTaken, host.session.running], [false, false]);
    readers.dispose();
  });

  it('is closed after a reload when its run was deleted', async () => {
    const readers = readersOf(host);
    const tab = new ImitatedTab();
    await readers.restore(tab.panel, { origin: '20260305-140000-abcdef' });
    assert.ok(tab.isClosed);
    readers.dispose();
  });
});
