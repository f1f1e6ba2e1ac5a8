// What the built panel shows of each strategy, in a real browser with the test as its host.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HostMessage } from '../../src/protocol/messages.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import { more, usePanelPages } from '../support/panelPages.ts';
import {
  delegated,
  delegationDone,
  inRounds,
  keyless,
  panelStates,
  roundsDone,
  snapshot,
  viewOf,
} from '../support/panelStates.ts';

const open = usePanelPages();
const panel = (...messages: readonly HostMessage[]) => open(messages);

const idle = snapshot(emptyView());
const asking = async (...messages: readonly HostMessage[]) => {
  const page = await panel(...messages);
  await page.at('strategies-toggle').click();
  return page;
};

describe('the strategy in the question box', () => {
  test('is behind a button that names it, offers four by name and explains the chosen one', async () => {
    const page = await panel(idle);
    assert.equal(await page.count('strategy'), 0);
    assert.equal(await page.text('strategies-toggle'), 'Strategy: Auto');
    await page.at('strategies-toggle').click();
    const select = page.page.getByRole('combobox', { name: 'Strategy' });
    assert.deepEqual(await select.locator('option').allInnerTexts(), ['Auto', 'Sections', 'Iterative', 'Supervisor']);
    assert.equal(await page.at('strategy-what').innerText(), 'Picks the strategy that fits the question.');
    await select.selectOption('iterative');
    assert.match(await page.at('strategy-what').innerText(), /^Searches, reads, assesses/);
    assert.equal(await select.getAttribute('aria-describedby'), 'strategy-what');
    assert.equal(await page.text('strategies-toggle'), 'Strategy: Iterative');
  });

  test('is sent with the question when it was chosen, and not when the settings decide', async () => {
    const page = await panel(idle);
    await page.at('question').fill('One?');
    await page.at('question').press('Enter');
    assert.deepEqual(await page.waitForPosted('start'), { type: 'start', question: 'One?' });

    const second = await asking(idle);
    await second.at('strategy').selectOption('supervisor');
    await second.at('question').fill('Two?');
    await second.at('start').click();
    assert.deepEqual(await second.waitForPosted('start'), { type: 'start', question: 'Two?', strategy: 'supervisor' });
  });

  test('starts at what the settings say and follows them until something else is chosen', async () => {
    const page = await asking(snapshot(emptyView(), { ...keyless, strategy: 'sections' }));
    assert.equal(await page.at('strategy').inputValue(), 'sections');
    await page.say({ type: 'setup', setup: { ...keyless, strategy: 'supervisor' } });
    assert.equal(await page.at('strategy').inputValue(), 'supervisor');
    await page.at('strategy').selectOption('iterative');
    await page.say({ type: 'setup', setup: { ...keyless, strategy: 'sections' } });
    assert.equal(await page.at('strategy').inputValue(), 'iterative');
    // Back to the settings' own: from now on they count again.
    await page.at('strategy').selectOption('sections');
    await page.say({ type: 'setup', setup: keyless });
    assert.equal(await page.at('strategy').inputValue(), 'auto');
  });

  test('is remembered when the panel is hidden and shown again', async () => {
    const page = await asking(idle);
    await page.at('strategy').selectOption('iterative');
    await page.reload();
    await page.say(idle);
    await page.at('strategies-toggle').click();
    assert.equal(await page.at('strategy').inputValue(), 'iterative');
  });

  test('can be made with the keyboard: one Tab behind its button, and Escape closes it', async () => {
    const page = await asking(idle);
    await page.at('strategies-toggle').focus();
    await page.page.keyboard.press('Tab');
    assert.equal(await page.page.evaluate(() => document.activeElement?.id), 'strategy');
    await page.page.keyboard.press('ArrowDown');
    await page.page.keyboard.press('Enter');
    await page.page.waitForFunction(() => document.querySelector<HTMLSelectElement>('#strategy')?.value !== 'auto');
    await page.at('strategies-toggle').press('Escape');
    assert.equal(await page.count('strategy'), 0);
  });
});

describe('strategy iterative', () => {
  test('says what runs and why, and lists each round with what it brought', async () => {
    const page = await panel(snapshot(viewOf(inRounds)));
    assert.match(await page.at('run-strategy').innerText(), /^Strategy: Iterative\. One subject in depth/);
    assert.match(await page.at('rounds-toggle').innerText(), /2 of up to 5/);
    assert.deepEqual(await page.at('round-facts').allInnerTexts(), [
      '9 new sources · rated 6 out of 10',
      'Reading the results · 3 new sources',
    ]);
    assert.equal(await page.at('section').count(), 3, 'the sections are below');
    assert.equal(await page.at('attempt').innerText(), 'round 2');
  });

  test('the current round shows its searches; it closes when the next begins, unless the user opened it', async () => {
    const page = await panel(snapshot(viewOf(inRounds)));
    const open = () =>
      page.at('round-toggle').evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-expanded')));
    assert.deepEqual(await open(), ['false', 'true']);
    assert.equal(await page.at('query').count(), 2);
    await page.at('round-toggle').first().press('Enter');
    assert.equal(await page.at('query').count(), 5);
    await page.say(
      more(
        [
          {
            type: 'round/updated',
            round: 3,
            maxRounds: 5,
            status: 'retrieving',
            queries: ['late interaction'],
            sources: 0,
          },
        ],
        inRounds.length + 1,
      ),
    );
    assert.deepEqual(await open(), ['true', 'false', 'true']);
  });

  test('nothing turns once the report is being written or the run is over', async () => {
    const page = await panel(snapshot(viewOf([...inRounds, { type: 'run/phase', phase: 'report' }])));
    assert.equal(await page.at('rounds').locator('.codicon-loading').count(), 0);
    await page.say(snapshot(viewOf(roundsDone)));
    assert.match((await page.at('round-facts').allInnerTexts())[1]!, /rated 8 out of 10 · sufficient for the report/);
  });
});

describe('strategy supervisor', () => {
  test('shows rounds with their topics instead of a list of sections', async () => {
    const page = await panel(snapshot(viewOf(delegated)));
    assert.equal(await page.at('sections').count(), 0);
    assert.equal(await page.at('topic-round').count(), 2);
    const topics = await page.at('topic').evaluateAll((items) => items.map((item) => item.getAttribute('data-status')));
    assert.deepEqual(topics, ['completed', 'failed', 'researching', 'pending']);
    assert.match(await page.at('topic').nth(1).innerText(), /got no answer from api\.openai\.com/);
    assert.match(await page.at('topic').first().innerText(), /8 sources/);
    // A list in a list, so that a screen reader says the level.
    assert.equal(await page.page.locator('ol > li > ul > li[data-testid="topic"]').count(), 4);
  });

  test('a topic opens to its full text with the keyboard, and a round closes', async () => {
    const page = await panel(snapshot(viewOf(delegated)));
    const third = page.at('topic').nth(2);
    await third.getByTestId('topic-toggle').focus();
    await page.page.keyboard.press('Enter');
    assert.match(await third.innerText(), /Prefer papers since 2023/);
    assert.match(await third.innerText(), /one more search/, 'with what its researcher thinks');
    await page.at('topic-round-toggle').first().press('Space');
    assert.equal(await page.at('topic').count(), 2);
  });

  test('says between two rounds that the lead researcher is reading', async () => {
    const page = await panel(...panelStates['supervisor-reading']!);
    assert.match(await page.at('lead-reads').innerText(), /lead researcher is reading/);
    await page.say(snapshot(viewOf(delegationDone)));
    assert.equal(await page.at('topic').count(), 4);
    assert.equal(await page.at('lead-reads').count(), 0);
  });

  test('the brief is a text that can be changed before it is approved', async () => {
    const page = await panel(...panelStates['supervisor-brief']!);
    assert.equal(await page.at('plan-section').count(), 0);
    const box = page.at('plan-brief');
    assert.match(await box.inputValue(), /^What is to be found out/);
    await box.fill('  ');
    await page.at('approve-plan').click();
    await page.at('plan-problem').getByText('Describe what to research.').waitFor();
    await box.fill('Only the price.');
    await page.reload();
    await page.say(...panelStates['supervisor-brief']!);
    assert.equal(await box.inputValue(), 'Only the price.', 'an edit outlives the page');
    await page.at('approve-plan').click();
    assert.deepEqual(await page.waitForPosted('approvePlan'), {
      type: 'approvePlan',
      round: 0,
      strategy: 'supervisor',
      focus: [],
      sections: [{ id: 'brief', title: 'Research brief', description: 'Only the price.' }],
    });
  });

  test('the approved brief can be read beside the topics', async () => {
    const page = await panel(snapshot(viewOf(delegated)));
    await page.at('brief-toggle').click();
    assert.match(await page.at('brief').innerText(), /Preferred: papers with figures/);
  });
});
