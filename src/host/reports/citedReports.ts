import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isDocument } from '../../protocol/isDocument.ts';
import { commandIds, sourcesViewId } from '../commandIds.ts';
import type { CheckOptions } from '../../protocol/ports.ts';
import type { Cited } from '../../protocol/readerMessages.ts';
import type { SourceView } from '../../protocol/runView.ts';
import { runFiles } from '../../protocol/runFolder.ts';
import { type Evidence, idOf, plainPassage, supportedBy } from '../../files/evidence.ts';
import { judgedTexts, textAround } from '../../files/findStatements.ts';
import { type Marker, markersOf, type Reference, referencesOf } from '../../files/references.ts';
import { evidenceOfSidecar, withStatements } from '../../files/sidecarText.ts';
import { knownOfReport, readHead } from '../../files/readVersions.ts';
import { citedSections } from '../../files/reportSections.ts';
import { isReport, runOfReport } from './reportText.ts';
import { eventsLimit, readOfRun, readRunSources, readStoredText, type RunSources } from './runSources.ts';
import { type Sidecar, sidecarOf } from '../../files/sidecar.ts';
import { mayRead } from '../restrictedMode.ts';
import { type SourceTarget, sourceTarget } from './sourceTarget.ts';

/** Sections that have lenses, and are named in the tree of sources: a file with more of them is no report of ours. */
export const mostSections = 100;
/** Statements that are looked at for hints; the same for what is known of statements. */
const mostHints = 1_000;

interface OpenReport {
  readonly version: number;
  readonly run: string | undefined;
  readonly references: Map<number, Reference>;
  readonly markers: readonly Marker[];
}

/** A statement that nobody has judged as it is. */
export interface OpenStatement {
  readonly range: vscode.Range;
  readonly text: string;
  readonly markers: readonly Marker[];
  /** Of an unverified one; absent: its words were edited. */
  readonly evidence: Evidence | undefined;
}

/** A report that is open as text. */
interface CitedText {
  readonly run: string | undefined;
  readonly document: vscode.TextDocument;
  readonly text: string;
}

/** Lines of a file, by its absolute path. */
type CitedLines = Omit<Extract<SourceTarget, { kind: 'file' }>, 'kind'>;

/** The reports that are open as text. Evidence is that of the run, or, where the run is not on this machine, of the file beside the report. */
export class CitedReports {
  readonly #runsFolder: string;
  readonly #open = new WeakMap<vscode.TextDocument, OpenReport>();
  readonly #evidence = new WeakMap<vscode.TextDocument, Promise<readonly Evidence[]>>();
  readonly #sources = new WeakMap<vscode.TextDocument, Promise<RunSources>>();
  readonly #sidecars = new WeakMap<vscode.TextDocument, Promise<string | undefined>>();

  constructor(runsFolder: string) {
    this.#runsFolder = runsFolder;
  }

  /** The citation at a place of a report, with the text around it. */
  async citedAt(document: vscode.TextDocument, position: vscode.Position) {
    const { markers, references, run } = this.#read(document);
    const offset = document.offsetAt(position);
    const marker = markers.find(({ start, end }) => start <= offset && offset <= end);
    if (!marker) return undefined;
    const text = document.getText();
    const { number, start } = marker;
    const cited = { number, ...textAround(text, start, await this.evidenceOf(document)) };
    const report = { document, run, text };
    return { cited, report, reference: references.get(number)!, range: rangeOf(document, marker) };
  }

  /** Where the passage of a citation is, else what its number leads to. */
  async definition(
    document: vscode.TextDocument,
    position: vscode.Position,
    placeOf: (report: CitedText, cited: Cited) => Promise<vscode.Location | undefined>,
  ): Promise<vscode.Location | undefined> {
    const found = await this.citedAt(document, position);
    if (!found) return undefined;
    const place = await placeOf(found.report, found.cited);
    return place ?? new vscode.Location(...(await this.#placeOf(document, found.cited.number)));
  }

  async links(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const { markers } = this.#read(document);
    const numbers = [...new Set(markers.map(({ number }) => number))];
    const places = new Map(
      await Promise.all(numbers.map(async (number) => [number, await this.#placeOf(document, number)] as const)),
    );
    return markers.map((marker) => {
      const [uri, { start, end }] = places.get(marker.number)!;
      const fragment = `L${start.line + 1}${end.line > start.line ? `-L${end.line + 1}` : ''}`;
      return new vscode.DocumentLink(rangeOf(document, marker), uri.with({ fragment }));
    });
  }

  async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { run, markers, references } = this.#read(document);
    const text = document.getText();
    const title = /^# /m.exec(text);
    if (!title || markers.length === 0) return [];
    const evidence = await this.evidenceOf(document);
    const lensAt = (offset: number, label: string, command = '', ...args: unknown[]) => {
      const position = document.positionAt(offset);
      return new vscode.CodeLens(new vscode.Range(position, position), { title: label, command, arguments: args });
    };
    const folder = run === undefined ? undefined : path.join(this.#runsFolder, run);
    const isHere = folder !== undefined && existsSync(folder);
    const head = isHere ? await readHead(folder).catch(() => '') : '';
    const judged = judgedTexts(text, evidence, references);
    const ofSections = citedSections(text, head, judged)
      .slice(0, mostSections)
      .flatMap(({ start, heading: section, judged: own, change }) => {
        const ask = (label: string, how: object) => lensAt(start, label, commandIds.askRun, run, undefined, how);
        return [
          lensAt(start, countsOf(own)),
          ...(change === 'any' ? [ask(vscode.l10n.t('Redo'), { section })] : []),
          ...(change === 'any' ? [ask(vscode.l10n.t('Deeper'), { section, deeper: true })] : []),
          ...(change === 'none'
            ? []
            : [lensAt(start, vscode.l10n.t('Remove'), commandIds.removeSection, run, section)]),
        ];
      });
    const summary = lensAt(title.index, countsOf(judged));
    const always = [
      summary,
      lensAt(title.index, vscode.l10n.t('Sources'), `${sourcesViewId}.focus`),
      ...(run === undefined ? [] : [lensAt(title.index, vscode.l10n.t('Export'), commandIds.exportReport, run)]),
    ];
    if (!isHere) return [...always, ...ofSections];
    return [
      ...always,
      lensAt(title.index, vscode.l10n.t('Share'), commandIds.shareReport, run),
      lensAt(title.index, vscode.l10n.t('Rerun'), commandIds.rerunRun, run),
      lensAt(title.index, vscode.l10n.t('Ask'), commandIds.askRun, run),
      lensAt(title.index, vscode.l10n.t('Refresh'), commandIds.refreshRun, run),
      ...ofSections,
    ];
  }

  /** The statements of a report that are not as they were judged, or that nobody has judged; none where nothing is known. */
  async open(document: vscode.TextDocument): Promise<readonly OpenStatement[]> {
    const { references } = this.#read(document);
    const text = document.getText();
    const all = references.size === 0 ? [] : (await this.evidenceOf(document)).slice(-mostHints);
    if (all.length === 0) return [];
    return judgedTexts(text, all, references)
      .slice(0, mostHints)
      .flatMap(({ start, end, markers, evidence }): OpenStatement[] => {
        if (evidence && evidence.verdict !== 'unverified') return [];
        return [{ range: rangeOf(document, { start, end }), text: text.slice(start, end), markers, evidence }];
      });
  }

  /** What a statement is judged against, and what the other statements of its report rest on. */
  async groundsOf(
    document: vscode.TextDocument,
    { markers }: OpenStatement,
  ): Promise<Pick<CheckOptions, 'sources' | 'others'>> {
    const { references, run } = this.#read(document);
    const all = await this.evidenceOf(document);
    const numbers = new Set(markers.map(({ number }) => number));
    const passagesOf = (number: number) => [
      ...new Set(all.flatMap(({ passages }) => passages.filter((one) => one.number === number).map(plainPassage))),
    ];
    const isFile = (number: number) => references.get(number)?.file !== undefined;
    const others = [...references.keys()]
      .filter((number) => !numbers.has(number))
      .map((number) => ({ passages: passagesOf(number), isFile: isFile(number) }));
    const sources = [...numbers].map(async (number) => {
      const passages = all.flatMap((one) => one.passages.filter((passage) => passage.number === number));
      const id = passages.find(({ source }) => source !== undefined)?.source;
      const text = await readStoredText(this.#runsFolder, run ?? '', id ?? '');
      return { passages: text === '' ? passagesOf(number) : [], isFile: isFile(number), ...(text !== '' && { text }) };
    });
    return { sources: await Promise.all(sources), others };
  }

  /** The statement was judged as supported: it is so from now on, and in the file beside the report. */
  async confirm(document: vscode.TextDocument, statement: OpenStatement): Promise<void> {
    const all = await this.evidenceOf(document);
    const numbers = statement.markers.map(({ number }) => number);
    const confirmed = supportedBy(statement.text, numbers, all);
    this.#evidence.set(document, Promise.resolve(joined(all, [confirmed])));
    const sidecar = await this.#readSidecar(document);
    if (sidecar) await writeFile(sidecar.file, withStatements(sidecar.text, [confirmed]));
  }

  /** The lines of a cited file, else the reference. */
  async #placeOf(document: vscode.TextDocument, number: number): Promise<[vscode.Uri, vscode.Range]> {
    const { file, start } = this.#read(document).references.get(number)!;
    const { sources, order, workspace } = await this.sourcesOf(document);
    const found = citedFile(document.uri, file, sources.get(order[number - 1] ?? ''), workspace);
    if (!found) return [document.uri, document.lineAt(document.positionAt(start)).range];
    return [vscode.Uri.file(found.path), rangeOfLines(found)];
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

  /** What was known of the report of a run, or without one of all, is out of date. @returns Its documents. */
  forget(run?: string): readonly vscode.TextDocument[] {
    const isOf = (document: vscode.TextDocument) => run === undefined || this.#read(document).run === run;
    const ofRun = vscode.workspace.textDocuments.filter(isOf);
    for (const document of ofRun) {
      this.#evidence.delete(document);
      this.#sources.delete(document);
      this.#sidecars.delete(document);
    }
    return ofRun;
  }

  /** What the folder of its run says of its sources. */
  sourcesOf(document: vscode.TextDocument): Promise<RunSources> {
    const known = this.#sources.get(document) ?? readSources(this.#runsFolder, this.#read(document).run);
    this.#sources.set(document, known);
    return known;
  }

  /** What is known of its statements. */
  evidenceOf(document: vscode.TextDocument): Promise<readonly Evidence[]> {
    const evidence = this.#evidence.get(document) ?? this.#readEvidence(document);
    this.#evidence.set(document, evidence);
    return evidence;
  }

  async #readEvidence(document: vscode.TextDocument): Promise<readonly Evidence[]> {
    const { run } = this.#read(document);
    const known = run === undefined ? undefined : await knownOfReport(path.join(this.#runsFolder, run));
    const sidecar = await this.#readSidecar(document);
    return joined(known?.evidence ?? [], evidenceOfSidecar(sidecar?.text ?? ''));
  }

  /** Path of the file beside a report; undefined where there is none, or none may be read. */
  sidecarOf(document: vscode.TextDocument): Promise<string | undefined> {
    const file = this.#sidecars.get(document) ?? this.#readSidecar(document).then((sidecar) => sidecar?.file);
    this.#sidecars.set(document, file);
    return file;
  }

  async #readSidecar(document: vscode.TextDocument): Promise<Sidecar | undefined> {
    return mayRead(document.uri) ? sidecarOf(document.uri.fsPath, this.#read(document).run) : undefined;
  }
}

/** What is known of statements, and what was found out since of those that were not known, or unverified. */
function joined(known: readonly Evidence[], since: readonly Evidence[]): Evidence[] {
  const settled = new Set(known.flatMap((one) => (one.verdict === 'unverified' ? [] : [idOf(one)])));
  const news = new Map(
    since.flatMap((one) => (settled.has(idOf(one)) || one.verdict !== 'supported' ? [] : [[idOf(one), one]])),
  );
  const rest = known.length === 0 ? since : known;
  return [...rest.filter((one) => !news.has(idOf(one))), ...news.values()];
}

function rangeOf(document: vscode.TextDocument, { start, end }: Pick<Marker, 'start' | 'end'>): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Of a notebook and a PDF its beginning: their lines are those of their text. */
export function rangeOfLines(file: CitedLines): vscode.Range {
  const [first, last] = [file.firstLine, file.lastLine].map((line) =>
    isDocument(file.path) ? 0 : Math.max(0, line - 1),
  );
  return new vscode.Range(first!, 0, last!, 0);
}

export async function readSources(runsFolder: string, run = ''): Promise<RunSources> {
  return readRunSources(runsFolder, run, await readOfRun(runsFolder, run, runFiles.events, eventsLimit));
}

/**
 * The file that a report cites: the one that its run has read, which a report that was moved does not lead to; else the one that the
 * reference leads to, when both are in one workspace folder: a report may be somebody else's. Undefined where it is not there.
 *
 * @param workspace The folder that the run researched.
 */
export function citedFile(
  report: vscode.Uri | undefined,
  file: Reference['file'],
  source: SourceView | undefined,
  workspace: string | undefined,
): CitedLines | undefined {
  if (source?.url !== undefined) return undefined;
  const target = sourceTarget(source, workspace);
  if (target.kind === 'file' && existsSync(target.path)) return target;
  if (!file || !report) return undefined;
  const uri = vscode.Uri.file(path.resolve(path.dirname(report.fsPath), file.path));
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const isNear = folder !== undefined && folder === vscode.workspace.getWorkspaceFolder(report);
  return isNear && existsSync(uri.fsPath) ? { ...file, path: uri.fsPath } : undefined;
}

function countsOf(texts: readonly Pick<OpenStatement, 'evidence'>[]): string {
  const judged = Object.entries(verdictWords()).flatMap(([verdict, word]) => {
    const { length } = texts.filter(({ evidence }) => evidence?.verdict === verdict);
    return length === 0 ? [] : `${length} ${word}`;
  });
  return [vscode.l10n.t('{0} cited', texts.length), ...judged].join(' · ');
}

/** In the editor's language, or as a sidecar has it. */
export function verdictOf({ verdict, reason, said }: Evidence): string {
  const reasons: Readonly<Record<string, string>> = {
    off: vscode.l10n.t('no second reader was asked'),
    controls: vscode.l10n.t('the second reader failed its control statements'),
    noAnswer: vscode.l10n.t('the second reader gave no answer'),
    budget: vscode.l10n.t('the budget was used up'),
    ownConclusion: vscode.l10n.t('a conclusion of the report’s own'),
  };
  const word = verdictWords()[verdict] ?? verdict;
  return said ?? (reason !== undefined && reasons[reason] !== undefined ? `${word}: ${reasons[reason]}` : word);
}

function verdictWords(): Readonly<Record<string, string>> {
  return {
    quoted: vscode.l10n.t('quoted'),
    supported: vscode.l10n.t('supported'),
    corrected: vscode.l10n.t('corrected'),
    unverified: vscode.l10n.t('unverified'),
  };
}
