import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Verdict } from '../../../../src/research/analyst/analyst.ts';
import { prepareCheck } from '../../../../src/research/verification/checkStatement.ts';

const passages = [
  'The storm barrier closes when the water stands 3.10 m above the mean level of the sea. It was built in 1997 for 450 million euros. Its two arms are each 210 m long.',
];
const others = [
  ['Bees visit about 2,000 flowers on a warm afternoon in June. A colony stores 15 kg of honey for one winter.'],
  ['The library lends 48,000 volumes to students every year. Its reading room seats 120 people under one roof.'],
];
const statement = 'The barrier closes at 3.10 m.';
const says = (verdict: Verdict['verdict']): Verdict => ({ verdict, words: '', correction: '' });

describe('a statement that is checked on its own', () => {
  const { input, tokens, verdictOf } = prepareCheck(statement, passages, others);
  const own = input.statements.find(({ text }) => text === statement)!;

  it('is read among control statements, which its cost includes', () => {
    assert.equal(input.statements.length, 13);
    assert.deepEqual(own.passages, passages);
    assert.ok(tokens.in > 1_100 && tokens.out >= 13 * 45);
  });

  it('has the verdict of a reader that knows the controls', () => {
    const right = input.statements.map(({ number, text, passages: read }) => {
      const isThere = read.some((passage) => passage.includes(text));
      const isElsewhere = [...passages, ...others.flat()].some((passage) => passage.includes(text));
      return [number, says(isThere ? 'supported' : isElsewhere ? 'absent' : 'contradicted')] as const;
    });
    assert.equal(verdictOf(new Map([...right, [own.number, says('partly')]]))?.verdict, 'partly');
  });

  it('has none of a reader that says yes to everything, or nothing', () => {
    assert.equal(verdictOf(new Map(input.statements.map(({ number }) => [number, says('supported')]))), undefined);
    assert.equal(verdictOf(new Map()), undefined);
  });
});
