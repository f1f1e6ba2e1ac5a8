import * as vscode from 'vscode';
import type { ResearchEvent } from '../protocol/events.ts';
import type { Setup } from '../protocol/messages.ts';
import type { RunView } from '../protocol/runView.ts';
import type { StringKey } from '../protocol/strings.ts';
import { offerServer } from './agents/agentServer.ts';
import { commandIds, contextKeys, settingsPrefix } from './commandIds.ts';
import type { PanelDocuments } from './documents/panelDocuments.ts';
import { openPlace, QuestionDocuments } from './documents/questionDocuments.ts';
import { HistoryView } from './history/historyView.ts';
import type { RunEntry } from '../runs/runEntry.ts';
import { LastRunMemory } from './lastRun.ts';
import { manifestOf } from './manifest.ts';
import { RedactedLog } from '../runs/log.ts';
import { type HandledMessage, handleWith, type PanelHandlers } from './panel/panelLink.ts';
import { PanelProvider } from './panel/panelProvider.ts';
import { Citations } from './reports/citations.ts';
import { ReportService } from './reports/reportService.ts';
import { ShownReport } from './reports/shownReport.ts';
import type {
  EngineOptions,
  KeyService,
  ResearchEngine,
  RunResult,
  TextCheck,
  TextOptions,
} from '../protocol/ports.ts';
import type { ResearchWindow } from './researchWindow.ts';
import { RunSetup } from './runSetup.ts';
import { KeyRing } from './secrets.ts';
import { SourcesView } from './sources/sourcesView.ts';
import type { AttentionBar } from './sessions/attentionBar.ts';
import type { ReopenedRuns } from './sessions/reopenedRuns.ts';
import type { RunChoices } from '../runs/runChoices.ts';
import { describeError } from '../runs/describeError.ts';
import { RunSession, type SessionHost } from '../runs/runSession.ts';
import { currentFolder } from './workspaceFolder.ts';
import { shownError, shownEvent, shownSetup, shownView } from './shownErrors.ts';

/**
 * The research of one window: joins the run, the panel, the reports and the keys. Commands and panel messages end here.
 * What is rarely needed (keys, an earlier run, a source) is imported on use, so that activation stays small.
 */
export class ResearchHost implements ResearchWindow, SessionHost, vscode.Disposable {
  readonly context: vscode.ExtensionContext;
  readonly loadEngine: () => Promise<ResearchEngine>;
  readonly keyServices: readonly KeyService[];
  readonly #channel: vscode.LogOutputChannel;
  readonly log: RedactedLog;
  readonly keys: KeyRing;
  readonly memory: LastRunMemory;
  readonly #setup: RunSetup;
  readonly runsFolder: string;
  readonly session: RunSession;
  readonly panel: PanelProvider;
  readonly history: HistoryView;
  readonly citations: Citations;
  readonly sources: SourcesView;
  readonly reports: ReportService;
  readonly documents = new QuestionDocuments(() => {
    this.panel.link.attached();
    if (this.documents.items().length > 0) this.#done(contextKeys.attached);
  });
  #panelDocuments: Promise<PanelDocuments> | undefined;
  readonly #report: ShownReport;
  #attention: Promise<AttentionBar> | undefined;
  readonly #subscriptions: vscode.Disposable;
  #reopened: Promise<ReopenedRuns> | undefined;

  constructor(context: vscode.ExtensionContext, loadEngine: () => Promise<ResearchEngine>) {
    this.context = context;
    this.loadEngine = loadEngine;
    this.keyServices = manifestOf(context.extension).keyServices;
    this.#channel = vscode.window.createOutputChannel(vscode.l10n.t('Deep Research'), { log: true });
    this.log = new RedactedLog(this.#channel);
    this.keys = new KeyRing(
      context.secrets,
      context.globalState,
      async (service) => {
        const known = this.keyServices.find((one) => one.service === service);
        return known && editorAccount(known);
      },
      (key) => this.log.hide(key),
    );
    this.memory = new LastRunMemory(context.workspaceState);
    this.runsFolder = vscode.Uri.joinPath(context.globalStorageUri, 'runs').fsPath;
    this.#setup = new RunSetup(this);
    this.session = new RunSession(this);
    this.panel = new PanelProvider(
      context.extensionUri,
      {
        view: () => shownView(this.session.view),
        setup: async () =>
          shownSetup((await Promise.all([this.describeSetup(), this.reopened().then((runs) => runs.restore())]))[0]),
        attached: () => this.documents.items(),
        isRead: () => this.reports.readers?.isOpen(this.#reportRun()) ?? false,
        strings: () => this.texts(),
        locale: vscode.env.language,
        handle: (message) => void this.#handle(message),
        refused: (type) => this.log.warn(`the panel sent a message of an unknown type: ${type}`),
      },
      () => this.#attend(this.session.view),
    );
    this.reports = new ReportService(this);
    this.#report = new ShownReport(this);
    this.history = new HistoryView(this);
    this.citations = new Citations(this.runsFolder, () => this.reports.evidence());
    this.sources = new SourcesView(this);
    void this.#showKeyCommands();
    void this.#reportLostKeys();
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      this.reports,
      { dispose: () => void this.#attention?.then((bar) => bar.dispose()) },
      this.panel,
      this.history,
      this.citations,
      this.sources,
      offerServer(this),
      this.#followSetup(context.secrets),
    );
  }

  /** Earlier runs in the panel. */
  reopened(): Promise<ReopenedRuns> {
    return (this.#reopened ??= import('./sessions/reopenedRuns.ts').then(({ ReopenedRuns }) => new ReopenedRuns(this)));
  }

  /** More is known of the report of a run; without one, of all. */
  async accepted(run?: string): Promise<void> {
    await this.citations.changed(run);
    this.reports.readers?.changed(run);
    this.sources.refresh();
  }

  /** The run whose report is shown: a follow-up is about that of its parent. */
  #reportRun(): string {
    const { parent, run } = this.session.view;
    return parent ?? run;
  }

  #loadDocuments(): Promise<PanelDocuments> {
    return (this.#panelDocuments ??= import('./documents/panelDocuments.ts').then(
      ({ PanelDocuments }) => new PanelDocuments(this),
    ));
  }

  /** Describes the setup again when something changes that it depends on. */
  #followSetup(secrets: vscode.SecretStorage): vscode.Disposable {
    const refresh = () => {
      this.#setup.health = undefined;
      void this.panel.link.setupChanged();
    };
    let folder = currentFolder()?.uri.toString();
    const refreshFolder = () => {
      const before = folder;
      folder = currentFolder()?.uri.toString();
      if (folder !== before) refresh();
    };
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration(settingsPrefix.slice(0, -1)) && refresh(),
      ),
      vscode.lm.onDidChangeChatModels(refresh),
      vscode.workspace.onDidChangeWorkspaceFolders(refresh),
      // With several folders the tab in front decides which one is researched.
      vscode.window.onDidChangeActiveTextEditor(refreshFolder),
      vscode.window.tabGroups.onDidChangeTabs(refreshFolder),
      vscode.window.tabGroups.onDidChangeTabGroups(refreshFolder),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        refresh();
        void this.accepted();
      }),
      secrets.onDidChange(() => {
        refresh();
        void this.#showKeyCommands();
      }),
    );
  }

  // -------- what a user does

  async start(question?: string, choices?: RunChoices): Promise<boolean> {
    await this.panel.focus();
    return this.#startOrAsk(question, choices);
  }

  /** Puts the selected text into the question box, so that the user sees what will be sent. */
  async researchSelection(): Promise<void> {
    const text = (await import('./documents/attachable.ts')).selectedText();
    if (text === '') return;
    await this.panel.focus();
    await (this.session.running ? this.#busy(async () => this.#ask(text)) : this.#ask(text));
  }

  /** Attaches what is selected in the explorer, else the selection or the file of the active editor, and shows the question box. */
  async addToQuestion(clicked: unknown, selected: unknown): Promise<void> {
    const chosen = (await import('./documents/attachable.ts')).chosenIds(clicked, selected);
    await this.panel.focus();
    const documents = await this.#loadDocuments();
    if (chosen.length === 0) await documents.pick();
    else await documents.attach(chosen);
    if (!this.session.running && this.session.view.status !== 'idle') this.#ask();
    else this.panel.link.ask();
  }

  async openLastReport(): Promise<void> {
    if (await this.#report.open()) return;
    if (await (await this.reopened()).offerStart()) await this.start();
  }

  /** @param provider Of models: the key is for its server. */
  async setKey(provider?: string): Promise<void> {
    await (await import('./keys.ts')).setKey(this, provider);
  }

  /** Lists the models that are there, sets the chosen one in the user's settings, and tests it. */
  async selectModel(): Promise<void> {
    await (await import('./models/selectModel.ts')).selectModel(this);
  }

  async clearKey(): Promise<void> {
    await (await import('./keys.ts')).clearKey(this);
  }

  /** Tests the enabled sources and the model; the panel shows the result in one line. */
  async checkSources(): Promise<void> {
    const { runCheck, showHealth, summaryOf } = await import('./checkSources.ts');
    const engine = await this.loadEngine();
    const found = await runCheck((signal) => engine.checkSources(this.options(), signal));
    this.#setup.health = summaryOf(found, this.log);
    this.#done(contextKeys.sourcesChecked);
    await this.panel.link.setupChanged();
    const fix = await showHealth(found);
    if (fix?.action === 'setKey') await this.setKey(fix.service);
    if (fix?.action === 'selectModel') await this.selectModel();
    if (fix?.action === 'openSettings') await this.#openSettings(fix.key);
  }

  /** Lets the user pick which of the editor's tools a run may call. */
  async useEditorTools(): Promise<void> {
    const { pickTools } = await import('./pickEditorTools.ts');
    await pickTools(this.context.globalState);
    await this.panel.link.setupChanged();
  }

  async useFromAgents(): Promise<void> {
    const { useFromAgents } = await import('./agents/useFromAgents.ts');
    if (await useFromAgents(this)) this.#done(contextKeys.agentsReady);
  }

  async texts(): Promise<Record<StringKey, string>> {
    const { panelStrings } = await import('../protocol/strings.ts');
    const texts = Object.entries(panelStrings).map(([key, text]) => [key, vscode.l10n.t(text)]);
    return Object.fromEntries(texts) as Record<StringKey, string>;
  }

  /** A step of the walkthrough is done. */
  #done(step: string): void {
    void vscode.commands.executeCommand('setContext', step, true);
  }

  /** What "Export Report" and "Share" mean: of a tab's title its report, of the panel its run, else whichever there is. */
  runToExport([of]: readonly unknown[]): readonly unknown[] {
    if (typeof of === 'string' || (typeof of === 'object' && of !== null && 'kind' in of)) return [of];
    const [shown, front] = [this.session.view.run, this.reports.front()?.run];
    const run = of instanceof vscode.Uri ? (front ?? shown) : shown || front;
    return run === undefined || run === '' ? [] : [run];
  }

  showLog(): void {
    this.#channel.show();
  }

  showError(error: unknown): void {
    if (error instanceof vscode.CancellationError) return;
    const { message, next } = shownError(error);
    this.log.error(error instanceof Error && error.stack ? error.stack : describeError(error).message);
    void vscode.window.showErrorMessage(next === '' ? message : `${message} ${next}`);
  }

  /** The window or the extension closes: interrupts the run. */
  async close(): Promise<void> {
    await Promise.all([this.session.leave(), this.history.close()]);
  }

  dispose(): void {
    void this.close();
    this.#subscriptions.dispose();
  }

  // -------- what the run reports

  /** Shows a run outside of the panel, from the first one on. */
  #attend(view: RunView): void {
    if (view.status === 'idle' && this.#attention === undefined) return;
    this.#attention ??= import('./sessions/attentionBar.ts').then((bar) => new bar.AttentionBar(this.panel));
    void this.#attention.then((bar) => bar.update(view));
  }

  onReplaced(view: RunView): void {
    this.#report.follow(view);
    this.panel.link.replaced();
    this.#attend(view);
    this.history.follow(view);
    this.sources.refresh();
  }

  onEvent(event: ResearchEvent, view: RunView, { workspaceFolder }: EngineOptions): void {
    if (event.type === 'run/started' || event.type === 'run/resumed') this.memory.started(event.run, workspaceFolder);
    // What was attached since is for what is asked next.
    if (event.type === 'run/finished') this.documents.clear(this.session.attached);
    this.panel.link.event(shownEvent(event));
    // What is asked about a report is shown beneath it.
    if (event.type === 'report/delta' && view.parent === undefined)
      this.reports.stream(view, event.offset).catch((error: unknown) => this.showError(error));
    this.#attend(view);
    this.history.follow(view);
    this.sources.refresh();
  }

  onReport(result: RunResult, options: EngineOptions): void {
    this.#report.written(result, options, this.session.view.warnings).catch((error: unknown) => this.showError(error));
  }

  onEnd(view: RunView): void {
    this.#report.follow(view);
    this.#attend(view);
    this.history.follow(view);
    this.sources.refresh();
    if (view.status === 'finished') this.#done(contextKeys.answered);
  }

  options(place?: string): EngineOptions {
    return this.#setup.options(place);
  }

  async describeSetup(): Promise<Setup> {
    const setup = await this.#setup.describe(this.options(), () => void this.panel.link.setupChanged());
    if (setup.model !== null && !setup.problem) this.#done(contextKeys.modelReady);
    return setup;
  }

  // -------- the chat

  async setupFor(choices: RunChoices): Promise<Setup> {
    const { withChoices } = await import('../runs/runChoices.ts');
    return this.#setup.describe(withChoices(this.options(), choices));
  }

  async prepareText(choices: RunChoices, text: Omit<TextOptions, keyof EngineOptions>): Promise<TextCheck> {
    const { withChoices } = await import('../runs/runChoices.ts');
    return (await this.loadEngine()).prepareText({ ...withChoices(this.options(), choices), ...text });
  }

  // -------- the panel

  readonly #handlers: PanelHandlers = {
    // The panel is in front already: there is no focus to wait for, and what is typed next can't overtake this.
    start: ({ type: _, question, ...choices }) =>
      this.#startFromPanel(question, { ...choices, attached: this.documents.attachments() }),
    findDocuments: async ({ query }) => (await this.#loadDocuments()).find(query),
    attach: async ({ ids }) => (await this.#loadDocuments()).attach(ids),
    pickDocuments: async () => (await this.#loadDocuments()).pick(),
    detach: ({ id }) => this.documents.detach(id),
    givePage: async ({ url, text }) => (await this.#loadDocuments()).givePage(url, text),
    givePageFile: async ({ url }) => (await this.#loadDocuments()).givePageFile(url),
    openPage: async ({ url }) => (await this.#loadDocuments()).openPage(url),
    answer: ({ id, answer }) => this.session.answer(id, answer),
    approvePlan: ({ type: _, round, ...plan }) => this.session.answerPlan(round, plan),
    anotherPlan: ({ type: _, round, ...remark }) => this.session.answerPlan(round, remark),
    approveEntities: ({ entities }) => this.session.approveEntities(entities),
    decideReview: ({ decision, sections }) =>
      this.session.decideReview(sections === undefined || decision === 'report' ? decision : { sections }),
    remark: ({ section, text }) => this.#steer(section, 'remark', (controls) => controls.remark(section, text)),
    stopSection: ({ section }) => this.#steer(section, 'stop', (controls) => controls.stopSection(section)),
    stop: () => this.session.stop(),
    finish: () => this.session.finish(),
    answerNow: () => this.session.answerNow(),
    resume: async () => (await this.reopened()).resumeShown(),
    new: () => {
      // They belong to the question that was asked.
      if (this.session.view.status !== 'idle') this.documents.clear(this.session.attached);
      return this.#startOrAsk();
    },
    findThread: async () => {
      const thread = await (await this.reopened()).thread();
      if (thread) this.panel.link.post({ type: 'thread', thread });
      this.panel.link.reading();
    },
    followUp: ({ type: _, question, ...how }) =>
      this.history.run(commandIds.askRun, [this.#reportRun(), question, { ...how, as: how.as }]),
    removeSection: ({ section }) => this.history.run(commandIds.removeSection, [this.#reportRun(), section]),
    attachText: async ({ text }) => (await this.#loadDocuments()).attachText(text),
    openReport: () => this.openLastReport(),
    openPreview: () => this.#report.read(this.#reportRun()),
    saveReport: () => this.#report.saveAs(),
    cited: async ({ run, message }) => {
      const answer = await this.reports.answer(run, message);
      if (answer) this.panel.link.post(answer);
    },
    openSource: ({ id }) => this.#openSource(id),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    showLog: () => this.showLog(),
    setKey: ({ provider }) => this.setKey(provider),
    checkSources: () => this.checkSources(),
    selectModel: () => this.selectModel(),
    tryAgain: () => this.panel.link.setupChanged(),
    openSettings: ({ key }) => this.#openSettings(key),
  };

  async #handle(message: HandledMessage): Promise<void> {
    try {
      await handleWith(this.#handlers, message);
    } catch (error) {
      this.showError(error);
    }
    // The panel waits for the run that it has asked for.
    if (['start', 'resume', 'followUp'].includes(message.type) && !this.session.running) this.panel.link.replaced();
  }

  async #steer(section: string, what: 'remark' | 'stop', say: Parameters<RunSession['steer']>[0]): Promise<void> {
    this.panel.link.post({ type: 'steered', section, what, outcome: await this.session.steer(say) });
  }

  /** A rerun of the shown run attaches its documents again, unless they are still attached in this window; its record has what it is about. */
  async #startFromPanel(question: string, choices: RunChoices): Promise<unknown> {
    const { view, running } = this.session;
    const isRerun = !running && view.status !== 'idle' && view.question === question;
    if (isRerun && view.parent !== undefined) return this.history.run(commandIds.rerunRun, [view.run]);
    if (!isRerun || choices.attached?.some(({ url }) => url === undefined)) return this.#startOrAsk(question, choices);
    return (await this.#loadDocuments()).rerun(view, choices, (all) => this.#startOrAsk(question, all));
  }

  async rerun(run: string, question: string, choices: RunChoices): Promise<unknown> {
    // What is attached still is all that it had.
    if (choices.attached?.some(({ url }) => url === undefined)) return this.start(question, choices);
    const runs = await this.reopened();
    const read = async (one: string | undefined) => (one === undefined ? [] : ((await runs.read(one))?.sources ?? []));
    // A follow-up has the sources of its parent as well.
    const known = new Set((await read(choices.followUp?.run)).map(({ id }) => id));
    const sources = (await read(run)).filter(({ id }) => !known.has(id));
    return (await this.#loadDocuments()).rerun({ run, sources }, choices, (all) => this.start(question, all));
  }

  async #startOrAsk(question = '', choices: RunChoices = {}): Promise<boolean> {
    if (this.session.running) return this.#busy(() => this.start(question, choices));
    if (question.trim() === '') {
      this.#ask();
      return false;
    }
    const { status, question: earlier } = this.session.view;
    const isAbout = choices.followUp !== undefined;
    const earlierQuestion = status === 'finished' && !isAbout ? { earlierQuestion: earlier } : {};
    const around = { ...openPlace(), ...earlierQuestion };
    return this.session.start(question.trim(), { ...choices, around }) !== false;
  }

  async resumeRun(run: RunEntry): Promise<void> {
    const resume = async () => (await this.reopened()).resume(run);
    await (this.session.running ? this.#busy(resume) : resume());
  }

  /** Dismisses what is shown and focuses the question box, with what was typed into it or with the given text. */
  #ask(question?: string): void {
    this.memory.changeRun({ dismissed: true });
    if (this.session.view.status !== 'idle') this.session.show();
    this.panel.link.ask(question);
  }

  /** One run a window: the run in progress continues unless the user stops it for what they wanted to start. */
  async #busy<T>(start: () => Promise<T>): Promise<T | false> {
    const { askToStop } = await import('./sessions/attentionBar.ts');
    const chosen = await askToStop(this.session.view.question);
    if (chosen === 'show') await this.panel.focus();
    // The panel waits for what was asked: the run in progress is its answer.
    if (chosen !== 'stop') {
      this.panel.link.replaced();
      return false;
    }
    await this.session.stop();
    return start();
  }

  /** "Clear API Key" is offered only while a key is saved. */
  async #showKeyCommands(): Promise<void> {
    const origins = await Promise.all(this.keyServices.map(({ service }) => this.keys.savedFor(service)));
    const isSaved = origins.some((origin) => origin !== undefined);
    await vscode.commands.executeCommand('setContext', contextKeys.keySaved, isSaved);
  }

  async #reportLostKeys(): Promise<void> {
    const lost = await this.keys.lost();
    if (lost.length === 0) return;
    const { reportLost } = await import('./keys.ts');
    if (await reportLost(this, lost)) await this.setKey(lost.length === 1 ? lost[0] : undefined);
  }

  async #openSettings(key?: string): Promise<void> {
    const { openSettings } = await import('./openSettings.ts');
    await openSettings(this.context.extension, key);
  }

  async #openSource(id: string): Promise<void> {
    const { openSource } = await import('./reports/openSource.ts');
    const source = (await this.reopened()).sources().find((one) => one.id === id);
    const message = vscode.l10n.t('This source has no page or file to open.');
    if (!(await openSource(source, this.memory.run?.workspaceFolder)))
      this.panel.link.post({ type: 'notice', message });
  }
}

/** The token of the editor's own account that the user let this extension use for a service; never asks. */
async function editorAccount({ signIn }: Pick<KeyService, 'signIn'>): Promise<string | undefined> {
  if (signIn === undefined) return undefined;
  const session = await vscode.authentication.getSession(signIn.provider, signIn.scopes, { silent: true });
  return session?.accessToken;
}
