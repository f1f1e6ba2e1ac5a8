import * as vscode from 'vscode';
import { isLive } from '../../protocol/runView.ts';
import { type Work, worksOf } from '../../protocol/works.ts';
import { type CommandId, commandIds } from '../commandIds.ts';
import { oneLine } from '../history/plainText.ts';
import { type CitingReport, hostOf } from '../reports/citedEvidence.ts';
import { l10n } from '../l10n.ts';
import { openPage } from '../reports/openSource.ts';
import { citationBehind, sectionsOf } from '../../files/citedTexts.ts';
import { type Evidence, type EvidencePassage, plainPassage } from '../../files/evidence.ts';
import { statementsIn } from '../../files/findStatements.ts';
import { plainReference, referencesOf, sourcesIn, unescaped } from '../../files/references.ts';
import { mostSections, verdictOf } from '../reports/citedReports.ts';
import { bodyOf } from '../reports/reportText.ts';
import type { ReportService } from '../reports/reportService.ts';
import type { ResearchWindow } from '../researchWindow.ts';

export interface SourcesHost extends Pick<ResearchWindow, 'session'> {
  readonly reports: ReportService;
}

export type SourceNode =
  | {
      readonly kind: 'work';
      readonly work: Work;
      readonly passages: readonly UsedPassage[];
      readonly sections: readonly string[];
    }
  | ({ readonly kind: 'passage' } & UsedPassage)
  | { readonly kind: 'sentence'; readonly evidence: Evidence; readonly number: number }
  | { readonly kind: 'page'; readonly url: string; readonly why: string };

/** A passage, and the statements that rest on it. */
interface UsedPassage {
  readonly passage: EvidencePassage;
  readonly statements: readonly Evidence[];
}

type Filter = 'all' | 'cited' | 'uncited' | 'unread';

/** Of a label, in characters: a row shows no more. */
const longestLabel = 160;

/** Works with their passages, these with the statements that rest on them, and the pages that could not be read. */
export class SourceTree {
  readonly #host: SourcesHost;
  readonly #view: vscode.TreeView<SourceNode>;
  readonly #changed: () => void;
  #filter: Filter = 'all';
  #report: CitingReport = { run: undefined, document: undefined, text: '' };

  constructor(host: SourcesHost, view: vscode.TreeView<SourceNode>, changed: () => void) {
    this.#host = host;
    this.#view = view;
    this.#changed = changed;
  }

  async children(node: SourceNode | undefined): Promise<SourceNode[]> {
    if (!node) return this.#roots();
    if (node.kind === 'work') return node.passages.map((one) => ({ kind: 'passage', ...one }));
    if (node.kind !== 'passage') return [];
    return node.statements.map((evidence) => ({ kind: 'sentence', evidence, number: node.passage.number }));
  }

  item(node: SourceNode): vscode.TreeItem {
    const item = itemOf(node);
    item.command = { title: vscode.l10n.t('Open'), command: commandIds.openSource, arguments: [node] };
    return item;
  }

  async run(command: CommandId, node: unknown): Promise<void> {
    if (command === commandIds.filterSources) return this.#chooseFilter();
    const chosen = isNode(node) ? node : this.#view.selection[0];
    if (!chosen) return;
    if (command === commandIds.leaveOutSource) await this.#leaveOut(chosen);
    else if (command === commandIds.copyReference) await vscode.env.clipboard.writeText(this.#referenceOf(chosen));
    else await this.#open(chosen);
  }

  /** Has the report written again without a work. */
  async #leaveOut(node: SourceNode): Promise<void> {
    const { run } = this.#report;
    if (node.kind !== 'work' || run === undefined || node.work.numbers.length === 0) return;
    const how = { as: 'rewrite', without: node.work.numbers };
    await vscode.commands.executeCommand(commandIds.askRun, run, '', how);
  }

  async #roots(): Promise<SourceNode[]> {
    const { view } = this.#host.session;
    this.#report = this.#host.reports.front() ?? { run: view.run, document: undefined, text: view.report.text };
    const { run, text } = this.#report;
    const cited = await this.#host.reports.evidence();
    // Its folder has what accepted versions brought as well.
    const isShown = run !== undefined && run === view.run && isLive(view);
    const known = await cited.sourcesOf(this.#report);
    const ofRun = isShown ? view.sources : [...known.sources.values()];
    const sources = ofRun.length > 0 ? ofRun : sourcesIn(text);
    const order = ofRun.length === 0 ? sources.map(({ id }) => id) : isShown ? view.report.citations : known.order;
    const sections = sectionsOf(text).slice(0, mostSections);
    /** The statements that the report has, with the indexes of their sections. */
    const statements = new Map<Evidence, Set<number>>();
    let section = -1;
    for (const { evidence, start } of statementsIn(text, await cited.all(this.#report))) {
      while (start >= (sections[section + 1]?.start ?? Infinity)) section += 1;
      statements.set(evidence, (statements.get(evidence) ?? new Set()).add(section));
    }
    const titleOf = (index: number) => /^## (.*)/.exec(text.slice(sections[index]?.start))?.[1] ?? [];
    const uses = [...statements.keys()].flatMap((statement) =>
      statement.passages.map((passage) => ({ passage, statement })),
    );
    const usesOf = Map.groupBy(uses, ({ passage }) => passage.source ?? passage.number);
    const works = worksOf(sources, order).map((work): SourceNode => {
      const keys = [...work.passages.map(({ id }) => id), ...work.numbers];
      const used = Map.groupBy(
        keys.flatMap((key) => usesOf.get(key) ?? []),
        ({ passage }) => passage.text,
      );
      const passages = [...used.values()].map((of) => ({
        passage: of[0]!.passage,
        statements: [...new Set(of.map(({ statement }) => statement))],
      }));
      const indexes = new Set(passages.flatMap((one) => one.statements.flatMap((of) => [...statements.get(of)!])));
      const titles = [...indexes].sort((a, b) => a - b).flatMap(titleOf);
      return { kind: 'work', work, passages, sections: titles };
    });
    const pages = isShown
      ? view.pages.filter(({ source }) => source === undefined)
      : [...known.unread].map(([url, why]) => ({ url, why }));
    const unread = pages.map(({ url, why }): SourceNode => ({ kind: 'page', url, why }));
    const isCited = (node: SourceNode) => node.kind === 'work' && node.work.numbers.length > 0;
    const citedWorks = works.filter(isCited);
    this.#view.description =
      works.length === 0 ? '' : vscode.l10n.t('{0} cited of {1}', citedWorks.length, works.length);
    this.#view.message =
      works.length === 0 ? vscode.l10n.t('Open a report, or start a run: its sources are listed here.') : '';
    const shown = {
      all: [...works, ...unread],
      cited: citedWorks,
      uncited: works.filter((one) => !isCited(one)),
      unread,
    };
    return shown[this.#filter];
  }

  async #chooseFilter(): Promise<void> {
    const labels: Readonly<Record<Filter, string>> = {
      all: vscode.l10n.t('All sources'),
      cited: vscode.l10n.t('Cited'),
      uncited: vscode.l10n.t('Read, not cited'),
      unread: vscode.l10n.t('Could not be read'),
    };
    const items = Object.entries(labels).map(([filter, label]) => ({ label, filter: filter as Filter }));
    const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Filter Sources') });
    if (!chosen) return;
    this.#filter = chosen.filter;
    this.#changed();
  }

  async #open(node: SourceNode): Promise<void> {
    if (node.kind === 'page') return openPage(node.url);
    if (node.kind === 'sentence') return this.#show(node.evidence, node.number);
    const cited = await this.#host.reports.evidence();
    if (node.kind === 'work') return cited.openWork(this.#report, node.work);
    const [statement] = node.statements;
    const sentence = statement?.sentence ?? '';
    await cited.open(this.#report, { number: node.passage.number, block: sentence, before: sentence }, false);
  }

  /** The statement where its report is read: in its tab, or in its text. */
  async #show(evidence: Evidence, number: number): Promise<void> {
    const { document } = this.#report;
    const text = document?.getText() ?? this.#report.text;
    const [statement] = statementsIn(text, [evidence]);
    const body = bodyOf(text);
    const nth = statement ? citationBehind(body, number, statement.start - (text.length - body.length)) : -1;
    const isText = document !== undefined && document === vscode.window.activeTextEditor?.document;
    if (!isText && nth >= 0 && this.#host.reports.readers?.goTo(this.#report, { number, nth })) return;
    if (!document) return;
    const at = statement && document.positionAt(statement.start);
    await vscode.window.showTextDocument(document, at && { selection: new vscode.Range(at, at) });
  }

  #referenceOf(node: SourceNode): string {
    if (node.kind === 'page') return node.url;
    const numbers =
      node.kind === 'work' ? node.work.numbers : [node.kind === 'passage' ? node.passage.number : node.number];
    const references = referencesOf(this.#report.text);
    const lines = numbers.flatMap((number) => {
      const reference = references.get(number);
      return reference ? `[${number}] ${plainReference(reference.text)}` : [];
    });
    if (lines.length > 0 || node.kind !== 'work') return lines.join('\n');
    const { title, url, file, date } = node.work.source;
    return [title, date, url ?? file?.path].filter((part) => part !== undefined && part !== '').join('. ');
  }
}

function itemOf(node: SourceNode): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  if (node.kind === 'page') {
    const item = new vscode.TreeItem(node.url, None);
    item.description = node.why;
    item.iconPath = new vscode.ThemeIcon('circle-slash');
    item.tooltip = `${vscode.l10n.t('Could not be read')}: ${node.why}`;
    item.contextValue = 'page';
    return item;
  }
  if (node.kind === 'sentence') {
    const item = new vscode.TreeItem(line(node.evidence.sentence), None);
    item.description = verdictOf(node.evidence);
    item.iconPath = new vscode.ThemeIcon(node.evidence.verdict === 'unverified' ? 'question' : 'pass');
    item.tooltip = node.evidence.sentence.trim();
    return item;
  }
  if (node.kind === 'passage') {
    const words = plainPassage(node.passage);
    const item = new vscode.TreeItem(line(words), node.statements.length > 0 ? Collapsed : None);
    item.description = [`[${node.passage.number}]`, node.passage.place?.startsWith('L') ? node.passage.place : '']
      .filter(Boolean)
      .join(' ');
    item.iconPath = new vscode.ThemeIcon('quote');
    item.tooltip = words;
    item.contextValue = 'passage';
    return item;
  }
  const { work, passages, sections } = node;
  const { source, numbers } = work;
  const where = source.file?.path ?? hostOf(source.url);
  const state = numbers.length > 0 ? numbers.map((number) => `[${number}]`).join('') : vscode.l10n.t('read, not cited');
  const copies = new Set(work.passages.flatMap(({ url }) => url ?? [])).size;
  const voices = copies > 1 ? l10n.t('one voice with {0, plural, one {# address} other {# addresses}}', copies) : '';
  const facts = [source.kind, where === source.title ? '' : where, source.date ?? '', voices].filter(
    (fact) => fact !== '',
  );
  const item = new vscode.TreeItem(line(source.title || where || source.id), passages.length > 0 ? Collapsed : None);
  item.description = [state, ...facts].join(' · ');
  item.iconPath = new vscode.ThemeIcon(source.file ? 'file' : source.url === undefined ? 'book' : 'globe');
  item.tooltip = [
    source.title,
    facts.join(' · '),
    source.url ?? '',
    sections.length === 0 ? '' : vscode.l10n.t('In: {0}', sections.map(unescaped).join(', ')),
  ]
    .filter((part) => part !== '')
    .join('\n');
  item.contextValue = work.numbers.length > 0 ? 'work cited' : 'work';
  return item;
}

function line(text: string): string {
  return oneLine(text.replace(/\*\*|`/g, ''), longestLabel);
}

function isNode(value: unknown): value is SourceNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
