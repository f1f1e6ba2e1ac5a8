import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { builtIn } from '../../src/catalogue.ts';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { criticalModel } from '../support/criticalModel.ts';
import type { Imitation } from '../support/modelAnswers.ts';
import { startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { sampled } from '../support/sampled.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';
import { imitatedSettings, startSourceServer, type SourceServer } from '../support/sourceServer.ts';

const questions = {
  list: 'Which techniques for retrieval-augmented generation are there?',
  comparison: 'Compare dense retrieval and sparse retrieval',
  'deep dive': 'Explain reranking for retrieval-augmented generation in detail',
} as const;
const strategies = ['sections', 'iterative', 'supervisor'] as const;
const depths = ['quick', 'standard', 'deep'] as const;

describe('the estimate of a plan', () => {
  let sources: SourceServer;
  let workspaceFolder: string;
  let runsFolder: string;
  before(async () => {
    sources = await startSourceServer();
    workspaceFolder = copyWorkspace('examples');
    runsFolder = temporaryFolder('estimate');
  });
  after(async () => {
    await sources.close();
    removeFolder(workspaceFolder);
    removeFolder(runsFolder);
  });

  /** What was estimated, and what the run took: calls and tokens. */
  async function compared(question: string, settings: Readonly<Record<string, unknown>>, imitation: Imitation = {}) {
    const server = await startModelServer({ script: criticalModel(), imitation: { rounds: 2, ...imitation } });
    const events: ResearchEvent[] = [];
    await research({
      question,
      settings: {
        'model.baseUrl': server.url,
        'model.name': 'imitation-1',
        planApproval: 'never',
        ...imitatedSettings(sources),
        ...settings,
      },
      workspaceFolder,
      runsFolder,
      secrets: environmentSecrets({}, builtIn.keyServices),
      log: silentLog,
      version: 'test',
      saveTo: { save: () => Promise.resolve(undefined) },
      onEvent: (event) => events.push(event),
    });
    await server.close();
    const { estimate } = ofType(events, 'plan/approved')[0]!;
    const { tokens } = ofType(events, 'run/finished')[0]!;
    return { estimate, real: { calls: server.requests.length, tokens: tokens.in + tokens.out } };
  }

  function assertNear({ estimate, real }: Awaited<ReturnType<typeof compared>>, row: string): void {
    for (const what of ['calls', 'tokens'] as const) {
      const share = real[what] / estimate[what];
      assert.ok(
        share >= 0.6 && share <= 1.6,
        `${row}: ${real[what]} ${what} of ${estimate[what]} (${share.toFixed(2)})`,
      );
    }
  }

  const grid = strategies.flatMap((strategy) =>
    Object.entries(questions).flatMap(([kind, question]) =>
      depths.map((depth) => ({ strategy, kind, question, depth })),
    ),
  );
  for (const { strategy, kind, question, depth } of sampled(grid, (one) => [`${one.strategy}, ${one.depth}`, one.kind]))
    it(`is near what it takes: ${strategy}, ${kind}, ${depth}`, async () =>
      assertNear(await compared(question, { strategy, depth }), `${strategy} ${kind} ${depth}`));

  it('grows as the plan and the rounds of review do', async () => {
    for (const strategy of ['sections', 'iterative'])
      assertNear(await compared(questions.list, { strategy }, { sections: 7 }), `${strategy} of seven sections`);
    const once = await compared(questions.list, { strategy: 'sections', 'limits.maxReviewIterations': 0 });
    assertNear(once, 'nothing sent back');
  });

  it('of a single fact is near what it takes', async () => {
    assertNear(await compared('When was retrieval-augmented generation introduced?', {}), 'short');
  });
});
