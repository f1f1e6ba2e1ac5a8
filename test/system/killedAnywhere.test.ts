import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as z from 'zod';
import { createModels } from '../../src/models/createModels.ts';
import { llmAnalyst } from '../../src/research/analyst/llm/llmAnalyst.ts';
import { ResearchError } from '../../src/research/errors.ts';
import type { Strategy } from '../../src/protocol/strategy.ts';
import type { ChatModels } from '../../src/research/ports.ts';
import { askForChanges, clarifyOnce, either, sendBackInFirstRound, unsure } from '../support/modelScenarios.ts';
import { startModelServer, type ModelServer, type Script } from '../support/modelServer.ts';
import { sampled, stepOf } from '../support/sampled.ts';
import { fakeClock, memoryFolder, note, scriptedAnalyst, scriptedTool, silentLog } from '../support/scriptedParts.ts';
import { scriptedRun, settingsOf, type ScriptedOptions } from '../support/scriptedRun.ts';

/** A critic reads the draft of a deep run alone, and a model looks once at standard depth. */
const depthOf = (strategy: Strategy): string => (strategy === 'supervisor' ? 'deep' : 'standard');

/** What lay in a run's folder when a line of its journal had just been written. */
interface Snapshot {
  readonly calls: number;
  readonly checkpoints: number;
  readonly events: number;
}

describe('a run that is killed after any line of its journal, and resumed the next day', () => {
  let server: ModelServer;
  let models: ChatModels;
  /** The model asks back, and is not sure enough to start without a look at its plan. */
  let asks = true;
  const settings = () => ({ 'model.baseUrl': server.url, 'model.name': 'imitation-1', reviewApproval: 'always' });
  before(async () => {
    const interrupted = either(clarifyOnce(), unsure(), sendBackInFirstRound(), askForChanges(), delegateTwice);
    const straight = either(sendBackInFirstRound(), askForChanges(), delegateTwice);
    const script: Script = (request) => (asks ? interrupted : straight)(request);
    server = await startModelServer({
      script: (request) => ({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }, ...script(request) }),
    });
    const created = await createModels({
      settings: settingsOf(settings()),
      secrets: { key: async () => undefined },
      log: silentLog,
    });
    assert.ok(created.kind === 'llm');
    models = created.models;
  });
  after(() => server.close());

  interface Life {
    readonly strategy: Strategy;
    readonly isAsked: boolean;
    readonly folder: ReturnType<typeof memoryFolder>;
    readonly snapshots: readonly Snapshot[];
    readonly report: string;
  }
  const lives = new Map<string, Life>();
  /** Every kind of step of all lives, and of each life at least one. */
  let kills: readonly (readonly [string, Snapshot])[];
  const kinds = [
    ['sections', true],
    ['iterative', true],
    ['supervisor', true],
    // What began beside the assessment is used, and sections are searched for while they are planned.
    ['sections', false],
    ['iterative', false],
    ['supervisor', false],
  ] as const;
  const nameOf = ([strategy, isAsked]: (typeof kinds)[number]) => `${strategy}${isAsked ? '' : ', nobody is asked'}`;
  before(async () => {
    for (const kind of kinds) {
      const [strategy, isAsked] = kind;
      asks = isAsked;
      // What the user had said, as it was noted: nothing is sent between it and the line before.
      const { folder, snapshots } = watched((line) => !line.includes('/told"'));
      const { report } = await life(strategy, { folder });
      lives.set(nameOf(kind), { strategy, isAsked, folder, snapshots, report });
    }
    kills = sampled(
      [...lives].flatMap(([name, { snapshots }]) => snapshots.map((snapshot) => [name, snapshot] as const)),
      ([name, snapshot]) => [name, stepAfter(lives.get(name)!.folder.calls)(snapshot)],
    );
  });

  for (const name of kinds.map(nameOf)) {
    it(`sends what was not finished, and nothing else, and writes the same report (${name})`, async (test) => {
      const { strategy, isAsked, folder, snapshots, report } = lives.get(name)!;
      asks = isAsked;
      assert.ok(snapshots.length >= 15);
      const has = (part: string): boolean => folder.calls.some((line) => line.includes(part));
      if (depthOf(strategy) === 'deep') assert.ok(has('report/revise/1/'), 'a section is revised');
      else if (strategy === 'sections') assert.ok(has('/look"'), 'the model looks at what was found');
      for (const { calls, checkpoints, events } of kills.flatMap(([of, kill]) => (of === name ? [kill] : []))) {
        const kept = {
          journal: folder.calls.slice(0, calls),
          checkpoints: folder.checkpoints.slice(0, checkpoints),
          events: folder.events.slice(0, events),
          resume: { created: '2026-03-04T23:59:00.000Z', status: 'running', changes: [] },
        } as const;
        const at = `killed after ${(JSON.parse(folder.calls[calls - 1]!) as { key: string }).key}`;
        const second = await life(strategy, { ...kept, clock: fakeClock('2026-03-05T08:00:00.000Z') });
        const missing = modelCalls(folder.calls, isAsked) - modelCalls(kept.journal, isAsked);
        const isAssessed = kept.journal.some((line) => line.includes('"key":"assess/0-0/'));
        const early = isAsked && !isAssessed ? earlyCalls : 0;
        // The draft of a section that went back is not checked once it is written again.
        const dropped = folder.calls
          .slice(calls)
          .flatMap((line) => /"key":"section\/(\w+)\/1\/verify\/check\/\d+\/verify/.exec(line)?.[1] ?? [])
          .filter((id) => folder.calls.some((line) => line.includes(`"key":"section/${id}/2/`))).length;
        // A plan whose sections were known when the run was killed needs no end.
        const isOutlined = kept.journal.some((line) => line.includes('"key":"ahead/plan/outline"'));
        const unended = isOutlined ? planCalls(folder.calls.slice(calls)) : 0;
        assert.ok(
          second.sent.length >= missing - dropped - unended && second.sent.length <= missing + early,
          `${at}: ${missing} are missing, ${second.sent.map(({ step, section }) => `${step} ${section}`).join(', ')}`,
        );
        // The second reader is told nothing of the run.
        for (const { prompt, step } of second.sent.filter((sent) => sent.step !== 'verify'))
          assert.ok(prompt.includes('2026-03-04') && !prompt.includes('2026-03-05'), `${at}: ${step} has another date`);
        assert.equal(alike(second.report), alike(report), at);
      }
      test.diagnostic(`of ${snapshots.length} places`);
    });
  }

  it('sends no finished call again because a source has grown by what others found', async () => {
    asks = true;
    // Every search brings another part of the same work.
    const tools = () => [
      scriptedTool((query) => ({
        documents: [note('The work', `This is what the work says about ${query}, and nothing else.`)],
      })),
    ];
    const { folder, snapshots } = watched((line) => line.includes('"kind":"model"') && line.includes('section/'));
    await life('sections', { folder, tools: tools() });
    assert.ok(snapshots.length >= 6);
    for (const { calls, checkpoints, events } of sampled(snapshots, stepAfter(folder.calls))) {
      const journal = folder.calls.slice(0, calls);
      const resume = { created: '2026-03-04T23:59:00.000Z', status: 'running', changes: [] } as const;
      const { sent } = await life('sections', {
        journal,
        checkpoints: folder.checkpoints.slice(0, checkpoints),
        events: folder.events.slice(0, events),
        resume,
        tools: tools(),
      });
      assert.equal(
        sent.length,
        modelCalls(folder.calls) - modelCalls(journal),
        `killed after ${(JSON.parse(journal.at(-1)!) as { key: string }).key}`,
      );
    }
  });

  /** Runs to the end, and gives what the model server saw of it. */
  async function life(strategy: Strategy, options: Partial<ScriptedOptions>) {
    const seen = server.requests.length;
    const { report } = await scriptedRun({
      question: 'What are the main techniques for retrieval-augmented generation?',
      analyst: llmAnalyst,
      fallback: scriptedAnalyst(),
      provider: 'openai-compatible',
      model: 'imitation-1',
      models,
      clock: fakeClock('2026-03-04T23:59:00.000Z'),
      tools: sources(),
      answer: async () => 'Recent results',
      approve: async (plan) => plan,
      decideReview: async () => 'continue',
      ...options,
      settings: { ...settings(), strategy, depth: depthOf(strategy) },
    }).result;
    return { report, sent: server.requests.slice(seen) };
  }
});

/** A folder, and what lay in it after each of the lines that are asked for. */
function watched(isAskedFor: (line: string) => boolean) {
  const snapshots: Snapshot[] = [];
  const folder = memoryFolder();
  const record = folder.appendCall.bind(folder);
  folder.appendCall = async (line) => {
    await record(line);
    if (isAskedFor(line))
      snapshots.push({
        calls: folder.calls.length,
        checkpoints: folder.checkpoints.length,
        events: folder.events.length,
      });
  };
  return { folder, snapshots };
}

/** A lead that delegates two topics, reads what they bring back, and delegates one more. */
const delegateTwice: Script = ({ step, messages }) => {
  if (step !== 'supervise') return undefined;
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const topics = [['Indexing', 'Retrieval'], ['Reranking']][turn] ?? [];
  if (topics.length === 0) return { toolCalls: [{ name: 'ResearchComplete', args: {} }] };
  return {
    toolCalls: topics.map((title) => ({
      name: 'ConductResearch',
      args: { title, research_topic: `${title} in retrieval-augmented generation.` },
    })),
  };
};

/** One that finds, one that answers the same to everybody who asks the same, one that fails differently each time. */
function sources() {
  let failures = 0;
  return [
    scriptedTool((query) => ({ documents: [note(`About ${query}`)] })),
    scriptedTool(() => ({ documents: [note('Shared')], note: 'One result.' }), {
      name: 'search_shared',
      description: 'Searches what all share.',
      parameters: z.object({ query: z.string().transform(() => 'the same') }),
    }),
    scriptedTool(
      () => Promise.reject(new ResearchError('network', `The host is down (${(failures += 1)} ${Math.random()}).`)),
      { name: 'search_down', description: 'Searches a host.' },
    ),
  ];
}

/** The kind of call whose line had just been written. */
const stepAfter =
  (journal: readonly string[]) =>
  ({ calls }: Snapshot): string =>
    stepOf(journal[calls - 1]!);

/** What was looked up the next day says so, a failure is told as it was last seen, and the last answer's tokens may not have been told of. */
function alike(report: string): string {
  return report
    .replace(/Retrieved 2026-03-0\d/g, 'Retrieved')
    .replace(/down \(.*?\)/g, 'down')
    .replace(/^tokens: \d+$/m, 'tokens')
    .replace(/^usage:\n(?: {2}- .*\n)+/m, '');
}

/** Calls that may begin beside an assessment that then asks: how far they get is a matter of time. */
const earlyCalls = 2;

/** Of the model; without what began beside an assessment that asked. */
function modelCalls(journal: readonly string[], isAsked = true): number {
  const lines = journal.map((line) => JSON.parse(line) as { readonly kind: string; readonly key: string });
  return lines.filter(({ kind, key }) => kind === 'model' && !(isAsked && key.startsWith('ahead/'))).length;
}

/** Of the model, for the plan that began beside the assessment. */
function planCalls(journal: readonly string[]): number {
  const lines = journal.map((line) => JSON.parse(line) as { readonly kind: string; readonly key: string });
  return lines.filter(({ kind, key }) => kind === 'model' && key.startsWith('ahead/plan/')).length;
}
