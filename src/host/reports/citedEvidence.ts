import path from 'node:path';
import * as vscode from 'vscode';
import type { Cited, ShownEvidence } from '../../protocol/readerMessages.ts';
import { runFiles, runIdPattern } from '../../protocol/runFolder.ts';
import { knownOfReport } from '../../files/readVersions.ts';
import type { SourceView } from '../../protocol/runView.ts';
import type { Work } from '../../protocol/works.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { citedFile, verdictOf } from './citedReports.ts';
import { l10n } from '../l10n.ts';
import { inform } from '../inform.ts';
import { openFile, openPage, openSource, showPassage } from './openSource.ts';
import {
  type Evidence,
  evidenceIn,
  excerptOf,
  type EvidencePassage,
  type Reference,
  referencesOf,
  unescaped,
} from '../../files/reportEvidence.ts';
import { eventsLimit, readOfRun, readRunSources, readStoredText, type RunSources } from './runSources.ts';
import { StoredTexts } from './storedTexts.ts';
import { withPdfPage, withTextFragment } from './textFragment.ts';
import { sidecarOf } from '../../files/sidecar.ts';

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
  readonly #sources = new WeakMap<vscode.TextDocument, Promise<RunSources>>();

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
    const { url } = source ?? reference ?? {};
    const works = new Set(
      (evidence?.passages ?? []).flatMap((one) => known.sources.get(one.source ?? '')?.work ?? one.source ?? []),
    );
    const voices = l10n.t('{0, plural, one {one voice} other {# voices}}', works.size);
    const retrieved = known.retrieved.get(source?.id ?? '') ?? '';
    const facts = source && [
      source.kind,
      source.file ? `${source.file.path}:${source.file.firstLine}-${source.file.lastLine}` : hostOf(url),
      source.date ?? '',
      retrieved === '' ? '' : vscode.l10n.t('retrieved {0}', retrieved),
      works.size === 0 ? '' : voices,
    ];
    const isHere = evidence !== undefined && known.sources.size > 0;
    return {
      ...(isHere && { statement: evidence.sentence }),
      verdict: evidence ? verdictOf(evidence) : '',
      judged: evidence === undefined ? 'not' : evidence.verdict === 'unverified' ? 'unverified' : 'well',
      title: source?.title ?? plainReference(reference?.text ?? ''),
      facts: (facts ?? []).filter((fact) => fact !== ''),
      passages: passages.map((passage) => excerptOf(passage, evidence?.sentence ?? '')),
      opens: source?.file || reference?.file ? 'file' : url === undefined ? 'none' : 'page',
      hasCopy: passages.some((one) => one.source !== undefined) || source !== undefined || passages.length > 0,
    };
  }

  /** Opens what is cited, where the passage is; with `copy` the stored text in place of the page or file. */
  async open(report: CitingReport, cited: Cited, copy: boolean, viewColumn = vscode.ViewColumn.Beside): Promise<void> {
    const { evidence, passages, source, reference, known } = await this.#find(report, cited);
    const [passage] = passages;
    const quote = passage && excerptOf(passage, evidence?.sentence ?? '').marked;
    const { document, run } = report;
    const id = passage?.source ?? source?.id;
    if (copy && run !== undefined && id !== undefined) {
      const title = source?.title ?? '';
      if (await this.#stored.show(run, id, title, passage?.text ?? '')) return;
    }
    if (copy && document) return this.#showBeside(document, run, passage);
    const file = document && citedFile(document.uri, reference?.file);
    if (source?.url === undefined && reference?.file && file) {
      return openFile({ ...reference.file, ...linesOf(passage), path: file.fsPath }, viewColumn);
    }
    if (source?.file) {
      const at = { ...source, file: { ...source.file, ...linesOf(passage) } };
      if (await openSource(at, known.workspace, viewColumn)) return;
    }
    const url = source?.url ?? reference?.url;
    if (url !== undefined) {
      const stored = id === undefined ? '' : await readStoredText(this.#host.runsFolder, run ?? '', id);
      return openPage(withPdfPage(url, stored, passage?.text ?? '') ?? withTextFragment(url, quote ?? ''));
    }
    inform(vscode.l10n.t('This source has no page or file to open.'));
  }

  /** Opens a work: where it is cited first, else its page or file. */
  async openWork(report: CitingReport, { source, numbers }: Work): Promise<void> {
    const [number] = numbers;
    if (number !== undefined) return this.open(report, { number, block: '', before: '' }, false);
    const { workspace } = await this.sourcesOf(report);
    if (!(await openSource(source, workspace))) inform(vscode.l10n.t('This source has no page or file to open.'));
  }

  async #find(report: CitingReport, { number, block, before }: Cited) {
    const [all, known] = await Promise.all([this.all(report), this.sourcesOf(report)]);
    const evidence = block === '' ? undefined : evidenceIn(block, before, number, all);
    const own = (evidence ? [evidence] : block === '' ? all : [])
      .flatMap(({ passages }) => passages)
      .filter((one) => one.number === number);
    const passages = [...new Map(own.map((one) => [one.text, one])).values()];
    const source: SourceView | undefined = known.sources.get(passages[0]?.source ?? known.order[number - 1] ?? '');
    const reference = referenceOf(report.text, number);
    return { evidence, passages: evidence ? passages : passages.slice(0, mostOfReference), source, reference, known };
  }

  /** What was known of the sources of a report is out of date. */
  forget(document: vscode.TextDocument): void {
    this.#sources.delete(document);
  }

  sourcesOf({ document, run = '' }: CitingReport): Promise<RunSources> {
    const read = async () => {
      const events = await readOfRun(this.#host.runsFolder, run, runFiles.events, eventsLimit);
      return readRunSources(this.#host.runsFolder, run, events);
    };
    if (!document) return read();
    const known = this.#sources.get(document) ?? read();
    this.#sources.set(document, known);
    return known;
  }

  /** The file with the evidence of a report whose run is not on this machine. */
  async #showBeside(
    { uri }: vscode.TextDocument,
    run: string | undefined,
    passage: EvidencePassage | undefined,
  ): Promise<void> {
    const sidecar = await sidecarOf(uri.fsPath, run);
    if (!sidecar) return;
    await showPassage(await vscode.workspace.openTextDocument(sidecar.file), passage?.text ?? '');
  }
}

export function referenceOf(text: string, number: number): (Reference & { readonly url?: string }) | undefined {
  const reference = referencesOf(text).get(number);
  const url = reference && /https?:\/\/[^\s<>()]{1,4000}[^\s<>().,;]/.exec(reference.text)?.[0];
  return reference && { ...reference, ...(url === undefined ? {} : { url: unescaped(url) }) };
}

function linesOf(passage: EvidencePassage | undefined) {
  const lines = /^L(\d{1,7})-L(\d{1,7})$/.exec(passage?.place ?? '');
  return lines ? { firstLine: Number(lines[1]), lastLine: Number(lines[2]) } : undefined;
}

export function plainReference(markdown: string): string {
  return unescaped(markdown.replace(/\[((?:\\.|[^[\]\\])*)\]\([^()]*\)/g, '$1'));
}

export function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
}
