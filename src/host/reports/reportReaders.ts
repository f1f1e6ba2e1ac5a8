import path from 'node:path';
import * as vscode from 'vscode';
import { type ReaderHostMessage, type ReaderMessage, readerMessageSchema } from '../../protocol/readerMessages.ts';
import { runIdPattern } from '../../protocol/runFolder.ts';
import type { RunView } from '../../protocol/runView.ts';
import { commandIds, liveReportViewType, reportChartsSetting, reportViewType } from '../commandIds.ts';
import { l10n } from '../l10n.ts';
import { pageOf, pageOptions } from '../panel/webviewPage.ts';
import { CitedEvidence, type CitingReport } from './citedEvidence.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import type { ReopenedRuns } from '../sessions/reopenedRuns.ts';
import { openPage } from './openSource.ts';
import { signedMarks } from '../../protocol/citationMark.ts';
import { chartKeys, isVerified } from '../../files/evidence.ts';
import { judgedTexts } from '../../files/findStatements.ts';
import { bodyOf, fieldOf, runOfReport } from './reportText.ts';
import { isWebAddress } from './sourceTarget.ts';

/** How long deltas and edits are batched before they are posted (milliseconds). */
const batchMs = 80;

type Members = 'session' | 'panel' | 'citations' | 'context' | 'runsFolder' | 'log' | 'texts' | 'showError';

/** What the tabs of reports need of the window. */
export interface ReaderHost extends Pick<ResearchWindow, Members> {
  reopened(): Promise<Pick<ReopenedRuns, 'read'>>;
}

/** The tabs that show a report as it is read: of files, and of the run that is writing one. */
export class ReportReaders implements vscode.Disposable {
  readonly #host: ReaderHost;
  readonly evidence: CitedEvidence;
  readonly #tabs = new Set<ReaderTab>();
  /** The run whose report was opened while it was written; its tab may be closed since. */
  #streamed: string | undefined;
  readonly #subscriptions: vscode.Disposable;

  constructor(host: ReaderHost) {
    this.#host = host;
    this.evidence = new CitedEvidence(host);
    this.#subscriptions = vscode.Disposable.from(
      this.evidence,
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#changed(document)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(reportChartsSetting)) for (const tab of this.#tabs) tab.post();
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** True while a tab shows the report of a run. */
  isOpen(run: string): boolean {
    return this.#tabOf(run) !== undefined;
  }

  /** Brings the tab of a run's report to the front. False without one. */
  show(run: string, preserveFocus = false): boolean {
    const tab = this.#tabOf(run);
    tab?.panel.reveal(undefined, preserveFocus);
    return tab !== undefined;
  }

  /** The custom editor of a report's file. */
  resolve(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    this.#add(panel, { document, view: undefined });
  }

  /** The tab of a run that was being written when the window was reloaded. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const origin = typeof state === 'object' && state !== null && 'origin' in state ? String(state.origin) : '';
    const view = await this.#viewOf(origin);
    if (view && view.report.path === undefined) return this.#add(panel, { document: undefined, view });
    panel.dispose();
    const file = view?.report.path === undefined ? fileOf(origin) : vscode.Uri.file(view.report.path);
    if (file) void vscode.commands.executeCommand('vscode.openWith', file, reportViewType, { preserveFocus: true });
  }

  /** The shown run, or a saved one: after a reload the panel may be hidden, and show none. */
  async #viewOf(run: string): Promise<RunView | undefined> {
    if (!runIdPattern.test(run)) return undefined;
    const { view } = this.#host.session;
    return run === view.run ? view : (await this.#host.reopened()).read(run);
  }

  /** Shows more of the report that a run writes; its first text opens a tab, the focus stays where it is. */
  stream(view: RunView, offset: number): void {
    const tab = this.#tabOf(view.run);
    if (tab) return tab.stream(view, offset);
    if (this.#streamed === view.run || view.report.text.trim() === '') return;
    this.#streamed = view.run;
    const { createWebviewPanel } = vscode.window;
    const title = vscode.l10n.t('Report');
    const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus: true };
    const panel = createWebviewPanel(liveReportViewType, title, column, { enableFindWidget: true });
    panel.iconPath = vscode.Uri.joinPath(this.#host.context.extensionUri, 'media', 'icon.png');
    this.#add(panel, { document: undefined, view });
  }

  /** The run has ended, or another one is shown. */
  ended(view: RunView): void {
    for (const tab of this.#tabs) if (tab.report.run === view.run) tab.stream(view);
  }

  /** More is known of the report of a run; without one, of all. */
  changed(run?: string): void {
    for (const tab of this.#tabs) if (run === undefined || tab.report.run === run) tab.post();
  }

  /** The report of a run is in this document now: the tab that shows it follows the file. False without such a tab. */
  saved(run: string, document: vscode.TextDocument): boolean {
    const tab = [...this.#tabs].find(({ report }) => report.run === run && !report.document);
    tab?.follow(document);
    return tab !== undefined;
  }

  /** Brings the tab of a document that was opened while its report was written to the front. False without one. */
  reveal({ uri }: vscode.TextDocument, preserveFocus: boolean): boolean {
    const tab = [...this.#tabs].find(({ panel, report }) => panel.viewType === liveReportViewType && isAt(report, uri));
    tab?.panel.reveal(undefined, preserveFocus);
    return tab !== undefined;
  }

  /** Shows a citation of a report in its tab. False without one. */
  goTo({ document, run }: CitingReport, place: Omit<CitationPlace, 'type'>): boolean {
    const tab = [...this.#tabs].find(({ report }) => (document ? isAt(report, document.uri) : report.run === run));
    tab?.goTo({ type: 'goTo', ...place });
    return tab !== undefined;
  }

  /** The report of the tab in front; undefined where that is another tab. */
  active(): { readonly panel: vscode.WebviewPanel; readonly report: CitingReport } | undefined {
    return [...this.#tabs].find(({ panel }) => panel.active);
  }

  #tabOf(run: string): ReaderTab | undefined {
    return [...this.#tabs].find(({ report }) => report.run === run);
  }

  /** Answers what the panel asks about a citation; undefined where there is nothing to say. */
  async answer(run: string, raw: unknown): Promise<EvidenceMessage | undefined> {
    const { data } = readerMessageSchema.safeParse(raw);
    const { view } = this.#host.session;
    const report = { run, document: undefined, text: run === view.run ? view.report.text : '' };
    // The panel has a column of its own.
    const answer = data && (await answerOf(data, report, this.evidence, vscode.ViewColumn.Active));
    return answer?.type === 'evidence' ? answer : undefined;
  }

  #add(panel: vscode.WebviewPanel, shown: Shown): void {
    const tab = new ReaderTab(panel, shown, this.#host, this.evidence);
    this.#tabs.add(tab);
    panel.onDidDispose(() => {
      this.#tabs.delete(tab);
      this.#host.panel.link.reading();
    });
    this.#host.panel.link.reading();
  }

  #changed(document: vscode.TextDocument): void {
    for (const tab of this.#tabs) if (isAt(tab.report, document.uri)) tab.follow(document);
  }
}

export type EvidenceMessage = Extract<ReaderHostMessage, { type: 'evidence' }>;
type CitationPlace = Extract<ReaderHostMessage, { type: 'goTo' }>;
type ReportMessage = Extract<ReaderHostMessage, { type: 'report' }>;
type Answer = Extract<ReaderHostMessage, { type: 'evidence' | 'asked' }>;

async function answerOf(
  message: ReaderMessage,
  report: CitingReport,
  evidence: CitedEvidence,
  viewColumn?: vscode.ViewColumn,
): Promise<Answer | undefined> {
  const ask = (question: string | undefined, how: object) =>
    vscode.commands.executeCommand(commandIds.askRun, report.document?.uri ?? report.run, question, how);
  switch (message.type) {
    case 'findEvidence':
      return { type: 'evidence', id: message.id, evidence: await evidence.show(report, message) };
    case 'openCited':
      await evidence.open(report, message, message.copy, viewColumn);
      return undefined;
    case 'challenge':
      await ask(undefined, { as: 'challenge', fill: message.statement });
      return undefined;
    case 'ask':
      return { type: 'asked', isTaken: (await ask(message.question, {})) === true };
    case 'openPage':
      if (isWebAddress(message.url)) await openPage(message.url);
      return undefined;
    default:
      return undefined;
  }
}

interface Shown {
  readonly document: vscode.TextDocument | undefined;
  readonly view: RunView | undefined;
}

class ReaderTab {
  readonly panel: vscode.WebviewPanel;
  readonly #host: ReaderHost;
  readonly #evidence: CitedEvidence;
  #shown: Shown;
  /** The page has what was posted. */
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Where what is to be posted begins; undefined: the whole report. */
  #from: number | undefined;
  /** What a hidden page is to show once it is there. */
  #place: CitationPlace | undefined;
  /** The whole report, prepared while its page loads; undefined once something of it has changed. */
  #prepared: Promise<ReportMessage> | undefined;

  constructor(panel: vscode.WebviewPanel, shown: Shown, host: ReaderHost, evidence: CitedEvidence) {
    this.panel = panel;
    this.#shown = shown;
    this.#host = host;
    this.#evidence = evidence;
    const { webview } = panel;
    webview.options = pageOptions(host.context.extensionUri);
    const subscription = vscode.Disposable.from(
      webview.onDidReceiveMessage((message: unknown) => void this.#receive(message)),
      // A hidden page is thrown away; the next one says `ready`.
      panel.onDidChangeViewState(() => (this.#isReady &&= panel.visible)),
    );
    panel.onDidDispose(() => {
      clearTimeout(this.#timer);
      this.#isReady = false;
      subscription.dispose();
    });
    webview.html = pageOf(webview, host.context.extensionUri, 'reportPage', vscode.l10n.t('Report'));
    this.#prepared = this.#whole();
    // What fails is tried again when the page asks for it.
    this.#prepared.catch(() => undefined);
  }

  get report(): CitingReport {
    const { document, view } = this.#shown;
    if (!document) return { document, run: view?.run, text: view?.report.text ?? '' };
    const text = document.getText();
    return { document, run: runOfReport(text) ?? view?.run, text };
  }

  /** Shows what a run writes, from an offset on or as a whole. */
  stream(view: RunView, offset?: number): void {
    if (this.#shown.document) return;
    const isWhole = offset === undefined || (this.#timer !== undefined && this.#from === undefined);
    this.#shown = { ...this.#shown, view };
    this.post(isWhole ? undefined : Math.min(offset, this.#from ?? Infinity));
  }

  follow(document: vscode.TextDocument): void {
    this.#shown = { ...this.#shown, document };
    // As the custom editor's.
    if (this.panel.viewType === liveReportViewType) this.panel.title = path.posix.basename(document.uri.path);
    this.post();
  }

  goTo(place: CitationPlace): void {
    this.panel.reveal();
    this.#place = this.#isReady ? undefined : place;
    this.#send(place);
  }

  /** Draws the report again, from an offset on or as a whole. */
  post(from?: number): void {
    this.#prepared = undefined;
    if (!this.#isReady) return;
    this.#from = from;
    this.#timer ??= setTimeout(() => void this.#flush(), batchMs);
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const from = this.#from;
    this.#from = undefined;
    if (from !== undefined) return this.#send({ type: 'delta', offset: from, text: this.report.text.slice(from) });
    const whole = this.#prepared?.catch(() => this.#whole()) ?? this.#whole();
    this.#prepared = undefined;
    this.#send(await whole);
    if (this.#place) this.#send(this.#place);
    this.#place = undefined;
  }

  async #whole(): Promise<ReportMessage> {
    const at = this.#shown.document?.uri;
    const isDrawn = vscode.workspace.getConfiguration(undefined, at).get(reportChartsSetting, true);
    const [strings, facts, all] = await Promise.all([
      this.#host.texts(),
      this.#facts(),
      isDrawn ? this.#evidence.all(this.report) : [],
    ]);
    // As they are by now: deltas were sent meanwhile.
    const { text, document } = this.report;
    const { view } = this.#shown;
    const origin = document?.uri.toString() ?? view?.run ?? '';
    const writing =
      !document && view?.report.done === false && (view.status === 'running' || view.status === 'waiting');
    const charts = chartKeys(all);
    const report = { origin, text: document ? bodyOf(text) : text, facts, charts, writing };
    return { type: 'report', report, strings, locale: vscode.env.language };
  }

  async #receive(raw: unknown): Promise<void> {
    const parsed = readerMessageSchema.safeParse(raw);
    if (!parsed.success) return;
    try {
      await this.#handle(parsed.data);
    } catch (error) {
      this.#host.showError(error);
    }
  }

  async #handle(message: ReaderMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        return this.#flush();
      default: {
        const answer = await answerOf(message, this.report, this.#evidence);
        if (answer) this.#send(answer);
      }
    }
  }

  #send(message: ReaderHostMessage): void {
    if (this.#isReady) void this.panel.webview.postMessage(message);
  }

  /** One quiet line: question, date, model or quotes, sources, cost, how many statements are verified. */
  async #facts(): Promise<readonly string[]> {
    const { text, document } = this.report;
    const { view } = this.#shown;
    if (!document) return view ? [view.question, view.model ?? vscode.l10n.t('quotes')] : [];
    const field = (name: string) => fieldOf(text, name) ?? '';
    if (field('question') === '') return [];
    const date = new Date(field('created'));
    const model = field('model');
    const sources = Number(field('sources'));
    const cost = Number(field('cost'));
    const judged = judgedTexts(text, await this.#evidence.all(this.report));
    const found = judged.flatMap(({ evidence }) => evidence ?? []);
    const verified = found.filter(isVerified).length;
    const signed = text.match(signedMarks)?.length ?? 0;
    const isJudged = verified > 0 || found.some(({ verdict }) => verdict === 'unverified');
    return [
      field('question'),
      Number.isNaN(date.valueOf()) ? '' : date.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' }),
      ['', 'null', 'extractive'].includes(model) ? vscode.l10n.t('quotes') : model,
      sources > 0 ? l10n.t('{0, plural, one {# source} other {# sources}}', sources) : '',
      cost > 0 ? `$${cost.toFixed(2)}` : '',
      isJudged ? vscode.l10n.t('{0} of {1} verified', verified, judged.length) : '',
      signed > 0 ? l10n.t('{0, plural, one {# citation} other {# citations}} changed since', signed) : '',
    ].filter((fact) => fact !== '');
  }
}

function isAt({ document }: CitingReport, uri: vscode.Uri): boolean {
  return document?.uri.toString() === uri.toString();
}

function fileOf(origin: string): vscode.Uri | undefined {
  return origin.startsWith('file:') ? vscode.Uri.parse(origin, true) : undefined;
}
