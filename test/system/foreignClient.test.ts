import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMCPClient, ElicitationRequestSchema, type ElicitResult, type MCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { hostileCalls } from '../support/hostileCalls.ts';
import { clarifyOnce } from '../support/modelScenarios.ts';
import { type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { root } from '../support/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporaryFolder.ts';

type Structured = Readonly<Record<string, unknown>>;
interface Form {
  readonly message: string;
  readonly fields: readonly string[];
}

const asked = 'Explain how solid-state batteries keep their charge, and what they cost';
const clarify = clarifyOnce('Which batteries do you mean?', ['Those of cars', 'Those of phones']);

/** The server as an application meets it that is built with another project's client: the AI SDK's, which shares no code with the server. */
describe('deep-research mcp, driven by the client of the AI SDK', () => {
  let folder: TemporaryFolder;
  let model: ModelServer;
  let script: Script = clarify;
  const clients: MCPClient[] = [];

  before(async () => {
    folder = await temporaryFolder({
      'notes/batteries.md':
        '# Batteries\n\nSolid-state batteries keep their charge for years. Their cost falls by a tenth a year.\n',
    });
    model = await startModelServer({ script: (request) => script(request) });
    fs.writeFileSync(
      path.join(folder.path, 'settings.json'),
      JSON.stringify({ 'deepResearch.sources.enabled': ['workspace'], 'deepResearch.planApproval': 'always' }),
    );
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await model.close();
    await folder.remove();
  });

  /** A client with a server of its own, and the person who fills in its forms. */
  async function connect(person: (form: Form) => ElicitResult | Promise<ElicitResult>) {
    const at = (name: string) => path.join(folder.path, name);
    const transport = new StdioMCPTransport({
      command: process.execPath,
      args: [
        ...[path.join(root, 'dist', 'cli.js'), 'mcp', '--settings', at('settings.json'), '--workspace', at('notes')],
        ...['--run-dir', at('runs'), '--base-url', model.url, '--model', 'imitation-1'],
      ],
      stderr: 'ignore',
    });
    const forms: Form[] = [];
    const strays: unknown[] = [];
    const client = await createMCPClient({
      transport,
      capabilities: { elicitation: {} },
      // It waits a second for the answer to its first message, a probe for a later protocol; on a busy machine that comes after.
      onUncaughtError: (error) => String(error).includes('{"jsonrpc":"2.0","id":0,') || strays.push(error),
    });
    clients.push(client);
    client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => {
      const { properties = {} } = params.requestedSchema as { properties?: object };
      const form = { message: params.message, fields: Object.keys(properties).sort() };
      forms.push(form);
      return person(form);
    });
    const call = async (name: string, args: unknown = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args as Structured });
      const [first] = content as readonly { readonly text: string }[];
      return { text: first!.text, isError: isError === true, structured: (structuredContent ?? {}) as Structured };
    };
    const until = async (id: unknown, ...states: string[]) => {
      for (;;) {
        const answer = await call('get_research', { id, waitSeconds: 20 });
        if (states.includes(String(answer.structured['state']))) return answer;
        assert.ok(['running', 'waiting'].includes(String(answer.structured['state'])), answer.text);
      }
    };
    const kill = () => process.kill((transport as unknown as { process: { pid: number } }).process.pid, 'SIGKILL');
    return { client, call, until, kill, forms, strays };
  }

  const isPlan = ({ fields }: Form): boolean => fields.includes('approve');

  it('asks the person what the question means, and researches nothing when they refuse the plan', async () => {
    const { call, until, forms } = await connect((form) =>
      isPlan(form) ? { action: 'decline' } : { action: 'accept', content: { choice: 'Those of phones' } },
    );
    const { structured } = await call('start_research', { question: asked, strategy: 'sections' });
    const stopped = await until(structured['id'], 'stopped');
    assert.deepEqual(
      forms.map(({ fields }) => fields),
      [
        ['answer', 'choice'],
        ['approve', 'remark'],
      ],
    );
    assert.match(forms[0]!.message, /Which batteries do you mean\?/);
    assert.equal(stopped.structured['report'], undefined);
    assert.ok(model.requests.some(({ prompt }) => prompt.includes('Those of phones')));
    assert.ok(!model.requests.some(({ step }) => step === 'distil' || step === 'section'));
  });

  it('does a whole run: a question, an answer, an approved plan, a kill of the server, the report from another client', async () => {
    const before = model.requests.length;
    const first = await connect((form) =>
      isPlan(form)
        ? { action: 'accept', content: { approve: true } }
        : { action: 'accept', content: { answer: 'Those of ships' } },
    );
    script = (request) => (request.step === 'distil' ? { hang: true } : clarify(request));
    const { structured } = await first.call('start_research', { question: asked, strategy: 'sections' });
    const { id } = structured;
    await model.waitFor(({ step, index }) => step === 'distil' && index >= before);
    assert.equal(first.forms.length, 2);
    assert.ok(model.requests.some(({ prompt }) => prompt.includes('Those of ships')));
    const lost = first.call('get_research', { id, waitSeconds: 20 });
    first.kill();
    await assert.rejects(lost, /closed/i);

    script = clarify;
    const planned = model.requests.filter(({ step, index }) => step === 'plan' && index >= before).length;
    const second = await connect(() => assert.fail('what was answered and approved is not asked again'));
    assert.equal((await second.call('get_research', { id })).structured['state'], 'interrupted');
    const resumed = await second.call('start_research', { resume: id });
    assert.deepEqual([resumed.isError, resumed.structured['id']], [false, id], resumed.text);
    const finished = await second.until(id, 'finished');
    const report = String(finished.structured['report']);
    assert.match(report, /\[1\]/);
    assert.equal(model.requests.filter(({ step, index }) => step === 'plan' && index >= before).length, planned);

    const { contents } = await second.client.readResource({ uri: `research://${String(id)}/report.md` });
    assert.equal((contents[0] as { text: string }).text, report);
    const evidence = await second.call('read_evidence', { id, citation: 1 });
    assert.match(evidence.text, /> .*Solid-state batteries keep their charge for years/);
    assert.deepEqual(second.strays, []);
  });

  it('refuses hostile calls, 100 at one time as well, and serves on', async () => {
    const { client, call, strays } = await connect(() => ({ action: 'cancel' }));
    const hostile = hostileCalls(asked, path.join(folder.path, 'settings.json'));
    assert.ok(hostile.length >= 30);
    for (const [name, args] of hostile) {
      const { isError, text } = await call(name, args);
      assert.ok(isError || name === 'search_workspace', `${name} ${JSON.stringify(args).slice(0, 100)}`);
      assert.ok(text.length < 5_000);
    }
    await assert.rejects(call('approve_plan', {}), /no tool/);
    await assert.rejects(client.readResource({ uri: 'research://../settings.json' }), /no report/);
    await assert.rejects(call('search_workspace', { query: 'x'.repeat(2_000_000) }), /at most/);
    const many = await Promise.all(Array.from({ length: 100 }, () => call('start_research', { question: '' })));
    assert.ok(many.every(({ isError }) => isError));
    assert.equal((await client.listTools()).tools.length, 11);
    assert.deepEqual(strays, []);
  });
});
