import type { Evidence } from '../../files/evidence.ts';
import type { RunView, SourceView } from '../../protocol/runView.ts';
import { partsOf, referencesKey } from '../../files/reportParts.ts';
import { citationMarks } from '../../protocol/citationMark.ts';
import { toolName } from '../commandIds.ts';

const mostUnverified = 10;
const mostGaps = 10;

/**
 * What a model gets of a run that has ended: the answer in brief with its citations, what is unverified or missing, and where the
 * report is; or how to resume it.
 * @param mayShow The report may be shown to a model: it quotes no file, or files may be shown.
 * @param longest Of the answer, in UTF-16 units.
 */
export function toolResult(view: RunView, evidence: readonly Evidence[], mayShow: boolean, longest: number): string {
  const { run, status, report, end } = view;
  if (status !== 'finished')
    return [
      status === 'cancelled'
        ? 'The run was stopped before its report was written.'
        : `The run has no report: ${[end?.message, end?.next].filter(Boolean).join(' ')}`,
      run === ''
        ? ''
        : `What it found is saved. If the user wants it, call ${toolName} with {"resume": "${run}"} to resume it, or with {"resume": "${run}", "finish": true} for a report on what was found.`,
    ]
      .join(' ')
      .trim();
  const saved = report.path === undefined ? 'The report is open in the editor, not saved.' : `Report: ${report.path}`;
  if (!mayShow)
    return `The research is finished. Its report quotes files of the workspace, which the user's settings show to no model, so only the user can read it. ${saved}`;
  const brief = briefOf(report.text, longest);
  const gaps = (end?.gaps ?? []).slice(0, mostGaps).map(({ gap }) => `- ${gap}`);
  const unverified = evidence.filter(({ verdict }) => verdict === 'unverified').map(({ sentence }) => sentence);
  return [
    end?.outcome === 'notFound' ? 'The sources have no answer to this question.' : '',
    plain(brief),
    list('References', referencesIn(brief, view)),
    list(
      'Not verified against the sources',
      unverified.slice(0, mostUnverified).map((one) => `- ${oneLine(one)}`),
    ),
    unverified.length > mostUnverified ? `and ${unverified.length - mostUnverified} more statements` : '',
    list('Not answered', gaps),
    `${saved}\nRun: ${run}. It has more sections than are shown here. Cite the references by their addresses.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Whether a report can quote files of the workspace. */
export function quotesFiles({ sources }: Pick<RunView, 'sources'>): boolean {
  return sources.some(({ file }) => file !== undefined);
}

/** The title and what is before the first section; where that cites nothing, the first section too, and so on. */
function briefOf(report: string, longest: number): string {
  let brief = '';
  for (const { key, text } of partsOf(report)) {
    if (key === referencesKey || brief.search(citationMarks) >= 0) break;
    brief += `${text}\n\n`;
  }
  if (brief.length <= longest) return brief.trim();
  const cut = brief.slice(0, longest);
  return `${cut.slice(0, Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('. ') + 1, longest / 2)).trim()} …`;
}

function plain(markdown: string): string {
  return markdown.replace(citationMarks, '[$1]');
}

function referencesIn(brief: string, { report, sources }: RunView): string[] {
  const numbers = new Set([...brief.matchAll(citationMarks)].map(([, number]) => Number(number)));
  return [...numbers]
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const source = sources.find(({ id }) => id === report.citations[number - 1]);
      return source ? [`[${number}] ${referenceOf(source)}`] : [];
    });
}

function referenceOf({ title, url, file }: SourceView): string {
  const place = file ? `${file.path}#L${file.firstLine}-L${file.lastLine}` : url;
  return [oneLine(title), place].filter(Boolean).join('. ');
}

function list(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${heading}:\n${lines.join('\n')}`;
}

function oneLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}
