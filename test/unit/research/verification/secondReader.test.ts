import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readAllSettings } from '../../../../src/catalogue.ts';
import type { Analyst, Verdict } from '../../../../src/research/analyst/analyst.ts';
import { verify } from '../../../../src/research/analyst/llm/verify.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import type { Judgement, Statement } from '../../../../src/research/evidence/statement.ts';
import { Journal } from '../../../../src/research/persistence/journal.ts';
import { repeatedEnd } from '../../../../src/models/answerEnd.ts';
import { Replay } from '../../../../src/research/calls/replay.ts';
import { RunBudget } from '../../../../src/research/policy/runBudget.ts';
import type { ChatAnswer, ChatRequest } from '../../../../src/research/ports.ts';
import { SecondReader } from '../../../../src/research/verification/secondReader.ts';
import { answer, scopeOver } from '../../../support/analystTestKit.ts';
import { root } from '../../../support/paths.ts';
import { rightVerdict, verdictsOf } from '../../../support/rightReader.ts';
import { fakeClock, scriptedAnalyst, silentLog } from '../../../support/scriptedParts.ts';

interface Pair {
  readonly id: string;
  readonly sentence: string;
  readonly passages: readonly string[];
  readonly label: Verdict['verdict'];
}
const pairs = fs
  .readFileSync(path.join(root, 'test/eval/claims/dev.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Pair);
const labelOf = new Map(pairs.map(({ sentence, label }) => [sentence, label]));
const statements = pairs.map(({ id, sentence, passages }): Statement => ({
  id,
  section: 's1',
  text: sentence,
  passages: passages.map((text) => ({ source: 'Sa1b2c', text, place: '0-1' })),
  isCited: true,
}));
/** Four sections and what frames them. */
const texts = Array.from({ length: 5 }, (_, index) => statements.filter((_, at) => at % 5 === index));

/** What a perfect reader says: the label of a pair, or what words and figures tell of a control. */
const truth = (text: string, passages: string): Verdict => {
  const label = labelOf.get(text);
  return label === undefined ? rightVerdict(text, passages) : { verdict: label, words: '', correction: '' };
};
const always = (verdict: Verdict['verdict']) => () => ({ verdict, words: '', correction: '' });

type Model = (request: ChatRequest, label: string) => ChatAnswer | Promise<ChatAnswer>;

interface Parts {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly model?: Model;
  readonly verify?: Analyst['verify'] | undefined;
  readonly tokens?: number;
  readonly budget?: number;
  readonly texts?: number;
  readonly finish?: AbortSignal;
  readonly stop?: AbortSignal;
  /** Of the journal, before and after. */
  readonly lines?: string[];
}

function readerOf({
  settings = {},
  model,
  tokens = 1e6,
  budget = Infinity,
  finish,
  stop,
  lines = [],
  ...parts
}: Parts) {
  const clock = fakeClock();
  const prompts: string[] = [];
  const never = new AbortController().signal;
  const run = {
    analyst: scriptedAnalyst('verify' in parts ? { verify: parts.verify! } : { verify }),
    replay: new Replay(new Journal((line) => Promise.resolve(void lines.push(line)), [...lines]), clock),
    clock,
    tokens: { in: tokens, out: 0, cached: 0 },
    log: silentLog,
    settings: readAllSettings(settings).settings,
    budget: new RunBudget(
      { tokens: budget, cost: Infinity },
      () => ({ tokens, cost: 0 }),
      () => undefined,
    ),
    signal: stop ?? never,
    finishSignal: finish ?? never,
  };
  const reader = new SecondReader(run, {
    texts: parts.texts ?? 5,
    scopeAt: (place, signal) => ({
      ...scopeOver(
        (request, label) => {
          prompts.push(request.messages.map(({ content }) => content).join('\n\n'));
          return model!(request, `${place.path}/${label}`);
        },
        { signal, limits: { maxStructuredOutputRetries: 1 } },
      ),
      path: place.path,
    }),
  });
  return { reader, prompts, clock };
}

const place = (index: number) => ({
  ...({
    path: `section/s${index}/1`,
    phase: 'report',
    section: `s${index}`,
    today: '2026-02-03',
    language: 'en',
  } as const),
});
const textOf = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join('\n\n');
const modelOf =
  (judge: (text: string, passages: string) => Verdict): Model =>
  (request) =>
    answer(JSON.stringify(verdictsOf(textOf(request), judge)));

async function judged(parts: Parts) {
  const made = readerOf(parts);
  await Promise.all(texts.map((text, index) => made.reader.judge(place(index), text)));
  return { ...made, outcome: made.reader.outcome() };
}
const counted = (outcome: ReadonlyMap<string, Judgement>) =>
  Object.fromEntries(
    [...Map.groupBy(outcome.values(), ({ verdict, reason }) => reason ?? verdict)].map(([key, list]) => [
      key,
      list.length,
    ]),
  );

describe('a second reader', () => {
  it('that is perfect judges every statement as it is', async () => {
    const { outcome, reader, prompts } = await judged({ model: modelOf(truth) });
    assert.ok(reader.isTrusted);
    assert.equal(prompts.length, 5);
    for (const { id, label } of pairs) assert.equal(outcome.get(id)?.verdict, label, id);
    const { supported, absent, contradicted } = reader.controls;
    assert.deepEqual(
      [supported, absent, contradicted].map(({ made, right }) => [made >= 8, made === right]),
      [
        [true, true],
        [true, true],
        [true, true],
      ],
    );
  });

  it('that fails its controls leaves every statement unverified', async () => {
    for (const verdict of ['supported', 'partly', 'contradicted', 'absent'] as const) {
      const { outcome } = await judged({ model: modelOf(always(verdict)) });
      assert.deepEqual(counted(outcome), { controls: pairs.length });
    }
  });

  it('that is silent, breaks its answers or stays away has no answer', async () => {
    const models: readonly Model[] = [
      () => answer(''),
      () => answer('{"verdicts": ['),
      () => Promise.reject(new ResearchError('timeout', 'Nothing came.')),
      () => Promise.reject(new ResearchError('auth', 'A wrong key.')),
    ];
    for (const model of models) {
      const { outcome } = await judged({ model });
      assert.deepEqual(counted(outcome), { noAnswer: pairs.length });
    }
  });

  it('that is rate-limited is asked again after a while', async () => {
    const failed = new Set<string>();
    const { outcome, clock } = await judged({
      model: (request, label) => {
        if (failed.has(label)) return modelOf(truth)(request, label);
        failed.add(label);
        throw new ResearchError('rateLimit', 'Slow down.');
      },
    });
    assert.equal(outcome.get(pairs[0]!.id)?.verdict, pairs[0]!.label);
    assert.ok(clock.slept.length > 0);
    const { outcome: never } = await judged({
      model: () => Promise.reject(new ResearchError('rateLimit', 'Slow down.')),
    });
    assert.deepEqual(counted(never), { noAnswer: pairs.length });
  });

  it('misses what a reader leaves out, and nothing else', async () => {
    const { outcome } = await judged({
      model: (request) => {
        const { verdicts } = verdictsOf(textOf(request), truth);
        const lost = new Set(statements.slice(0, 7).map(({ text }) => text));
        const numbers = [...textOf(request).matchAll(/^(\d+)\. (.*)$/gm)]
          .filter(([, , text]) => lost.has(text!))
          .map(([, number]) => Number(number));
        return answer(JSON.stringify({ verdicts: verdicts.filter(({ statement }) => !numbers.includes(statement)) }));
      },
    });
    assert.equal(counted(outcome)['noAnswer'], 7);
    assert.equal(outcome.size, pairs.length);
  });

  it('is off by the setting and without a model, and does nothing where the budget is spent or the run is to finish', async () => {
    const model: Model = () => assert.fail('nothing is asked');
    assert.deepEqual(counted((await judged({ model, settings: { verification: 'off' } })).outcome), {
      off: pairs.length,
    });
    assert.deepEqual(counted((await judged({ verify: undefined })).outcome), { off: pairs.length });
    assert.deepEqual(counted((await judged({ model, tokens: 90, budget: 100 })).outcome), { budget: pairs.length });
    assert.deepEqual(counted((await judged({ model, finish: AbortSignal.abort() })).outcome), { budget: pairs.length });
    const spent: Model = () => Promise.reject(new ResearchError('budget', 'Used up.'));
    assert.deepEqual(counted((await judged({ model: spent })).outcome), { budget: pairs.length });
  });

  it('ends at once when the user finishes while it reads, and rejects when the run is stopped', async () => {
    for (const how of ['finish', 'stop'] as const) {
      const controller = new AbortController();
      const model: Model = () => {
        controller.abort(new ResearchError(how === 'stop' ? 'abort' : 'finish', 'Ended.'));
        throw controller.signal.reason;
      };
      const run = judged({ model, [how]: controller.signal });
      if (how === 'stop') await assert.rejects(run, { reason: 'abort' });
      else assert.deepEqual(counted((await run).outcome), { budget: pairs.length });
    }
  });

  it('reads thrice in different orders when it is thorough, as it is at depth deep, and the majority counts', async () => {
    let turn = 0;
    const { outcome, prompts } = await judged({
      settings: { depth: 'deep' },
      model: (request, label) => modelOf(label.includes('/check/2/') ? always('absent') : truth)(request, label),
    });
    assert.equal(prompts.length, 15);
    assert.equal(new Set(prompts).size, 15);
    for (const { id, label } of pairs) assert.equal(outcome.get(id)?.verdict, label, id);
    const three = ['supported', 'partly', 'contradicted'] as const;
    const say = () => ({ verdict: three[turn++ % 3]!, words: '', correction: '' });
    const model: Analyst['verify'] = ({ statements: read }) => {
      const verdict = say();
      return Promise.resolve(new Map(read.map(({ number }) => [number, verdict])));
    };
    const { reader } = readerOf({ verify: model, settings: { verification: 'thorough' } });
    const one = await reader.judge(place(1), texts[0]!);
    assert.deepEqual(counted(one), { partly: texts[0]!.length });
  });

  it('takes a quarter of the tokens of a run at most: passages become shorter, statements are never left out', async () => {
    const long = statements.map((one) => ({
      ...one,
      passages: one.passages.map((passage) => ({
        ...passage,
        text: `${passage.text} ${'Other things were noted that day as well. '.repeat(60)}`,
      })),
    }));
    const size = async (tokens: number, settings = {}) => {
      const { reader, prompts } = readerOf({ model: modelOf(truth), tokens, texts: 1, settings });
      const found = await reader.judge(place(1), long);
      assert.equal(found.size, long.length);
      return prompts.reduce((sum, prompt) => sum + prompt.length, 0);
    };
    const [whole, narrow] = [await size(1e6), await size(20_000)];
    assert.ok(narrow < whole / 2, `${narrow} of ${whole}`);
    assert.ok((await size(20_000, { verification: 'thorough' })) > whole * 2);
  });

  it('mixes at least thirty controls among the statements of a run, whatever the number of its texts', async () => {
    for (const count of [1, 3, 8]) {
      const { reader } = readerOf({ model: modelOf(truth), texts: count });
      const share = Math.ceil(statements.length / count);
      for (let index = 0; index < count; index += 1)
        await reader.judge(place(index), statements.slice(index * share, (index + 1) * share));
      const made = Object.values(reader.controls).reduce((sum, one) => sum + one.made, 0);
      assert.ok(made >= 30 && made <= 48, `${made} in ${count} texts`);
    }
  });

  it('asks the same after a resume, though more tokens are spent by then', async () => {
    const lines: string[] = [];
    const first = await judged({ model: modelOf(truth), tokens: 8_000, lines });
    const again = await judged({ model: modelOf(truth), tokens: 1e6, lines });
    assert.deepEqual(again.prompts, first.prompts);
    const other = await judged({ model: modelOf(truth), tokens: 1e6 });
    assert.notDeepEqual(other.prompts, first.prompts);
  });

  it('numbers statements so that a row of the same verdicts does not look like a loop', async () => {
    const answers: string[] = [];
    await judged({
      model: (request, label) => {
        const made = modelOf(always('supported'))(request, label) as ChatAnswer;
        answers.push(made.text);
        return made;
      },
    });
    assert.deepEqual(
      answers.map((text) => repeatedEnd(text)),
      answers.map(() => 0),
    );
  });

  it('makes up with the last text for controls that the others did not have', async () => {
    const { reader } = readerOf({ model: modelOf(truth), texts: 5 });
    await reader.judge(place(1), texts[0]!);
    await reader.judge(place(2), statements.slice(0, 30), 'last');
    const made = Object.values(reader.controls).reduce((sum, one) => sum + one.made, 0);
    assert.equal(made, 30);
  });

  it('reads nothing of a statement that nothing comes near to: it is absent', async () => {
    const { reader, prompts } = readerOf({ model: modelOf(truth) });
    const found = await reader.judge(place(1), [{ ...statements[0]!, passages: [] }]);
    assert.equal(found.get(statements[0]!.id)?.verdict, 'absent');
    assert.equal(prompts.length, 0);
  });
});
