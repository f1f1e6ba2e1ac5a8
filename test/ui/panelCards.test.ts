// What the panel asks and is asked: the question box, clarification, the plan, the review.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventBody } from '../../src/protocol/events.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import { type PanelPage } from '../support/panelHarness.ts';
import { more, postedOf, usePanelPages } from '../support/panelPages.ts';
import {
  asked,
  keyless,
  modelDown,
  panelStates,
  proposed,
  researching,
  sections,
  snapshot,
  started,
  viewOf,
  withModel,
} from '../support/panelStates.ts';

const panel = usePanelPages();

const hostileQuestion = {
  ...{ type: 'clarify/asked', id: 'q1', missingInfo: 'goal', why: '<img src=x onerror="window.pwned=1"> \u202eyhw' },
  question:
    '**Which** [one](command:workbench.action.quit)? <script>window.pwned=2</script> ![x](https://evil.example/x)',
  options: [
    '<img src=x onerror="window.pwned=3">',
    '[quit](command:workbench.action.quit) **bold** `code`',
    '\u202ereversed\u2066 \u{e0041}tag',
    `👩‍👩‍👧‍👦${'x'.repeat(10_000)}`,
    'javascript:window.pwned=4',
  ].map((label, index) => ({ label, recommended: index === 0 })),
} satisfies EventBody;

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
    await page.say({ type: 'notice', message: 'A run is in progress.' });
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

  test('an example is put into the box', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('example').last().click();
    assert.equal(await page.at('question').inputValue(), keyless.examples[1]!);
    await page.page.keyboard.press('Enter');
    assert.deepEqual(await postedOf(page, 'start'), [{ type: 'start', question: keyless.examples[1]! }]);
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
    assert.equal(await page.page.evaluate(() => document.activeElement?.textContent), 'Open settings');
    await page.page.keyboard.press('Enter');
    assert.deepEqual((await page.posted()).slice(1), [{ type: 'openSettings', key: 'model.baseUrl' }]);
    await page.say({ type: 'setup', setup: keyless });
    await page.at('start').click();
    assert.equal((await postedOf(page, 'start')).length, 1);
  });

  for (const width of [170, 300, 600])
    test(`a model server that is down is tried again, replaced, or done without (${width} px)`, async () => {
      const page = await panel(panelStates['idle-down'], { width });
      assert.match(await page.text('setup-line'), /are sent to 127\.0\.0\.1:1234\./);
      await page.at('question').fill('What now?');
      await page.page.keyboard.press('Enter');
      await page.page.keyboard.press('Enter');
      assert.deepEqual((await page.posted()).slice(1), [{ type: 'tryAgain' }]);
      await page.waitForText('setup-problem-tryAgain', 'Trying…');
      await page.say({ type: 'setup', setup: { ...modelDown } });
      await page.waitForText('setup-problem', 'Tried again at');
      assert.deepEqual(await page.clipped(), []);
      await page.screenshot(`model-down-${width}`);
      await page.at('setup-problem-selectModel').click();
      await page.at('setup-problem-withoutModel').click();
      assert.deepEqual((await page.posted()).slice(2), [
        { type: 'selectModel' },
        { type: 'start', question: 'What now?', withoutModel: true },
      ]);
    });

  test('a server that is there again leaves the question in the box, with the focus', async () => {
    const page = await panel(panelStates['idle-down']);
    await page.at('question').fill('What now?');
    await page.at('setup-problem-tryAgain').click();
    await page.say({ type: 'setup', setup: withModel });
    assert.equal(await page.count('setup-problem'), 0);
    await page.page.keyboard.press('Enter');
    assert.deepEqual((await page.posted()).at(-1), { type: 'start', question: 'What now?' });
  });

  test('the tools of a planned section are beside its title at 300 pixels', async () => {
    const page = await panel(panelStates['plan'], { width: 300 });
    const top = async (testId: string) => (await page.at(testId).first().boundingBox())!.y;
    assert.ok(Math.abs((await top('plan-remove')) - (await top('plan-section-title'))) < 10);
    assert.deepEqual(await page.clipped(), []);
  });

  test('a text from the editor is put into the box', async () => {
    const page = await panel(panelStates['idle']);
    await page.say({ type: 'ask', question: 'From a selection' });
    assert.equal(await page.at('question').inputValue(), 'From a selection');
  });

  test('Start puts the focus into the box and leaves its text, wherever the focus was', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('half a quest');
    await page.at('depth-standard').focus();
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

describe('the depth in the question box', () => {
  const takes = async (page: PanelPage, depth: string) =>
    (await page.at(`depth-${depth}`).locator('xpath=..').innerText()).split(/\n+/).slice(1);

  test('says what each choice takes: time, and with a model tokens and cost', async () => {
    const page = await panel(panelStates['idle']);
    assert.deepEqual(await takes(page, 'quick'), ['about 1 min']);
    await page.say({ type: 'setup', setup: withModel });
    const [quick, deep] = [await takes(page, 'quick'), await takes(page, 'deep')];
    for (const all of [quick, deep]) assert.match(all.join(), /^about \d+ min,\d+K tokens,\$\d+\.\d\d$/);
    assert.notDeepEqual(quick, deep);
    await page.say({ type: 'setup', setup: modelDown });
    assert.ok((await takes(page, 'deep')).length > 0);
  });

  test('what it takes follows the strategy and the sources', async () => {
    const page = await panel(panelStates['idle-model']);
    const before = await takes(page, 'standard');
    await page.at('sources-toggle').click();
    await page.at('source-arxiv').uncheck();
    const fewer = await takes(page, 'standard');
    assert.notDeepEqual(fewer, before);
    await page.at('strategies-toggle').click();
    await page.at('strategy').selectOption('iterative');
    assert.notDeepEqual(await takes(page, 'standard'), fewer);
  });

  test('does not move under the mouse when the view gets the focus', async () => {
    const page = await panel(panelStates['idle-model'], { height: 300 });
    const { before, after, focused } = await page.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      const root = document.scrollingElement!;
      root.scrollTop = root.scrollHeight;
      const before = root.scrollTop;
      dispatchEvent(new Event('focus'));
      return { before, after: root.scrollTop, focused: document.activeElement?.getAttribute('data-testid') };
    });
    assert.ok(before > 0, 'it is longer than the view');
    assert.deepEqual([after, focused], [before, 'question']);
  });

  test('is one Tab behind the question, follows the arrow keys, and is sent when it was chosen', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('One?');
    await page.page.keyboard.press('Tab');
    assert.ok(await page.at('depth-standard').evaluate((radio) => radio === document.activeElement));
    await page.page.keyboard.press('ArrowDown');
    assert.ok(await page.at('depth-deep').isChecked());
    await page.reload();
    await page.say(...panelStates['idle']!);
    assert.ok(await page.at('depth-deep').isChecked(), 'it survives a reload');
    await page.at('start').click();
    assert.deepEqual(await page.waitForPosted('start'), { type: 'start', question: 'One?', depth: 'deep' });
  });

  test('is the one of the settings until another is chosen, and again when that is', async () => {
    const page = await panel([snapshot(emptyView(), { ...keyless, depth: 'quick' })]);
    assert.ok(await page.at('depth-quick').isChecked());
    await page.at('depth-deep').check();
    await page.at('depth-quick').check();
    await page.say({ type: 'setup', setup: keyless });
    assert.ok(await page.at('depth-standard').isChecked());
  });
});

test('the model is a button beside the choices', async () => {
  const page = await panel(panelStates['idle']);
  assert.equal(await page.text('select-model'), 'No model');
  await page.say({ type: 'setup', setup: withModel });
  assert.equal(await page.text('select-model'), 'gpt-5.1');
  await page.at('select-model').click();
  await page.waitForPosted('selectModel');
  await page.say({ type: 'setup', setup: modelDown });
  assert.equal(await page.text('select-model'), 'Select model');
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

  test('hostile options and a hostile question are text, each answers with its own words, and nothing is executed', async () => {
    const page = await panel([snapshot(viewOf([started(), hostileQuestion]))]);
    const labels = hostileQuestion.options.map(({ label }) => label);
    for (const width of [170, 300, 900]) {
      await page.page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await page.clipped(), [], `at ${width} px`);
    }
    const card = page.at('clarify');
    assert.equal(await card.locator('img, script, iframe, style, svg, form, a[href]:not([href^="https:"])').count(), 0);
    assert.equal(await page.at('option').locator('a, strong, em, code').count(), 0, 'markdown is for the question');
    assert.doesNotMatch(await card.innerText(), /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u);
    await page.at('option').nth(2).click();
    await page.at('option').nth(3).click({ force: true });
    assert.deepEqual(await postedOf(page, 'answer'), [{ type: 'answer', id: 'q1', answer: labels[2] }]);
    assert.equal(await page.page.evaluate(() => 'pwned' in window), false);
  });

  test('an answer of 10,000 characters is sent whole, and one to a run that has ended can’t be given', async () => {
    const page = await panel(panelStates['clarify']);
    const long = 'x<b>`$&'.repeat(1500).slice(0, 10_000);
    await page.at('own-answer').fill(long);
    await page.at('send-answer').click();
    assert.deepEqual(await postedOf(page, 'answer'), [{ type: 'answer', id: 'q1', answer: long }]);
    const other = await panel(panelStates['clarify']);
    await other.say(more([{ type: 'run/cancelled', reason: 'abort', message: '', next: '' }], 50));
    assert.equal(await other.count('clarify'), 0);
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

  const estimateOf = async (page: PanelPage) => (await page.text('plan-estimate')).trim();

  test('has an estimate that follows its edits, without calls and tokens when no model is asked', async () => {
    const page = await panel(panelStates['plan']);
    const seen = [await estimateOf(page)];
    assert.match(seen[0]!, /^About \d+ model calls, [\d.]+K tokens, \d+ minutes, and \$\d\.\d\d\.$/);
    const changed = async (edit: () => Promise<unknown>) => {
      await edit();
      seen.push(await estimateOf(page));
    };
    await changed(() => page.at('plan-remove').first().click());
    await changed(() => page.at('plan-undo').click());
    await page.at('plan-details-toggle').first().click();
    await changed(() => page.at('plan-depth').selectOption('deep'));
    await changed(() => page.at('plan-source-github').click());
    await page.at('plan-options-toggle').click();
    await changed(() => page.at('plan-strategy').selectOption('iterative'));
    assert.equal(seen[2], seen[0], 'an undo brings the estimate back');
    assert.equal(new Set(seen).size, seen.length - 1, seen.join('\n'));
    const free = await panel([
      snapshot(
        viewOf([
          started({ analyst: 'extractive', model: null }),
          { ...proposed, basis: undefined, estimate: { calls: 0, tokens: 0, minutes: 0.4, cost: null } } as EventBody,
        ]),
      ),
    ]);
    assert.equal(await estimateOf(free), 'About 1 minute.');
  });

  test('is edited by the keyboard alone: moved, described, deepened, and approved by Ctrl+Enter from anywhere', async () => {
    const page = await panel(panelStates['plan']);
    const { keyboard } = page.page;
    const before = await titles(page);
    await page.at('plan-section-title').nth(2).focus();
    await keyboard.press('Alt+ArrowUp');
    await page.drawn();
    assert.deepEqual((await titles(page)).slice(0, 3), [before[0], before[2], before[1]]);
    assert.ok(
      await page
        .at('plan-section-title')
        .nth(1)
        .evaluate((box) => box === document.activeElement),
      'the focus stays on the moved section',
    );
    await keyboard.press('Alt+ArrowDown');
    await page.drawn();
    assert.deepEqual(await titles(page), before);
    await keyboard.press('Alt+ArrowUp');
    await page.at('plan-details-toggle').nth(1).focus();
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type(' And dates.');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Control+Enter');
    const [approved] = await postedOf(page, 'approvePlan');
    const { id, description, depth, sources } = approved!.sections[1]!;
    assert.deepEqual([id, depth, sources], ['s3', 'deep', ['github', 'workspace']]);
    assert.match(description, / And dates\.$/);
    assert.equal(approved!.round, 0);
  });

  test('is reordered by dragging', async () => {
    const page = await panel(panelStates['plan']);
    const before = await titles(page);
    await page.at('plan-grip').nth(0).dragTo(page.at('plan-section').nth(2));
    assert.deepEqual((await titles(page)).slice(0, 3), [before[1], before[2], before[0]]);
  });

  test('has what was removed back, in its place', async () => {
    const page = await panel(panelStates['plan']);
    const before = await titles(page);
    await page.at('plan-remove').nth(1).click();
    await page.at('plan-remove').nth(1).click();
    await page.at('plan-undo').click();
    await page.at('plan-undo').click();
    assert.deepEqual(await titles(page), before);
    assert.equal(await page.count('plan-undo'), 0);
  });

  test('changes strategy and focus, which go back with it', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('plan-options-toggle').click();
    await page.at('plan-strategy').selectOption('supervisor');
    await page.at('plan-focus').fill('cost\n\nlatency');
    await page.at('approve-plan').click();
    const [approved] = await postedOf(page, 'approvePlan');
    assert.equal(approved!.strategy, 'supervisor');
    assert.deepEqual(approved!.focus, ['cost', 'latency']);
  });

  test('is sent back with a remark, and the next one starts without the edits of this one', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('plan-another-toggle').click();
    await page.at('plan-send-back').click();
    assert.match(await page.text('plan-problem'), /Say what should be different/);
    await page.at('plan-remove').first().click();
    await page.at('plan-remark').fill('Fewer sections, and more on cost.');
    await page.at('plan-remark').press('Control+Enter');
    assert.deepEqual(await postedOf(page, 'anotherPlan'), [
      {
        ...{ type: 'anotherPlan', round: 0, remark: 'Fewer sections, and more on cost.' },
        ...{ strategy: 'sections', focus: ['quality of retrieval', 'cost'] },
      },
    ]);
    assert.equal((await postedOf(page, 'approvePlan')).length, 0);
    const next = { ...proposed, round: 1, sections: sections.slice(0, 2) } as EventBody;
    await page.say(
      more([{ type: 'plan/sentBack', remark: 'Fewer', round: 0 }, { type: 'run/phase', phase: 'plan' }, next], 20),
    );
    assert.equal((await titles(page)).length, 2);
    await page.at('approve-plan').click();
    assert.equal((await postedOf(page, 'approvePlan'))[0]!.round, 1);
  });

  test('has its approval in sight with 30 sections, at any width', async () => {
    const page = await panel(panelStates['plan-30']);
    for (const width of [170, 300, 900]) {
      await page.page.setViewportSize({ width, height: 700 });
      await page.at('plan-section-title').nth(2).scrollIntoViewIfNeeded();
      const box = await page.at('approve-plan').boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= 700, `at ${width} px`);
    }
    await page.at('plan-add').click();
    assert.match(await page.text('plan-problem'), /at most 30/);
  });

  test('shows what has the focus between its head and its foot, forwards and backwards', async () => {
    const page = await panel(panelStates['plan-30']);
    await page.page.setViewportSize({ width: 300, height: 700 });
    await page.at('plan-section-title').first().focus();
    for (const key of [...Array<string>(45).fill('Tab'), ...Array<string>(45).fill('Shift+Tab')]) {
      await page.page.keyboard.press(key);
      const covered = await page.page.evaluate(() => {
        const [head, foot] = ['.run-header', '.card-foot'].map((one) => document.querySelector(one)!);
        const active = document.activeElement!;
        if (head!.contains(active) || foot!.contains(active)) return '';
        const { top, bottom } = active.getBoundingClientRect();
        const isCovered = top < head!.getBoundingClientRect().bottom || bottom > foot!.getBoundingClientRect().top;
        return isCovered ? (active.getAttribute('data-testid') ?? active.tagName) : '';
      });
      assert.equal(covered, '', key);
    }
  });

  test('edits survive a reload of the webview, what was typed for another plan included', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('plan-remove').first().click();
    await page.at('plan-another-toggle').click();
    await page.at('plan-remark').fill('half a rem');
    await page.reload();
    await page.say(...(panelStates['plan'] ?? []));
    assert.equal((await titles(page)).length, 4);
    assert.equal(await page.at('plan-remark').inputValue(), 'half a rem');
  });

  test('can be stopped', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('stop-plan').click();
    assert.equal((await postedOf(page, 'stop')).length, 1);
  });
});

describe('what was found', () => {
  const names = async (page: PanelPage) => {
    await page.drawn();
    return page.page.locator('.entity-rows .entity-name').allTextContents();
  };

  test('is unticked, merged and added to, by the keyboard too, and goes back as it stands', async () => {
    const page = await panel(panelStates['entities']);
    const { keyboard } = page.page;
    assert.match(await page.text('entity-card'), /May be missing: Commercial services/);
    assert.match(await page.text('entities-count'), /5 of 5/);
    await page.at('entity-tick').nth(3).focus();
    await keyboard.press('Space');
    await page.at('entity-merge').nth(2).focus();
    await keyboard.press('Enter');
    await page.at('entity-target').selectOption({ label: 'Milvus' });
    await page.drawn();
    assert.ok(
      await page
        .at('entity-tick')
        .nth(1)
        .evaluate((box) => box === document.activeElement),
      'the focus is on what it was merged into',
    );
    assert.match(await page.text('entity-also'), /Also: milvus-io/);
    await page.at('entity-name').fill('qdrant');
    await keyboard.press('Enter');
    assert.match(await page.text('entity-problem'), /in the list already/);
    await page.at('entity-name').fill('LanceDB');
    await keyboard.press('Enter');
    assert.equal((await names(page)).at(-1), 'LanceDB');
    await keyboard.press('Control+Enter');
    const [approved] = await postedOf(page, 'approveEntities');
    assert.deepEqual(approved!.entities.slice(0, 2), [
      { name: 'Qdrant', from: ['Qdrant'] },
      { name: 'Milvus', from: ['Milvus', 'milvus-io'] },
    ]);
    assert.deepEqual(approved!.entities.at(-1), { name: 'LanceDB', from: [] });
    assert.equal(approved!.entities.length, 4);
  });

  test('needs one that is ticked, and is kept as it was edited when the page is reloaded', async () => {
    const page = await panel(panelStates['entities']);
    await page.at('entities-none').click();
    await page.at('approve-entities').click();
    assert.match(await page.text('entity-problem'), /Tick at least one/);
    await page.at('entity-tick').nth(1).click();
    await page.at('entity-name').fill('Lan');
    await page.reload();
    await page.say(...(panelStates['entities'] ?? []));
    assert.equal(await page.at('entity-name').inputValue(), 'Lan');
    assert.match(await page.text('entities-count'), /1 of 5/);
    await page.at('approve-entities').dblclick();
    assert.deepEqual(
      (await postedOf(page, 'approveEntities')).map(({ entities }) => entities),
      [[{ name: 'Milvus', from: ['Milvus'] }]],
    );
  });
});

describe('the focus', () => {
  const focused = (page: PanelPage) =>
    page.page.evaluate(() => document.activeElement?.closest('[data-testid]')?.getAttribute('data-testid') ?? 'page');

  for (const [state, control, bodies] of [
    ['clarify', 'option', [{ type: 'clarify/answered', id: 'q1', answer: 'A', skipped: false }]],
    ['entities', 'approve-entities', [{ type: 'discover/approved', entities: [] }]],
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

test('a review that would research covered sections further calls none of them thin', async () => {
  const covered: EventBody = {
    ...{ type: 'review/finished', score: 9.1, sufficient: false, gaps: [{ section: 's1', gap: 'One figure.' }] },
    ...{ retry: ['s1'], round: 1, needsApproval: true, coverage: [{ section: 's1', status: 'sufficient', notes: '' }] },
  };
  const page = await panel([snapshot(viewOf([...researching, covered]))]);
  const card = await page.text('review-card');
  assert.match(card, /The review would research further/);
  assert.doesNotMatch(card, /thin/);
  assert.equal(await page.count('review-result'), 0);
  await page.say(more([{ type: 'review/decided', retry: [] }], 50));
  assert.match(await page.text('review-result'), /^Review: 9\.1 out of 10$/);
});

test('what waits for a choice of entities is not a plan', async () => {
  const page = await panel(panelStates['entities']);
  assert.match(await page.text('run-header'), /Waiting for your choice/);
});
