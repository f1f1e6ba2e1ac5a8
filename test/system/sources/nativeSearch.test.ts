import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createCatalogue, readAllSettings } from '../../../src/catalogue.ts';
import { createModels } from '../../../src/models/createModels.ts';
import { webSearchModels } from '../../../src/models/webSearch.ts';
import type { EventBody } from '../../../src/protocol/events.ts';
import { Calls } from '../../../src/research/calls/calls.ts';
import { Replay } from '../../../src/research/calls/replay.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { Admission } from '../../../src/research/evidence/admission.ts';
import { EvidenceRegistry } from '../../../src/research/evidence/registry.ts';
import { Journal } from '../../../src/research/persistence/journal.ts';
import type { ToolContext } from '../../../src/research/tools.ts';
import { enabledSources } from '../../../src/sources/createTools.ts';
import { web } from '../../../src/sources/web/webSource.ts';
import { fakeClock } from '../../support/scriptedParts.ts';
import {
  type ScriptedService,
  type ServiceAnswer,
  type ServiceRequest,
  startScriptedService,
} from '../../support/scriptedService.ts';
import { english, silentLog, sourceContext } from '../../support/sourceContext.ts';

/** What a provider's own web search gives, in the shapes of its API, over real HTTP. */

let service: ScriptedService;
before(async () => {
  service = await startScriptedService();
});
after(() => service.close());
beforeEach(() => void service.requests.splice(0));

type Provider = 'openai' | 'anthropic' | 'aliyun';
const never = new AbortController().signal;
const key = 'sk-secret-key-1234567890';
const secrets = { key: () => Promise.resolve(key) };
const paths: Readonly<Record<Provider, string>> = { openai: '/v1', anthropic: '', aliyun: '/compatible-mode/v1' };
const models: Readonly<Record<Provider, string>> = {
  openai: 'gpt-5.4-mini',
  anthropic: 'claude-sonnet-4-6',
  aliyun: 'qwen-plus',
};

async function searchModel(provider: Provider) {
  const { settings } = readAllSettings({
    'model.provider': provider,
    'model.baseUrl': service.url + paths[provider],
    'model.name': models[provider],
  });
  const options = { settings, secrets, log: silentLog };
  const [model] = await webSearchModels(options, await createModels(options));
  assert.ok(model);
  return model;
}

async function searching(provider: Provider, settings: Readonly<Record<string, unknown>> = {}) {
  const model = await searchModel(provider);
  const [tool] = await web.createTools(
    sourceContext(web, service.url, {
      settings: { 'endpoints.searxng': '', 'sources.web.provider': 'native', ...settings },
      webSearch: [model],
    }),
  );
  const ask: ToolContext['ask'] = (port, request) => port.complete(request, {}, never);
  return {
    tool: tool!,
    search: (args: Readonly<Record<string, unknown>>) => tool!.run(args, { ...english, ask }, never),
  };
}

const sse = (...events: readonly object[]): ServiceAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
});

const said = 'Retrieval grounds answers in passages. ([Guide](https://example.com/guide?utm_source=openai))';
const citation = {
  type: 'url_citation',
  start_index: 39,
  end_index: said.length,
  url: 'https://example.com/guide?utm_source=openai',
  title: 'A <b>guide</b>',
};
const openAiOutput = [
  {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { type: 'search', query: 'retrieval', sources: [{ type: 'url', url: 'https://example.org/other' }] },
  },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said, annotations: [citation] }] },
];
const openAiDone = { status: 'completed', usage: { input_tokens: 900, output_tokens: 60 } };

const claudeBlocks = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'retrieval' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [
      {
        type: 'web_search_result',
        url: 'https://example.org/other',
        title: 'Other',
        encrypted_content: 'EqgfCioIARgB',
        page_age: null,
      },
      {
        type: 'web_search_result',
        url: 'https://example.com/guide',
        title: 'A <b>guide</b>',
        encrypted_content: 'EqgfCioIARgC',
        page_age: 'August 5, 2025',
      },
    ],
  },
  {
    type: 'text',
    text: 'It grounds answers.',
    citations: [
      {
        type: 'web_search_result_location',
        url: 'https://example.com/guide',
        title: 'A <b>guide</b>',
        encrypted_index: 'Eo8',
        cited_text: 'Retrieval grounds answers in passages.',
      },
    ],
  },
];
const claude = (content: unknown, stop: string): ServiceAnswer => ({
  body: {
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: stop,
    usage: { input_tokens: 900, output_tokens: 60 },
  },
});

const qwen = (content: string, finish: string, results: readonly object[] = []) => ({
  output: {
    choices: [{ message: { role: 'assistant', content }, finish_reason: finish }],
    search_info: { search_results: results, extra_tool_info: [] },
  },
  usage: { input_tokens: 900, output_tokens: 60, plugins: { search: { count: 1 } } },
});
const qwenResults = [
  { site_name: 'Other', icon: '', index: 1, title: 'Other', url: 'https://example.org/other' },
  { site_name: 'Example', icon: '', index: 2, title: 'A <b>guide</b>', url: 'https://example.com/guide' },
];

const good: Readonly<Record<Provider, ServiceAnswer>> = {
  openai: sse(...openAiOutput.map((item) => ({ type: 'response.output_item.done', item })), {
    type: 'response.completed',
    response: { ...openAiDone, output: openAiOutput },
  }),
  anthropic: claude(claudeBlocks, 'end_turn'),
  aliyun: sse(
    qwen('', 'null', qwenResults),
    qwen('Retrieval grounds answers in passages', 'null'),
    qwen('[ref_2].', 'stop'),
  ),
};
const empty: Readonly<Record<Provider, ServiceAnswer>> = {
  openai: {
    body: {
      ...openAiDone,
      output: [
        { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x', sources: [] } },
        { type: 'message', content: [{ type: 'output_text', text: 'The search found nothing.', annotations: [] }] },
      ],
    },
  },
  anthropic: claude(
    [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'text', text: 'The search found nothing.' },
    ],
    'end_turn',
  ),
  aliyun: sse(qwen('The search found nothing.', 'stop')),
};

for (const provider of ['openai', 'anthropic', 'aliyun'] as const)
  describe(`the web search of ${provider}`, () => {
    it('gives pages as documents: address, title, and what is cited of them, cited ones first', async () => {
      service.answer = () => good[provider];
      const { search } = await searching(provider);
      const { documents, note } = await search({ query: 'retrieval' });
      assert.deepEqual(
        documents.map(({ kind, url, title }) => [kind, url, title]),
        [
          ['web', 'https://example.com/guide', 'A guide'],
          ['web', 'https://example.org/other', provider === 'openai' ? 'example.org' : 'Other'],
        ],
      );
      const [{ text = '', date } = {}] = documents;
      // Words of a model are never taken for words of the page.
      assert.match(
        text,
        provider === 'anthropic' ? /^Retrieval grounds/ : /^As the search of \w+ sums it up: Retrieval grounds/,
      );
      assert.match(text, /Retrieval grounds answers in passages\.?$/);
      assert.equal(date, provider === 'anthropic' ? '2025-08-05' : undefined);
      assert.match(note ?? '', /^2 pages for: retrieval/);
    });

    it('says when there is nothing', async () => {
      service.answer = () => empty[provider];
      const { documents, note } = await (await searching(provider)).search({ query: 'zzqqxx' });
      assert.deepEqual(documents, []);
      assert.match(note ?? '', /nothing for: zzqqxx/);
    });

    it('has one page of results, and sends nothing for a further one', async () => {
      const { documents, note } = await (await searching(provider)).search({ query: 'retrieval', page: 2 });
      assert.deepEqual([documents, service.requests.length], [[], 0]);
      assert.match(note ?? '', /no further pages/);
    });

    const sent = (from: ServiceRequest | undefined) => JSON.parse(from?.body ?? '{}') as Record<string, unknown>;

    it('asks for the date, the kind and the sites that are wanted', async () => {
      service.answer = () => good[provider];
      const limits = { 'sources.since': '2026-01-01', 'sources.include': ['https://own.example/docs'] };
      await (await searching(provider, limits)).search({ query: 'retrieval', kind: 'news' });
      const [request] = service.requests;
      assert.match(request!.body, /pages since 2026-01-01/);
      assert.match(request!.body, /Wanted is news/);
      const wanted = {
        openai: '"filters":{"allowed_domains":["own.example"]}',
        anthropic: '"allowed_domains":["own.example"]',
        // Its search knows no sites outside of Beijing: what it brings is sorted afterwards.
        aliyun: '"search_strategy":"agent"',
      }[provider];
      assert.ok(request!.body.includes(wanted), request!.body);
      assert.equal('temperature' in sent(request), false);
    });

    const failures: readonly (readonly [about: string, answer: ServiceAnswer, reason: string])[] = [
      [
        'a bad key',
        { status: 401, body: { error: { code: 'invalid_api_key', message: `Incorrect: ${key}` } } },
        'auth',
      ],
      [
        'a limit',
        { status: 429, body: { error: { type: 'rate_limit_error', message: 'Rate limit reached' } } },
        'rateLimit',
      ],
      ['no money', { status: 402, body: { error: { message: 'Payment required' } } }, 'quota'],
      [
        'a search that is not allowed',
        { status: 400, body: { error: { message: 'web search is not enabled' } } },
        'badRequest',
      ],
      ['an API without it', { status: 404, body: { error: { message: 'Not found' } } }, 'badAnswer'],
      ['an error of the server', { status: 500, body: { error: { message: 'Internal' } } }, 'network'],
      [
        'a web page',
        { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' },
        'badAnswer|config|badRequest',
      ],
      ['no body', { body: '' }, 'badAnswer'],
      ['a number', { body: 7 }, 'badAnswer'],
      ['a connection that breaks', { ...good[provider], fault: 'truncate' }, 'network|streamBroken'],
    ];
    for (const [about, answer, reason] of failures)
      it(`rejects with ${reason} for ${about}`, async () => {
        service.answer = () => answer;
        await assert.rejects((await searching(provider)).search({ query: 'anything' }), (error: unknown) => {
          assert.ok(ResearchError.is(error));
          assert.match(error.reason, new RegExp(`^(?:${reason})$`));
          assert.ok(!error.message.includes(key) && error.next !== '');
          return true;
        });
      });

    it('is one call of the model: journalled, counted, and not sent again when the run is resumed', async () => {
      service.answer = () => good[provider];
      const { tool } = await searching(provider);
      const lines: string[] = [];
      const life = async () => {
        const events: EventBody[] = [];
        const clock = fakeClock();
        const registry = new EvidenceRegistry();
        const { settings } = readAllSettings({ 'sources.exclude': ['example.org'] });
        const calls = new Calls({
          ...{ clock, log: silentLog, registry, idleMs: 60_000, random: () => 0 },
          replay: new Replay(new Journal(async (line) => void lines.push(line), [...lines]), clock),
          warn: () => undefined,
          emit: (event) => events.push(event),
          saveEvidence: () => Promise.resolve(),
          finishSignal: never,
          admission: new Admission(settings, new Set()),
        });
        const call = { key: 'section/s1/tool/0/0', tool, args: { query: 'retrieval' }, context: english };
        const { sources } = await calls.tool(call, never);
        return { urls: sources.map((id) => registry.get(id)?.url), events };
      };
      const first = await life();
      assert.deepEqual(first.urls, ['https://example.com/guide']);
      const usage = first.events.find(({ type }) => type === 'usage');
      assert.ok(usage?.type === 'usage');
      assert.deepEqual([usage.role, usage.tokens.in, usage.tokens.out], ['search', 900, 60]);
      assert.equal(lines.length, 2);
      assert.equal(service.requests.length, 1);
      // The tool's own result was lost with the process: the model's answer was not.
      lines.pop();
      assert.deepEqual((await life()).urls, first.urls);
      const third = await life();
      assert.deepEqual(third.urls, first.urls);
      assert.equal(
        third.events.some(({ type }) => type === 'usage'),
        false,
      );
      assert.equal(service.requests.length, 1);
    });
  });

describe('the search of Anthropic', () => {
  it('continues a turn that paused, with what it had said, and joins both', async () => {
    service.answer = ({ body }) =>
      body.includes('srvtoolu_1')
        ? claude(claudeBlocks.slice(2), 'end_turn')
        : claude(claudeBlocks.slice(0, 2), 'pause_turn');
    const { documents } = await (await searching('anthropic')).search({ query: 'retrieval' });
    assert.equal(service.requests.length, 2);
    const { messages } = JSON.parse(service.requests[1]!.body) as { messages: { role: string; content: unknown }[] };
    assert.deepEqual(messages.at(-1), { role: 'assistant', content: claudeBlocks.slice(0, 2) });
    assert.deepEqual(new Set(documents.map(({ url }) => url)).size, 2);
  });

  it('ends a turn that pauses without end', async () => {
    service.answer = () => claude(claudeBlocks, 'pause_turn');
    const { documents } = await (await searching('anthropic')).search({ query: 'retrieval' });
    assert.deepEqual([documents.length, service.requests.length], [2, 4]);
  });

  const problems = [
    ['too_many_requests', 'rateLimit'],
    ['unavailable', 'network'],
    ['query_too_long', 'badRequest'],
    ['invalid_tool_input', 'badRequest'],
  ] as const;
  for (const [code, reason] of problems)
    it(`rejects with ${reason} when its tool says ${code}`, async () => {
      const content = { type: 'web_search_tool_result_error', error_code: code };
      service.answer = () =>
        claude(
          [
            { type: 'web_search_tool_result', tool_use_id: 's', content },
            { type: 'text', text: 'The search failed.' },
          ],
          'end_turn',
        );
      await assert.rejects((await searching('anthropic')).search({ query: 'anything' }), (error: unknown) =>
        ResearchError.is(error, reason),
      );
    });
});

describe('the search of DashScope', () => {
  it('asks the other address for a model that is served there', async () => {
    service.answer = ({ path }) =>
      path.includes('multimodal')
        ? sse({
            output: {
              choices: [{ message: { content: [{ text: 'It grounds[ref_2]' }] }, finish_reason: 'stop' }],
              search_info: { search_results: qwenResults },
            },
          })
        : { status: 400, body: { code: 'InvalidParameter', message: 'url error, please check url!' } };
    const { documents } = await (await searching('aliyun')).search({ query: 'retrieval' });
    assert.equal(documents[0]?.url, 'https://example.com/guide');
    assert.deepEqual(
      service.requests.map(({ path }) => path.split('/').at(-2)),
      ['text-generation', 'multimodal-generation'],
    );
  });
});

describe('hostile results of a search', () => {
  it('are bounded, and only addresses of the web are pages', async () => {
    const sources = [
      { url: 'javascript:alert(1)' },
      { url: 7 },
      { url: `https://example.com/${'x'.repeat(5_000)}` },
      ...Array.from({ length: 500 }, (_, index) => ({ url: `https://example.com/${index}`, title: 't'.repeat(9_000) })),
    ];
    const text = '[['.repeat(40_000);
    const annotations = Array.from({ length: 3_000 }, (_, index) => ({
      ...{ type: 'url_citation', url: 'https://example.com/1', title: '', start_index: index * 20 },
    }));
    service.answer = () => ({
      body: {
        ...openAiDone,
        output: [
          { type: 'web_search_call', action: { sources } },
          { type: 'message', content: [{ type: 'output_text', text, annotations }] },
        ],
      },
    });
    const { documents } = await (await searching('openai')).search({ query: 'anything' });
    assert.ok(documents.length <= 100 && documents.every(({ url }) => url!.startsWith('https://example.com/')));
    assert.ok(documents.every(({ title, text: body }) => title.length <= 500 && body.length <= 6_000));
  });
});

describe('which search is used', () => {
  it('is said of the tool, so that the estimate of a plan counts its calls', async () => {
    const asking = async (settings: Readonly<Record<string, unknown>>) => {
      const options = { settings: { 'endpoints.searxng': '', ...settings }, webSearch: [own] };
      const tools = await web.createTools(sourceContext(web, service.url, options));
      return tools.filter(({ asksModel }) => asksModel).map(({ name }) => name);
    };
    assert.deepEqual(await asking({ 'sources.web.provider': 'native' }), ['web_search']);
    assert.deepEqual(await asking({ 'sources.web.provider': 'tavily' }), []);
  });

  const { sources } = { sources: createCatalogue({ providers: [], sources: [web] }) };
  const label = 'Own';
  const own = {
    label,
    address: 'https://api.openai.com',
    isOwn: true,
    port: () => Promise.reject(new Error('unused')),
  };
  const other = { ...own, address: 'https://api.anthropic.com', isOwn: false };
  const hosts = async (raw: Readonly<Record<string, unknown>>, keys: readonly string[], webSearch = [own]) => {
    const { settings } = readAllSettings(raw, sources);
    const saved = { key: (name: string) => Promise.resolve(keys.includes(name) ? 'k' : undefined) };
    const options = { settings, secrets: saved, log: silentLog, hasWorkspace: false, webSearch };
    return (await enabledSources(options, [web]))[0]?.hosts;
  };

  it("is a configured service, else that of the run's own provider, and another provider's only when it is wanted", async () => {
    assert.deepEqual(await hosts({}, ['bocha']), ['api.bocha.cn']);
    assert.deepEqual(await hosts({}, []), ['api.openai.com']);
    assert.deepEqual(await hosts({}, [], [other]), undefined);
    assert.deepEqual(await hosts({ 'sources.web.provider': 'native' }, ['tavily'], [other]), ['api.anthropic.com']);
    assert.deepEqual(await hosts({ 'sources.web.provider': 'native' }, ['tavily'], []), undefined);
    assert.deepEqual(await hosts({ 'sources.web.provider': 'tavily' }, []), ['api.tavily.com']);
  });

  it("is found among the providers whose key is saved, the run's own first", async () => {
    const addresses = async (raw: Readonly<Record<string, unknown>>, keys: readonly string[]) => {
      const { settings } = readAllSettings(raw);
      const saved = { key: (name: string) => Promise.resolve(keys.includes(name) ? 'k' : undefined) };
      const options = { settings, secrets: saved, log: silentLog };
      const created = await createModels(options);
      return (await webSearchModels(options, created)).map(({ address, isOwn }) => [address, isOwn]);
    };
    const openai = ['https://api.openai.com', true];
    assert.deepEqual(await addresses({ 'model.provider': 'openai' }, ['openai', 'anthropic']), [
      openai,
      ['https://api.anthropic.com', false],
    ]);
    assert.deepEqual(await addresses({ 'model.provider': 'extractive' }, ['aliyun']), [
      ['https://dashscope.aliyuncs.com', false],
    ]);
    const gateway = { 'model.provider': 'openai', 'model.baseUrl': 'http://127.0.0.1:9999/v1', 'model.name': 'm' };
    // A gateway may have the same tool: it is asked when the user says so.
    assert.deepEqual(await addresses(gateway, ['openai']), [['http://127.0.0.1:9999', false]]);
  });
});
