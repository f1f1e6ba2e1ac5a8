import * as vscode from 'vscode';
import type { ResearchEvent } from '../protocol/events.ts';
import type { PanelMessage, Setup } from '../protocol/messages.ts';
import type { RunView } from '../protocol/runView.ts';
import type { StringKey } from '../protocol/strings.ts';
import { contextKeys, settingsPrefix } from './commandIds.ts';
import { activeItems, openPlace, QuestionDocuments } from './documents/questionDocuments.ts';
import { editorAccount } from './editorAccount.ts';
import { noticeLine } from './history/plainText.ts';
import { HistoryView } from './history/historyView.ts';
import type { RunEntry } from './history/runEntry.ts';
import type { TestKey } from './keys.ts';
import { LastRunMemory } from './lastRun.ts';
import { manifestOf } from './manifest.ts';
import { RedactedLog } from './log.ts';
import { PanelProvider } from './panel/panelProvider.ts';
import { ReportService } from './reports/reportService.ts';
import { ShownReport } from './reports/shownReport.ts';
import type { Attachment, EngineOptions, KeyService, ResearchEngine, RunResult } from '../protocol/ports.ts';
import { RunSetup } from './runSetup.ts';
import { KeyRing } from './secrets.ts';
import { AttentionBar } from './sessions/attentionBar.ts';
import { ReopenedRuns } from './sessions/reopenedRuns.ts';
import { describeError, type RunChoices, type RunListener, RunSession } from './sessions/runSession.ts';
import { currentFolder, readableFolder } from './workspaceFolder.ts';

/** Of a text that is pasted for a page, in UTF-16 units: the engine reads no more of a document. */
const longestPaste = 2_000_000;
/** Of documents that could not be attached again. */
const shownNames = 5;

/**
 * The research of one window: joins the run, the panel, the reports and the keys. Commands and panel messages end here.
 * What is rarely needed (keys, an earlier run, a source) is imported on use, so that activation stays small.
 */
export class ResearchHost implements RunListener, vscode.Disposable {
  readonly session: RunSession;
  readonly keys: KeyRing;
  readonly panel: PanelProvider;
  readonly history: HistoryView;
  readonly documents = new QuestionDocuments(() => this.panel.link.attached());
  readonly #extension: vscode.Extension<unknown>;
  readonly #globalState: vscode.Memento;
  readonly #keyServices: readonly KeyService[];
  readonly #channel: vscode.LogOutputChannel;
  readonly #log: RedactedLog;
  readonly #setup: RunSetup;
  readonly #loadEngine: () => Promise<ResearchEngine>;
  readonly #report: ShownReport;
  readonly #attention: AttentionBar;
  readonly #memory: LastRunMemory;
  readonly #subscriptions: vscode.Disposable;
  readonly #reopened: ReopenedRuns;

  constructor(context: vscode.ExtensionContext, loadEngine: () => Promise<ResearchEngine>) {
    this.#extension = context.extension;
    this.#globalState = context.globalState;
    this.#keyServices = manifestOf(context.extension).keyServices;
    this.#loadEngine = loadEngine;
    this.#channel = vscode.window.createOutputChannel(vscode.l10n.t('Deep Research'), { log: true });
    this.#log = new RedactedLog(this.#channel);
    this.keys = new KeyRing(
      context.secrets,
      context.globalState,
      async (service) => {
        const known = this.#keyServices.find((one) => one.service === service);
        return known && editorAccount(known);
      },
      (key) => this.#log.hide(key),
    );
    this.#setup = new RunSetup(context, this.keys, this.#log);
    this.#memory = new LastRunMemory(context.workspaceState);
    const reports = new ReportService(this.#log);
    this.#report = new ShownReport(
      reports,
      this.#memory,
      this.#setup.runsFolder,
      (run, path) => void this.history.savedAs(run, path).catch((error: unknown) => this.showError(error)),
    );
    this.session = new RunSession(loadEngine, () => this.#setup.options(), this, this.#log);
    this.panel = new PanelProvider(
      context.extensionUri,
      {
        view: () => this.session.view,
        setup: async () => (await Promise.all([this.describeSetup(), this.#reopened.restore()]))[0],
        attached: () => this.documents.items(),
        strings: panelTexts,
        locale: vscode.env.language,
        handle: (message) => void this.#handle(message).catch((error: unknown) => this.showError(error)),
        refused: (type) => this.#log.warn(`the panel sent a message of an unknown type: ${type}`),
      },
      () => this.#attention.update(this.session.view),
    );
    this.#reopened = new ReopenedRuns(
      this.session,
      this.#memory,
      this.panel,
      this.#setup.runsFolder,
      () => this.#setup.options().workspaceFolder,
      panelTexts,
      () => this.documents.attachments().filter(({ url }) => url !== undefined),
    );
    this.history = new HistoryView({
      runsFolder: this.#setup.runsFolder,
      state: context.workspaceState,
      log: this.#log,
      reports,
      loadEngine,
      facts: () => this.#reopened.facts(),
      focusPanel: () => this.panel.focus(),
      showRun: (run, path, preserveFocus) => this.#reopened.show(run, path, preserveFocus),
      resumeRun: (run) => this.#resumeRun(run),
      rerun: (run, question, strategy) => this.#rerun(run, question, { strategy }),
    });
    this.#attention = new AttentionBar(this.panel, () => void this.panel.focus());
    const refresh = () => {
      this.#setup.health = undefined;
      void this.panel.link.setupChanged();
    };
    const keysChanged = () => {
      refresh();
      void this.#showKeyCommands();
    };
    void this.#showKeyCommands();
    void this.#reportLostKeys();
    let folder = currentFolder()?.name;
    // With several folders the active editor decides which one is researched.
    const followEditor = () => {
      const before = folder;
      folder = currentFolder()?.name;
      if (folder !== before) refresh();
    };
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      reports,
      this.#attention,
      this.panel,
      this.history,
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration(settingsPrefix.slice(0, -1)) && refresh(),
      ),
      vscode.lm.onDidChangeChatModels(refresh),
      vscode.workspace.onDidChangeWorkspaceFolders(refresh),
      vscode.window.onDidChangeActiveTextEditor(followEditor),
      vscode.workspace.onDidGrantWorkspaceTrust(refresh),
      context.secrets.onDidChange(keysChanged),
    );
  }

  // -------- what a user does

  /** Shows the panel with the question box; with a question, starts the run at once. */
  async start(question?: string, choices?: RunChoices): Promise<void> {
    await this.panel.focus();
    await this.#begin(question, choices);
  }

  /** Puts the selected text into the question box, so that the user sees what will be sent. */
  async researchSelection(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const text =
      editor?.selections
        .map((selection) => editor.document.getText(selection))
        .join('\n')
        .trim() ?? '';
    if (text === '') {
      void vscode.window.showInformationMessage(vscode.l10n.t('Select the text to research first.'));
      return;
    }
    await this.panel.focus();
    if (this.session.running) return this.#busy(async () => this.#ask(text));
    this.#ask(text);
  }

  /** Attaches what is selected in the explorer, else the selection or the file of the active editor, and shows the question box. */
  async addToQuestion(clicked: unknown, selected: unknown): Promise<void> {
    const given = (Array.isArray(selected) && selected.length > 0 ? selected : [clicked]) as readonly unknown[];
    const ids = given.flatMap((one) => (one instanceof vscode.Uri ? [one.toString()] : []));
    const chosen =
      ids.length > 0
        ? ids
        : activeItems()
            .slice(0, 1)
            .map(({ id }) => id);
    if (chosen.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Open or select the file to add first.'));
      return;
    }
    await this.panel.focus();
    await this.#attach(chosen);
    if (!this.session.running && this.session.view.status !== 'idle') this.#ask();
    else this.panel.link.ask();
  }

  async stop(): Promise<void> {
    await this.session.stop();
  }

  async openLastReport(): Promise<void> {
    if (await this.#report.open()) return;
    const start = vscode.l10n.t('Start');
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t('There is no report in this workspace yet.'),
      start,
    );
    if (chosen === start) await this.start();
  }

  /** @param provider Of models: the key is for its server. */
  async setKey(provider?: string): Promise<void> {
    const { setKey } = await import('./keys.ts');
    const test: TestKey = async (service, address, key) => {
      const { testKey } = await this.#loadEngine();
      return testKey(this.#setup.options(), service, address, key);
    };
    await setKey(this.keys, this.#keyServices, test, provider);
  }

  /** Lists the models that are there, sets the chosen one in the user's settings, and tests it. */
  async selectModel(): Promise<void> {
    const { selectModel } = await import('./models/selectModel.ts');
    await selectModel(this.#loadEngine, () => this.#setup.options(), this.#globalState);
  }

  async clearKey(): Promise<void> {
    const { clearKey } = await import('./keys.ts');
    await clearKey(this.keys, this.#keyServices);
  }

  /** Tests the enabled sources and the model; the panel shows the result in one line. */
  async checkSources(): Promise<void> {
    const { runCheck, showHealth, summaryOf } = await import('./checkSources.ts');
    const engine = await this.#loadEngine();
    const found = await runCheck((signal) => engine.checkSources(this.#setup.options(), signal));
    if (found === undefined) return;
    this.#setup.health = summaryOf(found);
    for (const { label, state, message } of found) this.#log.info(`Check: ${label}: ${state}. ${message}`);
    await this.panel.link.setupChanged();
    const fix = await showHealth(found);
    if (fix?.action === 'setKey') await this.setKey();
    if (fix?.action === 'selectModel') await this.selectModel();
    if (fix?.action === 'openSettings') await this.#openSettings(fix.key);
  }

  /** Lets the user pick which of the editor's tools a run may call. */
  async useEditorTools(): Promise<void> {
    const { pickTools } = await import('./pickEditorTools.ts');
    await pickTools(this.#globalState);
    await this.panel.link.setupChanged();
  }

  showLog(): void {
    this.#channel.show();
  }

  /** Shows the user what went wrong outside of a run. */
  showError(error: unknown): void {
    if (error instanceof vscode.CancellationError) return;
    const { message, next } = describeError(error);
    this.#log.error(error instanceof Error && error.stack ? error.stack : message);
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

  onReplaced(view: RunView): void {
    this.#report.follow(view);
    this.panel.link.replaced();
    this.#attention.update(view);
    this.history.follow(view);
  }

  onEvent(event: ResearchEvent, view: RunView, { workspaceFolder }: EngineOptions): void {
    if (event.type === 'run/started' || event.type === 'run/resumed') this.#memory.started(event.run, workspaceFolder);
    this.panel.link.event(event);
    this.#attention.update(view);
    this.history.follow(view);
  }

  onReport(result: RunResult, options: EngineOptions): void {
    this.#report.written(result, options, this.session.view.warnings).catch((error: unknown) => this.showError(error));
  }

  onEnd(view: RunView): void {
    this.#report.follow(view);
    this.#attention.update(view);
    this.history.follow(view);
  }

  /** What a run would use if it started now. */
  describeSetup(): Promise<Setup> {
    return this.#setup.describe(this.#loadEngine);
  }

  // -------- the panel

  async #handle(message: Exclude<PanelMessage, { type: 'ready' }>): Promise<void> {
    switch (message.type) {
      // The panel is in front already: there is no focus to wait for, and what is typed next can't overtake this.
      case 'start':
        return this.#start(message.question, {
          strategy: message.strategy,
          sources: message.sources,
          withoutModel: message.withoutModel,
          attached: this.documents.attachments(),
        });
      case 'findDocuments':
        return this.#findDocuments(message.query);
      case 'attach':
        return this.#attach(message.ids);
      case 'pickDocuments':
        return this.#pickDocuments();
      case 'detach':
        return this.documents.detach(message.id);
      case 'givePage':
        return this.#givePage(message.url, {
          path: 'pasted text',
          excerpt: { text: message.text.slice(0, longestPaste), firstLine: 1 },
        });
      case 'givePageFile':
        return this.#givePageFile(message.url);
      case 'openPage':
        if (this.#isUnread(message.url)) await vscode.env.openExternal(vscode.Uri.parse(message.url, true));
        return;
      case 'answer':
        return this.session.answer(message.id, message.answer);
      case 'approvePlan':
        return this.session.answerPlan(message.round, {
          sections: message.sections,
          strategy: message.strategy,
          focus: message.focus,
        });
      case 'anotherPlan':
        return this.session.answerPlan(message.round, {
          remark: message.remark,
          strategy: message.strategy,
          focus: message.focus,
        });
      case 'approveEntities':
        return this.session.approveEntities(message.entities);
      case 'decideReview':
        return this.session.decideReview(
          message.sections === undefined || message.decision === 'report'
            ? message.decision
            : { sections: message.sections },
        );
      case 'remark': {
        const { section, text } = message;
        const outcome = await this.session.steer((controls) => controls.remark(section, text));
        return this.panel.link.steered(section, 'remark', outcome);
      }
      case 'stopSection': {
        const { section } = message;
        const outcome = await this.session.steer((controls) => controls.stopSection(section));
        return this.panel.link.steered(section, 'stop', outcome);
      }
      case 'stop':
        return this.stop();
      case 'finish':
        return this.session.finish();
      case 'resume':
        return this.#reopened.resumeShown();
      case 'new':
        // They belong to the question that was asked.
        if (this.session.view.status !== 'idle') this.documents.clear();
        return this.#begin();
      case 'openReport':
        return this.openLastReport();
      case 'openPreview':
        return this.#report.read();
      case 'saveReport':
        return this.#report.saveAs();
      case 'openSource':
        return this.#openSource(message.id);
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'showLog':
        return this.showLog();
      case 'setKey':
        return this.setKey(message.provider);
      case 'checkSources':
        return this.checkSources();
      case 'selectModel':
        return this.selectModel();
      case 'tryAgain':
        return this.panel.link.setupChanged();
      case 'openSettings':
        return this.#openSettings(message.key);
    }
  }

  /** The question of the shown run once more has its attachments again, where this window does not hold them any more. */
  async #start(question: string, choices: RunChoices): Promise<void> {
    const { view, running } = this.session;
    const isRerun = !running && view.status !== 'idle' && view.question === question;
    if (!isRerun || choices.attached?.some(({ url }) => url === undefined)) return this.#begin(question, choices);
    await this.#beginAgain(view.sources, choices, (again) => this.#begin(question, again));
  }

  async #rerun(run: string, question: string, choices: RunChoices): Promise<void> {
    const sources = (await this.#reopened.read(run))?.sources ?? [];
    await this.#beginAgain(sources, choices, (again) => this.start(question, again));
  }

  async #beginAgain(
    sources: RunView['sources'],
    choices: RunChoices,
    begin: (choices: RunChoices) => Promise<void>,
  ): Promise<void> {
    const { attachedBefore } = await import('./documents/attachedBefore.ts');
    const given = choices.attached ?? [];
    const isGiven = (url: string | undefined) => given.some((one) => one.url !== undefined && one.url === url);
    const { attached, leftOut } = await attachedBefore(
      sources.filter(({ url }) => !isGiven(url)),
      readableFolder(),
    );
    await begin({ ...choices, attached: [...given, ...attached] });
    if (leftOut.length === 0) return;
    const names = leftOut
      .slice(0, shownNames)
      .map((name) => noticeLine(name))
      .join(', ');
    const message = vscode.l10n.t(
      'Not attached again, because it is no file of the open folder: {0}. Start a new question to attach it.',
      leftOut.length > shownNames ? `${names}, …` : names,
    );
    this.panel.link.notice('error', message);
  }

  async #begin(question = '', choices: RunChoices = {}): Promise<void> {
    if (this.session.running) return this.#busy(() => this.start(question, choices));
    if (question.trim() === '') return this.#ask();
    const { status, question: earlier } = this.session.view;
    const earlierQuestion = status === 'finished' ? { earlierQuestion: earlier } : {};
    void this.session.start(question.trim(), { ...choices, around: { ...openPlace(), ...earlierQuestion } });
  }

  async #findDocuments(query: string): Promise<void> {
    const { findDocuments } = await import('./documents/findDocuments.ts');
    const items = vscode.workspace.isTrusted ? await findDocuments(query.slice(0, 200)) : [];
    this.panel.link.documents(query, items);
  }

  async #attach(ids: readonly string[]): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      const message = vscode.l10n.t('Restricted Mode: no file is read. Trust this folder to attach documents.');
      return this.panel.link.notice('error', message);
    }
    const refused = await this.documents.attach(ids);
    if (refused === 0) return;
    const message = vscode.l10n.t(
      '{0} could not be attached: only files and folders on this machine, up to 40.',
      refused,
    );
    this.panel.link.notice('error', message);
  }

  async #pickDocuments(): Promise<void> {
    const chosen = await vscode.window.showOpenDialog({
      canSelectMany: true,
      canSelectFiles: true,
      openLabel: vscode.l10n.t('Attach'),
      title: vscode.l10n.t('Attach to the question'),
    });
    if (chosen) await this.#attach(chosen.map((uri) => uri.toString()));
  }

  /** A page that the shown run could not read: addresses come from the run, not from the panel. */
  #isUnread(url: string): boolean {
    return this.session.view.pages.some((page) => page.url === url) && /^https?:/i.test(url) && URL.canParse(url);
  }

  /** Gives the text of a page to the run in progress; attaches it to the next one where there is none, or it is too late. */
  async #givePage(url: string, document: Attachment): Promise<void> {
    if (!this.#isUnread(url)) return;
    const page = { ...document, url };
    try {
      if (!(await this.session.givePage(page))) this.documents.attachPage(page);
    } catch (error) {
      const { message, next } = describeError(error);
      this.panel.link.notice('error', `${message} ${next}`.trim());
    }
  }

  async #givePageFile(url: string): Promise<void> {
    if (!this.#isUnread(url)) return;
    const [file] =
      (await vscode.window.showOpenDialog({
        canSelectFiles: true,
        openLabel: vscode.l10n.t('Add as Source'),
        title: vscode.l10n.t('The page as a PDF or text'),
      })) ?? [];
    if (file) await this.#givePage(url, { path: file.fsPath });
  }

  async #resumeRun(run: RunEntry): Promise<void> {
    if (this.session.running) return this.#busy(() => this.#resumeRun(run));
    await this.#reopened.resume(run);
  }

  /** Dismisses what is shown and focuses the question box, with what was typed into it or with the given text. */
  #ask(question?: string): void {
    this.#memory.changeRun({ dismissed: true });
    if (this.session.view.status !== 'idle') this.session.show();
    this.panel.link.ask(question);
  }

  /** One run a window: the run in progress continues unless the user stops it for what they wanted to start. */
  async #busy(start: () => Promise<void>): Promise<void> {
    const show = vscode.l10n.t('Show');
    const stop = vscode.l10n.t('Stop and Start New');
    const message = vscode.l10n.t(
      '“{0}” is still running. A window can have one run at a time.',
      noticeLine(this.session.view.question),
    );
    const chosen = await vscode.window.showInformationMessage(message, show, stop);
    if (chosen === show) await this.panel.focus();
    // The panel waits for what was asked: the run in progress is its answer.
    if (chosen !== stop) return this.panel.link.replaced();
    await this.session.stop();
    await start();
  }

  /** "Clear API Key" is offered only while a key is saved. */
  async #showKeyCommands(): Promise<void> {
    const origins = await Promise.all(this.#keyServices.map(({ service }) => this.keys.savedFor(service)));
    const isSaved = origins.some((origin) => origin !== undefined);
    await vscode.commands.executeCommand('setContext', contextKeys.keySaved, isSaved);
  }

  async #reportLostKeys(): Promise<void> {
    const lost = await this.keys.lost();
    if (lost.length === 0) return;
    const { reportLost } = await import('./keys.ts');
    if (await reportLost(lost, this.#keyServices)) await this.setKey(lost.length === 1 ? lost[0] : undefined);
  }

  async #openSettings(key?: string): Promise<void> {
    const { openSettings } = await import('./openSettings.ts');
    await openSettings(this.#extension, key);
  }

  async #openSource(id: string): Promise<void> {
    const { openSource } = await import('./reports/openSource.ts');
    const source = this.session.view.sources.find((one) => one.id === id);
    if (!(await openSource(source, this.#memory.run?.workspaceFolder)))
      this.panel.link.notice('error', vscode.l10n.t('This source has no page or file to open.'));
  }
}

/** The panel's texts in the editor's language. */
async function panelTexts(): Promise<Record<StringKey, string>> {
  const { panelStrings } = await import('../protocol/strings.ts');
  return Object.fromEntries(Object.entries(panelStrings).map(([key, text]) => [key, vscode.l10n.t(text)])) as Record<
    StringKey,
    string
  >;
}
