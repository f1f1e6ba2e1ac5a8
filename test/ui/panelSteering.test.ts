// What the user says to sections while they are researched, and which sections a review sends back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventBody } from '../../src/protocol/events.ts';
import type { HostMessage } from '../../src/protocol/messages.ts';
import type { SteerOutcome } from '../../src/protocol/steering.ts';
import { type PanelPage, themeNames } from '../support/panelHarness.ts';
import { more, postedOf, usePanelPages } from '../support/panelPages.ts';
import { panelStates, sections, snapshot, started, viewOf } from '../support/panelStates.ts';

const panel = usePanelPages();

const answered = (section: string, outcome: SteerOutcome, what: 'remark' | 'stop' = 'remark'): HostMessage => ({
  ...{ type: 'steered', section, what, outcome },
});
/** Opens the box of the section in this place, from 0. */
async function openBox(page: PanelPage, index = 0): Promise<void> {
  await page.at('open-remark').nth(index).click();
  await page.drawn();
}

describe('a remark to a section', () => {
  test('is typed and sent by keyboard alone, once, and the box is empty when it was taken', async () => {
    const page = await panel(panelStates['research']);
    await page.at('open-remark').first().focus();
    await page.page.keyboard.press('Enter');
    assert.ok(await page.at('remark-text').evaluate((box) => box === document.activeElement), 'the box has the focus');
    await page.page.keyboard.type('Look at the 2025');
    await page.page.keyboard.press('Shift+Enter');
    await page.page.keyboard.type('follow-up');
    await page.page.keyboard.press('Enter');
    await page.page.keyboard.press('Enter');
    await page.at('send-remark').click({ force: true });
    assert.deepEqual(await postedOf(page, 'remark'), [
      { type: 'remark', section: sections[0]!.id, text: 'Look at the 2025\nfollow-up' },
    ]);
    await page.say(answered(sections[0]!.id, 'accepted'));
    assert.equal(await page.at('remark-text').inputValue(), '');
    assert.match(await page.text('announcement'), /Sent to/);
  });

  test('that is refused stays in the box, with the reason', async () => {
    const page = await panel(panelStates['research']);
    await openBox(page);
    await page.at('remark-text').fill('Too late');
    await page.at('send-remark').click();
    await page.say(answered(sections[0]!.id, 'tooLate'));
    assert.equal(await page.at('remark-text').inputValue(), 'Too late');
    assert.match(await page.text('remark-problem'), /research has ended/);
    // An answer for another section is none for this one.
    await page.say(answered(sections[1]!.id, 'accepted'));
    assert.equal(await page.at('remark-text').inputValue(), 'Too late');
  });

  test('that is half typed survives a reload of the page', async () => {
    const page = await panel(panelStates['research']);
    await openBox(page);
    await page.at('remark-text').fill('Half a rem');
    await page.reload();
    await page.say(...panelStates['research']!);
    assert.equal(await page.at('remark-text').inputValue(), 'Half a rem');
  });

  test('that is empty or too long is not sent', async () => {
    const page = await panel(panelStates['research']);
    await openBox(page);
    await page.at('send-remark').click({ force: true });
    await page.at('remark-text').fill('x'.repeat(20_001));
    await page.at('send-remark').click({ force: true });
    assert.match(await page.text('remark-problem'), /at most 20000|at most 20,000/);
    await page.at('remark-text').fill('x'.repeat(10_000));
    await page.at('send-remark').click();
    assert.equal((await postedOf(page, 'remark')).length, 1);
  });

  test('is shown with what became of it, in every width', async () => {
    const page = await panel(panelStates['steered']);
    await page.at('section-toggle').first().click();
    // What it opens moves the next one.
    await page.drawn();
    await page.at('section-toggle').nth(1).click();
    await page.at('remark').nth(2).waitFor();
    assert.deepEqual(await page.at('remark').evaluateAll((all) => all.map((one) => one.getAttribute('data-state'))), [
      'waiting',
      'seen',
      'unused',
    ]);
    assert.match(await page.text('remarks-waiting'), /1 remark waiting/);
    for (const width of [170, 300, 420, 900]) {
      await page.page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await page.clipped(), [], `at ${width} px`);
    }
    for (const theme of themeNames) {
      await page.setTheme(theme);
      for (const testId of ['remark', 'activity']) {
        const contrast = await page.contrast(testId);
        assert.ok(contrast >= 4.5, `${testId} in ${theme}: ${contrast.toFixed(2)}`);
      }
    }
  });

  test('can’t be given while the report is written, or to a section that was stopped', async () => {
    const page = await panel(panelStates['steered']);
    assert.equal(await page.count('open-remark'), sections.length - 2);
    await page.say(more([{ type: 'run/phase', phase: 'report' }], 200));
    assert.equal(await page.count('open-remark'), 0);
  });
});

test('a section is stopped once, and says so', async () => {
  const page = await panel(panelStates['research']);
  await openBox(page, 1);
  await page.at('stop-section').dblclick();
  const { id, title } = sections[1]!;
  assert.deepEqual(await postedOf(page, 'stopSection'), [{ type: 'stopSection', section: id }]);
  await page.say(answered(id, 'accepted', 'stop'));
  assert.match(await page.text('announcement'), /is being stopped/);
  const shared = {
    type: 'section/updated',
    id,
    title,
    attempt: 1,
    activity: 'arxiv: x',
    sources: 2,
    stopped: true,
  } as const;
  await page.say(more([{ ...shared, status: 'researching' }], 100));
  assert.match(await page.at('section').nth(1).innerText(), /Stopping/);
  assert.equal(await page.count('stop-section'), 0);
  await page.say(more([{ ...shared, status: 'completed', activity: '' }], 101));
  assert.match(await page.at('section').nth(1).innerText(), /Stopped by you/);
});

describe('the review', () => {
  test('shows what it found, and sends back what the user ticks, with their words', async () => {
    const page = await panel(panelStates['review']);
    const card = await page.text('review-card');
    assert.match(card, /6 out of 10.*rest on overviews.*covered.*Only overviews.*A single source/s);
    const boxes = page.at('review-choose');
    assert.deepEqual(await boxes.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked)), [
      ...[false, true, false, false, true],
    ]);
    await boxes.nth(1).uncheck();
    await boxes.first().check();
    await page.at('review-remark').first().fill('Look at the 2025 follow-up.');
    await page.reload();
    await page.say(...panelStates['review']!);
    assert.match(await page.text('review-continue'), /Research 2 sections further/);
    await page.at('review-remark').first().press('Control+Enter');
    await page.at('review-report').click({ force: true });
    assert.deepEqual(await postedOf(page, 'decideReview'), [
      {
        type: 'decideReview',
        decision: 'continue',
        sections: [
          { id: 's1', remark: 'Look at the 2025 follow-up.' },
          { id: 's5', remark: '' },
        ],
      },
    ]);
  });

  test('with nothing ticked leaves the report alone to choose', async () => {
    const page = await panel(panelStates['review']);
    for (const box of await page.at('review-choose').all()) await box.uncheck();
    await page.at('review-continue').click({ force: true });
    await page.at('review-report').click();
    assert.deepEqual(await postedOf(page, 'decideReview'), [{ type: 'decideReview', decision: 'report' }]);
  });

  test('fits twelve sections into 300 px, each with its box', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      id: `s${index + 1}`,
      title: `Section ${index + 1} with a title that takes more than one line in a narrow panel`,
      description: '',
    }));
    const page = await panel([
      snapshot(
        viewOf([
          started(),
          ...many.map((one): EventBody => ({
            type: 'section/updated',
            status: 'completed',
            attempt: 1,
            activity: '',
            sources: 3,
            id: one.id,
            title: one.title,
          })),
          {
            type: 'review/finished',
            ...{ score: 5, sufficient: false, round: 1, needsApproval: true },
            retry: many.map(({ id }) => id),
            gaps: many.map(({ id }) => ({ section: id, gap: 'Only overviews.' })),
            coverage: many.map(({ id }) => ({ section: id, status: 'partial', notes: '' })),
          },
        ]),
      ),
    ]);
    for (const width of [170, 300, 900]) {
      await page.page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await page.clipped(), [], `at ${width} px`);
    }
    assert.equal(await page.count('review-remark'), 12);
  });
});
