import path from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../commandIds.ts';
import { readRegular, reportLimit } from '../../files/regularFile.ts';
import {
  decidingWords,
  type Evidence,
  evidenceAt,
  evidenceOfRun,
  evidenceOfSidecar,
  type EvidencePassage,
  type Marker,
  markersOf,
  presentIn,
  type Reference,
  referencesOf,
} from './reportEvidence.ts';
import { isReport, runOfReport } from './reportText.ts';

/** Bytes of a run's events. */
const eventsLimit = 64 * 1024 * 1024;
/** UTF-16 units of a passage that a hover shows. */
const longestPassage = 1_500;

interface OpenReport {
  readonly version: number;
  readonly run: string | undefined;
  readonly references: Map<number, Reference>;
  readonly markers: readonly Marker[];
}

/** The reports that are open as text. Evidence is that of the run, or, where the run is not on this machine, of the file beside the report. */
export class CitedReports {
  readonly #runsFolder: string;
  readonly #open = new WeakMap<vscode.TextDocument, OpenReport>();
  readonly #evidence = new WeakMap<vscode.TextDocument, Promise<readonly Evidence[]>>();

  constructor(runsFolder: string) {
    this.#runsFolder = runsFolder;
  }

  async hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = this.#at(document, position);
    if (!found) return undefined;
    const { marker, reference, range } = found;
    const evidence = evidenceAt(document.getText(), marker, await this.#evidenceOf(document));
    const text = new vscode.MarkdownString(`**\\[${marker.number}\\]** ${withoutImages(withoutLinks(reference.text))}`);
    if (evidence) {
      const passages = evidence.passages.filter(({ number }) => number === marker.number);
      text.appendMarkdown(`\n\n*${escaped(verdictOf(evidence))}*`);
      for (const passage of passages) text.appendMarkdown(`\n\n${shown(passage, evidence.sentence)}`);
    }
    return new vscode.Hover(text, range);
  }

  definition(document: vscode.TextDocument, position: vscode.Position): vscode.Location | undefined {
    const found = this.#at(document, position);
    return found && new vscode.Location(...placeOf(document, found.reference));
  }

  links(document: vscode.TextDocument): vscode.DocumentLink[] {
    const { markers, references } = this.#read(document);
    return markers.map((marker) => {
      const [uri, { start, end }] = placeOf(document, references.get(marker.number)!);
      const fragment = `L${start.line + 1}${end.line > start.line ? `-L${end.line + 1}` : ''}`;
      return new vscode.DocumentLink(rangeOf(document, marker), uri.with({ fragment }));
    });
  }

  async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { run, markers } = this.#read(document);
    const text = document.getText();
    const title = /^# /m.exec(text);
    if (!title || markers.length === 0) return [];
    const position = document.positionAt(title.index);
    const range = new vscode.Range(position, position);
    const present = presentIn(text, await this.#evidenceOf(document));
    // A verdict of a sidecar ends with its reason, in the report's language.
    const verdicts = Map.groupBy(present, (one) =>
      verdictOf({ ...one, reason: undefined })
        .split(/[,，、（(]/)[0]!
        .trim(),
    );
    const counts = [...verdicts].map(([verdict, all]) => `${all.length} ${verdict}`);
    const cited = vscode.l10n.t('{0} cited', present.length === 0 ? markers.length : present.length);
    const lens = (label: string, command: string, ...args: unknown[]) =>
      new vscode.CodeLens(range, { title: label, command, arguments: args });
    const summary = lens([cited, ...counts].join(' · '), '');
    if (run === undefined || !(await exists(path.join(this.#runsFolder, run)))) return [summary];
    return [
      summary,
      lens(vscode.l10n.t('Sources'), commandIds.showRun, document.uri),
      lens(vscode.l10n.t('Export'), commandIds.exportHtml, run),
      lens(vscode.l10n.t('Rerun'), commandIds.rerunRun, run),
    ];
  }

  #read(document: vscode.TextDocument): OpenReport {
    const known = this.#open.get(document);
    if (known?.version === document.version) return known;
    const text = document.getText();
    const references = isReport(text) ? referencesOf(text) : new Map<number, Reference>();
    const markers = references.size > 0 ? markersOf(text, references) : [];
    const read = { version: document.version, run: runOfReport(text), references, markers };
    this.#open.set(document, read);
    return read;
  }

  #at(document: vscode.TextDocument, position: vscode.Position) {
    const { markers, references } = this.#read(document);
    const offset = document.offsetAt(position);
    const marker = markers.find(({ start, end }) => start <= offset && offset <= end);
    return marker && { marker, reference: references.get(marker.number)!, range: rangeOf(document, marker) };
  }

  #evidenceOf(document: vscode.TextDocument): Promise<readonly Evidence[]> {
    let evidence = this.#evidence.get(document);
    if (!evidence) {
      evidence = this.#readEvidence(document);
      this.#evidence.set(document, evidence);
    }
    return evidence;
  }

  async #readEvidence(document: vscode.TextDocument): Promise<readonly Evidence[]> {
    const { run } = this.#read(document);
    const events = run === undefined ? '' : await read(path.join(this.#runsFolder, run, 'events.ndjson'), eventsLimit);
    const ofRun = evidenceOfRun(events);
    if (ofRun.length > 0) return ofRun;
    return evidenceOfSidecar(await read(document.uri.fsPath.replace(/\.md$/i, '.evidence.md'), reportLimit));
  }
}

function read(file: string, limit: number): Promise<string> {
  return readRegular(file, limit).catch(() => '');
}

function exists(file: string): Thenable<boolean> {
  return vscode.workspace.fs.stat(vscode.Uri.file(file)).then(
    () => true,
    () => false,
  );
}

function rangeOf(document: vscode.TextDocument, { start, end }: Marker): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** The lines of a cited file, else the reference. */
function placeOf(document: vscode.TextDocument, { file, start }: Reference): [vscode.Uri, vscode.Range] {
  if (!file) return [document.uri, document.lineAt(document.positionAt(start)).range];
  const uri = vscode.Uri.file(path.resolve(path.dirname(document.uri.fsPath), file.path));
  return [uri, new vscode.Range(Math.max(0, file.firstLine - 1), 0, Math.max(0, file.lastLine - 1), 0)];
}

function shown({ text, isMarkdown }: EvidencePassage, sentence: string): string {
  if (isMarkdown) return withoutImages(text);
  const cut = text.slice(0, longestPassage);
  const [start, end] = decidingWords(cut, sentence) ?? [0, 0];
  const parts = [cut.slice(0, start), cut.slice(start, end), cut.slice(end)].map((part) =>
    escaped(part).replace(/\s+/g, ' '),
  );
  const words = parts[1] === '' ? parts.join('') : `${parts[0]}**${parts[1]}**${parts[2]}`;
  return `> ${words.trim()}${text.length > longestPassage ? ' …' : ''}`;
}

/** A hover resolves no path from the report. */
function withoutLinks(reference: string): string {
  return reference.replace(/\[((?:\\.|[^[\]\\])*)\]\((?!https?:)[^()]*\)/g, '$1');
}

/** A hover loads images, and a file of the workspace may be somebody else's. */
function withoutImages(markdown: string): string {
  return markdown.replaceAll('![', '!\\[');
}

function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** In the editor's language; one that is none of ours as it is. */
function verdictOf({ verdict, reason }: Pick<Evidence, 'verdict'> & { readonly reason?: string | undefined }): string {
  const words: Readonly<Record<string, string>> = {
    quoted: vscode.l10n.t('quoted'),
    supported: vscode.l10n.t('supported'),
    corrected: vscode.l10n.t('corrected'),
    unverified: vscode.l10n.t('unverified'),
  };
  const reasons: Readonly<Record<string, string>> = {
    off: vscode.l10n.t('no second reader was asked'),
    controls: vscode.l10n.t('the second reader failed its control statements'),
    noAnswer: vscode.l10n.t('the second reader gave no answer'),
    budget: vscode.l10n.t('the budget was used up'),
    ownConclusion: vscode.l10n.t('a conclusion of the report’s own'),
  };
  const said = words[verdict] ?? verdict;
  return reason !== undefined && reasons[reason] !== undefined ? `${said}: ${reasons[reason]}` : said;
}
