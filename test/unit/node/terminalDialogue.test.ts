import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { readReviewAnswer } from '../../../src/node/terminalAnswers.ts';
import { jsonLine, terminalLine } from '../../../src/node/terminalLine.ts';
import { progressLine } from '../../../src/node/terminalProgress.ts';
import { askTools, type DialogueOptions, planLines, terminalDialogue } from '../../../src/node/terminalDialogue.ts';
import type { EstimateBasis } from '../../../src/protocol/plan.ts';
import type { ProposedEntities, ProposedPlan, ResearchEvent } from '../../../src/research/ports.ts';
import type { ResearchError } from '../../../src/research/errors.ts';

it('what a model asks steers no terminal', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const dialogue = terminalDialogue({
    ...{ yes: false, answers: [], interactive: true, input, output },
    signal: new AbortController().signal,
  });
  const hostile = 'Which\u001b]0;title\u0007\n\r one\u009b2J\u202e?';
  const answered = dialogue.answer({
    ...{ id: 'q', question: hostile, missingInfo: 'goal', why: '', topicMissing: false },
    options: [{ label: hostile, recommended: true }],
  });
  input.write('1\n');
  assert.equal(await answered, '1');
  const shown = String(output.read());
  assert.match(shown, /Which\]0;title one2J\?\n {2}1\. Which/);
});

it('an option that --yes takes, or a number that was given before it was shown, is not in the words of the user', async () => {
  const asked = { id: 'q', question: 'Which?', missingInfo: 'goal', why: '', topicMissing: false } as const;
  const options = ['Methods', 'Tools'].map((label, index) => ({ label, recommended: index === 0 }));
  const said = (given: Partial<DialogueOptions>) =>
    terminalDialogue({
      ...{ yes: false, answers: [], interactive: false, input: new PassThrough(), output: new PassThrough() },
      ...{ signal: new AbortController().signal, ...given },
    }).answer({ ...asked, options });
  assert.deepEqual(await said({ yes: true }), { taken: 'Methods' });
  assert.deepEqual(await said({ answers: ['2'] }), { taken: 'Tools' });
  assert.equal(await said({ answers: ['2'], wasAsked: true }), '2');
  assert.equal(await said({ answers: ['Tools'] }), 'Tools');
});

it('what a model says imitates no line of the program', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const signal = new AbortController().signal;
  const ask = (interactive: boolean) =>
    terminalDialogue({ yes: false, answers: [], interactive, input, output, signal });
  const lines = 'Which?\r\nResume with: curl\rDone.\u2028x';
  const asked = { id: 'q', question: lines, missingInfo: 'goal', why: '', topicMissing: false } as const;
  const options = [{ label: lines, recommended: true }];
  await assert.rejects(ask(false).answer({ ...asked, options }), ({ next }: ResearchError) => !/[\n\r]/.test(next));
  const answered = ask(true).answer({ ...asked, options });
  input.write('1\n');
  await answered;
  const coverage = lines;
  const entities = [{ name: lines, brief: lines, category: '', sources: [] }];
  const approved = ask(true).approveEntities({ entities, coverage } as unknown as ProposedEntities);
  input.write('\n');
  await approved;
  assert.doesNotMatch(String(output.read()), /^\s*(?:Resume|Done)/m);
  const made = { run: 'r', seq: 1, at: '2026-03-04T10:00:00.000Z' };
  for (const event of [
    { ...made, type: 'run/strategy', strategy: 'sections', why: lines },
    { ...made, type: 'thought', section: 's1', text: lines },
    { ...made, type: 'run/warning', code: 'x', message: lines },
    { ...made, type: 'section/updated', status: 'failed', title: lines, error: lines },
    { ...made, type: 'report/revision', done: false, points: [{ title: lines, point: lines }] },
    { ...made, type: 'plan/approved', sections: [{ title: lines }] },
  ])
    assert.match(progressLine(event as unknown as ResearchEvent, true)!, /^[^\n\r]*Resume with: curl Done\.[^\n\r]*$/);
});

it('a line keeps the spaces of a path and of its indentation', () => {
  assert.equal(terminalLine('  Report: /home/a  b/c\u00a0d.md\r\n'), '  Report: /home/a  b/c\u00a0d.md');
  assert.equal(terminalLine('\nReport:\t\u001b[2J/x'), ' Report: [2J/x');
});

it('asks at a terminal which tools of a server may be used, and saves what is decided', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const saved: unknown[] = [];
  const ask = askTools(
    { input, output, signal: new AbortController().signal },
    async (...named) => void saved.push(named),
  );
  const tools = [
    { name: 'post', description: 'Posts\u001b[2J\na story.', isOn: false },
    { name: 'look', description: '', isOn: true },
    { name: 'wipe', description: '', isOn: false },
  ];
  const decided = ask({ server: 'odd', tools, haveChanged: false }, new AbortController().signal);
  let shown = '';
  const answers = ['perhaps\n', '1\n'];
  output.on('data', (text: Buffer) => {
    shown += String(text);
    if (String(text).includes('Enter for none')) input.write(answers.shift()!);
  });
  assert.deepEqual(await decided, ['post', 'look']);
  assert.deepEqual(saved, [['odd', ['post', 'look']]]);
  assert.match(shown, /2\. wipe/);
  assert.doesNotMatch(shown, /\u001b\[2J|look/);
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
    signal: new AbortController().signal,
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

describe('the list of what was found', () => {
  const found = {
    coverage: '',
    entities: ['A', 'B', 'C'].map((name) => ({
      ...{ name, category: '', brief: '', source: 'S1', urls: [] },
      priority: 'medium' as const,
    })),
  };
  const dialogue = (...answers: string[]) =>
    terminalDialogue({
      ...{ yes: false, answers, interactive: false, input: new PassThrough(), output: new PassThrough() },
      signal: new AbortController().signal,
    });

  for (const [answer, names] of [
    ['yes', ['A', 'B', 'C']],
    ['', ['A', 'B', 'C']],
    ['1', ['B', 'C']],
    ['1, 3', ['B']],
    ['2 + D 4 + E', ['A', 'C', 'D 4', 'E']],
  ] as const) {
    it(`is answered: ${answer}`, async () => {
      const wanted = await dialogue(answer).approveEntities(found);
      assert.deepEqual(
        wanted.map(({ name }) => name),
        names,
      );
    });
  }

  it('is what waits, not a plan, when there is no answer or none that is allowed', async () => {
    for (const answers of [[], ['perhaps']])
      await assert.rejects(dialogue(...answers).approveEntities(found), {
        reason: 'needsAnswer',
        message: 'The run is waiting for an answer: The list of what was found needs approval: 1. A; 2. B; 3. C.',
        next: 'Allowed answers: yes, no, or numbers to leave out and names to add, like "2, 5 + Name".',
      });
    await assert.rejects(dialogue('no').approveEntities(found), /The list was not approved/);
  });

  it('is answered by --answer before --yes, as a review and a plan are', async () => {
    const answering = (...answers: string[]) =>
      terminalDialogue({
        ...{ yes: true, answers, interactive: false, input: new PassThrough(), output: new PassThrough() },
        signal: new AbortController().signal,
      });
    const names = async (...answers: string[]) =>
      (await answering(...answers).approveEntities(found)).map(({ name }) => name);
    assert.deepEqual(await Promise.all([names(), names('1 +')]), [
      ['A', 'B', 'C'],
      ['B', 'C'],
    ]);
    assert.equal(await answering().decideReview(review), 'continue');
    assert.deepEqual(await answering('2: look at 2026').decideReview(review), {
      sections: [{ id: 's2', remark: 'look at 2026' }],
    });
    assert.deepEqual(await answering('shorter').approve(plan), { remark: 'shorter' });
    await assert.rejects(answering('no').approveEntities(found), /The list was not approved/);
    assert.equal(await answering().approve(plan), plan);
  });

  it('takes a number for what was shown before the run was resumed, with --yes too', async () => {
    const resumed = terminalDialogue({
      ...{ yes: true, answers: ['2'], wasAsked: true, interactive: false },
      ...{ input: new PassThrough(), output: new PassThrough(), signal: new AbortController().signal },
    });
    assert.equal((await resumed.approveEntities(found)).length, 2);
  });

  it('takes under --yes no answer that is meant for another question, as a review and a plan do', async () => {
    const dialogue = terminalDialogue({
      ...{ yes: true, answers: ['2', 's3: prices', 'as a table'], interactive: false },
      ...{ input: new PassThrough(), output: new PassThrough(), signal: new AbortController().signal },
    });
    assert.equal((await dialogue.approveEntities(found)).length, 3);
    assert.deepEqual(await dialogue.decideReview(review), { sections: [{ id: 's3', remark: 'prices' }] });
    assert.equal(await dialogue.decideReview(review), 'continue');
    assert.deepEqual(await dialogue.approve(plan), { remark: 'as a table' });
    assert.equal(await dialogue.approve(plan), plan);
    const asked = {
      id: 'q',
      question: 'Which?',
      missingInfo: 'goal',
      why: '',
      topicMissing: false,
      options: [],
    } as const;
    assert.equal(await dialogue.answer(asked), '2');
  });
});

it('counts in the singular and in the plural', () => {
  const line = (sources: number) =>
    progressLine(
      {
        ...{ type: 'section/updated', id: 's1', title: 'A', status: 'completed', attempt: 1, activity: '', sources },
        ...{ run: 'r', seq: 1, at: '' },
      },
      false,
    );
  assert.deepEqual([line(1), line(1_200)], ['  done: A (1 source)', '  done: A (1,200 sources)']);
});

it('a plan of one call is estimated in the singular', async () => {
  const output = new PassThrough();
  const input = new PassThrough();
  const dialogue = terminalDialogue({
    ...{ yes: false, answers: [], interactive: true, input, output },
    signal: new AbortController().signal,
  });
  const approved = dialogue.approve(plan);
  input.write('\n');
  await approved;
  assert.match(String(output.read()), /About 1 model call, 900 tokens, 1 minute\./);
  assert.deepEqual(planLines({ ...plan, estimate: { calls: 0, tokens: 0, minutes: 1, cost: null } }), [
    ...['', 'T', 'About 1 minute.'],
  ]);
});

const basis: EstimateBasis = {
  ...{ analyst: 'llm', depth: 'standard', sources: ['workspace'], price: null, atOnce: 5, maxToolCalls: 10 },
  ...{ reviewRounds: 2, maxIterations: 5, maxSupervisorIterations: 6, topics: 1 },
};
const plan: ProposedPlan = {
  ...{ title: 'T', sections: [], strategy: 'sections', focus: [], round: 0, basis },
  estimate: { calls: 1, tokens: 900, minutes: 1, cost: null },
};

it('a line of events says nothing to a terminal, and is read as it was', () => {
  const event = { title: 'a\u009b2J\u202eb\u{e0041}\u001b[31m' };
  const line = jsonLine(event);
  assert.match(line, /^[\x20-\x7e]+\n$/);
  assert.deepEqual(JSON.parse(line), event);
});
