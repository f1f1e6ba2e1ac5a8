import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tried, trialTasks, trustOf } from '../../../../src/research/analyst/llm/trial.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import type { ChatRequest } from '../../../../src/research/ports.ts';
import { estimateRequest, estimateTokens } from '../../../../src/research/text/estimateTokens.ts';
import { answer, saying, scopeOver } from '../../../support/analystTestKit.ts';
import { trialAnswers } from '../../../support/modelAnswers.ts';

/** Texts of one to forty sentences, with and without figures. */
function textOf(seed: number, language: 'en' | 'zh'): string {
  const words = language === 'en' ? english : chinese;
  const word = (at: number): string => words[(seed * 31 + at * 17) % words.length]!;
  return Array.from({ length: 1 + (seed % 40) }, (_, at) =>
    language === 'en'
      ? `The ${word(at)} of the ${word(at + 3)} holds ${at + 5} ${word(at + 7)} near the ${word(at + 11)}. `
      : `${word(at)}和${word(at + 3)}在${at + 5}个地方说明了${word(at + 7)}的方法，并且比较了${word(at + 11)}的结果以及各自的不同之处和限制。`,
  ).join('');
}
const english =
  'compass lantern granite orchard violin harbour meadow furnace cathedral pepper anchor saddle walnut ribbon thimble'.split(
    ' ',
  );
const chinese = '检索 模型 索引 文档 排序 引用 证据 语言 数据 网络 系统 结构 问题 答案 图像'.split(' ');

const promptOf = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join('\n');
const fieldsOf = (request: ChatRequest): string[] =>
  Object.keys((request.json!.schema as { properties: object }).properties);

/** How a model does in many trials. */
async function scores(
  model: Parameters<typeof scopeOver>[0],
  { trials = 100, language = 'en' }: { readonly trials?: number; readonly language?: 'en' | 'zh' } = {},
): Promise<number[]> {
  const all: number[] = [];
  for (let seed = 0; seed < trials; seed += 1)
    all.push((await tried([textOf(seed, language)], scopeOver(model, { language })))!);
  return all;
}

describe('the trial of a model', () => {
  it('has ten right answers for one that reads, of the sources’ sentences in any language or of made-up ones', async () => {
    const reads = (request: ChatRequest) => answer(JSON.stringify(trialAnswers(promptOf(request))));
    for (const language of ['en', 'zh'] as const)
      assert.deepEqual(new Set(await scores(reads, { trials: 20, language })), new Set([10]), language);
    assert.equal(await tried([], scopeOver(reads)), 10);
    assert.equal(trustOf(10), 'leads');
  });

  it('is led by one that is wrong once in twenty tasks in 95 of 100, and helped by nearly all of the others', async () => {
    const random = numbers(7);
    const decent = (request: ChatRequest) => {
      const right = Object.entries(trialAnswers(promptOf(request)));
      return answer(
        JSON.stringify(Object.fromEntries(right.map(([field, given]) => [field, random() < 0.05 ? '?' : given]))),
      );
    };
    const trusts = (await scores(decent)).map(trustOf);
    assert.ok(trusts.filter((trust) => trust === 'leads').length >= 95, trusts.join(' '));
    assert.ok(!trusts.includes('quotes'));
  });

  it('is led by none of those that guess, say the same, copy or ramble', async () => {
    const random = numbers(3);
    const one = (of: readonly string[]): string => of[Math.floor(random() * of.length)]!;
    const guess = (field: string): string =>
      /^[abcd]$/.test(field) ? one([...'12345']) : /^[ef]$/.test(field) ? one(['A', 'B']) : one(['continue', 'stop']);
    const filled = (value: (field: string, request: ChatRequest) => string) => (request: ChatRequest) =>
      answer(JSON.stringify(Object.fromEntries(fieldsOf(request).map((field) => [field, value(field, request)]))));
    for (const model of [
      filled(guess),
      filled(() => '1'),
      filled(() => 'A'),
      filled(() => 'stop'),
      filled((field) => field),
      filled((_, request) => promptOf(request).slice(-400)),
      filled((_, request) => /^1\. (.*)$/m.exec(promptOf(request))![1]!),
    ]) {
      const trusts = (await scores(model, { trials: 30 })).map(trustOf);
      assert.ok(!trusts.includes('leads') && trusts.filter((trust) => trust === 'helps').length <= 1, trusts.join(' '));
    }
  });

  it('takes two calls, at most 600 tokens in and 80 out', async () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const scope = scopeOver((request) => answer(JSON.stringify(trialAnswers(promptOf(request)))));
      await tried([textOf(seed, 'en')], scope);
      const sent = scope.calls.map(({ request }) => request);
      assert.equal(sent.length, 2);
      const [tokensIn, out] = [0, 1].map((which) =>
        sent.reduce((sum, request) => {
          const { json: _, ...prompt } = request;
          return (
            sum +
            (which === 0 ? estimateRequest(prompt) : estimateTokens(JSON.stringify(trialAnswers(promptOf(request)))))
          );
        }, 0),
      );
      assert.ok(tokensIn! <= 600 && out! <= 100, `${tokensIn} in, ${out} out`);
    }
  });

  it('is the same for the same texts, and another for others', () => {
    assert.deepEqual(trialTasks([textOf(20, 'en')], 'en'), trialTasks([textOf(20, 'en')], 'en'));
    assert.notDeepEqual(trialTasks([textOf(20, 'en')], 'en'), trialTasks([textOf(21, 'en')], 'en'));
  });

  it('decides nothing when none of the answers can be read', async () => {
    for (const text of ['Certainly! Sentence 3 is about A, so stop.', '', '{}'])
      assert.equal(await tried([], scopeOver(saying(text))), undefined, text);
  });

  it('decides nothing when the model can’t be asked', async () => {
    const scope = scopeOver(() => {
      throw new ResearchError('network', 'gone');
    });
    await assert.rejects(tried([], scope), { reason: 'network' });
  });
});

/** Pseudo-random numbers below 1, the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
