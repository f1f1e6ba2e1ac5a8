import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEvent } from '../../../src/protocol/events.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ProposedPlan } from '../../../src/research/interrupts.ts';
import {
  clearAssessment,
  fakeClock,
  goodReview,
  memoryFolder,
  note,
  ofType,
  planOf,
  scriptedAnalyst,
  scriptedRun,
  scriptedTool,
} from '../../support/scriptedRun.ts';

const reasonOf = (reason: string) => (error: unknown) => ResearchError.is(error) && error.reason === reason;

describe('a run', () => {
  it('is known by its report’s title as a reader sees it, and by its cited sources', async () => {
    const analyst = scriptedAnalyst({ plan: async () => ({ ...planOf(['Alpha', 'Beta', 'Gamma']), title: 'Trees < \\ lists' }) });
    const { result, folder } = scriptedRun({ analyst });
    await result;
    const { title, cited, outcome } = folder.records.at(-1)!;
    assert.deepEqual({ title, cited, outcome }, { title: 'Trees < \\ lists', cited: 3, outcome: 'complete' });
  });

  it('goes from the question to a saved, cited report', async () => {
    const { result, saved, events, folder } = scriptedRun();
    const { report, path, outcome, sources } = await result;
    assert.equal(outcome, 'complete');
    assert.equal(path, '/reports/2026-03-04-a-plan.md');
    assert.equal(saved[0]!.markdown, report);
    assert.equal(folder.report, report);
    assert.match(report, /^---\ntitle: "A plan"\nquestion: "What about these notes\?"\ncreated: "2026-03-04T10:00:00.000Z"\nstrategy: "sections"\n/);
    assert.match(report, /\n## Alpha\n\nAlpha is described here in a full sentence\. \[1\]\n/);
    assert.match(report, /\n## Conclusion and outlook\n\nThat was it\.\n/);
    assert.match(report, /\n## References\n\n- \[1\] Alpha\. notes\/alpha\.md#L1-L3\. Retrieved 2026-03-04\n- \[2\] Beta/);
    assert.match(report, /\n## How this report was made\n/);
    assert.equal(sources.length, 3);
    assert.deepEqual(events.map((event) => event.seq), events.map((_, index) => index + 1));
    for (const event of events) assert.ok(parseEvent(JSON.parse(JSON.stringify(event))), event.type);
    assert.equal(events[0]!.type, 'run/started');
    assert.equal(events.at(-1)!.type, 'run/finished');
    assert.deepEqual(folder.events.map((event) => event.seq), events.map((event) => event.seq));
    assert.deepEqual(folder.records.map((record) => record.status), ['finished']);
  });

  it('streams the report so that the deltas add up to it', async () => {
    const { result, events } = scriptedRun();
    const { report } = await result;
    let shown = '';
    for (const { offset, text } of ofType(events, 'report/delta')) shown = shown.slice(0, offset) + text;
    assert.ok(report.endsWith(shown));
    assert.ok(shown.startsWith('# A plan'));
    assert.equal(ofType(events, 'report/delta').at(-1)!.citations?.length, 3);
  });

  it('refuses an empty and an overlong question and makes no run', async () => {
    for (const question of ['', ' \n\t', 'x'.repeat(200_000)]) {
      const { result, events } = scriptedRun({ question });
      await assert.rejects(result, reasonOf('badRequest'));
      assert.equal(events.length, 0);
    }
  });

  it('takes questions of any script and names the file by the title', async () => {
    for (const [question, title, name] of [
      ['检索增强生成有哪些方法？', '检索增强生成的方法', '2026-03-04-检索增强生成的方法.md'],
      ['ما هو التوليد المعزز بالاسترجاع؟', 'التوليد المعزز', '2026-03-04-التوليد-المعزز.md'],
      ['🔥🔥🔥 RAG?', '🔥🔥', '2026-03-04-report.md'],
      ['../../etc', '../../etc/passwd', '2026-03-04-etc-passwd.md'],
      ['Überblick', 'Crème brûlée: à la carte', '2026-03-04-creme-brulee-a-la-carte.md'],
    ] as const) {
      const { result, saved } = scriptedRun({ question, analyst: scriptedAnalyst({ plan: async () => ({ ...planOf(['Alpha']), title }), writeReport: async function* () {} }) });
      await result;
      assert.equal(saved[0]!.name, name);
    }
  });

  it('keeps hostile questions inside the front matter', async () => {
    const { result } = scriptedRun({ question: 'x"\n---\nevil: true\n\u2028 end' });
    const { report } = await result;
    assert.equal(report.split('\n---\n').length, 2);
    assert.ok(!/^evil/m.test(report));
  });
});

describe('clarification', () => {
  const vague = {
    ...clearAssessment,
    needClarification: true,
    question: 'Which side of it?',
    options: [
      { label: 'Methods', recommended: true },
      { label: 'Tools', recommended: false },
    ],
    missingInfo: 'scope',
    scopeInferable: false,
    confidence: 0.5,
  };

  it('asks, takes an option by number, works it in, and asks no second time', async () => {
    const seen: (readonly unknown[])[] = [];
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        assess: async ({ asked }) => {
          seen.push(asked);
          return { ...vague, refinedQuery: asked.length > 0 ? `Notes: ${asked[0]!.answer}` : '' };
        },
      }),
      answer: async () => '2',
    });
    await result;
    assert.equal(ofType(events, 'clarify/asked').length, 1);
    assert.deepEqual(ofType(events, 'clarify/answered').map(({ answer, skipped }) => ({ answer, skipped })), [{ answer: 'Tools', skipped: false }]);
    assert.equal(seen.length, 2);
  });

  it('takes "just start" in any language and states the assumption in the report', async () => {
    for (const skip of [null, 'just start', '直接开始研究', '']) {
      const { result, events } = scriptedRun({ analyst: scriptedAnalyst({ assess: async () => vague }), answer: async () => skip });
      const { report } = await result;
      assert.equal(ofType(events, 'clarify/answered')[0]!.skipped, true);
      assert.match(report, /Assumed: The question "Which side of it\?" was skipped/);
    }
  });

  it('asks at most three times, then researches the best guess', async () => {
    let round = 0;
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({ assess: async () => ({ ...vague, topicClear: false, missingInfo: `topic ${(round += 1)}` }) }),
      answer: async () => 'hm',
    });
    const { report } = await result;
    assert.equal(ofType(events, 'clarify/asked').length, 3);
    assert.match(report, /The topic stayed vague/);
  });

  it('pauses when nobody can answer, and keeps the run', async () => {
    const folder = memoryFolder();
    const { result, events } = scriptedRun({
      folder,
      analyst: scriptedAnalyst({ assess: async () => vague }),
      answer: async () => {
        throw new ResearchError('needsAnswer', 'Nobody there.');
      },
    });
    await assert.rejects(result, reasonOf('needsAnswer'));
    assert.equal(events.at(-1)!.type, 'run/paused');
    assert.equal(folder.records.at(-1)!.status, 'waiting');
  });

  it('looks an unknown term up before it asks, with two searches at most', async () => {
    const queries: string[] = [];
    const lookups: unknown[] = [];
    const { result } = scriptedRun({
      tools: [scriptedTool((query) => (queries.push(query), { documents: [note(query)] }))],
      analyst: scriptedAnalyst({
        assess: async (input) => (lookups.push(input.lookups), { ...clearAssessment, unknownTerms: ['RLM', 'QZX', 'ABC'] }),
        plan: async () => planOf(['Alpha']),
      }),
    });
    await result;
    assert.deepEqual(queries.slice(0, 2), ['RLM', 'QZX']);
    assert.deepEqual((lookups[1] as { outcome: string }[]).map(({ outcome }) => outcome), ['found', 'found', 'impossible']);
  });

  it('ends a question that cannot be researched with its reason', async () => {
    const { result, events } = scriptedRun({ analyst: scriptedAnalyst({ assess: async () => ({ ...clearAssessment, cannotDo: 'This is a poem.' }) }) });
    await assert.rejects(result, reasonOf('cannotDo'));
    assert.deepEqual(ofType(events, 'run/failed').map(({ reason, message }) => ({ reason, message })), [{ reason: 'cannotDo', message: 'This is a poem.' }]);
  });
});

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
    assert.deepEqual(ofType(events, 'plan/proposed').map(({ needsApproval }) => needsApproval), [true]);
    assert.deepEqual(ofType(events, 'plan/approved').map(({ sections }) => sections.map(({ title }) => title)), [['Gamma', 'Alpha renamed', 'Delta']]);
    assert.deepEqual([...report.matchAll(/^## (.*)$/gm)].map(([, title]) => title).slice(0, 3), ['Gamma', 'Alpha renamed', 'Delta']);
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
    const many = planOf(Array.from({ length: 20 }, (_, index) => `Part ${index + 1}`));
    assert.equal(await proposed({ analyst: { ...scriptedAnalyst({ plan: async () => many }), kind: 'llm' } }), true);
  });
});

describe('research', () => {
  it('says of a section what is asked where, in words for a person', async () => {
    const { result, events } = scriptedRun();
    await result;
    const said = new Set(ofType(events, 'section/updated').map(({ activity }) => activity));
    assert.deepEqual([...said].sort(), ['', 'workspace: Alpha', 'workspace: Beta', 'workspace: Gamma']);
  });

  it('never runs more researchers than allowed, and runs all of 30 sections', async () => {
    let now = 0;
    let most = 0;
    const { result, events } = scriptedRun({
      settings: { 'limits.maxConcurrentResearchers': 4, planApproval: 'never' },
      analyst: scriptedAnalyst({
        plan: async () => planOf(Array.from({ length: 30 }, (_, index) => `Part ${index + 1}`)),
        act: async ({ turn, task }) => {
          if (turn === 0) most = Math.max(most, (now += 1));
          await new Promise((resolve) => setImmediate(resolve));
          if (turn === 1) now -= 1;
          return { said: '', calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: task.title } }] : [] };
        },
      }),
    });
    await result;
    assert.equal(most, 4);
    assert.equal(new Set(ofType(events, 'section/updated').filter(({ status }) => status === 'completed').map(({ id }) => id)).size, 30);
  });

  it('loses only the section of a researcher that throws', async () => {
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        act: async ({ task, turn }) => {
          if (task.title === 'Beta') throw new ResearchError('network', 'The model did not answer.');
          return { said: '', calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: task.title } }] : [] };
        },
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.deepEqual(ofType(events, 'section/updated').filter(({ status }) => status === 'failed').map(({ id, error }) => ({ id, error })), [{ id: 's2', error: 'The model did not answer.' }]);
    assert.match(report, /## Beta\n\nThis section could not be researched: The model did not answer\.\n/);
    assert.match(report, /Alpha is described/);
    assert.match(report, /Gamma is described/);
  });

  it('counts calls and not turns, refuses what is over the budget and answers every call', async () => {
    const answers: string[] = [];
    let turns = 0;
    const { result, events } = scriptedRun({
      settings: { 'limits.maxToolCallsPerResearcher': 3 },
      analyst: scriptedAnalyst({
        plan: async () => planOf(['Alpha']),
        act: async ({ gathered, turn, callsLeft }) => {
          turns += 1;
          if (turn === 1) {
            for (const call of gathered) answers.push(call.error ?? `${call.call.name} ok`);
            assert.equal(callsLeft, 0);
            return { said: '', calls: [{ id: 'z', name: 'search_notes', args: { query: 'more' } }] };
          }
          return {
            said: 'Thinking',
            calls: [
              { id: 'a', name: 'think', args: { reflection: 'Let me see.' } },
              ...['one', 'two', 'three', 'four'].map((query) => ({ id: query, name: 'search_notes', args: { query } })),
            ],
          };
        },
      }),
    });
    await result;
    assert.equal(turns, 2);
    assert.deepEqual(answers, ['think ok', 'search_notes ok', 'search_notes ok', 'search_notes ok', 'Refused: the budget of 3 tool calls is used up. Finish with what was found.']);
    assert.equal(ofType(events, 'tool/started').length, 3);
    assert.deepEqual(ofType(events, 'thought').filter(({ section }) => section !== undefined).map(({ text }) => text), ['Thinking', 'Let me see.']);
  });

  it('runs the siblings of research_complete, and answers unknown tools and bad arguments', async () => {
    const errors: (string | undefined)[] = [];
    let distilled = 0;
    const { result } = scriptedRun({
      analyst: scriptedAnalyst({
        plan: async () => planOf(['Alpha']),
        act: async ({ turn }) =>
          turn > 0
            ? assert.fail('research_complete ends the loop')
            : {
                said: '',
                calls: [
                  { id: 'a', name: 'research_complete', args: {} },
                  { id: 'b', name: 'search_notes', args: { query: 'x' } },
                  { id: 'c', name: 'no_such_tool', args: {} },
                  { id: 'd', name: 'search_notes', args: { query: 7 } },
                  { id: 'e', name: 'search_notes', args: {}, malformed: '{"query": ' },
                ],
              },
        distil: async (input) => {
          distilled += 1;
          for (const call of input.gathered) errors.push(call.error?.slice(0, 26));
          return scriptedAnalyst().distil(input, undefined as never);
        },
      }),
    });
    await result;
    assert.equal(distilled, 1);
    assert.deepEqual(errors, [undefined, undefined, 'There is no tool "no_such_', 'Wrong arguments: query: In', 'The arguments were not val']);
  });

  it('asks the same thing of a source once in a run', async () => {
    let searches = 0;
    const { result } = scriptedRun({
      tools: [scriptedTool((query) => ((searches += 1), { documents: [note(query)] }))],
      analyst: scriptedAnalyst({ act: async ({ turn }) => ({ said: '', calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: 'shared' } }] : [] }) }),
    });
    const { sources } = await result;
    assert.equal(searches, 1);
    assert.equal(sources.length, 1);
  });

  it('reports a source that is down, once, and goes on', async () => {
    const down = scriptedTool(() => Promise.reject(new ResearchError('network', 'arXiv can’t be reached.')), { name: 'search_arxiv_papers', source: 'arxiv' });
    const { result, events } = scriptedRun({
      tools: [scriptedTool((query) => ({ documents: [note(query)] })), down],
      analyst: scriptedAnalyst({
        act: async ({ task, turn }) => ({
          said: '',
          calls: turn > 0 ? [] : ['search_notes', 'search_arxiv_papers'].map((name) => ({ id: name, name, args: { query: task.title } })),
        }),
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'complete');
    assert.deepEqual(ofType(events, 'run/warning').map(({ code, message }) => [code, message]), [['source.arxiv.network', 'arXiv can’t be reached.']]);
    assert.match(report, /Note: arXiv can’t be reached\./);
  });

  it('says for a section without a source where it searched, and writes nothing from memory', async () => {
    const { result } = scriptedRun({
      tools: [scriptedTool((query) => ({ documents: query === 'Beta' ? [] : [note(query)] }))],
      analyst: scriptedAnalyst({
        async *writeReport() {
          yield '# T\n\n## Alpha\n\nText.\n\n## Beta\n\nBeta was invented in the sixties by a great inventor.\n\n## Gamma\n\nText.\n';
        },
      }),
    });
    const { report } = await result;
    assert.match(report, /## Beta\n\nNothing was found for this section; searched: workspace\.\n/);
    assert.ok(!report.includes('inventor'));
  });

  it('fails as noEvidence when nothing at all was found, and says what to do', async () => {
    const { result, events, saved } = scriptedRun({ tools: [scriptedTool(() => ({ documents: [] }))] });
    await assert.rejects(result, reasonOf('noEvidence'));
    assert.equal(saved.length, 0);
    assert.match(ofType(events, 'run/failed')[0]!.next, /other or fewer words/);
  });

  it('ends with one failure and its reason when all sections fail', async () => {
    const { result, events } = scriptedRun({ analyst: scriptedAnalyst({ act: () => Promise.reject(new ResearchError('quota', 'No money left.')) }) });
    await assert.rejects(result, reasonOf('quota'));
    assert.match(ofType(events, 'run/failed')[0]!.message, /No section could be researched: No money left/);
    assert.equal(ofType(events, 'run/failed').length, 1);
  });

  it('gives the findings as quotes when they cannot be condensed', async () => {
    const analyst = scriptedAnalyst({ distil: () => Promise.reject(new ResearchError('badAnswer', 'Prose instead of JSON.')) });
    const { result, events } = scriptedRun({ analyst, fallback: scriptedAnalyst() });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(report, /Alpha is described here/);
    assert.match(ofType(events, 'run/warning')[0]!.message, /given as quotes/);
  });
});

describe('review', () => {
  const gapsOf: Record<string, readonly string[]> = {};
  const insufficient = { ...goodReview, isSufficient: false, overallScore: 4, gaps: [{ section: 's2', gap: 'No figures.' }], sectionsToRetry: ['s2', 's9'] };

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
          return { said: '', calls: [{ id: 'c', name: 'search_notes', args: { query: gaps.length > 0 ? 'Second' : task.title } }] };
        },
        review: async ({ round }) => (round === 1 ? insufficient : goodReview),
      }),
    });
    const { report } = await result;
    assert.deepEqual(attempts, ['Alpha', 'Beta', 'Gamma', 'Beta']);
    assert.deepEqual(gapsOf['Beta4'], ['No figures.']);
    assert.deepEqual(ofType(events, 'review/finished').map(({ retry, round }) => ({ retry, round })), [{ retry: ['s2'], round: 1 }, { retry: [], round: 2 }]);
    assert.match(report, /## Beta\n\nSecond is described[^\n]*\n\nBeta is described/);
    assert.equal(Math.max(...ofType(events, 'section/updated').map(({ attempt }) => attempt)), 2);
  });

  it('stops sending back at the limit and goes on to the report', async () => {
    for (const [limit, rounds] of [[0, 1], [1, 2], [2, 3]] as const) {
      const { result, events } = scriptedRun({ settings: { 'limits.maxReviewIterations': limit }, analyst: scriptedAnalyst({ review: async () => insufficient }) });
      await result;
      assert.equal(ofType(events, 'review/finished').length, rounds);
    }
  });

  it('goes to the report when it names no known section, or fails', async () => {
    const unknown = scriptedRun({ analyst: scriptedAnalyst({ review: async () => ({ ...insufficient, sectionsToRetry: ['zzz'] }) }) });
    await unknown.result;
    assert.equal(ofType(unknown.events, 'review/finished').length, 1);
    const failing = scriptedRun({ analyst: scriptedAnalyst({ review: () => Promise.reject(new ResearchError('badAnswer', 'Prose.')) }) });
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
    assert.deepEqual(ofType(events, 'review/finished').map(({ needsApproval }) => needsApproval), [true]);
  });
});

describe('report', () => {
  it('completes what the writer left out, and replaces the writer’s own references', async () => {
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        async *writeReport({ sections }) {
          yield `# Own title\n\nSummary.\n\n### 2. Beta\n\nBeta says. [${sections[1]!.sourceIds[0]}]\n\n## References\n\n[1] A made up paper, 1999.\n`;
        },
      }),
    });
    const { report } = await result;
    assert.match(report, /# Own title\n\nSummary\.\n\n## Alpha\n\nAlpha is described[^\n]*\[1\]\n\n## Beta\n\nBeta says\. \[2\]\n\n## Gamma\n/);
    assert.equal(report.match(/## References/g)?.length, 1);
    assert.ok(!report.includes('1999'));
    assert.match(report, /## Conclusion and outlook\n\nSections with findings: 3\. Sources: 3\.\n/);
    assert.ok(ofType(events, 'report/delta').some(({ offset }) => offset > 0));
  });

  it('keeps the whole sentences that were written when the writer breaks off, and loses nothing that was found', async () => {
    const { result } = scriptedRun({
      analyst: scriptedAnalyst({
        async *writeReport() {
          yield '# Half\n\nA summary stands here.\n\n## Alpha\n\nAlpha in own words. And then';
          throw new ResearchError('streamBroken', 'The stream broke.');
        },
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(report, /A summary stands here\.[\s\S]*Alpha in own words\.\n\nAlpha is described[\s\S]*Beta is described[\s\S]*Note: The report could not be written to its end: The stream broke/);
    assert.ok(!report.includes('And then'));
  });

  it('is kept in the run when it cannot be saved, and says so', async () => {
    const folder = memoryFolder();
    const { result, events } = scriptedRun({
      folder: { ...folder, location: '/runs/x' } as never,
      sink: { save: () => Promise.reject(new ResearchError('storage', 'Could not save: the disk is full.', { next: 'Free some space.' })) },
    });
    const { report, path } = await result;
    assert.equal(path, undefined);
    assert.ok(report.includes('Alpha is described'));
    assert.match(ofType(events, 'run/warning')[0]!.message, /disk is full.*kept in \/runs\/x.*Free some space/);
    assert.equal(ofType(events, 'report/finished')[0]!.path, undefined);
  });

  it('survives a run folder that can’t be written: one warning, a saved report', async () => {
    const full = (): Promise<never> => Promise.reject(new ResearchError('storage', 'The disk is full.'));
    const { result, events } = scriptedRun({
      folder: { saveRecord: full, appendEvent: full, saveSources: full, saveEvidence: full, appendCall: full, appendCheckpoint: full, saveReport: full, close: async () => undefined } as never,
    });
    const { path } = await result;
    assert.ok(path);
    assert.equal(ofType(events, 'run/warning').filter(({ code }) => code === 'storage').length, 1);
  });
});

describe('stop', () => {
  for (const phase of ['assess', 'plan', 'act', 'distil', 'review', 'writeReport'] as const) {
    it(`ends a run in ${phase}, even when the analyst does not listen`, async () => {
      const stop = new AbortController();
      const never = () => new Promise<never>(() => setTimeout(() => stop.abort(), 5));
      const over = phase === 'writeReport' ? { writeReport: async function* () { yield '# T\n\nText. More'; await never(); } } : { [phase]: never };
      const { result, events, saved } = scriptedRun({ signal: stop.signal, analyst: scriptedAnalyst(over) });
      await assert.rejects(result, reasonOf('abort'));
      assert.equal(events.at(-1)!.type, 'run/cancelled');
      assert.equal(saved.length, 0);
    });
  }

  it('ends a run that waits for an answer', async () => {
    const stop = new AbortController();
    const { result, events } = scriptedRun({
      signal: stop.signal,
      settings: { planApproval: 'always' },
      approve: () => (setImmediate(() => stop.abort()), new Promise(() => undefined)),
    });
    await assert.rejects(result, reasonOf('abort'));
    assert.equal(events.at(-1)!.type, 'run/cancelled');
  });

  it('finishes early with a cited report from what is there', async () => {
    const finish = new AbortController();
    const { result } = scriptedRun({
      finishSignal: finish.signal,
      analyst: scriptedAnalyst({
        act: async ({ turn, task }) => {
          if (turn === 1) finish.abort();
          return { said: '', calls: [{ id: `c${turn}`, name: 'search_notes', args: { query: `${task.title} ${turn}` } }] };
        },
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(report, /\[1\]/);
    assert.match(report, /Finished early/);
  });
});

describe('replay', () => {
  it('repeats a parallel run from its journal: no call again, the same report byte for byte', async () => {
    let searches = 0;
    const jittery = scriptedTool(async (query) => {
      searches += 1;
      for (let i = 0; i < Math.floor(Math.random() * 8); i += 1) await new Promise((resolve) => setImmediate(resolve));
      return { documents: [note(query), note('Shared')] };
    });
    const options = { tools: [jittery], settings: { planApproval: 'always' } } as const;
    const first = scriptedRun({ ...options, clock: fakeClock() });
    const { report } = await first.result;
    assert.equal(searches, 3);
    const second = scriptedRun({ ...options, clock: fakeClock(), journal: first.folder.calls });
    assert.equal((await second.result).report, report);
    assert.equal(searches, 3);
    const third = scriptedRun({ ...options, clock: fakeClock(), journal: first.folder.calls.filter((line) => line.includes('/tool/')).slice(0, 1) });
    assert.equal((await third.result).report, report);
    assert.equal(searches, 5);
  });

  it('sets damaged and foreign journal lines aside', async () => {
    const first = scriptedRun();
    await first.result;
    const damaged = ['{"v":1,"key":', 'null', '[]', '{"v":9}', '', first.folder.calls[0]!.slice(0, -5)];
    const second = scriptedRun({ journal: damaged });
    assert.equal((await second.result).outcome, 'complete');
    assert.equal(second.folder.calls.filter((line) => line.includes('/tool/')).length, 3);
  });
});

describe('evidence', () => {
  it('is what speaks of the question: sources of which nothing can be said are none', async () => {
    const { result } = scriptedRun({ analyst: scriptedAnalyst({ distil: async ({ section }) => ({ title: section.title, content: '', findings: [] }) }) });
    await assert.rejects(result, (error) => ResearchError.is(error) && error.reason === 'noEvidence' && /Nothing that answers the question was found in workspace/.test(error.message));
  });
});
