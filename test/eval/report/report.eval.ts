import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { article, readJson, readLines, readQueries, replaceFile, type Query } from './lines.ts';
import { criteria, generalCriteria, Judge } from './judge.ts';
import { measure, reportOf, statementsOf } from './measure.ts';
import { type BatchOutcome, eventsOf, evidenceOf, fetchRuns, retryBatch, runBatch, running } from './runBatch.ts';
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
    json: { type: 'boolean', default: false },
  },
});

const cwd = process.env['INIT_CWD'] ?? process.cwd();
const at = (file: string): string => resolve(cwd, file);
const stopping = new AbortController();

async function main(): Promise<number> {
  if (values.questions === undefined || positionals.length > 0)
    throw new Error('Usage: npm run eval:report -- --questions FILE [options]; see test/eval/report/README.md.');
  const queries = readQueries(at(values.questions)).filter(
    ({ id }) => values.only === undefined || values.only.split(',').includes(String(id)),
  );
  const judge = values.judge ? await Judge.open(judgeSettings()) : undefined;
  const references = byPrompt(values.references === undefined ? [] : readLines(at(values.references), article));
  const ownCriteria = byPrompt(values.criteria === undefined ? [] : readLines(at(values.criteria), criteria));
  const set = new EvalSet(at(values.out ?? join('eval-report', basename(values.questions).replace(/\.\w+$/, ''))));
  const { runs, questions } = await research(set, queries);
  for (const { id, status, run, error } of questions) {
    const entry = set.entry(id);
    entry.state = status === 'reported' ? 'done' : status === 'failed' ? 'failed' : 'open';
    if (run !== null) Object.assign(entry, { run, measures: measure(eventsOf(runs, run)) });
    if (error) entry.why = error;
    else delete entry.why;
  }
  set.save();
  if (judge !== undefined && !stopping.signal.aborted) {
    for (const { id, prompt } of queries) {
      const entry = set.entry(id);
      if (entry.state !== 'done' || entry.run === undefined || (entry.race && entry.fact)) continue;
      const run = entry.run;
      const { text, citations } = reportOf(eventsOf(runs, run));
      console.error(`${id}: judged by ${judge.name}`);
      entry.race ??= await judge.race(
        prompt,
        withoutMarkers(text),
        references.get(prompt)?.article,
        ownCriteria.get(prompt) ?? generalCriteria,
      );
      set.save();
      entry.fact ??= await judge.fact(statementsOf(text, citations), (source) => evidenceOf(runs, run, source));
      set.save();
    }
  }
  set.writeResults(queries, runs);
  const entries = queries.map((query) => ({ query, entry: set.entry(query.id) }));
  console.log(values.json ? JSON.stringify(entries, undefined, 1) : tableOf(entries, references.size > 0));
  console.log(`\nReports: ${join(set.folder, 'reports')}\nFor DeepResearch Bench: ${set.results}`);
  if (stopping.signal.aborted) return 130;
  return entries.every(({ entry }) => entry.state === 'done') ? 0 : 1;
}

/** The questions as a batch, which is continued where it was stopped; what failed is researched again. */
async function research(set: EvalSet, queries: readonly Query[]): Promise<BatchOutcome> {
  const given: unknown = values.settings === undefined ? {} : JSON.parse(readFileSync(at(values.settings), 'utf8'));
  const settings = join(set.folder, 'settings.json');
  // Judges read what the runs have read.
  replaceFile(settings, JSON.stringify({ ...(given as object), 'deepResearch.runs.keep': queries.length + 200 }));
  // Workers have models of their own; here a model judges.
  const own = values.queue === undefined ? (['provider', 'model', 'base-url'] as const) : [];
  const names = ['at-once', 'strategy', ...own, 'max-tokens', 'max-minutes', 'max-cost', 'queue'] as const;
  const passed = names.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const place = values.workspace === undefined ? [] : ['--workspace', at(values.workspace)];
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

/** Judges of style must not see whose report it is by its markers. */
function withoutMarkers(report: string): string {
  const end = report.search(/^## [^\n]*\n+- \[1\] /m);
  return (end < 0 ? report : report.slice(0, end)).replace(/\s?\[\d+\](?!\()/g, '');
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
