import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AskedQuestion } from '../../../../src/research/analyst/analyst.ts';
import { ExtractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { decideSufficiency } from '../../../../src/research/policy/sufficiency.ts';
import type { WorkspaceFacts } from '../../../../src/research/tools.ts';
import { scopeOf } from './samples.ts';
import { slow } from '../../../support/slow.ts';

const analyst = new ExtractiveAnalyst();
const workspace: WorkspaceFacts = {
  name: 'examples',
  repos: [],
  languages: ['TypeScript'],
  packages: [],
  arxivIds: [],
  githubLinks: [],
  fileCount: 20,
  topics: ['Retrieval: sparse, dense and hybrid', 'Changelog'],
};

function assess(question: string, asked: readonly AskedQuestion[] = [], language = 'en') {
  return analyst.assess({ question, asked, lookups: [], workspace }, scopeOf({ language }));
}

async function decide(question: string, asked: readonly AskedQuestion[] = []) {
  return decideSufficiency({
    assessment: await assess(question, asked),
    asked,
    lookups: [],
    clarification: 'whenNeeded',
  });
}

for (const question of [
  'What are the main techniques for retrieval-augmented generation?',
  'KRAS G12C',
  'PD-1 耐药机制',
  'GLP-1 agonists',
  'HyDE',
  '검색 증강 생성',
  'ما هو RAG؟',
]) {
  test(`"${question}" starts without a question`, async () => {
    assert.equal(await decide(question), 'START_RESEARCH');
    const assessment = await assess(question);
    assert.ok(assessment.focus.length >= 3);
    assert.notEqual(assessment.verification, '');
    assert.equal(assessment.refinedQuery, question);
  });
}

test('a goal that was not stated has a default that can be told as an assumption', async () => {
  const assessment = await assess('KRAS G12C');
  assert.equal(assessment.goalClear, false);
  assert.notEqual(assessment.defaultGoal, '');
});

for (const question of ['', 'help me', 'asdf', 'tell me about it', 'hi', '🎉', '你好，帮帮我']) {
  test(`"${question}" is asked for its topic, with topics of the workspace`, async () => {
    assert.equal(await decide(question), 'NEED_CLARIFICATION');
    const assessment = await assess(question);
    assert.equal(assessment.missingInfo, 'topic');
    assert.ok(assessment.options.length >= 2 && assessment.options.length <= 5);
    assert.equal(assessment.options.filter(({ recommended }) => recommended).length, 1);
    assert.equal(assessment.options[0]!.label, 'Retrieval: sparse, dense and hybrid');
  });
}

test('the question is put in the language of the run', async () => {
  assert.match((await assess('帮我', [], 'zh')).question, /\p{Script=Han}/u);
  assert.match((await assess('привет', [], 'ru')).question, /\p{Script=Cyrillic}/u);
  assert.match((await assess('hei', [], 'fi')).verification, /^Research/);
});

test('an answer names the topic, and nothing more is asked', async () => {
  const asked = [{ id: 'q1', question: 'What?', missingInfo: 'topic', answer: 'reranking with cross-encoders' }];
  assert.equal(await decide('help me', asked), 'START_RESEARCH');
  assert.equal((await assess('help me', asked)).refinedQuery, 'reranking with cross-encoders');
});

test('a topic that was skipped is not asked for again and not guessed', async () => {
  for (const answer of [null, 'hi']) {
    const asked = [{ id: 'q1', question: 'What?', missingInfo: 'topic', answer }];
    assert.equal(await decide('help me', asked), 'CANNOT_DO');
  }
});

test('a whole field is narrowed once, and the answer is worked in', async () => {
  assert.equal(await decide('AI'), 'NEED_CLARIFICATION');
  assert.equal((await assess('AI')).missingInfo, 'scope');
  const asked = [{ id: 'q1', question: 'Which side?', missingInfo: 'scope', answer: 'Tools and implementations' }];
  assert.equal(await decide('AI', asked), 'START_RESEARCH');
  assert.equal((await assess('AI', asked)).refinedQuery, 'AI — Tools and implementations');
  assert.equal(await decide('AI', [{ ...asked[0]!, answer: null }]), 'START_RESEARCH');
});

for (const question of [
  'write me a poem',
  '2 + 2 =',
  'translate this',
  'rm -rf /',
  '写一首诗',
  'напиши мне стихи',
  'tell me a joke',
]) {
  test(`"${question}" is no research`, async () => assert.equal(await decide(question), 'CANNOT_DO'));
}

for (const question of [
  'history of poetry generation',
  'writing a compiler in Rust',
  'machine translation metrics',
  'Why is 0.1 + 0.2 not 0.3 in JavaScript?',
  'Which git hosting is best?',
]) {
  test(`"${question}" is research`, async () => assert.equal((await assess(question)).cannotDo, null));
}

test('every text is judged, and the same text the same way', slow, async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (question) => {
      const [first, second] = [await assess(question), await assess(question)];
      assert.deepEqual(first, second);
      assert.ok(first.confidence >= 0 && first.confidence <= 1);
      if (first.needClarification) assert.ok(first.options.length >= 2);
    }),
  );
  const started = performance.now();
  await assess('retrieval '.repeat(20_000));
  assert.ok(performance.now() - started < 1_000);
});
