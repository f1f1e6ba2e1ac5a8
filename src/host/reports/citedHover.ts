import * as vscode from 'vscode';
import { escaped } from '../../files/references.ts';
import type { Cited, ShownEvidence } from '../../protocol/readerMessages.ts';
import { commandIds } from '../commandIds.ts';
import type { CitedReports } from './citedReports.ts';

/** A report that is open as text. */
interface OpenReport {
  readonly run: string | undefined;
  readonly document: vscode.TextDocument;
  readonly text: string;
}

/** What the citations of a report rest on, and where that is: `CitedEvidence`. */
export interface EvidenceOfText {
  show(report: OpenReport, cited: Cited): Promise<ShownEvidence>;
  open(report: OpenReport, cited: Cited, copy: boolean): Promise<void>;
  placeOf(report: OpenReport, cited: Cited): Promise<vscode.Location | undefined>;
}

/** What the text of a report shows at a citation: its reference, and what it rests on. */
export async function citedHover(
  reports: CitedReports,
  load: () => Promise<EvidenceOfText>,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const found = await reports.citedAt(document, position);
  if (!found) return undefined;
  const { cited, report, reference, range } = found;
  const { statement, verdict, passages, facts, opens, hasCopy } = await (await load()).show(report, cited);
  const text = new vscode.MarkdownString(`**\\[${cited.number}\\]** ${withoutImages(withoutLinks(reference.text))}`);
  if (verdict !== '') text.appendMarkdown(`\n\n*${escaped(verdict)}*`);
  for (const passage of passages) text.appendMarkdown(`\n\n${shown(passage)}`);
  if (facts.length > 0) text.appendMarkdown(`\n\n${facts.map(escaped).join(' · ')}`);
  // A text of its own: no words of a source may run a command.
  const actions = new vscode.MarkdownString();
  actions.isTrusted = { enabledCommands: [commandIds.openCited, commandIds.askRun] };
  const link = (label: string, command: string, ...args: unknown[]) => {
    const encoded = encodeURIComponent(JSON.stringify(args)).replaceAll('(', '%28').replaceAll(')', '%29');
    return `[${label}](command:${command}?${encoded})`;
  };
  const at = [document.uri.toString(), document.offsetAt(range.start)];
  const challenge = { as: 'challenge', fill: statement };
  const links = [
    ...(opens === 'none' ? [] : [link(vscode.l10n.t('Open at the passage'), commandIds.openCited, ...at, false)]),
    ...(hasCopy ? [link(vscode.l10n.t('Stored text'), commandIds.openCited, ...at, true)] : []),
    ...(statement === undefined
      ? []
      : [link(vscode.l10n.t('Challenge'), commandIds.askRun, report.run, null, challenge)]),
  ];
  return new vscode.Hover(links.length > 0 ? [text, actions.appendMarkdown(links.join(' · '))] : text, range);
}

/** A passage as plain words: a sidecar may be somebody else's. */
function shown({ before, marked, after }: ShownEvidence['passages'][number]): string {
  const [first, deciding, last] = [before, marked, after].map((part) => escaped(part).replace(/\s+/g, ' '));
  return `> ${`${first}${deciding === '' ? '' : `**${deciding}**`}${last}`.trim()}`;
}

/** A hover resolves no path from the report. */
function withoutLinks(reference: string): string {
  return reference.replace(/\[((?:\\.|[^[\]\\])*)\]\((?!https?:)[^()]*\)/g, '$1').replace(/<(?!https?:)/g, '\\<');
}

/** A hover loads images, and a file of the workspace may be somebody else's. */
function withoutImages(markdown: string): string {
  return markdown.replaceAll('![', '!\\[');
}
