import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import type { EditorPage } from '../support/editor.ts';
import { askedFor, discoverList, either, requestsOf, sendBackInFirstRound } from '../support/modelScenarios.ts';
import type { ParsedRequest } from '../support/modelRequest.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { keepFailures, killHost, type Panel } from './support/researchPage.ts';

type EventOf<T extends ResearchEvent['type']> = Extract<ResearchEvent, { type: T }>;

const listed = 'Which approaches to retrieval are there?';
const remark = 'Look at the 2025 follow-up.';

/** What is asked of a model for one section. */
const isResearch = ({ step }: ParsedRequest): boolean => step === 'act' || step === 'distil';

// Both suites approve their plans, in one window.
let modelEditor: ModelEditor;
let workspace: string;
let server: ModelServer;
let page: EditorPage;
let panel: Panel;
let runs: string;
/** The section whose researcher gets no answer, and whether one that has read the remark gets one. */
let held: string | undefined;
let holdsRemark = false;

before(async () => {
  modelEditor = await openModelEditor({
    // A host that develops an extension is not started again.
    installed: true,
    model: {
      script: either(askedFor(listed, either(discoverList(), sendBackInFirstRound(1))), (request) => {
        const isHeld = request.section === held || (holdsRemark && request.prompt.includes(remark));
        return request.step === 'act' && isHeld ? { hang: true } : undefined;
      }),
      imitation: { sections: 4 },
    },
    settings: {
      strategy: 'supervisor',
      planApproval: 'always',
      reviewApproval: 'always',
      'limits.maxReviewIterations': 1,
    },
  });
  ({ workspace, server, page, panel } = modelEditor);
  ({ runs } = modelEditor.editor);
});
keepFailures(() => page);
after(() => modelEditor?.close());

/** The one report that was saved. */
function savedReport(): string {
  const files = fs
    .readdirSync(path.join(workspace, 'research'))
    .filter((file) => file.endsWith('.md') && !file.endsWith('.evidence.md'));
  assert.equal(files.length, 1, files.join(', '));
  return fs.readFileSync(path.join(workspace, 'research', files[0]!), 'utf8');
}

/** Opens what may be open already: it depends on how much of the run the page has seen. */
async function open(toggle: Locator): Promise<void> {
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

describe('a supervisor with a model behind an OpenAI-compatible server', () => {
  it('is what the settings say, and lets its brief be changed first', async () => {
    await panel.get('strategies-toggle').click();
    assert.equal(await panel.get('strategy').inputValue(), 'supervisor');
    await panel.ask('Compare dense retrieval and sparse retrieval');
    const brief = panel.get('plan-brief');
    await brief.waitFor();
    await page.screenshot('strategy-supervisor-brief');
    await brief.fill(`${await brief.inputValue()}\nLook at zebra benchmarks too.`);
    await panel.get('approve-plan').click();
    await panel.get('topic').first().waitFor();
    const [first] = requestsOf(server.requests, 'supervise');
    assert.ok(first?.prompt.includes('zebra benchmarks'), 'the supervisor works from the changed brief');
  });

  it('shows the tree of its topics, each with its full text, and saves the strategy with the report', async () => {
    await panel.reaches('finished');
    assert.match(await panel.get('run-strategy').innerText(), /^Strategy: Supervisor\./);
    assert.equal(await panel.get('sections').count(), 0);
    await open(panel.get('topics-toggle'));
    const topics = await panel
      .get('topic')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-status')));
    assert.deepEqual(topics, ['completed', 'completed']);
    assert.ok((await panel.get('topic-round').count()) >= 1);
    await open(panel.get('topic-toggle').first());
    assert.ok((await panel.get('topic').first().locator('.section-details').innerText()).length > 20);
    await page.screenshot('strategy-supervisor');
    assert.match(savedReport(), /^strategy: "?supervisor"?$/m);
  });
});

describe('a plan that the user edits', () => {
  before(async () => {
    await panel.get('new-question').click();
    await panel.get('strategies-toggle').click();
    await panel.get('strategy').selectOption('auto');
  });

  const focused = () =>
    panel.frame.evaluate(() => document.activeElement?.closest('[data-testid]')?.getAttribute('data-testid'));
  const titles = () =>
    panel.get('plan-section-title').evaluateAll((boxes) => boxes.map((box) => (box as HTMLTextAreaElement).value));

  /** Presses Tab until the focus is on the control. */
  async function tabTo(testId: string, nth = 0, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const control = panel.get(testId).nth(nth);
    for (let presses = 0; presses < 60; presses += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await page.page.keyboard.press(key);
    }
    assert.fail(`Tab does not get to ${testId} ${nth}, but to ${await focused()}`);
  }
  const eventsOf = (): ResearchEvent[] =>
    fs
      .readFileSync(path.join(runs, fs.readdirSync(runs).sort().at(-1)!, 'events.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ResearchEvent);
  const last = <T extends ResearchEvent['type']>(type: T): EventOf<T> =>
    eventsOf().findLast((event): event is EventOf<T> => event.type === type)!;

  /** Ends the run, and compares what was approved with its events, its rows in the panel and its report. */
  async function endsAsApproved(approved: readonly string[]): Promise<string> {
    await panel.reaches('finished');
    if ((await panel.get('section').count()) === 0) await panel.get('sections-toggle').click();
    const rows = await panel.sections();
    assert.deepEqual(
      rows.map(({ title }) => title),
      approved,
    );
    assert.deepEqual(
      rows.filter(({ status }) => status !== 'completed' && status !== 'failed'),
      [],
      'no row stays pending',
    );
    const { sections } = last('plan/approved');
    assert.deepEqual(
      sections.map(({ title }) => title),
      approved,
    );
    const researched = eventsOf().flatMap((event) => (event.type === 'section/updated' ? [event.id] : []));
    assert.deepEqual(new Set(researched), new Set(sections.map(({ id }) => id)));
    const { path: file } = last('report/finished');
    const report = fs.readFileSync(path.resolve(workspace, file!), 'utf8');
    assert.deepEqual(
      [...report.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!).filter((one) => approved.includes(one)),
      approved,
    );
    assert.doesNotMatch(report, /\[s\d+\]/, 'no marker of a section is left');
    return report;
  }

  it('is researched as it was approved, with one row for each of its sections up to the end', async () => {
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    await panel.get('plan-card').waitFor();
    const boxes = panel.get('plan-section-title');
    await panel.get('plan-remove').first().click();
    await boxes.nth(1).fill('Reranking of passages');
    await panel.get('plan-down').first().click();
    await panel.get('plan-add').click();
    await boxes.last().fill('Evaluation of retrieval');
    const approved = await titles();
    await page.screenshot('plan-edited');
    await panel.get('approve-plan').focus();
    await panel.get('approve-plan').press('Enter');
    await panel.get('section').first().waitFor();
    assert.equal(await focused(), 'run-header', 'the focus stays with the run');
    await panel.get('review-report').click();
    await endsAsApproved(approved);
    await page.screenshot('plan-edited-finished');
  });

  it('is edited, approved and researched by the keyboard alone', async () => {
    const { keyboard } = page.page;
    await panel.get('new-question').press('Enter');
    await panel.get('question').waitFor();
    await keyboard.type('How is retrieval evaluated?');
    await keyboard.press('Enter');
    await panel.get('plan-card').waitFor();
    const [first, second, third, fourth] = await titles();
    await tabTo('plan-section-title');
    // Ctrl+A is a command of the editor's, which comes back to the box later than what is typed next.
    await keyboard.press('Home');
    await keyboard.press('Shift+End');
    await keyboard.type('Measures of ranking');
    await tabTo('plan-details-toggle');
    await keyboard.press('Enter');
    await tabTo('plan-section-description');
    await keyboard.type(' With zebra figures.');
    await tabTo('plan-depth');
    await keyboard.press('ArrowDown');
    await tabTo('plan-source-arxiv');
    await keyboard.press('Space');
    await tabTo('plan-section-title', 1);
    await keyboard.press('Alt+ArrowUp');
    assert.deepEqual(await titles(), [second, 'Measures of ranking', third, fourth]);
    await tabTo('plan-remove', 2);
    await keyboard.press('Enter');
    await tabTo('plan-remove', 2);
    await keyboard.press('Enter');
    assert.deepEqual(await titles(), [second, 'Measures of ranking']);
    await tabTo('plan-undo');
    await keyboard.press('Enter');
    assert.deepEqual(await titles(), [second, 'Measures of ranking', fourth]);
    await tabTo('plan-add');
    await keyboard.press('Enter');
    await panel.frame.waitForFunction(() => {
      const { value, dataset } = document.activeElement as HTMLTextAreaElement;
      return dataset.testid === 'plan-section-title' && value === '';
    });
    await keyboard.type('Costs of judges');
    const approved = [second!, 'Measures of ranking', fourth!, 'Costs of judges'];
    assert.deepEqual(await titles(), approved);
    await page.screenshot('plan-by-keyboard');
    await keyboard.press('Control+Enter');
    await panel.get('review-report').click();
    await endsAsApproved(approved);
    const [, edited] = last('plan/approved').sections;
    assert.match(edited!.description, / With zebra figures\.$/);
    assert.equal(edited!.id, last('plan/proposed').sections.find(({ title }) => title === first)!.id);
    assert.equal(edited!.depth, 'deep');
    assert.deepEqual(edited!.sources, ['workspace', 'github']);
    const asked = server.requests.filter((request) => isResearch(request) && request.section === 'Measures of ranking');
    assert.ok(asked.length > 0 && asked.every(({ prompt }) => prompt.includes('zebra figures')));
  });

  it('is made of the entities that the user left, merged and added', async () => {
    await panel.get('new-question').click();
    await panel.ask(listed);
    await panel.get('entity-card').waitFor();
    const names = await panel.frame.locator('.entity-rows .entity-name').allTextContents();
    assert.ok(names.length >= 4, names.join(', '));
    await panel.get('entity-tick').first().uncheck();
    await panel.get('entity-merge').nth(1).click();
    await panel.get('entity-target').selectOption({ label: names[2]! });
    await panel.get('entity-name').fill('Zebra retrieval');
    await panel.get('entity-add').click();
    await page.screenshot('entities-edited');
    await panel.get('approve-entities').press('Control+Enter');
    await panel.get('plan-card').waitFor();
    const { entities } = last('discover/approved');
    assert.deepEqual(
      entities.map(({ name }) => name),
      [...names.slice(2), 'Zebra retrieval'],
    );
    const [plan] = requestsOf(server.requests, 'plan').slice(-1);
    assert.match(plan!.prompt, /Zebra retrieval/);
    assert.deepEqual(
      await titles(),
      last('plan/proposed').sections.map(({ title }) => title),
    );
  });

  it('stops one section alone, follows a remark to another, and follows it again after a kill', async () => {
    const [stopped, steered] = await titles();
    // A section that is researched quickly may need no turn of a model.
    await panel.get('plan-details-toggle').first().click();
    await panel.get('plan-depth').selectOption('deep');
    held = stopped;
    holdsRemark = true;
    await panel.get('approve-plan').press('Control+Enter');
    await server.waitFor(({ step, section }) => step === 'act' && section === stopped);
    await panel.get('open-remark').nth(1).click();
    await panel.get('remark-text').fill(remark);
    await panel.get('remark-text').press('Enter');
    // It waits until its researcher's next turn, which may come at once.
    await panel.get('remark').filter({ hasText: remark }).waitFor();
    await page.screenshot('remark-given');
    await panel.get('open-remark').first().click();
    await panel.get('stop-section').first().click();
    const isFollowed = (request: ParsedRequest) =>
      request.step === 'act' && request.section === steered && request.prompt.includes(remark);
    await server.waitFor(isFollowed);
    held = undefined;
    holdsRemark = false;
    panel = await killHost(modelEditor.editor, page, panel);
    await panel.get('resume').click();
    await panel.get('review-card').waitFor();
    const followed = server.requests.filter(isFollowed);
    assert.ok(followed.length >= 2, 'the resumed researcher has the remark too');
    const ended = eventsOf().findLast((event) => event.type === 'section/updated' && event.title === stopped);
    assert.ok(ended?.type === 'section/updated' && ended.stopped);
    assert.equal(last('section/remark').state, 'seen');
  });

  it('sends back what the user chose in the review, with their words, and ends with all of it in the report', async () => {
    const approved = last('plan/approved').sections.map(({ title }) => title);
    const boxes = panel.get('review-choose');
    for (const box of await boxes.all()) await box.uncheck();
    await boxes.last().check();
    await panel.get('review-remark').last().fill('Compare with zebra baselines.');
    await page.screenshot('review-decided');
    const before = server.requests.length;
    await panel.get('review-continue').click();
    const report = await endsAsApproved(approved);
    const asked = server.requests.slice(before).filter(isResearch);
    assert.deepEqual([...new Set(asked.map(({ section }) => section))], approved.slice(-1));
    assert.ok(asked.some(({ prompt }) => prompt.includes('zebra baselines')));
    assert.match(report, /[Ss]topped by/);
    await page.screenshot('list-finished');
  });
});
