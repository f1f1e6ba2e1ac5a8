import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tried, trialTasks } from '../../../../src/research/analyst/llm/trial.ts';
import type { Trust } from '../../../../src/protocol/ports.ts';
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

/** How a model does in many trials, half of them without any text. */
async function outcomes(
  model: Parameters<typeof scopeOver>[0],
  { trials = 100, language = 'en' }: { readonly trials?: number; readonly language?: 'en' | 'zh' } = {},
): Promise<{ readonly trust: Trust; readonly right: number }[]> {
  const all: { trust: Trust; right: number }[] = [];
  for (let seed = 0; seed < trials; seed += 1) {
    const texts = seed % 2 === 0 ? [textOf(seed, language)] : [];
    all.push((await tried(texts, scopeOver(model, { language }), `run ${seed}`))!);
  }
  return all;
}
const trusts = async (...asked: Parameters<typeof outcomes>): Promise<Trust[]> =>
  (await outcomes(...asked)).map(({ trust }) => trust);

/** Enough sentences that have words of their own. */
const folder = [
  `The drip lines of the greenhouse run at 1.2 bar all summer. Yellow traps are counted each Thursday by the apprentice.
Rain water from the basin is mixed with tap water. The sand filter is washed back when its pressure rises.
Roof vents open in steps of 10 percent above noon heat. Spraying is the last resort and harms the wasps for weeks.
Grade and tonnes are logged at every harvest of the team. The screens close at night and save fuel in winter.`,
];

const chineseFolder = [
  `温室的滴灌管道在夏季以1.2巴运行。学徒每周四清点黄色粘虫板。盆地里的雨水与自来水混合使用。压力升高时反冲洗砂滤器。
中午炎热时天窗逐级打开。喷洒农药是最后手段，会伤害寄生蜂。每次采收都记录产量和等级。冬季夜间关闭保温幕可以节省燃料。
会计部门的报销流程需要两名经理签字。图书馆收藏了许多古代地图和航海日志。火车站附近新开了一家面包店和咖啡馆。
医生建议病人每天散步并减少食盐摄入。考古学家在沙漠里发现了青铜铸造的钟。乐队在广场上演奏了三首民间舞曲。`,
];

describe('the trial of a model', () => {
  it('has ten right answers for one that reads, of the sources’ sentences in any language or of records', async () => {
    const reads = (request: ChatRequest) => answer(JSON.stringify(trialAnswers(promptOf(request))));
    for (const language of ['en', 'zh'] as const)
      assert.deepEqual(
        new Set((await outcomes(reads, { trials: 20, language })).map(({ right }) => right)),
        new Set([10]),
        language,
      );
    assert.deepEqual(await tried([], scopeOver(reads), 'run'), { trust: 'leads', right: 10, of: 10 });
  });

  it('is led by one that is wrong once in twenty tasks in 95 of 100, and helped by nearly all of the others', async () => {
    const random = numbers(7);
    const decent = (request: ChatRequest) => {
      const right = Object.entries(trialAnswers(promptOf(request)));
      return answer(
        JSON.stringify(Object.fromEntries(right.map(([field, given]) => [field, random() < 0.05 ? '?' : given]))),
      );
    };
    const found = await trusts(decent);
    assert.ok(found.filter((trust) => trust === 'leads').length >= 95, found.join(' '));
    assert.ok(!found.includes('quotes'));
  });

  it('is not led by one that can’t do one of its forms at all, whatever else it can', async () => {
    const never = ['next', 'then'];
    const model = (request: ChatRequest) => {
      const right = Object.entries(trialAnswers(promptOf(request)));
      return answer(JSON.stringify(Object.fromEntries(right.filter(([field]) => !never.includes(field)))));
    };
    assert.deepEqual(await tried(folder, scopeOver(model), 'run'), { trust: 'helps', right: 8, of: 10 });
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
      const found = await trusts(model, { trials: 30 });
      assert.ok(!found.includes('leads') && found.filter((trust) => trust === 'helps').length <= 1, found.join(' '));
    }
  });

  it('takes two calls, at most 600 tokens in with the schemas, and 80 out', async () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const scope = scopeOver((request) => answer(JSON.stringify(trialAnswers(promptOf(request)))));
      await tried([textOf(seed, 'en')], scope, `run ${seed}`);
      const sent = scope.calls.map(({ request }) => request);
      assert.equal(sent.length, 2);
      const [tokensIn, out] = [
        (request: ChatRequest) => estimateRequest(request),
        (request: ChatRequest) => estimateTokens(JSON.stringify(trialAnswers(promptOf(request)))),
      ].map((count) => sent.reduce((sum, request) => sum + count(request), 0));
      assert.ok(tokensIn! <= 600 && out! <= 80, `${tokensIn} in, ${out} out`);
    }
  });

  it('is the same for the same run and texts, and another for others', () => {
    const [one, other] = [textOf(20, 'en'), textOf(21, 'en')];
    for (const texts of [[one], []])
      assert.deepEqual(trialTasks(texts, 'en', 'run 1'), trialTasks(texts, 'en', 'run 1'));
    for (const texts of [[one], []])
      assert.notDeepEqual(trialTasks(texts, 'en', 'run 1'), trialTasks(texts, 'en', 'run 2'));
    assert.notDeepEqual(trialTasks([one], 'en', 'run 1'), trialTasks([other], 'en', 'run 1'));
  });

  it('shows sentences of the question’s language alone, and where there are none records without a language', () => {
    const shown = (texts: readonly string[], language: string): string =>
      trialTasks(texts, language, 'run')
        .flatMap(({ sentences }) => sentences)
        .join('\n');
    assert.doesNotMatch(shown(folder, 'en'), /^(?:[A-Z][a-z]{5}, ){2}/m);
    assert.match(shown([...chineseFolder, ...folder], 'zh'), /\p{Script=Han}{9}/u);
    for (const none of [shown(folder, 'de'), shown([], 'ja'), shown(chineseFolder, 'en')])
      for (const line of none.split('\n')) assert.match(line, /^[A-Z][a-z]{5}, [A-Z][a-z]{5}, \d+, [A-Z][a-z]{5}\.$/);
  });

  it('counts nothing as right in answers that can’t be read', async () => {
    for (const text of ['Certainly! Sentence 3 is about A, so stop.', '', '{}', '{"a": "", "number": ""}'])
      assert.deepEqual(await tried([], scopeOver(saying(text)), 'run'), { trust: 'quotes', right: 0, of: 10 }, text);
    const cut = { text: '{"title": "a method that is a method that is a method', finish: 'length' } as const;
    assert.equal((await tried([], scopeOver(saying(cut)), 'run'))?.trust, 'quotes');
  });

  it('has no outcome when a call was not answered: reasoning used its length up, or it was refused', async () => {
    for (const unanswered of [
      { text: '', finish: 'length' },
      { text: '', finish: 'contentFilter' },
    ] as const) {
      const half = scopeOver((request) => {
        const right = trialAnswers(promptOf(request));
        return 'number' in right ? answer('', unanswered) : answer(JSON.stringify(right));
      });
      assert.equal(await tried([], half, 'run'), undefined, unanswered.finish);
    }
  });

  it('decides nothing when the model can’t be asked', async () => {
    const scope = scopeOver(() => {
      throw new ResearchError('network', 'gone');
    });
    await assert.rejects(tried([], scope, 'run'), { reason: 'network' });
  });
});

/** Pseudo-random numbers below 1, the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
