import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createModels } from '../../../src/models/createModels.ts';
import { llmAnalyst } from '../../../src/research/analyst/llm/llmAnalyst.ts';
import type { ChatModels } from '../../../src/research/ports.ts';
import type { ResearchTool } from '../../../src/research/tools.ts';
import { startModelServer, type ModelServer } from '../../support/modelServer.ts';
import {
  fakeClock,
  memoryFolder,
  note,
  scriptedAnalyst,
  scriptedTool,
  silentLog,
} from '../../support/scriptedParts.ts';
import { scriptedRun, settingsOf, type ScriptedOptions } from '../../support/scriptedRun.ts';

const paper = 'The survey of tidal turbines measured a rated output of 3,071 kW in the strongest current of the year.';
const subjects = ['anchor', 'blade', 'cable', 'dock', 'engine', 'frame'];

/** Finds enough for any section at once. */
const quick = scriptedTool((query) => ({
  documents: subjects.map((subject) =>
    note(`${subject}-${query}`, `${query}: the ${subject} of tidal turbines holds ${subject.length * 17} kN at sea.`),
  ),
}));

/** Answers when it is let. */
function slowTool(until: Promise<unknown>, answered = (): void => undefined): ResearchTool {
  return scriptedTool(
    async () => {
      await until;
      setImmediate(answered);
      return { documents: [{ ...note('Survey', paper), kind: 'arxiv', ids: { arxiv: '2601.00001' } }] };
    },
    { name: 'search_papers', source: 'papers' },
  );
}

/** Without the front matter, whose usage is counted from events. */
const bodyOf = (report: string): string => report.slice(report.indexOf('\n---\n', 3));

describe('searches of a section that are slower than the others', () => {
  let server: ModelServer;
  let models: ChatModels;
  /** Until when the model works on the first distillation of a section. */
  let distilled: Promise<unknown>;
  /** Called when it begins to. */
  let distils: () => void;
  before(async () => {
    server = await startModelServer({
      script: ({ step, prompt }) => {
        if (step !== 'distil' || prompt.includes('3,071')) return undefined;
        distils();
        return { until: distilled };
      },
    });
    const settings = settingsOf({ 'model.baseUrl': server.url, 'model.name': 'imitation-1' });
    const created = await createModels({ settings, secrets: { key: async () => undefined }, log: silentLog });
    assert.ok(created.kind === 'llm');
    models = created.models;
  });
  after(() => server.close());

  async function life(slow: ResearchTool, options: Partial<ScriptedOptions> = {}) {
    const seen = server.requests.length;
    const run = scriptedRun({
      question: 'Compare tidal turbines',
      analyst: llmAnalyst,
      fallback: scriptedAnalyst(),
      provider: 'openai-compatible',
      model: 'imitation-1',
      models,
      clock: fakeClock(),
      tools: [quick, slow],
      ...options,
      settings: { 'model.baseUrl': server.url, strategy: 'sections', planApproval: 'never', clarification: 'off' },
    });
    const { report } = await run.result;
    return { report, events: run.events, sent: server.requests.slice(seen) };
  }

  it(
    'hold nothing up, and what they bring is distilled beside the rest; a resumed run takes the same',
    { timeout: 60_000 },
    async () => {
      const begun = Promise.withResolvers<void>();
      const came = Promise.withResolvers<void>();
      distils = begun.resolve;
      // The first distillation begins before the papers are there, and ends after.
      distilled = came.promise;
      const folder = memoryFolder();
      const { report, sent } = await life(slowTool(begun.promise, came.resolve), { folder });
      assert.match(report, /3,071 kW/);
      const late = sent.filter(({ step, prompt }) => step === 'distil' && prompt.includes('3,071'));
      assert.ok(late.length > 0);

      const cuts = folder.calls.flatMap((line, index) => (line.includes('/searches/late"') ? [index + 1] : []));
      assert.ok(cuts.length > 0);
      const journal = folder.calls.slice(0, cuts.at(-1));
      const isModel = (line: string): boolean => line.includes('"kind":"model"');
      const again = await life(slowTool(Promise.resolve()), {
        folder: memoryFolder(),
        journal,
        checkpoints: [],
        events: [],
        resume: { created: '2026-03-04T10:00:00.000Z', status: 'running', changes: [] },
      });
      assert.equal(bodyOf(again.report), bodyOf(report));
      assert.equal(again.sent.length, folder.calls.filter(isModel).length - journal.filter(isModel).length);
    },
  );

  it('are not waited for at all where they never end', { timeout: 60_000 }, async () => {
    distils = () => undefined;
    distilled = Promise.resolve();
    const { report, events } = await life(slowTool(new Promise(() => undefined)));
    assert.doesNotMatch(report, /3,071/);
    assert.match(report, /holds 102 kN/);
    assert.ok(events.some(({ type }) => type === 'run/finished'));
  });
});
