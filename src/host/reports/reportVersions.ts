import path from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../history/plainText.ts';
import { inform } from '../inform.ts';
import type { ReportVersion } from '../../protocol/reportVersion.ts';
import { findVersion, knownOfReport, readHead } from '../../files/readVersions.ts';
import { referenceTitle, unescaped } from '../../files/references.ts';
import { withoutSection } from '../../files/composeVersion.ts';
import { noticeLine } from '../history/plainText.ts';
import { acceptVersion, addVersion, alone, mergedVersion, rejectVersion } from '../../files/versions.ts';

const scheme = 'deep-research-version';

/** What becomes of a version; a list of headings takes these sections alone. */
export type VersionDecision = 'accept' | 'reject' | readonly string[];

/** The versions of reports, beside each report as it is. */
export class ReportVersions implements vscode.Disposable {
  readonly #runsFolder: string;
  readonly #onAccepted: (run: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #texts = new Map<string, string>();
  readonly #subscription: vscode.Disposable;

  /** @param onError What went wrong with the user's answer, which is not waited for. */
  constructor(runsFolder: string, onAccepted: (run: string) => Promise<void>, onError: (error: unknown) => void) {
    this.#runsFolder = runsFolder;
    this.#onAccepted = onAccepted;
    this.#onError = onError;
    this.#subscription = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ path: name }) => this.#texts.get(name) ?? '',
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /**
   * Shows what a version changes in the editor's diff, and takes it, or some of its sections, into the report. An earlier version is
   * restored; what was edited by hand since stays.
   *
   * @param file The report. Absent: the copy in the run's folder is all that there is.
   * @param decided Default: the user is asked.
   */
  async review(run: string, number: number, file: string | undefined, decided?: VersionDecision): Promise<void> {
    const folder = path.join(this.#runsFolder, run);
    const version = await findVersion(folder, number);
    if (!version) return inform(vscode.l10n.t('This version no longer exists.'));
    const open = async () => (file === undefined ? undefined : vscode.workspace.openTextDocument(file));
    const shown = await open();
    const ours = shown?.getText() ?? (await readHead(folder));
    const restores = version.state !== 'waiting';
    const { conflicts, changed } = await mergedVersion(folder, number, ours, { restores });
    const theirs = await mergedVersion(folder, number, ours, { restores, replaces: () => true });
    const left = shown?.uri ?? this.#document(run, 0, ours);
    const right = this.#document(run, number, theirs.text);
    await vscode.commands.executeCommand('vscode.diff', left, right, titleOf(version), { preview: true });
    const decide = async (decision: VersionDecision | undefined): Promise<void> => {
      if (decision === undefined) return;
      if (!restores && (await findVersion(folder, number))?.state !== 'waiting')
        throw new Error(vscode.l10n.t('This version is no longer waiting.'));
      if (decision === 'reject') return rejectVersion(folder, number);
      const isChosen = (heading: string) => decision === 'accept' || decision.includes(heading);
      const document = await open();
      try {
        await acceptVersion(this.#runsFolder, run, number, {
          ...{ restores, takes: isChosen },
          // Who chooses a section by its name has seen what is replaced in it; it is saved as a version.
          replaces: (heading) => decision !== 'accept' && decision.includes(heading),
          ...(document && { read: () => textOf(document), write: (text: string) => replaceText(document, text) }),
          file,
        });
      } finally {
        await this.#onAccepted(run);
      }
    };
    if (decided !== undefined) return decide(decided);
    // Not awaited: the command is done, and the answer may come much later, when the editor has closed the report.
    void ask(version, changed, conflicts).then(decide).catch(this.#onError);
  }

  /** A new version without a section, which waits as any other. @returns Its number. */
  async withoutSection(run: string, heading: string): Promise<number> {
    const folder = path.join(this.#runsFolder, run);
    return alone(folder, async () => {
      const base = await readHead(folder);
      const { text, gone } = withoutSection(base, heading);
      const sources = Object.fromEntries((await knownOfReport(folder)).sources);
      const made = {
        kind: 'remove',
        title: unescaped(heading),
        state: 'waiting',
        sources,
        gone,
        statements: [],
      } as const;
      return addVersion(folder, { ...made, text, base });
    });
  }

  #document(run: string, number: number, text: string): vscode.Uri {
    const name = `/${run}/${number}.md`;
    this.#texts.set(name, text);
    return vscode.Uri.from({ scheme, path: name, query: String(text.length) });
  }
}

async function ask(
  version: ReportVersion,
  changed: readonly string[],
  conflicts: readonly string[],
): Promise<VersionDecision | undefined> {
  const waits = version.state === 'waiting';
  const accept = waits ? vscode.l10n.t('Accept') : vscode.l10n.t('Restore');
  const choose = vscode.l10n.t('Choose Sections…');
  const reject = vscode.l10n.t('Reject');
  const own =
    conflicts.length === 0
      ? ''
      : ` ${vscode.l10n.t('You have edited these sections, and they stay as they are: {0}.', namesOf(conflicts))}`;
  const gone =
    version.gone.length === 0
      ? ''
      : ` ${vscode.l10n.t('Sources that it no longer cites: {0}.', sourcesOf(version.gone))}`;
  const outcome = version.kind === 'challenge' ? ` ${noticeLine(version.title, 160)}.` : '';
  const changes = vscode.l10n.t('Version {0} changes: {1}.', version.number, namesOf(changed));
  const message = `${changes}${outcome}${own}${gone}`;
  const chosen = await vscode.window.showInformationMessage(message, accept, choose, ...(waits ? [reject] : []));
  if (chosen === accept) return 'accept';
  if (chosen === reject) return 'reject';
  if (chosen !== choose) return undefined;
  const items = [...new Set([...changed, ...conflicts])].map((heading) => ({
    label: nameOf(heading),
    heading,
    picked: !conflicts.includes(heading),
    ...(conflicts.includes(heading) && { description: vscode.l10n.t('replaces what you have edited') }),
  }));
  const title = vscode.l10n.t('Take Which Sections?');
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  return picked?.map(({ heading }) => heading);
}

function nameOf(heading: string): string {
  return heading === '' ? vscode.l10n.t('Title and summary') : noticeLine(unescaped(heading));
}

function namesOf(headings: readonly string[]): string {
  return headings.map(nameOf).join('; ');
}

/** Of a longer list the number of the others: "A; B +3". */
const mostNamed = 8;
function sourcesOf(references: readonly string[]): string {
  const named = references.slice(0, mostNamed).map((text) => noticeLine(referenceTitle(text)));
  const more = references.length - named.length;
  return `${named.join('; ')}${more === 0 ? '' : ` +${more}`}`;
}

/** "Version 2: shorter ↔ report". */
function titleOf({ number, title }: ReportVersion): string {
  const called = oneLine(title, 60);
  return called === '' ? vscode.l10n.t('Version {0}', number) : `${vscode.l10n.t('Version {0}', number)}: ${called}`;
}

/** How long the editor may take to notice that a file was changed (milliseconds). */
const noticeMs = 5_000;

/** Another window may have changed the file a moment ago: it can't be saved here before the editor has read that. */
async function textOf(document: vscode.TextDocument): Promise<string> {
  const { uri } = document;
  const text = await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  const isRead = () => document.isDirty || lines(document.getText()) === lines(text);
  const { promise, resolve } = Promise.withResolvers<void>();
  const subscription = vscode.workspace.onDidChangeTextDocument(() => isRead() && resolve());
  const timer = setTimeout(resolve, isRead() ? 0 : noticeMs);
  await promise;
  clearTimeout(timer);
  subscription.dispose();
  return document.isDirty ? document.getText() : text;
}

/** Tries again where the editor has just read a changed file, which undoes an edit made meanwhile. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) continue;
    if (lines(document.getText()) === lines(text)) return;
  }
  throw new Error(
    vscode.l10n.t('The report could not be saved. Save or close its file, then accept the version again.'),
  );
}

const lines = (text: string): string => text.replaceAll('\r\n', '\n');
