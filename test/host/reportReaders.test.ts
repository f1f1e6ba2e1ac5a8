import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ReportReaders } from '../../src/host/reports/reportReaders.ts';
import type { ResearchHost } from '../../src/host/researchHost.ts';
import type { ReaderHostMessage } from '../../src/protocol/readerMessages.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import type { RunView } from '../../src/protocol/runView.ts';
import { activateExtension } from './support/extension.ts';

const run = '20260305-130000-abcdef';
const viewOf = (text: string): RunView => ({
  ...emptyView(),
  ...{ run, status: 'running', question: 'Tides?' },
  report: { ...emptyView().report, text, done: false },
});

/** A tab whose page posts and receives what the test says. */
class ImitatedTab {
  readonly disposed = Promise.withResolvers<void>();
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
    const dispose = () => this.disposed.resolve();
    const events = { onDidChangeViewState: this.#unused.event, onDidDispose: this.#unused.event };
    return { viewType: 'deepResearch.liveReport', visible: true, active: true, webview, dispose, ...events } as never;
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
  before(async () => {
    host = await activateExtension();
  });

  it('has all of the text when the whole report was prepared while more of it arrived', async () => {
    const { session, panel, citations, context, runsFolder, log } = host;
    const isPrepared = Promise.withResolvers<void>();
    const readers = new ReportReaders({
      ...{ session, panel, citations, context, runsFolder, log },
      texts: () => isPrepared.promise.then(() => host.texts()),
      showError: (error) => host.showError(error),
    });
    const tab = new ImitatedTab();
    readers.restore(tab.panel, { origin: run }, viewOf('One. '));
    tab.say({ type: 'ready' });
    readers.stream(viewOf('One. Two. '), 5);
    assert.deepEqual(await tab.posted('delta'), { type: 'delta', offset: 5, text: 'Two. ' });
    isPrepared.resolve();
    assert.equal((await tab.posted('report')).report.text, 'One. Two. ');
    readers.dispose();
  });
});
