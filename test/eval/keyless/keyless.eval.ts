import { fork, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bm25 } from './bm25.ts';
import { parseReport, type ParsedReport } from './parseReport.ts';
import { readSet, type Folder, type Question } from './questions.ts';
import { bearingFiles, checkReport, scorePassages, type Checks, type Score } from './score.ts';
import { table, type Row } from './table.ts';
import { apologies } from './apologies.ts';
import type { Answer, Task } from './worker.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'dev' },
    json: { type: 'boolean', default: false },
    dist: { type: 'string', default: 'dist' },
    only: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});
const here = import.meta.dirname;
const cwd = process.env.INIT_CWD ?? process.cwd();
const set = ['dev', 'heldOut'].includes(values.set) ? join(here, values.set) : resolve(cwd, values.set);
const dist = values.dist === 'dist' ? resolve(here, '../../../dist') : resolve(cwd, values.dist);
const workers = 2;
/** Every copy of a file is of this day: the age of a checkout says nothing about its text. */
const day = new Date('2025-06-01T12:00:00Z');

export interface Result {
  readonly folder: string;
  readonly question: Question;
  readonly answer: Answer;
  readonly parsed: ParsedReport;
  readonly bearing: ReadonlySet<string>;
  readonly score: Score;
  readonly checks: Checks;
  readonly baseline: Score;
}

const temporary = mkdtempSync(join(tmpdir(), 'keyless-'));
const children: ChildProcess[] = [];
try {
  const folders = readSet(set);
  const results = await answerAll(folders);
  if (values.show) results.forEach(show);
  const report = summary(results);
  console.log(values.json ? JSON.stringify(report, undefined, 1) : table(report.rows, report.notes));
} finally {
  for (const child of children) child.kill();
  rmSync(temporary, { recursive: true, force: true });
}

/** Questions of one folder after another, as a person asks them; each worker keeps its own runs, and what is kept beside them. */
async function answerAll(folders: readonly Folder[]): Promise<Result[]> {
  const asked = folders.flatMap((folder) => {
    const questions = folder.questions.filter(
      ({ id }) => values.only === undefined || `${folder.name}/${id}`.includes(values.only),
    );
    const workspace = copy(folder);
    const baseline = bm25(folder.files);
    return questions.map((question) => ({ folder, question, workspace, baseline }));
  });
  const results: Result[] = [];
  let next = 0;
  const work = async (index: number): Promise<void> => {
    const child = fork(join(here, 'worker.ts'), [dist, join(temporary, `runs-${index}`)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.push(child);
    await reply(child);
    for (let at = next++; at < asked.length; at = next++) {
      const { folder, question, workspace, baseline } = asked[at]!;
      const task: Task = { question: question.question, workspace };
      child.send(task);
      const answer = (await reply(child)) as Answer;
      const bearing = bearingFiles(question, folder);
      const parsed = parseReport(answer.report, [...folder.files.keys()]);
      results[at] = {
        ...{ folder: folder.name, question, answer, parsed, bearing },
        score: scorePassages(parsed.quotes, question, bearing),
        checks: checkReport(parsed, question, folder),
        baseline: scorePassages(baseline(question.question, 10), question, bearing),
      };
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => work(index)));
  return results;
}

function reply(child: ChildProcess): Promise<unknown> {
  return new Promise((done, failed) => {
    child.once('message', (message) => {
      child.removeAllListeners('exit');
      done(message);
    });
    child.once('exit', (code) => failed(new Error(`A worker ended with ${code}.`)));
  });
}

/** A copy outside this repository, whose history and ignore rules are none of the folder's. */
function copy({ name, path }: Folder): string {
  const to = join(temporary, name);
  cpSync(path, to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true })) utimesSync(join(to, String(entry)), day, day);
  return to;
}

function summary(results: readonly Result[]): { rows: Row[]; notes: string[]; results: object[] } {
  const common = templateWords(results);
  const kinds = [...new Set(results.map(({ question }) => question.kind))].sort();
  const folders = [...new Set(results.map(({ folder }) => folder))];
  const row = (name: string, of: (result: Result) => boolean): Row => rowOf(name, results.filter(of));
  const rows = [
    ...kinds.map((kind) => row(kind, ({ question }) => question.kind === kind)),
    ...(folders.length > 1 ? folders.map((folder) => row(`${folder}/`, (result) => result.folder === folder)) : []),
    row('total', () => true),
  ];
  const sum = (of: (result: Result) => number): number => results.reduce((total, result) => total + of(result), 0);
  const failures = results.filter(({ answer }) => answer.reason !== undefined && answer.reason !== 'noEvidence');
  const wrongGaps = results.filter(
    ({ question, checks }) => question.answer.length > 0 && checks.named.some((word) => !common.has(word)),
  );
  const [answerable, unanswerable] = [true, false].map((is) =>
    results.filter(({ question }) => question.answer.length > 0 === is),
  ) as [Result[], Result[]];
  const isSorry = ({ parsed }: Result): boolean => apologies(parsed.ownLines).length > 0;
  const [answered, missed] = [true, false].map((is) =>
    answerable.filter(({ score }) => (score.answeredAt !== undefined) === is),
  ) as [Result[], Result[]];
  const absent = (of: readonly Result[]): readonly Result[] => of.filter(({ answer }) => answer.isNotFound);
  const notes = [
    `Quotes: ${sum(({ score }) => score.quotes)}, word for word in their file ${sum(({ checks }) => checks.verbatim)}; of ${sum(({ checks }) => checks.holding)} with the answer ${sum(({ checks }) => checks.placed)} cite lines that hold it.`,
    `Median of a report: ${median(results.map(({ score }) => score.quotes))} quotes, ${median(results.flatMap(({ parsed }) => parsed.quotes.map(({ text }) => text.length)))} characters a quote; ${median(results.map(({ answer }) => answer.report.length))} characters in all.`,
    `Answerable, but no report: ${answerable.filter(({ answer }) => answer.report === '').length}. Failed for another reason than nothing found: ${failures.map(({ folder, question, answer }) => `${folder}/${question.id} (${answer.reason}: ${answer.message})`).join(', ') || 'none'}.`,
    `Said to be not in the folder: ${absent(unanswerable).length} of ${unanswerable.length} unanswerable, ${absent(answerable).length} of ${answerable.length} answerable (${absent(
      answerable,
    )
      .map(({ folder, question }) => `${folder}/${question.id}`)
      .join(', ')}).`,
    `Answered under a line that calls it no answer, or a word missing: ${answered.filter(isSorry).length} of ${answered.length}. Not answered, without one: ${missed.filter((one) => !isSorry(one)).length} of ${missed.length}.`,
    `Answerable, and a word of the question that the folder holds stands in the report's own lines (perhaps called missing): ${wrongGaps.length}.`,
  ];
  return { rows, notes, results: results.map((result) => outcome(result)) };
}

function outcome({ folder, question, answer, parsed, score, checks, baseline }: Result): object {
  const { quotes } = parsed;
  return {
    id: `${folder}/${question.id}`,
    kind: question.kind,
    question: question.question,
    seconds: answer.seconds,
    reason: answer.reason,
    score,
    checks,
    baseline,
    quotes,
  };
}

/** Words of the program's own in more than a tenth of the reports: its template, not a word that it misses. */
function templateWords(results: readonly Result[]): Set<string> {
  const times = new Map<string, number>();
  for (const { parsed } of results) {
    for (const word of new Set(
      parsed.ownLines
        .join('\n')
        .toLowerCase()
        .match(/[\p{L}\p{N}]{4,}/gu) ?? [],
    ))
      times.set(word, (times.get(word) ?? 0) + 1);
  }
  return new Set([...times].filter(([, count]) => count > Math.max(2, results.length / 10)).map(([word]) => word));
}

function rowOf(name: string, results: readonly Result[]): Row {
  const answerable = results.filter(({ question }) => question.answer.length > 0);
  const unanswerable = results.filter(({ question }) => question.answer.length === 0);
  const count = (of: (result: Result) => boolean): number => answerable.filter(of).length;
  const total = (of: (result: Result) => number): number => answerable.reduce((sum, result) => sum + of(result), 0);
  return {
    name,
    answerable: answerable.length,
    answered: count(({ score }) => score.answeredAt !== undefined),
    firstFive: count(({ score }) => (score.answeredAt ?? Infinity) <= 5),
    first: count(({ score }) => score.answeredAt === 1),
    quotes: total(({ score }) => score.quotes),
    bearing: total(({ score }) => score.bearing),
    unanswerable: unanswerable.length,
    honest: unanswerable.filter(
      ({ answer, checks }) => answer.reason === 'noEvidence' || answer.isNotFound || checks.isHonest,
    ).length,
    seconds: median(results.map(({ answer }) => answer.seconds)),
    bm25: count(({ baseline }) => baseline.answeredAt !== undefined),
    bm25FirstFive: count(({ baseline }) => (baseline.answeredAt ?? Infinity) <= 5),
    bm25Quotes: total(({ baseline }) => baseline.quotes),
    bm25Bearing: total(({ baseline }) => baseline.bearing),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function show({ folder, question, answer, parsed, score, checks, baseline, bearing }: Result): void {
  const isAnswerable = question.answer.length > 0;
  const verdict = isAnswerable
    ? score.answeredAt === undefined
      ? 'MISSED'
      : `answered at ${score.answeredAt}`
    : answer.reason === 'noEvidence' || answer.isNotFound || checks.isHonest
      ? 'honest'
      : 'DISHONEST';
  console.log(
    `\n${folder}/${question.id} (${question.kind}) ${question.question}\n  ${verdict}; BM25 ${baseline.answeredAt ?? 'missed'}; ${answer.reason ?? `${score.bearing} of ${score.quotes} quotes bear on it`}`,
  );
  apologies(parsed.ownLines).forEach((line) => console.log(`  ! ${line}`));
  parsed.quotes
    .slice(0, 8)
    .forEach(({ text, file, firstLine }, index) =>
      console.log(
        `  ${index + 1}.${bearing.has(file) ? '+' : ' '} ${file}:${firstLine} ${text.replace(/\s+/g, ' ').slice(0, 160)}`,
      ),
    );
}
