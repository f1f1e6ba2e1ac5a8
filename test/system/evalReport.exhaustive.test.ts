import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../src/batch/postgres/database.ts';
import { runFiles } from '../../src/protocol/runFolder.ts';
import { type Command, startCommand } from '../support/commandLine.ts';
import { startPostgres, withoutPostgres } from '../support/postgresServer.ts';
import { either } from '../support/modelScenarios.ts';
import type { ParsedRequest } from '../support/modelRequest.ts';
import { type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

const questions = path.join(root, 'test', 'eval', 'report', 'questions.jsonl');
/** One before the kill, one at it, one after it. */
const three = ['--only', '2,3,5'];
const count = 3;

let judged = 0;
/** What the judge does instead, in one test. */
let unlike: Script | undefined;
const isJudging: (request: ParsedRequest) => boolean = ({ body, prompt }) =>
  JSON.stringify(body['messages']).includes('You compare') || prompt.includes('You check whether');
/** A judge who prefers the first report a little, and finds every other statement unsupported. */
const judging: Script = (request) => (isJudging(request) ? { ...judgement(request), ...unlike?.(request) } : undefined);

const judgement = ({ prompt }: ParsedRequest) => {
  if (prompt.includes('You check whether')) {
    const statements = prompt.slice(prompt.indexOf('<statements>')).match(/^\d+(?=\. )/gm) ?? [];
    return {
      json: {
        verdicts: statements.map((id) => ({
          id: Number(id),
          verdict: judged++ % 2 === 0 ? 'unsupported' : 'supported',
        })),
      },
    };
  }
  const ids = [...prompt.matchAll(/"id": "(\w+\/\d+)"/g)].map(([, id]) => id!);
  const second = prompt.includes('<second>\n') ? { second: 4 } : {};
  return { json: { marks: ids.map((id) => ({ id, reason: 'Because.', first: 6, ...second })) } };
};

describe('reports on a set of questions', () => {
  let server: ModelServer;
  let sources: SourceServer;
  let workspace: string;
  let out: string;

  before(async () => {
    server = await startModelServer({ delayMs: 20, script: either(judging) });
    sources = await startSourceServer();
    workspace = copyWorkspace('examples');
  });
  after(async () => {
    await server?.close();
    await sources?.close();
    removeFolder(workspace);
  });
  beforeEach((test) => {
    out = temporaryFolder('eval-report');
    unlike = undefined;
    if ('after' in test) test.after(() => removeFolder(out));
  });

  it('is resumed after a kill without researching a question twice, is judged, and is written as the benchmark reads it', async () => {
    const begun = server.requests.length;
    const killed = start(...three);
    await server.waitFor(
      ({ index, step, question }) => index >= begun && step === 'distil' && question.includes('evaluated'),
    );
    process.kill(-killed.child.pid!, 'SIGKILL');
    await killed.done;
    await gone();
    const first = runsOf();
    assert.equal(first.size, 2, 'two were begun');

    const references = path.join(out, 'references.jsonl');
    const lines = fs.readFileSync(questions, 'utf8').trim().split('\n');
    fs.writeFileSync(
      references,
      lines
        .map((line) => JSON.parse(line) as { id: number; prompt: string })
        .map(({ id, prompt }) => `${JSON.stringify({ id, prompt, article: '# A reference\n\nShort.' })}\n`)
        .join(''),
    );
    const { code, stdout, stderr } = await start(...three, '--judge', '--references', references).done;
    assert.equal(code, 0, stderr);
    const entries = progress();
    assert.equal(Object.keys(entries).length, count);
    const runs = runsOf();
    assert.equal(runs.size, count);
    for (const [id, begun] of first) assert.deepEqual(runs.get(id), begun, `question ${id}`);
    for (const [id, begun] of runs) assert.deepEqual(begun, [entries[id]!.run], `question ${id} has one run`);
    for (const entry of Object.values(entries)) {
      const { measures, race, fact } = entry;
      assert.ok(
        measures && measures.references > 0 && measures.words > 50 && measures.tokens > 0,
        JSON.stringify(entry),
      );
      assert.equal(race?.overall, 0.6);
      assert.ok(fact && fact.supported > 0 && fact.unsupported > 0);
    }
    assert.match(stdout, /\| mean \| 3 of 3 \|/);
    const results = fs.readFileSync(path.join(out, 'results.jsonl'), 'utf8').trim().split('\n');
    assert.deepEqual(
      results.map((line) => Object.keys(JSON.parse(line) as object)),
      results.map(() => ['id', 'prompt', 'article']),
    );
    assert.match((JSON.parse(results[0]!) as { article: string }).article, /^# [\s\S]*\[1\][\s\S]*^- \[1\] /m);

    const before = server.requests.length;
    assert.equal((await start(...three, '--judge', '--references', references).done).code, 0);
    assert.equal(server.requests.length, before, 'nothing is asked again');
  });

  it('is the same with the workers of a queue', { skip: withoutPostgres }, async (test) => {
    const { url, worker } = await startWorker(test);
    const { code, stdout, stderr } = await start('--only', '2,3', '--judge', '--queue', url).done;
    worker.child.kill('SIGTERM');
    await worker.done;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\| mean \| 2 of 2 \|/);
    for (const { measures, race, fact } of Object.values(progress()))
      assert.ok(measures && measures.references > 0 && measures.tokens > 0 && race && fact && fact.supported > 0);
    const asked = server.requests.length;
    assert.equal((await start('--only', '2,3', '--judge', '--queue', url).done).code, 0);
    assert.equal(server.requests.length, asked, 'nothing is asked again');
  });

  it(
    'is judged by any number of processes, which stay within the limit of their key together',
    { skip: withoutPostgres },
    async (test) => {
      const { url, worker } = await startWorker(test);
      let atOnce = 0;
      const three = Promise.withResolvers<void>();
      unlike = () => {
        atOnce += 1;
        if (atOnce === count) three.resolve();
        return { until: three.promise };
      };
      const others = [1, 2].map(() => start('--work', '--queue', url));
      const begun = performance.now();
      const { code, stdout, stderr } = await start(...['--only', '2,3,5'], '--judge', '--queue', url).done;
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\| mean \| 3 of 3 \|/);
      const database = await openDatabase(url);
      const [granted] = await database.query<{ n: string }>(
        "SELECT count(*) AS n FROM research_grant WHERE at > now() - interval '50 s'",
      );
      const recent = server.requests.filter(({ startedAt }) => startedAt > Math.max(begun, performance.now() - 50_000));
      await database.close();
      assert.ok(Number(granted!.n) >= recent.length - 2, `${granted!.n} of ${recent.length} requests took their turn`);
      for (const { child } of [worker, ...others]) child.kill('SIGTERM');
      for (const { done } of others) assert.match((await done).stderr, /: judged by imitation-1/);
      await worker.done;
    },
  );

  it('asks for no answer of the judge again after a kill', async () => {
    const begun = server.requests.length;
    const asked = () => server.requests.slice(begun).filter(isJudging);
    unlike = () => (asked().length === count ? { hang: true } : undefined);
    const killed = start('--only', '2,3', '--judge');
    await server.waitFor(({ index }) => index >= begun && asked().length === count);
    process.kill(-killed.child.pid!, 'SIGKILL');
    await killed.done;
    await gone();
    unlike = undefined;
    const { code, stderr } = await start('--only', '2,3', '--judge').done;
    assert.equal(code, 0, stderr);
    const prompts = asked().map(({ body }) => JSON.stringify(body));
    const [, , unanswered] = prompts;
    assert.deepEqual(
      prompts.filter((prompt, at) => prompts.indexOf(prompt) !== at),
      [unanswered],
    );
  });

  it('has a table and results beside a judge whose answers can’t be used, and tries those again', async () => {
    const isRubbish: (request: ParsedRequest) => boolean = ({ prompt }) =>
      prompt.includes('<criteria>') && prompt.includes('evaluated');
    unlike = (request) => (isRubbish(request) ? { json: 'Nice report.' } : undefined);
    const { code, stdout, stderr } = await start('--only', '2,3', '--judge').done;
    assert.equal(code, 1, stderr);
    const entries = Object.values(progress());
    assert.equal(entries.filter(({ race }) => race !== undefined).length, 1);
    assert.ok(entries.every(({ fact }) => fact !== undefined));
    assert.match(stdout, /not judged: The judge's answer can't be used/);
    assert.match(stdout, /\| mean \| 2 of 2 \|/);
    assert.equal(fs.readFileSync(path.join(out, 'results.jsonl'), 'utf8').trim().split('\n').length, 2);
    unlike = undefined;
    const before = server.requests.length;
    assert.equal((await start('--only', '2,3', '--judge').done).code, 0);
    assert.equal(server.requests.length, before + 1, 'the missing judgement alone is asked for');
    assert.ok(Object.values(progress()).every(({ race }) => race !== undefined));
  });

  it('divides one budget among the questions, and says when it is used up', async () => {
    const { code, stderr } = await start('--only', '1,2', '--max-tokens', '60000').done;
    assert.equal(code, 0, stderr);
    const [one, two] = Object.values(progress()).map(({ run, measures }) => ({ tokens: measures!.tokens, run: run! }));
    assert.equal(budgetOf(one!.run), 30_000);
    assert.equal(budgetOf(two!.run), 60_000 - one!.tokens);
    const more = await start('--only', '3', '--max-tokens', '1').done;
    assert.equal(more.code, 1);
    assert.match(more.stderr, /budget is used up/);
    assert.equal(progress()['3']?.run, undefined);
  });

  it('names file and line of a question that can’t be read', async () => {
    const broken = path.join(out, 'broken.jsonl');
    fs.writeFileSync(broken, '{"id": 1, "prompt": "Fine?"}\n{"id": 2}\n');
    const { code, stderr } = await start('--questions', broken).done;
    assert.equal(code, 2);
    assert.match(stderr, /broken\.jsonl, line 2/);
  });

  /** A worker that researches, and the queue from which it takes its questions. */
  async function startWorker(test: TestContext): Promise<{ url: string; worker: Command }> {
    const postgres = await startPostgres();
    test.after(() => postgres.stop());
    const settings = path.join(out, 'worker.json');
    fs.writeFileSync(settings, JSON.stringify(imitatedSettings(sources)));
    const place = ['--queue', postgres.url, '--run-dir', path.join(out, 'worker'), '--workspace', workspace];
    const worker = startCommand([
      ...['worker', ...place, '--settings', settings, '--base-url', server.url, '--model', 'imitation-1', '--yes'],
    ]);
    return { url: postgres.url, worker };
  }

  interface Progress {
    readonly run?: string;
    readonly state: string;
    readonly measures?: { readonly references: number; readonly words: number; readonly tokens: number };
    readonly race?: { readonly overall: number };
    readonly fact?: { readonly supported: number; readonly unsupported: number };
  }

  function progress(): Record<string, Progress> {
    return JSON.parse(fs.readFileSync(path.join(out, 'progress.json'), 'utf8')) as Record<string, Progress>;
  }

  /** The folder of the set's batch. */
  function batchFolder(): string {
    const [name] = fs.readdirSync(path.join(out, 'batches'));
    return path.join(out, 'batches', name!);
  }

  /** The runs that each question was given, by its id. */
  function runsOf(): Map<string, string[]> {
    const entries = fs
      .readFileSync(path.join(batchFolder(), 'queue.ndjson'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly type: string; readonly id: string; readonly run: string });
    const started = Map.groupBy(
      entries.filter(({ type }) => type === 'started'),
      ({ id }) => id,
    );
    return new Map([...started].map(([id, lines]) => [id, lines.map(({ run }) => run)]));
  }

  /** Waits until the killed process that holds the batch has left the table of processes: nobody waits for it but the system. */
  async function gone(): Promise<void> {
    const lock = path.join(batchFolder(), runFiles.lock);
    // It had ended by itself.
    if (!fs.existsSync(lock)) return;
    const { pid } = JSON.parse(fs.readFileSync(lock, 'utf8')) as { pid: number };
    for (let tries = 0; tries < 200; tries += 1) {
      try {
        process.kill(pid, 0);
      } catch {
        return;
      }
      await setTimeout(50);
    }
    assert.fail(`process ${pid} is still there`);
  }

  function budgetOf(run: string): unknown {
    const record = fs.readFileSync(path.join(batchFolder(), run, 'run.json'), 'utf8');
    return (JSON.parse(record) as { settings: Record<string, unknown> }).settings['budget.maxTokens'];
  }

  function start(...more: readonly string[]) {
    const settings = path.join(out, 'settings.json');
    fs.writeFileSync(settings, JSON.stringify(imitatedSettings(sources)));
    const child = spawn(
      process.execPath,
      [
        path.join(root, 'test', 'eval', 'report', 'report.eval.ts'),
        ...['--questions', questions, '--out', out, '--workspace', workspace, '--settings', settings],
        ...['--provider', 'openai-compatible', '--base-url', server.url, '--model', 'imitation-1', ...more],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const done = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
    return { child, done };
  }
});
