import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { canary } from './canary.ts';
import type { FaultyRun, Life } from './faultRun.ts';
import { HungRun, reasonOf } from './faultRun.ts';
import { isWriting } from './modelRequest.ts';
import { ofType } from './scriptedParts.ts';
import { plainMarks } from './plainMarks.ts';

/** What must hold of a run in which something went wrong, whatever it was. Each check gives what is wrong, in words. */

/** Nothing of a stack, a page, a program or a wire format: what a person reads is in words. */
const notInWords =
  /<\/?[a-z!][^>]*>|\bat \S+ \(|\.[cm]?[jt]s:\d+|\{"|\[object |Cannot read propert|TypeError|Traceback|undefined|\bnull\b/;

export interface Expected {
  /** How a run that the fault ends may be told: the reasons of `run/failed`. */
  readonly reasons: readonly string[];
  /** Nothing is asked of the run's folder: it is what fails. */
  readonly unkept?: boolean;
  /** The run was stopped by its user. */
  readonly stopped?: boolean;
}

/** How a run ended, in one word or two, for the table. */
export function outcomeOf(life: Life): string {
  const end = life.events.at(-1);
  if (end?.type === 'run/finished') return end.outcome === 'complete' ? 'report' : 'partial report';
  if (end?.type === 'run/failed') return `one message: ${end.reason}`;
  return end?.type === 'run/cancelled' ? 'stopped' : `no end (${end?.type})`;
}

/** @param struck Requests at which something went wrong, by index. */
export async function problemsOf(run: FaultyRun, struck: ReadonlySet<number>, expected: Expected): Promise<string[]> {
  const problems: string[] = [];
  if (run.error instanceof HungRun) return [run.error.message];
  problems.push(
    ...endProblems(run, expected),
    ...(run.result ? reportProblems(run, run.result.report, struck) : []),
    ...(expected.unkept ? [] : evidenceProblems(run)),
  );
  if (run.server && !(await idle(() => run.server!.inFlight)))
    problems.push(`${run.server.inFlight} calls are still open after the end`);
  return problems;
}

/** The run is resumed, makes a report, and sends no finished call again. */
export async function resumeProblems(run: FaultyRun, struck: ReadonlySet<number>): Promise<string[]> {
  const paid = run.requests
    .filter((request) => request.status === 200 && !request.aborted && !struck.has(request.index))
    .map(({ body }) => JSON.stringify(body));
  const again = await run.resume();
  if (!again.result)
    return [`resumed, it gives no report: ${reasonOf(again.error)} ${(again.error as Error | undefined)?.message}`];
  const repeated = again.requests.filter(({ body }) => paid.includes(JSON.stringify(body)));
  return [
    ...(repeated.length > 0
      ? [`resumed, it sends again: ${repeated.map(({ step, section }) => `${step} ${section}`).join(', ')}`]
      : []),
    ...reportProblems(run, again.result.report, struck).map((problem) => `resumed: ${problem}`),
  ];
}

function endProblems(run: FaultyRun, { reasons, stopped, unkept }: Expected): string[] {
  const ends = run.events.filter(({ type }) => ['run/finished', 'run/failed', 'run/cancelled'].includes(type));
  if (ends.length !== 1) return [`it has ${ends.length} ends: ${ends.map(({ type }) => type).join(', ')}`];
  const [end] = ends;
  const problems: string[] = [];
  if (end !== run.events.at(-1)) problems.push('something is told after the end');
  if (stopped && end!.type !== 'run/cancelled') problems.push(`stopped, it ends with ${end!.type}`);
  if (end!.type === 'run/failed' || end!.type === 'run/cancelled') {
    if (end.type === 'run/failed' && !reasons.includes(end.reason))
      problems.push(`it fails as ${end.reason} ("${end.message}"), not as ${reasons.join(' or ')}`);
    if (notInWords.test(end.message)) problems.push(`the message is not in words: ${end.message}`);
    if (end.next.trim() === '') problems.push('the message does not say what to do next');
    if (run.result) problems.push('it gives a report although it failed');
    const status = unkept ? undefined : run.record().status;
    if (status !== undefined && status !== (end.type === 'run/failed' ? 'failed' : 'cancelled'))
      problems.push(`its record says ${status}`);
  } else if (!run.result) {
    problems.push(`it rejects although it finished: ${String(run.error)}`);
  }
  for (const { message } of ofType(run.events, 'run/warning'))
    if (notInWords.test(message)) problems.push(`a warning is not in words: ${message}`);
  return problems;
}

/** The body of a report, without front matter, references and the account. */
function bodyOf(report: string): string {
  return report.replace(/^---\n[\s\S]*?\n---\n/, '').split(/^## (?:References|How this report was made)$/m)[0]!;
}

function reportProblems(run: FaultyRun, saved: string, struck: ReadonlySet<number>): string[] {
  const report = plainMarks(saved);
  const problems: string[] = [];
  const body = bodyOf(report);
  if (report.includes(canary))
    problems.push(`what the failing server said stands in the report: …${around(report, canary)}…`);
  if (notInWords.test(body))
    problems.push(`the body holds what is no prose: …${around(body, notInWords.exec(body)![0])}…`);
  const account = report.slice(report.lastIndexOf('## How this report was made'));
  if (notInWords.test(account)) problems.push(`the account is not in words: ${account}`);
  const front = parse(/^---\n([\s\S]*?)\n---\n/.exec(report)?.[1] ?? '') as { sources?: number } | null;
  const references = [...report.matchAll(/^- \[(\d+)\] .+$/gm)].map(([, number]) => Number(number));
  const cited = new Set([...body.matchAll(/(?<!\\)\[(\d+)\](?!\()/g)].map(([, number]) => Number(number)));
  if (references.some((number, index) => number !== index + 1))
    problems.push(`the references are numbered ${references.join(', ')}`);
  for (const number of cited) if (!references.includes(number)) problems.push(`[${number}] has no reference`);
  for (const number of references) if (!cited.has(number)) problems.push(`reference ${number} is cited nowhere`);
  if (front?.sources !== references.length)
    problems.push(`the front matter counts ${front?.sources} sources, the references are ${references.length}`);
  if (references.length === 0) problems.push('the report cites nothing');
  if (/\[S[0-9a-f]{5}/.test(report)) problems.push('a bare id of a source stands in the report');
  // What a writer that did its work makes of the findings is its own business; it must have had them.
  const told = (run.server?.requests ?? []).filter(
    ({ step, status, aborted, index }) => isWriting(step) && status === 200 && !aborted && !struck.has(index),
  );
  for (const id of findingSources(run)) {
    const title = titleOf(run, id) ?? id;
    if (!told.some(({ prompt }) => prompt.includes(id)) && !report.includes(`] ${title.replace(/\.$/, '')}`))
      problems.push(`a finding of "${title}" (${id}) is lost`);
  }
  return problems;
}

/** Sources of the findings that a model had distilled; the last answer for a section counts, which holds what was before. */
function findingSources(run: FaultyRun): Set<string> {
  const latest = new Map<string, Set<string>>();
  for (const line of run.lines('journal.ndjson')) {
    const { key, value } = JSON.parse(line) as { key: string; value: { text?: string } | null };
    const section = /^section\/(\w+)\/\d+\/distil/.exec(key)?.[1];
    if (section === undefined || typeof value?.text !== 'string') continue;
    try {
      const { key_findings: findings } = JSON.parse(value.text) as { key_findings?: { source: string }[] };
      if (findings) latest.set(section, new Set(findings.map(({ source }) => source)));
    } catch {
      // The broken answer of a fault.
    }
  }
  return new Set([...latest.values()].flatMap((ids) => [...ids]));
}

function titleOf(run: FaultyRun, id: string): string | undefined {
  return ofType(run.events, 'source/added').find((event) => event.id === id)?.title;
}

/** Every source that was found is kept, with its text; and no other step's prompt has what the server said. */
function evidenceProblems(run: FaultyRun): string[] {
  const problems: string[] = [];
  const found = ofType(run.events, 'source/added').map(({ id }) => id);
  const kept =
    found.length === 0
      ? []
      : (
          JSON.parse(run.lines('sources.json').join('\n') || '{"sources":[]}') as { sources: { id: string }[] }
        ).sources.map(({ id }) => id);
  for (const id of found) {
    if (!kept.includes(id)) problems.push(`the source ${id} is not in sources.json`);
    if (!fs.existsSync(path.join(run.location, 'evidence', `${id}.txt`)))
      problems.push(`the text of ${id} is not kept`);
  }
  for (const request of run.requests) {
    for (const message of request.messages) {
      if (!message.content.includes(canary)) continue;
      // A bad answer is shown to the same step again; a tool's failure is an observation.
      const echoed = message.role === 'assistant' || (message.role === 'tool' && message.content.startsWith('Error: '));
      const goesOn = isWriting(request.step) && message.role === 'assistant';
      if (!echoed && !goesOn)
        problems.push(`the prompt of ${request.step} has what the server said: …${around(message.content, canary)}…`);
    }
  }
  return problems;
}

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 60), at + part.length + 40).replace(/\s+/g, ' ');
}

/** True as soon as nothing is open; false when something never closes. */
async function idle(open: () => number): Promise<boolean> {
  const until = performance.now() + 60_000;
  while (open() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  return open() === 0;
}
