import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { readScheduleArguments } from '../../../src/batch/scheduleArguments.ts';
import { readWorkerArguments } from '../../../src/batch/workerArguments.ts';
import { type Database, openDatabase, scheduledJobs } from '../../../src/batch/postgres/database.ts';
import { addSchedule, listSchedules, removeSchedule, workSchedules } from '../../../src/batch/postgres/schedules.ts';
import { sharedState } from '../../../src/batch/postgres/sharedLimits.ts';
import { SharedQueue } from '../../../src/batch/postgres/sharedQueue.ts';
import { takeQuestion } from '../../../src/batch/postgres/takeQuestion.ts';
import { root } from '../../support/paths.ts';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgresServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const never = new AbortController().signal;
const figures = { tokens: 1, cost: null, ms: 1 };
const result = { outcome: 'complete', citations: { cited: 0, dropped: 0, verified: 0 }, sources: 0 } as const;
const run = '20261124-101500-1a2b3c';

describe('the database of a team', { skip: withoutPostgres }, () => {
  let server: PostgresServer;
  let folder: TemporaryFolder;
  let owner: Database;
  let asWorker: string;
  before(async () => {
    [server, folder] = await Promise.all([startPostgres(), temporaryFolder()]);
    asWorker = server.url.replace('tester@', 'worker@');
    owner = await openDatabase(server.url);
    await owner.query('CREATE ROLE worker LOGIN');
  });
  after(async () => {
    await owner?.close();
    await server?.stop();
    await folder?.remove();
  });

  const grant = async (): Promise<void> => {
    const text = fs.readFileSync(path.join(root, 'docs', 'teams', 'roles.sql'), 'utf8');
    await owner.query(text.replaceAll(':"role"', 'worker').replaceAll(':"schema"', 'deep_research'));
  };

  it('says what is missing to a role that may not make the schema', async () => {
    await assert.rejects(openDatabase(`${asWorker}&schema=other`), { reason: 'config', message: /no queue.*no right/ });
  });

  it('is enough for a worker with the rights of docs/teams/roles.sql, which may make nothing', async () => {
    await grant();
    const worker = await openDatabase(asWorker, { isWorker: true });
    try {
      await workSchedules(worker);
      const queue = await SharedQueue.open(worker, 'rights', {}, 1);
      await queue.add(['a', 'b'].map((id) => ({ id, question: `What is ${id}?`, priority: 0 })));
      const state = sharedState(worker, { requestsPerMinute: 100 });
      (await state.turns('key').take(1, never)).refused(1);
      (await state.gate.enter('arxiv', { concurrency: 1, intervalMs: 1, backoffMs: 1 }, never))();
      await state.answers.set('GET /', { headers: {}, text: 'x' });
      const first = (await takeQuestion(worker, never))!;
      const { store, saveTo } = await first.prepare(folder.path);
      const created = {
        version: 1,
        run,
        question: 'Why?',
        created: '2026-11-24T10:15:00Z',
        status: 'running',
      } as const;
      const saved = await store.create({
        ...created,
        ...{ provider: 'extractive', model: null, settings: {}, program: '1.0.0', strategy: 'sections' },
      });
      await saved.appendCall('{}');
      await saved.saveSources('[]');
      await saveTo.save('x.md', '# Report');
      await first.heartbeat(figures);
      await first.finish(result, figures);
      await (await takeQuestion(worker, never))!.fail({ reason: 'bug', message: 'x' }, figures);
      assert.deepEqual([await queue.retry(), await queue.cancel(), (await queue.counts()).by.reported], [1, 1, 1]);
      await addSchedule(worker, '0 7 * * 1', run, 'UTC');
      await SharedQueue.refresh(worker, run, 'now');
      assert.equal((await takeQuestion(worker, never))?.refreshes, run);
      assert.equal((await listSchedules(worker)).length, 1);
      await removeSchedule(worker, run);
      await worker.boss.supervise(scheduledJobs);
      for (const forbidden of [
        'CREATE TABLE mine (x int)',
        'DROP TABLE research_line',
        'CREATE SCHEMA mine',
        'UPDATE research_schema SET version = 0',
        'CREATE ROLE other',
        'TRUNCATE research_question',
      ])
        await assert.rejects(worker.query(forbidden), { code: '42501' }, forbidden);
    } finally {
      await worker.close();
    }
  });

  it('takes the password from PGPASSWORD or a password file, and says so where there is none or a wrong one', async (test) => {
    const file = path.join(folder.path, 'pgpass');
    fs.writeFileSync(file, String.raw`*:*:*:secretive:se\:cret` + '\n', { mode: 0o600 });
    await owner.query("CREATE ROLE secretive LOGIN SUPERUSER PASSWORD 'se:cret'");
    const [{ hba_file: rules }] = (await owner.query<{ hba_file: string }>('SHOW hba_file')) as [{ hba_file: string }];
    fs.writeFileSync(rules, `local all secretive scram-sha-256\n${fs.readFileSync(rules, 'utf8')}`);
    await owner.query('SELECT pg_reload_conf()');
    const given = { PGPASSWORD: process.env['PGPASSWORD'], PGPASSFILE: process.env['PGPASSFILE'] };
    const set = (values: Readonly<Record<string, string | undefined>>): void => {
      for (const [name, value] of Object.entries(values))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    };
    test.after(() => set(given));
    const url = server.url.replace('tester@', 'secretive@');
    for (const wrong of [undefined, 'wrong']) {
      set({ PGPASSWORD: wrong, PGPASSFILE: path.join(folder.path, 'none') });
      await assert.rejects(openDatabase(url), { reason: 'config', message: /refuses: .*password/ });
    }
    for (const right of [{ PGPASSWORD: 'se:cret' }, { PGPASSWORD: undefined, PGPASSFILE: file }]) {
      set(right);
      await (await openDatabase(url)).close();
    }
  });

  it('is brought up to date from an older schema by its owner alone', async () => {
    const url = `${server.url}&schema=older`;
    const older = await openDatabase(url);
    await older.query('ALTER TABLE research_batch DROP COLUMN refused');
    await older.query('ALTER TABLE research_question DROP COLUMN refreshes');
    await older.query('ALTER FUNCTION research_turn RENAME TO research_take');
    await older.query('ALTER TABLE research_grant DROP COLUMN arrived');
    await older.query('DROP INDEX research_question_after');
    await older.query('UPDATE research_schema SET version = 2');
    await older.query('GRANT USAGE ON SCHEMA older TO worker');
    await older.query('GRANT SELECT ON ALL TABLES IN SCHEMA older TO worker');
    await older.close();
    await assert.rejects(openDatabase(`${asWorker}&schema=older`), { reason: 'config', message: /schema 2, here 6/ });
    const migrated = await openDatabase(url);
    const [row] = await migrated.query<{ version: number }>('SELECT version FROM research_schema');
    assert.equal(row?.version, 6);
    await (await SharedQueue.open(migrated, 'x', {}, 1)).counts();
    await migrated.close();
  });

  it('is left by a worker of an older version once a newer one has migrated it', async () => {
    const url = `${server.url}&schema=versions`;
    const database = await openDatabase(url, { isWorker: true });
    const queue = await SharedQueue.open(database, 'x', {}, 1);
    await queue.add([{ id: 'a', question: 'What is a?', priority: 0 }]);
    await database.query('UPDATE research_schema SET version = 99');
    await assert.rejects(takeQuestion(database, never), { reason: 'badRequest', message: /later version.*99/ });
    await database.query('UPDATE research_schema SET version = 6');
    assert.equal((await takeQuestion(database, never))?.question.id, 'a', 'the question is back in the queue');
    await database.close();
  });

  it('is started by docs/teams/compose.yaml with commands that are right, and without a password in it', () => {
    const text = fs.readFileSync(path.join(root, 'docs', 'teams', 'compose.yaml'), 'utf8');
    /** What is behind the command's name, a list item each. */
    const commandOf = (name: string): string[] =>
      text
        .match(new RegExp(`entrypoint: .*cli\\.js\\]\\n +command:\\n +- ${name}\\n((?: +- .+\\n)+)`))![1]!
        .match(/(?<=- ).+/g)!;
    const worker = readWorkerArguments(commandOf('worker'), {});
    assert.deepEqual([worker.metrics, worker.limits.requestsPerMinute], ['/metrics', 60]);
    assert.equal(readScheduleArguments(commandOf('schedule'), {}).action, 'list');
    assert.doesNotMatch(text, /npx|npm install/, 'it runs no package of that name, whoever has published it');
    assert.doesNotMatch(text, /:\/\/\w+:[^@]*@|_KEY: /);
  });

  it('has the role of its workers made by the script of docs/teams/compose.yaml, which may run again', async () => {
    const text = fs.readFileSync(path.join(root, 'docs', 'teams', 'compose.yaml'), 'utf8');
    const { services } = parse(text) as { services: { roles: { entrypoint: string[]; command: [string] } } };
    const {
      entrypoint: [shell = '', ...flags],
      command: [script],
    } = services.roles;
    const psql = fs.globSync('/usr/lib/postgresql/*/bin/psql')[0];
    const here = new URL(server.url).searchParams.get('host')!;
    const secret = `it's "secret" $HOME`;
    await owner.query('CREATE ROLE owner LOGIN SUPERUSER');
    await owner.query('CREATE DATABASE research OWNER owner');
    await owner.query('DROP OWNED BY worker; DROP ROLE worker');
    const url = server.url.replace('/postgres?', '/research?');
    // As the service "migrate" does.
    await (await openDatabase(url.replace('tester@', 'owner@'))).close();
    // Compose writes a dollar sign as two.
    const run = script
      .replaceAll('$$', '$')
      .replaceAll('-h db', `-h '${here}'`)
      .replaceAll('/roles.sql', `'${path.join(root, 'docs', 'teams', 'roles.sql')}'`);
    const PATH = [...(psql ? [path.dirname(psql)] : []), process.env['PATH']].join(':');
    for (let times = 0; times < 2; times += 1)
      execFileSync(shell, [...flags, run], { stdio: 'pipe', env: { PATH, WORKER_PASSWORD: secret } });
    const [role] = await owner.query<{ password: string }>(
      "SELECT rolpassword AS password FROM pg_authid WHERE rolname = 'worker'",
    );
    assert.ok(isPasswordOf(role!.password, secret));
    assert.ok(!isPasswordOf(role!.password, `${secret}x`));
    const worker = await openDatabase(url.replace('tester@', 'worker@'), { isWorker: true });
    assert.equal(await takeQuestion(worker, never), undefined);
    await worker.close();
  });
});

/** Whether a password is the one that PostgreSQL stores as `SCRAM-SHA-256$ITERATIONS:SALT$STORED:SERVER` (RFC 5803). */
function isPasswordOf(stored: string, password: string): boolean {
  const [, iterations, salt, storedKey] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):/.exec(stored)!;
  const salted = pbkdf2Sync(password, Buffer.from(salt!, 'base64'), Number(iterations), 32, 'sha256');
  const client = createHmac('sha256', salted).update('Client Key').digest();
  return createHash('sha256').update(client).digest('base64') === storedKey;
}
