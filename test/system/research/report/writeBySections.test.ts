import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  Analyst,
  CritiqueInput,
  Frame,
  FrameInput,
  ReportPoint,
  ReviewInput,
  SectionInput,
} from '../../../../src/research/analyst/analyst.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { goodReview, note, ofType, scriptedAnalyst, scriptedTool } from '../../../support/scriptedParts.ts';
import { scriptedRun, type ScriptedOptions } from '../../../support/scriptedRun.ts';

/** A report by sections, through the real graph, with an analyst that writes what it is told. */
const frameOf = ({ sections }: FrameInput, summary = 'A summary'): Frame => {
  const cited = `[${sections.flatMap(({ findings }) => findings)[0]!.source}].`;
  return {
    title: 'About Alpha',
    summary: `${summary} ${cited}`,
    analysis: '',
    conclusion: `That is it ${cited}`,
  };
};

const textOf = ({ section }: Pick<SectionInput, 'section'>): string =>
  section.findings.length === 0
    ? ''
    : `${section.title} is described here in a full sentence [${section.findings[0]!.source}].`;

function run(over: Partial<Analyst> = {}, options: ScriptedOptions = {}) {
  const analyst = scriptedAnalyst({
    kind: 'llm',
    writeSection: async (input, _scope, onText) => {
      const text = textOf(input);
      onText?.(text);
      return text;
    },
    frame: async (input) => frameOf(input),
    critique: async () => [],
    ...over,
  });
  return scriptedRun({ analyst, fallback: scriptedAnalyst(), ...options });
}

/** Resolves when it is called. */
function signal() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, fire: () => resolve() };
}

describe('a report by sections', () => {
  it('shows a section’s text while another one is still being searched', async () => {
    const seen = signal();
    const { result, events } = run(
      {},
      {
        tools: [
          scriptedTool(async (query) => {
            if (query === 'Gamma') await seen.promise;
            return { documents: [note(query)] };
          }),
        ],
        onEvent: (event) => event.type === 'report/delta' && /described/.test(event.text) && seen.fire(),
      },
    );
    await result;
    const first = events.findIndex((event) => event.type === 'report/delta' && /described/.test(event.text));
    const gamma = events.findIndex(
      ({ type, ...event }) => type === 'tool/finished' && JSON.stringify(event).includes('s3'),
    );
    assert.ok(first > 0 && first < gamma);
  });

  it('is reviewed while sections are written, and reads only what went back in the second review', async () => {
    const reviewing = signal();
    const inputs: ReviewInput[] = [];
    const { result, saved } = run({
      writeSection: async (input) => {
        if (input.section.id === 's3') await reviewing.promise;
        return textOf(input);
      },
      review: async (input) => {
        reviewing.fire();
        inputs.push(input);
        return input.round === 1
          ? { ...goodReview, isSufficient: false, sectionsToRetry: ['s2'], gaps: [{ section: 's2', gap: 'More.' }] }
          : goodReview;
      },
    });
    await result;
    assert.deepEqual(
      inputs.map(({ sections, settled }) => [sections.map(({ id }) => id), settled?.map(({ id }) => id)]),
      [
        [['s1', 's2', 's3'], undefined],
        [['s2'], ['s1', 's3']],
      ],
    );
    assert.equal(saved[0]!.markdown.split('## Beta').length, 2);
  });

  it('has its frame written from the findings beside the review, and once more when a section went back', async () => {
    const framing = [signal(), signal()];
    const frames: FrameInput[] = [];
    const { result } = run({
      frame: async (input) => {
        frames.push(input);
        framing[frames.length - 1]!.fire();
        return frameOf(input);
      },
      review: async ({ round }) => {
        await framing[round - 1]!.promise;
        return round === 1
          ? { ...goodReview, isSufficient: false, sectionsToRetry: ['s2'], gaps: [{ section: 's2', gap: 'More.' }] }
          : goodReview;
      },
    });
    await result;
    assert.equal(frames.length, 2);
    assert.ok(
      frames.every(({ sections }) => sections.every(({ text, findings }) => text === '' && findings.length > 0)),
    );
  });

  it('has the frame around the sections, which stay in the order of the plan', async () => {
    const { result, saved } = run({
      frame: async (input) => ({ ...frameOf(input), analysis: 'This says more than any section.' }),
    });
    await result;
    const { markdown } = saved[0]!;
    assert.match(
      markdown,
      /# About Alpha\n\nA summary \[\[1\]\]\(#ref-1\)\.\n\n## Alpha\n\n[^]*## Beta\n\n[^]*## Gamma\n/,
    );
    assert.equal(markdown.split('is described here').length, 4);
  });

  it('sends each part of the text a few times at the most', async () => {
    const { result, events, saved } = run({ critique: points({ part: 's2' }) }, deep);
    await result;
    const sent = ofType(events, 'report/delta').reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(sent <= 4 * saved[0]!.markdown.length, `${sent} of ${saved[0]!.markdown.length}`);
    let shown = '';
    for (const { offset, text } of ofType(events, 'report/delta')) shown = shown.slice(0, offset) + text;
    assert.ok(saved[0]!.markdown.endsWith(shown));
  });

  it('has the program’s own title and conclusion when the frame can’t be written, and says so', async () => {
    const { result, saved } = run({ frame: () => Promise.reject(new ResearchError('timeout', 'Too late.')) });
    const { outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(
      saved[0]!.markdown,
      /# A plan\n\n## Alpha\n\nAlpha is described[^]*## Conclusion and outlook\n\nSections with findings: 3/,
    );
  });

  it('gives a section that can’t be written as it was found', async () => {
    const { result, saved } = run({
      writeSection: async (input) => {
        if (input.section.id === 's2') throw new ResearchError('badAnswer', 'No text.');
        return textOf(input);
      },
    });
    await result;
    assert.match(saved[0]!.markdown, /## Beta\n\n[^#]*Beta is described here in a full sentence/);
  });
});

const deep: ScriptedOptions = { settings: { depth: 'deep' } };

/** A critic's, in its first rounds. */
function points(given: Partial<ReportPoint> | readonly Partial<ReportPoint>[], rounds = 1) {
  return async ({ round }: CritiqueInput): Promise<readonly ReportPoint[]> =>
    [given]
      .flat()
      .flatMap((one) =>
        round > rounds ? [] : [{ part: 's1', kind: 'listed' as const, point: `Weigh it (${round}).`, ...one }],
      );
}

describe('the revision of a draft', () => {
  const rewriting = (text: (input: SectionInput) => string): Partial<Analyst> => ({
    writeSection: async (input) => (input.revision ? text(input) : textOf(input)),
  });

  it('writes the named parts again from their text and the points, and no others', async () => {
    const asked: SectionInput[] = [];
    const frames: FrameInput[] = [];
    const { result, saved, events } = run(
      {
        critique: points([{ part: 's2' }, { part: 'frame' }]),
        ...rewriting((input) => {
          asked.push(input);
          return `${input.revision!.text} Weighed it is better [${input.section.findings[0]!.source}].`;
        }),
        frame: async (input) => {
          frames.push(input);
          return frameOf(input, input.revision ? 'A better summary' : undefined);
        },
      },
      deep,
    );
    await result;
    assert.deepEqual(
      asked.map(({ section, revision }) => [section.id, revision!.points]),
      [['s2', ['Weigh it (1).']]],
    );
    assert.equal(frames.length, 2);
    assert.match(
      saved[0]!.markdown,
      /A better summary \[\[1\]\]\(#ref-1\)\.[^]*## Beta\n\nBeta is described[^\n]*Weighed it is better/,
    );
    assert.deepEqual(
      ofType(events, 'report/revision').map(({ done, changed, points: shown }) => [done, changed, shown.length]),
      [
        [false, [], 2],
        [true, ['s2', 'frame'], 2],
      ],
    );
  });

  it('does not take a part with fewer supported citations, unless it was to take something out', async () => {
    for (const [kind, isTaken] of [
      ['listed', false],
      ['unsupported', true],
    ] as const) {
      const { result, saved } = run(
        {
          critique: points({ part: 's2', kind }),
          writeSection: async (input) =>
            input.revision
              ? textOf(input)
              : `${textOf(input)} And there is more [${input.section.findings[0]!.source}].`,
        },
        deep,
      );
      await result;
      assert.equal(/## Beta\n\nBeta is described[^\n]*\n\n## Gamma/.test(saved[0]!.markdown), true);
      assert.equal(/## Beta\n\n[^\n]*And there is more/.test(saved[0]!.markdown), !isTaken);
    }
  });

  it('happens twice when deep, and never at another depth or without points', async () => {
    for (const [depth, wanted] of [
      ['quick', 0],
      ['standard', 0],
      ['deep', 2],
    ] as const) {
      let times = 0;
      const { result, events } = run(
        {
          critique: points({}, 2),
          ...rewriting(
            (input) => `${input.revision!.text} Again ${(times += 1)} [${input.section.findings[0]!.source}].`,
          ),
        },
        { settings: { depth } },
      );
      await result;
      assert.equal(ofType(events, 'report/revision').filter(({ done }) => done).length, wanted, depth);
    }
    const { result, events } = run({}, deep);
    await result;
    assert.equal(ofType(events, 'report/revision').length, 0);
  });

  it('is left out when the run is finished early, and one that fails leaves the draft', async () => {
    const finish = new AbortController();
    const early = run(
      {
        frame: async (input) => {
          finish.abort();
          return frameOf(input);
        },
        critique: () => assert.fail('nobody waits for a critic'),
      },
      { ...deep, finishSignal: finish.signal },
    );
    await early.result;
    assert.match(early.saved[0]!.markdown, /A summary \[\[1\]\]\(#ref-1\)\./);
    const failing = run({ critique: () => Promise.reject(new ResearchError('badAnswer', 'No points.')) }, deep);
    assert.equal((await failing.result).outcome, 'complete');
  });
});
