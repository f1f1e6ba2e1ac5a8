import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isJustStart, readAnswer } from '../../../../src/research/policy/justStart.ts';
import { decideSufficiency, type SufficiencyInput } from '../../../../src/research/policy/sufficiency.ts';
import type { Decision } from '../../../../src/research/stateSchema.ts';
import { clearAssessment } from '../../../support/scriptedRun.ts';

const asking = { question: 'Which one?', missingInfo: 'scope', options: [] };
const answered = { id: 'q1', question: 'Which one?', missingInfo: 'scope', answer: 'This' };

function decide(assessment: Partial<typeof clearAssessment>, over: Partial<SufficiencyInput> = {}): Decision {
  return decideSufficiency({
    subject: 'named',
    assessment: { ...clearAssessment, ...assessment },
    asked: [],
    lookups: [],
    clarification: 'whenNeeded',
    ...over,
  }).decision;
}

describe('sufficiency', () => {
  it('starts a clear question, and one whose goal has a reasonable default', () => {
    assert.equal(decide({}), 'START_RESEARCH');
    assert.equal(
      decide({ ...asking, goalClear: false, defaultGoal: 'mechanisms, drugs, resistance' }),
      'START_RESEARCH',
    );
  });

  for (const [why, assessment] of [
    ['the topic is vague', { topicClear: false }],
    ['the scope is too broad to choose', { scopeInferable: false }],
    ['the goal is neither stated nor obvious', { goalClear: false, defaultGoal: '' }],
    ['fewer than two focus points can be named', { focus: ['one'] }],
    ['confidence is below 0.7', { confidence: 0.69 }],
  ] as const) {
    it(`asks when ${why}`, () => assert.equal(decide({ ...asking, ...assessment }), 'NEED_CLARIFICATION'));
  }

  it('confirms the plan from 0.7 to 0.9, or with fewer than three focus points', () => {
    assert.equal(decide({ ...asking, confidence: 0.7 }), 'CONFIRM_PLAN');
    assert.equal(decide({ ...asking, confidence: 0.89 }), 'CONFIRM_PLAN');
    assert.equal(decide({ ...asking, focus: ['one', 'two'] }), 'CONFIRM_PLAN');
  });

  it('looks unknown terms up before it asks, each once', () => {
    assert.equal(decide({ ...asking, unknownTerms: ['RLM'], topicClear: false }), 'VERIFY_TOPIC');
    const found = { term: 'rlm', outcome: 'found', summary: '' } as const;
    assert.equal(decide({ ...asking, unknownTerms: ['RLM'] }, { lookups: [found] }), 'START_RESEARCH');
    assert.equal(
      decide({ ...asking, unknownTerms: ['RLM'] }, { lookups: [{ ...found, term: 'RLM', outcome: 'notFound' }] }),
      'NEED_CLARIFICATION',
    );
    assert.equal(
      decide({ ...asking, unknownTerms: ['RLM'] }, { lookups: [{ ...found, term: 'RLM', outcome: 'impossible' }] }),
      'START_RESEARCH',
    );
  });

  it('hardly ever asks after an answer, and never after a skip, three answers, or for the same thing', () => {
    const more = { ...asking, missingInfo: 'goal', needClarification: true, confidence: 0.5, goalClear: false };
    assert.equal(decide(more, { asked: [answered] }), 'CONFIRM_PLAN');
    assert.equal(decide({ ...more, topicClear: false }, { asked: [answered] }), 'NEED_CLARIFICATION');
    assert.equal(decide({ ...more, topicClear: false }, { asked: [{ ...answered, answer: null }] }), 'START_RESEARCH');
    assert.equal(decide({ ...more, topicClear: false }, { asked: [answered, answered, answered] }), 'CONFIRM_PLAN');
    assert.equal(decide({ ...more, topicClear: false, missingInfo: 'scope' }, { asked: [answered] }), 'CONFIRM_PLAN');
  });

  it('never asks when that is off, and asks a clear question when it is set to always', () => {
    assert.equal(decide({ ...asking, topicClear: false }, { clarification: 'off' }), 'CONFIRM_PLAN');
    assert.equal(decide(asking, { clarification: 'always' }), 'NEED_CLARIFICATION');
  });

  it('refuses first', () => {
    assert.equal(decide({ cannotDo: 'No.', unknownTerms: ['X'], topicClear: false }), 'CANNOT_DO');
  });

  it('is total: some decision for every input, and no endless asking', () => {
    const text = fc.constantFrom('', 'scope', 'goal', 'topic');
    const assessment = fc.record({
      ...Object.fromEntries(Object.entries(clearAssessment).map(([key, value]) => [key, fc.constant(value)])),
      question: text,
      missingInfo: text,
      defaultGoal: text,
      topicClear: fc.boolean(),
      scopeInferable: fc.boolean(),
      goalClear: fc.boolean(),
      needClarification: fc.boolean(),
      focus: fc.array(fc.string(), { maxLength: 4 }),
      confidence: fc.float({ min: 0, max: 1, noNaN: true }),
    }) as unknown as fc.Arbitrary<typeof clearAssessment>;
    fc.assert(
      fc.property(
        assessment,
        fc.nat(5),
        fc.constantFrom('off', 'whenNeeded', 'always'),
        (value, rounds, clarification) => {
          const asked = Array.from({ length: rounds }, (_, index) => ({
            ...answered,
            id: `q${index}`,
            missingInfo: `m${index}`,
          }));
          const { decision } = decideSufficiency({
            subject: 'named',
            assessment: value,
            asked,
            lookups: [],
            clarification: clarification,
          });
          assert.ok(['NEED_CLARIFICATION', 'CONFIRM_PLAN', 'START_RESEARCH'].includes(decision));
          if (rounds >= 3 || clarification === 'off') assert.notEqual(decision, 'NEED_CLARIFICATION');
        },
      ),
    );
  });
});

describe('answers', () => {
  it('understands "just start" in any case, script and punctuation, and nothing else', () => {
    for (const text of ['just start', 'Just start!', '直接开始研究', '直接开始。', 'GO', '바로 시작'])
      assert.ok(isJustStart(text), text);
    for (const text of ['start with drugs', 'the go language', '开始的地方', '']) assert.ok(!isJustStart(text), text);
  });

  it('reads an option by number or label, and keeps free text', () => {
    const options = [{ label: 'Methods' }, { label: 'Tools' }];
    assert.equal(readAnswer('2', options), 'Tools');
    assert.equal(readAnswer(' methods ', options), 'Methods');
    assert.equal(readAnswer('7', options), '7');
    assert.equal(readAnswer('both, really', options), 'both, really');
    assert.equal(readAnswer('  ', options), null);
  });
});
