import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import * as esbuild from 'esbuild';
import { stubPlugin } from '../../scripts/stubs/plugin.mjs';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';

/** Uses of LangGraph and LangChain that touch what the stubs stand in for: async context, tracers, token counts. */
const program = `
  import { Annotation, Command, END, interrupt, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph';
  import { ChatOpenAI } from '@langchain/openai';
  import { RunnableLambda } from '@langchain/core/runnables';
  import * as z from 'zod';

  const State = Annotation.Root({ found: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }), answer: Annotation() });
  const inner = new StateGraph(State)
    .addNode('look', async (state, config) => {
      config.writer?.({ looked: true });
      return { found: [await RunnableLambda.from(async (text) => text + '!').invoke(String(state.topic ?? 'x'), config)] };
    })
    .addEdge(START, 'look').addEdge('look', END).compile();
  const graph = new StateGraph(State)
    .addNode('ask', () => ({ answer: interrupt('which?') }))
    .addNode('fan', () => new Command({ goto: ['a', 'b', 'c'].map((topic) => new Send('section', { topic })) }), { ends: ['section'] })
    .addNode('section', (state, config) => inner.invoke(state, config))
    .addEdge(START, 'ask').addEdge('ask', 'fan').addEdge('section', END)
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: '1' }, recursionLimit: 50 };
  await graph.invoke({}, config);
  const modes = new Set();
  for await (const [, mode] of await graph.stream(new Command({ resume: 'that' }), { ...config, streamMode: ['updates', 'custom'], subgraphs: true })) modes.add(mode);
  const { values } = await graph.getState(config);
  const events = [];
  for await (const { event } of RunnableLambda.from(async (n) => n + 1).streamEvents(1, { version: 'v2' })) events.push(event);
  const model = new ChatOpenAI({ model: 'm', apiKey: 'k', configuration: { baseURL: 'http://127.0.0.1:9/v1' }, maxRetries: 0 });
  const tokens = await model.getNumTokens('four words are here');
  const parsed = z.object({ n: z.number() }).safeParse({ n: 'no' });
  console.log(JSON.stringify({ answer: values.answer, found: values.found.length, modes: [...modes].sort(), events: events.length > 0, tokens: tokens > 0, message: parsed.error.issues[0].message }));
`;

/** Reports every connection and look-up that the program tries. */
const spy = `
  import dns from 'node:dns';
  import net from 'node:net';
  const tried = (what) => process.stderr.write('tried ' + what + '\\n');
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...args) { tried(JSON.stringify(args[0])); return connect.apply(this, args); };
  const { lookup } = dns;
  dns.lookup = (...args) => { tried(args[0]); return lookup(...args); };
`;

describe('the stand-ins in the bundles', () => {
  const folder = temporaryFolder('stubs');
  after(() => removeFolder(folder));

  it('leave LangGraph and LangChain working, and silent on the network although tracing is switched on', async () => {
    const file = path.join(folder, 'program.mjs');
    const built = await esbuild.build({
      stdin: { contents: program, resolveDir: root },
      bundle: true,
      minify: true,
      metafile: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
      plugins: [stubPlugin],
      outfile: file,
      logLevel: 'silent',
    });
    const bytes = Object.values(built.metafile.outputs)[0]?.bytes ?? 0;
    assert.ok(bytes < 1_700_000, `${bytes} bytes`);

    const tracing = Object.fromEntries(
      ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING_V2', 'LANGCHAIN_TRACING'].map((name) => [
        name,
        'true',
      ]),
    );
    const ran = spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(spy)}`, file], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, ...tracing, LANGSMITH_API_KEY: 'none' },
    });
    assert.doesNotMatch(ran.stderr, /^tried/m);
    assert.deepEqual(JSON.parse(ran.stdout), {
      answer: 'that',
      found: 3,
      modes: ['custom', 'updates'],
      events: true,
      tokens: true,
      message: 'Invalid input: expected number, received string',
    });
  });

  it('break the build when a library moves what they stand in for', async () => {
    const core = path.join(folder, 'node_modules', '@langchain', 'core', 'dist');
    fs.mkdirSync(core, { recursive: true });
    fs.writeFileSync(path.join(core, 'index.js'), 'console.log("no module of the old name");');
    const build = esbuild.build({
      entryPoints: [path.join(core, 'index.js')],
      bundle: true,
      write: false,
      metafile: true,
      logLevel: 'silent',
      plugins: [stubPlugin],
    });
    await assert.rejects(build, /tracing\.mjs replaced nothing/);
  });
});
