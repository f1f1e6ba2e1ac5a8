import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModels } from '../../../../src/models/createModels.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { llmAnalyst } from '../../../../src/research/analyst/llm/llmAnalyst.ts';
import type { FoundDocument } from '../../../../src/research/ports.ts';
import {
  clarifyOnce,
  discoverList,
  either,
  failResearcher,
  refusals,
  requestsOf,
  sendBackOnce,
  whenever,
} from '../../../support/modelScenarios.ts';
import { startModelServer, type ModelServer, type ModelServerOptions } from '../../../support/modelServer.ts';
import { ofType, scriptedAnalyst, scriptedTool, silentLog } from '../../../support/scriptedParts.ts';
import { scriptedRun, settingsOf, type ScriptedOptions } from '../../../support/scriptedRun.ts';

/** The real graph and call wrapper, with the llm analyst over real HTTP. */
const papers: readonly FoundDocument[] = [
  {
    kind: 'arxiv',
    title: 'Dense Passage Retrieval',
    authors: ['V. Karpukhin'],
    date: '2020-04-10',
    url: 'https://arxiv.org/abs/2004.04906',
    ids: { arxiv: '2004.04906' },
    text: 'Dense retrieval can be implemented with dense representations alone. It outperforms a strong BM25 system by 9 to 19 points in top-20 passage retrieval accuracy.',
  },
  {
    kind: 'arxiv',
    title: 'Retrieval-Augmented Generation',
    authors: ['P. Lewis'],
    date: '2020-05-22',
    url: 'https://arxiv.org/abs/2005.11401',
    ids: { arxiv: '2005.11401' },
    text: 'We explore a general-purpose fine-tuning recipe for retrieval-augmented generation. The models combine parametric and non-parametric memory for language generation.',
  },
  {
    kind: 'github',
    title: 'facebookresearch/faiss',
    authors: [],
    date: '2025-01-01',
    url: 'https://github.com/facebookresearch/faiss',
    ids: { repo: 'facebookresearch/faiss' },
    text: 'Faiss is a library for efficient similarity search and clustering of dense vectors. It contains algorithms that search in sets of vectors of any size.',
  },
];

async function run(
  server: ModelServerOptions,
  options: ScriptedOptions = {},
  after: (server: ModelServer) => void = () => undefined,
) {
  const models = await startModelServer(server);
  try {
    const settings = {
      'model.baseUrl': models.url,
      'model.name': 'imitation-1',
      planApproval: 'never',
      ...options.settings,
    };
    const created = await createModels({
      settings: settingsOf(settings),
      secrets: { key: async () => undefined },
      log: silentLog,
    });
    assert.ok(created.kind === 'llm');
    const started = scriptedRun({
      question: 'What are the main techniques for retrieval-augmented generation?',
      analyst: llmAnalyst,
      fallback: scriptedAnalyst(),
      provider: created.provider,
      model: created.model,
      models: created.models,
      tools: [
        scriptedTool(() => ({ documents: papers, note: `${papers.length} results.` }), {
          name: 'search_arxiv_papers',
          source: 'arxiv',
        }),
      ],
      ...options,
      settings,
    });
    const result = await started.result.then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => ({ value: undefined, error }),
    );
    after(models);
    return { ...started, ...result, requests: models.requests };
  } finally {
    await models.close();
  }
}

test('a question becomes a cited report', async () => {
  const { value, saved, requests, events } = await run({});
  assert.ok(value, 'the run succeeds');
  assert.equal(value.outcome, 'complete');
  const report = saved[0]!.markdown;
  assert.match(
    report,
    /## How it works[^]*## Methods and techniques[^]*## Evaluation[^]*## Conclusion and outlook[^]*## References\n\n- <a id="ref-1"><\/a>\[1\] /,
  );
  assert.ok(!/\[S[0-9a-f]{5}/.test(report), 'no raw source id is left');
  const { citations } = ofType(events, 'report/finished')[0]!;
  assert.equal(citations.cited, 3);
  assert.equal(citations.dropped, 0);
  assert.deepEqual([...new Set(requests.map((request) => request.step))].sort(), [
    'act',
    'analyze',
    'assess',
    'distil',
    'frame',
    'plan',
    'review',
    'section',
    'verify',
  ]);
  assert.equal(ofType(events, 'run/warning').length, 0);
  assert.ok(ofType(events, 'thought').some((event) => /enough to write/.test(event.text)));
});

test('a clarification is asked once, with options, and the answer goes into the work', async () => {
  const asked: string[] = [];
  const { value, requests } = await run(
    { script: clarifyOnce() },
    {
      answer: async (question) => {
        asked.push(question.question);
        return question.options.find((option) => option.recommended)!.label;
      },
    },
  );
  assert.ok(value);
  assert.deepEqual(asked, ['Which aspect matters most to you?']);
  assert.match(requestsOf(requests, 'assess')[1]!.prompt, /Answer: An overview of methods/);
});

test('a list question is discovered first, and its sections come from what was found', async () => {
  const { value, requests, events } = await run(
    { script: discoverList('retrieval libraries') },
    { question: 'Which retrieval libraries are there?' },
  );
  assert.ok(value);
  const [found] = ofType(events, 'discover/found');
  assert.equal(found!.entities.length, 3);
  assert.ok(requestsOf(requests, 'act').some((request) => request.section === 'retrieval libraries'));
  assert.deepEqual(
    ofType(events, 'plan/proposed')[0]!.sections.map((section) => section.title),
    found!.entities.map((entity) => entity.name),
  );
});

test('a list is planned and researched while its members are extracted', { timeout: 60_000 }, async () => {
  const researched = Promise.withResolvers<void>();
  const { value, requests, events } = await run(
    {
      script: either(discoverList('retrieval libraries'), ({ step }) => {
        if (step === 'distil') researched.resolve();
        return step === 'discover' ? { until: researched.promise } : undefined;
      }),
    },
    { question: 'Which retrieval libraries are there?', settings: { planApproval: 'never' } },
  );
  assert.ok(value);
  const types = events.map(({ type }) => type);
  assert.ok(types.indexOf('plan/approved') < types.indexOf('discover/found'));
  const [{ entities } = { entities: [] }] = ofType(events, 'discover/found');
  assert.ok(entities.length > 0);
  const [frame] = requestsOf(requests, 'frame');
  assert.ok(
    entities.every(({ name }) => frame!.prompt.includes(name)),
    'the frame knows all members',
  );
});

test('a section that the review sends back is researched again with the gap, and keeps what it had', async () => {
  const { value, requests, events } = await run({ script: sendBackOnce(1) });
  assert.ok(value);
  assert.deepEqual(
    ofType(events, 'review/finished').map((event) => [event.sufficient, event.retry]),
    [
      [false, ['s2']],
      [true, []],
    ],
  );
  const again = requestsOf(requests, 'act').filter((request) => /<missing>/.test(request.prompt));
  assert.ok(again.length > 0 && again.every((request) => request.section === 'Methods and techniques'));
  assert.match(again[0]!.prompt, /Figures of a benchmark are missing/);
  assert.match(requestsOf(requests, 'distil').at(-1)!.prompt, /<previous>/);
});

test('a researcher whose model fails has what the queries of its section found, and the report says so', async () => {
  const { value, saved } = await run({ script: failResearcher('Evaluation') });
  assert.ok(value);
  assert.equal(value.outcome, 'partial');
  assert.match(saved[0]!.markdown, /## Evaluation\n\n[^\n]*\[\[\d\]\]\(#ref-\d\)/);
  assert.match(saved[0]!.markdown, /The research was cut short/);
});

test('a plain server that answers prose first still gives a report', async () => {
  const { value } = await run({ plain: ['noResponseFormat', 'noTools', 'proseFirst', 'noStream'] });
  assert.equal(value?.outcome, 'complete');
});

test('a model that never gives JSON for a step is replaced in it, with one warning that says so', async () => {
  const { value, saved } = await run({
    script: whenever({ text: 'I would love to help you with that!' }, { step: 'assess' }),
  });
  assert.ok(value);
  assert.deepEqual(
    value.warnings.map(({ code }) => code),
    ['step.assess.byRules'],
  );
  assert.match(saved[0]!.markdown, /- Note: Done without the model: reading the question\. /);
});

test('a wrong key, an unknown model, no quota and a web page end the run at once, each with its message', async () => {
  const cases = {
    badKey: ['auth', /refused/],
    unknownModel: ['notFound', /does not offer the model "imitation-1"/],
    quota: ['quota', /no credit/],
    htmlPage: ['badAnswer', /web page/],
  } as const;
  for (const [name, [reason, message]] of Object.entries(cases)) {
    const { error, requests } = await run({ script: () => refusals[name as keyof typeof cases] });
    assert.ok(ResearchError.is(error, reason), `${name}: ${String(error)}`);
    assert.match(error.message, message);
    assert.notEqual(error.next, '');
    assert.equal(requests.length, 1, name);
  }
});

test('a limited server is waited for and asked again', async () => {
  const { value, requests } = await run({ script: whenever(refusals.rateLimit, { step: 'plan', times: 2 }) });
  assert.ok(value);
  assert.equal(requestsOf(requests, 'plan').length, 3);
});

test('a section whose stream breaks is written once more, and stands in the report once', async () => {
  const { value, saved, requests } = await run({
    script: either(whenever({ stopAfter: { pieces: 8, how: 'cut' } }, { step: 'section', times: 1 })),
    tokenDelayMs: 1,
  });
  assert.ok(value);
  assert.equal(requestsOf(requests, 'section').length, 4);
  assert.equal(saved[0]!.markdown.split('## Methods and techniques').length, 2);
});

test('no key gets out, whatever the server says: not into messages, events, files or the log', async () => {
  const key = 'secret-key-0123456789';
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = { trace: write, debug: write, info: write, warn: write, error: write };
  const echo = {
    error: { message: `Incorrect API key provided: ${key}; header was Bearer ${key}.`, code: 'invalid_api_key' },
  };
  const models = await startModelServer({
    script: (request) => (request.index === 0 ? undefined : { status: 401, body: echo }),
  });
  try {
    const settings = { 'model.baseUrl': models.url, 'model.name': 'imitation-1', planApproval: 'never' };
    const created = await createModels({ settings: settingsOf(settings), secrets: { key: async () => key }, log });
    assert.ok(created.kind === 'llm');
    const { result, events, folder, saved } = scriptedRun({
      analyst: llmAnalyst,
      models: created.models,
      provider: 'openai',
      model: created.model,
      settings,
      log,
    });
    const error: unknown = await result.catch((thrown: unknown) => thrown);
    assert.ok(ResearchError.is(error, 'auth'));
    assert.equal(models.requests[0]!.headers.authorization, `Bearer ${key}`, 'the key was really used');
    const out = [
      String(error),
      error.stack,
      error.next,
      JSON.stringify(error),
      JSON.stringify(events),
      JSON.stringify(folder),
      JSON.stringify(saved),
      ...lines,
    ].join('\n');
    assert.ok(!out.includes(key));
  } finally {
    await models.close();
  }
});

test('the same run makes the same requests', async () => {
  const bodies = async () =>
    (await run({ imitation: { sections: 2 } })).requests.map((request) => JSON.stringify(request.body)).sort();
  assert.deepEqual(await bodies(), await bodies());
});
