import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import { readAllSettings } from '../../../src/catalogue.ts';
import type { WorkspacePort } from '../../../src/research/ports.ts';
import type { ResearchTool } from '../../../src/research/tools.ts';
import { createTools } from '../../../src/sources/createTools.ts';
import { createPoliteClient } from '../../../src/sources/http/politeClient.ts';
import { problemsOf } from '../../support/faultChecks.ts';
import { faultyRun, fastClock, type FaultyRun } from '../../support/faultRun.ts';
import { questions } from '../../support/modelFaults.ts';
import type { Script } from '../../support/modelServer.ts';
import { sampled } from '../../support/sampled.ts';
import { ofType, silentLog } from '../../support/scriptedParts.ts';
import {
  imitatedSettings,
  startSourceServer,
  type ImitatedService,
  type ScriptedAnswer,
  type SourceServer,
} from '../../support/sourceServer.ts';
import {
  unresponsiveTool,
  healthyWorkspace,
  oddAnswers,
  outsideFaults,
  outsideTool,
  sourceFaults,
  workspaceFaults,
} from '../../support/toolFaults.ts';

/** Everything that can go wrong at a source: with a model and without one, in the loop of a researcher and in `iterative`. */

/** That a run can be gone on with does not depend on what its sources had said. */
const thenResumed = ['500', '429 with Retry-After', 'empty'];

type Analyst = 'model' | 'no model';
const analysts: readonly Analyst[] = ['model', 'no model'];

interface Wanted {
  readonly analyst: Analyst;
  readonly strategy?: 'sections' | 'iterative';
  readonly sources: SourceServer;
  readonly tools?: (ordinary: readonly ResearchTool[]) => readonly ResearchTool[];
  readonly workspace?: WorkspacePort;
  readonly stop?: AbortController;
  readonly script?: Script;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Longest wait for a source: none is late on a busy machine unless it hangs. */
  readonly timeoutMs?: number;
}

const assessmentWith = (terms: readonly string[]) => ({
  need_clarification: false,
  question: '',
  options: [],
  recommended: '',
  missing_info: '',
  verification: '',
  refined_query: questions.sections,
  assessment: {
    topic_clear: true,
    scope_inferable: true,
    goal_clear: true,
    unknown_terms: terms,
    focus: ['One', 'Two', 'Three'],
    confidence: 0.9,
    reasoning: 'A name is not known.',
  },
});

async function researched({
  analyst,
  strategy = 'sections',
  sources,
  tools,
  workspace,
  stop,
  script = () => undefined,
  settings: more,
  timeoutMs = 600_000,
}: Wanted): Promise<FaultyRun> {
  const settings = imitatedSettings(sources);
  const clock = fastClock();
  const client = createPoliteClient({ userAgent: 'test', clock, timeoutMs, random: () => 0 });
  const { tools: ordinary } = await createTools({
    settings: readAllSettings(settings).settings,
    secrets: { key: async () => undefined },
    client,
    log: silentLog,
    ...(workspace ? { workspace } : {}),
  });
  return faultyRun({
    question: questions.sections,
    settings: { strategy, 'limits.maxToolCallsPerResearcher': 8, ...more },
    sources,
    ...(analyst === 'model' ? { script } : {}),
    ...(stop ? { stop } : {}),
    parts: () => ({ clock, tools: tools?.(ordinary) ?? ordinary }),
  });
}

async function withSources<T>(
  scripts: Partial<Record<ImitatedService, readonly ScriptedAnswer[]>>,
  use: (sources: SourceServer) => Promise<T>,
): Promise<T> {
  const sources = await startSourceServer({ scripts });
  try {
    const value = await use(sources);
    const open = sources.requests.map((request) =>
      Promise.race([
        request.closed.then(() => false),
        new Promise<boolean>((resolve) => setTimeout(resolve, 60_000, true).unref()),
      ]),
    );
    assert.equal((await Promise.all(open)).filter(Boolean).length, 0, 'no request is left open');
    return value;
  } finally {
    await sources.close();
  }
}

/** Checks what holds of every run, and ends it. */
async function checked(
  run: FaultyRun,
  reasons: readonly string[],
  more: (run: FaultyRun) => void = () => undefined,
): Promise<void> {
  try {
    assert.deepEqual(await problemsOf(run, new Set(), { reasons }), []);
    more(run);
  } finally {
    await run.end();
  }
}

const warningsOf = (run: FaultyRun, source: string) =>
  ofType(run.events, 'run/warning').filter(({ code }) => code.startsWith(`source.${source}.`));

describe('whatever goes wrong at a source', { concurrency: 6 }, () => {
  const faults = Object.entries(sourceFaults).flatMap(([fault, answer]) =>
    (['model', 'no model', 'every source'] as const).map((where) => ({ fault, answer, where })),
  );
  const kindsOf = ({ fault, where }: (typeof faults)[number]) => [
    fault,
    `${where}${where === 'every source' && thenResumed.includes(fault) ? ', resumed' : ''}`,
  ];
  for (const { fault, answer, where } of sampled(faults, kindsOf)) {
    const timeoutMs = fault.startsWith('hang') ? 1_000 : 600_000;
    if (where !== 'every source')
      it(`${fault} at one source, ${where}: the report stands on the other`, () =>
        withSources({ arxiv: [answer] }, async (sources) => {
          const strategy = where === 'model' ? 'sections' : 'iterative';
          await checked(await researched({ analyst: where, strategy, sources, timeoutMs }), [], (run) => {
            assert.ok(run.result, String(run.error));
            assert.ok(run.result.sources.length > 0 && run.result.sources.every(({ kind }) => kind === 'github'));
            const told = warningsOf(run, 'arxiv');
            assert.ok(told.length <= 1, `it is told once: ${told.map(({ message }) => message).join(' | ')}`);
          });
        }));
    else
      it(`${fault} at every source: one message that names it, and the run can be resumed`, () =>
        withSources({ arxiv: [answer], github: [answer] }, async (sources) => {
          const run = await researched({ analyst: 'model', sources, timeoutMs });
          try {
            assert.deepEqual(await problemsOf(run, new Set(), { reasons: ['noEvidence'] }), []);
            const [failed] = ofType(run.events, 'run/failed');
            assert.ok(failed, run.events.at(-1)?.type);
            assert.match(failed.message, /arXiv|GitHub|arxiv, github/);
            if (!thenResumed.includes(fault)) return;
            sources.clearScripts();
            const again = await run.resume();
            assert.ok(again.result, `resumed: ${String(again.error)}`);
          } finally {
            await run.end();
          }
        }));
  }

  it('that is asked for an unknown term: the term is taken literally, which the report says', () =>
    withSources(
      { arxiv: [{ ...sourceFaults['400']!, times: 3 }], github: [{ ...sourceFaults['400']!, times: 3 }] },
      async (sources) => {
        let asked = 0;
        const unknown: Script = (request) =>
          request.step === 'assess' && (asked += 1) === 1 ? { json: assessmentWith(['XQZ-17']) } : undefined;
        await checked(
          await researched({ analyst: 'model', sources, script: unknown, settings: { clarification: 'whenNeeded' } }),
          [],
          (run) => {
            assert.match(run.result?.report ?? '', /"XQZ-17" could not be looked up and was taken literally/);
          },
        );
      },
    ));

  for (const [fault, folder] of Object.entries(workspaceFaults)) {
    it(`the workspace, ${fault}: the report stands on the others`, () =>
      withSources({}, async (sources) => {
        for (const analyst of analysts) {
          await checked(
            await researched({ analyst, sources, workspace: { ...healthyWorkspace, ...folder } }),
            [],
            (run) => assert.ok(run.result, String(run.error)),
          );
        }
      }));
  }
});

describe('whatever a tool from outside does', { concurrency: 6 }, () => {
  const faults = Object.entries(outsideFaults).flatMap(([fault, run]) =>
    analysts.map((analyst) => ({ fault, run, analyst })),
  );
  for (const { fault, run, analyst } of sampled(faults, (one) => [one.fault, one.analyst])) {
    it(`it ${fault}, ${analyst}: the report stands on the others, and says so once`, () =>
      withSources({}, async (sources) => {
        await checked(
          await researched({ analyst, sources, tools: (ordinary) => [outsideTool(run), ...ordinary] }),
          [],
          (ended) => {
            assert.ok(ended.result, String(ended.error));
            assert.ok(ended.result.sources.length > 0);
            assert.ok(warningsOf(ended, 'handbook').length <= 1);
          },
        );
      }));
  }

  for (const [answer, run] of Object.entries(oddAnswers)) {
    it(`it gives ${answer}: what is a document is used`, () =>
      withSources({}, async (sources) => {
        await checked(
          await researched({ analyst: 'no model', sources, tools: () => [outsideTool(run)] }),
          [],
          (ended) => {
            assert.ok(ended.result, String(ended.error));
            const [source] = ended.result.sources;
            assert.equal(source?.title, 'Dense retrieval handbook');
            assert.ok(source.text.length <= 1_000_000);
            assert.ok(ended.lines('journal.ndjson').every((line) => line.length < 2_000_000));
          },
        );
      }));
  }

  it('it never answers, and fails in its own time after the user stopped: the run ends at once, with nothing unhandled', () =>
    withSources({}, async (sources) => {
      for (const analyst of analysts) {
        const stop = new AbortController();
        const run = await researched({
          analyst,
          sources,
          stop,
          tools: (ordinary) => [
            unresponsiveTool(() => stop.abort(new ResearchError('abort', 'Stopped.'))),
            ...ordinary,
          ],
        });
        assert.equal(run.events.at(-1)?.type, 'run/cancelled');
        await checked(run, []);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }));
});
