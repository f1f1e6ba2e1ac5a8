import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Editor, EditorPage } from '../support/editor.ts';
import {
  askedFor,
  clarifyOnce,
  either,
  requestsOf,
  sendBackInFirstRound,
  unsure,
  whenever,
} from '../support/modelScenarios.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { numbered, PaidOnce } from '../support/paidOnce.ts';
import { type SourceServer, startSourceServer } from '../support/sourceServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { keepFailures, killHost, openPanel, type Panel } from './support/researchPage.ts';

/** The question of the run that is killed. */
const question = 'Which approaches to retrieval are there?';

/** The question of the run whose report never ends. */
const held = 'How is retrieval measured?';

describe('a research whose extension host is killed', () => {
  let modelEditor: ModelEditor;
  let server: ModelServer;
  let sources: SourceServer;
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;
  let runs: string;
  /** How many frames of reports get an answer: the next one gets none, so that a kill is in the middle of the report. */
  let answeredFrames = Infinity;

  before(async () => {
    sources = await startSourceServer();
    modelEditor = await openModelEditor({
      installed: true,
      model: {
        delayMs: 20,
        script: numbered(
          either(
            askedFor(held, whenever({ stopAfter: { pieces: 20, how: 'stall' } }, { step: 'report' })),
            askedFor(
              question,
              either(clarifyOnce(), unsure(), sendBackInFirstRound(), ({ step }) =>
                step === 'frame' && (answeredFrames -= 1) < 0 ? { hang: true } : undefined,
              ),
            ),
          ),
        ),
      },
      settings: {
        reviewApproval: 'always',
        'limits.maxReviewIterations': 1,
        'sources.enabled': ['workspace', 'github'],
      },
      endpoints: { 'deepResearch.endpoints.github': sources.githubUrl },
    });
    ({ server, editor, page, panel } = modelEditor);
    ({ runs } = editor);
  });
  keepFailures(() => page);
  after(async () => {
    await modelEditor?.close();
    await sources?.close();
  });

  // Every kill costs a start of the host. `system/killedAnywhere` kills the engine after every line of its journal, with every
  // strategy.
  it('resumes when it waits for the user, with researchers at work and in its report, and repeats no completed call', async () => {
    const begun = server.requests.length;
    await ask(question, 'sections');
    await decide('clarify', panel.get('option').nth(1));
    await decide('plan-card', panel.get('approve-plan'));
    await decide('review-card', panel.get('review-continue'));
    await panel.reaches('finished');
    const undisturbed = server.requests.slice(begun);

    const witness = new PaidOnce(server, sources);
    const second = server.requests.length;
    await ask(question, 'sections');
    await decide('clarify', panel.get('option').nth(1));

    await panel.get('plan-card').waitFor();
    await killAndResume(witness);
    await decide('plan-card', panel.get('approve-plan'));

    const distils = () => requestsOf(server.requests.slice(second), 'distil');
    await server.waitFor((request) => request.index >= second && request.step === 'distil' && distils().length >= 2);
    await killAndResume(witness);

    // The one that is written beside the review, before sections go back.
    answeredFrames = 1;
    await decide('review-card', panel.get('review-continue'));
    await panel.get('report').getByText(/\w/).first().waitFor();
    const frames = () => requestsOf(server.requests.slice(second), 'frame');
    await server.waitFor(({ index, step }) => index >= second && step === 'frame' && frames().length >= 2);
    answeredFrames = Infinity;
    await killAndResume(witness);

    await panel.reaches('finished');
    await witness.assertPaidOnce(undisturbed);
    const record = JSON.parse(fs.readFileSync(path.join(runs, newestRun(), 'run.json'), 'utf8')) as {
      status: string;
      path: string;
    };
    assert.equal(record.status, 'finished');
    assert.match(fs.readFileSync(record.path, 'utf8'), new RegExp(`^run: "?${newestRun()}"?$`, 'm'));
  });

  it('is not shown as interrupted in a second window while it is running in the first', async () => {
    await ask(held, 'iterative');
    await panel.get('report').getByText(/\w/).first().waitFor();
    const other = await editor.openPage();
    const second = await openPanel(other);
    await second.get('question').waitFor();
    assert.equal(await second.get('run').count(), 0);
    await second.get('strategies-toggle').click();
    await second.get('strategy').selectOption('iterative');
    await second.ask('How is retrieval evaluated?');
    await second.reaches('finished');
    assert.equal(await panel.get('run-header').getAttribute('data-status'), 'running');
    await panel.get('stop').click();
    await panel.reaches('cancelled');
    await other.page.close();
  });

  async function ask(asked: string, strategy: 'sections' | 'iterative'): Promise<void> {
    if ((await panel.get('new-question').count()) > 0) await panel.get('new-question').click();
    await panel.get('strategies-toggle').click();
    await panel.get('strategy').selectOption(strategy);
    await panel.ask(asked);
  }

  async function decide(card: string, control: Locator): Promise<void> {
    await control.click();
    await panel.get(card).waitFor({ state: 'detached' });
  }

  /** Kills the host that the run is in, and resumes it in the panel of the next one. */
  async function killAndResume(witness: PaidOnce): Promise<void> {
    panel = await killHost(editor, page, panel, () => witness.killed(path.join(runs, newestRun())));
    await panel.get('end').waitFor();
    assert.equal(await panel.get('shown-question').innerText(), question);
    assert.match(await panel.get('status').innerText(), /Interrupted/);
    await panel.get('resume').click();
  }

  /** Ids begin with the date and time. */
  function newestRun(): string {
    return fs.readdirSync(runs).sort().at(-1)!;
  }
});
