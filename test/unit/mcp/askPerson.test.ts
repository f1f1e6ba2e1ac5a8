import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askPerson, type Elicit, type Field } from '../../../src/mcp/askPerson.ts';
import { emptyView } from '../../../src/protocol/reduceRun.ts';
import type { RunView } from '../../../src/protocol/runView.ts';
import type { RunSession } from '../../../src/runs/runSession.ts';

type Form = Awaited<ReturnType<Elicit>>;
interface Shown {
  readonly message: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** Asks what the run waits for, with the forms that come back in order; the last one again and again. */
async function ask(view: Partial<RunView>, ...forms: readonly Form[]) {
  const given: unknown[] = [];
  const note =
    (what: string) =>
    (...values: unknown[]) =>
      void given.push([what, ...values]);
  const session = {
    view: { ...emptyView, ...view },
    answer: note('answer'),
    answerPlan: note('answerPlan'),
    approveEntities: note('approveEntities'),
    decideReview: note('decideReview'),
    stop: async () => note('stop')(),
  } as unknown as RunSession;
  const shown: Shown[] = [];
  const answered = await askPerson(
    async (message, fields) => {
      shown.push({ message, fields });
      return forms[Math.min(shown.length, forms.length) - 1]!;
    },
    session,
    new AbortController().signal,
  );
  return { answered, given, shown };
}

const accept = (content: Form['content'] = {}): Form => ({ action: 'accept', content });
const decline: Form = { action: 'decline' };
const cancel: Form = { action: 'cancel' };

const option = (label: string) => ({ label, answer: label });
const waiting = {
  question: {
    waitingFor: 'answer',
    pending: { id: 'q1', question: 'Which Mercury?', options: [option('The planet'), option('The metal')] },
  },
  openQuestion: { waitingFor: 'answer', pending: { id: 'q2', question: 'What about it?', options: [] } },
  plan: {
    waitingFor: 'plan',
    plan: {
      round: 2,
      title: 'Locks',
      sections: [{ id: 's1', title: 'Gates', description: '' }],
      estimate: { calls: 0, tokens: 0, minutes: 1, cost: null },
    },
  },
  entities: {
    waitingFor: 'entities',
    entities: [
      { name: 'Panama', brief: '' },
      { name: 'Suez', brief: '' },
    ],
    coverage: '',
  },
  review: {
    waitingFor: 'review',
    review: { score: 4, sufficient: false, gaps: [{ section: 's1', gap: 'No figures' }], retry: ['s1'] },
    sections: [{ id: 's1', title: 'Gates', status: 'completed' }],
  },
} as unknown as Readonly<Record<'question' | 'openQuestion' | 'plan' | 'entities' | 'review', Partial<RunView>>>;

describe('a person at a client', () => {
  it('closes the form: the run waits on, whatever was asked', async () => {
    for (const [name, view] of Object.entries(waiting)) {
      const { answered, given, shown } = await ask(view, cancel);
      assert.deepEqual({ answered, given, forms: shown.length }, { answered: false, given: [], forms: 1 }, name);
    }
  });

  it('is asked nothing where the run waits for nothing', async () => {
    assert.deepEqual(await ask({}, accept()), { answered: false, given: [], shown: [] });
  });

  describe('is asked a question, and', () => {
    it('chooses an option', async () => {
      const { answered, given, shown } = await ask(waiting.question, accept({ choice: 'The metal' }));
      assert.ok(answered);
      assert.deepEqual(given, [['answer', 'q1', 'The metal']]);
      assert.equal(shown[0]!.message, 'Which Mercury?');
      assert.deepEqual(shown[0]!.fields['choice'], {
        type: 'string',
        title: 'Answer',
        enum: ['The planet', 'The metal'],
      });
    });

    it('says it in other words, which come before an option', async () => {
      const { given } = await ask(waiting.question, accept({ choice: 'The metal', answer: ' The god ' }));
      assert.deepEqual(given, [['answer', 'q1', 'The god']]);
    });

    it('declines, or accepts an empty form: the run starts without an answer', async () => {
      for (const form of [decline, accept(), accept({ answer: 7 })])
        assert.deepEqual((await ask(waiting.question, form)).given, [['answer', 'q1', null]]);
    });

    it('has no list to choose from where there are no options', async () => {
      const { shown, given } = await ask(waiting.openQuestion, accept({ answer: 'Its orbit' }));
      assert.deepEqual(Object.keys(shown[0]!.fields), ['answer']);
      assert.deepEqual(given, [['answer', 'q2', 'Its orbit']]);
    });
  });

  describe('is shown a plan, and', () => {
    it('approves it', async () => {
      const { given, shown } = await ask(waiting.plan, accept({ approve: true }));
      assert.deepEqual(given, [['answerPlan', 2, { sections: waiting.plan.plan!.sections }]]);
      assert.match(shown[0]!.message, /Gates/);
    });

    it('asks for another one, approved or not', async () => {
      for (const approve of [true, false])
        assert.deepEqual((await ask(waiting.plan, accept({ approve, remark: 'Shorter' }))).given, [
          ['answerPlan', 2, { remark: 'Shorter' }],
        ]);
    });

    it('declines, or accepts the form without its tick: the run is stopped, and nothing is spent', async () => {
      for (const form of [decline, accept(), accept({ approve: 'yes' })])
        assert.deepEqual((await ask(waiting.plan, form)).given, [['stop']]);
    });
  });

  describe('is shown what was found, and', () => {
    const names = (given: readonly unknown[]) =>
      (given as [string, { name: string }[]][]).map(([what, list]) => [what, ...list.map(({ name }) => name)]);

    it('takes all of it, or leaves some out', async () => {
      const all = await ask(waiting.entities, accept());
      assert.deepEqual(names(all.given), [['approveEntities', 'Panama', 'Suez']]);
      assert.match(all.shown[0]!.message, /Panama[^]*Suez/);
      const { given } = await ask(waiting.entities, accept({ change: '2' }));
      assert.deepEqual(names(given), [['approveEntities', 'Panama']]);
    });

    it('declines, or says no: the run is stopped', async () => {
      for (const form of [decline, accept({ change: 'no' })])
        assert.deepEqual((await ask(waiting.entities, form)).given, [['stop']]);
    });

    it('is asked again after a form that means nothing, three times at most', async () => {
      const again = await ask(waiting.entities, accept({ change: 'perhaps' }), accept({ change: '1' }));
      assert.deepEqual(names(again.given), [['approveEntities', 'Suez']]);
      assert.equal(again.shown.length, 2);
      const never = await ask(waiting.entities, accept({ change: 'perhaps' }));
      assert.deepEqual(
        { answered: never.answered, given: never.given, forms: never.shown.length },
        { answered: false, given: [], forms: 3 },
      );
    });
  });

  describe('is shown a review, and', () => {
    it('has the report written, by a no or by declining', async () => {
      for (const form of [accept({ answer: 'no' }), decline])
        assert.deepEqual((await ask(waiting.review, form)).given, [['decideReview', 'report']]);
    });

    it('has the research continued', async () => {
      const { given, shown } = await ask(waiting.review, accept({ answer: 'yes' }));
      assert.deepEqual(given, [['decideReview', 'continue']]);
      assert.match(shown[0]!.message, /No figures/);
    });

    it('sends a section back with what to look for', async () => {
      const { given } = await ask(waiting.review, accept({ answer: 's1: figures' }));
      assert.deepEqual(given, [['decideReview', { sections: [{ id: 's1', remark: 'figures' }] }]]);
    });

    it('is asked again after an answer that is none of those', async () => {
      const { answered, shown } = await ask(waiting.review, accept({ answer: '?' }));
      assert.deepEqual({ answered, forms: shown.length }, { answered: false, forms: 3 });
    });
  });
});
