import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { statementNumber } from '../../../../src/research/analyst/analyst.ts';
import { estimateRequest } from '../../../../src/research/text/estimateTokens.ts';
import { llmAnalyst } from '../../../../src/research/analyst/llm/llmAnalyst.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { startModelServer } from '../../../support/modelServer.ts';
import { openChat } from '../../../support/modelTestKit.ts';
import {
  actInput,
  gathered,
  questionInput,
  reviewed,
  scopeOver,
  searchTool,
  section,
  source,
  type TestScope,
} from '../../../support/analystTestKit.ts';
import { root } from '../../../support/paths.ts';

const analyst = llmAnalyst;

/** Text of `tokens` tokens or so, in English or Chinese. */
const textOf = (tokens: number, language: 'en' | 'zh') =>
  (language === 'en' ? 'Dense retrieval beats BM25 by 9 points here. ' : '稠密检索在此处比BM25高出九个百分点。').repeat(
    Math.ceil(tokens / 12),
  );

/** Every step with far too much of everything: several times what the window has room for, of each text and list. */
async function everyStep(scope: TestScope, language: 'en' | 'zh', contextTokens = 100_000): Promise<void> {
  const long = (tokens: number, by: 'en' | 'zh') => textOf(contextTokens > 10_000 ? tokens : tokens / 3, by);
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  const ids = scope.sources.map(({ id }) => id);
  const question = `What is ${textOf(6_000, language)}?`;
  const input = { ...questionInput, question, clarifiedQuestion: question };
  const workspace = {
    name: 'folder',
    fileCount: 500,
    repos: many(50, (index) => `github.com/someone/repository-${index}`),
    languages: ['TypeScript'],
    packages: many(200, (index) => `package-${index}`),
    arxivIds: many(100, (index) => `2101.${10_000 + index}`),
    githubLinks: many(100, (index) => `https://github.com/other/project-${index}`),
  };
  const analysis = {
    queryType: 'list',
    outputFormat: 'list',
    needsDiscovery: true,
    discoveryTarget: 'methods',
    reasoning: '',
  } as const;
  const calls = many(12, (turn) =>
    gathered(turn, ids.slice(turn, turn + 4), {
      call: { id: `c${turn}`, name: 'search_arxiv_papers', args: { query: long(900, language) } },
      said: long(200, language),
      note: long(300, language),
    }),
  );
  const sections = many(12, (index) =>
    reviewed(`s${index + 1}`, {
      description: long(200, language),
      content: long(3_000, language),
      sourceIds: ids,
      findings: many(16, (at) => ({ claim: long(60, language), quote: long(60, language), source: ids[at % 8]! })),
    }),
  );
  const entities = many(30, (index) => ({
    ...{ name: `Method ${index}`, category: 'kind', brief: long(100, language), source: ids[0]!, urls: [] },
    priority: 'high' as const,
  }));
  const tools = many(20, (index): ResearchTool => ({
    ...searchTool,
    name: index === 0 ? searchTool.name : `search_${index}`,
    description: long(120, 'en'),
    parameters: z.object({ query: z.string().describe(long(40, 'en')) }),
  }));
  const asked = { id: 'q1', question: long(100, language), missingInfo: 'scope', answer: long(100, language) };
  const turns = many(5, (round) => ({
    said: long(100, language),
    calls: [{ id: `t${round}`, name: 'ConductResearch', args: { research_topic: long(300, language) } }],
    answers: [long(3_000, language)],
  }));
  await analyst.assess(
    {
      question,
      workspace,
      asked: [asked],
      lookups: [{ term: 'BM25', outcome: 'found', summary: long(3_000, language) }],
    },
    scope,
  );
  await analyst.analyze(input, scope);
  await analyst.brief({ ...input, focus: ['one'], workspace }, scope);
  await analyst.plan(
    { ...input, analysis, focus: [], discovered: entities, wanted: { min: 3, max: 7 }, workspace },
    scope,
  );
  await analyst.discover({ ...input, target: 'methods', gathered: calls }, scope);
  await analyst.act(
    actInput({
      question,
      gathered: calls,
      tools,
      turn: 12,
      workspace,
      known: ids,
      otherSections: many(29, () => long(40, language)),
    }),
    scope,
  );
  await analyst.distil(
    {
      ...{ section, question, gaps: [], gathered: calls, sources: scope.sources },
      previous: { title: 'A', content: long(3_000, language), findings: [] },
    },
    scope,
  );
  await analyst.review({ question, sections, round: 1, roundsLeft: 1 }, scope);
  await analyst.reflect(
    { question, sections, round: 1, maxRounds: 3, asked: many(60, (index) => `query ${index}`) },
    scope,
  );
  await analyst.supervise({ question, brief: question, round: 5, maxRounds: 6, maxConcurrent: 3, turns }, scope);
  const report = {
    ...input,
    title: 'T',
    objective: 'O',
    limits: '',
    focus: [],
    analysis,
    discovered: entities,
    sections,
    contradictions: [],
    sources: scope.sources,
  };
  for await (const _ of analyst.writeReport(report, scope));
  const statements = many(60, (index) => ({
    number: statementNumber(index),
    text: `BM25 has ${index} parts.`,
    passages: many(3, (at) => `${index} ${at} ${long(700, language)}`),
  }));
  assert.equal((await analyst.verify({ statements, most: 10_000 }, scope)).size, statements.length);
}

const sources = (language: 'en' | 'zh') =>
  Array.from({ length: 40 }, (_, index) => source(`S${(0xd0000 + index).toString(16)}`, textOf(4_000, language)));

for (const [contextTokens, language] of [
  [4_096, 'en'],
  [8_192, 'en'],
  [8_192, 'zh'],
  [100_000, 'zh'],
] as const) {
  test(`no prompt of any step exceeds a window of ${contextTokens} tokens, whatever it is given (${language})`, async () => {
    const server = await startModelServer();
    try {
      const scope = scopeOver(openChat(server.url), { sources: sources(language), contextTokens });
      await everyStep(scope, language, contextTokens);
      const steps = new Set(scope.calls.map(({ label }) => label.split('/')[0]));
      assert.equal(steps.size, 12, [...steps].join(' '));
      for (const { label, request } of scope.calls) {
        const size = estimateRequest(request) + request.maxTokens!;
        assert.ok(size <= contextTokens, `${label}: ${size}`);
        assert.ok(
          request.messages.some(({ content }) => /BM25/.test(content)),
          `${label}: nothing of the question`,
        );
      }
    } finally {
      await server.close();
    }
  });
}

test('every text and list of every step is bounded, below what servers make a grammar of', async () => {
  const schemas = new Map<string, object>();
  for (const { label, request } of await callsOfEveryStep()) {
    if (request.json) schemas.set(request.json.name, request.json.schema);
    assert.ok(request.maxTokens! > 0 && request.temperature! <= 0.4, label);
  }
  assert.equal(schemas.size, 9);
  for (const [name, json] of schemas) {
    for (const { path, node } of nodesOf(json, name)) {
      if (node['type'] === 'array') assert.ok((node['maxItems'] as number) <= 40, path);
      // A section's text, a brief and a question are bounded by the limit of the answer.
      if (node['type'] === 'string' && !node['enum'] && !/\.(?:content|research_brief|refined_query)$/.test(path))
        assert.ok((node['maxLength'] as number) <= 1_900, path);
    }
  }
});

test('a model says why before it judges, since what it writes first decides the rest', async () => {
  const objects = (await callsOfEveryStep())
    .flatMap(({ request }) => (request.json ? nodesOf(request.json.schema, request.json.name) : []))
    .flatMap(({ path, node }) => (isObject(node['properties']) ? [{ path, fields: node['properties'] }] : []));
  const reasoned = objects.filter(({ fields }) => 'reasoning' in fields || 'notes' in fields);
  assert.ok(reasoned.length >= 5, String(reasoned.length));
  for (const { path, fields } of reasoned) {
    const names = Object.keys(fields);
    const why = names.findIndex((name) => name === 'reasoning' || name === 'notes');
    const verdict = Object.values(fields).findIndex(
      (field) => isObject(field) && (['boolean', 'number'].includes(String(field['type'])) || 'enum' in field),
    );
    assert.ok(verdict < 0 || why < verdict, `${path}: ${names.join(', ')}`);
  }
});

let made: Promise<TestScope['calls']> | undefined;

/** The calls of all steps in a usual window, made once. */
function callsOfEveryStep(): Promise<TestScope['calls']> {
  return (made ??= (async () => {
    const server = await startModelServer();
    try {
      const scope = scopeOver(openChat(server.url), { sources: sources('en') });
      await everyStep(scope, 'en');
      return scope.calls;
    } finally {
      await server.close();
    }
  })());
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function nodesOf(node: unknown, path: string): { path: string; node: Record<string, unknown> }[] {
  if (typeof node !== 'object' || node === null) return [];
  return [
    { path, node: node as Record<string, unknown> },
    ...Object.entries(node).flatMap(([key, value]) => nodesOf(value, `${path}.${key}`)),
  ];
}

test('a window that no prompt fits into ends the step, and nothing is sent a second time', async () => {
  const scope = scopeOver(
    (request) => {
      throw new ResearchError('contextLength', `${estimateRequest(request)}`);
    },
    { contextTokens: 300 },
  );
  await assert.rejects(analyst.analyze(questionInput, scope), (error) => ResearchError.is(error, 'contextLength'));
  assert.equal(scope.calls.length, 1);
});

test('the facts of the workspace stand before the question: a small model takes what comes last for the task', () => {
  const folder = path.join(root, 'prompts');
  const prompts = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  const both = prompts.filter((prompt) => prompt.includes('{{workspace}}') && prompt.includes('{{question}}'));
  assert.ok(both.length >= 5);
  for (const prompt of both) assert.ok(prompt.indexOf('{{workspace}}') < prompt.indexOf('{{question}}'), prompt);
});
