// The built panel in a real browser, with the test as its host: every state, every message, hostile text.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { EventBody } from '../../src/protocol/events.ts';
import type { HostMessage, PanelMessage } from '../../src/protocol/messages.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import { type PanelHarness, PanelPage, type PanelPageOptions, startPanelHarness, themeNames } from '../support/panelHarness.ts';
import { asked, citations, ended, events, finished, keyless, longReport, panelStates, planned, proposed, reportText, researching, sections, snapshot, started, viewOf, withModel, writing } from '../support/panelStates.ts';

let harness: PanelHarness;
const opened: PanelPage[] = [];

before(async () => {
  harness = await startPanelHarness();
});
after(() => harness?.stop());
afterEach(async () => {
  for (const page of opened.splice(0)) {
    assert.deepEqual(page.complaints, [], 'the browser complained');
    await page.close();
  }
});

/** A page that the host has told something. */
async function panel(messages: readonly HostMessage[] = [], options: PanelPageOptions = {}): Promise<PanelPage> {
  const page = await harness.open(options);
  opened.push(page);
  await page.say(...messages);
  return page;
}

async function postedOf<T extends PanelMessage['type']>(page: PanelPage, type: T): Promise<Extract<PanelMessage, { type: T }>[]> {
  return (await page.posted()).filter((message) => message.type === type) as Extract<PanelMessage, { type: T }>[];
}

const more = (bodies: readonly EventBody[], from: number): HostMessage => ({ type: 'events', events: events(bodies, 'r1', from) });

describe('every state', () => {
  for (const [name, messages] of Object.entries(panelStates)) {
    test(`${name}: nothing is cut off or sticks out at 170, 260, 420 and 900 px, and every control has a name`, async () => {
      const page = await panel(messages);
      for (const width of [170, 260, 420, 900]) {
        await page.page.setViewportSize({ width, height: 700 });
        assert.deepEqual(await page.clipped(), [], `at ${width} px`);
      }
      const nameless = await page.page.getByRole('button', { name: /^\s*$/ }).count();
      assert.equal(nameless, 0);
      assert.equal(await page.page.locator('[style]').count(), 1, 'no element but <html> has a style of its own');
    });
  }

  test('themes: text can be told from its ground in all of them', async () => {
    const page = await panel(panelStates['research']);
    for (const theme of themeNames) {
      await page.setTheme(theme);
      for (const testId of ['status', 'shown-question', 'model', 'elapsed']) {
        const contrast = await page.contrast(testId);
        assert.ok(contrast >= 4.5, `${testId} in ${theme}: ${contrast.toFixed(2)}`);
      }
    }
  });

  test('with reduced motion nothing moves', async () => {
    const page = await panel(panelStates['research'], { reducedMotion: true });
    assert.equal(await page.page.evaluate(() => document.getAnimations().length), 0);
  });

  test('with forced colours it still shows where the run is', async () => {
    const page = await panel(panelStates['research'], { forcedColors: true });
    const [done, next] = await page.page.evaluate(() => [...document.querySelectorAll('.stepper .done, .stepper .next')].map((step) => getComputedStyle(step).borderTopColor + getComputedStyle(step).borderTopStyle).filter((colour, i, all) => all.indexOf(colour) === i));
    assert.notEqual(done, next);
    assert.ok(next);
  });
});

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
    await page.say({ type: 'notice', level: 'error', message: 'A run is on.' });
    await page.at('dismiss-notice').click();
    assert.equal(await page.count('notice'), 0);
    await page.at('start').click();
    assert.equal((await postedOf(page, 'start')).length, 2);
  });

  test('Enter that ends a composition is no Enter', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('中文');
    await page.at('question').evaluate((box) => box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })));
    assert.equal((await postedOf(page, 'start')).length, 0);
  });

  test('an empty question gets a message that goes once something is typed', async () => {
    const page = await panel(panelStates['idle']);
    await page.page.keyboard.press('Enter');
    assert.equal(await page.text('question-problem'), 'Type a question first.');
    await page.page.keyboard.type('x');
    assert.equal(await page.text('question-problem'), '');
    assert.equal((await postedOf(page, 'start')).length, 0);
  });

  test('a question that is too long is told so with the limit, and kept', async () => {
    const page = await panel(panelStates['idle']);
    await page.at('question').fill('x'.repeat(200_000));
    await page.at('start').click();
    assert.match(await page.text('question-problem'), /200,000 characters; at most 20,000/);
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

  test('it says what goes where, and again when the settings change', async () => {
    const page = await panel(panelStates['idle']);
    assert.match(await page.text('setup-line'), /nothing is sent to a model/);
    await page.say({ type: 'setup', setup: withModel });
    assert.match(await page.text('setup-line'), /api\.openai\.com/);
  });

  test('what has to be mended first has its one action, and nothing starts before', async () => {
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
});

describe('clarification', () => {
  test('the question is rendered, the recommended option marked, and a click answers once', async () => {
    const page = await panel(panelStates['clarify']);
    assert.equal(await page.at('clarify-question').locator('strong').textContent(), 'building');
    assert.match((await page.at('option').first().textContent()) ?? '', /recommended/);
    await page.at('option').nth(1).click();
    await page.at('option').nth(0).click({ force: true });
    await page.at('just-start').click({ force: true });
    assert.deepEqual(await postedOf(page, 'answer'), [{ type: 'answer', id: 'q1', answer: 'Evaluation: metrics and benchmarks' }]);
  });

  test('the focus moves to the card; Tab reaches the options; a digit answers', async () => {
    const page = await panel([snapshot(viewOf([started()]))]);
    await page.page.locator('body').click();
    await page.say(more([asked], 2));
    assert.ok(await page.at('clarify').evaluate((card) => card === document.activeElement));
    await page.page.keyboard.press('Tab');
    assert.ok(await page.at('option').first().evaluate((option) => option === document.activeElement));
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
    await page.say(more([{ type: 'clarify/answered', id: 'q1', answer: 'A', skipped: false }, { ...asked, id: 'q2' } as EventBody], 4));
    assert.equal(await page.at('own-answer').inputValue(), '');
    assert.match(await page.text('answered'), /What you said1/);
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
    assert.ok(await page.at('plan-down').nth(1).evaluate((button) => button === document.activeElement), 'the focus stays on the moved section');
    await page.at('plan-remove').nth(3).click();
    await page.at('plan-add').click();
    await page.drawn();
    await page.page.keyboard.type('Licences\n');
    assert.deepEqual(await titles(page), ['Chunking and indexing strategies for long documents', 'Retrieval', 'Re-ranking and query rewriting', 'Cost, latency and operations in production systems with many tenants', 'Licences']);
    await page.at('approve-plan').dblclick();
    await page.at('approve-plan').click({ force: true });
    const [approved, again] = await postedOf(page, 'approvePlan');
    assert.deepEqual(approved?.sections.map((section) => section.id), ['s2', 's1', 's3', 's5', 'n1']);
    assert.equal(approved?.sections[1]?.description, sections[0]?.description);
    assert.equal(again, undefined);
  });

  test('can\'t be approved with a section that has no title', async () => {
    const page = await panel(panelStates['plan']);
    await page.at('plan-add').click();
    await page.at('approve-plan').click();
    assert.match(await page.text('plan-card'), /Give every section a title/);
    assert.equal((await postedOf(page, 'approvePlan')).length, 0);
    assert.ok(await page.at('plan-section-title').last().evaluate((box) => box === document.activeElement));
  });

  test('has an estimate, without calls and tokens when no model is asked', async () => {
    const page = await panel(panelStates['plan']);
    assert.equal((await page.text('plan-estimate')).trim(), 'About 64 model calls, 420K tokens, 6 minutes, and $0.84.');
    const free = await panel([snapshot(viewOf([started({ analyst: 'extractive', model: null }), { ...proposed, estimate: { calls: 0, tokens: 0, minutes: 0.4, cost: null } } as EventBody]))]);
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

test('the review\'s question names the thin sections and posts what was decided', async () => {
  const page = await panel(panelStates['review']);
  assert.match(await page.text('review-card'), /6 of 10.*Only overviews.*A single source/s);
  await page.at('review-report').click();
  await page.at('review-continue').click({ force: true });
  assert.deepEqual(await postedOf(page, 'decideReview'), [{ type: 'decideReview', decision: 'report' }]);
});

describe('a run at work', () => {
  test('shows its steps, its sections with what they do, and how many sources each has', async () => {
    const page = await panel(panelStates['research']);
    assert.deepEqual(await page.at('step').evaluateAll((all) => all.map((step) => (step as HTMLElement).dataset['state'])), ['done', 'done', 'current', 'next', 'next']);
    const rows = await page.at('section').allTextContents();
    assert.match(rows[0] ?? '', /Done: Retrieval.*7 sources/);
    assert.match(rows[1] ?? '', /Being researched: Chunking.*Reading “Late chunking/);
    assert.match(rows[2] ?? '', /sent back, try 2/);
    assert.match(rows[3] ?? '', /Failed: Evaluation.*no answer/);
    assert.match(rows[4] ?? '', /Not begun/);
    assert.match(await page.text('sections-toggle'), /1 of 5 done/);
  });

  test('a section opens to its description and thoughts, latest first', async () => {
    const page = await panel(panelStates['research']);
    const toggle = page.at('section-toggle').nth(1);
    await toggle.focus();
    await page.page.keyboard.press('Enter');
    await page.drawn();
    assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
    assert.match((await page.at('section').nth(1).textContent()) ?? '', /with figures from papers.*Two of them report.*Found three papers/s);
  });

  test('the clock ticks while it works and somebody looks, and stands when it waits', async () => {
    const page = await harness.open();
    opened.push(page);
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
    const usage: EventBody = { type: 'usage', model: 'm', role: 'r', phase: 'plan', tokens: { in: 900, out: 100, cached: 0 }, cost: null, estimated: true };
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

  test('screen readers are told each turn', async () => {
    const page = await panel([snapshot(viewOf(planned))]);
    const said = () => page.text('announcement');
    assert.match(await said(), /Plan/);
    await page.say(more([{ type: 'run/phase', phase: 'research' }], 20));
    assert.match(await said(), /Research/);
    await page.say(more([asked], 21));
    assert.match(await said(), /Waits for your answer/);
  });

  test('a new run takes the place of the old one', async () => {
    const page = await panel([snapshot(viewOf(finished()))]);
    await page.say({ type: 'events', events: events([started({ question: 'Another' })], 'r2') });
    assert.equal(await page.text('shown-question'), 'Another');
    assert.equal(await page.count('report'), 0);
    assert.equal(await page.count('section'), 0);
  });
});

describe('the report', () => {
  const html = (page: PanelPage) => page.at('report').evaluate((report) => [...report.querySelectorAll('.block')].map((block) => block.outerHTML).join('\n'));

  test('that streams in stands there as one that came at once', async () => {
    const whole = await panel([snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text: reportText, citations }]))]);
    const expected = await html(whole);
    const page = await panel([snapshot(viewOf(writing.slice(0, -1)))]);
    let seq = writing.length;
    let offset = 0;
    for (const length of [7, 31, 2, 90, 400, 13, 1, 60, 250, 5, 700, 9, 3000]) {
      const text = reportText.slice(offset, offset + length);
      await page.say(more([{ type: 'report/delta', offset, text, ...(offset === 0 ? { citations } : {}) }], seq));
      seq += 1;
      offset += text.length;
    }
    await page.waitForText('report', 'Retrieved 2026-11-22');
    await page.page.waitForFunction((wanted) => [...document.querySelectorAll('.block')].map((block) => block.outerHTML).join('\n') === wanted, expected);
  });

  test('a delta that takes text back replaces it', async () => {
    const page = await panel([snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text: '# A\n\nWrong words\n\n- x\n' }]))]);
    await page.say(more([{ type: 'report/delta', offset: 5, text: 'Right words' }, { type: 'run/phase', phase: 'report' }], 90));
    assert.equal(await page.at('report').innerText(), 'A\n\nRight words');
  });

  test('markers of known sources are buttons that open them, in text, tables and lists; others stay text', async () => {
    const text = 'One [1], a year [2024], none [9].\n\n| a [2] |\n|---|\n| b [3] |\n\n- c [4][1]\n\n`[1]` and [1](https://example.com)\n';
    const page = await panel([snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text, citations }]))]);
    assert.deepEqual(await page.at('citation').allTextContents(), ['1', '2', '3', '4', '1']);
    assert.match(await page.text('report'), /a year \[2024\], none \[9\]/);
    await page.at('citation').nth(3).click();
    assert.deepEqual(await postedOf(page, 'openSource'), [{ type: 'openSource', id: 'S90cde' }]);
    const first = page.at('citation').first();
    assert.match((await first.getAttribute('title')) ?? '', /Knowledge-Intensive NLP Tasks\narXiv · 2020-05-22\nhttps:\/\/arxiv\.org/);
    assert.match((await first.getAttribute('aria-label')) ?? '', /^Open source 1: Retrieval/);
  });

  test('a marker becomes a button as soon as its source is known', async () => {
    const page = await panel([snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text: 'One [1]. Two [2].\n\n', citations: citations.slice(0, 1) }]))]);
    assert.equal(await page.count('citation'), 1);
    await page.say(more([{ type: 'report/delta', offset: 19, text: 'More.', citations: citations.slice(0, 2) }, { type: 'run/phase', phase: 'report' }], 90));
    assert.deepEqual(await page.at('citation').allTextContents(), ['1', '2']);
  });

  test('hostile text shows as text and does nothing', async () => {
    const hostile = [
      '# <img src=x onerror="window.pwned=1">',
      '<script>window.pwned=2</script>',
      '<svg/onload=window.pwned=3>',
      '[a](javascript:window.pwned=4) [b](command:workbench.action.quit) [c](file:///etc/passwd) [d](vscode://x) [e](data:text/html,x) <javascript:window.pwned=5>',
      '[ok](https://example.com "t\\" onmouseover=window.pwned=6")',
      '![i](https://evil.example/pixel.png) ![j](data:image/png;base64,AAAA)',
      '<a href="https://evil.example" style="position:fixed;inset:0">click</a> <style>*{display:none}</style>',
      '<button class="button primary" data-testid="start">Start</button> <input autofocus onfocus=window.pwned=7>',
      '[1]: javascript:window.pwned=8\n\n[1]',
      'user\u202Egnp.exe and tags \u{E0041}\u{E0042}',
      '| <iframe src=//evil.example> |\n|---|\n| <details open ontoggle=window.pwned=9> |',
      '- <img src=x onerror=window.pwned=10>\n- [x](JaVaScRiPt:window.pwned=11)',
      '```html\n<img src=x onerror=window.pwned=12>\n```',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=13&gt;">',
    ].join('\n\n');
    const requests: string[] = [];
    const page = await panel();
    page.page.on('request', (request) => requests.push(request.url()));
    await page.say(
      snapshot(
        viewOf([
          started({ question: hostile, model: '<img src=x onerror=window.pwned=14>' }),
          { type: 'run/phase', phase: 'report' },
          { type: 'source/added', id: 'Sx', kind: 'web', title: '<img src=x onerror=window.pwned=15>', url: 'javascript:window.pwned=16' },
          { type: 'section/updated', id: 's1', title: '<b>x</b>', status: 'failed', attempt: 1, activity: hostile, sources: 1, error: hostile },
          { type: 'run/warning', code: 'c', message: hostile },
          { ...asked, question: hostile, why: hostile } as EventBody,
          { type: 'report/delta', offset: 0, text: hostile, citations: ['Sx'] },
        ]),
      ),
    );
    await page.waitForText('report', 'mglyph');
    const dangerous = await page.page.evaluate(() => {
      const inside = [...document.querySelectorAll<HTMLElement>('.markdown *')];
      return {
        elements: document.querySelectorAll('#app :is(img, script, svg, style, iframe, input, details, math, object, form, link)').length,
        attributes: inside.flatMap((element) => [...element.attributes].map((attribute) => attribute.name)).filter((name) => name.startsWith('on') || name === 'style' || name === 'src'),
        links: [...document.querySelectorAll('#app a')].map((link) => [link.getAttribute('href'), link.getAttribute('rel'), link.getAttribute('title')]),
        pwned: (window as unknown as { pwned?: number }).pwned,
      };
    });
    assert.equal(dangerous.elements, 0);
    assert.deepEqual(dangerous.attributes, []);
    assert.equal(dangerous.pwned, undefined);
    for (const [href, rel, title] of dangerous.links) {
      assert.match(href ?? '', /^https:\/\/(example\.com|evil\.example)$/);
      assert.deepEqual([rel, title], ['noopener noreferrer', href]);
    }
    assert.deepEqual(requests.filter((url) => !url.includes('codicon.ttf')), []);
    const text = (await page.page.locator('#app').textContent()) ?? '';
    assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u);
    assert.match(text, /<script>window\.pwned=2<\/script>/, 'it shows as text');
  });

  test('right-to-left text reads from the right, in lists and tables too', async () => {
    const page = await panel(panelStates['arabic']);
    const directions = await page.at('report').locator('h1, p, ul').evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    assert.deepEqual([...new Set(directions)], ['rtl']);
  });

  test('is followed by who sees its end, and left alone by who reads above', async () => {
    const page = await panel([snapshot(viewOf(writing))], { height: 400 });
    const scroll = () => page.page.evaluate(() => [Math.round(scrollY), document.documentElement.scrollHeight - innerHeight - Math.round(scrollY)]);
    let offset = 900;
    let seq = 100;
    const grow = async () => {
      await page.say(more([{ type: 'report/delta', offset, text: `\n\nParagraph at ${offset} with some words to fill the line. ` }, { type: 'run/phase', phase: 'report' }], seq));
      offset += 60;
      seq += 2;
    };
    await grow();
    assert.equal((await scroll())[0], 0, 'at the top it stays at the top');
    assert.equal(await page.count('to-end'), 1);
    await page.at('to-end').click();
    await page.page.waitForFunction(() => !document.querySelector('[data-testid="to-end"]'));
    await grow();
    await grow();
    assert.ok(((await scroll())[1] ?? 99) <= 1, 'at the end it follows');
    await page.page.mouse.move(100, 300);
    await page.page.mouse.wheel(0, -300);
    await page.at('to-end').waitFor();
    const [before] = await scroll();
    await grow();
    assert.equal((await scroll())[0], before, 'above it stays');
  });
});

test('a report that ran past its reader is shown from its beginning', async () => {
  const page = await panel([snapshot(viewOf([started(), { type: 'run/phase', phase: 'report' }]))], { height: 400 });
  await page.say(more([{ type: 'report/delta', offset: 0, text: reportText, citations }], 3));
  await page.page.waitForFunction(() => scrollY > 300);
  await page.say(more(finished().slice(-2), 4));
  await page.page.waitForFunction(() => scrollY < 300);
  const top = await page.at('report').locator('h1').evaluate((title) => title.getBoundingClientRect().top);
  assert.ok(top > 0 && top < 200, `${top}`);
});

describe('the end', () => {
  test('a report has its path and what one does with it', async () => {
    const page = await panel(panelStates['finished']);
    assert.match(await page.text('report-path'), /research\/2026-11-22-.*\.md/);
    assert.match(await page.text('checked'), /12 citations checked, 2 statements/);
    for (const id of ['open-report', 'open-preview', 'copy-report', 'new-question']) await page.at(id).click();
    assert.deepEqual((await page.posted()).slice(1), [{ type: 'openReport' }, { type: 'openPreview' }, { type: 'copy', text: reportText }, { type: 'new' }]);
    assert.equal(await page.at('question').inputValue(), '');
  });

  test('an unsaved one says so and can be saved', async () => {
    const page = await panel(panelStates['finished-partial-unsaved']);
    assert.match(await page.text('report-path'), /Not saved/);
    assert.match(await page.text('partial'), /Not everything/);
    await page.at('save-report').click();
    assert.equal((await postedOf(page, 'saveReport')).length, 1);
  });

  const actions: readonly (readonly [string, string, PanelMessage])[] = [
    ['auth', 'set-key', { type: 'setKey' }],
    ['config', 'open-settings', { type: 'openSettings' }],
    ['bug', 'show-log', { type: 'showLog' }],
    ['network', 'ask-again', { type: 'new' }],
  ];
  for (const [reason, action, message] of actions) {
    test(`a run that failed for ${reason} says what happened and what to do, and keeps what it had found`, async () => {
      const page = await panel([snapshot(viewOf(ended('run/failed', reason, 'It broke.', 'Mend it.')))]);
      assert.deepEqual([await page.text('end-message'), await page.text('end-next')], ['It broke.', 'Mend it.']);
      assert.equal(await page.page.locator('.card .button.primary').count(), 1);
      assert.equal(await page.count('section'), 5);
      assert.equal(await page.page.locator('.codicon-loading').count(), 0, 'nothing pretends to be at work');
      await page.at(action).click();
      assert.deepEqual((await page.posted()).at(-1), message);
    });
  }

  test('asking again puts the question back into the box', async () => {
    const page = await panel(panelStates['cancelled']);
    await page.at('ask-again').click();
    await page.say(snapshot(emptyView()));
    assert.match(await page.at('question').inputValue(), /^What are the main techniques/);
  });

  test('a run that a reload cut off is shown with all it had found', async () => {
    const page = await panel(panelStates['interrupted']);
    assert.match(await page.text('end'), /cut off.*reloaded.*Ask the question again/s);
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

describe('a report of 50 kB', () => {
  const { text, before, deltas, end } = longReport;
  const streaming = () => events([...deltas, ...end], 'r1', before.length + 1);
  const whole = snapshot(viewOf([...before, { type: 'report/delta', offset: 0, text, citations }, ...end]));

  test('costs little more when it streams in than when it comes at once, and late words no more than early ones', async (t) => {
    const once = await panel([snapshot(emptyView())]);
    const atOnce = await once.cpuOf(async () => {
      await once.say(whole);
      await once.waitForText('report', 'Section 95');
    });
    const page = await panel([snapshot(viewOf(before))]);
    const streamed = await page.cpuOf(() => page.stream(streaming(), 20));
    // What takes a millisecond or more is a drawing; the rest takes messages and ticks the clock.
    const drawings = streamed.tasks.filter((ms) => ms > 1);
    const quarter = Math.floor(drawings.length / 4);
    const early = median(drawings.slice(quarter, 2 * quarter));
    const late = median(drawings.slice(-quarter));
    t.diagnostic(`at once ${atOnce.total.toFixed(0)} ms of CPU, streamed ${streamed.total.toFixed(0)} ms; a drawing ${early.toFixed(1)} ms early, ${late.toFixed(1)} ms late`);
    assert.ok(streamed.total < atOnce.total * 5);
    assert.ok(late < early * 2.5);
  });

  test('makes no more elements than it has, but for the block that grows', async () => {
    const page = await panel([snapshot(viewOf(before))]);
    await page.page.evaluate(() => {
      const made = new Set<Element>();
      Object.assign(window, { made });
      new MutationObserver((records) => {
        for (const record of records) for (const node of record.addedNodes) if (node instanceof Element) for (const element of [node, ...node.querySelectorAll('*')]) made.add(element);
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.stream(streaming(), 5);
    await page.page.waitForFunction((length) => (document.querySelector('[data-testid="report"]')?.textContent?.length ?? 0) > length * 0.6, text.length);
    const [made, there] = await page.page.evaluate(() => [(window as unknown as { made: Set<Element> }).made.size, document.querySelectorAll('[data-testid="report"] *').length]);
    assert.ok((made ?? 0) < (there ?? 0) * 1.5, `${made} elements were made for ${there}`);
  });

  test('that comes at once is drawn over several frames', async () => {
    const page = await panel([snapshot(emptyView())]);
    await page.say(whole);
    const early = await page.at('report').locator('.block').count();
    await page.waitForText('report', 'Section 95');
    assert.ok(early > 0 && early < (await page.at('report').locator('.block').count()));
  });
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
