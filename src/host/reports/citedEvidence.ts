import path from 'node:path';
import * as vscode from 'vscode';
import { isDocument } from '../../protocol/isDocument.ts';
import { signs } from '../../protocol/citationMark.ts';
import { attachedKind } from '../../protocol/heldBack.ts';
import { sourceSigns } from '../../protocol/followUp.ts';
import type { Cited, ShownEvidence } from '../../protocol/readerMessages.ts';
import { runIdPattern } from '../../protocol/runFolder.ts';
import { linesOfPassage } from '../../files/passageLines.ts';
import { knownOfReport } from '../../files/readVersions.ts';
import type { SourceView } from '../../protocol/runView.ts';
import type { Work } from '../../protocol/works.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { citedFile, rangeOfLines, readSources, verdictOf } from './citedReports.ts';
import { l10n } from '../l10n.ts';
import { inform } from '../inform.ts';
import { openFile, openPage, openSource, rangeOfPassage } from './openSource.ts';
import { byDecision, type Evidence, excerptOf, type EvidencePassage, plainPassage } from '../../files/evidence.ts';
import { evidenceIn } from '../../files/findStatements.ts';
import { addressOf, describingWords, type Reference, referencesOf } from '../../files/references.ts';
import { readStoredText, type RunSources } from './runSources.ts';
import { StoredTexts } from './storedTexts.ts';
import { addressAt } from './textFragment.ts';
import { mayRead } from '../restrictedMode.ts';

/** A report whose citations are asked about. */
export interface CitingReport {
  readonly run: string | undefined;
  /** Absent while it is written. */
  readonly document: vscode.TextDocument | undefined;
  readonly text: string;
}

/** Passages of a reference that are shown. */
const mostOfReference = 3;

/** What the citations of reports rest on, and where they lead. Evidence is that of the run, or of the file beside the report. */
export class CitedEvidence implements vscode.Disposable {
  readonly #host: Pick<ResearchWindow, 'runsFolder' | 'citations'>;
  readonly #stored: StoredTexts;

  constructor(host: Pick<ResearchWindow, 'runsFolder' | 'citations'>) {
    this.#host = host;
    this.#stored = new StoredTexts(host.runsFolder);
  }

  dispose(): void {
    this.#stored.dispose();
  }

  /** All statements of a report that were judged. */
  async all({ document, run = '' }: CitingReport): Promise<readonly Evidence[]> {
    if (document) return (await this.#host.citations.reports()).evidenceOf(document);
    return runIdPattern.test(run) ? (await knownOfReport(path.join(this.#host.runsFolder, run))).evidence : [];
  }

  async show(report: CitingReport, cited: Cited): Promise<ShownEvidence> {
    const { evidence, passages, source, reference, known } = await this.#find(report, cited);
    const url = source?.url ?? (reference && addressOf(reference));
    const file = citedFile(report.document?.uri, reference?.file, source, known.workspace);
    const works = new Set(
      (evidence?.passages ?? []).flatMap((one) => known.sources.get(one.source ?? '')?.work ?? one.source ?? []),
    );
    const voices = l10n.t('{0, plural, one {one voice} other {# voices}}', works.size);
    const said = datesOf(reference);
    const retrieved = known.retrieved.get(source?.id ?? '') ?? said.retrieved;
    const at = source ? source.file : reference?.file;
    const facts = [
      source?.kind ?? '',
      at ? `${at.path}:${at.firstLine}-${at.lastLine}` : hostOf(url),
      source ? (source.date ?? '') : said.date,
      retrieved === '' ? '' : vscode.l10n.t('retrieved {0}', retrieved),
      works.size === 0 ? '' : voices,
    ];
    const isHere = evidence !== undefined && known.sources.size > 0;
    return {
      ...(isHere && { statement: evidence.sentence }),
      verdict: evidence ? verdictOf(evidence) : '',
      judged: evidence === undefined ? 'not' : evidence.verdict === 'unverified' ? 'unverified' : 'well',
      title: source?.title ?? describingWords(reference?.text ?? ''),
      facts: facts.filter((fact) => fact !== ''),
      // First the one that a click leads to.
      passages: byDecision(passages, evidence?.sentence ?? '').map(({ passage }) =>
        excerptOf(passage, evidence?.sentence ?? ''),
      ),
      opens: file ? 'file' : url === undefined ? 'none' : 'page',
      hasCopy: await this.#hasCopy(report, passages[0]?.source ?? source?.id),
    };
  }

  /**
   * Opens what is cited, where the passage is. The stored text of the source in its place: with `copy`, and where that is all there is, the
   * user gave it in place of a page, a refresh has marked the source, or the file no longer holds the passage.
   */
  async open(report: CitingReport, cited: Cited, copy: boolean, viewColumn = vscode.ViewColumn.Beside): Promise<void> {
    const { evidence, passages, source, reference, known } = await this.#find(report, cited);
    const [{ passage, words } = { passage: undefined, words: '' }] = byDecision(passages, evidence?.sentence ?? '');
    const url = source?.url ?? (reference && addressOf(reference));
    const file = citedFile(report.document?.uri, reference?.file, source, known.workspace);
    const lines = file && (await linesNow(file, passage));
    const isOutdated = isMarked(reference) || (file ? lines === undefined : url === undefined);
    // The user gave the text of a page that the run could not read: behind a login, or paid for.
    const isPrivate = source?.kind === attachedKind && !file;
    if ((copy || isOutdated || isPrivate) && (await this.#showCopy(report, source, passage))) return;
    if (file) return openFile({ ...file, ...lines }, viewColumn);
    if (url !== undefined) {
      const id = passage?.source ?? source?.id;
      const stored = id === undefined ? '' : await readStoredText(this.#host.runsFolder, report.run ?? '', id);
      return openPage(addressAt(url, stored, passage?.text ?? '', words));
    }
    inform(vscode.l10n.t('This source has no page or file to open.'));
  }

  /** Where the passage of a citation is in the editor: the lines of its file, else in what was read. Undefined where it is in neither. */
  async placeOf(report: CitingReport, cited: Cited): Promise<vscode.Location | undefined> {
    const { evidence, passages, source, reference, known } = await this.#find(report, cited);
    const passage = byDecision(passages, evidence?.sentence ?? '')[0]?.passage;
    if (!passage) return undefined;
    const file = citedFile(report.document?.uri, reference?.file, source, known.workspace);
    const lines = file && (await linesNow(file, passage));
    if (lines) return new vscode.Location(vscode.Uri.file(file.path), rangeOfLines({ ...file, ...lines }));
    const copy = await this.#copyOf(report, source, passage);
    return copy && new vscode.Location(copy.uri, rangeOfPassage(copy, passage.text));
  }

  /** Opens a work: where it is cited first, else its page or file. */
  async openWork(report: CitingReport, { source, numbers }: Work): Promise<void> {
    const [number] = numbers;
    if (number !== undefined) return this.open(report, { number, block: '', before: '' }, false);
    const { workspace } = await this.sourcesOf(report);
    if (!(await openSource(source, workspace)) && !(await this.#showCopy(report, source, undefined)))
      inform(vscode.l10n.t('This source has no page or file to open.'));
  }

  async #find(report: CitingReport, { number, block, before }: Cited) {
    const [all, known] = await Promise.all([this.all(report), this.sourcesOf(report)]);
    const evidence = block === '' ? undefined : evidenceIn(block, before, number, all);
    const own = (evidence ? [evidence] : block === '' ? all : [])
      .flatMap(({ passages }) => passages)
      .filter((one) => one.number === number);
    const passages = [...new Map(own.map((one) => [one.text, one])).values()];
    const source: SourceView | undefined = known.sources.get(passages[0]?.source ?? known.order[number - 1] ?? '');
    const reference = referencesOf(report.text).get(number);
    return { evidence, passages: evidence ? passages : passages.slice(0, mostOfReference), source, reference, known };
  }

  async sourcesOf({ document, run }: CitingReport): Promise<RunSources> {
    return document
      ? (await this.#host.citations.reports()).sourcesOf(document)
      : readSources(this.#host.runsFolder, run);
  }

  /** Shows what was read of a source with a passage marked. False where nothing of it is here. */
  async #showCopy(
    report: CitingReport,
    source: SourceView | undefined,
    passage: EvidencePassage | undefined,
  ): Promise<boolean> {
    const copy = await this.#copyOf(report, source, passage);
    if (copy) await this.#stored.show(copy, passage?.text ?? '');
    return copy !== undefined;
  }

  /** What was read of a source: its text, else the file beside the report. */
  async #copyOf(
    { document, run }: CitingReport,
    source: SourceView | undefined,
    passage: EvidencePassage | undefined,
  ): Promise<vscode.TextDocument | undefined> {
    const id = passage?.source ?? source?.id;
    const title = source?.title ?? '';
    const stored = run === undefined || id === undefined ? undefined : await this.#stored.open(run, id, title);
    if (stored) return stored;
    const sidecar = await this.#sidecarOf(document);
    return sidecar === undefined ? undefined : vscode.workspace.openTextDocument(sidecar);
  }

  async #hasCopy({ document, run = '' }: CitingReport, id: string | undefined): Promise<boolean> {
    if (id !== undefined && (await readStoredText(this.#host.runsFolder, run, id)) !== '') return true;
    return (await this.#sidecarOf(document)) !== undefined;
  }

  async #sidecarOf(document: CitingReport['document']): Promise<string | undefined> {
    return document && (await this.#host.citations.reports()).sidecarOf(document);
  }
}

interface Lines {
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The lines of a file that hold a passage; undefined where it holds it no more. */
async function linesNow(
  { path: file, firstLine, lastLine }: Lines & { readonly path: string },
  passage: EvidencePassage | undefined,
): Promise<Lines | undefined> {
  const cited = linesOf(passage) ?? { firstLine, lastLine };
  // Their lines are those of the text that was read of them.
  if (!passage || !mayRead(vscode.Uri.file(file)) || isDocument(file)) return cited;
  const text = await Promise.resolve(vscode.workspace.openTextDocument(file)).then(
    (document) => document.getText(),
    () => undefined,
  );
  const lines = text && linesOfPassage(text, plainPassage(passage), [cited.firstLine, cited.lastLine]);
  return lines ? { firstLine: lines[0], lastLine: lines[1] } : undefined;
}

/** A refresh has found that its page is gone, changed or withdrawn. */
function isMarked(reference: Reference | undefined): boolean {
  const { gone, changed, withdrawn } = sourceSigns;
  return [gone, changed, withdrawn].some((sign) => reference?.text.includes(` ${sign} `));
}

/** Of a reference, as our writer writes it: when its source is of, and when it was read; "" where it does not say so. */
function datesOf(reference: Reference | undefined): { readonly date: string; readonly retrieved: string } {
  const text = reference?.text.replace(new RegExp(` [${signs}] .*$`, 'u'), '') ?? '';
  const date = /, (\d{4}(?:-\d\d(?:-\d\d)?)?)\. /.exec(text)?.[1] ?? '';
  return { date, retrieved: /(\d{4}-\d\d-\d\d)\W*$/.exec(text)?.[1] ?? '' };
}

function linesOf(passage: EvidencePassage | undefined): Lines | undefined {
  const lines = /^L(\d{1,7})-L(\d{1,7})$/.exec(passage?.place ?? '');
  return lines ? { firstLine: Number(lines[1]), lastLine: Number(lines[2]) } : undefined;
}

export function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
}
