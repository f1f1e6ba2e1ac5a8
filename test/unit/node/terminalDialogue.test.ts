import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { readReviewAnswer } from '../../../src/node/terminalAnswers.ts';
import { terminalDialogue } from '../../../src/node/terminalDialogue.ts';

it('what a model asks steers no terminal', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const dialogue = terminalDialogue({
    ...{ yes: false, answers: [], interactive: true, input, output },
    signal: AbortSignal.timeout(5_000),
  });
  const hostile = 'Which\u001b]0;title\u0007 one\u009b2J\u202e?';
  const answered = dialogue.answer({
    ...{ id: 'q', question: hostile, missingInfo: 'goal', why: '', topicMissing: false },
    options: [{ label: hostile, recommended: true }],
  });
  input.write('1\n');
  assert.equal(await answered, '1');
  const shown = String(output.read());
  assert.match(shown, /Which\]0;title one2J\?\n {2}1\. Which/);
});

const review = {
  review: { overallScore: 5, isSufficient: false, gaps: [{ section: 's2', gap: 'No figures.' }] },
  retry: ['s2'],
  sections: ['s2', 's3', 's12'].map((id) => ({ id, title: `Title of ${id}` })),
};

for (const [answer, expected] of [
  ['yes', 'continue'],
  ['ok', 'continue'],
  ['no', 'report'],
  ['0', 'report'],
  ['s2', { sections: [{ id: 's2', remark: '' }] }],
  ['2: look at 2026', { sections: [{ id: 's2', remark: 'look at 2026' }] }],
  [
    'S2, 3: prices; 3 of them: now; s12',
    {
      sections: [
        { id: 's2', remark: 'prices; 3 of them: now' },
        { id: 's3', remark: 'prices; 3 of them: now' },
        { id: 's12', remark: '' },
      ],
    },
  ],
  ['1', undefined],
  ['s9', undefined],
  ['2, s9', undefined],
  ['perhaps', undefined],
] as const) {
  it(`an answer to a review: ${answer}`, () => assert.deepEqual(readReviewAnswer(answer, review), expected));
}

it('asks again at a terminal when an answer to a review means nothing', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const dialogue = terminalDialogue({
    ...{ yes: false, answers: [], interactive: true, input, output },
    signal: AbortSignal.timeout(5_000),
  });
  const decided = dialogue.decideReview(review);
  let shown = '';
  const answers = ['perhaps\n', 's3\n'];
  output.on('data', (text) => {
    shown += String(text);
    if (String(text).endsWith('Enter for yes: ')) input.write(answers.shift()!);
  });
  assert.deepEqual(await decided, { sections: [{ id: 's3', remark: '' }] });
  assert.equal(shown.match(/Allowed answers: yes \(research s2 further\), no/g)?.length, 2);
});
