import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportInput } from '../../../../src/research/analyst/analyst.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { estimateTokens } from '../../../../src/research/text/estimateTokens.ts';
import { llmAnalyst } from '../../../../src/research/analyst/llm/llmAnalyst.ts';
import { startModelServer } from '../../../support/modelServer.ts';
import { whenever } from '../../../support/modelScenarios.ts';
import { openChat } from '../../../support/modelTestKit.ts';
import {
  answer,
  facts,
  questionInput,
  reviewed,
  saying,
  scopeOver,
  type TestScope,
} from '../../../support/analystTestKit.ts';

const analyst = llmAnalyst;
const input: ReportInput = {
  ...questionInput,
  title: 'RAG',
  objective: 'What it is.',
  limits: '',
  focus: [],
  analysis: { queryType: 'general', outputFormat: 'prose', needsDiscovery: false, discoveryTarget: '', reasoning: '' },
  discovered: [],
  sections: [reviewed('s1'), reviewed('s2')],
  contradictions: [{ topic: 'Two sources disagree [Sa1b2c][Sd3e4f].', values: [] }],
  sources: facts,
};

async function written(scope: TestScope, given = input): Promise<{ text: string; pieces: number; error?: unknown }> {
  let text = '';
  let pieces = 0;
  try {
    for await (const piece of analyst.writeReport(given, scope)) {
      text += piece;
      pieces += 1;
    }
  } catch (error) {
    return { text, pieces, error };
  }
  return { text, pieces };
}

test('the report streams while the model writes', async () => {
  const server = await startModelServer({ tokenDelayMs: 1 });
  try {
    const { text, pieces } = await written(scopeOver(openChat(server.url)));
    assert.ok(pieces > 5, `${pieces} pieces`);
    assert.match(text, /^# [^]*## Section s1[^]*## Section s2[^]*## Conclusion and outlook/);
  } finally {
    await server.close();
  }
});

test('the writer is given findings, quotes, disagreements, the form and the language, and no addresses', async () => {
  const scope = scopeOver(saying('# R'), { language: 'de' });
  await written(scope, { ...input, analysis: { ...input.analysis, outputFormat: 'table' } });
  const prompt = scope.calls[0]!.request.messages.map((message) => message.content).join('\n');
  for (const part of [
    '<section id="s1" title="Section s1">',
    'outperforms BM25 by 9 to 19 points. [Sd3e4f] [F101]',
    'Two sources disagree',
    'Markdown tables',
    'German (de)',
    '2026-02-03',
  ])
    assert.ok(prompt.includes(part), part);
  assert.ok(!prompt.includes('https://example.org'));
  assert.equal(scope.calls[0]!.role, 'report');
});

test('a report that reached the token limit continues where it stopped, without what the model repeats', async () => {
  const first = '# Title\n\nA summary that is long enough to be recognised when it is said ag';
  const scope = scopeOver(
    saying({ text: first, finish: 'length' }, 'recognised when it is said again, and the rest.\n'),
  );
  const { text } = await written(scope);
  assert.equal(
    text,
    '# Title\n\nA summary that is long enough to be recognised when it is said again, and the rest.\n',
  );
  const { messages } = scope.calls[1]!.request;
  assert.deepEqual(
    messages.map((message) => message.role),
    ['system', 'user', 'assistant', 'user'],
  );
  assert.equal(messages[2]!.content, first);
});

test('a continuation that begins no further section is the last one, and a warning says what is missing', async () => {
  const scope = scopeOver(
    saying(
      { text: '# Title\n\nA summary. [Sa1b2c] ', finish: 'length' },
      { text: 'More and more. ', finish: 'length' },
    ),
  );
  const { text } = await written(scope);
  assert.deepEqual(
    scope.calls.map((call) => call.label),
    ['report', 'report/more/1'],
  );
  assert.equal(text, '# Title\n\nA summary. [Sa1b2c] More and more. ');
  assert.deepEqual(scope.warnings, ['report.tooLong']);
});

test('the missing sections are named when a report is continued, and only what they need is sent again', async () => {
  const scope = scopeOver(saying({ text: '# T\n\nA summary.\n\n## Section s1\n\nHalf of', finish: 'length' }, ' it.'));
  await written(scope);
  const { messages } = scope.calls[1]!.request;
  assert.match(messages[3]!.content, /still to come: "Section s2", "Conclusion and outlook"/);
  assert.doesNotMatch(messages[3]!.content, /"Section s1"/);
});

test('a stream that breaks after text had come is continued; one that breaks before throws', async () => {
  const server = await startModelServer({
    script: whenever({ stopAfter: { pieces: 6, how: 'cut' } }, { step: 'report', times: 1 }),
    tokenDelayMs: 2,
  });
  try {
    const { text, error } = await written(scopeOver(openChat(server.url)));
    assert.equal(error, undefined);
    assert.match(text, /^# What|^# [^]*## Conclusion and outlook\n\n[^]+\n$/);
    assert.equal(server.requests.length, 2);
    assert.equal(text.split('## Section s1').length, 2, 'nothing is said twice');
  } finally {
    await server.close();
  }
  const broken = await written(
    scopeOver(() => {
      throw new ResearchError('streamBroken', 'cut');
    }),
  );
  assert.ok(ResearchError.is(broken.error, 'streamBroken'));
  assert.equal(broken.text, '');
});

test('what the call throws is thrown after the pieces that came before', async () => {
  const { text, error } = await written(
    scopeOver((_request, _label, onText) => {
      onText?.('# Half');
      throw new ResearchError('quota', 'no money');
    }),
  );
  assert.equal(text, '# Half');
  assert.ok(ResearchError.is(error, 'quota'));
});

test('a prompt that is too long is sent with less text of the sections, all findings first', async () => {
  const sections = Array.from({ length: 10 }, (_, index) =>
    reviewed(`s${index}`, { content: 'A long text about it. '.repeat(1_000) }),
  );
  const scope = scopeOver((request) => {
    if (estimateTokens(request.messages[1]!.content) > 20_000) throw new ResearchError('contextLength', 'too long');
    return answer('# Fine');
  });
  const { text } = await written(scope, { ...input, sections });
  assert.equal(text, '# Fine');
  assert.ok(scope.calls.length > 1);
  const prompt = scope.calls.at(-1)!.request.messages[1]!.content;
  for (let index = 0; index < 10; index += 1) assert.ok(prompt.includes(`<section id="s${index}"`));
  assert.equal(prompt.match(/outperforms BM25 by 9 to 19 points\. \[Sd3e4f\] \[F\d{3}\]/g)?.length, 10);
});

test('leaving the report early ends quietly', async () => {
  const server = await startModelServer({ tokenDelayMs: 5 });
  const stop = new AbortController();
  try {
    for await (const piece of analyst.writeReport(input, scopeOver(openChat(server.url), { signal: stop.signal }))) {
      assert.ok(piece.length > 0);
      break;
    }
    stop.abort();
  } finally {
    await server.close();
  }
});
