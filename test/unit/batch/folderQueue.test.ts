import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Budget } from '../../../src/batch/figures.ts';
import { FolderQueue } from '../../../src/batch/folderQueue.ts';
import type { BatchQuestion, TakenQuestion } from '../../../src/batch/questionQueue.ts';

const never = new AbortController().signal;
const none = { tokens: 0, cost: 0, ms: 0 };
const report = { outcome: 'complete', citations: { cited: 3, dropped: 0, verified: 3 }, sources: 2 } as const;
const question = (id: string, priority = 0): BatchQuestion => ({ id, question: `What is ${id}?`, priority });

describe('the queue in a folder', () => {
  let folder: string;
  const opened: FolderQueue[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'queue-'));
  });
  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close();
    rmSync(folder, { recursive: true });
  });

  async function open(ids: readonly BatchQuestion[], budget?: Budget): Promise<FolderQueue> {
    const queue = await FolderQueue.open(folder, budget);
    opened.push(queue);
    await queue.add(ids);
    return queue;
  }

  async function next(queue: FolderQueue): Promise<TakenQuestion> {
    const taken = await queue.take();
    assert.ok(taken);
    return taken;
  }

  it('gives each question once, higher priorities first', async () => {
    const queue = await open([question('a'), question('b', 2), question('c', 2), question('d', -1)]);
    const ids = [];
    for (let taken = await queue.take(); taken; taken = await queue.take()) ids.push(taken.question.id);
    assert.deepEqual(ids, ['b', 'c', 'a', 'd']);
  });

  it('gives a question again that was in progress when its process ended, with its run', async () => {
    const before = await open([question('a'), question('b')]);
    const taken = await next(before);
    await taken.started('20260101-000000-abcdef');
    await before.close();
    const queue = await open([question('a'), question('b')]);
    const again = await next(queue);
    assert.equal(again.question.id, 'a');
    assert.equal(again.run, '20260101-000000-abcdef');
    await again.finish(report, { tokens: 10, cost: null, ms: 5 });
    assert.deepEqual((await queue.counts()).figures, { tokens: 10, cost: null, ms: 5 });
    assert.equal((await next(queue)).question.id, 'b');
  });

  it('reads over a line that a killed process wrote half', async () => {
    const before = await open([question('a')]);
    await (await next(before)).finish(report, none);
    await before.close();
    appendFileSync(join(folder, 'queue.ndjson'), '\n{"type":"failed","id":"a","fig');
    const queue = await open([question('a')]);
    await queue.pause();
    const { by, isPaused } = await queue.counts();
    assert.equal(by.reported, 1);
    assert.ok(isPaused);
  });

  it('does what another process wants of it', async () => {
    const queue = await open([question('a'), question('b'), question('c')]);
    const elsewhere = new FolderQueue(folder, {}, undefined);
    await elsewhere.add([question('a'), question('b'), question('c')]);
    await elsewhere.pause();
    assert.equal(await queue.take(), undefined);
    await elsewhere.resume();
    const a = await next(queue);
    const b = await next(queue);
    assert.equal((await elsewhere.counts()).by.running, 2);
    await elsewhere.cancel(['a']);
    await b.heartbeat(none);
    assert.ok(a.signal.aborted && !b.signal.aborted);
    await a.fail({ reason: 'abort', message: 'stopped' }, none);
    assert.equal((await queue.counts()).by.cancelled, 1);
    await b.wait({ question: 'Which?', allowed: '1 or 2' }, none);
    await assert.rejects(elsewhere.answer('a', '1'), /does not wait/);
    await elsewhere.answer('b', '2');
    const answered = await next(queue);
    assert.deepEqual([answered.question.id, answered.answers], ['b', ['2']]);
    await answered.answered();
    await answered.fail({ reason: 'network', message: 'no network' }, none);
    assert.equal(await elsewhere.retry(), 1);
    assert.equal(await elsewhere.retry(['a']), 1);
    const [first, second] = [await next(queue), await next(queue)];
    assert.deepEqual([first.question.id, second.question.id], ['a', 'b']);
    assert.deepEqual(second.answers, []);
    await assert.rejects(elsewhere.cancel(['x']), /no question "x"/);
  });

  it('gives a question that was cancelled and queued again only when it was released', async () => {
    const queue = await open([question('a')]);
    const first = await next(queue);
    await queue.cancel();
    await queue.retry(['a']);
    assert.equal(await queue.take(), undefined);
    await first.fail({ reason: 'abort', message: 'stopped' }, none);
    assert.equal((await next(queue)).question.id, 'a');
  });

  it('tells of a change by another process', async () => {
    const queue = await open([question('a')]);
    const seen = await queue.changed(undefined, never);
    const changed = queue.changed(seen, never);
    await new FolderQueue(folder, {}, undefined).pause();
    assert.notEqual(await changed, seen);
    assert.ok((await queue.counts()).isPaused);
  });

  it('tells of a change that was read before it was waited for', async () => {
    const queue = await open([question('a')]);
    const seen = await queue.changed(undefined, never);
    await new FolderQueue(folder, {}, undefined).pause();
    assert.ok((await queue.counts()).isPaused);
    const next = await queue.changed(seen, new AbortController().signal);
    assert.notEqual(next, seen);
    const waiting = new AbortController();
    const more = queue.changed(next, waiting.signal);
    waiting.abort();
    await assert.rejects(more, { name: 'AbortError' });
  });

  it('divides what is left of the budget among the questions that are left', async () => {
    const queue = await open([question('a'), question('b'), question('c')], { maxTokens: 300 });
    const a = await next(queue);
    assert.deepEqual(a.budget, { maxTokens: 100 });
    const b = await next(queue);
    assert.deepEqual(b.budget, { maxTokens: 100 });
    await a.finish(report, { ...none, tokens: 20 });
    await b.finish(report, { ...none, tokens: 60 });
    const c = await next(queue);
    assert.deepEqual(c.budget, { maxTokens: 220 });
    await c.release({ ...none, tokens: 220 });
    assert.equal(await queue.take(), undefined);
  });

  it('is paused with the reason when no question can be researched, and gives it again after a resume', async () => {
    const queue = await open([question('a'), question('b')]);
    const a = await next(queue);
    await a.refuse({ reason: 'auth', message: 'The key is refused.' }, { ...none, tokens: 5 });
    assert.equal(await queue.take(), undefined);
    const { by, refused, isPaused, figures } = await queue.counts();
    assert.deepEqual([by.pending, by.failed, refused?.reason, isPaused, figures.tokens], [2, 0, 'auth', true, 5]);
    await queue.resume();
    assert.equal((await queue.counts()).refused, undefined);
    assert.equal((await next(queue)).question.id, 'a');
  });

  it('gives a judgement once the report that it comes after is there, with its run', async () => {
    const judged = await open([question('a'), question('b')]);
    const queue = await FolderQueue.open(join(folder, 'judge'), {}, undefined, FolderQueue.watch(folder));
    opened.push(queue);
    await queue.add(['a', 'b'].map((id) => ({ ...question(`${id} race`), after: id })));
    const seen = await queue.changed(undefined, never);
    assert.equal(await queue.take(), undefined);
    const a = await next(judged);
    await a.fail({ reason: 'network', message: 'no network' }, none);
    assert.notEqual(await queue.changed(seen, never), seen);
    assert.equal(await queue.take(), undefined, 'not after a failure');
    const b = await next(judged);
    await b.started('20260101-000000-bbbbbb');
    assert.equal(await queue.take(), undefined);
    await b.finish(report, none);
    const first = await next(queue);
    assert.deepEqual([first.question.id, first.about], ['b race', '20260101-000000-bbbbbb']);
    await first.finish({ ...report, judged: { overall: 0.5 } }, none);
    await judged.retry();
    const again = await next(judged);
    await again.started('20260101-000000-aaaaaa');
    assert.equal(await queue.take(), undefined);
    await again.finish(report, none);
    assert.equal((await next(queue)).about, '20260101-000000-aaaaaa');
    const states = [];
    for await (const state of queue.states()) states.push(state);
    assert.deepEqual(
      states.map(({ status, result }) => [status, result?.judged]),
      [
        ['running', undefined],
        ['reported', { overall: 0.5 }],
      ],
    );
  });

  it('is of one folder of research', async () => {
    await (await FolderQueue.open(folder, {}, '/one')).close();
    await assert.rejects(FolderQueue.open(folder, {}, '/other'), {
      reason: 'badRequest',
      message: /researches another/,
    });
    await (await FolderQueue.open(folder, {}, '/one')).close();
  });

  it('is researched by one process at a time', async () => {
    await open([]);
    await assert.rejects(FolderQueue.open(folder), /in progress in another terminal/);
  });
});
