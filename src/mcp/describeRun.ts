import { basename, dirname, join } from 'node:path';
import { shellWord } from '../files/shellWord.ts';
import { listVersions } from '../files/readVersions.ts';
import type { RunOptions } from '../engine.ts';
import { fillText } from '../protocol/fillText.ts';
import { versionAt } from '../protocol/runFolder.ts';
import { worksOf } from '../protocol/works.ts';
import { ResearchError } from '../research/errors.ts';
import { type ReadRuns, reportOf } from './readRuns.ts';
import type { KnownRun, ServedRun, ServedRuns } from './servedRuns.ts';

/** Of what one result gives of a report, in UTF-16 units. */
export const longestText = 80_000;
const mostListed = 50;

export interface ToolHost {
  readonly runs: ServedRuns;
  readonly readable: ReadRuns;
  readonly options: RunOptions;
  /** Arguments that repeat how the server was started, for a command that a person copies. */
  readonly flags: readonly string[];
}

export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** A run that begins or is resumed, with what it usually costs while it has no plan. */
export async function begun(run: ServedRun, host: ToolHost, usual?: object): Promise<ToolAnswer> {
  const { text, structured } = await described(await host.runs.known(run.session.view.run), host);
  return { text, structured: { ...structured, estimate: structured['estimate'] ?? usual ?? null } };
}

/** The state of a run, in a sentence and as data. */
export async function described({ state, view, waitsFor, own }: KnownRun, host: ToolHost): Promise<ToolAnswer> {
  const { run, question: asked, sections, sources, plan, pending, end, tokens, cost, report, warnings } = view;
  const works = worksOf([...sources]);
  const shownSources = sources.filter(({ file }) => file === undefined || host.readable.showsFiles);
  const done = sections.filter(({ status }) => status === 'completed' || status === 'failed').length;
  const text =
    state === 'finished'
      ? await reportOf(host.readable, run).catch((error: unknown) => ResearchError.from(error).message)
      : undefined;
  const version = versionAt(report.path);
  // A reference may name a file.
  const gone = version && host.readable.showsFiles ? await goneOf(version, host) : [];
  const needsPerson = waitsFor === 'plan' || waitsFor === 'review';
  const approval = own?.hasForm ? inForm : howToApprove(run, host);
  const structured = {
    id: run,
    state,
    question: asked,
    estimate: plan?.estimate ?? null,
    ...(waitsFor === 'answer' &&
      pending && { asked: { id: pending.id, question: pending.question, options: [...pending.options] } }),
    ...(waitsFor !== null && { waitsFor }),
    ...(waitsFor === 'entities' && {
      entities: view.entities.map(({ name, brief }, index) => ({ number: index + 1, name, brief })),
    }),
    ...(needsPerson && { approval }),
    ...(plan && { plan: { title: plan.title, isApproved: plan.approved } }),
    sections: sections.map(({ id: one, title, status, sources: count }) => ({
      id: one,
      title,
      status,
      sources: count,
    })),
    sources: {
      count: works.length,
      first: shownSources.slice(0, mostListed).map(({ id: one, title, url, file }) => ({
        id: one,
        title,
        ...(url && { url }),
        ...(file && { file: file.path }),
      })),
    },
    tokens: { in: tokens.in, out: tokens.out },
    cost,
    notes: warnings.slice(-10).map(({ message }) => message),
    ...(end && { end: { ...end, gaps: [...(end.gaps ?? [])] } }),
    ...(report.path !== undefined && { path: report.path }),
    ...(gone.length > 0 && { noLongerCited: gone }),
    ...(text !== undefined && { report: text.slice(0, longestText) }),
  };
  const said: Record<KnownRun['state'], string> = {
    running: `is running: ${done} of ${fillText('{0, plural, one {# section} other {# sections}} done, {1, plural, one {# source} other {# sources}}', [sections.length, works.length])}. Call get_research again.`,
    waiting: needsPerson
      ? `waits for the user. ${approval}`
      : `waits for an answer: ${pending?.question ?? 'which of the found ones to research'}`,
    paused: `is paused: ${end?.message ?? ''}`,
    interrupted: 'was interrupted; start_research with resume continues it.',
    finished: `is finished${report.path === undefined ? '' : `: ${report.path}`}. ${
      version
        ? [howToAccept(version, host), ...gone.map((source) => `It no longer cites: ${source}`)].join('\n')
        : report.unchanged
          ? 'It changed nothing: the report says all of it already, and there is no new version.'
          : 'Its text is in report, and read_report gives it by section.'
    }`,
    failed: `failed: ${end?.message ?? ''} ${end?.next ?? ''}`.trim(),
    stopped: 'was stopped; start_research with resume continues it.',
  };
  return { text: `The run ${run} ${said[state]}`, structured };
}

const inForm = 'They are asked in a form of this program, while get_research waits: call it with waitSeconds: 20.';

/** The user approves in a terminal, or in the editor whose history has the run. */
export function howToApprove(run: string, host: ToolHost): string {
  const inEditor = isOfEditor(host) ? 'resume it in the history of Deep Research in VS Code, or ' : '';
  return `Ask the user to ${inEditor}run this in a terminal, where the run asks them and continues: ${command(host, '--resume', run)}`;
}

/** The user accepts a version where they approve. */
function howToAccept({ run, number }: { readonly run: string; readonly number: number }, host: ToolHost): string {
  const inEditor = isOfEditor(host) ? 'in the history of Deep Research in VS Code, or ' : '';
  return `It is a new version of the report, which waits until the user accepts it ${inEditor}with: ${command(host, '--follow-up', run, '--accept', String(number))}`;
}

/** References that the report no longer has in a version. */
async function goneOf({ run, number }: { readonly run: string; readonly number: number }, { options }: ToolHost) {
  const versions = await listVersions(join(options.runsFolder, run));
  return versions.find((one) => one.number === number)?.gone ?? [];
}

/** The editor names the storage of an extension by its id. */
function isOfEditor({ options }: ToolHost): boolean {
  return basename(dirname(options.runsFolder)) === 'deep-research.deep-research';
}

function command({ flags }: ToolHost, ...own: readonly string[]): string {
  return ['deep-research', ...own, ...flags].map((word) => shellWord(word, process.platform)).join(' ');
}
