// What can follow a finished report in the panel: the box beneath it, sections, sources, answers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FollowUpKind } from '../../src/protocol/followUp.ts';
import type { HostMessage, ReportThread, Setup } from '../../src/protocol/messages.ts';
import { type PanelPage, themeNames } from '../support/panelHarness.ts';
import { postedOf, usePanelPages } from '../support/panelPages.ts';
import {
  citations,
  finished,
  keyless,
  proposed,
  reportText,
  sections,
  snapshot,
  viewOf,
  withModel,
} from '../support/panelStates.ts';

const panel = usePanelPages();

const choice = (as: FollowUpKind, label: string, tokens: string) => ({
  ...{ as, label, detail: `${label} does this.` },
  description: tokens === '' ? '' : `about ${tokens} tokens`,
});
const own = viewOf(finished());
const thread: ReportThread = {
  ...{ run: own.run, title: 'Retrieval-augmented generation in practice', version: 1 },
  sections: sections.slice(0, 3).map(({ title }) => title),
  choices: [
    choice('answer', 'Answer', '24,000'),
    choice('research', 'Research Further', '48,000'),
    choice('rewrite', 'Rewrite', '80,000'),
    choice('challenge', 'Challenge', '48,000'),
  ],
  asked: [{ run: 'r0', question: 'Is that still so?' }],
  answers: [],
};
const finishedWith = (setup: Setup, change: Partial<ReportThread> = {}): HostMessage[] => [
  snapshot(own, setup),
  { type: 'thread', thread: { ...thread, ...change } },
];
const answerText = 'Yes: hybrid retrieval is the default there [[1]](#ref-1).\n';
const [started, ...others] = finished();
/** A follow-up of the report, with its text. */
const followUp = (text: string, outcome: 'complete' | 'notFound'): HostMessage => {
  const bodies = [
    { ...started!, parent: own.run, question: 'Is hybrid retrieval the default?' },
    ...others.filter(({ type }) => !['report/delta', 'report/finished', 'run/finished', 'run/warning'].includes(type)),
    { type: 'report/delta', offset: 0, text, citations: citations.slice(0, 1) },
    { type: 'report/finished', citations: { cited: 1, dropped: 0, verified: 1 } },
    { type: 'run/finished', outcome, gaps: [], tokens: { in: 1, out: 1, cached: 0 }, ms: 1 },
  ] as Parameters<typeof viewOf>[0];
  return snapshot({ ...viewOf(bodies), run: 'r2' }, withModel);
};
const ofParent: ReportThread = {
  ...{ ...thread, run: 'r2', version: 2 },
  report: { run: own.run, report: { text: reportText, citations }, sources: own.sources },
};

describe('a report of a small factual question', () => {
  const short = {
    ...own,
    strategy: 'short',
    strategyWhy: 'A small factual question: one researcher and a short report.',
  };
  const messages = (setup: Setup): HostMessage[] => [snapshot(short, setup), { type: 'thread', thread }];

  test('says why it is short, and one click goes deeper, at a cost that is shown', async () => {
    const page = await panel(messages(withModel));
    assert.match(await page.text('short-end'), /^A small factual question/);
    assert.match(await page.text('go-deeper'), /^Go deeper \(.*48,000/);
    await page.at('go-deeper').scrollIntoViewIfNeeded();
    await page.screenshot('go-deeper');
    await page.at('go-deeper').click();
    const wanted = { type: 'followUp', question: own.question, as: 'research', deeper: true };
    assert.deepEqual(await postedOf(page, 'followUp'), [wanted]);
  });

  test('without a model there is nothing to go deeper with', async () => {
    const page = await panel(messages(keyless));
    assert.equal(await page.count('short-end'), 0);
  });
});

describe('the box beneath a finished report', () => {
  test('shows each kind with its cost and what it is about before anything is sent, and one click changes the kind', async () => {
    const page = await panel(finishedWith(withModel, { version: 3 }));
    await page.waitForPosted('findThread');
    assert.match(await page.text('follow-up-about'), /About “Retrieval-augmented generation in practice”, version 3/);
    for (const { as, description } of thread.choices)
      assert.ok((await page.text(`follow-up-${as}`)).includes(description), as);
    await page.at('follow-up-text').fill('Is that still so?');
    assert.ok(await page.at('follow-up-decide').getByRole('radio').isChecked());
    await page.at('follow-up-challenge').click();
    assert.deepEqual(await postedOf(page, 'followUp'), []);
    await page.at('follow-up-text').press('Enter');
    await page.at('follow-up-send').click({ force: true });
    assert.deepEqual(await postedOf(page, 'followUp'), [
      { type: 'followUp', question: 'Is that still so?', as: 'challenge' },
    ]);
  });

  test('leaves the kind to the model unless one is chosen', async () => {
    const page = await panel(finishedWith(withModel));
    await page.at('follow-up-text').fill('Shorter, please.');
    await page.at('follow-up-send').click();
    assert.deepEqual(await postedOf(page, 'followUp'), [{ type: 'followUp', question: 'Shorter, please.' }]);
  });

  test('offers an answer and research alone without a model', async () => {
    const page = await panel(
      finishedWith(keyless, { choices: thread.choices.map((one) => ({ ...one, description: '' })) }),
    );
    assert.deepEqual(
      await page
        .at('follow-up')
        .getByRole('radio')
        .evaluateAll((all) => all.map((one) => one.parentElement!.innerText)),
      ['Answer\nno tokens', 'Research Further\nno tokens'],
    );
    await page.at('follow-up-text').fill('How does reranking work?');
    await page.at('follow-up-text').press('Enter');
    assert.deepEqual(await postedOf(page, 'followUp'), [
      { type: 'followUp', question: 'How does reranking work?', as: 'answer' },
    ]);
    assert.equal(await page.count('leave-out'), 0);
  });

  test('sends neither an empty nor an overlong text, and a half-typed one survives a reload with its kind', async () => {
    const page = await panel(finishedWith(withModel));
    await page.at('follow-up-text').press('Enter');
    await page.at('follow-up-text').fill('x'.repeat(20_001));
    await page.at('follow-up-text').press('Enter');
    assert.match(await page.text('follow-up'), /20001 characters|20,001 characters/);
    await page.at('follow-up-text').fill('Half a quest');
    await page.at('follow-up-rewrite').click();
    await page.at('follow-up-paste').click();
    await page.at('follow-up-pasted').fill('Chunks of');
    await page.reload();
    await page.say(...finishedWith(withModel));
    assert.equal(await page.at('follow-up-pasted').inputValue(), 'Chunks of');
    assert.equal(await page.at('follow-up-text').inputValue(), 'Half a quest');
    assert.ok(await page.at('follow-up-rewrite').getByRole('radio').isChecked());
    assert.deepEqual(await postedOf(page, 'followUp'), []);
  });

  describe('whose page is hidden after a question was sent', () => {
    const asked = 'Is that still so?';
    const shownAgain = async (after: readonly HostMessage[]): Promise<PanelPage> => {
      const page = await panel(finishedWith(withModel));
      await page.at('follow-up-text').fill(asked);
      await page.at('follow-up-challenge').click();
      await page.at('follow-up-text').press('Enter');
      await page.waitForPosted('followUp');
      await page.reload();
      await page.say(...after);
      return page;
    };

    test('has the question and its kind while no run with it has begun', async () => {
      const page = await shownAgain(finishedWith(withModel));
      assert.equal(await page.at('follow-up-text').inputValue(), asked);
      assert.ok(await page.at('follow-up-challenge').getByRole('radio').isChecked());
    });

    test('has the question after another run was shown, and used, in its place', async () => {
      const page = await shownAgain([snapshot({ ...own, run: 'r9' }, withModel)]);
      await page.at('sections-toggle').click();
      await page.say(...finishedWith(withModel));
      assert.equal(await page.at('follow-up-text').inputValue(), asked);
    });

    test('is empty once a run with it has begun, and is not emptied by it again', async () => {
      // Of runs that began in the same second either may be the first.
      const begun = { asked: [...thread.asked, { run: 'r2', question: asked }] };
      const page = await shownAgain([followUp(answerText, 'complete'), ...finishedWith(withModel, begun)]);
      await page.page.waitForFunction(() => document.querySelector('textarea')!.value === '');
      await page.at('follow-up-text').fill(asked);
      await page.say(...finishedWith(withModel, begun));
      assert.equal(await page.at('follow-up-text').inputValue(), asked);
    });
  });

  test('adds a file, a pasted text and the address of a page to what is asked, for new research', async () => {
    const page = await panel(finishedWith(withModel));
    await page.at('follow-up-attach').click();
    await page.waitForPosted('pickDocuments');
    await page.at('follow-up-paste').click();
    await page.at('follow-up-pasted').fill('Chunks of 200 tokens were best.');
    await page.at('follow-up-give').click();
    await page.at('follow-up-paste').click();
    await page.at('follow-up-pasted').fill(' https://example.org/paper ');
    await page.at('follow-up-give').click();
    assert.deepEqual(await postedOf(page, 'attachText'), [
      { type: 'attachText', text: 'Chunks of 200 tokens were best.' },
    ]);
    assert.equal(await page.at('follow-up-text').inputValue(), 'https://example.org/paper');
    assert.ok(await page.at('follow-up-research').getByRole('radio').isChecked());
    await page.say({ type: 'attached', items: [{ id: 'text:1', name: 'Chunks of 200', place: '', icon: 'note' }] });
    assert.match(await page.text('follow-up'), /Chunks of 200/);
  });

  test('is not there while the run is in progress, or for another run', async () => {
    const page = await panel([snapshot(viewOf(finished().slice(0, -1)), withModel), { type: 'thread', thread }]);
    assert.equal(await page.count('follow-up'), 0);
    const other = await panel(finishedWith(withModel, { run: 'another' }));
    assert.equal(await other.count('follow-up'), 0);
  });
});

test('the text of a page that is pasted is there after a reload, until it is given', async () => {
  const view = { ...own, pages: [{ url: 'https://a.example/x', why: 'HTTP 403' }] };
  const page = await panel([snapshot(view, withModel)]);
  await page.at('pages-toggle').click();
  await page.at('page-paste').click();
  await page.at('page-text').fill('All of it.');
  await page.reload();
  await page.say(snapshot(view, withModel));
  assert.equal(await page.at('page-text').inputValue(), 'All of it.');
  await page.at('page-give').click();
  assert.deepEqual(await postedOf(page, 'givePage'), [
    { type: 'givePage', url: 'https://a.example/x', text: 'All of it.' },
  ]);
  assert.equal(await page.count('page-text'), 0);
});

test('a section is redone with a remark, deepened and removed, where the report has it', async () => {
  const page = await panel(finishedWith(withModel));
  await page.at('sections-toggle').click();
  await page.at('section-toggle').first().click();
  await page.at('redo-remark').fill('Newer papers.');
  await page.reload();
  await page.say(...finishedWith(withModel));
  await page.at('redo').dblclick();
  await page.at('remove').click();
  const { title } = sections[0]!;
  assert.deepEqual(await postedOf(page, 'followUp'), [{ type: 'followUp', question: 'Newer papers.', section: title }]);
  assert.deepEqual(await postedOf(page, 'removeSection'), [{ type: 'removeSection', section: title }]);
  // The host refuses: what was sent is answered.
  await page.say({ type: 'notice', message: 'Not now.' });
  await page.at('deeper').click();
  assert.deepEqual((await postedOf(page, 'followUp'))[1], {
    ...{ type: 'followUp', question: 'Newer papers.', section: title, deeper: true },
  });
  await page.at('section-toggle').nth(3).click();
  assert.equal(await page.count('redo'), 1, 'the report has no such section');
});

test('a section that the report has from a change can be changed as well', async () => {
  const page = await panel(finishedWith(withModel, { sections: [...thread.sections, 'What it costs'] }));
  await page.at('sections-toggle').click();
  const added = page.at('section').last();
  assert.match(await added.innerText(), /What it costs/);
  await added.getByTestId('section-toggle').click();
  await added.getByTestId('deeper').click();
  assert.deepEqual(await postedOf(page, 'followUp'), [
    { type: 'followUp', question: '', section: 'What it costs', deeper: true },
  ]);
});

test('a section is there once, by its words, though its heading is escaped in the report', async () => {
  const [title, heading] = ['`Option<T>` & **Result<T>**', '`Option<T>` & Result&lt;T>'];
  const view = { ...own, sections: own.sections.map((one, index) => (index === 0 ? { ...one, title } : one)) };
  const headings = [heading, ...thread.sections.slice(1), 'What a Vec&lt;T> costs'];
  const page = await panel([snapshot(view, withModel), { type: 'thread', thread: { ...thread, sections: headings } }]);
  await page.at('sections-toggle').click();
  const titles = await page.at('section').locator('.section-title').allInnerTexts();
  assert.equal(titles.length, view.sections.length + 1);
  assert.deepEqual([titles[0], titles.at(-1)], ['Option<T> & Result<T>', 'What a Vec<T> costs']);
  await page.at('section-toggle').first().click();
  await page.at('redo').click();
  assert.deepEqual(await postedOf(page, 'followUp'), [{ type: 'followUp', question: '', section: heading }]);
});

test('a cited source is left out by its numbers, after its cost was shown', async () => {
  const page = await panel(finishedWith(withModel));
  await page.at('sources-toggle').click();
  const first = page.at('leave-out').first();
  assert.match((await first.getAttribute('title')) ?? '', /^Leave .+ out and rewrite \(about 80,000 tokens\)$/);
  await first.click();
  assert.deepEqual(await postedOf(page, 'followUp'), [{ type: 'followUp', question: '', as: 'rewrite', without: [1] }]);
});

describe('the plan of a change', () => {
  const shown = async (change: { readonly as?: FollowUpKind }): Promise<PanelPage> => {
    const bodies = [
      { ...started!, parent: own.run, question: 'Shorter, please' },
      { ...proposed, ...change },
    ];
    const page = await panel([snapshot({ ...viewOf(bodies), run: 'r2' }, withModel)]);
    await page.waitForPosted('findThread');
    await page.say({ type: 'thread', thread: ofParent });
    return page;
  };

  test('shows what the model takes the question for, and one click makes it another, at a cost that is shown', async () => {
    const page = await shown({ as: 'rewrite' });
    for (const { as, label, description } of thread.choices) {
      const kind = page.at(`plan-kind-${as}`);
      assert.equal(await kind.innerText(), `${label} ${description}`);
      assert.equal(await kind.getAttribute('aria-pressed'), String(as === 'rewrite'));
    }
    await page.at('plan-kind-rewrite').scrollIntoViewIfNeeded();
    await page.screenshot('plan-kinds');
    await page.at('plan-kind-rewrite').click({ force: true });
    assert.deepEqual(await postedOf(page, 'anotherPlan'), [], 'it is that already');
    await page.at('plan-kind-research').focus();
    await page.page.keyboard.press('Enter');
    const { strategy, focus } = { strategy: 'sections' as const, focus: ['quality of retrieval', 'cost'] };
    const wanted = { type: 'anotherPlan', round: 0, remark: '', as: 'research', strategy, focus } as const;
    assert.deepEqual(await postedOf(page, 'anotherPlan'), [wanted]);
    await page.at('plan-kind-answer').click({ force: true });
    assert.equal((await postedOf(page, 'anotherPlan')).length, 1, 'one answer to a plan');
  });

  test('offers no other kind where the user has chosen it', async () => {
    const page = await shown({});
    await page.at('approve-plan').waitFor();
    assert.equal(await page.count('plan-kind-answer'), 0);
  });
});

describe('an answer', () => {
  const shown = async (text: string, outcome: 'complete' | 'notFound'): Promise<PanelPage> => {
    const page = await panel([followUp(text, outcome)]);
    await page.waitForPosted('findThread');
    await page.say({ type: 'thread', thread: ofParent });
    return page;
  };

  test('is shown beneath the report, with the question between them and no tab of its own', async () => {
    const page = await shown(answerText, 'complete');
    assert.match(await page.text('status'), /Answer ready/);
    assert.equal(await page.count('save-report'), 0, 'an answer is no file');
    // It scrolls there once it is laid out.
    await page.page.waitForFunction(() => {
      const { top } = document.querySelector('[data-testid=shown-question]')!.getBoundingClientRect();
      return top >= 0 && top < 500;
    });
    const texts = await page.at('report').allTextContents();
    assert.match(texts[0]!, /Retrieval-augmented generation in practice/);
    assert.match(texts[1]!, /hybrid retrieval is the default there/);
    const tops = await page.page.evaluate(() =>
      [
        '[data-testid=report]',
        '[data-testid=shown-question]',
        '[data-testid=answer-end]',
        '[data-testid=follow-up]',
      ].map((one) => document.querySelector(one)!.getBoundingClientRect().top),
    );
    assert.deepEqual(
      tops,
      [...tops].sort((a, b) => a - b),
    );
    await page.at('report').nth(1).getByTestId('citation').click();
    assert.equal(((await page.waitForPosted('cited')) as { run: string }).run, 'r2');
    await page.say({ type: 'reading', isRead: true });
    assert.equal(await page.count('report'), 1, 'the report is in its tab');
  });

  test('is walked from citation to citation by keyboard on its own, as the report is', async () => {
    const page = await shown('It is [[1]](#ref-1). So it is said [[1]](#ref-1).\n', 'complete');
    const [above, own] = [0, 1].map((at) => page.at('report').nth(at).getByTestId('citation'));
    const isFocused = () => own!.nth(1).evaluate((chip) => chip === document.activeElement);
    await own!.first().focus();
    await page.page.keyboard.press(']');
    assert.ok(await isFocused());
    await page.page.keyboard.press(']');
    assert.ok(await isFocused(), 'it is the last');
    await above!.first().focus();
    await page.page.keyboard.press(']');
    assert.ok(await above!.nth(1).evaluate((chip) => chip === document.activeElement));
  });

  test('that was not read is one, with Research it and its cost beside it', async () => {
    const page = await shown('Nothing was found.\n', 'notFound');
    assert.match(await page.text('not-read'), /Not in what was read\..*Research it \(about 48,000 tokens\)/s);
    assert.equal(await page.count('not-found'), 0);
    await page.at('research-it').click();
    assert.deepEqual(await postedOf(page, 'followUp'), [
      { type: 'followUp', question: 'Is hybrid retrieval the default?', as: 'research' },
    ]);
  });

  test('is none where a change has changed nothing: the panel says so in its place', async () => {
    const { view } = followUp(reportText, 'complete') as Extract<HostMessage, { type: 'snapshot' }>;
    const page = await panel([snapshot({ ...view, report: { ...view.report, unchanged: true } }, withModel)]);
    await page.waitForPosted('findThread');
    await page.say({ type: 'thread', thread: ofParent });
    assert.match(await page.text('status'), /Nothing changed/);
    assert.match(
      await page.text('unchanged'),
      /^The new text is the same as that of the report, so there is no new version\.$/,
    );
    assert.equal(await page.count('report'), 1, 'the report is there once');
    assert.equal(await page.count('answer-end'), 0);
    assert.equal(await page.count('follow-up'), 1);
    await page.screenshot('follow-up-unchanged');
  });

  test('that is streamed after the report leaves the reader at the question', async () => {
    const page = await panel([
      {
        ...followUp(answerText, 'complete'),
        view: {
          ...own,
          run: 'r2',
          parent: own.run,
          status: 'running',
          report: { text: '', done: false, citations: [] },
        },
      } as HostMessage,
    ]);
    await page.say({ type: 'thread', thread: ofParent });
    const place = () => page.at('shown-question').evaluate((one) => one.getBoundingClientRect().top);
    const before = await place();
    assert.ok(before >= 0 && before < 500, `in sight: ${before}`);
    assert.equal(await page.count('follow-up'), 0, 'the run is in progress');
  });

  test('has beside it the sources of a changed report, of which those can be left out that it cites', async () => {
    const added = { ...own.sources[0]!, id: 'Sadded', title: 'Added by a change', url: 'https://added.example/' };
    const ids = Array.from({ length: 9 }, (_, index) => ({ 1: citations[1]!, 8: 'Sadded' })[index] ?? '');
    const now = { text: 'It says [[2]](#ref-2) and [[9]](#ref-9).\n', citations: ids };
    const report = { run: own.run, report: now, sources: [own.sources[1]!, added] };
    const page = await panel(finishedWith(withModel, { report }));
    await page.at('sources-toggle').click();
    await page.at('source').filter({ hasText: 'Added by a change' }).waitFor();
    assert.equal(await page.at('leave-out').count(), 2);
    await page.at('leave-out').last().click();
    const [sent] = await postedOf(page, 'followUp');
    assert.deepEqual(sent, { type: 'followUp', question: '', as: 'rewrite', without: [9] });
  });

  test('of before is beneath the report that is opened again, and a changed report is shown as it is now', async () => {
    const now = { text: '# Changed\n\nNow it says [[1]](#ref-1).\n', citations };
    const page = await panel(
      finishedWith(withModel, {
        report: { run: own.run, report: now, sources: own.sources },
        answers: [{ run: 'r2', report: { text: answerText, citations: citations.slice(0, 1) }, sources: own.sources }],
      }),
    );
    assert.deepEqual(
      (await page.at('report').allTextContents()).map((text) => text.trim().slice(0, 7)),
      ['Changed', 'Yes: hy'],
    );
    assert.equal(await page.at('answers').getByTestId('citation').count(), 1);
  });
});

test('all of it fits from 170 to 900 px and has contrast in every theme', async () => {
  const page = await panel(finishedWith(withModel));
  await page.at('sections-toggle').click();
  await page.at('section-toggle').first().click();
  await page.at('sources-toggle').click();
  await page.at('follow-up-paste').click();
  for (const width of [170, 300, 420, 900]) {
    await page.page.setViewportSize({ width, height: 700 });
    assert.deepEqual(await page.clipped(), [], `at ${width} px`);
  }
  for (const theme of themeNames) {
    await page.setTheme(theme);
    for (const testId of ['follow-up-about', 'follow-up-answer', 'redo']) {
      const contrast = await page.contrast(testId);
      assert.ok(contrast >= 4.5, `${testId} in ${theme}: ${contrast.toFixed(2)}`);
    }
    for (const width of [300, 600]) {
      await page.page.setViewportSize({ width, height: 900 });
      await page.at('follow-up').scrollIntoViewIfNeeded();
      await page.screenshot(`follow-up-${theme}-${width}`, true);
    }
  }
  await page.say(followUp(answerText, 'complete'), { type: 'thread', thread: ofParent });
  for (const width of [170, 300, 600, 900]) {
    await page.page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await page.clipped(), [], `at ${width} px`);
    await page.screenshot(`answer-${width}`, true);
  }
});
