import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/batch/postgres/database.ts';
import { SharedQueue } from '../../src/batch/postgres/sharedQueue.ts';
import type { QuestionState } from '../../src/batch/questionQueue.ts';
import { type Command, startCommand } from '../support/commandLine.ts';
import { type ModelRequest, type ModelServer, startModelServer } from '../support/modelServer.ts';
import { numbered } from '../support/paidOnce.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import {
  type PostgresServer,
  runClient,
  shortenMinute,
  startPostgres,
  withoutPostgres,
} from '../support/postgresServer.ts';
import { busyShare, processorTimes } from '../support/processorTimes.ts';
import { rounds } from '../support/sampled.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

interface Journalled {
  readonly run: string;
  readonly key: string;
  readonly value: { readonly usage?: { readonly in: number; readonly out: number } } | null;
}

const isSampled = rounds(10) < 10;
/** A key's minute: a shorter one lets fewer through, so that the test takes seconds. */
const windowMs = isSampled ? 4_000 : 60_000;
const perWindow = isSampled ? 12 : 60;

describe('workers of one queue', { skip: withoutPostgres, timeout: 30 * 60_000 }, () => {
  let postgres: PostgresServer;
  let database: Database;
  let model: ModelServer;
  let sources: SourceServer;
  let folder: string;
  let started = 0;
  const workers = new Set<Command>();
  before(async () => {
    folder = temporaryFolder('workers');
    [postgres, model, sources] = await Promise.all([
      startPostgres(),
      startModelServer({ delayMs: 20, script: numbered() }),
      startSourceServer(),
    ]);
    database = await openDatabase(postgres.url);
    fs.writeFileSync(
      path.join(folder, 'settings.json'),
      JSON.stringify({ ...imitatedSettings(sources), depth: 'quick' }),
    );
  });
  afterEach(async () => {
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all([...workers].map(({ done }) => done));
  });
  after(async () => {
    await database?.close();
    await Promise.all([postgres?.stop(), model?.close(), sources?.close()]);
    removeFolder(folder);
  });

  /** On a machine of its own: it has nothing of what the others have on theirs. */
  const startWorkerIn = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Command => {
    const runs = path.join(folder, `machine-${(started += 1)}`);
    const worker = startCommand(
      [
        ...['worker', '--queue', postgres.url, '--at-once', '2', '--yes', '--run-dir', runs],
        ...['--settings', path.join(folder, 'settings.json'), '--base-url', model.url, '--model', 'imitation-1'],
        ...args,
      ],
      { cwd: folder, env },
    );
    workers.add(worker);
    void worker.done.then(() => workers.delete(worker));
    return worker;
  };
  const startWorker = (...args: readonly string[]): Command => startWorkerIn({}, ...args);
  const stopAll = async (): Promise<void> => {
    for (const { child } of workers) child.kill('SIGTERM');
    await Promise.all([...workers].map(({ done }) => done));
  };
  let batchBegan = 0;
  const newBatch = async (name: string, count: number): Promise<SharedQueue> => {
    batchBegan = model.requests.length;
    const queue = await SharedQueue.open(database, name, {}, 200);
    await queue.add(
      Array.from({ length: count }, (_, index) => ({
        ...{ id: `${name}-${index}`, priority: 0 },
        question: `How do retrieval-augmented generation systems of kind ${name}${index} work?`,
      })),
    );
    return queue;
  };
  const reported = async (queue: SharedQueue): Promise<QuestionState[]> => {
    let seen: string | undefined;
    for (;;) {
      seen = await queue.changed(seen, new AbortController().signal);
      const { by } = await queue.counts();
      if (by.pending + by.running === 0) break;
    }
    const states: QuestionState[] = [];
    for await (const state of queue.states()) states.push(state);
    return states;
  };
  /** Each question has one run and one report, and no call whose answer is in its journal was sent again. */
  const assertOnce = async (
    queue: SharedQueue,
    states: readonly QuestionState[],
    { query } = database,
  ): Promise<void> => {
    assert.deepEqual(
      states.filter(({ status }) => status !== 'reported').map(({ id, failure }) => `${id}: ${failure?.message}`),
      [],
    );
    const runs = states.map(({ run }) => run!);
    assert.equal(new Set(runs).size, states.length);
    for (const run of runs) {
      const files = await queue.report(run);
      assert.match(files.get('') ?? '', /^---\n[\s\S]*## References/);
    }
    const rows = await query<{ run: string; data: Buffer }>(
      "SELECT run, data FROM research_line WHERE file = 'journal.ndjson' AND parts = 1 AND run = ANY ($1)",
      [runs],
    );
    const lines = rows.map(({ run, data }) => ({ ...(JSON.parse(data.toString()) as Journalled), run }));
    // Each answer costs one token: a line of several adds their numbers up, to the number of another request perhaps.
    const answered = new Map(
      lines.flatMap((line) => (line.value?.usage?.out === 1 ? [[line.value.usage.in, line] as const] : [])),
    );
    const sent = model.requests.slice(batchBegan);
    const repeated = sent.filter(({ index, startedAt, body, step }) =>
      sent.some((other) => {
        const first = answered.get(other.index);
        if (first === undefined || (other.endedAt ?? Infinity) >= startedAt) return false;
        // A reader's request doesn't say for which question it is.
        const isSameRun = answered.get(index)?.run === first.run || (!answered.has(index) && step !== 'verify');
        return isSameRun && JSON.stringify(other.body) === JSON.stringify(body);
      }),
    );
    assert.deepEqual(
      repeated.map(({ step, index }: ModelRequest) => `${step} ${index}`),
      [],
    );
    const made = await query<{ runs: string }>(
      'SELECT count(DISTINCT run) AS runs FROM research_line WHERE run NOT IN (SELECT run FROM research_question WHERE run IS NOT NULL)',
    );
    assert.equal(made[0]?.runs, '0', 'no question had a second run');
  };

  it('stay within the limit of their key together', async (test) => {
    const server = await startModelServer({ delayMs: 20, script: numbered(), isTried: true });
    test.after(() => server.close());
    const begun = processorTimes();
    await shortenMinute(database, windowMs);
    const queue = await newBatch('limited', isSampled ? 4 : 16);
    const limited = ['--base-url', server.url, '--requests-per-minute', String(perWindow)];
    for (let times = 0; times < (isSampled ? 3 : 10); times += 1) startWorker(...limited);
    const states = await reported(queue);
    assert.ok(states.every(({ status }) => status === 'reported'));
    await stopAll();
    await shortenMinute(database, 60_000);
    const starts = server.requests.map(({ startedAt }) => startedAt);
    const inWindow = starts.map((start) => starts.filter((at) => at >= start && at < start + windowMs).length);
    // As long as all of a window's requests are waited for; at the end each run has one at a time.
    const full = Math.floor((starts.length - states.length) / perWindow);
    const idle = 1 - (full * windowMs) / (starts[full * perWindow]! - starts[0]!);
    const counts = `${starts.length} requests, at most ${Math.max(...inWindow)} in a window of ${windowMs / 1_000} s`;
    test.diagnostic(`${counts}; ${(idle * 100).toFixed(1)} % idle over ${full} of them`);
    assert.ok(Math.max(...inWindow) <= perWindow, `${Math.max(...inWindow)} in a window`);
    // Where these processes wait for processors, so do requests on their way.
    const isBusy = busyShare(begun, processorTimes()) > 0.85;
    if (isBusy) test.diagnostic('Processor time is the limit.');
    if (!isSampled && !isBusy) assert.ok(idle <= 0.05, `${idle} of the limit is not used`);
  });

  it('are killed at random, and their runs are resumed by others', async (test) => {
    const queue = await newBatch('killed', rounds(60));
    for (let times = 0; times < 3; times += 1) startWorker();
    let left = rounds(50);
    let next = 0;
    const kills = left;
    const isOver = reported(queue).then(() => 'over' as const);
    while (left > 0) {
      next += randomInt(3, 12);
      const there = await Promise.race([model.waitFor(({ index }) => index >= next), isOver]);
      if (there === 'over') break;
      const victims = [...workers];
      const victim = victims[randomInt(victims.length)]!;
      victim.child.kill('SIGKILL');
      await victim.done;
      next = model.requests.length;
      left -= 1;
      startWorker();
    }
    const states = await reported(queue);
    assert.equal(left, 0, 'the batch lasts until each was killed');
    test.diagnostic(`${kills - left} kills, ${states.length} questions, ${model.requests.length} requests`);
    await assertOnce(queue, states);
    await stopAll();
  });

  it('lets a worker that was asleep beyond its heartbeat write nothing more', async () => {
    const queue = await newBatch('asleep', 1);
    const slow = startWorker();
    await slow.seen('"event":"taken"');
    const begun = model.requests.length;
    await model.waitFor(({ index }) => index >= begun + 2);
    slow.child.kill('SIGSTOP');
    const fast = startWorker();
    const states = await reported(queue);
    const count = () => database.query('SELECT run, seq, part, md5(data) FROM research_line ORDER BY run, seq, part');
    const before = await count();
    slow.child.kill('SIGCONT');
    await slow.seen('"event":"left"');
    assert.deepEqual(await count(), before);
    await assertOnce(queue, states);
    assert.ok(fast.child.exitCode === null);
    await stopAll();
  });

  it('get a question back from one whose disk takes no run, which ends', async () => {
    const queue = await newBatch('diskless', 1);
    const file = path.join(folder, 'no-folder');
    fs.writeFileSync(file, '');
    const { code, stderr } = await startWorker('--run-dir', file).done;
    assert.equal(code, 1, stderr);
    assert.match(stderr, /Could not make a folder for a run in .*no-folder/);
    assert.equal((await queue.counts()).by.pending, 1, 'the question has not failed');
    startWorker();
    await assertOnce(queue, await reported(queue));
    await stopAll();
  });

  it('is left by a worker once a newer version has migrated it, and continues where that is', async () => {
    const queue = await newBatch('newer', 1);
    const begun = model.requests.length;
    const older = startWorker();
    await model.waitFor(({ index }) => index >= begun + 2);
    const [row] = await database.query<{ version: number }>('SELECT version FROM research_schema');
    await database.query('UPDATE research_schema SET version = 99');
    await queue.add([{ id: 'newer-1', question: 'How do retrieval systems of kind newer1 work?', priority: 0 }]);
    const { code, stderr } = await older.done;
    assert.equal(code, 2, stderr);
    assert.match(stderr, /later version of deep-research made the queue \(schema 99/);
    const { by } = await queue.counts();
    assert.deepEqual([by.pending, by.running], [2, 0], 'its questions are given back');
    await database.query('UPDATE research_schema SET version = $1', [row!.version]);
    startWorker();
    await assertOnce(queue, await reported(queue));
    await stopAll();
  });

  it('holds no key of a model', async () => {
    const canary = 'sk-canary-5f0c1e9a7b';
    const queue = await newBatch('keys', 1);
    const keyed = startWorkerIn({ OPENAI_API_KEY: canary }, '--provider', 'openai-compatible');
    await assertOnce(queue, await reported(queue));
    const sent = model.requests.slice(batchBegan).map(({ headers }) => headers['authorization']);
    assert.ok(sent.includes(`Bearer ${canary}`), 'the worker has it');
    const text = runClient(postgres, 'pg_dump', ['--schema=deep_research', 'postgres']);
    assert.ok(text.includes(Buffer.from('kind keys0').toString('hex')), 'texts are there as bytes');
    for (const form of [canary, Buffer.from(canary).toString('hex')]) assert.equal(text.includes(form), false);
    await stopAll();
    assert.doesNotMatch((await keyed.done).stderr, new RegExp(canary));
  });

  it('is finished in a database that was restored from a backup', async (test) => {
    const queue = await newBatch('restored', 2);
    const worker = startWorker();
    await model.waitFor(({ index }) => index >= batchBegan + 6);
    worker.child.kill('SIGKILL');
    await worker.done;
    const backup = runClient(postgres, 'pg_dump', ['--schema=deep_research', 'postgres']);
    assert.equal(await queue.cancel(), 2);
    runClient(postgres, 'createdb', ['restored']);
    runClient(postgres, 'psql', ['-v', 'ON_ERROR_STOP=1', '-q', 'restored'], backup);
    const url = postgres.url.replace('/postgres?', '/restored?');
    const restored = await openDatabase(url);
    test.after(() => restored.close());
    startWorker('--queue', url);
    const there = await SharedQueue.find(restored, 'restored');
    await assertOnce(there, await reported(there), restored);
    await stopAll();
  });

  it('research what a question has attached, from the database alone', async () => {
    const home = path.join(folder, 'attached');
    const [file, notes] = [path.join(home, 'questions.jsonl'), path.join(home, 'notes.md')];
    const secret = ['AKIA', 'Q3EGFZ7XLKPWM2HV'].join('');
    fs.mkdirSync(home);
    fs.writeFileSync(notes, `The flux capacitor needs 1.21 gigawatts.\n\naws_access_key_id = ${secret}\n`);
    fs.writeFileSync(path.join(home, '.env'), `AWS_ACCESS_KEY_ID=${secret}\n`);
    const command = ['batch', file, '--out', path.join(home, 'out'), '--queue', postgres.url];
    const queued = (...attachments: string[]): Command => {
      const lines = ['a', 'b'].map((id) => ({
        id,
        question: `How much does the flux capacitor ${id} need?`,
        attachments,
      }));
      fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return startCommand(command, { cwd: folder });
    };
    for (const refused of ['none.md', '../../outside.md', '.env']) {
      const { code, stderr } = await queued('notes.md', refused).done;
      assert.equal(code, 2, stderr);
      assert.match(
        stderr,
        /attachment of the question "a": .*(?:none\.md does not exist|lies outside|\.env holds secrets)/,
      );
    }
    const followed = queued('notes.md');
    const count = `SELECT count(DISTINCT f.name)::int AS texts, string_agg(encode(f.data, 'escape'), '') AS text FROM research_file f
      WHERE starts_with(f.run, 'attached ') AND EXISTS (SELECT 1 FROM research_question WHERE status = 'pending')`;
    let rows: { texts: number; text: string }[] = [];
    while (rows[0]?.texts !== 1) rows = await database.query(count);
    assert.doesNotMatch(rows[0].text, new RegExp(secret), 'secrets are masked before');
    fs.rmSync(notes);
    startWorker('--provider', 'extractive');
    const { code, stderr } = await followed.done;
    assert.equal(code, 0, stderr);
    for (const id of ['a', 'b'])
      assert.match(fs.readFileSync(path.join(home, 'out', `${id}.md`), 'utf8'), /1\.21 gigawatts/);
    assert.equal((await startCommand(command, { cwd: folder }).done).code, 0, 'what is there needs no file again');

    const hostile = await SharedQueue.open(database, 'hostile', {}, 200);
    await hostile.add([{ id: 'a', question: 'What does the file say?', attachments: ['/etc/hostname'], priority: 0 }]);
    const [state] = await reported(hostile);
    assert.match(state?.failure?.message ?? '', /does not have what the question has attached/);
    await stopAll();
  });

  it('continues when the database is back, which could not be reached for a while', async () => {
    const queue = await newBatch('restarted', 2);
    const begun = model.requests.length;
    startWorker();
    await model.waitFor(({ index }) => index >= begun + 4);
    await postgres.crash();
    await setTimeout(rounds(60) * 1_000);
    await postgres.start();
    await assertOnce(queue, await reported(queue));
    await stopAll();
  });
});
