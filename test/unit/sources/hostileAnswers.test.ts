import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listModels } from '../../../src/models/http/listModels.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ResearchTool, ToolResult } from '../../../src/research/tools.ts';
import { arxiv } from '../../../src/sources/arxiv/arxivSource.ts';
import { createArxivTools } from '../../../src/sources/arxiv/arxivTools.ts';
import { github } from '../../../src/sources/github/githubSource.ts';
import { createGithubTools } from '../../../src/sources/github/githubTools.ts';
import type { SourceContext } from '../../../src/sources/source.ts';
import { hackernews } from '../../../src/sources/hackernews/hackernewsSource.ts';
import { createHackernewsTools } from '../../../src/sources/hackernews/hackernewsTools.ts';
import { hostileCompletions, hostileFeeds, hostileJson, type HostileAnswer } from '../../support/hostileAnswers.ts';
import { openChat, question } from '../../support/modelTestKit.ts';
import { rounds, sampled } from '../../support/sampled.ts';
import { english, sourceContext } from '../../support/sourceContext.ts';

const seed = Number(process.env['DEEP_RESEARCH_FUZZ_SEED'] ?? 1);
const count = Number(process.env['DEEP_RESEARCH_FUZZ_COUNT'] ?? rounds(120));
const key = ['ghp', 'x9'.repeat(18)].join('_');
const never = new AbortController().signal;
const nowhere = 'http://127.0.0.1:9';

/** Of the answers of megabytes a sample. */
const chosen = (answers: readonly HostileAnswer[]): readonly HostileAnswer[] => {
  const { heavy = [], light = [] } = Object.groupBy(answers, ({ about }) =>
    about.startsWith('heavy') ? 'heavy' : 'light',
  );
  return [...sampled(heavy), ...light];
};

/** Every answer of the services in this test. */
let answer: HostileAnswer = { about: '', status: 200, body: '' };
const answering: typeof fetch = () =>
  Promise.resolve(
    new Response([301, 304].includes(answer.status) ? null : answer.body, {
      status: answer.status,
      headers: { ...answer.headers },
    }),
  );

let unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
before(() => process.on('unhandledRejection', note));
after(() => process.off('unhandledRejection', note));

/** Runs one call against one answer; whatever is wrong is a sentence. */
async function attack(hostile: HostileAnswer, run: () => Promise<unknown>): Promise<string[]> {
  answer = hostile;
  unhandled = [];
  const problems: string[] = [];
  try {
    const result = await run();
    problems.push(...resultProblems(result));
  } catch (error) {
    problems.push(...errorProblems(error));
  }
  if (unhandled.length > 0) problems.push(`left a rejection alone: ${String(unhandled[0])}`);
  return problems.map((problem) => `${hostile.about} (HTTP ${hostile.status}, ${sample(hostile.body)}): ${problem}`);
}

function errorProblems(error: unknown): string[] {
  if (!ResearchError.is(error)) return [`threw ${String(error).slice(0, 200)}`];
  const text = `${error.message}\n${error.plain}\n${error.next}`;
  return [
    ...(error.reason === 'bug' ? [`is a bug: ${error.message}`] : []),
    ...(error.message.length > 1_000 ? [`has a message of ${error.message.length} characters`] : []),
    ...(/\n\s+at |Unexpected token|is not a function|undefined \(|Maximum call stack|Invalid (?:time|array)/.test(text)
      ? [`shows the program: ${error.message}`]
      : []),
    ...(text.includes(key) ? ['repeats the key'] : []),
  ];
}

function resultProblems(result: unknown): string[] {
  const { documents } = result as Partial<ToolResult>;
  if (documents === undefined) return [];
  return documents.flatMap((document) => [
    ...(documents.length > 200 ? [`gives ${documents.length} documents`] : []),
    ...(typeof document.title === 'string' && typeof document.text === 'string' ? [] : ['has a title that is no text']),
    ...(document.url !== undefined &&
    !/^https:\/\/(?:arxiv\.org|github\.com|news\.ycombinator\.com)\//.test(document.url)
      ? [`links ${document.url.slice(0, 100)}`]
      : []),
  ]);
}

function sample(body: string): string {
  return JSON.stringify(body.length > 120 ? `${body.slice(0, 120)}… ${body.length}` : body);
}

function toolsOf(
  definition: typeof arxiv,
  create: typeof createArxivTools | typeof createGithubTools | typeof createHackernewsTools,
): ResearchTool[] {
  const secrets = { key: () => Promise.resolve(definition === github ? key : undefined) };
  return [...create(sourceContext(definition, nowhere, { secrets, client: { fetch: answering } }))];
}

async function report(name: string, tried: number, problems: readonly string[]): Promise<void> {
  console.log(`${name}: ${tried} tried, ${problems.length} through (seed ${seed})`);
  assert.deepEqual(problems.slice(0, 5), []);
}

test('no answer of arXiv gets further than one clear message', async () => {
  const problems: string[] = [];
  const answers = chosen(hostileFeeds(seed, count));
  for (const hostile of answers) {
    const [search, get] = toolsOf(arxiv, createArxivTools);
    problems.push(...(await attack(hostile, () => search!.run({ query: 'attention' }, english, never))));
    if (!hostile.about.startsWith('heavy'))
      problems.push(...(await attack(hostile, () => get!.run({ id: '2401.00001' }, english, never))));
  }
  await report('arXiv', answers.length, problems);
});

test('no answer of GitHub gets further than one clear message', async () => {
  const problems: string[] = [];
  const answers = chosen(hostileJson(seed, count));
  for (const hostile of answers) {
    for (const [index, args] of [
      [0, { query: 'widgets' }],
      [0, { query: 'widgets', kind: 'issues' }],
      [0, { query: 'widgets', kind: 'code' }],
      [0, { query: 'widgets', kind: 'discussions' }],
      [1, { repo: 'acme/widget' }],
      [2, { repo: 'acme/widget', path: 'a.md' }],
      [3, { repo: 'acme/widget', number: 1 }],
      [4, { repo: 'acme/widget' }],
    ] as const) {
      const tool = toolsOf(github, (context: SourceContext) => createGithubTools(context, true))[index]!;
      problems.push(...(await attack(hostile, () => tool.run(args, english, never))));
    }
  }
  await report('GitHub', answers.length, problems);
});

const list = { path: '/models', headers: () => ({}) };

test('no answer of Hacker News gets further than one clear message', async () => {
  const problems: string[] = [];
  const answers = chosen(hostileJson(seed, count));
  for (const hostile of answers) {
    for (const [index, args] of [
      [0, { query: 'widgets' }],
      [0, { query: 'widgets', kind: 'comments' }],
      [1, { id: '1' }],
    ] as const) {
      const tool = toolsOf(hackernews, createHackernewsTools)[index]!;
      problems.push(...(await attack(hostile, () => tool.run(args, english, never))));
    }
  }
  await report('Hacker News', answers.length, problems);
});

test("no answer of a model's server gets further than one clear message", async () => {
  const problems: string[] = [];
  const answers = chosen(hostileCompletions(seed, count));
  const baseUrl = 'http://127.0.0.1:9/v1';
  for (const hostile of answers) {
    const chat = openChat(baseUrl, { fetch: answering, key });
    problems.push(...(await attack(hostile, () => chat.complete(question, {}, never))));
    problems.push(
      ...(await attack(hostile, () => listModels({ baseUrl, key, keyHint: 'Set a key.' }, list, answering, never))),
    );
  }
  await report("a model's server", answers.length, problems);
});

test('errors that repeat the key are reported without it', async () => {
  const told = { message: `Bad credentials: ${key}`, errors: [`token ${key} expired`, { message: key }] };
  for (const status of [400, 401, 403, 404, 422, 500]) {
    for (const body of [JSON.stringify(told), JSON.stringify({ error: told }), `<title>${key}</title>`, key]) {
      const hostile = {
        about: 'repeats the key',
        status,
        body,
        headers: { location: `https://${key}.example/${key}` },
      };
      const [search] = toolsOf(github, createGithubTools);
      const chat = openChat('http://127.0.0.1:9/v1', { fetch: answering, key });
      assert.deepEqual(await attack(hostile, () => search!.run({ query: 'widgets' }, english, never)), []);
      assert.deepEqual(await attack(hostile, () => chat.complete(question, {}, never)), []);
    }
  }
});

test('a list of models without an end is read up to a limit', async () => {
  let sent = 0;
  const piece = new TextEncoder().encode('{"id":"model"},'.repeat(10_000));
  const endless: typeof fetch = () =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += piece.byteLength;
            controller.enqueue(piece);
          },
        }),
      ),
    );
  const server = { baseUrl: 'http://127.0.0.1:9/v1', key: undefined, keyHint: '' };
  await assert.rejects(listModels(server, list, endless, never), (error) => ResearchError.is(error, 'config'));
  assert.ok(sent < 10_000_000, `read ${sent} bytes`);
});

test('Stop is heard while a large answer is being read', async () => {
  const authors = '<author><name>A. Author</name></author>'.repeat(6_000);
  const entry = `<entry><id>http://arxiv.org/abs/2401.00001v1</id><title>T</title>${authors}</entry>`;
  answer = {
    about: '',
    status: 200,
    body: `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${entry.repeat(40)}</feed>`,
  };
  const stop = new AbortController();
  const [search] = toolsOf(arxiv, createArxivTools);
  const searching = search!.run({ query: 'attention' }, english, stop.signal);
  setImmediate(() => stop.abort(new ResearchError('abort', 'Stopped.')));
  await assert.rejects(searching, (error) => ResearchError.is(error, 'abort'));
});
