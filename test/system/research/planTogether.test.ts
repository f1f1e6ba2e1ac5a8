import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProposedEntities, ProposedPlan } from '../../../src/protocol/ports.ts';
import { estimatePlan } from '../../../src/protocol/planEstimate.ts';
import { emptyView, reduceRun } from '../../../src/protocol/reduceRun.ts';
import type { Analyst, PlanInput } from '../../../src/research/analyst/analyst.ts';
import {
  clearAssessment,
  memoryFolder,
  note,
  ofType,
  planOf,
  scriptedAnalyst,
  scriptedTool,
} from '../../support/scriptedParts.ts';
import { scriptedRun, type ScriptedOptions } from '../../support/scriptedRun.ts';

const always = { planApproval: 'always' } as const;
/** The graph of a run with a model, whose analyst is the scripted one. */
const withModel = (over: Partial<Analyst> = {}) => ({
  analyst: { ...scriptedAnalyst(over), kind: 'llm' as const },
  fallback: scriptedAnalyst(),
});

describe('a plan that is sent back', () => {
  it('is made again by the remark, the focus and the strategy, shown again, and journalled', async () => {
    const inputs: PlanInput[] = [];
    const shown: ProposedPlan[] = [];
    const folder = memoryFolder();
    const options: ScriptedOptions = {
      settings: always,
      folder,
      ...withModel({
        plan: async (input) => {
          inputs.push(input);
          return planOf(inputs.length === 1 ? ['Alpha', 'Beta', 'Gamma'] : ['Delta']);
        },
      }),
      approve: async (plan) => {
        shown.push(plan);
        return plan.round === 0 ? { remark: 'Only Delta, please.', focus: ['cost'], strategy: 'iterative' } : plan;
      },
    };
    const { result, events } = scriptedRun(options);
    await result;
    assert.deepEqual(
      inputs.map(({ remarks = [], focus, wanted, previous }) => ({
        remarks,
        // The first plan may be made beside the assessment, which finds the focus.
        focus: remarks.length === 0 ? [] : focus,
        wanted,
        previous: previous?.sections.map(({ title }) => title),
      })),
      [
        { remarks: [], focus: [], wanted: { min: 3, max: 7 }, previous: undefined },
        {
          remarks: ['Only Delta, please.'],
          focus: ['cost'],
          wanted: { min: 1, max: 30 },
          previous: ['Alpha', 'Beta', 'Gamma'],
        },
      ],
    );
    assert.deepEqual(
      shown.map(({ round, strategy, sections }) => [round, strategy, sections.length]),
      [
        [0, 'sections', 3],
        [1, 'iterative', 1],
      ],
    );
    assert.deepEqual(
      ofType(events, 'plan/sentBack').map(({ remark, round }) => [remark, round]),
      [['Only Delta, please.', 0]],
    );
    const view = events.reduce(reduceRun, emptyView());
    assert.equal(view.strategy, 'iterative');
    assert.deepEqual(view.remarks, ['Only Delta, please.']);
    assert.deepEqual(
      view.sections.map(({ title, status }) => [title, status]),
      [['Delta', 'completed']],
    );
    assert.ok(folder.calls.some((line) => line.includes('Only Delta, please.')));
  });

  it('may come back the same, word for word, and be approved then', async () => {
    let rounds = 0;
    const { result, events } = scriptedRun({
      settings: always,
      approve: async (plan) => ((rounds += 1), plan.round < 2 ? { remark: '' } : plan),
    });
    await result;
    assert.equal(rounds, 3);
    assert.equal(ofType(events, 'plan/proposed').length, 3);
    assert.equal(ofType(events, 'plan/approved').length, 1);
  });

  it('says that its words are all that is followed, without a model', async () => {
    const { result, events } = scriptedRun({
      settings: always,
      approve: async (plan) => (plan.round === 0 ? { remark: 'more on costs' } : plan),
    });
    await result;
    assert.deepEqual(
      ofType(events, 'run/warning')
        .map(({ kind }) => kind)
        .filter((kind) => kind?.startsWith('plan.')),
      ['plan.remarkByWords'],
    );
  });

  it('asks nobody twice when the run is resumed', async () => {
    const folder = memoryFolder();
    let plans = 0;
    let asked = 0;
    const options = (): ScriptedOptions => ({
      settings: always,
      folder,
      ...withModel({ plan: async () => ((plans += 1), planOf(plans === 1 ? ['Alpha'] : ['Beta', 'Gamma'])) }),
    });
    const stopped = new AbortController();
    const first = scriptedRun({
      ...options(),
      signal: stopped.signal,
      approve: async (plan) => {
        asked += 1;
        if (plan.round === 0) return { remark: 'Another.' };
        stopped.abort(Object.assign(new Error('The window closes.'), { name: 'AbortError', closing: true }));
        return new Promise(() => undefined);
      },
    });
    await assert.rejects(first.result);
    const second = scriptedRun({
      ...options(),
      journal: [...folder.calls],
      checkpoints: [...folder.checkpoints],
      events: [...folder.events],
      resume: { created: '2026-03-04T10:00:00.000Z', status: 'running', changes: [] },
      approve: async (plan) => {
        asked += 1;
        assert.equal(plan.round, 1);
        return plan;
      },
    });
    const { report } = await second.result;
    assert.equal(plans, 2);
    assert.equal(asked, 3);
    assert.match(report, /^## Beta$/m);
  });
});

describe('what is approved with a plan', () => {
  it('is what a section may search, and how deep', async () => {
    const tools = ['notes', 'papers'].map((source) =>
      scriptedTool((query) => ({ documents: [note(`${query} ${source}`)] }), { name: `search_${source}`, source }),
    );
    const offered = new Map<string, string[]>();
    const depths = new Map<string, string>();
    const { result, events } = scriptedRun({
      settings: always,
      tools,
      ...withModel({
        act: async ({ task, turn, tools: own }, scope) => {
          offered.set(
            task.title,
            own.map(({ source }) => source),
          );
          depths.set(task.title, scope.limits.depth);
          return {
            said: '',
            calls: turn === 0 ? [{ id: 'c', name: own[0]!.name, args: { query: task.title } }] : [],
          };
        },
      }),
      approve: async (plan) => ({
        sections: [
          { ...plan.sections[0]!, sources: ['papers'], depth: 'deep' },
          { ...plan.sections[1]!, sources: ['papers', 'notes', 'unknown'], depth: 'standard' },
          plan.sections[2]!,
        ],
      }),
    });
    await result;
    assert.deepEqual(
      [...offered.entries()],
      [
        ['Alpha', ['papers']],
        ['Beta', ['notes', 'papers']],
        ['Gamma', ['notes', 'papers']],
      ],
    );
    assert.deepEqual([...depths.values()], ['deep', 'standard', 'standard']);
    const [approved] = ofType(events, 'plan/approved');
    assert.deepEqual(
      approved!.sections.map(({ sources, depth }) => [sources, depth]),
      [
        [['papers'], 'deep'],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    const { basis } = ofType(events, 'plan/proposed')[0]!;
    assert.deepEqual(approved!.estimate, estimatePlan({ strategy: 'sections', sections: approved!.sections }, basis!));
  });

  it('is the strategy: sections become a brief, and a brief that should be sections is planned', async () => {
    const briefs: string[] = [];
    const base = scriptedAnalyst();
    const toBrief = scriptedRun({
      settings: { ...always, strategy: 'sections' },
      approve: async (plan) => ({ ...plan, strategy: 'supervisor' }),
      analyst: scriptedAnalyst({
        supervise: async (input, scope) => (briefs.push(input.brief), base.supervise(input, scope)),
      }),
    });
    await toBrief.result;
    assert.match(briefs[0]!, /- Alpha: About Alpha\n- Beta: About Beta/);
    assert.equal(toBrief.events.reduce(reduceRun, emptyView()).strategy, 'supervisor');

    const toSections = scriptedRun({
      settings: { ...always, strategy: 'supervisor' },
      approve: async (plan) => (plan.round === 0 ? { ...plan, strategy: 'sections' } : plan),
    });
    await toSections.result;
    assert.deepEqual(
      toSections.events.reduce(reduceRun, emptyView()).sections.map(({ title, status }) => [title, status]),
      [
        ['Alpha', 'completed'],
        ['Beta', 'completed'],
        ['Gamma', 'completed'],
      ],
    );
  });

  it('is the focus, which every later step is told', async () => {
    const questions = new Set<string>();
    const { result } = scriptedRun({
      settings: always,
      analyst: scriptedAnalyst({
        distil: async (input, scope) => (questions.add(input.question), scriptedAnalyst().distil(input, scope)),
      }),
      approve: async (plan) => ({ ...plan, focus: ['cost', 'latency'] }),
    });
    await result;
    assert.deepEqual([...questions], ['What do the field notes say about reconnecting?\n\nFocus: cost; latency']);
  });

  it('never crashes the run, whatever it is', async () => {
    const hostile = [
      '',
      '   ',
      'Same',
      'same',
      'x'.repeat(10_000),
      '# Heading\n\n![image](https://evil.example/a.png)',
      '<script>alert(1)</script> [link](command:evil) `code`',
      '\u202Ereversed\u2066 \u{E0041}tag',
      '---\nquestion: no\n---',
    ];
    const { result, events } = scriptedRun({
      settings: always,
      approve: async () => ({
        title: '\n',
        sections: Array.from({ length: 40 }, (_, index) => ({
          id: 's1',
          title: hostile[index % hostile.length]!,
          description: hostile[(index * 2) % hostile.length]!,
        })),
      }),
    });
    const { report } = await result;
    const { sections } = ofType(events, 'plan/approved')[0]!;
    assert.equal(sections.length, 30);
    assert.equal(new Set(sections.map(({ id }) => id)).size, 30);
    assert.equal(new Set(sections.map(({ title }) => title.toLowerCase())).size, 30);
    for (const { title } of sections) assert.ok(title !== '' && title.length <= 310 && !/[\n\u202E]/.test(title));
    const body = report.slice(report.indexOf('\n# '), report.indexOf('\n## References'));
    assert.doesNotMatch(body, /<script>|!\[image\]|\]\(command:|\]\(https:\/\/evil/);
    const view = events.reduce(reduceRun, emptyView());
    assert.equal(view.status, 'finished');
    assert.equal(view.sections.length, 30);
  });

  it('is refused when a section may search nothing that this run has, or when there is no section', async () => {
    for (const sections of [[], [{ id: 's1', title: 'A', description: '', sources: ['nowhere'] }]]) {
      const { result } = scriptedRun({ settings: always, approve: async () => ({ sections }) });
      await assert.rejects(result, { reason: 'config' });
    }
  });
});

describe('entities', () => {
  const found = ['Qdrant', 'Milvus', 'Weaviate', 'pgvector'];
  const list = (over: Partial<Analyst> = {}): ScriptedOptions => ({
    tools: [scriptedTool((query) => ({ documents: [note(query)] }))],
    ...withModel({
      analyze: async () => ({
        queryType: 'list',
        outputFormat: 'list',
        needsDiscovery: true,
        discoveryTarget: 'vector databases',
        reasoning: '',
      }),
      discover: async ({ gathered }) => ({
        entities: found.map((name) => ({
          name,
          category: 'database',
          brief: `${name} stores vectors.`,
          source: gathered[0]!.sources[0]!,
          urls: [],
          priority: 'medium' as const,
        })),
        summary: 'Four databases.',
        coverage: 'Commercial ones may be missing.',
      }),
      // Where no one chooses, the members are extracted beside it.
      plan: async ({ discovered, found: sources = [] }) =>
        planOf(sources.length > 0 ? found : discovered.filter(({ added }) => !added).map(({ name }) => name)),
      ...over,
    }),
  });

  it('wait before the plan, and what the user took out, merged and added is what is planned and researched', async () => {
    const asked: ProposedEntities[] = [];
    const inputs: PlanInput[] = [];
    const { result, events } = scriptedRun({
      ...list({
        plan: async (input) => {
          inputs.push(input);
          // A model that plans for what was taken out, and forgets what was added.
          return planOf([...input.discovered.filter(({ added }) => !added).map(({ name }) => name), 'weaviate']);
        },
      }),
      settings: always,
      approveEntities: async (proposed) => {
        asked.push(proposed);
        return [
          { name: 'Qdrant', from: ['Qdrant'] },
          { name: 'Milvus', from: ['Milvus', 'pgvector'] },
          { name: 'LanceDB', from: [] },
          { name: 'invented', from: ['No such entity'] },
          { name: 'lance db', from: [] },
        ];
      },
    });
    await result;
    assert.equal(asked[0]!.coverage, 'Commercial ones may be missing.');
    const [input] = inputs;
    assert.deepEqual(
      input!.discovered.map(({ name, also, added }) => [name, also, added]),
      [
        ['Qdrant', undefined, undefined],
        ['Milvus', ['pgvector'], undefined],
        ['LanceDB', undefined, true],
      ],
    );
    assert.deepEqual(input!.leftOut, ['Weaviate']);
    assert.deepEqual(input!.discovery, { summary: 'Four databases.', coverage: 'Commercial ones may be missing.' });
    assert.match(input!.clarifiedQuestion, /Not about: Weaviate$/);
    assert.deepEqual(
      ofType(events, 'plan/approved')[0]!.sections.map(({ title }) => title),
      ['Qdrant', 'Milvus', 'LanceDB'],
    );
    const view = events.reduce(reduceRun, emptyView());
    assert.deepEqual(
      view.entities.map(({ name }) => name),
      ['Qdrant', 'Milvus', 'LanceDB'],
    );
    assert.deepEqual(
      view.sections.map(({ title, status }) => [title, status]),
      [
        ['Qdrant', 'completed'],
        ['Milvus', 'completed'],
        ['LanceDB', 'completed'],
      ],
    );
  });

  it('stop only runs whose plan would be shown as well', async () => {
    const stops = async (options: ScriptedOptions) => {
      let asked = 0;
      const approveEntities = async ({ entities }: ProposedEntities) => {
        asked += 1;
        return entities.map(({ name }) => ({ name, from: [name] }));
      };
      const { result, events } = scriptedRun({ ...list(), ...options, approveEntities });
      await result;
      assert.equal(ofType(events, 'discover/found')[0]!.needsApproval, asked === 1);
      assert.ok(asked === 0 || ofType(events, 'plan/proposed')[0]!.needsApproval);
      return asked;
    };
    assert.equal(await stops({ settings: always }), 1);
    assert.equal(await stops({ settings: { planApproval: 'whenCostly' } }), 0);
    assert.equal(await stops({ settings: { planApproval: 'never' } }), 0);
    const unsure = list({ assess: async () => ({ ...clearAssessment, confidence: 0.8 }) });
    assert.equal(await stops({ ...unsure, settings: { planApproval: 'whenCostly' } }), 1);
    assert.equal(await stops({ ...unsure, settings: { planApproval: 'never' } }), 0);
  });

  it('are all taken when nobody is there to choose, and when none is left the plan is made from the question', async () => {
    const silent = scriptedRun({ ...list(), settings: always });
    await silent.result;
    assert.deepEqual(
      ofType(silent.events, 'discover/approved')[0]!.entities.map(({ name }) => name),
      found,
    );
    const none = scriptedRun({
      ...list({ plan: async () => planOf(['Alpha', 'Beta', 'Gamma']) }),
      settings: always,
      approveEntities: async () => [],
    });
    const { report } = await none.result;
    assert.match(report, /^## Alpha$/m);
  });

  it('are shown again, and not searched for again, when the window closed while they waited', async () => {
    const folder = memoryFolder();
    let discoveries = 0;
    const base = list();
    const options = (): ScriptedOptions => ({
      ...base,
      analyst: {
        ...base.analyst!,
        discover: async (input, scope) => ((discoveries += 1), base.analyst!.discover(input, scope)),
      },
      settings: always,
      folder,
    });
    const stopped = new AbortController();
    const first = scriptedRun({
      ...options(),
      signal: stopped.signal,
      approveEntities: async () => {
        stopped.abort(Object.assign(new Error('The window closes.'), { name: 'AbortError', closing: true }));
        return new Promise(() => undefined);
      },
    });
    await assert.rejects(first.result);
    assert.equal(first.events.reduce(reduceRun, emptyView()).waitingFor, 'entities');
    const second = scriptedRun({
      ...options(),
      journal: [...folder.calls],
      checkpoints: [...folder.checkpoints],
      events: [...folder.events],
      resume: { created: '2026-03-04T10:00:00.000Z', status: 'waiting', changes: [] },
      approveEntities: async () => [{ name: 'Qdrant', from: ['Qdrant'] }],
    });
    await second.result;
    assert.equal(discoveries, 1);
    assert.equal(ofType(second.events, 'discover/found')[0]!.needsApproval, true);
    assert.deepEqual(
      ofType(second.events, 'plan/approved')[0]!.sections.map(({ title }) => title),
      ['Qdrant'],
    );
  });
});

describe('a given plan', () => {
  it('is researched as it is, without clarification, discovery and planning', async () => {
    const called: string[] = [];
    const { result, events } = scriptedRun({
      plan: {
        title: 'My plan',
        strategy: 'iterative',
        focus: ['cost'],
        sections: [
          { id: '', title: 'One', description: 'First.', queries: ['one query'] },
          { id: '', title: 'Two', description: '' },
        ],
      },
      analyst: scriptedAnalyst({
        assess: async () => (called.push('assess'), clearAssessment),
        plan: async () => (called.push('plan'), planOf(['Alpha'])),
      }),
    });
    const { report } = await result;
    assert.deepEqual(called, []);
    const [proposed] = ofType(events, 'plan/proposed');
    assert.equal(proposed!.needsApproval, false);
    assert.deepEqual(
      ofType(events, 'plan/approved')[0]!.sections.map(({ id, title, queries }) => [id, title, queries]),
      [
        ['s1', 'One', ['one query']],
        ['s2', 'Two', undefined],
      ],
    );
    assert.match(report, /^# My plan$/m);
    assert.match(report, /^## One$/m);
    assert.equal(events.reduce(reduceRun, emptyView()).strategy, 'iterative');
  });

  for (const count of [1, 30]) {
    it(`may have ${count} sections`, async () => {
      const sections = Array.from({ length: count }, (_, index) => ({
        id: '',
        title: `Part ${index}`,
        description: '',
      }));
      const { result, events } = scriptedRun({ plan: { sections } });
      await result;
      assert.equal(events.reduce(reduceRun, emptyView()).sections.length, count);
    });
  }

  it('is the brief of a supervisor', async () => {
    const briefs: string[] = [];
    const base = scriptedAnalyst();
    const { result } = scriptedRun({
      plan: { strategy: 'supervisor', sections: [{ id: '', title: 'One', description: 'First.' }] },
      analyst: scriptedAnalyst({
        supervise: async (input, scope) => (briefs.push(input.brief), base.supervise(input, scope)),
      }),
    });
    await result;
    assert.match(briefs[0]!, /- One: First\./);
  });
});
