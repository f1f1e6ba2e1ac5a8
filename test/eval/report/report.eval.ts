import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { QuestionState } from '../../../src/batch/questionQueue.ts';
import { batchName } from '../../../src/batch/reportNames.ts';
import { batchesFolder } from '../../../src/files/dataFolder.ts';
import { article, readJson, readLines, readQueries, replaceFile, type Query } from './lines.ts';
import { criteria, type Fact } from './judge.ts';
import { judgementId, judgementsFor, kinds } from './judgeTaken.ts';
import { isJudged, judgeThrough, type Judging, judgingIn, judgingShared, workOn } from './judging.ts';
import { measure, reportOf } from './measure.ts';
import { type BatchOutcome, eventsOf, fetchRuns, retryBatch, runBatch, running } from './runBatch.ts';
import { tableOf, type Entry } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: 'string' },
    out: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    only: { type: 'string' },
    'max-tokens': { type: 'string' },
    'max-minutes': { type: 'string' },
    'max-cost': { type: 'string' },
    workspace: { type: 'string' },
    settings: { type: 'string' },
    strategy: { type: 'string' },
    provider: { type: 'string', short: 'p' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    judge: { type: 'boolean', default: false },
    'judge-provider': { type: 'string' },
    'judge-model': { type: 'string' },
    'judge-base-url': { type: 'string' },
    references: { type: 'string' },
    criteria: { type: 'string' },
    queue: { type: 'string' },
    work: { type: 'boolean', default: false },
    'requests-per-minute': { type: 'string' },
    'tokens-per-minute': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const cwd = process.env['INIT_CWD'] ?? process.cwd();
const at = (file: string): string => resolve(cwd, file);
const stopping = new AbortController();

const atOnce = Number(values['at-once']);
const limits = {
  requestsPerMinute: numberOf(values['requests-per-minute']),
  tokensPerMinute: numberOf(values['tokens-per-minute']),
};

async function main(): Promise<number> {
  if (values.work && values.queue !== undefined) {
    await workOn(values.queue, judgeSettings(), limits, atOnce, stopping.signal);
    return 0;
  }
  if (values.questions === undefined || values.work || positionals.length > 0)
    throw new Error('Usage: npm run eval:report -- --questions FILE [options]; see test/eval/report/README.md.');
  const queries = readQueries(at(values.questions)).filter(
    ({ id }) => values.only === undefined || values.only.split(',').includes(String(id)),
  );
  const references = byPrompt(values.references === undefined ? [] : readLines(at(values.references), article));
  const ownCriteria = byPrompt(values.criteria === undefined ? [] : readLines(at(values.criteria), criteria));
  const set = new EvalSet(at(values.out ?? join('eval-report', basename(values.questions).replace(/\.\w+$/, ''))));
  const judging = values.judge ? await judgingOf(set) : undefined;
  try {
    await judging?.queue.add(
      queries.flatMap((query) =>
        judgementsFor(query, references.get(query.prompt)?.article, ownCriteria.get(query.prompt)),
      ),
    );
    const { runs, questions } = await researchAndJudge(set, queries, judging);
    for (const { id, status, run, error } of questions) {
      const entry = set.entry(id);
      entry.state = status === 'reported' ? 'done' : status === 'failed' ? 'failed' : 'open';
      if (run !== null) Object.assign(entry, { run, measures: measure(eventsOf(runs, run)) });
      if (error) entry.why = error;
      else delete entry.why;
    }
    if (judging !== undefined) await takeJudgements(set, queries, judging);
    set.save();
    set.writeResults(queries, runs);
  } finally {
    await judging?.close();
  }
  const entries = queries.map((query) => ({ query, entry: set.entry(query.id) }));
  console.log(values.json ? JSON.stringify(entries, undefined, 1) : tableOf(entries, references.size > 0));
  console.log(`\nReports: ${join(set.folder, 'reports')}\nFor DeepResearch Bench: ${set.results}`);
  if (stopping.signal.aborted) return 130;
  return entries.every(({ entry }) => entry.state === 'done' && entry.unjudged === undefined) ? 0 : 1;
}

async function judgingOf({ folder }: EvalSet): Promise<Judging> {
  const name = batchName(readFileSync(at(values.questions!)));
  if (values.queue === undefined) return judgingIn(join(folder, batchesFolder, name), judgeSettings());
  return judgingShared(values.queue, name, judgeSettings(), limits);
}

/** Researches the questions, and judges the reports that are there meanwhile. */
async function researchAndJudge(
  set: EvalSet,
  queries: readonly Query[],
  judging: Judging | undefined,
): Promise<BatchOutcome> {
  if (judging === undefined) return research(set, queries);
  const { queue } = judging;
  // What failed the last time.
  await queue.retry();
  await queue.resume();
  let reported: ReadonlySet<string> | undefined;
  const isOver = async (): Promise<boolean> => reported !== undefined && (await isJudged(queue, reported));
  const stop = new AbortController();
  const judged = judgeThrough(judging, atOnce, isOver, AbortSignal.any([stopping.signal, stop.signal]));
  const researched = research(set, queries).then((outcome) => {
    const done = outcome.questions.filter(({ status }) => status === 'reported');
    reported = new Set(done.flatMap(({ id }) => kinds.map((kind) => judgementId(id, kind))));
    return outcome;
  });
  try {
    const [outcome] = await Promise.all([researched, judged]);
    return outcome;
  } finally {
    stop.abort();
    for (const child of running) child.kill();
    await Promise.allSettled([researched, judged]);
  }
}

async function takeJudgements(set: EvalSet, queries: readonly Query[], { queue }: Judging): Promise<void> {
  const known = new Map<string, QuestionState>();
  for await (const state of queue.states()) known.set(state.id, state);
  const { refused } = await queue.counts();
  for (const { id } of queries) {
    const entry = set.entry(id);
    const [race, fact] = kinds.map((kind) => known.get(judgementId(id, kind)));
    const why = [race, fact].flatMap((state) => state?.failure?.message ?? []);
    delete entry.unjudged;
    if (race?.result?.judged) entry.race = race.result.judged;
    if (fact?.result?.judged) entry.fact = fact.result.judged as unknown as Fact;
    if (entry.state === 'done' && (entry.race === undefined || entry.fact === undefined))
      entry.unjudged = [...new Set(why)].join(' ') || (refused?.message ?? 'It was stopped.');
  }
}

/** The questions as a batch, which is continued where it was stopped; what failed is researched again. */
async function research(set: EvalSet, queries: readonly Query[]): Promise<BatchOutcome> {
  const given: unknown = values.settings === undefined ? {} : JSON.parse(readFileSync(at(values.settings), 'utf8'));
  const settings = join(set.folder, 'settings.json');
  // Judges read what the runs have read.
  replaceFile(settings, JSON.stringify({ ...(given as object), 'deepResearch.runs.keep': queries.length + 200 }));
  // Workers have models of their own; here a model judges.
  const own = values.queue === undefined ? (['at-once', 'provider', 'model', 'base-url'] as const) : [];
  const names = ['strategy', ...own, 'max-tokens', 'max-minutes', 'max-cost', 'queue'] as const;
  const passed = names.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const isHere = values.queue === undefined && values.workspace !== undefined;
  const place = isHere ? ['--workspace', at(values.workspace!)] : [];
  const args = [
    ...[at(values.questions!), ...passed, ...place, '--settings', settings, '--run-dir', set.folder],
    ...['--only', queries.map(({ id }) => id).join(','), '--out', join(set.folder, 'reports')],
    ...(values.queue === undefined ? ['--yes'] : []),
  ];
  await retryBatch(args);
  const outcome = await runBatch(args);
  return values.queue === undefined ? outcome : await fetchRuns(values.queue, outcome, join(set.folder, 'runs'));
}

/** The folder of a set: what is known of each question, the runs, the reports. */
class EvalSet {
  readonly folder: string;
  /** In the format of DeepResearch Bench. */
  readonly results: string;
  readonly #progress: string;
  readonly #entries: Record<string, Entry>;

  constructor(folder: string) {
    this.folder = folder;
    this.results = join(folder, 'results.jsonl');
    this.#progress = join(folder, 'progress.json');
    mkdirSync(join(folder, 'reports'), { recursive: true });
    this.#entries = readJson(this.#progress, z.record(z.string(), z.custom<Entry>())) ?? {};
  }

  entry(id: Query['id']): Entry {
    return (this.#entries[String(id)] ??= { state: 'open' });
  }

  save(): void {
    replaceFile(this.#progress, JSON.stringify(this.#entries, undefined, 1));
  }

  writeResults(queries: readonly Query[], runs: string): void {
    const lines = queries.flatMap(({ id, prompt }) => {
      const { state, run } = this.entry(id);
      if (state !== 'done' || run === undefined) return [];
      return [JSON.stringify({ id, prompt, article: reportOf(eventsOf(runs, run)).text })];
    });
    replaceFile(this.results, lines.map((line) => `${line}\n`).join(''));
  }
}

function judgeSettings(): Record<string, unknown> {
  const own = {
    'model.provider': values['judge-provider'] ?? values.provider,
    'model.name': values['judge-model'] ?? values.model,
    'model.baseUrl': values['judge-base-url'] ?? values['base-url'],
  };
  const file: unknown = values.settings === undefined ? {} : JSON.parse(readFileSync(at(values.settings), 'utf8'));
  return { ...(file as object), ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) };
}

function byPrompt<T extends { readonly prompt: string }>(lines: readonly T[]): Map<string, T> {
  return new Map(lines.map((line) => [line.prompt.trim(), line]));
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopping.abort();
    for (const child of running) child.kill(signal);
  });
try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
