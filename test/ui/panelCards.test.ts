// What the panel asks and is asked: the question box, clarification, the plan, the review.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventBody } from '../../src/protocol/events.ts';
import { type PanelPage } from '../support/panelHarness.ts';
import { more, postedOf, usePanelPages } from '../support/panelPages.ts';
import {
  asked,
  keyless,
  panelStates,
  proposed,
  sections,
  snapshot,
  started,
  viewOf,
  withModel,
} from '../support/panelStates.ts';

const panel = usePanelPages();

describe('asking', () => {
  test('Enter sends the question, Shift+Enter makes a line, and a second Enter does not send again', async () => {
    const page = await panel(panelStates['idle']);
    const box = page.at('question');
    assert.ok(await box.evaluate((element) => element === document.activeElement), 'the box has the focus');
    await page.page.keyboard.type(' one');
    await page.page.keyboard.press('Shift+Enter');
    await page.page.keyboard.type('two ');
    await page.page.keyboard.press('Enter');
    await page.page.keyboard.press('Enter');
    assert.deepEqual(await postedOf(page, 'start'), [{ type: 'start', question: 'one\ntwo' }]);
    assert.match(await page.text('start'), /Starting/);
  });

  test('a refused start can be tried again', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('Q');
    await page.at('start').click();
    await page.say({ type: 'notice', level: 'error', message: 'A run is in progress.' });
    await page.at('dismiss-notice').click();
    assert.equal(await page.count('notice'), 0);
    await page.at('start').click();
    assert.equal((await postedOf(page, 'start')).length, 2);
  });

  test('Enter that ends a composition does not send', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('中文');
    await page
      .at('question')
      .evaluate((box) =>
        box.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
        ),
      );
    assert.equal((await postedOf(page, 'start')).length, 0);
  });

  test('an empty question gets a message that goes once something is typed', async () => {
    const page = await panel(panelStates['idle']);
    await page.page.keyboard.press('Enter');
    assert.equal(await page.text('question-problem'), 'Enter a question first.');
    await page.page.keyboard.type('x');
    assert.equal(await page.text('question-problem'), '');
    assert.equal((await postedOf(page, 'start')).length, 0);
  });

  test('a question that is too long gets a message with the limit, and stays in the box', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('x'.repeat(200_000));
    await page.at('start').click();
    assert.match(await page.text('question-problem'), /200,000 characters; the limit is 20,000/);
    assert.equal((await page.at('question').inputValue()).length, 200_000);
    assert.deepEqual(await page.clipped(), []);
    assert.equal((await postedOf(page, 'start')).length, 0);
  });

  test('the example is put into the box', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('example').click();
    assert.equal(await page.at('question').inputValue(), keyless.example);
    await page.page.keyboard.press('Enter');
    assert.deepEqual(await postedOf(page, 'start'), [{ type: 'start', question: keyless.example }]);
  });

  test('it says what is sent where, and follows the settings', async () => {
    const page = await panel(panelStates['idle']);
    assert.match(await page.text('setup-line'), /nothing is sent to a model/);
    await page.say({ type: 'setup', setup: withModel });
    assert.match(await page.text('setup-line'), /api\.openai\.com/);
  });

  test('a problem of the setup has its action, and nothing starts before it is fixed', async () => {
    const page = await panel(panelStates['idle-problem']);
    await page.at('question').fill('Q');
    await page.page.keyboard.press('Enter');
    await page.at('setup-problem-action').click();
    assert.deepEqual((await page.posted()).slice(1), [{ type: 'openSettings', key: 'model.baseUrl' }]);
    await page.say({ type: 'setup', setup: keyless });
    await page.at('start').click();
    assert.equal((await postedOf(page, 'start')).length, 1);
  });

  test('a text from the editor is put into the box', async () => {
    const page = await panel(panelStates['idle']);
    await page.say({ type: 'ask', question: 'From a selection' });
    assert.equal(await page.at('question').inputValue(), 'From a selection');
  });

  test('Start puts the focus into the box and leaves its text, wherever the focus was', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('half a quest');
    await page.at('strategy').focus();
    await page.say({ type: 'ask' });
    await page.page.keyboard.type('ion');
    assert.equal(await page.at('question').inputValue(), 'half a question');
    await page.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      window.dispatchEvent(new FocusEvent('focus'));
    });
    await page.page.keyboard.type('?');
    assert.equal(await page.at('question').inputValue(), 'half a question?', 'a view that gets the focus gives it on');
  });
});

describe('clarification', () => {
  test('the question is rendered, the recommended option marked, and a click answers once', async () => {
    const page = await panel(panelStates['clarify']);
    assert.equal(await page.at('clarify-question').locator('strong').textContent(), 'building');
    assert.match((await page.at('option').first().textContent()) ?? '', /recommended/);
    await page.at('option').nth(1).click();
    await page.at('option').nth(0).click({ force: true });
    await page.at('just-start').click({ force: true });
    assert.deepEqual(await postedOf(page, 'answer'), [
      { type: 'answer', id: 'q1', answer: 'Evaluation: metrics and benchmarks' },
    ]);
  });

  test('the focus moves to the card; Tab reaches the options; a digit answers', async () => {
    const page = await panel([snapshot(viewOf([started()]))]);
    await page.page.locator('body').click();
    await page.say(more([asked], 2));
    assert.ok(await page.at('clarify').evaluate((card) => card === document.activeElement));
    await page.page.keyboard.press('Tab');
    assert.ok(
      await page
        .at('option')
        .first()
        .evaluate((option) => option === document.activeElement),
    );
    await page.page.keyboard.press('3');
    assert.match((await postedOf(page, 'answer'))[0]?.answer ?? '', /^Both/);
  });

  test('own words are sent by Enter, digits in them are text, nothing is not sent', async () => {
    const page = await panel(panelStates['clarify']);
    await page.at('own-answer').focus();
    await page.page.keyboard.press('Enter');
    assert.match(await page.text('clarify'), /Type an answer/);
    await page.page.keyboard.type('1 or 2');
    await page.page.keyboard.press('Enter');
    assert.deepEqual(await postedOf(page, 'answer'), [{ type: 'answer', id: 'q1', answer: '1 or 2' }]);
  });

  test('"just start" answers with nothing', async () => {
    const page = await panel(panelStates['clarify']);
    await page.at('just-start').click();
    assert.deepEqual(await postedOf(page, 'answer'), [{ type: 'answer', id: 'q1', answer: null }]);
  });

  test('a second question is a new card', async () => {
    const page = await panel(panelStates['clarify']);
    await page.at('own-answer').fill('half');
    await page.say(
      more(
        [{ type: 'clarify/answered', id: 'q1', answer: 'A', skipped: false }, { ...asked, id: 'q2' } as EventBody],
        4,
      ),
    );
    assert.equal(await page.at('own-answer').inputValue(), '');
    assert.match(await page.text('answered'), /Your answers1/);
    await page.at('just-start').click();
    assert.equal((await postedOf(page, 'answer'))[0]?.id, 'q2');
  });
});

describe('the plan', () => {
  const titles = async (page: PanelPage) => {
    await page.drawn();
    return page.at('plan-section-title').evaluateAll((boxes) => boxes.map((box) => (box as HTMLTextAreaElement).value));
  };

  test('is renamed, moved, removed from, added to, and approved as it stands', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('plan-section-title').first().fill('Retrieval');
    await page.at('plan-down').first().click();
    await page.drawn();
    assert.ok(
      await page
        .at('plan-down')
        .nth(1)
        .evaluate((button) => button === document.activeElement),
      'the focus stays on the moved section',
    );
    await page.at('plan-remove').nth(3).click();
    await page.at('plan-add').click();
    await page.drawn();
    await page.page.keyboard.type('Licences\n');
    assert.deepEqual(await titles(page), [
      'Chunking and indexing strategies for long documents',
      'Retrieval',
      'Re-ranking and query rewriting',
      'Cost, latency and operations in production systems with many tenants',
      'Licences',
    ]);
    await page.at('approve-plan').dblclick();
    await page.at('approve-plan').click({ force: true });
    const [approved, again] = await postedOf(page, 'approvePlan');
    assert.deepEqual(
      approved?.sections.map((section) => section.id),
      ['s2', 's1', 's3', 's5', 'n1'],
    );
    assert.equal(approved?.sections[1]?.description, sections[0]?.description);
    assert.equal(again, undefined);
  });

  test("can't be approved with a section that has no title", async () => {
    const page = await panel(panelStates['plan']);
    await page.at('plan-add').click();
    await page.at('approve-plan').click();
    assert.match(await page.text('plan-card'), /Give every section a title/);
    assert.equal((await postedOf(page, 'approvePlan')).length, 0);
    assert.ok(
      await page
        .at('plan-section-title')
        .last()
        .evaluate((box) => box === document.activeElement),
    );
  });

  test('has an estimate, without calls and tokens when no model is asked', async () => {
    const page = await panel(panelStates['plan']);
    assert.equal((await page.text('plan-estimate')).trim(), 'About 64 model calls, 420K tokens, 6 minutes, and $0.84.');
    const free = await panel([
      snapshot(
        viewOf([
          started({ analyst: 'extractive', model: null }),
          { ...proposed, estimate: { calls: 0, tokens: 0, minutes: 0.4, cost: null } } as EventBody,
        ]),
      ),
    ]);
    assert.equal((await free.text('plan-estimate')).trim(), 'About 1 minute.');
  });

  test('edits survive a reload of the webview', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('plan-remove').first().click();
    await page.reload();
    await page.say(...(panelStates['plan'] ?? []));
    assert.equal((await titles(page)).length, 4);
  });

  test('can be stopped', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('stop-plan').click();
    assert.equal((await postedOf(page, 'stop')).length, 1);
  });
});

describe('the focus', () => {
  const focused = (page: PanelPage) =>
    page.page.evaluate(() => document.activeElement?.closest('[data-testid]')?.getAttribute('data-testid') ?? 'page');

  for (const [state, control, bodies] of [
    ['clarify', 'option', [{ type: 'clarify/answered', id: 'q1', answer: 'A', skipped: false }]],
    ['plan', 'approve-plan', [{ ...proposed, type: 'plan/approved' }]],
    ['review', 'review-report', [{ type: 'run/phase', phase: 'report' }]],
  ] as const) {
    test(`is at the run’s header after ${control}, not lost with its card`, async () => {
      const page = await panel(panelStates[state]);
      await page.at(control).first().focus();
      await page.page.keyboard.press('Enter');
      await page.say(more(bodies as unknown as EventBody[], 50));
      assert.equal(await focused(page), 'run-header');
    });
  }

  test('is at the card with the next steps after Stop', async () => {
    const page = await panel(panelStates['research']);
    await page.at('stop').focus();
    await page.page.keyboard.press('Enter');
    await page.say(more([{ type: 'run/cancelled', reason: 'abort', message: '', next: '' }], 50));
    assert.equal(await focused(page), 'end');
    await page.page.keyboard.press('Tab');
    assert.equal(await focused(page), 'resume');
  });

  test('moves to the next card when one follows the other', async () => {
    const page = await panel(panelStates['clarify']);
    await page.at('just-start').focus();
    await page.page.keyboard.press('Enter');
    await page.say(more([{ type: 'clarify/answered', id: 'q1', answer: null, skipped: true }, proposed], 50));
    assert.equal(await focused(page), 'plan-card');
  });

  test('is not taken from where the user put it', async () => {
    const page = await panel(panelStates['research']);
    await page.page.locator('.question-text').click();
    await page.say(more([{ type: 'run/cancelled', reason: 'abort', message: '', next: '' }], 50));
    assert.equal(await focused(page), 'page');
  });
});

test("the review's question names the thin sections and posts what was decided", async () => {
  const page = await panel(panelStates['review']);
  assert.match(await page.text('review-card'), /6 out of 10.*Only overviews.*A single source/s);
  await page.at('review-report').click();
  await page.at('review-continue').click({ force: true });
  assert.deepEqual(await postedOf(page, 'decideReview'), [{ type: 'decideReview', decision: 'report' }]);
});
