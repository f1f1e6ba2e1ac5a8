// A run in the panel, from its first event to its end, and what a hidden panel remembers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventBody } from '../../src/protocol/events.ts';
import type { PanelMessage } from '../../src/protocol/messages.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import { type PanelPage, themeNames } from '../support/panelHarness.ts';
import { more, postedOf, usePanelPages } from '../support/panelPages.ts';
import {
  asked,
  citations,
  ended,
  events,
  finished,
  notFound,
  panelStates,
  planned,
  reportText,
  researching,
  snapshot,
  started,
  viewOf,
  withModel,
  withoutWebKey,
} from '../support/panelStates.ts';

const panel = usePanelPages();

describe('a run in progress', () => {
  test('shows its steps, its sections with what they do, and how many sources each has', async () => {
    const page = await panel(panelStates['research']);
    assert.deepEqual(
      await page.at('step').evaluateAll((all) => all.map((step) => (step as HTMLElement).dataset['state'])),
      ['done', 'done', 'current', 'next', 'next'],
    );
    const rows = await page.at('section').allTextContents();
    assert.match(rows[0] ?? '', /Done: Retrieval.*7 sources/);
    assert.match(rows[1] ?? '', /Researching: Chunking.*Reading “Late chunking/);
    assert.match(rows[2] ?? '', /sent back, attempt 2/);
    assert.match(rows[3] ?? '', /Failed: Evaluation.*no answer/);
    assert.match(rows[4] ?? '', /Not started/);
    assert.match(await page.text('sections-toggle'), /1 of 5 done/);
  });

  test('a section opens to its description and thoughts, latest first', async () => {
    const page = await panel(panelStates['research']);
    const toggle = page.at('section-toggle').nth(1);
    await toggle.focus();
    await page.page.keyboard.press('Enter');
    await page.drawn();
    assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
    assert.match(
      (await page.at('section').nth(1).textContent()) ?? '',
      /with figures from papers.*Two of them report.*Found three papers/s,
    );
  });

  test('the clock ticks while it is running and visible, and stops while it waits', async () => {
    const page = await panel([], { ownPage: true });
    await page.page.clock.install();
    await page.say(snapshot(viewOf(planned)));
    const seconds = async () => {
      const [minutes = '', rest = ''] = (await page.text('elapsed')).split(':');
      return Number(minutes) * 60 + Number(rest);
    };
    const begin = await seconds();
    await page.page.clock.runFor(5000);
    assert.ok((await seconds()) >= begin + 4);
    await page.say(more([asked], 9));
    const standing = await seconds();
    await page.page.clock.runFor(5000);
    assert.equal(await seconds(), standing);
  });

  test('tokens are shown for a model, marked when estimated, and not at all without one', async () => {
    const page = await panel(panelStates['research']);
    assert.match(await page.text('tokens'), /^20\.5K tokens · \$0\.04$/);
    const usage: EventBody = {
      type: 'usage',
      model: 'm',
      role: 'r',
      phase: 'plan',
      tokens: { in: 900, out: 100, cached: 0 },
      cost: null,
      estimated: true,
    };
    const estimated = await panel([snapshot(viewOf([started(), usage]))]);
    assert.match(await estimated.text('tokens'), /≈ 1K tokens \(estimated\)/);
    const free = await panel(panelStates['research-keyless']);
    assert.equal(await free.count('tokens'), 0);
    assert.match(await free.text('model'), /Without a model/);
  });

  test('stop is posted once', async () => {
    const page = await panel(panelStates['research']);
    await page.at('stop').dblclick();
    await page.at('stop').click({ force: true });
    assert.equal((await postedOf(page, 'stop')).length, 1);
    assert.match(await page.text('stop'), /Stopping/);
  });

  test('sources open, the cited first; the same warning stands once', async () => {
    const page = await panel(panelStates['writing']);
    await page.at('sources-toggle').click();
    await page.at('source').nth(1).click();
    assert.deepEqual(await postedOf(page, 'openSource'), [{ type: 'openSource', id: citations[1] }]);
    assert.match((await page.at('source').first().textContent()) ?? '', /arXiv · 2020-05-22/);
    await page.at('warnings-toggle').click();
    assert.equal(await page.count('warning'), 2);
    assert.match((await page.at('warning').first().textContent()) ?? '', /GitHub allows.*“Chunking.*“Re-ranking/s);
  });

  test('screen readers hear each new status once', async () => {
    const page = await panel([snapshot(viewOf(planned))]);
    const said = () => page.text('announcement');
    assert.equal(await said(), '', 'what the panel shows when it opens is no news');
    await page.say(more([{ type: 'run/phase', phase: 'research' }], 20));
    assert.equal(await said(), 'Research');
    await page.say(more([asked], 21));
    assert.equal(await said(), 'Waiting for your answer');
    await page.page.waitForFunction(() => document.querySelector('[data-testid="announcement"]')?.textContent === '');
  });

  test('an announcement is not repeated with the next status', async () => {
    const page = await panel(panelStates['finished']);
    await page.at('copy-report').click();
    assert.equal(await page.text('announcement'), 'Copied');
    await page.say({ type: 'events', events: events([started({ question: 'Another' })], 'r2') });
    assert.equal(await page.text('announcement'), 'Starting');
  });

  test('a new run takes the place of the old one', async () => {
    const page = await panel([snapshot(viewOf(finished()))]);
    await page.say({ type: 'events', events: events([started({ question: 'Another' })], 'r2') });
    assert.equal(await page.text('shown-question'), 'Another');
    assert.equal(await page.count('report'), 0);
    assert.equal(await page.count('section'), 0);
  });
});

describe('the end', () => {
  test('one citation and one statement are counted as one', async () => {
    const one: EventBody = { type: 'report/finished', citations: { cited: 1, dropped: 1, verified: 1 } };
    const page = await panel([snapshot(viewOf([...finished(), one]))]);
    assert.equal(await page.text('checked'), '1 citation checked · 1 unsupported statement left out');
  });

  test('a report has its path and what one does with it', async () => {
    const page = await panel(panelStates['finished']);
    assert.match(await page.text('report-path'), /research\/2026-11-22-.*\.md/);
    assert.match(await page.text('checked'), /^12 citations checked · 2 unsupported statements left out$/);
    for (const id of ['open-report', 'open-preview', 'copy-report', 'new-question']) await page.at(id).click();
    assert.deepEqual((await page.posted()).slice(1), [
      { type: 'findThread' },
      { type: 'openReport' },
      { type: 'openPreview' },
      // Written from its tree: tables have the writer's own spacing.
      { type: 'copy', text: reportText.replace('|---|---:|---:|---|', '| --- | ---: | ---: | --- |') },
      { type: 'new' },
    ]);
    assert.equal(await page.at('question').inputValue(), '');
  });

  test('a question that nothing answers has what was searched, the nearest, and what can be done', async () => {
    const page = await panel(panelStates['not-found']);
    assert.equal(await page.text('status'), 'Not in what was searched');
    assert.equal(await page.text('not-found-searched'), 'Searched: Workspace (1,234 files) and arXiv');
    assert.equal(await page.text('not-found-web'), 'A search of the web needs a key of Tavily or Bocha.');
    await page.at('nearest').getByRole('button', { name: 'Notes on retrieval' }).click();
    await page.at('search-web').click();
    await page.at('end-select-model').click();
    assert.deepEqual((await page.posted()).slice(1), [
      { type: 'findThread' },
      { type: 'openSource', id: 'S77aa2' },
      { type: 'setKey', provider: 'tavily' },
      { type: 'selectModel' },
    ]);
    // The key is saved.
    await page.say({ type: 'setup', setup: { ...withoutWebKey, web: { hosts: ['api.tavily.com'], keys: [] } } });
    assert.equal(await page.text('not-found-web'), 'A search of the web asks api.tavily.com.');
    await page.at('search-web').click();
    assert.deepEqual((await postedOf(page, 'start'))[0]?.sources, ['arxiv', 'github', 'workspace', 'web']);
  });

  test('what was searched already is not offered, and the question can be rephrased', async () => {
    const end = notFound.at(-1) as Extract<EventBody, { type: 'run/finished' }>;
    const all = { ...end, searched: { ...end.searched!, sources: ['workspace', 'web'] } };
    const page = await panel([snapshot(viewOf([...notFound.slice(0, -1), all]), withoutWebKey)]);
    assert.equal(await page.count('search-web'), 0);
    assert.equal(await page.count('not-found-web'), 0);
    await page.at('edit-question').click();
    assert.equal(await page.at('question').inputValue(), 'What is the boiling point of ammonia on Mars?');
  });

  for (const theme of themeNames)
    test(`a question that nothing answers is neither a success nor an error (${theme})`, async () => {
      const page = await panel(panelStates['not-found']);
      await page.setTheme(theme);
      const colors = await page.page.evaluate(() =>
        [...document.querySelectorAll('.codicon-search-stop')].map((icon) => [
          getComputedStyle(icon).color,
          getComputedStyle(icon.parentElement!).color,
        ]),
      );
      assert.equal(colors.length, 2);
      for (const [icon, text] of colors) assert.equal(icon, text);
    });

  for (const width of [170, 300, 600])
    test(`its file is a link, by its path in the open folder (${width} px)`, async () => {
      const folder = '/home/someone/projects/retrieval-study';
      const view = viewOf(finished({ path: `${folder}/research/2026-11-22-in-practice.md` }));
      const page = await panel([snapshot(view, { ...withModel, folders: [folder] })], { width });
      assert.equal(await page.text('report-path'), 'Saved as research/2026-11-22-in-practice.md');
      await page.page.getByRole('button', { name: 'Saved as' }).click();
      assert.deepEqual((await page.posted()).at(-1), { type: 'openReport' });
      assert.deepEqual(await page.clipped(), []);
    });

  for (const width of [170, 300, 600])
    test(`the header is as high before there is something to finish with (${width} px)`, async () => {
      const page = await panel([snapshot(viewOf(planned))], { width });
      const height = () => page.at('run-header').evaluate((header) => header.getBoundingClientRect().height);
      const before = await height();
      assert.equal(await page.at('finish').getAttribute('aria-disabled'), 'true');
      const [source] = researching.filter(({ type }) => type === 'source/added');
      await page.say(more([source!], planned.length + 1));
      assert.equal(await page.at('finish').getAttribute('aria-disabled'), null);
      assert.equal(await height(), before);
    });

  test('while the folder is indexed the question can be answered from what is, and finished after that', async () => {
    const page = await panel([snapshot(viewOf(planned))]);
    const indexed = (files: number): EventBody => ({ type: 'folder/indexed', files, of: 5_000 });
    const call: EventBody = { type: 'tool/finished', call: 'c', name: 'search_workspace', ms: 1, sources: [] };
    await page.say(more([indexed(1_136)], planned.length + 1));
    assert.match(await page.text('indexing'), /1,136 of 5,000 files/);
    assert.equal(await page.count('finish'), 0);
    await page.at('answer-now').click();
    await page.at('answer-now').click({ force: true });
    assert.deepEqual(await postedOf(page, 'answerNow'), [{ type: 'answerNow' }]);
    await page.say(more([call], planned.length + 2));
    assert.equal(await page.count('answer-now'), 0);
    assert.equal(await page.at('finish').count(), 1);
  });

  for (const width of [170, 300, 600])
    test(`the header is as high before the model has answered (${width} px)`, async () => {
      const bodies: EventBody[] = [started(), { type: 'run/phase', phase: 'assess' }];
      const page = await panel([snapshot(viewOf(bodies))], { width });
      const height = () => page.at('run-header').evaluate((header) => header.getBoundingClientRect().height);
      const before = await height();
      assert.equal(await page.text('tokens'), '0 tokens');
      const used = researching.filter(({ type }) => type === 'usage');
      await page.say(more(used, bodies.length + 1));
      assert.match(await page.text('tokens'), /K tokens/);
      assert.equal(await height(), before);
    });

  for (const width of [170, 300, 600])
    test(`the header is as high before its icons have loaded (${width} px)`, async () => {
      const icons = Promise.withResolvers<void>();
      const bodies: EventBody[] = [started(), { type: 'run/phase', phase: 'assess' }];
      const page = await panel([snapshot(viewOf(bodies))], { width, iconsAfter: icons.promise });
      const height = () => page.at('run-header').evaluate((header) => header.getBoundingClientRect().height);
      const before = await height();
      icons.resolve();
      await page.page.waitForFunction(() => [...document.fonts].every(({ status }) => status === 'loaded'));
      await page.drawn();
      assert.equal(await height(), before);
    });

  test('before the first section it shows what the step does, what it thought, and what it looked up', async () => {
    const bodies: EventBody[] = [started(), { type: 'run/phase', phase: 'assess' }];
    const page = await panel([snapshot(viewOf(bodies))]);
    assert.equal(await page.text('beginning'), 'Checking whether the question is clear enough to research.');
    await page.say(
      more(
        [
          { type: 'run/phase', phase: 'verify' },
          { type: 'tool/started', call: 'c1', name: 'searchArxiv', args: 'late chunking' },
          { type: 'thought', text: 'Understood: an overview.' },
          { type: 'run/phase', phase: 'plan' },
        ],
        bodies.length + 1,
      ),
    );
    assert.match(await page.text('beginning'), /Planning what to research\..*Understood: an overview\..*late chunking/);
  });

  test('an unsaved one says so and can be saved', async () => {
    const page = await panel(panelStates['finished-partial-unsaved']);
    assert.match(await page.text('report-path'), /Not saved/);
    assert.match(await page.text('partial'), /Parts of the research are missing/);
    await page.at('save-report').click();
    assert.equal((await postedOf(page, 'saveReport')).length, 1);
  });

  test('one that answers not everything is finished with gaps', async () => {
    const page = await panel([snapshot(viewOf(finished({ gaps: ['No figures of 2025.'] })))]);
    assert.match(await page.text('partial'), /Not everything could be answered/);
    assert.match(await page.text('status'), /Finished with gaps/);
  });

  const actions: readonly (readonly [string, string, PanelMessage])[] = [
    ['auth', 'set-key', { type: 'setKey', provider: 'openai' }],
    ['config', 'open-settings', { type: 'openSettings' }],
    ['bug', 'show-log', { type: 'showLog' }],
    ['network', 'resume', { type: 'resume' }],
    ['rateLimit', 'open-settings', { type: 'openSettings', key: 'limits.maxConcurrentResearchers' }],
    ['contentFilter', 'edit-question', { type: 'new' }],
    ['storage', 'rerun', { type: 'start', question: viewOf(researching).question, strategy: 'sections' }],
  ];
  for (const [reason, action, message] of actions) {
    test(`a run that failed for ${reason} says what happened and what to do, and keeps what it had found`, async () => {
      const page = await panel([snapshot(viewOf(ended('run/failed', reason, 'It broke.', 'Fix it.')), withModel)]);
      assert.deepEqual([await page.text('end-message'), await page.text('end-next')], ['It broke.', 'Fix it.']);
      assert.equal(await page.page.locator('.card .button.primary').count(), 1);
      assert.deepEqual([await page.count('resume'), await page.count('rerun')], [1, 1]);
      assert.equal(await page.count('section'), 5);
      assert.equal(await page.page.locator('.codicon-loading').count(), 0, 'nothing looks as if it were running');
      await page.at(action).click();
      assert.deepEqual((await page.posted()).at(-1), message);
    });
  }

  test('an interrupted or stopped run can be resumed, and rerun', async () => {
    for (const state of ['interrupted', 'cancelled'] as const) {
      const page = await panel(panelStates[state]);
      assert.equal(await page.text('end-next'), 'Resume where it left off. Completed model calls aren’t repeated.');
      await page.at('resume').click();
      assert.deepEqual((await page.posted()).at(-1), { type: 'resume' });
      assert.equal(await page.count('rerun'), 1);
    }
  });

  test('nothing moves while the run is paused', async () => {
    const page = await panel(panelStates['held']);
    assert.ok((await page.page.locator('.codicon-loading').count()) > 0);
    assert.equal(await page.page.evaluate(() => document.getAnimations().length), 0);
  });

  test('a run with something to write about can be finished now', async () => {
    const page = await panel(panelStates['research']);
    await page.at('finish').click();
    assert.deepEqual((await page.posted()).at(-1), { type: 'finish' });
    await page.at('finish').and(page.page.locator('[aria-disabled="true"]')).waitFor();
    assert.equal(await page.at('stop').isDisabled(), false);
  });

  test('a question can be edited, and is asked again as it was', async () => {
    const page = await panel([snapshot(viewOf(ended('run/failed', 'contentFilter', 'It broke.', 'Fix it.')))]);
    await page.at('edit-question').click();
    await page.say(snapshot(emptyView()));
    assert.match(await page.at('question').inputValue(), /^What are the main techniques/);
  });

  test('a run that a reload interrupted is shown with all it had found', async () => {
    const page = await panel(panelStates['interrupted']);
    assert.match(await page.text('end'), /interrupted.*window closed.*Resume where it left off/s);
    assert.match(await page.text('report'), /Hybrid retrieval/);
    assert.equal(await page.count('stop'), 0);
  });
});

describe('a hidden and shown panel', () => {
  test('is as it was left: the draft, what was opened, where one was', async () => {
    const idle = await panel(panelStates['idle']);
    await idle.at('question').fill('half a quest');
    await idle.reload();
    await idle.say(...(panelStates['idle'] ?? []));
    assert.equal(await idle.at('question').inputValue(), 'half a quest');

    const page = await panel(panelStates['finished'], { height: 400 });
    await page.at('sources-toggle').click();
    await page.page.evaluate(() => window.scrollTo(0, 500));
    await page.page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"top":500'));
    await page.reload();
    await page.say(...(panelStates['finished'] ?? []));
    assert.equal(await page.count('source'), 4);
    await page.page.waitForFunction(() => Math.round(window.scrollY) === 500);
  });

  test('remembers nothing of the run itself', async () => {
    const page = await panel(panelStates['finished']);
    await page.at('sources-toggle').click();
    const memory = JSON.stringify(await page.remembered());
    assert.ok(memory.length < 300, memory);
    assert.doesNotMatch(memory, /retrieval/i);
  });

  test('asks for a snapshot, and draws it as the run that it saw grow', async () => {
    const grown = await panel([snapshot(emptyView()), { type: 'events', events: events(researching) }]);
    const fresh = await panel([snapshot(viewOf(researching))]);
    const text = (page: PanelPage) => page.at('sections').innerText();
    assert.equal(await text(grown), await text(fresh));
  });
});
