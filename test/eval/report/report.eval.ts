import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { article, readJson, readLines, readQueries, replaceFile, type Query } from './lines.ts';
import { criteria, generalCriteria, Judge } from './judge.ts';
import { measure, reportOf, statementsOf } from './measure.ts';
import { eventsOf, evidenceOf, runQuestion, running } from './runQuestion.ts';
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
  const open = queries.filter(({ id }) => !['done', 'refused'].includes(set.entry(id).state));
  let unstarted = open.length;
  const work = async (): Promise<void> => {
    for (let query = open.shift(); query !== undefined; query = open.shift()) {
      const share = set.share(unstarted);
      if (share === undefined) {
        console.error('The budget of the set is used up.');
        return;
      }
      unstarted -= 1;
      await research(set, query, share);
      if (stopping.signal.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: positive(values['at-once'], '--at-once') ?? 1 }, work));
  if (judge !== undefined && !stopping.signal.aborted) {
    for (const { id, prompt } of queries) {
      const entry = set.entry(id);
      if (entry.state !== 'done' || entry.run === undefined || (entry.race && entry.fact)) continue;
      const run = entry.run;
      const { text, citations } = reportOf(eventsOf(set.runs, run));
      console.error(`${id}: judged by ${judge.name}`);
      entry.race ??= await judge.race(
        prompt,
        withoutMarkers(text),
        references.get(prompt)?.article,
        ownCriteria.get(prompt) ?? generalCriteria,
      );
      set.save();
      entry.fact ??= await judge.fact(statementsOf(text, citations), (source) => evidenceOf(set.runs, run, source));
      set.save();
    }
  }
  set.writeResults(queries);
  const entries = queries.map((query) => ({ query, entry: set.entry(query.id) }));
  console.log(values.json ? JSON.stringify(entries, undefined, 1) : tableOf(entries, references.size > 0));
  console.log(`\nReports: ${join(set.folder, 'reports')}\nFor DeepResearch Bench: ${set.results}`);
  if (stopping.signal.aborted) return 130;
  return entries.every(({ entry }) => entry.state === 'done') ? 0 : 1;
}

/** Runs one question, or resumes its run. */
async function research(set: EvalSet, { id, prompt }: Query, share: readonly string[]): Promise<void> {
  const entry = set.entry(id);
  const passed = (['workspace', 'settings', 'strategy', 'provider', 'model', 'base-url'] as const).flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [`--${name}`, name === 'workspace' || name === 'settings' ? at(value) : value];
  });
  const common = [
    ...passed,
    ...share,
    '--run-dir',
    set.runs,
    '--out',
    join(set.folder, 'reports', `${fileName(id)}.md`),
  ];
  const start = (args: readonly string[]) =>
    runQuestion([...args, ...common], (run) => {
      entry.run = run;
      set.save();
    });
  const known = entry.run !== undefined && existsSync(join(set.runs, entry.run)) ? entry.run : undefined;
  entry.state = 'running';
  delete entry.why;
  set.save();
  console.error(`${id}: ${known === undefined ? 'researched' : `resumed as ${known}`} …`);
  const { code, said } = await start(known === undefined ? ['--query', prompt] : ['--resume', known]);
  if (stopping.signal.aborted) return;
  entry.state = code === 0 ? 'done' : code === 4 ? 'refused' : 'failed';
  if (code !== 0) entry.why = said;
  if (entry.run !== undefined) entry.measures = measure(eventsOf(set.runs, entry.run));
  set.save();
  console.error(`${id}: ${entry.state}${entry.why === undefined ? '' : ` (${entry.why})`}`);
}

/** The folder of a set: what is known of each question, the runs, the reports. */
class EvalSet {
  readonly folder: string;
  readonly runs: string;
  /** In the format of DeepResearch Bench. */
  readonly results: string;
  readonly #progress: string;
  readonly #entries: Record<string, Entry>;

  constructor(folder: string) {
    this.folder = folder;
    this.runs = join(folder, 'runs');
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

  /** An equal part of what is left of the budget of all, as arguments; undefined: nothing is left. */
  share(questions: number): string[] | undefined {
    const all = Object.values(this.#entries).flatMap(({ measures }) => measures ?? []);
    const used = {
      'max-tokens': all.reduce((sum, { tokens }) => sum + tokens, 0),
      'max-minutes': all.reduce((sum, { seconds }) => sum + seconds / 60, 0),
      'max-cost': all.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    };
    const args: string[] = [];
    for (const name of ['max-tokens', 'max-minutes', 'max-cost'] as const) {
      const most = positive(values[name], `--${name}`);
      if (most === undefined) continue;
      const left = (most - used[name]) / questions;
      if (left <= 0) return undefined;
      args.push(`--${name}`, String(name === 'max-tokens' ? Math.ceil(left) : left));
    }
    return args;
  }

  writeResults(queries: readonly Query[]): void {
    const lines = queries.flatMap(({ id, prompt }) => {
      const { state, run } = this.entry(id);
      if (state !== 'done' || run === undefined) return [];
      return [JSON.stringify({ id, prompt, article: reportOf(eventsOf(this.runs, run)).text })];
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

function positive(value: string | undefined, flag: string): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!(number > 0)) throw new Error(`${flag} is "${value}"; a number above 0 is expected.`);
  return number;
}

function byPrompt<T extends { readonly prompt: string }>(lines: readonly T[]): Map<string, T> {
  return new Map(lines.map((line) => [line.prompt.trim(), line]));
}

/** Judges of style must not see whose report it is by its markers. */
function withoutMarkers(report: string): string {
  const end = report.search(/^## [^\n]*\n+- \[1\] /m);
  return (end < 0 ? report : report.slice(0, end)).replace(/\s?\[\d+\](?!\()/g, '');
}

/** Ids come from a file of somebody else. */
const fileName = (id: Query['id']): string =>
  String(id)
    .replace(/[^\w-]+/g, '_')
    .slice(0, 60);

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
