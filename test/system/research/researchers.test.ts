import assert from 'node:assert/strict';
import * as z from 'zod';
import { describe, it } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import { note, ofType, planOf, scriptedAnalyst, scriptedTool } from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';

const reasonOf = (reason: string) => (error: unknown) => ResearchError.is(error) && error.reason === reason;

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
      settings: { 'limits.maxConcurrentResearchers': 4, planApproval: 'always' },
      // An analyst's plan has seven sections at the most; a user's may have thirty.
      approve: async (plan) => ({
        ...plan,
        sections: planOf(Array.from({ length: 30 }, (_, index) => `Part ${index + 1}`)).sections,
      }),
      analyst: scriptedAnalyst({
        act: async ({ turn, task }) => {
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
    assert.equal(most, 4);
    assert.equal(
      new Set(
        ofType(events, 'section/updated')
          .filter(({ status }) => status === 'completed')
          .map(({ id }) => id),
      ).size,
      30,
    );
  });

  it('loses only the section of a researcher that throws', async () => {
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        act: async ({ task, turn }) => {
          if (task.title === 'Beta') throw new ResearchError('network', 'The model did not answer.');
          return {
            said: '',
            calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: task.title } }] : [],
          };
        },
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.deepEqual(
      ofType(events, 'section/updated')
        .filter(({ status }) => status === 'failed')
        .map(({ id, error }) => ({ id, error })),
      [{ id: 's2', error: 'The model did not answer.' }],
    );
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
    assert.deepEqual(answers, [
      'think ok',
      'search_notes ok',
      'search_notes ok',
      'search_notes ok',
      'Refused: the budget of 3 tool calls is used up. Finish with what was found.',
    ]);
    assert.equal(ofType(events, 'tool/started').length, 3);
    assert.deepEqual(
      ofType(events, 'thought')
        .filter(({ section }) => section !== undefined)
        .map(({ text }) => text),
      ['Thinking', 'Let me see.'],
    );
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
                  { id: 'd', name: 'search_notes', args: { query: {} } },
                  { id: 'e', name: 'search_notes', args: {}, malformed: '{"query": ' },
                  { id: 'f', name: 'search_notes', args: { query: 'What to search for' }, isCopied: true },
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
    assert.deepEqual(errors, [
      undefined,
      undefined,
      'There is no tool "no_such_',
      'Wrong arguments: query: In',
      'The arguments were not val',
      'An argument repeats the de',
    ]);
  });

  it('takes arguments as they are meant: null for nothing, a number for a text, one value for a list', async () => {
    const taken: unknown[] = [];
    const tool = scriptedTool(() => ({ documents: [] }), {
      parameters: z.object({
        query: z.string(),
        author: z.string().optional(),
        years: z.array(z.string()).optional(),
        most: z.number().optional(),
      }),
      run: async (args) => {
        taken.push(args);
        return { documents: [note('A note', 'A note on seven.')] };
      },
    });
    const calls = [
      { id: 'a', name: 'search_notes', args: { query: 7, author: null } },
      { id: 'b', name: 'search_notes', args: { query: 'x', years: '2025', most: '5' } },
    ];
    const { result } = scriptedRun({
      tools: [tool],
      analyst: scriptedAnalyst({
        plan: async () => planOf(['Alpha']),
        act: async ({ turn }) => ({ said: '', calls: turn === 0 ? calls : [] }),
      }),
    });
    await result;
    assert.deepEqual(taken.slice(0, 2), [{ query: '7' }, { query: 'x', years: ['2025'], most: 5 }]);
  });

  it('reads on in a source that is known, and asks nobody', async () => {
    const notes: string[] = [];
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        plan: async () => planOf(['Alpha']),
        act: async ({ turn, gathered }) => {
          const id = gathered[0]?.sources[0] ?? '';
          if (turn === 0) return { said: '', calls: [{ id: 'a', name: 'search_notes', args: { query: 'x' } }] };
          const ask = (call: string, args: object) => ({ id: call, name: 'read_more', args: { ...args } });
          if (turn === 1)
            return { said: '', calls: [ask('b', { source: `[${id}]`, part: 9 }), ask('c', { source: 'S0' })] };
          notes.push(...gathered.slice(1).map(({ note: said, error }) => error ?? said.replace(id, 'ID')));
          return { said: '', calls: [] };
        },
      }),
    });
    await result;
    assert.deepEqual(notes, ['Part 1 of 1 of [ID].', 'There is no source "S0". Use an id like S3f9a1.']);
    assert.equal(ofType(events, 'tool/started').length, 1);
  });

  it('asks the same thing of a source once in a run', async () => {
    let searches = 0;
    const { result } = scriptedRun({
      tools: [scriptedTool((query) => ((searches += 1), { documents: [note(query)] }))],
      analyst: scriptedAnalyst({
        act: async ({ turn }) => ({
          said: '',
          calls: turn === 0 ? [{ id: 'c', name: 'search_notes', args: { query: 'shared' } }] : [],
        }),
      }),
    });
    const { sources } = await result;
    assert.equal(searches, 1);
    assert.equal(sources.length, 1);
  });

  it('reports a source that is down, once, and continues', async () => {
    const down = scriptedTool(() => Promise.reject(new ResearchError('network', 'arXiv can’t be reached.')), {
      name: 'search_arxiv_papers',
      source: 'arxiv',
    });
    const { result, events } = scriptedRun({
      tools: [scriptedTool((query) => ({ documents: [note(query)] })), down],
      analyst: scriptedAnalyst({
        act: async ({ task, turn }) => ({
          said: '',
          calls:
            turn > 0
              ? []
              : ['search_notes', 'search_arxiv_papers'].map((name) => ({
                  id: name,
                  name,
                  args: { query: task.title },
                })),
        }),
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'complete');
    assert.deepEqual(
      ofType(events, 'run/warning').map(({ code, message }) => [code, message]),
      [['source.arxiv.network', 'arXiv can’t be reached.']],
    );
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

  it('ends as notFound when nothing at all was found without a model, with a report that says so', async () => {
    const { result, saved, events } = scriptedRun({ tools: [scriptedTool(() => ({ documents: [] }))] });
    const { report, outcome } = await result;
    assert.equal(outcome, 'notFound');
    assert.deepEqual(ofType(events, 'run/finished')[0]!.searched, { sources: ['workspace'], nearest: [] });
    assert.equal(saved.length, 1);
    assert.match(report, /Nothing was found for this section; searched: workspace\./);
  });

  it('ends as noEvidence when one section fails and nothing was found for the others, with what to do', async () => {
    const { result, saved } = scriptedRun({
      tools: [scriptedTool(() => ({ documents: [] }))],
      analyst: scriptedAnalyst({
        act: async (input) => {
          if (input.task.title === 'Beta') throw new ResearchError('network', 'The model did not answer.');
          return scriptedAnalyst().act(input, undefined as never);
        },
      }),
    });
    await assert.rejects(result, {
      reason: 'noEvidence',
      message: 'Nothing that answers the question was found in workspace, so no report was written.',
      next: 'Try other or fewer words, enable more sources, or open a folder that has something on the subject.',
    });
    assert.deepEqual(saved, []);
  });

  it('keeps the sections of the plan when nothing at all was found with a model', async () => {
    const { result } = scriptedRun({
      tools: [scriptedTool(() => ({ documents: [] }))],
      analyst: scriptedAnalyst({ kind: 'llm', plan: async () => planOf(['Alpha', 'Beta']) }),
      fallback: scriptedAnalyst({ plan: async () => planOf(['Answer']) }),
      model: 'm',
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'notFound');
    assert.deepEqual(
      [...report.matchAll(/^## (.*)\n\nNothing was found/gm)].map(([, title]) => title),
      ['Alpha', 'Beta'],
    );
  });

  it('counts the files that were searched in vain only where all were searched', async () => {
    const workspace = {
      name: 'f',
      repos: [],
      languages: [],
      packages: [],
      arxivIds: [],
      githubLinks: [],
      fileCount: 9,
    };
    for (const [unread, files] of [
      [0, 9],
      [6, undefined],
    ] as const) {
      const reach = { files: 9, indexed: 9 - unread, unread, isCut: false };
      const { result, events } = scriptedRun({ workspace, tools: [scriptedTool(() => ({ documents: [], reach }))] });
      await result;
      assert.equal(ofType(events, 'run/finished')[0]!.searched?.files, files);
    }
  });

  it('ends with one failure and its reason when all sections fail', async () => {
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({ act: () => Promise.reject(new ResearchError('quota', 'No money left.')) }),
    });
    await assert.rejects(result, reasonOf('quota'));
    assert.match(ofType(events, 'run/failed')[0]!.message, /No section could be researched: No money left/);
    assert.equal(ofType(events, 'run/failed').length, 1);
  });

  it('gives the findings as quotes when they cannot be condensed', async () => {
    const analyst = scriptedAnalyst({
      distil: () => Promise.reject(new ResearchError('badAnswer', 'Prose instead of JSON.')),
    });
    const { result, events } = scriptedRun({ analyst, fallback: scriptedAnalyst() });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(report, /Alpha is described here/);
    assert.match(ofType(events, 'run/warning')[0]!.message, /given as quotes/);
  });
});

describe('evidence', () => {
  it('is what speaks of the question: sources of which nothing can be said are none', async () => {
    const { result } = scriptedRun({
      analyst: scriptedAnalyst({
        distil: async ({ section }) => ({ title: section.title, content: '', findings: [] }),
      }),
    });
    assert.equal((await result).outcome, 'notFound');
  });
});
