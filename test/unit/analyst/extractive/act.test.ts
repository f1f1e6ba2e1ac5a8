import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { ActInput, GatheredCall } from '../../../../src/research/analyst/analyst.ts';
import { ExtractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import type { Source } from '../../../../src/research/evidence/source.ts';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { declared, scopeOf, sourceOf, workspaceTools } from './samples.ts';

const analyst = new ExtractiveAnalyst();

function tool(
  name: string,
  source: string,
  kind: ResearchTool['kind'],
  parameters: z.ZodObject = z.object({ query: z.string() }),
): ResearchTool {
  return declared({ name, description: '', parameters, source, kind, run: async () => ({ documents: [] }) });
}

const tools = [
  ...workspaceTools(),
  tool('search_arxiv_papers', 'arxiv', 'search'),
  tool(
    'get_arxiv_paper',
    'arxiv',
    'read',
    z.object({ id: z.string().optional(), ids: z.array(z.string()).optional() }),
  ),
  tool('github_search', 'github', 'search'),
  tool('get_github_readme', 'github', 'read', z.object({ repo: z.string() })),
];
const workspace = {
  name: 'w',
  repos: [],
  languages: [],
  packages: [],
  arxivIds: ['2005.11401', '2004.04906'],
  githubLinks: [],
  fileCount: 9,
};
const task = {
  title: 'Evaluation and results',
  description: 'Evaluation and results: retrieval-augmented generation.',
  queries: ['retrieval-augmented generation evaluation benchmark', 'retrieval-augmented generation results comparison'],
};

function act(given: Partial<ActInput> = {}, sources: readonly Source[] = []) {
  const known = new Map(sources.map((source) => [source.id, source]));
  return analyst.act(
    {
      role: 'researcher',
      task,
      question: 'What are the main techniques for retrieval-augmented generation?',
      otherSections: [],
      gaps: [],
      known: [],
      pool: '',
      gathered: [],
      tools,
      turn: 0,
      callsLeft: 10,
      workspace,
      ...given,
    },
    scopeOf({ source: (id) => known.get(id) }),
  );
}

function gathered(name: string, query: string, sources: readonly string[], error?: string): GatheredCall {
  return {
    call: { id: 'x', name, args: { query } },
    turn: 0,
    said: '',
    sources,
    note: '',
    ...(error === undefined ? {} : { error }),
  };
}

const note = sourceOf({
  text: 'Dense retrieval encodes passages as vectors. Passages and queries are compared by cosine.',
  id: 'S11111',
  file: { path: 'a.md', firstLine: 1, lastLine: 2 },
});
const other = sourceOf({
  text: 'A reranker reads passages and queries together. Vectors are not needed for it.',
  id: 'S22222',
  file: { path: 'b.md', firstLine: 1, lastLine: 2 },
});
const repo = sourceOf({
  text: 'A short description.',
  kind: 'github',
  identity: 'github:owner/name',
  title: 'owner/name',
  id: 'S33333',
});

test('the first turn searches everywhere at once', async () => {
  const { calls } = await act();
  assert.deepEqual([...new Set(calls.map(({ name }) => name))].sort(), [
    'github_search',
    'search_arxiv_papers',
    'search_workspace',
  ]);
  assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length);
  for (const call of calls)
    assert.ok(tools.find(({ name }) => name === call.name)!.parameters.safeParse(call.args).success);
});

test('queries are words, fitted to the service', async () => {
  const { calls } = await act();
  const query = (name: string): unknown => calls.find((call) => call.name === name)!.args['query'];
  assert.equal(query('search_arxiv_papers'), task.queries[0]);
  // All words of a GitHub query have to occur: the subject alone.
  assert.equal(query('github_search'), 'retrieval-augmented generation');
});

test('arXiv is not asked in a script that its papers are not written in', async () => {
  const { calls } = await act({
    question: '检索增强生成有哪些主要技术？',
    task: { title: '技术', description: '', queries: ['检索增强生成 技术'] },
  });
  assert.ok(!calls.some(({ name }) => name === 'search_arxiv_papers'));
  assert.ok(calls.some(({ name }) => name === 'search_workspace'));
});

test('a quarter of the calls is left for reading, and each service is asked once before any twice', async () => {
  const searched = async (callsLeft: number) => (await act({ callsLeft })).calls.length;
  assert.deepEqual(await Promise.all([0, 1, 2, 3, 4].map(searched)), [0, 1, 1, 2, 3]);
  assert.equal(new Set((await act({ callsLeft: 4 })).calls.map(({ name }) => name)).size, 3);
});

test('what is left after the searches reads as much as it searches on', async () => {
  const found = [
    gathered('search_workspace', task.queries[0]!, [note.id, other.id]),
    gathered('github_search', 'x', [repo.id]),
  ];
  const { calls } = await act({ turn: 1, gathered: found, callsLeft: 3 }, [note, other, repo]);
  assert.deepEqual(calls.map(({ name }) => name).sort(), ['get_arxiv_paper', 'get_github_readme', 'search_workspace']);
});

test('a deep run asks more than a quick one', async () => {
  const ask = (depth: 'quick' | 'deep') =>
    analyst.act(
      {
        role: 'researcher',
        task,
        question: 'RAG',
        otherSections: [],
        gaps: [],
        known: [],
        pool: '',
        gathered: [],
        tools,
        turn: 0,
        callsLeft: 50,
      },
      scopeOf({ depth }),
    );
  assert.ok((await ask('deep')).calls.length > (await ask('quick')).calls.length);
});

test('the second turn opens READMEs, the cited papers in one request, and looks further in the workspace alone', async () => {
  const found = [
    gathered('search_workspace', task.queries[0]!, [note.id, other.id]),
    gathered('github_search', 'x', [repo.id]),
    gathered('search_arxiv_papers', 'x', []),
  ];
  const { calls } = await act({ turn: 1, gathered: found, callsLeft: 6 }, [note, other, repo]);
  assert.deepEqual(calls.find(({ name }) => name === 'get_github_readme')?.args, { repo: 'owner/name' });
  assert.deepEqual(calls.find(({ name }) => name === 'get_arxiv_paper')?.args, { ids: ['2005.11401', '2004.04906'] });
  const searches = calls.filter(({ args }) => 'query' in args);
  assert.ok(searches.length > 0);
  for (const call of searches) assert.equal(call.name, 'search_workspace', 'words of the files go to no service');
});

test('a README that is there in full is not fetched again', async () => {
  const long = { ...repo, text: 'Long text. '.repeat(300) };
  const { calls } = await act({ turn: 1, gathered: [gathered('github_search', 'x', [long.id])] }, [long]);
  assert.ok(!calls.some(({ name }) => name === 'get_github_readme'));
});

test('a service that failed is left alone', async () => {
  const down = [
    gathered('search_workspace', 'x', [note.id]),
    gathered('search_arxiv_papers', 'x', [], 'offline'),
    gathered('github_search', 'x', [], 'offline'),
  ];
  const { calls } = await act({ turn: 1, gathered: down }, [note]);
  assert.ok(calls.every(({ name }) => name === 'search_workspace'));
});

test('nothing found: wider searches, once', async () => {
  const empty = [
    gathered('search_workspace', task.queries[0]!, []),
    gathered('search_arxiv_papers', task.queries[0]!, []),
  ];
  const wider = await act({ turn: 1, gathered: empty });
  assert.ok(wider.calls.length > 0);
  for (const { args } of wider.calls) assert.ok(!task.queries.includes(String(args['query'])));
  const again = wider.calls.map(({ name, args }) => gathered(name, String(args['query']), []));
  const all = ['search_workspace', 'search_arxiv_papers', 'github_search'].flatMap((name) =>
    ['retrieval-augmented generation', 'retrieval-augmented'].map((query) => gathered(name, query, [])),
  );
  assert.deepEqual((await act({ turn: 2, gathered: [...empty, ...again, ...all] })).calls, []);
});

test('then it is done', async () => {
  assert.deepEqual(
    (await act({ turn: 2, gathered: [gathered('search_workspace', 'x', [note.id])] }, [note])).calls,
    [],
  );
});

test('a section that was sent back searches for its gaps and repeats nothing', async () => {
  const { calls } = await act({
    gaps: [
      'Too few quotes; search for “retrieval-augmented generation metrics accuracy”.',
      'There is nothing on the cost of judges, which the reader will want to know.',
    ],
    known: [note.id],
  });
  const queries = calls.map(({ args }) => String(args['query']));
  assert.ok(queries.includes('retrieval-augmented generation metrics accuracy'));
  for (const query of task.queries) assert.ok(!queries.includes(query));
});

test('without tools there is nothing to do', async () => {
  assert.deepEqual((await act({ tools: [] })).calls, []);
});
