import * as vscode from 'vscode';
import type { Attachment } from '../../protocol/ports.ts';
import type { RunView } from '../../protocol/runView.ts';
import { noticeLine } from '../history/plainText.ts';
import { readRecord } from '../../files/amendRecord.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import { mayRead, restrictedText } from '../restrictedMode.ts';
import { readableFolder } from '../workspaceFolder.ts';
import { openPage } from '../reports/openSource.ts';
import { isWebAddress } from '../reports/sourceTarget.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { shownError } from '../shownErrors.ts';

/** Of a text that is pasted, in UTF-16 units: the engine reads no more of a document. */
const longestPaste = 2_000_000;
/** What a pasted text is called: its beginning. */
const longestName = 60;
/** Of documents that could not be attached again. */
const shownNames = 5;

type DocumentsHost = Pick<ResearchWindow, 'documents' | 'session' | 'panel' | 'runsFolder'>;

/** What the panel's user does with documents: attach them to a question, and give a run pages that it could not read. */
export class PanelDocuments {
  readonly #host: DocumentsHost;

  constructor(host: DocumentsHost) {
    this.#host = host;
  }

  async find(query: string): Promise<void> {
    const { findDocuments } = await import('./findDocuments.ts');
    const items = vscode.workspace.isTrusted ? await findDocuments(query.slice(0, 200)) : [];
    this.#host.panel.link.post({ type: 'documents', query, items });
  }

  async attach(ids: readonly string[]): Promise<void> {
    if (!vscode.workspace.isTrusted)
      return this.#refuse(vscode.l10n.t('Restricted Mode: no file is read. Trust this folder to attach documents.'));
    const refused = await this.#host.documents.attach(ids);
    if (refused > 0)
      this.#refuse(
        vscode.l10n.t('{0} could not be attached: only files and folders on this machine, up to 40.', refused),
      );
  }

  /** Attaches a text that the user pasted; the same text once. */
  attachText(text: string): void {
    const name = text
      .replace(/[\s\\/]+/g, ' ')
      .trim()
      .slice(0, longestName);
    if (name === '') return;
    const excerpt = { text: text.slice(0, longestPaste), firstLine: 1 };
    const item = { id: `text:${text.length}:${name}`, name, place: '', icon: 'note' };
    this.#host.documents.attachText({ item, attachment: { path: name, excerpt } });
  }

  async pick(): Promise<void> {
    const chosen = await vscode.window.showOpenDialog({
      canSelectMany: true,
      canSelectFiles: true,
      openLabel: vscode.l10n.t('Attach'),
      title: vscode.l10n.t('Attach to the question'),
    });
    if (chosen) await this.attach(chosen.map((uri) => uri.toString()));
  }

  async openPage(url: string): Promise<void> {
    if (this.#isUnread(url)) await openPage(url);
  }

  async givePage(url: string, text: string): Promise<void> {
    await this.#give(url, { path: 'pasted text', excerpt: { text: text.slice(0, longestPaste), firstLine: 1 } });
  }

  async givePageFile(url: string): Promise<void> {
    if (!this.#isUnread(url)) return;
    const [file] =
      (await vscode.window.showOpenDialog({
        canSelectFiles: true,
        openLabel: vscode.l10n.t('Add as Source'),
        title: vscode.l10n.t('The page as a PDF or text'),
      })) ?? [];
    if (file && !mayRead(file)) return this.#refuse(restrictedText());
    if (file) await this.#give(url, { path: file.fsPath });
  }

  /** Starts the question of a run again with what it had attached; reports what has to be attached by hand. */
  async rerun(
    { run, sources }: Pick<RunView, 'run' | 'sources'>,
    choices: RunChoices,
    start: (choices: RunChoices) => Promise<unknown>,
  ): Promise<void> {
    const { attachedBefore } = await import('./attachedBefore.ts');
    const given = choices.attached ?? [];
    const isGiven = (url: string | undefined) => given.some((one) => one.url !== undefined && one.url === url);
    const workspace = (await readRecord(this.#host.runsFolder, run))?.workspace;
    // What is asked about a report is researched in the folder of its run.
    const folder = readableFolder(choices.followUp && workspace);
    const wanted = sources.filter(({ url }) => !isGiven(url));
    const { attached, leftOut } = await attachedBefore(wanted, workspace, folder);
    await start({ ...choices, attached: [...given, ...attached] });
    if (leftOut.length === 0) return;
    const names = leftOut
      .slice(0, shownNames)
      .map((name) => noticeLine(name))
      .join(', ');
    this.#refuse(
      vscode.l10n.t(
        'Not attached again, because it is no file of the open folder: {0}. Start a new question to attach it.',
        leftOut.length > shownNames ? `${names}, …` : names,
      ),
    );
  }

  /** Whether the shown run could not read a page: addresses come from the run, not from the panel. */
  #isUnread(url: string): boolean {
    return this.#host.session.view.pages.some((page) => page.url === url) && isWebAddress(url);
  }

  /** Gives the text of a page to the run in progress; attaches it to the next one where there is none, or it is too late. */
  async #give(url: string, document: Attachment): Promise<void> {
    if (!this.#isUnread(url)) return;
    const page = { ...document, url };
    try {
      if (await this.#host.session.givePage(page)) return;
      const { host, pathname } = new URL(url);
      const name = `${host}${pathname === '/' ? '' : pathname}`;
      this.#host.documents.attachText({
        item: { id: `page:${url}`, name, place: '', icon: 'globe', page: url },
        attachment: page,
      });
    } catch (error) {
      const { message, next } = shownError(error);
      this.#refuse(`${message} ${next}`.trim());
    }
  }

  #refuse(message: string): void {
    this.#host.panel.link.post({ type: 'notice', message });
  }
}
