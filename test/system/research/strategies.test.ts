import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SuperviseInput } from '../../../src/research/analyst/analyst.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { chooseStrategy } from '../../../src/research/policy/chooseStrategy.ts';
import { note, ofType, scriptedAnalyst, scriptedTool } from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';

const analysis = (queryType: 'list' | 'comparison' | 'deep_dive' | 'general') =>
  ({ queryType, outputFormat: 'prose', needsDiscovery: false, discoveryTarget: '', reasoning: '' }) as const;
const insufficient = {
  isSufficient: false,
  overallScore: 4,
  gaps: [{ section: 's2', gap: 'No figures.' }],
  contradictions: [],
  reasoning: '',
};

describe('choice of strategy', () => {
  for (const [question, type, strategy] of [
    ['Which open-source vector databases are there?', 'list', 'sections'],
    ['BM25 vs dense retrieval', 'comparison', 'sections'],
    ['Explain HNSW in detail', 'deep_dive', 'iterative'],
    ['How does retrieval-augmented generation change search engines?', 'general', 'sections'],
    ['When was BM25 published?', 'general', 'short'],
    ['What is the default chunk size of LangChain?', 'general', 'short'],
    ['2005.11401 发表于哪一年，是谁写的，引用是多少？', 'general', 'short'],
  ] as const) {
    it(`takes ${strategy} for "${question}"`, () => {
      const chosen = chooseStrategy('auto', question, analysis(type), ['one', 'two', 'three']);
      assert.equal(chosen.strategy, strategy);
      assert.notEqual(chosen.why, '');
    });
  }

  it('takes what the user set, whatever the question', () => {
    assert.equal(chooseStrategy('supervisor', 'When?', analysis('general'), []).strategy, 'supervisor');
  });

  it('is shown in the run and named in the report', async () => {
    const { result, events } = scriptedRun({ settings: { strategy: 'iterative' } });
    const { report } = await result;
    assert.deepEqual(
      ofType(events, 'run/strategy').map(({ strategy }) => strategy),
      ['iterative'],
    );
    assert.match(report, /\nstrategy: "iterative"\n/);
  });

  it('is explained in the account of a report that is short because the question is small', async () => {
    const small = /^- A small factual question: one researcher and a short report\.$/m;
    const { result } = scriptedRun({ question: 'When was BM25 published?' });
    assert.match((await result).report, small);
    const long = scriptedRun({ question: 'How does retrieval-augmented generation change search engines?' });
    assert.doesNotMatch((await long.result).report, small);
  });
});

describe('strategy short', () => {
  it('makes no plan, no review and one section of the question', async () => {
    const refuse = (): never => assert.fail('not on the short path');
    const { result } = scriptedRun({
      question: 'When was BM25 published?',
      analyst: scriptedAnalyst({ kind: 'llm', plan: refuse, review: refuse }),
    });
    const { report } = await result;
    assert.match(report, /\n## When was BM25 published\n/);
    assert.match(report, /\[1\]/);
  });
});

describe('strategy iterative', () => {
  const settings = { strategy: 'iterative' } as const;

  it('retrieves by the plan’s queries, reads, reflects, and continues with the next queries until the findings suffice', async () => {
    const asked: (readonly string[])[] = [];
    const { result, events } = scriptedRun({
      settings,
      analyst: scriptedAnalyst({
        reflect: async (input) => {
          asked.push(input.asked);
          return input.round === 1
            ? {
                ...insufficient,
                nextQueries: [
                  { section: 's2', query: 'Beta benchmark' },
                  { section: 's2', query: 'beta' },
                ],
              }
            : { ...insufficient, isSufficient: true, overallScore: 9, nextQueries: [] };
        },
      }),
    });
    const { report } = await result;
    assert.deepEqual(asked, [
      ['Alpha', 'Beta', 'Gamma'],
      ['Alpha', 'Beta', 'Gamma', 'Beta benchmark'],
    ]);
    assert.deepEqual(
      ofType(events, 'round/updated').map(({ round, status }) => `${round} ${status}`),
      [
        '1 retrieving',
        '1 reading',
        '1 reflecting',
        '1 completed',
        '2 retrieving',
        '2 reading',
        '2 reflecting',
        '2 completed',
      ],
    );
    assert.match(report, /## Beta\n\nBeta benchmark is described[^\n]*\n\nBeta is described/);
    assert.match(report, /Assessed: 9 of 10 after search rounds: 2/);
  });

  it('sends no query twice, and reads only sections that have something new', async () => {
    const queries: string[] = [];
    const read: string[] = [];
    const scripted = scriptedAnalyst();
    const { result } = scriptedRun({
      settings,
      tools: [scriptedTool((query) => (queries.push(query), { documents: [note(query)] }))],
      analyst: scriptedAnalyst({
        distil: (input, scope) => (read.push(input.section.title), scripted.distil(input, scope)),
        reflect: async ({ round }) => ({
          ...insufficient,
          nextQueries: [
            { section: 's1', query: 'ALPHA!' },
            { section: 's3', query: `New ${round}` },
          ],
        }),
      }),
    });
    await result;
    assert.equal(new Set(queries.map((query) => query.toLowerCase())).size, queries.length);
    assert.deepEqual(read, ['Alpha', 'Beta', 'Gamma', 'Gamma', 'Gamma', 'Gamma', 'Gamma']);
  });

  it('stops at the limit of rounds, and early when a round brings nothing new', async () => {
    const endless = scriptedAnalyst({
      reflect: async ({ round }) => ({ ...insufficient, nextQueries: [{ section: 's1', query: `more ${round}` }] }),
    });
    const limited = scriptedRun({ settings: { ...settings, 'limits.maxIterations': 2 }, analyst: endless });
    await limited.result;
    assert.equal(Math.max(...ofType(limited.events, 'round/updated').map(({ round }) => round)), 2);
    const dry = scriptedRun({
      settings,
      analyst: endless,
      tools: [scriptedTool((query) => ({ documents: [note(query.startsWith('more') ? 'Alpha' : query)] }))],
    });
    assert.deepEqual((await dry.result).gaps, insufficient.gaps, 'no round could fill them');
    assert.equal(Math.max(...ofType(dry.events, 'round/updated').map(({ round }) => round)), 2);
    assert.equal(ofType(dry.events, 'review/finished').length, 1);
  });

  it('does not call missing what a round found that no reflection judged', async () => {
    const { result } = scriptedRun({
      settings,
      analyst: scriptedAnalyst({
        reflect: async ({ round }) => {
          if (round === 2) throw new ResearchError('badAnswer', 'Prose.');
          const gaps = [...insufficient.gaps, { section: 's3', gap: 'No limits.' }];
          return { ...insufficient, gaps, nextQueries: [{ section: 's2', query: 'Figures of Beta' }] };
        },
      }),
    });
    assert.deepEqual((await result).gaps, [{ section: 's3', gap: 'No limits.' }]);
  });

  it('writes the report when reflection fails, and loses only the section whose reading fails', async () => {
    const scripted = scriptedAnalyst();
    const { result, events } = scriptedRun({
      settings,
      fallback: scriptedAnalyst({ distil: () => Promise.reject(new ResearchError('bug', 'No.')) }),
      analyst: scriptedAnalyst({
        distil: (input, scope) =>
          input.section.title === 'Beta'
            ? Promise.reject(new ResearchError('network', 'Gone.'))
            : scripted.distil(input, scope),
        reflect: () => Promise.reject(new ResearchError('badAnswer', 'Prose.')),
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(report, /Alpha is described/);
    assert.deepEqual(
      [
        ...new Set(
          ofType(events, 'section/updated')
            .filter(({ status }) => status === 'failed')
            .map(({ id }) => id),
        ),
      ],
      ['s2'],
    );
  });

  it('ends as notFound when no round finds anything', async () => {
    const { result } = scriptedRun({ settings, tools: [scriptedTool(() => ({ documents: [] }))] });
    assert.equal((await result).outcome, 'notFound');
  });
});

describe('strategy supervisor', () => {
  const settings = { strategy: 'supervisor' } as const;
  const conduct = (...topics: string[]) =>
    topics.map((topic) => ({
      id: topic,
      name: 'ConductResearch',
      args: { research_topic: `${topic}. Find all about it.`, title: topic },
    }));

  it('writes a brief, delegates, reads the findings and ends', async () => {
    const seen: SuperviseInput[] = [];
    const { result, events } = scriptedRun({
      settings,
      analyst: scriptedAnalyst({
        supervise: async (input) => {
          seen.push(input);
          return {
            said: '',
            calls:
              input.round === 0
                ? conduct('Alpha', 'Beta')
                : input.round === 1
                  ? conduct('Gamma')
                  : [{ id: 'e', name: 'ResearchComplete', args: {} }],
          };
        },
      }),
    });
    const { report } = await result;
    assert.equal(seen[0]!.brief, 'I want to know: What do the field notes say about reconnecting?');
    assert.match(seen[1]!.turns[0]!.answers[0]!, /Alpha is described here in a full sentence\. \[S[0-9a-f]+\]/);
    assert.deepEqual([...report.matchAll(/^## (.*)$/gm)].map(([, title]) => title).slice(0, 3), [
      'Alpha',
      'Beta',
      'Gamma',
    ]);
    const topics = ofType(events, 'topic/updated').filter(({ status }) => status === 'completed');
    assert.deepEqual(
      topics.map(({ id, round }) => `${id} ${round}`),
      ['t1 1', 't2 1', 't3 2'],
    );
    assert.deepEqual(
      ofType(events, 'plan/approved')[0]!.sections.map(({ id }) => id),
      ['brief'],
    );
  });

  it('waits for the brief that was begun beside the assessment, and makes no second one', async () => {
    const planning = Promise.withResolvers<void>();
    const briefs: boolean[] = [];
    const { result } = scriptedRun({
      question: 'Explain reranking for retrieval-augmented generation in detail',
      settings,
      fallback: scriptedAnalyst(),
      analyst: scriptedAnalyst({
        kind: 'llm',
        brief: async ({ question }, { signal }) => {
          await planning.promise;
          briefs.push(signal.aborted);
          return question;
        },
      }),
      onEvent: (event) => {
        if (event.type === 'run/phase' && event.phase === 'plan') planning.resolve();
      },
    });
    await result;
    assert.deepEqual(briefs, [false]);
  });

  it('writes a topic as soon as its research ends, while others are in progress', async () => {
    const written = Promise.withResolvers<void>();
    const scripted = scriptedAnalyst();
    const { result } = scriptedRun({
      settings,
      analyst: scriptedAnalyst({
        supervise: async ({ round }) => ({
          said: '',
          calls: round === 0 ? conduct('Alpha', 'Beta') : [{ id: 'e', name: 'ResearchComplete', args: {} }],
        }),
        distil: async (input, scope) => {
          if (input.section.title === 'Beta') await written.promise;
          return scripted.distil(input, scope);
        },
        writeSection: async ({ section, others }) => {
          assert.deepEqual(
            others.map(({ title }) => title),
            [section.title === 'Alpha' ? 'Beta' : 'Alpha'],
          );
          written.resolve();
          return `${section.content}\n`;
        },
      }),
    });
    assert.match((await result).report, /## Alpha\n\nAlpha is described here/);
  });

  it('runs topics beside ResearchComplete, and answers unknown and empty calls', async () => {
    const { result, events } = scriptedRun({
      settings,
      analyst: scriptedAnalyst({
        supervise: async ({ round, turns }) => {
          if (round === 0)
            return {
              said: '',
              calls: [
                { id: 'x', name: 'Dance', args: {} },
                { id: 'y', name: 'ConductResearch', args: {} },
                { id: 'z', name: 'think', args: { reflection: 'Secret thought.' } },
              ],
            };
          assert.match(turns[0]!.answers[0]!, /There is no tool "Dance"/);
          assert.match(turns[0]!.answers[1]!, /No topic was given/);
          assert.equal(turns[0]!.answers.length, 3);
          return { said: '', calls: [{ id: 'e', name: 'ResearchComplete', args: {} }, ...conduct('Alpha')] };
        },
      }),
    });
    const { report } = await result;
    assert.match(report, /Alpha is described/);
    assert.ok(!report.includes('Secret thought'));
    assert.ok(ofType(events, 'thought').some(({ text }) => text === 'Secret thought.'));
  });

  it('queues topics over the limit of researchers, and runs them all', async () => {
    let now = 0;
    let most = 0;
    const { result, events } = scriptedRun({
      settings: { ...settings, 'limits.maxConcurrentResearchers': 2 },
      analyst: scriptedAnalyst({
        supervise: async ({ round }) => ({ said: '', calls: round === 0 ? conduct('A1', 'B2', 'C3', 'D4', 'E5') : [] }),
        act: async ({ task, turn }) => {
          if (turn === 0) most = Math.max(most, (now += 1));
          await new Promise((resolve) => setImmediate(resolve));
          if (turn === 1) now -= 1;
          return {
            said: '',
            calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: task.title } }] : [],
          };
        },
      }),
    });
    await result;
    assert.equal(most, 2);
    assert.equal(
      new Set(
        ofType(events, 'topic/updated')
          .filter(({ status }) => status === 'completed')
          .map(({ id }) => id),
      ).size,
      5,
    );
  });

  it('takes a researcher that fails for an observation; its finished siblings count', async () => {
    let told = '';
    const { result } = scriptedRun({
      settings,
      analyst: scriptedAnalyst({
        supervise: async ({ round, turns }) => {
          told = turns[0]?.answers[1] ?? told;
          return { said: '', calls: round === 0 ? conduct('Alpha', 'Broken') : [] };
        },
        act: async ({ task, turn }) => {
          if (task.title === 'Broken') throw new ResearchError('network', 'The model is gone.');
          return {
            said: '',
            calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: task.title } }] : [],
          };
        },
      }),
    });
    const { report } = await result;
    assert.match(told, /This researcher failed: The model is gone/);
    assert.match(report, /Alpha is described[\s\S]*## Broken\n\nThis section could not be researched/);
  });

  it('means its limit of rounds', async () => {
    let rounds = 0;
    const { result } = scriptedRun({
      settings: { ...settings, 'limits.maxSupervisorIterations': 3 },
      analyst: scriptedAnalyst({
        supervise: async ({ round }) => ((rounds += 1), { said: '', calls: conduct(`Topic ${round}`) }),
      }),
    });
    await result;
    assert.equal(rounds, 3);
  });

  it('reports what was found when the lead fails in the middle, and fails when it fails at once', async () => {
    const lead = (from: number) =>
      scriptedAnalyst({
        supervise: async ({ round }) =>
          round >= from
            ? Promise.reject(new ResearchError('quota', 'No money.'))
            : { said: '', calls: conduct('Alpha') },
      });
    const late = scriptedRun({ settings, analyst: lead(1) });
    assert.equal((await late.result).outcome, 'partial');
    await assert.rejects(
      scriptedRun({ settings, analyst: lead(0) }).result,
      (error) => ResearchError.is(error) && error.reason === 'quota',
    );
  });

  it('lets the user change the brief before it costs anything', async () => {
    let brief = '';
    const { result } = scriptedRun({
      settings: { ...settings, planApproval: 'always' },
      approve: async (plan) => ({
        ...plan,
        sections: [{ ...plan.sections[0]!, description: 'I want something else.' }],
      }),
      analyst: scriptedAnalyst({
        supervise: async (input) => (
          (brief = input.brief),
          { said: '', calls: input.round === 0 ? conduct('Alpha') : [] }
        ),
      }),
    });
    await result;
    assert.equal(brief, 'I want something else.');
  });
});

describe('strategy sections', () => {
  it('sends a weak section back before the slowest one has ended', async () => {
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const scripted = scriptedAnalyst();
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        act: async (input, scope) => {
          if (input.task.title === 'Gamma' && input.turn === 0) await slow;
          if (input.task.title === 'Alpha' && input.turn === 0 && input.gaps.length > 0) release();
          return input.turn === 0
            ? {
                said: '',
                calls: [
                  {
                    id: 'c',
                    name: 'search_notes',
                    args: { query: input.gaps.length > 0 ? 'Alpha again' : input.task.title },
                  },
                ],
              }
            : scripted.act(input, scope);
        },
        distil: async (input, scope) => ({
          ...(await scripted.distil(input, scope)),
          ...(input.section.title === 'Alpha' && input.gaps.length === 0 ? { findings: [] } : {}),
        }),
      }),
    });
    const { report } = await result;
    const at = (id: string, status: string, attempt: number) =>
      ofType(events, 'section/updated').find(
        (event) => event.id === id && event.status === status && event.attempt === attempt,
      )!.seq;
    assert.ok(at('s1', 'pending', 2) < at('s3', 'completed', 1));
    assert.ok(at('s1', 'completed', 2) > 0);
    assert.match(report, /## Alpha\n\nAlpha again is described[^\n]*\n\nAlpha is described/);
  });

  it('issues no search twice, in any case and spacing', async () => {
    let sent = 0;
    const { result, events } = scriptedRun({
      tools: [scriptedTool((query) => ((sent += 1), { documents: [note(query)] }))],
      analyst: scriptedAnalyst({
        act: async ({ task, turn }) => ({
          said: '',
          calls:
            turn === 0
              ? [{ id: 'c', name: 'search_notes', args: { query: task.title === 'Alpha' ? 'The  same' : 'the same' } }]
              : [],
        }),
      }),
    });
    await result;
    assert.equal(sent, 1);
    assert.equal(ofType(events, 'tool/started').length, 1);
  });

  it('leaves a query that two sections share to the first', async () => {
    const tasks: string[] = [];
    const sections = [
      { id: 's1', title: 'Dense retrieval', description: 'Training', queries: ['q', 'Shared'] },
      { id: 's2', title: 'Hard negatives', description: 'Training', queries: ['shared', 'other'] },
    ];
    const { result } = scriptedRun({
      analyst: scriptedAnalyst({
        plan: async () => ({ title: 'T', objective: '', scope: '', sections }),
        act: async ({ task, turn }) => {
          if (turn === 0) tasks.push(task.queries.join());
          return {
            said: '',
            calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: task.title } }] : [],
          };
        },
      }),
    });
    await result;
    assert.deepEqual(tasks.sort(), ['other', 'q,Shared']);
  });
});

describe('a run without any tool', () => {
  it('is a configuration error that is reported before anything is called', async () => {
    const { result, events } = scriptedRun({ tools: [] });
    await assert.rejects(
      result,
      (error) => ResearchError.is(error) && error.reason === 'config' && /no source/i.test(error.message),
    );
    assert.equal(events.length, 0);
  });
});
