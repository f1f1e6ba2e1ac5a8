import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAllSettings } from '../../../../src/catalogue.ts';
import type { Analyst } from '../../../../src/research/analyst/analyst.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { checkText, sentencesToCheck, type TextToCheck } from '../../../../src/research/runner/checkText.ts';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { rightVerdict } from '../../../support/rightReader.ts';
import { fakeClock, note, scriptedAnalyst, scriptedTool, silentLog } from '../../../support/scriptedParts.ts';

const notes = [
  note('Barrier', 'The storm barrier closes when the water stands 3.10 m above the mean level. It was built in 1997.'),
  note(
    'Bees',
    'Bees visit about 2,000 flowers on a warm afternoon in June. A colony stores 15 kg of honey in a winter.',
  ),
  note('Library', 'The library lends 48,000 volumes to students every year. Its reading room seats 120 people.'),
];
const readable: Analyst['verify'] = ({ statements }) =>
  Promise.resolve(
    new Map(statements.map(({ number, text, passages }) => [number, rightVerdict(text, passages.join('\n'))])),
  );
const text = 'The storm barrier closes at 3.10 m above the mean level. Bees visit about 9,000 flowers in June.';

function check(
  over: Partial<TextToCheck> = {},
  {
    verify,
    tools = [scriptedTool(() => ({ documents: notes }))],
  }: {
    readonly verify?: Analyst['verify'] | undefined;
    readonly tools?: readonly ResearchTool[];
  } = { verify: readable },
  controller = new AbortController(),
) {
  const analyst = scriptedAnalyst(verify && { verify });
  return checkText(
    {
      ...{ settings: readAllSettings({}).settings, analyst, fallback: analyst, provider: 'test', model: 'test', tools },
      ...{ sink: { save: () => Promise.resolve(undefined) }, clock: fakeClock(), log: silentLog },
    },
    { sentences: sentencesToCheck(text).sentences, isTyped: true, ...over },
    controller,
  );
}

describe('the sentences of a text that are checked', () => {
  it('are those that state something: no heading, table, code, list mark or citation', () => {
    const marked = [
      '# The barrier of the harbour',
      '- The barrier closes at 3.10 m. [[1]](#ref-1)',
      '> Bees visit many flowers in June.',
      '```sh\nnpm install everything at once.\n```',
      '| a long row | of some table |\n|---|---|\n',
      'Yes. Bees visit many flowers in June.',
    ].join('\n\n');
    assert.deepEqual(sentencesToCheck(marked), {
      sentences: ['The barrier closes at 3.10 m.', 'Bees visit many flowers in June.'],
      left: 0,
    });
  });

  it('are forty at most, and the rest is counted; nothing, code and signs alone are none', () => {
    const many = Array.from({ length: 55 }, (_, index) => `The barrier number ${index} closes early.`).join(' ');
    const { sentences, left } = sentencesToCheck(many);
    assert.deepEqual([sentences.length, left], [40, 15]);
    for (const empty of ['', ' \n ', '```\nall of this is code here\n', '!!! ... ???', '\0\0'])
      assert.deepEqual(sentencesToCheck(empty), { sentences: [], left: 0 });
    assert.ok(sentencesToCheck('word '.repeat(1_000_000)).sentences.length <= 1);
  });
});

describe('a text that is checked', () => {
  it('has a verdict for each sentence, with the passages of its nearest sources', async () => {
    const { sentences, tokens } = await check();
    const [barrier, bees] = sentences;
    assert.deepEqual([barrier!.verdict, bees!.verdict], ['supported', 'contradicted']);
    assert.match(barrier!.passages[0]!.text, /3\.10 m above/);
    assert.deepEqual(barrier!.passages[0]!.source.file?.path, 'notes/barrier.md');
    assert.match(bees!.correction, /about 2,000 flowers/);
    assert.equal(tokens, 0);
  });

  it('quotes the nearest passages without a model, and calls nothing supported', async () => {
    const { sentences } = await check({}, {});
    assert.deepEqual(
      sentences.map(({ verdict }) => verdict),
      ['unverified', 'unverified'],
    );
    assert.match(sentences[1]!.passages[0]!.text, /2,000 flowers/);
  });

  it('is not judged by a reader that fails its controls', async () => {
    const agrees: Analyst['verify'] = ({ statements }) =>
      Promise.resolve(
        new Map(statements.map(({ number }) => [number, { verdict: 'supported', words: '', correction: '' }])),
      );
    const { sentences } = await check({}, { verify: agrees });
    assert.ok(sentences.every(({ verdict }) => verdict === 'unverified'));
  });

  it('does not support itself: the file that it is from is no source of it', async () => {
    const { sentences } = await check({ ownFile: 'notes/barrier.md' });
    assert.deepEqual([sentences[0]!.verdict, sentences[0]!.passages], ['absent', []]);
    assert.equal(sentences[1]!.verdict, 'contradicted');
  });

  it('searches on when a source fails, and says so', async () => {
    const broken = scriptedTool(() => Promise.reject(new ResearchError('network', 'No route to the notes.')), {
      ...{ name: 'search_far', source: 'far' },
    });
    const near = scriptedTool(() => ({ documents: notes }));
    const { sentences, warnings } = await check({}, { verify: readable, tools: [near, broken] });
    assert.equal(sentences[0]!.verdict, 'supported');
    assert.match(warnings.join(' '), /No route to the notes/);
  });

  it('sends the words of a typed text alone', async () => {
    const asked: string[] = [];
    const outgoing = {
      asked: (words: string) => void asked.push(words),
      retrieved: () => undefined,
      prepare: () => undefined,
      check: (_: ResearchTool, args: Readonly<Record<string, unknown>>) => Promise.resolve({ args, removed: [] }),
    };
    for (const isTyped of [false, true]) {
      const analyst = scriptedAnalyst();
      await checkText(
        {
          ...{ settings: readAllSettings({}).settings, analyst, fallback: analyst, provider: 'test', model: null },
          ...{ tools: [scriptedTool(() => ({ documents: notes }))], outgoing },
          ...{ sink: { save: () => Promise.resolve(undefined) }, clock: fakeClock(), log: silentLog },
        },
        { sentences: ['The storm barrier closes early.'], isTyped },
        new AbortController(),
      );
    }
    assert.deepEqual(asked, ['The storm barrier closes early.']);
  });

  it('ends when it is stopped', async () => {
    const controller = new AbortController();
    const tools = [
      scriptedTool((_, signal) => {
        controller.abort(new ResearchError('abort', 'Stopped.'));
        return Promise.reject(signal.reason as Error);
      }),
    ];
    await assert.rejects(check({}, { verify: readable, tools }, controller), /Stopped/);
  });
});
