import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { builtIn } from '../../src/catalogue.ts';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { sectionsOf, type Imitation } from '../support/modelAnswers.ts';
import { startModelServer, type Script } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { ofType, silentLog } from '../support/scriptedRun.ts';
import { imitatedSettings, startSourceServer, type SourceServer } from '../support/sourceServer.ts';

const questions = {
  list: 'Which techniques for retrieval-augmented generation are there?',
  comparison: 'Compare dense retrieval and sparse retrieval',
  'deep dive': 'Explain reranking for retrieval-augmented generation in detail',
} as const;
const strategies = ['sections', 'iterative', 'supervisor'] as const;
const depths = ['quick', 'standard', 'deep'] as const;

/** A model with an opinion: its first review sends a section back, its critic has points about two parts, then about one. */
function critical(): Script {
  let reviews = 0;
  let critiques = 0;
  return ({ step, prompt }) => {
    const [first] = sectionsOf(prompt);
    if (step === 'review' && first !== undefined && (reviews += 1) === 1) {
      const gaps = [{ section: first.id, gap: 'Figures of a benchmark are missing.' }];
      const verdict = { is_sufficient: false, overall_score: 5, sections_to_retry: [first.id], reasoning: 'Thin.' };
      return { json: { ...verdict, gaps, section_coverage: [], contradictions: [] } };
    }
    if (step === 'critique' && first !== undefined) {
      critiques += 1;
      const parts = critiques === 1 ? [first.id, 'frame'] : [first.id];
      const points = parts.map((part) => ({ part, kind: 'unclear', point: 'Say what follows from it.', quote: '' }));
      return { json: { reasoning: 'Unclear.', points } };
    }
    return undefined;
  };
}

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
    const server = await startModelServer({ script: critical(), imitation: { rounds: 2, ...imitation } });
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

  for (const strategy of strategies)
    for (const [kind, question] of Object.entries(questions))
      it(`is near what it takes: ${strategy}, ${kind}, at every depth`, async () => {
        for (const depth of depths)
          assertNear(await compared(question, { strategy, depth }), `${strategy} ${kind} ${depth}`);
      });

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
