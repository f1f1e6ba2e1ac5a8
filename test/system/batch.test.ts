import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ResultLine } from '../../src/batch/resultFiles.ts';
import { type Command, type CommandResult, runCommand, runInHost, startCommand } from '../support/commandLine.ts';
import { type CommandPlace, makeCommandPlace } from '../support/commandPlace.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { numbered } from '../support/paidOnce.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { rounds } from '../support/sampled.ts';

/** The built command line, with one process and a folder for a queue. */
describe('deep-research batch', () => {
  let place: CommandPlace;
  let folder: string;
  let file: string;
  let out: string;

  before(async () => {
    place = await makeCommandPlace();
  });
  after(() => place.remove());
  beforeEach((test) => {
    folder = temporaryFolder('batch');
    file = path.join(folder, 'questions.jsonl');
    out = path.join(folder, 'out');
    if ('after' in test) test.after(() => removeFolder(folder));
  });

  const options = () => [
    ...['--workspace', place.workspace, '--run-dir', path.join(folder, 'runs'), '--out', out],
    ...['--settings', place.settings],
  ];
  const batch = (...args: readonly string[]): Promise<CommandResult> =>
    runInHost(['batch', ...options(), '--provider', 'extractive', ...args]);
  const write = (lines: readonly object[]): void =>
    fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const results = (): ResultLine[] =>
    fs
      .readFileSync(path.join(out, 'results.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine);

  it('writes a report for each question, names what is wrong with the file, and repeats nothing', async () => {
    fs.writeFileSync(path.join(folder, 'notes.md'), '# Notes\n\nThe flux capacitor needs 1.21 gigawatts.\n');
    fs.writeFileSync(
      file,
      [
        '{"id":"rag","question":"What is retrieval-augmented generation?","depth":"quick"}',
        '{"id":"../../escape","question":"What does the README say about evaluation?"}',
        '{"id":"flux","question":"How many gigawatts does the flux capacitor need?","attachments":["notes.md"]}',
        '{"id":"secret","question":"What does the file say?","attachments":["../../../etc/hostname"]}',
        '{"id":"lost","question":"What does the file say?","attachments":["none.md"]}',
        '{"id":"broken"',
      ].join('\n'),
    );
    const first = await batch(file);
    assert.equal(first.code, 1, first.stderr);
    assert.match(first.stderr, /line 6: is not a JSON object/);
    const lines = results();
    assert.deepEqual(
      lines.map(({ id, outcome }) => [id, outcome]),
      [
        ['rag', 'complete'],
        ['../../escape', 'complete'],
        ['flux', 'complete'],
        ['secret', 'failed'],
        ['lost', 'failed'],
        ['line 6', 'invalid'],
      ],
    );
    assert.deepEqual(Object.keys(lines[0]!), [
      ...['id', 'run', 'outcome', 'path', 'tokens', 'cost', 'ms', 'citations', 'error'],
    ]);
    assert.match(lines[3]!.error!, /outside the workspace/);
    assert.match(lines[4]!.error!, /The attachment none\.md does not exist/);
    for (const { path: report } of lines.slice(0, 3)) {
      assert.equal(path.dirname(report!), out);
      assert.ok(fs.existsSync(report!.replace(/\.md$/, '.evidence.md')));
    }
    assert.match(fs.readFileSync(lines[2]!.path!, 'utf8'), /1\.21 gigawatts/);
    const rows = fs.readFileSync(path.join(out, 'figures.csv'), 'utf8').trim().split('\r\n');
    assert.equal(rows.length, 6);
    assert.match(first.stdout, /^id +outcome[\s\S]*^rag +complete[\s\S]*^all +3 reported/m);

    const before = fs.readdirSync(out);
    const second = await batch(file);
    assert.equal(second.code, 1);
    assert.deepEqual(fs.readdirSync(out), before);
    assert.deepEqual(results(), lines);
    const status = JSON.parse((await batch('status', file, '--json')).stdout) as { reported: number; failed: number };
    assert.deepEqual([status.reported, status.failed], [3, 2]);
  });

  it('ends with 3 while a question waits, and researches it once it is answered', async () => {
    write([
      { id: 'vague', question: 'help me research' },
      { id: 'plain', question: 'What is retrieval-augmented generation?' },
    ]);
    const asked = await batch(file);
    assert.equal(asked.code, 3, asked.stderr);
    const [vague] = results();
    assert.equal(vague!.outcome, 'waiting');
    assert.match(vague!.error!, /Name a subject/);
    assert.equal((await batch('answer', file, 'plain', 'x')).code, 2);
    assert.equal((await batch('answer', file, 'vague', 'retrieval-augmented generation')).code, 0);
    const answered = await batch(file);
    assert.equal(answered.code, 0, answered.stderr);
    assert.equal(results()[0]!.run, vague!.run);
  });

  it('fails a question without content with --yes, and researches it again after a retry', async () => {
    write([{ id: 'vague', question: 'help me research' }]);
    assert.equal((await batch(file, '--yes')).code, 1);
    assert.equal((await batch(file)).code, 1, 'failed stays failed');
    assert.equal((await batch('retry', file)).code, 0);
    assert.equal((await batch(file)).code, 3);
    assert.equal((await batch('cancel', file)).code, 0);
    assert.equal((await batch(file)).code, 1);
    assert.equal(results()[0]!.outcome, 'cancelled');
  });

  it('lets no question begin while it is paused', async () => {
    write([{ id: 'a', question: 'What is retrieval-augmented generation?' }]);
    assert.equal((await batch('pause', file)).code, 0);
    const command = startCommand(['batch', file, ...options(), '--provider', 'extractive']);
    await command.seen('is paused');
    assert.equal((await batch('resume', file)).code, 0);
    const { code, stderr } = await command.done;
    assert.equal(code, 0, stderr);
  });

  it('pauses with the reason when the key is refused, and continues with another one after a resume', async (test) => {
    const server = await startModelServer({ key: 'right' });
    test.after(() => server.close());
    write(['a', 'b'].map((id) => ({ id, question: `What is retrieval-augmented generation ${id}?`, depth: 'quick' })));
    const command = (key: string, ...args: readonly string[]): Promise<CommandResult> =>
      runCommand(
        ['batch', ...args, file, ...options(), '--at-once', '1', '--yes', '--base-url', server.url, '--model', 'm-1'],
        { env: { OPENAI_API_KEY: key } },
      );
    const refused = await command('wrong');
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(refused.stderr, /2 questions were not researched: .*key[\s\S]*batch resume/);
    const asked = server.requests.length;
    assert.equal((await command('right')).code, 1, 'it stays paused');
    assert.equal(server.requests.length, asked);
    assert.equal((await command('right', 'resume')).code, 0);
    const mended = await command('right');
    assert.equal(mended.code, 0, mended.stderr);
    assert.ok(results().every(({ outcome }) => outcome === 'complete'));
  });

  it('is the batch of its file, wherever its reports are saved, and of one workspace', async () => {
    write([{ id: 'a', question: 'What is retrieval-augmented generation?' }]);
    assert.equal((await batch(file)).code, 0);
    const [{ run, path: saved }] = results() as [ResultLine];
    assert.equal((await batch(file, '--out', path.join(folder, 'other'))).code, 0);
    out = path.join(folder, 'other');
    assert.deepEqual([results()[0]!.run, results()[0]!.path], [run, saved]);
    const elsewhere = await batch(file, '--workspace', folder);
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /researches another folder/);
  });

  it('refuses a bad file and bad options', async () => {
    fs.writeFileSync(file, '');
    assert.equal((await batch(file)).code, 2);
    assert.equal((await batch(path.join(folder, 'none'))).code, 2);
    write([{ id: 'a', question: 'What is retrieval-augmented generation?' }]);
    assert.equal((await batch(file, '--at-once', '0')).code, 2);
    assert.equal((await batch(file, '--workspace', `${folder}/\u202Enone\n`)).code, 2);
    assert.equal((await batch('retry', file, 'unknown')).code, 2);
    assert.equal((await batch()).code, 2);
  });

  it('ends in one report for each question after many kills, and sends no finished call again', async (test) => {
    const kills = rounds(20);
    const count = kills < 20 ? 3 : 60;
    const server = await startModelServer({ delayMs: 30, script: numbered() });
    test.after(() => server.close());
    write(
      Array.from({ length: count }, (_, index) => ({
        id: `q${index}`,
        question: `How do retrieval-augmented generation systems work in the year ${2001 + index}?`,
        depth: 'quick',
      })),
    );
    const start = (): Command =>
      startCommand([
        ...['batch', file, ...options(), '--yes', '--at-once', '3', '--base-url', server.url],
        ...['--model', 'imitation-1'],
      ]);
    const lives: Life[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const command = start();
      const begun = server.requests.length;
      // From the first request of a life to its seventh.
      const ended = command.done.then(({ code, stderr }) => assert.fail(`ended by itself with ${code}: ${stderr}`));
      await Promise.race([server.waitFor(({ index }) => index >= begun + ((kill * 5) % 7)), ended]);
      command.child.kill('SIGKILL');
      await command.done;
      // What it had sent is seen before these.
      for (let times = 0; times < 2; times += 1) await (await fetch(`${server.url}/models`)).text();
      lives.push({ finished: finishedCalls(), asked: server.requests.length });
    }
    const { code, stderr } = await start().done;
    assert.equal(code, 0, stderr);
    const lines = results();
    assert.equal(lines.length, count);
    assert.ok(lines.every(({ outcome }) => outcome === 'complete'));
    assert.equal(new Set(lines.map(({ run }) => run)).size, count);
    const reports = fs.readdirSync(out).filter((name) => name.endsWith('.md') && !name.endsWith('.evidence.md'));
    assert.deepEqual(reports.sort(), lines.map(({ id }) => `${id}.md`).sort());
    assert.deepEqual(repeated(server, lives), []);
    test.diagnostic(`${server.requests.length} requests, ${lives.at(-1)!.asked} of them before the last kill`);
  });

  /** Numbers of the requests whose answer is in a journal, with its run: the usage of an answer says which it is of. */
  function finishedCalls(): Map<number, string> {
    const journals = fs.globSync('runs/batches/*/2*/journal.ndjson', { cwd: folder });
    return new Map(
      journals.flatMap((journal) =>
        fs
          .readFileSync(path.join(folder, journal), 'utf8')
          .split('\n')
          .slice(0, -1)
          .flatMap((line): [number, string][] => {
            if (line === '') return [];
            const { key, value } = JSON.parse(line) as JournalLine;
            // The server numbers no request of the trial.
            if (key.startsWith('trial')) return [];
            return value?.usage === undefined ? [] : [[value.usage.in, journal]];
          }),
      ),
    );
  }

  /** Calls that a run had finished at a kill, and sent again later. Different runs may send the same. */
  function repeated({ requests }: ModelServer, lives: readonly Life[]): string[] {
    const sent = requests.map(({ body }) => JSON.stringify(body));
    const at = Map.groupBy(sent.keys(), (index) => sent[index]!);
    const runs = finishedCalls();
    return lives.flatMap(({ finished, asked }) =>
      [...finished].flatMap(([index, run]) =>
        at.get(sent[index]!)!.some((later) => later >= asked && runs.get(later) === run) ? [requests[index]!.step] : [],
      ),
    );
  }
});

interface JournalLine {
  readonly key: string;
  readonly value: { readonly usage?: { readonly in: number } } | null;
}

/** What was in the journals after a kill, and how many requests there had been. */
interface Life {
  readonly finished: ReadonlyMap<number, string>;
  readonly asked: number;
}
