import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { ActInput, AskedQuestion, GatheredCall } from '../../../../src/research/analyst/analyst.ts';
import { extractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { answeredQuestion } from '../../../../src/research/policy/answeredQuestion.ts';
import { readSigns } from '../../../../src/research/policy/signs.ts';
import { decideSufficiency } from '../../../../src/research/policy/sufficiency.ts';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { declared, research, scopeOf, searchTool, sourceOf, workspaceTools } from '../../../support/keylessResearch.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const analyst = extractiveAnalyst;
const question = 'How does hybrid search merge rankings?';

async function decide(text: string, asked: readonly AskedQuestion[] = []): Promise<string> {
  const assessment = await analyst.assess({ question: text, asked, lookups: [] }, scopeOf());
  const { hasContent } = readSigns(answeredQuestion(text, asked, 'en'), 'en');
  return decideSufficiency({ assessment, hasContent, asked, lookups: [], clarification: 'whenNeeded' }).decision;
}

for (const text of ['KRAS G12C', 'PD-1 耐药机制', 'BM25', 'who is away?', 'max_body default', '向量数据库对比']) {
  test(`"${text}" starts without a question`, async () => assert.equal(await decide(text), 'START_RESEARCH'));
}

for (const text of ['help me', '???', 'please', '12 34']) {
  test(`"${text}" is asked for its topic once`, async () => {
    assert.equal(await decide(text), 'NEED_CLARIFICATION');
    const skipped = [{ id: 'q1', question: '', missingInfo: 'topic', answer: null }];
    assert.equal(await decide(text, skipped), 'CANNOT_DO');
    assert.equal(await decide(text, [{ ...skipped[0]!, answer: 'vector databases' }]), 'START_RESEARCH');
  });
}

test('a request with one word is enough for a folder, and a word alone is not', async () => {
  const clear = async (question: string, hasFolder: boolean): Promise<boolean> =>
    !(await analyst.assess({ question, asked: [], lookups: [], hasFolder }, scopeOf())).needClarification;
  assert.deepEqual([await clear('Explain our repo', true), await clear('Explain our repo', false)], [true, false]);
  assert.deepEqual([await clear('cancer', true), await clear('something about databases', true)], [false, false]);
});

// ------------------------------------------------------------------------------------------------------------ searches

function tool(name: string, source: string, kind: ResearchTool['kind'], parameters = z.object({ query: z.string() })) {
  return declared({ name, description: '', parameters, source, kind, run: async () => ({ documents: [] }) });
}

const tools = [
  ...workspaceTools(),
  tool('search_arxiv_papers', 'arxiv', 'search'),
  tool('github_search', 'github', 'search'),
  tool('get_github_readme', 'github', 'read', z.object({ query: z.string(), repo: z.string() })),
];

function act(given: Partial<ActInput> = {}, sources: readonly Source[] = []) {
  const known = new Map(sources.map((source) => [source.id, source]));
  const task = { title: 'Answer', description: question, queries: [question] };
  const input: ActInput = {
    ...{ role: 'researcher', task, question, otherSections: [], gaps: [], known: [] },
    ...{ gathered: [], tools, turn: 0, callsLeft: 10 },
    ...given,
  };
  return analyst.act(input, scopeOf({ source: (id) => known.get(id) }));
}

test('the first turn asks the workspace the whole question, and services its words', async () => {
  const { calls } = await act();
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['search_workspace', 'search_arxiv_papers', 'github_search'],
  );
  assert.equal(calls[0]?.args['query'], question);
  assert.doesNotMatch(String(calls[1]?.args['query']), /how|does/i);
});

test('a section that is sent back searches for the question, not for what the program says of it', async () => {
  const gaps = [
    'No statement with a quotation was drawn from what was found. Look for sources that speak of the subject.',
  ];
  const { calls } = await act({ gaps });
  assert.ok(calls.length > 0);
  for (const { args } of calls) assert.doesNotMatch(JSON.stringify(args), /statement|quotation|drawn|subject/);
});

test('nothing is scored without somebody who reads', () => {
  assert.ok(!('review' in extractiveAnalyst));
});

test('the second turn opens what a service only named, and then it is done', async () => {
  const repo = sourceOf({ kind: 'github', identity: 'github:acme/search', text: 'Hybrid search.' });
  const gathered: GatheredCall[] = [
    { call: { id: 'x', name: 'github_search', args: {} }, turn: 0, said: '', sources: [repo.id], note: '' },
  ];
  const { calls } = await act({ turn: 1, gathered }, [repo]);
  assert.deepEqual(
    calls.map(({ name, args }) => [name, args['repo']]),
    [['get_github_readme', 'acme/search']],
  );
  assert.deepEqual((await act({ turn: 2, gathered }, [repo])).calls, []);
  assert.deepEqual((await act({ tools: [] })).calls, []);
});

test('never more calls than are left', async () => {
  assert.equal((await act({ callsLeft: 2 })).calls.length, 2);
});

// ------------------------------------------------------------------------------------------------------------- quotes

test('a paper is quoted by its passages that answer, and one about something else not at all', async () => {
  const found = await research(question, [
    searchTool('search_arxiv_papers', 'arxiv', [
      {
        ...{ kind: 'arxiv', title: 'Rank fusion', authors: [], ids: { arxiv: '2001.00001' } },
        text: 'Hybrid search merges rankings by reciprocal rank.\n\nWe thank the reviewers for their time.',
      },
      {
        ...{ kind: 'arxiv', title: 'Bees', authors: [], ids: { arxiv: '2001.00002' } },
        text: 'Bees search for flowers.',
      },
    ]),
  ]);
  assert.match(found.report, /Hybrid search merges rankings by reciprocal rank\. \[\[1\]\]\(#ref-1\)/);
  assert.doesNotMatch(found.report, /reviewers|flowers/);
});

test('a passage with blank lines in it is quoted as it is', async (context) => {
  const text = '# Pump\n\n1.  The pump has a red lever.\n\n\n\n    The lever is pulled down.\n';
  const folder = await temporaryFolder({ 'pump.md': text });
  context.after(() => folder.remove());
  const { report } = await research('How is the pump lever pulled?', workspaceTools(folder.path));
  assert.match(report, /The lever is pulled down\. \[\[1\]\]/);
});

test('titles keep underscores and the words of the question', async () => {
  const { report } = await research('What does max_body limit?', workspaceTools());
  assert.match(report, /^# What does max_body limit\?$/m);
  const { report: marked } = await research('Is `__init__` called, and max_body?', workspaceTools());
  assert.match(marked, /^# Is \\`\\_\\_init\\_\\_\\` called, and max\\?_body\?$/m);
});
