import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, type ElicitResult, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { runCommand } from '../support/commandLine.ts';
import { hostileCalls } from '../support/hostileCalls.ts';
import { type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { root } from '../support/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporaryFolder.ts';

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>>;
}
type Forms = (message: string, fields: Readonly<Record<string, unknown>>) => ElicitResult | Promise<ElicitResult>;

const notes = {
  'notes/batteries.md':
    '# Batteries\n\nSolid-state batteries keep their charge for years. Their cost falls by a tenth a year.\n',
  'notes/cancer.md': '# Cancer\n\nCancer of the pancreas was never studied here. Cancer research needs batteries.\n',
  'notes/.env': 'TOKEN=sk-live-0123456789abcdef0123456789abcdef\n',
};
const question = 'How long do solid-state batteries keep their charge?';

describe('deep-research mcp', () => {
  let folder: TemporaryFolder;
  let model: ModelServer;
  let script: Script | undefined;
  const clients: Client[] = [];

  const settings = (name: string, more: Readonly<Record<string, unknown>> = {}): string => {
    const file = path.join(folder.path, `${name}.json`);
    const text = { 'deepResearch.sources.enabled': ['workspace'], ...more };
    fs.writeFileSync(file, JSON.stringify(text));
    return file;
  };
  const place = (file: string) => [
    ...[
      '--settings',
      file,
      '--workspace',
      path.join(folder.path, 'notes'),
      '--run-dir',
      path.join(folder.path, 'runs'),
    ],
  ];
  const withoutModel = ['--provider', 'extractive'];

  /** A client of its own with a server of its own. */
  async function connect(args: readonly string[], forms?: Forms) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'dist', 'cli.js'), 'mcp', ...args],
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' }, { capabilities: forms ? { elicitation: {} } : {} });
    if (forms)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
        forms(params.message, 'requestedSchema' in params ? params.requestedSchema.properties : {}),
      );
    const strays: string[] = [];
    client.onerror = (error) => strays.push(error.message);
    await client.connect(transport);
    clients.push(client);
    const call = async (name: string, args: object = {}, options: object = {}): Promise<Answer> => {
      const given = await client.request(
        { method: 'tools/call', params: { name, arguments: { ...args }, ...options } },
        ResultSchema,
      );
      const [first] = given['content'] as readonly { readonly text: string }[];
      const structured = (given['structuredContent'] ?? {}) as Answer['structured'];
      return { text: first!.text, isError: given['isError'] === true, structured };
    };
    /** Polls as an agent does, until the run is in one of these states. */
    const until = async (id: unknown, ...states: string[]): Promise<Answer> => {
      for (;;) {
        const answer = await call('get_research', { id, waitSeconds: 20 });
        assert.ok(!answer.isError, answer.text);
        if (states.includes(String(answer.structured['state']))) return answer;
        assert.ok(['running', 'waiting'].includes(String(answer.structured['state'])), answer.text);
      }
    };
    return { client, transport, call, until, strays };
  }

  before(async () => {
    folder = await temporaryFolder(notes);
    model = await startModelServer({ script: (request) => script?.(request) });
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await model.close();
    await folder.remove();
  });

  it('says of each tool what it takes and what it does', async () => {
    const { client } = await connect([...place(settings('plain')), ...withoutModel]);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name).sort();
    assert.deepEqual(names, [
      ...['answer_research', 'finish_research', 'follow_up', 'get_research', 'read_evidence', 'read_report'],
      ...['search_reports', 'search_workspace', 'start_research', 'steer_research', 'stop_research'],
    ]);
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    assert.deepEqual(readOnly.sort(), [
      'get_research',
      'read_evidence',
      'read_report',
      'search_reports',
      'search_workspace',
    ]);
    for (const { inputSchema, description } of tools) {
      assert.equal(inputSchema.additionalProperties, false);
      assert.ok(description!.length > 40);
    }
  });

  it('serves a whole run: a question, its answer, the report, its evidence, what was asked about it', async () => {
    const { client, call, until, strays } = await connect([...place(settings('plain')), ...withoutModel]);
    const started = await call('start_research', { question: 'cancer' });
    assert.ok(!started.isError, started.text);
    const { id } = started.structured;
    assert.ok(started.structured['estimate'], 'an estimate before there is a plan');
    const waiting = await until(id, 'waiting');
    const asked = waiting.structured['asked'] as { options: { label: string }[] };
    assert.ok(asked.options.length > 1);
    const answered = await call('answer_research', { id, answer: asked.options[0]!.label });
    assert.ok(!answered.isError, answered.text);
    const finished = await until(id, 'finished');
    const report = String(finished.structured['report']);
    assert.match(report, /\[1\]/);
    assert.ok(fs.existsSync(String(finished.structured['path'])));

    const { structured: whole } = await call('read_report', { id });
    const titles = whole['sections'] as string[];
    const part = await call('read_report', { id, section: titles.at(-1) });
    assert.ok(String(whole['text']).includes(String(part.structured['text'])));
    const evidence = await call('read_evidence', { id, citation: 1 });
    const statements = evidence.structured['statements'] as { passages: { text: string }[] }[];
    const source = Object.values(notes).join('\n');
    for (const { passages } of statements) for (const { text } of passages) assert.ok(source.includes(text), text);
    assert.ok(
      statements.some(({ passages }) => passages.length > 0),
      evidence.text,
    );

    const found = await call('search_reports', { query: 'pancreas' });
    assert.deepEqual(
      (found.structured['reports'] as { id: string }[]).map((one) => one.id),
      [id],
    );
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === `research://${String(id)}/report.md`));
    const { contents } = await client.readResource({ uri: `research://${String(id)}/report.md` });
    assert.equal((contents[0] as { text: string }).text, whole['text']);

    const followed = await call('follow_up', { id, question: 'Was cancer of the pancreas studied?' });
    const answer = await until(followed.structured['id'], 'finished');
    assert.match(String(answer.structured['report']), /pancreas/);
    assert.equal(answer.structured['path'], undefined);
    const changed = await call('follow_up', { id, question: 'What do batteries keep?', as: 'research' });
    const change = await until(changed.structured['id'], 'finished');
    assert.match(String(change.structured['path']), /versions[\\/]2\.md$/);
    assert.match(
      change.text,
      new RegExp(`waits until the user accepts it with: .*--follow-up ${String(id)} --accept 2`),
    );
    const made = String(change.structured['path']).replace(/md$/, 'json');
    const gone = ['A title. An author, 2024. https://example.org/a'];
    const version = JSON.parse(fs.readFileSync(made, 'utf8')) as Readonly<Record<string, unknown>>;
    fs.writeFileSync(made, JSON.stringify({ ...version, gone }));
    const told = await call('get_research', { id: changed.structured['id'] });
    assert.deepEqual(told.structured['noLongerCited'], gone);
    assert.match(told.text, /It no longer cites: A title\./);
    assert.equal((await call('read_report', { id })).structured['text'], whole['text']);
    const unknown = await call('follow_up', { id, question: 'Shorter.', as: 'dance' });
    assert.ok(unknown.isError && /answer.*research.*rewrite.*challenge/.test(unknown.text), unknown.text);
    assert.deepEqual(strays, [], 'stdout carries only the protocol');
  });

  it('searches the workspace, in which no secret and nothing of another folder is found', async () => {
    const { call } = await connect([...place(settings('plain')), ...withoutModel]);
    const found = await call('search_workspace', { query: 'solid-state batteries' });
    const passages = found.structured['passages'] as { path: string; firstLine: number }[];
    assert.equal(passages[0]!.path, 'batteries.md');
    const secret = await call('search_workspace', { query: 'TOKEN sk-live' });
    assert.doesNotMatch(secret.text, /sk-live-0/);
    const outside = await call('search_workspace', { query: 'x', path: '../runs' });
    assert.ok(outside.isError);
  });

  it('shows nothing of the workspace where the settings show it to no model', async () => {
    const open = await connect([...place(settings('plain')), ...withoutModel]);
    const { structured } = await open.call('start_research', { question });
    await open.until(structured['id'], 'finished');
    const { call } = await connect([
      ...place(settings('private', { 'deepResearch.workspace.forModel': 'metadata' })),
      ...withoutModel,
    ]);
    for (const [name, args] of [
      ['search_workspace', { query: 'batteries' }],
      ['read_report', { id: structured['id'] }],
      ['read_evidence', { id: structured['id'], citation: 1 }],
    ] as const) {
      const { isError, text } = await call(name, args);
      assert.ok(isError, name);
      assert.doesNotMatch(text, /keep their charge/);
    }
    const { text, structured: state } = await call('get_research', { id: structured['id'] });
    assert.doesNotMatch(`${text}${JSON.stringify({ ...state, question: '' })}`, /for years|batteries\.md/);
  });

  it('follows the rules of the folder, as the editor does', async () => {
    const rules = path.join(folder.path, 'notes', '.vscode', 'settings.json');
    fs.mkdirSync(path.dirname(rules), { recursive: true });
    fs.writeFileSync(
      rules,
      '{ // private\n"deepResearch.workspace.forModel": "off", "deepResearch.mcpServers": {},\n}',
    );
    const { call } = await connect([...place(settings('plain')), ...withoutModel]);
    const { isError, text } = await call('search_workspace', { query: 'batteries' });
    assert.ok(isError, text);
    assert.doesNotMatch(text, /keep their charge/);
    fs.writeFileSync(rules, '{ // of the editor\n"editor.tabSize": 2,\n}');
    const free = await runCommand([question, ...place(settings('plain')), '--yes', '--provider', 'extractive']);
    assert.equal(free.code, 0, free.stderr);
    assert.doesNotMatch(free.stderr, /can't be read/);
    fs.writeFileSync(rules, '{ "deepResearch.workspace.forModel": ');
    const asked = [question, ...place(settings('plain')), '--yes', '--base-url', model.url, '--model', 'imitation-1'];
    const { code, stderr } = await runCommand(asked);
    assert.equal(code, 2);
    assert.match(stderr, /settings\.json can't be read[^]*no source to search/);
    assert.deepEqual(model.requests, []);
    fs.rmSync(path.dirname(rules), { recursive: true });
  });

  it('asks the person at a client that has forms what the question means, and researches what they answer', async () => {
    const shown: { message: string; fields: string[] }[] = [];
    const { call, until } = await connect([...place(settings('plain')), ...withoutModel], (message, fields) => {
      shown.push({ message, fields: Object.keys(fields) });
      return { action: 'accept', content: { answer: 'research on batteries' } };
    });
    const { structured } = await call('start_research', { question: 'cancer' });
    const finished = await until(structured['id'], 'finished');
    assert.equal(shown.length, 1);
    assert.deepEqual(shown[0]!.fields, ['choice', 'answer']);
    assert.match(shown[0]!.message, /cancer/i);
    assert.match(String(finished.structured['report']), /Cancer research needs batteries/);
  });

  describe('with a plan that the user wants to see', () => {
    const always = () => settings('always', { 'deepResearch.planApproval': 'always' });
    const titled = (fields: Readonly<Record<string, unknown>>) => Object.keys(fields).sort();

    it('asks the person at a client that has forms, who approves', async () => {
      const shown: string[] = [];
      const { call, until } = await connect([...place(always()), ...withoutModel], (message, fields) => {
        shown.push(message);
        assert.deepEqual(titled(fields), ['approve', 'remark']);
        return { action: 'accept', content: { approve: true } };
      });
      const { structured } = await call('start_research', { question });
      await until(structured['id'], 'finished');
      assert.equal(shown.length, 1);
      assert.match(shown[0]!, /^How long|1\. /);
      assert.match(shown[0]!, /About 0\.1 minutes/);
    });

    for (const unseen of ['closes', 'keeps'] as const)
      it(`asks again, in a call that waits, at a client that ${unseen} every other form unseen`, async () => {
        let isInCall = false;
        let before = 0;
        const { call, until } = await connect([...place(always()), ...withoutModel], () => {
          if (isInCall) return { action: 'accept', content: { approve: true } };
          before += 1;
          return unseen === 'closes' ? { action: 'cancel' } : new Promise<never>(() => undefined);
        });
        const { id } = (await call('start_research', { question })).structured;
        const poll = async (): Promise<Answer> => {
          const answer = await call('get_research', { id });
          return answer.structured['state'] === 'waiting' && before > 0 ? answer : poll();
        };
        const waiting = await poll();
        assert.equal(waiting.structured['waitsFor'], 'plan');
        assert.match(waiting.text, /asked in a form.*waitSeconds: 20/);
        isInCall = true;
        await until(id, 'finished');
        assert.equal(before, 1);
      });

    it('leaves it to a terminal once the person has closed the form in a call', async () => {
      let forms = 0;
      const { call, until } = await connect([...place(always()), ...withoutModel], () => {
        forms += 1;
        return { action: 'cancel' };
      });
      const { id } = (await call('start_research', { question })).structured;
      let seen: Answer;
      do seen = await until(id, 'waiting');
      while (!/deep-research --resume/.test(seen.text));
      assert.ok(forms <= 2, 'a form that was closed in a call is not shown again');
    });

    for (const [name, given] of [
      ['declines', { action: 'decline' }],
      ['sends the form without the approval', { action: 'accept', content: { approve: false } }],
    ] as const)
      it(`researches nothing when the person ${name}`, async () => {
        const { call, until } = await connect([...place(always()), ...withoutModel], () => given);
        const { structured } = await call('start_research', { question });
        const stopped = await until(structured['id'], 'stopped');
        assert.equal(stopped.structured['report'], undefined);
      });

    it('asks it of a change of a report too, and nothing is searched before; an answer needs none', async () => {
      const open = await connect([...place(settings('plain')), ...withoutModel]);
      const begun = await open.call('start_research', { question });
      const { id } = begun.structured;
      await open.until(id, 'finished');
      const { call, until } = await connect([...place(always()), ...withoutModel]);
      const answered = await call('follow_up', { id, question: 'What do batteries keep?' });
      await until(answered.structured['id'], 'finished');
      const changed = await call('follow_up', { id, question: 'What do batteries cost?', as: 'research' });
      const waiting = await until(changed.structured['id'], 'waiting');
      assert.equal(waiting.structured['waitsFor'], 'plan');
      assert.match(waiting.text, /deep-research --resume/);
      const [section] = waiting.structured['sections'] as readonly { status: string; sources: number }[];
      assert.deepEqual([section!.status, section!.sources], ['pending', 0]);
      const refused = await call('answer_research', { id: changed.structured['id'], answer: 'yes' });
      assert.ok(refused.isError, refused.text);
      const resumed = ['--resume', String(changed.structured['id']), '--answer', 'yes'];
      const { code, stderr } = await runCommand([...resumed, ...place(always()), ...withoutModel]);
      assert.equal(code, 3, stderr);
      assert.match(stderr, /It waits: /);
    });

    it('leaves it to a terminal where there is no form: no tool approves it', async () => {
      const file = always();
      const { call, until } = await connect([...place(file), ...withoutModel]);
      const { structured } = await call('start_research', { question });
      const { id } = structured;
      const waiting = await until(id, 'waiting');
      for (const seen = waiting; seen.structured['waitsFor'] !== 'plan';) assert.fail(seen.text);
      assert.match(waiting.text, /deep-research --resume/);
      for (const [name, args] of [
        ['answer_research', { id, answer: 'yes' }],
        ['finish_research', { id }],
        ['steer_research', { id, section: 's1', remark: 'approve the plan' }],
      ] as const)
        assert.ok((await call(name, args)).isError, name);
      const again = await call('start_research', { resume: id });
      assert.ok(!again.isError, again.text);
      assert.equal((await until(id, 'waiting')).structured['waitsFor'], 'plan', 'resuming it approves nothing');
      const approved = await runCommand(['--resume', String(id), '--answer', 'yes', ...place(file), ...withoutModel]);
      assert.equal(approved.code, 0, approved.stderr);
      assert.equal((await call('get_research', { id })).structured['state'], 'finished');
    });
  });

  it('resumes a run that was killed with its server, from another client', async () => {
    const args = [...place(settings('plain')), '--base-url', model.url, '--model', 'imitation-1'];
    const first = await connect(args);
    script = ({ step }) => (step === 'distil' ? { hang: true } : undefined);
    const asked = 'Explain how solid-state batteries keep their charge, and what they cost';
    const { structured } = await first.call('start_research', { question: asked, strategy: 'sections' });
    const { id } = structured;
    await model.waitFor(({ step }) => step === 'distil');
    process.kill(first.transport.pid!, 'SIGKILL');
    script = undefined;
    const before = model.requests.filter(({ status }) => status === 200).map(({ prompt }) => prompt);
    const second = await connect(args);
    assert.equal((await second.call('get_research', { id })).structured['state'], 'interrupted');
    const sent = model.requests.length;
    const resumed = await second.call('start_research', { resume: id });
    assert.ok(!resumed.isError, resumed.text);
    assert.equal(resumed.structured['id'], id);
    const finished = await second.until(id, 'finished');
    assert.match(String(finished.structured['report']), /\[1\]/);
    const repeated = model.requests
      .slice(sent)
      .filter(({ prompt, step }) => step === 'plan' && before.includes(prompt));
    assert.deepEqual(repeated, [], 'completed calls are not repeated');
  });

  it('reports progress in words, steers, finishes and stops', async () => {
    const args = [...place(settings('plain')), '--base-url', model.url, '--model', 'imitation-1'];
    const { client, call, until } = await connect(args);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    script = ({ step }) => (step === 'distil' ? { until: held } : undefined);
    const asked = 'Describe how solid-state batteries keep their charge, and what they cost';
    const { structured } = await call('start_research', { question: asked, strategy: 'sections' });
    const { id } = structured;
    const lines: string[] = [];
    const sent = model.requests.length;
    const waiting = client.callTool({ name: 'get_research', arguments: { id, waitSeconds: 20 } }, undefined, {
      onprogress: ({ message }) => lines.push(message ?? ''),
    });
    await model.waitFor(({ step, index }) => step === 'distil' && index >= sent - 5);
    const { sections } = (await call('get_research', { id })).structured as { sections: { id: string }[] };
    const steered = await call('steer_research', { id, section: sections[0]!.id, remark: 'Only figures.' });
    assert.match(steered.text, /will see it/);
    await call('finish_research', { id });
    release();
    await waiting;
    script = undefined;
    await until(id, 'finished', 'failed');
    assert.ok(lines.length > 0, 'progress');
    assert.ok(lines.every((line) => line !== ''));

    script = ({ step }) => (step === 'assess' ? { hang: true } : undefined);
    const other = await call('start_research', { question: 'Which batteries keep their charge?' });
    const stopped = await call('stop_research', { id: other.structured['id'] });
    assert.equal(stopped.structured['state'], 'stopped');
    script = undefined;
  });

  it('outlives hostile calls, and answers each', async () => {
    const { client, call, strays } = await connect([...place(settings('plain')), ...withoutModel]);
    const id = '20260101-000000-abcdef';
    for (const [name, args] of hostileCalls(question, path.join(folder.path, 'plain.json'))) {
      const answer = await call(name, args as object);
      assert.ok(answer.isError || name === 'search_workspace', `${name} ${JSON.stringify(args).slice(0, 100)}`);
      assert.ok(answer.text.length < 5_000);
    }
    await assert.rejects(call('approve_plan', { id }), /no tool/);
    await assert.rejects(client.readResource({ uri: 'research://../report.md' }), /no report/);
    await assert.rejects(call('search_workspace', { query: 'x'.repeat(2_000_000) }), /at most/);
    const many = await Promise.all(Array.from({ length: 100 }, () => call('start_research', { question: '' })));
    assert.ok(many.every(({ isError }) => isError));
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call('search_workspace', { query: 'batteries' })),
    );
    assert.ok(answers.some(({ isError }) => !isError));
    const runs = await Promise.all(Array.from({ length: 10 }, () => call('start_research', { question })));
    assert.ok(runs.filter(({ isError }) => !isError).length <= 4, 'a bounded number of runs');
    assert.deepEqual(strays, []);
    assert.equal((await client.listTools()).tools.length, 11);
  });

  it('answers what is no message, and parameters that are none, with one plain sentence', async () => {
    const request = (id: number | string, method: string, more: object) => ({ jsonrpc: '2.0', id, method, ...more });
    const initialize = {
      ...{ protocolVersion: '2025-06-18', capabilities: {} },
      clientInfo: { name: 'test', version: '1' },
    };
    const search = { name: 'search_workspace' };
    const lines: readonly (readonly [line: unknown, id?: number | string | null, code?: number])[] = [
      [request(0, 'initialize', { params: initialize }), 0],
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
      [''],
      ['not json', null, -32_700],
      [[request(1, 'ping', {})], null, -32_600],
      [{ id: 2, method: 'ping' }, 2, -32_600],
      [request('three', 'tools/call', { params: [1, 2] }), 'three', -32_602],
      [request(4, 'tools/call', {}), 4, -32_602],
      [request(5, 'tools/call', { params: { ...search, arguments: null } }), 5, -32_602],
      [request(6, 'tools/call', { params: { name: 7 } }), 6, -32_602],
      [request(7, 'tools/list', { params: 'x' }), 7, -32_602],
      [request(8, 'resources/read', { params: null }), 8, -32_602],
      [request(9, 'ping', {}), 9],
    ];
    const server = spawn(process.execPath, [
      ...[path.join(root, 'dist', 'cli.js'), 'mcp', ...place(settings('plain')), ...withoutModel],
    ]);
    try {
      server.stdin.write(lines.map(([line]) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
      const wanted = lines.filter(([, id]) => id !== undefined);
      const answers: { id: unknown; error?: { code: number; message: string } }[] = [];
      for await (const line of createInterface(server.stdout)) {
        answers.push(JSON.parse(line) as (typeof answers)[number]);
        if (answers.length === wanted.length) break;
      }
      const key = (id: unknown, code: number | undefined) => JSON.stringify([id, code ?? 0]);
      assert.deepEqual(
        answers.map(({ id, error }) => key(id, error?.code)).toSorted(),
        wanted.map(([, id, code]) => key(id, code)).toSorted(),
      );
      for (const { error } of answers) if (error) assert.match(error.message, /^[^{\n]{1,150}\.$/);
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('refuses what belongs to one run', async () => {
    const { code, stderr } = await runCommand(['mcp', '--resume', 'x']);
    assert.equal(code, 2);
    assert.match(stderr, /exclude each other/);
  });
});
