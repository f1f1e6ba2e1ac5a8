import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Editor, EditorPage } from '../support/editor.ts';
import {
  isOfStep as isStep,
  askedFor,
  clarifyOnce,
  either,
  sendBackInFirstRound,
  unsure,
  whenever,
} from '../support/modelScenarios.ts';
import type { ModelRequest, ModelServer } from '../support/modelServer.ts';
import type { Step } from '../support/modelRequest.ts';
import { numbered, PaidOnce } from '../support/paidOnce.ts';
import { type SourceServer, startSourceServer } from '../support/sourceServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { findPanel, keepFailures, openPanel, type Panel } from './support/researchPage.ts';

/** A card that waits for the user, by its test id. */
type Card = 'clarify' | 'plan-card' | 'review-card';

/** A place in a run at which the extension host is killed. */
type Point =
  /** The `nth` request of a step is at the model server (from 1, over all lives of the run). */
  | readonly [step: Step, nth: number]
  | Card
  /** Some of the report stands in the panel, and the rest is on its way. */
  | 'report';

/**
 * One run: killed at each of the points in turn, resumed after each, and finished. Every kill costs a start of the host, so
 * there is one of each kind here; `system/killedAnywhere` kills the engine after every line of its journal.
 */
interface Story {
  readonly name: string;
  readonly question: string;
  readonly strategy: 'sections' | 'iterative' | 'supervisor';
  readonly points: readonly Point[];
}

/** The question of the run that waits for the user. */
const decided = 'Which approaches to retrieval are there?';

/** The question of the run that is killed in the middle of its report. */
const long = 'How do retrieval-augmented generation systems work?';

/** The question of the run whose report never ends. */
const held = 'How is retrieval measured?';

const stories: readonly Story[] = [
  {
    name: 'three researchers at a time',
    question: long,
    strategy: 'sections',
    points: [['plan', 1], ['distil', 2], 'report'],
  },
  {
    name: 'a question, a plan and a review that wait for the user',
    question: decided,
    strategy: 'sections',
    points: ['clarify', 'plan-card', 'review-card'],
  },
  {
    name: 'rounds',
    question: 'How is retrieval evaluated?',
    strategy: 'iterative',
    points: [['reflect', 1]],
  },
  {
    name: 'a supervisor and its researchers',
    question: 'Compare dense retrieval vs sparse retrieval',
    strategy: 'supervisor',
    points: [['supervise', 3]],
  },
];

describe('a research whose extension host is killed', () => {
  let modelEditor: ModelEditor;
  let server: ModelServer;
  let sources: SourceServer;
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;
  let runs: string;
  let kills = 0;

  before(async () => {
    sources = await startSourceServer();
    modelEditor = await openModelEditor({
      installed: true,
      model: {
        delayMs: 60,
        script: numbered(
          either(
            askedFor(held, whenever({ stopAfter: { pieces: 20, how: 'stall' } }, { step: 'report' })),
            askedFor(decided, either(clarifyOnce(), unsure(), sendBackInFirstRound())),
            whenever({ tokenDelayMs: 10 }, { step: 'report' }),
            // Sections are shown before the summary: a kill in the middle of the report has the time to be one.
            askedFor(long, whenever({ delayMs: 3000 }, { step: 'frame' })),
          ),
        ),
      },
      settings: {
        reviewApproval: 'always',
        'limits.maxReviewIterations': 1,
        'sources.enabled': ['workspace', 'arxiv'],
      },
      endpoints: {
        'deepResearch.endpoints.arxiv': sources.arxivUrl,
        'deepResearch.endpoints.github': sources.githubUrl,
      },
    });
    ({ server, editor, page, panel } = modelEditor);
    runs = path.join(editor.dataDir, 'data', 'User', 'globalStorage', 'deep-research.deep-research', 'runs');
  });
  keepFailures(() => page);
  after(async () => {
    await modelEditor?.close();
    await sources?.close();
  });

  for (const story of stories) {
    it(`resumes after ${story.points.length} kills and repeats no completed call: ${story.name}`, async (test) => {
      const undisturbed = await runUndisturbed(story);
      const begun = server.requests.length;
      const witness = new PaidOnce(server, sources);
      await ask(story);
      for (const point of story.points) {
        await reach(point, begun);
        await killHost(witness);
        assert.equal(await panel.get('shown-question').innerText(), story.question);
        assert.match(await panel.get('status').innerText(), /Interrupted/, `after ${String(point)}`);
        await panel.get('resume').click();
        if (isCard(point)) await decide(point);
      }
      await panel.reaches('finished');
      await witness.assertPaidOnce(undisturbed);
      const record = JSON.parse(fs.readFileSync(path.join(runs, newestRun(), 'run.json'), 'utf8')) as {
        status: string;
        path: string;
      };
      assert.equal(record.status, 'finished');
      assert.match(fs.readFileSync(record.path, 'utf8'), new RegExp(`^run: "?${newestRun()}"?$`, 'm'));
      test.diagnostic(`${server.requests.length - begun} requests, ${witness.lost} of them in flight at a kill`);
    });
  }

  it('is not shown as interrupted in a second window while it is running in the first', async () => {
    await ask({ name: '', question: held, strategy: 'iterative', points: [] });
    await panel.get('report').getByText(/\w/).first().waitFor();
    const other = await editor.openPage();
    const second = await openPanel(other);
    await second.get('question').waitFor();
    assert.equal(await second.get('run').count(), 0);
    await second.get('strategy').selectOption('iterative');
    await second.ask('How is retrieval evaluated?');
    await second.reaches('finished');
    assert.equal(await panel.get('run-header').getAttribute('data-status'), 'running');
    await panel.get('stop').click();
    await panel.reaches('cancelled');
    await other.page.close();
  });

  /** The calls of the same question without a kill. */
  async function runUndisturbed(story: Story): Promise<readonly ModelRequest[]> {
    const begun = server.requests.length;
    await ask(story);
    for (const point of story.points)
      if (isCard(point)) await decide(point);
      else if (point === 'report') await endReview();
    await panel.reaches('finished');
    return server.requests.slice(begun);
  }

  async function ask({ question, strategy }: Story): Promise<void> {
    if ((await panel.get('new-question').count()) > 0) await panel.get('new-question').click();
    await panel.get('strategy').selectOption(strategy);
    await panel.ask(question);
  }

  async function reach(point: Point, begun: number): Promise<void> {
    if (isCard(point)) return panel.get(point).waitFor();
    if (point === 'report') {
      await endReview();
      return panel.get('report').getByText(/\w/).first().waitFor();
    }
    const [step, nth] = point;
    const isOfStep = (request: ModelRequest) => request.index >= begun && isStep(request, step);
    await server.waitFor(
      (request) =>
        isOfStep(request) &&
        server.requests.filter((other) => isOfStep(other) && other.index <= request.index).length === nth,
    );
  }

  async function decide(card: Card): Promise<void> {
    if (card === 'clarify') await panel.get('option').nth(1).click();
    if (card === 'plan-card') await panel.get('approve-plan').click();
    if (card === 'review-card') await panel.get('review-continue').click();
    await panel.get(card).waitFor({ state: 'detached' });
  }

  /** The review that finds nothing missing waits for the user, too. */
  async function endReview(): Promise<void> {
    await panel.get('review-report').click();
    await panel.get('review-card').waitFor({ state: 'detached' });
  }

  /** Kills the host that the run is in, and resolves with the panel of the next one. */
  async function killHost(witness: PaidOnce): Promise<void> {
    const { frame } = panel;
    const gone = page.page.waitForEvent('framedetached', { predicate: (detached) => detached === frame });
    await editor.killExtensionHost();
    await witness.killed(path.join(runs, newestRun()));
    await gone;
    kills += 1;
    // The editor restarts a host that dies; from the third time within five minutes it asks first.
    if (kills >= 3)
      await (
        await page.notification('terminated unexpectedly')
      )
        .getByRole('button', { name: 'Restart Remote Extension Host' })
        .click();
    panel = await findPanel(page);
    await panel.get('end').waitFor();
  }

  /** Ids begin with the date and time. */
  function newestRun(): string {
    return fs.readdirSync(runs).sort().at(-1)!;
  }
});

function isCard(point: Point): point is Card {
  return point === 'clarify' || point === 'plan-card' || point === 'review-card';
}
