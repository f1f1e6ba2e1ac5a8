import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Database, openDatabase, scheduledJobs } from '../../src/batch/postgres/database.ts';
import type { Schedule } from '../../src/batch/postgres/schedules.ts';
import type { ResultLine } from '../../src/batch/resultFiles.ts';
import { runIdPattern } from '../../src/protocol/runFolder.ts';
import { type Command, runCommand, runInHost, startCommand } from '../support/commandLine.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { type PostgresServer, startPostgres, withoutPostgres } from '../support/postgresServer.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

const page = (text: string) =>
  `<html><title>Prices</title><body><article><h1>Prices</h1><p>${text}</p></article></body></html>`;

/** The built command line, with a worker and its metrics. */
describe('reports that are refreshed on a schedule', { skip: withoutPostgres, timeout: 10 * 60_000 }, () => {
  let postgres: PostgresServer;
  let database: Database;
  let sources: SourceServer;
  let web: Server;
  let folder: string;
  let file: string;
  let out: string;
  let price = '10 dollars';
  const workers: Command[] = [];
  before(async () => {
    folder = temporaryFolder('schedules');
    [file, out] = [path.join(folder, 'questions.jsonl'), path.join(folder, 'out')];
    web = createServer((_, response) => {
      const text = page(`The reranking service costs ${price} per month for one team of engineers.`);
      response.writeHead(200, { 'content-type': 'text/html' }).end(text);
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const { port } = web.address() as AddressInfo;
    const question = `What does http://127.0.0.1:${port}/prices say about reranking?`;
    fs.writeFileSync(file, `${JSON.stringify({ id: 'prices', question })}\n`);
    [postgres, sources] = await Promise.all([startPostgres(), startSourceServer()]);
    database = await openDatabase(postgres.url);
    const settings = {
      ...imitatedSettings(sources),
      'deepResearch.sources.enabled': ['web'],
      'deepResearch.network.allowPrivateHosts': [`127.0.0.1:${port}`],
    };
    fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings));
  });
  after(async () => {
    for (const { child, done } of workers) {
      child.kill('SIGKILL');
      await done;
    }
    await database?.close();
    await Promise.all([postgres?.stop(), sources?.close()]);
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
    removeFolder(folder);
  });

  const queue = (): string[] => ['--queue', postgres.url];
  const schedule = (...args: readonly string[]) =>
    runCommand(['schedule', ...args, ...queue()], { env: { TZ: 'UTC' } });
  const batch = (...args: readonly string[]) => runInHost(['batch', file, '--out', out, ...args, ...queue()]);
  const startWorker = (...args: readonly string[]): Command => {
    const worker = startCommand([
      ...['worker', ...queue(), '--yes', '--provider', 'extractive', '--settings', path.join(folder, 'settings.json')],
      ...['--run-dir', path.join(folder, `machine-${workers.length}`), ...args],
    ]);
    workers.push(worker);
    return worker;
  };
  const schedules = async (): Promise<Schedule[]> =>
    JSON.parse((await schedule('--list', '--json')).stdout) as Schedule[];
  const report = (): string => fs.readFileSync(path.join(out, 'prices.md'), 'utf8');
  const results = (): ResultLine[] =>
    fs
      .readFileSync(path.join(out, 'results.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine);
  /** As the clock does at its time. */
  const occur = (name: string) => database.boss.send(scheduledJobs, { name });
  const over = async (name: string, count: number): Promise<void> => {
    for (;;) {
      const [row] = await database.query<{ over: string }>(
        "SELECT count(*) AS over FROM research_question WHERE batch = $1 AND status NOT IN ('pending', 'running')",
        [`refresh ${name}`],
      );
      if (Number(row?.over) >= count) return;
      await setTimeout(200);
    }
  };

  it('refuses expressions that are none, unknown runs, and a schedule without a queue', async () => {
    for (const cron of [
      'every Monday',
      '61 * * * *',
      '* * * * * *',
      '0 0 31 2 *',
      '',
      `${'1,'.repeat(1_000)}1 * * * *`,
    ]) {
      const { code, stderr } = await schedule(cron, '--batch', file);
      assert.equal(code, 2, `${cron}: ${stderr}`);
      assert.match(stderr, /cron expression/);
    }
    const unknown = await schedule('0 7 * * 1', '--follow-up', '20260101-000000-abcdef', '--refresh');
    assert.deepEqual([unknown.code, /no report of a run.*results\.jsonl/.test(unknown.stderr)], [2, true]);
    for (const args of [
      ['0 7 * * 1'],
      ['0 7 * * 1', '--follow-up', 'x'],
      ['0 7 * * 1', '--batch', path.join(folder, 'none')],
      ['--remove', 'no such name'],
      ['--list', '--remove', 'x'],
      ['0', '7', '*', '*', '1', '--batch', file],
    ])
      assert.equal((await schedule(...args)).code, 2, args.join(' '));
    const none = await runCommand(['schedule', '0 7 * * 1', '--batch', file]);
    assert.deepEqual([none.code, /--queue postgres/.test(none.stderr)], [2, true]);
    assert.deepEqual(await schedules(), []);
  });

  it('makes a version when a source has changed, says so, and saves it where the batch is followed', async () => {
    const metrics = path.join(folder, 'metrics');
    fs.mkdirSync(metrics);
    const worker = startWorker('--metrics', metrics);
    assert.equal((await schedule('0 7 * * 1', '--batch', file)).code, 0);
    const [saved] = await schedules();
    assert.equal(new Date(saved!.next!).getUTCDay(), 1);
    const name = saved!.name;
    const followed = await batch();
    assert.equal(followed.code, 0, followed.stderr);
    const before = report();
    assert.match(before, /10 dollars/);

    await occur(name);
    await over(name, 1);
    assert.equal((await schedules())[0]?.changed, undefined, 'nothing has changed');
    price = '25 dollars';
    await occur(name);
    await worker.seen('"event":"changed"');
    await over(name, 2);
    const [{ changed, failed, error }] = (await schedules()) as [Schedule];
    assert.deepEqual([typeof changed, failed, error], ['string', 0, undefined]);
    const again = await batch();
    assert.equal(again.code, 0);
    assert.match(again.stderr, /^The report has changed: .*prices\.md$/m);
    assert.doesNotMatch((await batch()).stderr, /has changed/);
    assert.match(report(), /## What has changed/);
    assert.match(report(), /No longer has the cited words: Prices/);
    assert.equal(results()[0]?.path, path.join(out, 'prices.md'));

    // One that was edited by hand stays.
    fs.writeFileSync(path.join(out, 'prices.md'), `${report()}\nMy note.\n`);
    price = '10 dollars';
    const { run } = results()[0]!;
    assert.equal((await schedule('30 6 * * *', '--follow-up', run!, '--refresh')).code, 0);
    await occur(run!);
    await over(run!, 1);
    assert.equal((await batch()).code, 0);
    assert.match(report(), /My note/);
    assert.deepEqual(fs.readdirSync(out).filter((one) => one.includes('version')).length, 1);
    assert.equal((await schedule('--remove', run!)).code, 0);
    assert.deepEqual(
      (await schedules()).map((one) => one.name),
      [name],
    );

    let lines = metricsIn(metrics);
    // They are written every 15 seconds.
    while (lines.get('deep_research_questions{status="reported"}') !== 4) {
      await setTimeout(500);
      lines = metricsIn(metrics);
    }
    assert.equal(lines.get('deep_research_runs_total{outcome="complete"}'), 4);
    assert.equal(lines.get('deep_research_oldest_pending_seconds'), 0);
    assert.equal(lines.get('deep_research_queue_up'), 1);
    assert.equal(lines.get('deep_research_model_calls_total'), 0);
    worker.child.kill('SIGTERM');
    const { stderr } = await worker.done;
    assert.deepEqual(fs.readdirSync(metrics), [], 'a worker that is gone has no figures');
    assert.equal(stderr.match(/"event":"changed"/g)?.length, 2, 'a refresh without a change is not reported');
    assert.doesNotMatch(stderr, /dollars|reranking/);
  });

  it('is a batch that is found by its name where its file is not', async () => {
    const listed = await runInHost(['batch', 'status', '--json', ...queue()]);
    const [{ batch: name, by }] = (JSON.parse(listed.stdout) as { batch: string; by: { reported: number } }[]).filter(
      (one) => !one.batch.includes(' '),
    ) as [{ batch: string; by: { reported: number } }];
    assert.equal(by.reported, 1);
    const shown = await runCommand(['batch', 'status', name, ...queue()], { cwd: folder });
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^prices +complete/m);
    for (const flag of [['--model', 'x'], ['--yes'], ['--at-once', '4'], ['--workspace', folder]]) {
      const { code, stderr } = await batch(...flag);
      assert.equal(code, 2);
      assert.match(stderr, /has no effect with --queue/);
    }
    const here = ['status', file, '--workspace', folder, ...queue()];
    assert.equal((await runCommand(['batch', ...here])).code, 0, 'its reports are in the folder');
    const env = { DEEP_RESEARCH_QUEUE: postgres.url };
    assert.equal((await runCommand(['batch', file, '--yes'], { env })).code, 2);
    assert.match((await runCommand(['batch', '--yes', '--help'], { env })).stdout, /^Usage:/);
    const other = path.join(folder, 'other.jsonl');
    fs.writeFileSync(
      other,
      '{"id": "own", "question": "Who?", "strategy": "sections"}\n{"id": "none", "question": "Why?"}\n',
    );
    const command = startCommand(['batch', other, '--out', out, '--strategy', 'iterative', ...queue()]);
    await command.seen('In the queue this batch is called');
    const stored = () =>
      database.query<{ id: string; strategy: string }>(
        "SELECT id, question ->> 'strategy' AS strategy FROM research_question WHERE id IN ('own', 'none') ORDER BY id",
      );
    while ((await stored()).length < 2) await setTimeout(100);
    assert.deepEqual(await stored(), [
      { id: 'none', strategy: 'iterative' },
      { id: 'own', strategy: 'sections' },
    ]);
    await runInHost(['batch', 'cancel', other, ...queue()]);
    await command.done;
  });

  it('refreshes a report of this machine, whose run no worker has researched', async () => {
    const runs = path.join(folder, 'own-runs');
    const place = ['--run-dir', runs, '--workspace', folder];
    const research = [...place, '--yes', '--provider', 'extractive', '--settings', path.join(folder, 'settings.json')];
    const { question } = JSON.parse(fs.readFileSync(file, 'utf8')) as { question: string };
    const own = path.join(folder, 'own.md');
    const done = await runInHost([question, ...research, '--out', own]);
    assert.equal(done.code, 0, done.stderr);
    const [run = ''] = fs.readdirSync(runs).filter((name) => runIdPattern.test(name));
    const elsewhere = await schedule('0 7 * * 1', '--follow-up', run, '--refresh', '--run-dir', folder);
    assert.equal(elsewhere.code, 2, 'it is not there');
    const saved = await schedule('0 7 * * 1', '--follow-up', run, '--refresh', '--run-dir', runs);
    assert.equal(saved.code, 0, saved.stderr);
    assert.match(saved.stderr, /question, sources and report are now in the queue's database/);
    const again = await schedule('0 8 * * 1', '--follow-up', run, '--refresh', '--run-dir', runs);
    assert.doesNotMatch(again.stderr, /are now in/, 'it is there');
    const before = fs.readFileSync(own, 'utf8');
    const fetched = () => schedule('--fetch', run, '--run-dir', runs);
    assert.match((await fetched()).stderr, /^The report is saved/m);
    assert.equal(fs.readFileSync(own, 'utf8'), before);
    const other = path.join(folder, 'other.md');
    fs.writeFileSync(other, 'Mine.');
    const refused = await schedule('--fetch', run, '--out', other);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /There is another file at .*other\.md/);

    price = '99 dollars';
    const worker = startWorker();
    await occur(run);
    await worker.seen('"event":"changed"');
    await over(run, 1);
    worker.child.kill('SIGTERM');
    await worker.done;
    assert.equal(fs.readFileSync(own, 'utf8'), before, 'a worker writes nothing there');
    const { code, stderr } = await fetched();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^The report has changed: .*own\.md$/m);
    assert.match(fs.readFileSync(own, 'utf8'), /## What has changed/);
    const copy = path.join(folder, 'copy.md');
    assert.equal((await schedule('--fetch', run, '--out', copy)).code, 0);
    assert.equal(fs.readFileSync(copy, 'utf8'), fs.readFileSync(own, 'utf8'));
    await schedule('--fetch', run, '--out', other);
    assert.equal(fs.readFileSync(other, 'utf8'), 'Mine.');
    const taken = path.join(folder, 'other.version-2.md');
    assert.match(fs.readFileSync(taken, 'utf8'), /## What has changed/);
    assert.equal((await schedule('--remove', run)).code, 0);
  });

  it('makes up once for the times at which no worker was there', async () => {
    const [{ name }] = (await schedules()) as [Schedule];
    const count = async () =>
      Number((await database.query<{ n: string }>('SELECT count(*) AS n FROM research_question'))[0]!.n);
    const before = await count();
    await database.query("UPDATE version SET cron_on = now() - interval '21 days'");
    await database.query("UPDATE schedule SET created_on = now() - interval '30 days'");
    const workers = [startWorker(), startWorker()];
    await over(name, 3);
    for (const { child, done } of workers) {
      child.kill('SIGTERM');
      await done;
    }
    assert.equal(await count(), before + 1);
  });

  it('ends with the reason when its figures can’t be written', async () => {
    const { code, stderr } = await startWorker('--metrics', path.join(folder, 'none')).done;
    assert.equal(code, 1);
    assert.match(stderr, /write the metrics to .*none/);
  });
});

function metricsIn(folder: string): ReadonlyMap<string, number> {
  const [name = '', ...others] = fs.readdirSync(folder).filter((file) => !file.endsWith('.tmp'));
  assert.match(name, /^deep-research-.+-\d+\.prom$/);
  assert.deepEqual(others, []);
  const text = fs.readFileSync(path.join(folder, name), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}
