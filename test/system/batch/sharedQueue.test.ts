import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { BatchQuestion, QuestionResult, QuestionState } from '../../../src/batch/questionQueue.ts';
import {
  type Database,
  judgementJobs,
  openDatabase,
  questionJobs,
  scheduledJobs,
} from '../../../src/batch/postgres/database.ts';
import { sharedState } from '../../../src/batch/postgres/sharedLimits.ts';
import { readRun } from '../../../src/batch/postgres/runRows.ts';
import { shareRun } from '../../../src/batch/postgres/sharedRunStore.ts';
import { judgementsOf } from '../../../src/batch/postgres/questionJobs.ts';
import { SharedQueue } from '../../../src/batch/postgres/sharedQueue.ts';
import { takeQuestion } from '../../../src/batch/postgres/takeQuestion.ts';
import type { RunRecord } from '../../../src/research/ports.ts';
import { type PostgresServer, shortenMinute, startPostgres, withoutPostgres } from '../../support/postgresServer.ts';
import { rounds } from '../../support/sampled.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const never = new AbortController().signal;
const run = '20261124-101500-1a2b3c';
const record: RunRecord = {
  ...{ version: 1, run, question: 'Why?', created: '2026-11-24T10:15:00Z', status: 'running', workspace: '/elsewhere' },
  ...{ provider: 'extractive', model: null, settings: {}, program: '1.0.0', strategy: 'sections' },
};
const figures = { tokens: 10, cost: null, ms: 5 };
const resultOf = (outcome: QuestionResult['outcome'], cited: number): QuestionResult => ({
  outcome,
  citations: { cited, dropped: 0, verified: cited },
  sources: 1,
});
const questions = (...ids: string[]): BatchQuestion[] =>
  ids.map((id) => ({ id, question: `What is ${id}?`, priority: 0 }));

async function statesOf(queue: SharedQueue): Promise<QuestionState[]> {
  const states: QuestionState[] = [];
  for await (const state of queue.states()) states.push(state);
  return states;
}

describe('a batch in a database', { skip: withoutPostgres }, () => {
  let server: PostgresServer;
  let folder: TemporaryFolder;
  let one: Database;
  let other: Database;
  let number = 0;
  before(async () => {
    server = await startPostgres();
    folder = await temporaryFolder();
    [one, other] = await Promise.all([openDatabase(server.url, { isWorker: true }), openDatabase(server.url)]);
  });
  after(async () => {
    await Promise.all([one?.close(), other?.close()]);
    await server?.stop();
    await folder?.remove();
  });

  const newBatch = async (ids: readonly string[], budget = {}): Promise<SharedQueue> => {
    const queue = await SharedQueue.open(one, `batch-${(number += 1)}`, budget, 200);
    await queue.add(questions(...ids));
    return queue;
  };
  const take = async (database = one) => {
    const taken = await takeQuestion(database, never);
    assert.ok(taken, 'there is a question');
    return taken;
  };
  const rootOf = (name: string): string => path.join(folder.path, `${number}-${name}`);
  /** As the heartbeat of a worker that is gone. */
  const expire = async (): Promise<void> => {
    await one.query("UPDATE job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'");
    // However recently it was looked for them.
    await one.query('UPDATE queue SET monitor_on = NULL, monitor_claim_on = NULL');
    await one.boss.supervise(questionJobs);
  };

  it('tells of a change that was made before it was waited for, and of none when it is closed', async () => {
    const queue = await newBatch(['a']);
    const seen = await queue.changed(undefined, never);
    await new SharedQueue(other, `batch-${number}`).pause();
    assert.ok((await queue.counts()).isPaused);
    let next = await queue.changed(seen, new AbortController().signal);
    assert.notEqual(next, seen);
    await one.transaction(async (queries) => {
      await queries.query(
        "UPDATE research_question SET status = 'running', changed = clock_timestamp() WHERE batch = $1 AND id = 'a'",
        [`batch-${number}`],
      );
      await new SharedQueue(other, `batch-${number}`).add(questions('b'));
      next = await queue.changed(next, new AbortController().signal);
    });
    // Committed after the later change.
    next = await queue.changed(next, new AbortController().signal);
    const third = await openDatabase(server.url);
    const waiting = new SharedQueue(third, `batch-${number}`).changed(next, never);
    await Promise.all([assert.rejects(waiting, { name: 'AbortError' }), third.close()]);
  });

  it('gives each question to one worker, and adds none twice', async () => {
    const queue = await newBatch(['a', 'b', 'c']);
    await queue.add(questions('b', 'c', 'd'));
    const taken = await Promise.all([take(one), take(other), take(one), take(other)]);
    assert.deepEqual(taken.map(({ question }) => question.id).sort(), ['a', 'b', 'c', 'd']);
    assert.equal(await takeQuestion(other, never), undefined);
    for (const question of taken) await question.finish(resultOf('complete', 2), figures);
    const { by, figures: sum } = await queue.counts();
    assert.deepEqual([by.reported, sum], [4, { tokens: 40, cost: null, ms: 20 }]);
  });

  it('resumes the run of a worker that is gone from what it had written, and lets that worker write no more', async () => {
    const queue = await newBatch(['a']);
    const first = await take(one);
    const slow = await (await first.prepare(rootOf('slow'))).store.create(record);
    const long = JSON.stringify({
      v: 1,
      key: 'k',
      digest: 'd',
      at: '',
      kind: 'observed',
      value: 'ä😀'.repeat(200_000),
    });
    const line = (key: string) => JSON.stringify({ v: 1, key, digest: 'd', at: '', kind: 'observed', value: 1 });
    await Promise.all([slow.appendCall(line('one')), slow.appendCall(long)]);
    await slow.saveEvidence('S3f9a1', 'A text\u0000 of a source.');
    await slow.saveSources('[1]');
    await slow.saveSources('[2]');
    await expire();

    const second = await take(other);
    assert.equal(second.run, run);
    // As after SIGSTOP: it knows nothing of the other one.
    await slow.appendCall(line('late'));
    await slow.saveSources('[3]');
    assert.equal(slow.lost?.aborted, true, 'it is told to stop');
    const prepared = await second.prepare(rootOf('fast'));
    const { folder: fast, journal, record: restored } = await prepared.store.open(run);
    assert.deepEqual(journal, [line('one'), long]);
    assert.equal(restored.workspace, undefined, 'its folder has another path here');
    const location = path.join(prepared.runsFolder, run);
    assert.equal(fs.readFileSync(path.join(location, 'sources.json'), 'utf8'), '[2]');
    assert.equal(fs.readFileSync(path.join(location, 'evidence', 'S3f9a1.txt'), 'utf8'), 'A text\u0000 of a source.');
    await fast.appendCall(line('next'));
    await first.finish(resultOf('complete', 1), figures);
    assert.equal((await queue.counts()).by.running, 1, 'a fenced worker ends nothing');
    await second.finish(resultOf('partial', 3), figures);
    const [state] = await statesOf(queue);
    assert.deepEqual(state?.result, resultOf('partial', 3));
    const rows = await one.query<{ seq: string; bytes: number }>(
      'SELECT seq, length(data) AS bytes FROM research_line WHERE run = $1 ORDER BY seq, part',
      [run],
    );
    assert.deepEqual([...new Set(rows.map(({ seq }) => seq))], ['0', '1', '2']);
    assert.ok(
      rows.every(({ bytes }) => bytes <= 262_144),
      'no row is larger than 256 kB',
    );
  });

  it('waits for an answer, is paused, cancelled and tried again', async () => {
    const queue = await newBatch(['a', 'b']);
    const asking = await take();
    await asking.wait({ question: 'Which one?', allowed: '1, 2' }, figures);
    await queue.pause();
    assert.equal(await takeQuestion(one, never), undefined, 'a paused batch gives none');
    await queue.answer(asking.question.id, '2');
    assert.equal(await takeQuestion(one, never), undefined);
    await assert.rejects(queue.answer('a', '1'), { reason: 'badRequest' });
    await queue.resume();
    const taken = [await take(), await take()];
    assert.deepEqual(taken.find(({ question }) => question.id === 'a')?.answers, ['2']);
    assert.equal(await queue.cancel(['b']), 1);
    await taken.find(({ question }) => question.id === 'b')?.heartbeat(figures);
    assert.equal(taken.find(({ question }) => question.id === 'b')?.signal.aborted, true, 'it is told to stop');
    await taken.find(({ question }) => question.id === 'a')?.fail({ reason: 'network', message: 'Gone.' }, figures);
    await assert.rejects(queue.cancel(['c']), /no question "c"/);
    assert.equal(await queue.retry(), 1);
    assert.equal(await queue.retry(['b']), 1);
    const again = [await take(), await take()];
    // A worker that is asked to stop gives it back at once.
    await again[0]!.release(figures);
    const back = await take(other);
    assert.equal(back.question.id, again[0]!.question.id);
    for (const one of [back, again[1]!]) await one.finish(resultOf('complete', 0), figures);
    assert.equal((await queue.counts()).by.reported, 2);
  });

  const judgementsFor = async (...ids: string[]): Promise<SharedQueue> => {
    const queue = await SharedQueue.open(other, judgementsOf(`batch-${number}`), {}, 1);
    await queue.add(questions(...ids).map((one) => ({ ...one, id: `${one.id} race`, after: one.id })));
    return queue;
  };
  const judge = () => takeQuestion(other, never, judgementJobs);

  it('gives a judgement to a judge alone, once the report that it comes after is there', async () => {
    const queue = await newBatch(['a', 'b']);
    const judgements = await judgementsFor('a', 'b');
    assert.equal(await judge(), undefined);
    const [a, b] = [await take(), await take()];
    await b.started('20261124-101500-b0b0b0');
    await a.fail({ reason: 'network', message: 'Gone.' }, figures);
    await b.wait({ question: 'Which one?', allowed: '' }, figures);
    await judgements.resume();
    assert.equal(await judge(), undefined, 'neither after a failure nor while it waits');
    await queue.answer('b', '1');
    await (await take()).finish(resultOf('complete', 1), figures);
    assert.equal(await takeQuestion(one, never), undefined, 'those who research get none');
    const first = await judge();
    assert.deepEqual([first?.question.id, first?.about], ['b race', '20261124-101500-b0b0b0']);
    await first!.finish({ ...resultOf('complete', 0), judged: { overall: 0.5 } }, figures);
    await queue.retry();
    const again = await take();
    await again.started('20261124-101500-a0a0a0');
    await again.finish(resultOf('complete', 1), figures);
    const second = await judge();
    assert.equal(second?.about, '20261124-101500-a0a0a0');
    await second.fail({ reason: 'badAnswer', message: 'Rubbish.' }, figures);
    assert.deepEqual(
      (await statesOf(judgements)).map(({ status, result }) => [status, result?.judged]),
      [
        ['failed', undefined],
        ['reported', { overall: 0.5 }],
      ],
    );
    await judgements.retry();
    await (await judge())!.finish(resultOf('complete', 0), figures);
    assert.equal(await judge(), undefined);
  });

  it('gives each judgement one job, however its addition and its report race', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => String(index));
    await newBatch(ids);
    const taken = await Promise.all(ids.map((_, index) => take([one, other][index % 2])));
    await Promise.all([
      ...taken.map((question) => question.finish(resultOf('complete', 1), figures)),
      ...[ids.slice(0, 20), ids.slice(20), ids].map((some) => judgementsFor(...some)),
    ]);
    const judged: string[] = [];
    for (let next = await judge(); next; next = await judge()) {
      judged.push(next.question.id);
      await next.finish(resultOf('complete', 0), figures);
    }
    assert.deepEqual(
      judged.sort((a, b) => parseInt(a) - parseInt(b)),
      ids.map((id) => `${id} race`),
    );
  });

  it('gives a judgement its job whose addition is committed after the report was made', async () => {
    await newBatch(['a']);
    const taken = await take();
    const added = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const slow: Database = {
      ...other,
      transaction: (work) =>
        other.transaction(async (queries) => {
          const result = await work(queries);
          added.resolve();
          await commit.promise;
          return result;
        }),
    };
    const queue = await SharedQueue.open(slow, judgementsOf(`batch-${number}`), {}, 1);
    const adding = queue.add([{ ...questions('a race')[0]!, after: 'a' }]);
    await added.promise;
    let isFinished = false;
    const finished = taken.finish(resultOf('complete', 1), figures).then(() => (isFinished = true));
    while (!isFinished && (await one.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length === 0);
    commit.resolve();
    await Promise.all([adding, finished]);
    const judgement = await judge();
    assert.equal(judgement?.question.id, 'a race');
    await judgement.finish(resultOf('complete', 0), figures);
  });

  it('releases no judgement for a report of a worker that was only slow', async () => {
    await newBatch(['a']);
    await judgementsFor('a');
    const slow = await take();
    await expire();
    const fast = await take(other);
    await slow.finish(resultOf('complete', 1), figures);
    assert.equal(await judge(), undefined);
    await fast.finish(resultOf('complete', 1), figures);
    const taken = await judge();
    assert.equal(taken?.question.id, 'a race');
    await taken.finish(resultOf('complete', 0), figures);
  });

  it('is paused with the reason when no question can be researched', async () => {
    const queue = await newBatch(['a', 'b']);
    await (await take()).refuse({ reason: 'auth', message: 'The key is refused.' }, figures);
    assert.equal(await takeQuestion(other, never), undefined);
    const { by, refused, isPaused } = await queue.counts();
    assert.deepEqual([by.pending, refused?.message, isPaused], [2, 'The key is refused.', true]);
    await queue.resume();
    assert.equal((await queue.counts()).refused, undefined);
    const slow = await take();
    await expire();
    const again = [await take(other), await take(other)];
    await slow.refuse({ reason: 'auth', message: 'The key is refused.' }, figures);
    assert.equal((await queue.counts()).isPaused, false, 'a fenced worker pauses nothing');
    for (const taken of again) await taken.finish(resultOf('complete', 0), figures);
  });

  it('removes the oldest runs beyond runs.keep, but for their reports and what a schedule refreshes', async () => {
    const name = `batch-${(number += 1)}`;
    const queue = await SharedQueue.open(one, name, {}, 2);
    await queue.add(questions('a', 'b', 'c', 'd', 'e'));
    await one.boss.schedule(scheduledJobs, '0 7 * * 1', {}, { key: '20260101-000000-00000b' });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      const taken = await take();
      const { store, saveTo } = await taken.prepare(rootOf(`keep-${id}`));
      const saved = await store.create({ ...record, run: `20260101-000000-00000${id}` });
      await saved.appendCall('{}');
      await saveTo.save('x.md', `# ${id}`);
      await taken.finish(resultOf('complete', 0), figures);
    }
    await one.boss.unschedule(scheduledJobs, '20260101-000000-00000b');
    const left = await one.query<{ run: string }>(
      "SELECT DISTINCT run FROM research_line WHERE run LIKE '20260101-000000-00000%' ORDER BY run",
    );
    assert.deepEqual(
      left.map(({ run: id }) => id.slice(-1)),
      ['b', 'd', 'e'],
    );
    const reports = await Promise.all((await statesOf(queue)).map(({ run: id }) => queue.report(id!)));
    assert.deepEqual(
      reports.map((files) => files.get('')),
      ['# a', '# b', '# c', '# d', '# e'],
    );
  });

  it('fails a question over which worker after worker ends', async () => {
    const queue = await newBatch(['poison']);
    for (let times = 0; times <= 5; times += 1) {
      await take();
      await expire();
    }
    assert.equal(await takeQuestion(one, never), undefined);
    const [state] = await statesOf(queue);
    assert.match(state?.failure?.message ?? '', /6 workers ended/);
  });

  it('divides the budget of a batch among its questions', async () => {
    const queue = await newBatch(['a', 'b'], { maxTokens: 100 });
    const first = await take();
    const second = await take();
    assert.deepEqual([first.budget, second.budget], [{ maxTokens: 50 }, { maxTokens: 50 }]);
    await first.finish(resultOf('complete', 0), { ...figures, tokens: 100 });
    await second.release({ ...figures, tokens: 0 });
    assert.equal(await takeQuestion(one, never), undefined);
    const states = await statesOf(queue);
    assert.match(states[1]?.failure?.message ?? '', /budget/);
  });

  it('waits while the database restarts', async () => {
    await newBatch(['a']);
    const taken = await take();
    const { store } = await taken.prepare(rootOf('restart'));
    const again = { ...record, run: '20261124-101500-aaaaaa' };
    const runFolder = await store.create(again);
    await server.crash();
    const written = runFolder.appendCall('{"line":1}');
    await taken.heartbeat(figures);
    await server.start();
    await written;
    const rows = await one.query('SELECT 1 FROM research_line WHERE run = $1', [again.run]);
    assert.equal(rows.length, 1);
    await taken.finish(resultOf('complete', 0), figures);
  });

  it('is written whole while the disk of the worker is full, and once that of the database has room', async () => {
    await newBatch(['full']);
    const taken = await take();
    let failures = 0;
    const full: Database = {
      ...one,
      query(text, values) {
        if (!text.includes('INSERT INTO research_line') || failures++ >= 3) return one.query(text, values);
        return Promise.reject(Object.assign(new Error('could not extend file: No space left'), { code: '53100' }));
      },
    };
    const id = '20261124-101500-f0f0f0';
    const claim = { batch: `batch-${number}`, id: 'full', epoch: '1' };
    const { store, runsFolder } = await shareRun(full, claim, rootOf('full'), undefined, taken.started);
    const runFolder = await store.create({ ...record, run: id });
    // Writing to it fails as on a full disk.
    for (const name of ['journal.ndjson', 'events.ndjson', 'checkpoints.ndjson'])
      fs.symlinkSync('/dev/full', path.join(runsFolder, id, name));
    await Promise.all(['{"line":1}', '{"line":2}'].map((line) => runFolder.appendCall(line)));
    await runFolder.saveReport('# Report');
    assert.ok(failures > 3, 'it was refused three times');
    const { lines, files } = await readRun(one, id);
    assert.deepEqual(lines.get('journal.ndjson'), ['{"line":1}', '{"line":2}']);
    assert.equal(files.get('report.md')?.toString(), '# Report');
    await runFolder.close();
    await taken.finish(resultOf('complete', 0), figures);
  });

  it('may have 100,000 questions, and gives the most important one first', async () => {
    const count = rounds(100_000);
    const queue = await SharedQueue.open(one, 'large', {}, 200);
    const all = questions(...Array.from({ length: count }, (_, index) => String(index)));
    await queue.add(all.map((one, index) => ({ ...one, priority: index === count - 1 ? 5 : 0 })));
    await queue.add(all);
    const taken = await take(other);
    assert.equal(taken.question.id, String(count - 1));
    let read = 0;
    for await (const { id } of queue.states()) assert.equal(id, String(read++));
    assert.equal(read, count);
    assert.equal((await queue.counts()).by.pending, count - 1);
    assert.equal(await queue.cancel(), count);
    assert.equal(await takeQuestion(one, new AbortController().signal), undefined);
  });

  it('holds the limits of a key over all workers', async () => {
    const granted = async (
      key: string,
      requests: number | null,
      tokens: number | null,
      mine: number,
      count: number,
    ) => {
      await Promise.all(
        Array.from({ length: count }, (_, index) =>
          [one, other][index % 2]!.query('SELECT research_turn($1, $2, $3, $4, NULL)', [key, requests, tokens, mine]),
        ),
      );
      return one.query<{ at: Date }>('SELECT at FROM research_grant WHERE name = $1 ORDER BY at, id', [key]);
    };
    const starts = (await granted('requests', 3, null, 1, 10)).map(({ at }) => at.getTime());
    const inWindow = starts.map((start) => starts.filter((at) => at >= start && at < start + 60_000).length);
    assert.equal(Math.max(...inWindow), 3, 'no more than three in any minute');
    assert.ok(starts.at(-1)! - starts[0]! < (3 * 60_000) / 0.95, 'at most 5 % idle');
    const heavy = (await granted('tokens', null, 100, 40, 5)).map(({ at }) => at.getTime());
    assert.equal(Math.max(...heavy.map((start) => heavy.filter((at) => at >= start && at < start + 60_000).length)), 2);

    const turns = [one, other].map((database) => sharedState(database, {}).turns('refused'));
    const first = await turns[0]!.take(1, never);
    first.refused(60_000);
    while ((await one.query("SELECT 1 FROM research_block WHERE name = 'refused'")).length === 0);
    const stop = new AbortController();
    const waiting = turns[1]!.take(1, stop.signal);
    const rows = () =>
      one.query<{ wait: number }>(
        "SELECT extract(epoch FROM at - clock_timestamp())::float8 AS wait FROM research_grant WHERE name = 'refused' ORDER BY id DESC",
      );
    while ((await rows()).length < 2);
    assert.ok((await rows())[0]!.wait > 50, 'a refusal of one makes all wait');
    stop.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    while ((await rows()).length > 1);
  });

  it('lets no window of a server have more requests than the limit, however long each was on its way', async () => {
    const windowMs = 1_000;
    const [mine, theirs] = await Promise.all([1, 2].map(() => openDatabase(`${server.url}&schema=windows`)));
    await shortenMinute(mine!, windowMs);
    const turns = [mine!, theirs!].map((database) => sharedState(database, { requestsPerMinute: 5 }).turns('key'));
    const arrivals: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const turn = await turns[index % 2]!.take(1, never);
        await setTimeout((index * 137) % 400);
        arrivals.push(performance.now());
        turn.arrived();
      }),
    );
    const inWindow = arrivals.map((start) => arrivals.filter((at) => at >= start && at < start + windowMs).length);
    assert.equal(Math.max(...inWindow), 5, 'the limit is reached, and not exceeded');
    await Promise.all([mine!.close(), theirs!.close()]);
  });

  it('frees the place of a worker that is gone without its request, after a while', async () => {
    const take = async (id: string | null = null) =>
      (await one.query<{ id: string; wait: number }>("SELECT * FROM research_turn('gone', 1, NULL, 1, $1)", [id]))[0]!;
    const age = (seconds: number) =>
      one.query("UPDATE research_grant SET at = at - $1 * interval '1 s' WHERE name = 'gone'", [seconds]);
    assert.equal((await take()).wait, 0);
    await age(59);
    const next = await take();
    assert.ok(next.wait > 59_000, 'it may still be on its way');
    await one.query('DELETE FROM research_grant WHERE id = $1', [next.id]);
    await age(62);
    assert.equal((await take()).wait, 0);
  });

  it('paces a public host over all workers, and shares what it answered', async () => {
    const [mine, theirs] = [one, other].map((database) => sharedState(database, {}));
    // arXiv's 3 s.
    const intervalMs = rounds(3_000);
    const pacing = { concurrency: 1, intervalMs, backoffMs: 1_000 };
    const arrivals: number[] = [];
    const visit = async (onTheWayMs: number, gate = mine!.gate): Promise<void> => {
      const free = await gate.enter('arxiv', pacing, never);
      await setTimeout(onTheWayMs);
      arrivals.push(performance.now());
      free();
    };
    await Promise.all([visit(200), visit(0, theirs!.gate), visit(150), visit(0, theirs!.gate)]);
    const gaps = arrivals.slice(1).map((at, index) => at - arrivals[index]!);
    assert.ok(
      gaps.every((ms) => ms >= intervalMs),
      `none arrives too soon after another: ${gaps.join(', ')}`,
    );
    await mine!.gate.block('quota', 60_000);
    assert.ok((await theirs!.gate.blockedMs('quota')) > 50_000);

    await mine!.answers.set('GET /a', { headers: { etag: '"1"', 'x-user': 'me' }, text: 'ä\u0000', url: undefined });
    await mine!.answers.set('GET /b', { headers: { 'cache-control': 'private' }, text: 'b' });
    const { answer } = (await theirs!.answers.get('GET /a'))!;
    assert.deepEqual([answer.text, answer.headers], ['ä\u0000', { etag: '"1"' }]);
    assert.equal(await theirs!.answers.get('GET /b'), undefined, 'nothing private');
  });

  it('refuses addresses that are none, and a schema of a later version', async () => {
    await assert.rejects(openDatabase('mysql://x/y'), { reason: 'badRequest' });
    await assert.rejects(openDatabase('postgres://u:secret@127.0.0.1:1/x'), (error: Error) => {
      assert.match(error.message, /can't be reached/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    await assert.rejects(openDatabase(`${server.url}&sslmode=verify-full`), /SSL/, 'nothing is sent without TLS');
    const later = await openDatabase(`${server.url}&schema=later`);
    await later.query('UPDATE version SET version = 999');
    await assert.rejects(openDatabase(`${server.url}&schema=later`), {
      reason: 'badRequest',
      message: /later version.*999/,
    });
    await later.query('UPDATE research_schema SET version = 99');
    await later.close();
    await assert.rejects(openDatabase(`${server.url}&schema=later`), /later version.*schema 99/);
  });
});
