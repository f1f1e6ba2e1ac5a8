import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ProposedPlan } from '../../../src/protocol/ports.ts';
import { estimatePlan } from '../../../src/protocol/planEstimate.ts';
import { emptyView, reduceRun } from '../../../src/protocol/reduceRun.ts';
import {
  clearAssessment,
  goodReview,
  note,
  ofType,
  planOf,
  scriptedAnalyst,
  scriptedTool,
} from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';

describe('plan', () => {
  it('runs what was approved: sections renamed, removed and added, in the given order', async () => {
    const asked: ProposedPlan[] = [];
    const { result, events } = scriptedRun({
      settings: { planApproval: 'always' },
      approve: async (plan) => {
        asked.push(plan);
        return {
          ...plan,
          sections: [
            { ...plan.sections[2]! },
            { ...plan.sections[0]!, title: 'Alpha renamed' },
            { id: 'new', title: 'Delta', description: '', queries: [] },
          ],
        };
      },
    });
    const { report } = await result;
    assert.equal(asked.length, 1);
    assert.deepEqual(
      ofType(events, 'plan/proposed').map(({ needsApproval }) => needsApproval),
      [true],
    );
    assert.deepEqual(
      ofType(events, 'plan/approved').map(({ sections }) => sections.map(({ title }) => title)),
      [['Gamma', 'Alpha renamed', 'Delta']],
    );
    assert.deepEqual([...report.matchAll(/^## (.*)$/gm)].map(([, title]) => title).slice(0, 3), [
      'Gamma',
      'Alpha renamed',
      'Delta',
    ]);
    assert.ok(!/^## Beta/m.test(report));
  });

  it('is made once, however often sections go back', async () => {
    let plans = 0;
    let reviews = 0;
    const { result } = scriptedRun({
      analyst: scriptedAnalyst({
        plan: async () => ((plans += 1), planOf(['Alpha', 'Beta', 'Gamma'])),
        review: async () => ((reviews += 1), { ...goodReview, isSufficient: false, sectionsToRetry: ['s1'] }),
      }),
    });
    await result;
    assert.equal(plans, 1);
    assert.equal(reviews, 3);
  });

  it('is shown before it runs when confidence is middling or the run is costly, and never when that is switched off', async () => {
    const unsure = scriptedAnalyst({ assess: async () => ({ ...clearAssessment, confidence: 0.8 }) });
    const proposed = async (options: Parameters<typeof scriptedRun>[0]) => {
      const { result, events } = scriptedRun(options);
      await result;
      return ofType(events, 'plan/proposed')[0]!.needsApproval;
    };
    assert.equal(await proposed({ analyst: unsure }), true);
    assert.equal(await proposed({ analyst: unsure, settings: { planApproval: 'never' } }), false);
    assert.equal(await proposed({}), false);
    const seven = planOf(Array.from({ length: 7 }, (_, index) => `Part ${index + 1}`));
    const analyst = { ...scriptedAnalyst({ plan: async () => seven }), kind: 'llm' } as const;
    assert.equal(await proposed({ analyst }), false);
    const priced = { depth: 'deep', prices: { m: { in: 20, out: 80 } } } as const;
    assert.equal(await proposed({ analyst, settings: priced, model: 'm' }), true);
  });

  for (const [count, strategy, expected] of [
    [12, 'sections', 7],
    [12, 'iterative', 5],
    [7, 'sections', 7],
    [1, 'sections', 1],
  ] as const) {
    it(`of ${count} sections from a model has ${expected} (${strategy}), and nothing of it is lost`, async () => {
      const titles = Array.from({ length: count }, (_, index) => `Part ${String.fromCharCode(65 + index)}`);
      const { result, events } = scriptedRun({
        settings: { strategy },
        analyst: { ...scriptedAnalyst({ plan: async () => planOf(titles) }), kind: 'llm' },
        fallback: scriptedAnalyst(),
      });
      await result;
      const [{ sections }] = ofType(events, 'plan/approved') as [ReturnType<typeof ofType<'plan/approved'>>[0]];
      assert.equal(sections.length, expected);
      for (const title of titles)
        assert.ok(
          sections.some((section) => section.title.includes(title)),
          title,
        );
      const warnings = ofType(events, 'run/warning').filter(({ kind }) => kind === 'plan.bounded');
      assert.equal(warnings.length, count === expected ? 0 : 1);
    });
  }
});

describe('review', () => {
  const gapsOf: Record<string, readonly string[]> = {};
  const insufficient = {
    ...goodReview,
    isSufficient: false,
    overallScore: 4,
    gaps: [{ section: 's2', gap: 'No figures.' }],
    sectionsToRetry: ['s2', 's9'],
  };

  it('names what the last one missed and no round could fill, and the run is complete', async () => {
    const { result, events, folder } = scriptedRun({
      settings: { 'limits.maxReviewIterations': 1 },
      analyst: scriptedAnalyst({
        review: async ({ round }) => ({
          ...insufficient,
          gaps: [
            { section: 's2', gap: `Nothing on cost, round ${round === 1 ? 'one' : 'two'} [Sabc12].` },
            { section: round === 1 ? 's3' : 's9', gap: round === 1 ? 'No figures of 2025.' : 'No date.' },
          ],
        }),
      }),
    });
    const { report, outcome, gaps } = await result;
    const open = [
      { section: 's2', gap: 'Nothing on cost, round two [Sabc12].' },
      { section: '', gap: 'No date.' },
      { section: 's3', gap: 'No figures of 2025.' },
    ];
    assert.deepEqual([outcome, gaps], ['complete', open]);
    assert.deepEqual(ofType(events, 'run/finished')[0]!.gaps, open);
    assert.equal(folder.records.at(-1)!.gaps, 3);
    const [, listed] = /\n## Not answered\n\n([^]*?)\n\n## References/.exec(report)!;
    assert.deepEqual(listed!.split('\n'), [
      '- Nothing on cost, round two (Beta; searched: workspace)',
      '- No date (searched: workspace)',
      '- No figures of 2025 (Gamma; searched: workspace)',
    ]);
  });

  it('puts what sources say against each other into a table, from all of its rounds', async () => {
    const texts = ['The index took 12 ms on a laptop in the test.', 'The index took 3 ms on a server in the test.'];
    let ids: readonly string[] = [];
    const { result } = scriptedRun({
      tools: [
        scriptedTool(() => ({
          documents: texts.map((text, index) => ({
            ...{ kind: 'web', authors: [], text },
            title: `Page ${index}`,
            url: `https://example.org/${index}`,
          })),
        })),
      ],
      analyst: scriptedAnalyst({
        review: async ({ round, sections }) => {
          if (round === 2) return goodReview;
          ids = sections[0]!.sourceIds;
          const values = texts.map((text, index) => ({
            text: text.replace(' in the test.', ''),
            sources: [ids[index]!],
          }));
          return { ...insufficient, contradictions: [{ topic: 'Time of the index', values }] };
        },
      }),
    });
    const { report } = await result;
    const [, table] = /\n## Where sources disagree\n\n([^]*?)\n\n## References/.exec(report)!;
    assert.match(
      table!,
      /\| Time of the index \| The index took 12 ms on a laptop \[.*\| The index took 3 ms on a server \[/,
    );
  });

  it('that sent a section back without another one after it names nothing as missing there', async () => {
    const { result } = scriptedRun({
      analyst: scriptedAnalyst({
        review: async ({ round }) => {
          if (round === 2) throw new ResearchError('badAnswer', 'Prose.');
          return { ...insufficient, gaps: [...insufficient.gaps, { section: 's1', gap: 'No limits.' }] };
        },
      }),
    });
    assert.deepEqual((await result).gaps, [{ section: 's1', gap: 'No limits.' }]);
  });

  it('sends back only the named sections, with the gaps, keeping what they had', async () => {
    const attempts: string[] = [];
    const { result, events } = scriptedRun({
      tools: [scriptedTool((query) => ({ documents: [note(query)] }))],
      analyst: scriptedAnalyst({
        act: async ({ task, turn, gaps, known }) => {
          if (turn > 0) return { said: '', calls: [] };
          attempts.push(task.title);
          gapsOf[`${task.title}${attempts.length}`] = gaps;
          if (gaps.length > 0) assert.equal(known.length, 1);
          return {
            said: '',
            calls: [{ id: 'c', name: 'search_notes', args: { query: gaps.length > 0 ? 'Second' : task.title } }],
          };
        },
        review: async ({ round }) => (round === 1 ? insufficient : goodReview),
      }),
    });
    const { report } = await result;
    assert.deepEqual(attempts, ['Alpha', 'Beta', 'Gamma', 'Beta']);
    assert.deepEqual(gapsOf['Beta4'], ['No figures.']);
    assert.deepEqual(
      ofType(events, 'review/finished').map(({ retry, round }) => ({ retry, round })),
      [
        { retry: ['s2'], round: 1 },
        { retry: [], round: 2 },
      ],
    );
    assert.match(report, /## Beta\n\nSecond is described[^\n]*\n\nBeta is described/);
    assert.equal(Math.max(...ofType(events, 'section/updated').map(({ attempt }) => attempt)), 2);
  });

  it('stops sending back at the limit and continues with the report', async () => {
    for (const [limit, rounds] of [
      [0, 1],
      [1, 2],
      [2, 3],
    ] as const) {
      const { result, events } = scriptedRun({
        settings: { 'limits.maxReviewIterations': limit },
        analyst: scriptedAnalyst({ review: async () => insufficient }),
      });
      await result;
      assert.equal(ofType(events, 'review/finished').length, rounds);
    }
  });

  it('lets no section be tried more often than its limit, quick reviews included', async () => {
    for (const limit of [0, 1, 2]) {
      const { result, events } = scriptedRun({
        settings: { 'limits.maxReviewIterations': limit },
        // Thin sections, which the quick review sends back as well.
        analyst: scriptedAnalyst({
          review: async () => ({ ...insufficient, sectionsToRetry: ['s1', 's2', 's3'] }),
          distil: async ({ section, sources }) => ({
            title: section.title,
            content: `One thing. [${sources[0]!.id}]`,
            findings: [{ claim: 'One thing.', quote: sources[0]!.text.slice(0, 20), source: sources[0]!.id }],
          }),
        }),
      });
      await result;
      const attempts = ofType(events, 'section/updated').map(({ attempt }) => attempt);
      assert.equal(Math.max(...attempts), 1 + limit);
    }
  });

  it('goes to the report when it names no known section, or fails', async () => {
    const unknown = scriptedRun({
      analyst: scriptedAnalyst({ review: async () => ({ ...insufficient, sectionsToRetry: ['zzz'] }) }),
    });
    await unknown.result;
    assert.equal(ofType(unknown.events, 'review/finished').length, 1);
    const failing = scriptedRun({
      analyst: scriptedAnalyst({ review: () => Promise.reject(new ResearchError('badAnswer', 'Prose.')) }),
    });
    const { report } = await failing.result;
    assert.match(report, /Alpha is described/);
  });

  it('lets the user decide when asked to', async () => {
    const { result, events } = scriptedRun({
      settings: { reviewApproval: 'always' },
      analyst: scriptedAnalyst({ review: async () => insufficient }),
      decideReview: async ({ retry }) => (assert.deepEqual(retry, ['s2']), 'report'),
    });
    await result;
    assert.deepEqual(
      ofType(events, 'review/finished').map(({ needsApproval }) => needsApproval),
      [true],
    );
    assert.deepEqual(
      ofType(events, 'review/decided').map(({ retry }) => retry),
      [[]],
    );
  });
});

describe('an edited plan', () => {
  const edit = async (plan: ProposedPlan): Promise<ProposedPlan> => ({
    ...plan,
    sections: [
      plan.sections[2]!,
      { ...plan.sections[0]!, title: 'Beta' },
      { ...plan.sections[1]! },
      { id: 'n1', title: 'Delta', description: '', queries: [] },
    ],
  });

  for (const strategy of ['sections', 'iterative'] as const) {
    it(`runs to its end as it was approved: ids, events, view and report agree (${strategy})`, async () => {
      const { result, events } = scriptedRun({ settings: { planApproval: 'always', strategy }, approve: edit });
      const { report } = await result;
      const approved = ofType(events, 'plan/approved')[0]!.sections;
      const titles = ['Gamma', 'Beta', 'Beta (2)', 'Delta'];
      assert.deepEqual(
        approved.map(({ id, title }) => [id, title]),
        titles.map((title, index) => [['s3', 's1', 's2', 's4'][index], title]),
        'the ids of the proposal, and new ones for what is new',
      );
      assert.deepEqual([...report.matchAll(/^## (.*)$/gm)].map(([, title]) => title).slice(0, 4), titles);
      const after = events.slice(events.findIndex(({ type }) => type === 'plan/approved'));
      assert.deepEqual(
        new Map(ofType(after, 'section/updated').map(({ id, title }) => [id, title])),
        new Map(approved.map(({ id, title }) => [id, title])),
      );
      const view = events.reduce(reduceRun, emptyView());
      assert.deepEqual(
        view.sections.map(({ id, title, status }) => [id, title, status]),
        approved.map(({ id, title }) => [id, title, 'completed']),
        'no row is drawn twice or stays pending',
      );
    });
  }

  it('is estimated again with its sections', async () => {
    const { result, events } = scriptedRun({
      settings: { planApproval: 'always', strategy: 'sections', prices: { m: { in: 1, out: 2 } } },
      analyst: { ...scriptedAnalyst(), kind: 'llm' },
      fallback: scriptedAnalyst(),
      model: 'm',
      approve: edit,
    });
    await result;
    const [proposed] = ofType(events, 'plan/proposed');
    const [approved] = ofType(events, 'plan/approved');
    const { basis } = proposed!;
    for (const event of [proposed!, approved!])
      assert.deepEqual(event.estimate, estimatePlan({ strategy: 'sections', sections: event.sections }, basis!));
    assert.ok(approved!.estimate.calls > proposed!.estimate.calls && approved!.estimate.cost! > 0);
  });

  it('keeps the queries of the sections that were not changed', async () => {
    const queries = new Map<string, readonly string[]>();
    const { result } = scriptedRun({
      settings: { planApproval: 'always' },
      approve: edit,
      analyst: scriptedAnalyst({
        act: async ({ task }) => {
          queries.set(task.title, task.queries);
          return { said: '', calls: [] };
        },
      }),
    });
    assert.equal((await result).outcome, 'notFound');
    assert.deepEqual(queries.get('Gamma'), ['Gamma']);
    assert.deepEqual(queries.get('Beta (2)'), ['Beta']);
    assert.deepEqual(queries.get('Delta'), []);
  });

  it('is the brief of the supervisor when that was edited', async () => {
    const briefs: string[] = [];
    const base = scriptedAnalyst();
    const { result, events } = scriptedRun({
      settings: { planApproval: 'always', strategy: 'supervisor' },
      approve: async (plan) => ({ ...plan, sections: [{ ...plan.sections[0]!, description: 'Only the costs.' }] }),
      analyst: scriptedAnalyst({
        supervise: async (input, scope) => {
          briefs.push(input.brief);
          return base.supervise(input, scope);
        },
      }),
    });
    await result;
    assert.deepEqual([...new Set(briefs)], ['Only the costs.']);
    assert.deepEqual(
      ofType(events, 'plan/approved').map(({ sections }) => sections.map(({ id, description }) => [id, description])),
      [[['brief', 'Only the costs.']]],
    );
    const view = events.reduce(reduceRun, emptyView());
    assert.deepEqual(
      view.sections.map(({ id, status }) => [id, status]),
      [
        ['t1', 'completed'],
        ['t2', 'completed'],
      ],
    );
  });
});
