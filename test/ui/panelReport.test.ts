// The report in the panel: streaming, citations, hostile text, following its end, what it costs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeHTMLStrict } from 'entities';
import type { EventBody } from '../../src/protocol/events.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import { type PanelPage } from '../support/panelHarness.ts';
import { more, postedOf, usePanelPages } from '../support/panelPages.ts';
import {
  asked,
  citations,
  events,
  finished,
  longReport,
  panelStates,
  reportText,
  snapshot,
  started,
  viewOf,
  writing,
} from '../support/panelStates.ts';

const panel = usePanelPages();

describe('the report', () => {
  const html = (page: PanelPage) =>
    page
      .at('report')
      .evaluate((report) => [...report.querySelectorAll('.block')].map((block) => block.outerHTML).join('\n'));

  test('that streams in stands there as one that came at once', async () => {
    const whole = await panel([
      snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text: reportText, citations }])),
    ]);
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
    await page.page.waitForFunction(
      (wanted) => [...document.querySelectorAll('.block')].map((block) => block.outerHTML).join('\n') === wanted,
      expected,
    );
  });

  test('is left to the tab that shows it, as long as that is open', async () => {
    const page = await panel([snapshot(viewOf(finished()))]);
    await page.say({ type: 'reading', isRead: true });
    assert.equal(await page.count('report'), 0);
    await page.at('read-elsewhere').getByRole('button').click();
    await page.waitForPosted('openPreview');
    await page.say({ type: 'reading', isRead: false });
    assert.equal(await page.count('report'), 1);
  });

  test('character references are decoded as the saved file’s reader decodes them', async () => {
    const text =
      'Caf&eacute; &amp;lt;b&amp;gt; &#x41;&#66; &NotSquareSubset; &lt;img src=x&gt; &copy 1 &nosuch; &#0; &#x110000;';
    const page = await panel([
      snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text: `# A\n\n${text}\n` }])),
    ]);
    assert.equal(await page.at('report').locator('p').first().innerText(), decodeHTMLStrict(text));
    assert.equal(await page.at('report').locator('img').count(), 0);
  });

  test('a delta that takes text back replaces it', async () => {
    const page = await panel([
      snapshot(
        viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text: '# A\n\nWrong words\n\n- x\n' }]),
      ),
    ]);
    await page.say(
      more(
        [
          { type: 'report/delta', offset: 5, text: 'Right words' },
          { type: 'run/phase', phase: 'report' },
        ],
        90,
      ),
    );
    assert.equal(await page.at('report').innerText(), 'A\n\nRight words');
  });

  test('markers of known sources are buttons that open them at the passage, in text, tables and lists; others stay text', async () => {
    const text =
      'One [1], a year [2024], none [9].\n\n| a [2] |\n|---|\n| b [3] |\n\n- c [4][1]\n\n`[1]` and [1](https://example.com)\n';
    const page = await panel([
      snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text, citations }])),
    ]);
    assert.deepEqual(await page.at('citation').allTextContents(), ['1', '2', '3', '4', '1']);
    assert.match(await page.text('report'), /a year \[2024\], none \[9\]/);
    await page.at('citation').nth(3).click();
    const cited = { type: 'openCited', copy: false, number: 4, block: '\nc \n\n', before: '\nc ' };
    assert.deepEqual((await postedOf(page, 'cited')).at(-1), { type: 'cited', run: 'r1', message: cited });
    const first = page.at('citation').first();
    assert.match((await first.getAttribute('aria-label')) ?? '', /^Open source 1: Retrieval/);
  });

  test('a marker that is pointed at or focused shows the passages and the verdict of its statement', async () => {
    const page = await panel(
      [
        snapshot(
          viewOf([
            ...writing.slice(0, -1),
            { type: 'report/delta', offset: 0, text: 'A lock has two gates [1].', citations },
          ]),
        ),
      ],
      { width: 170 },
    );
    await page.at('citation').focus();
    const { run, message } = (await page.waitForPosted('cited')) as { run: string; message: { id: number } };
    const { id, ...asked } = message;
    const place = { number: 1, block: '\nA lock has two gates \n.', before: '\nA lock has two gates ' };
    assert.deepEqual([run, asked], ['r1', { type: 'findEvidence', ...place }]);
    const passages = [{ before: 'Locks are old. ', marked: 'A lock has two gates', after: ' and a chamber.' }];
    const known = { title: 'Locks', facts: ['web'], passages, opens: 'page', hasCopy: true } as const;
    await page.say({ type: 'evidence', id, evidence: { verdict: 'supported', judged: 'well', ...known } });
    assert.equal(await page.text('verdict'), 'supported');
    await page.screenshot('panel-evidence');
    assert.deepEqual(await page.clipped(), []);
    assert.equal(await page.count('to-reference'), 0, 'there is no list of references here');
    const copied = await page.at('report').evaluate((report) => {
      const data = new DataTransfer();
      document.getSelection()!.selectAllChildren(report.firstElementChild!);
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
      return data.getData('text/plain').trim();
    });
    assert.equal(copied, 'A lock has two gates [1].');
    await page.at('open-copy').click();
    assert.deepEqual((await postedOf(page, 'cited')).at(-1)!.message, { type: 'openCited', copy: true, ...place });
    await page.at('citation').focus();
    await page.page.keyboard.press('Escape');
    assert.equal(await page.count('evidence'), 0);
  });

  test('addresses are opened as they are written', async () => {
    const text = 'See https://locks.example/a,b?x=%252F here.';
    const page = await panel([snapshot(viewOf([...writing.slice(0, -1), { type: 'report/delta', offset: 0, text }]))]);
    await page.at('report').locator('a').click();
    assert.deepEqual((await page.waitForPosted('cited')).message, {
      type: 'openPage',
      url: 'https://locks.example/a,b?x=%252F',
    });
  });

  test('a marker becomes a button as soon as its source is known', async () => {
    const page = await panel([
      snapshot(
        viewOf([
          ...writing.slice(0, -1),
          { type: 'report/delta', offset: 0, text: 'One [1]. Two [2].\n\n', citations: citations.slice(0, 1) },
        ]),
      ),
    ]);
    assert.equal(await page.count('citation'), 1);
    await page.say(
      more(
        [
          { type: 'report/delta', offset: 19, text: 'More.', citations: citations.slice(0, 2) },
          { type: 'run/phase', phase: 'report' },
        ],
        90,
      ),
    );
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
          {
            type: 'source/added',
            id: 'Sx',
            kind: 'web',
            title: '<img src=x onerror=window.pwned=15>',
            url: 'javascript:window.pwned=16',
          },
          {
            type: 'section/updated',
            id: 's1',
            title: '<b>x</b>',
            status: 'failed',
            attempt: 1,
            activity: hostile,
            sources: 1,
            error: hostile,
          },
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
        elements: document.querySelectorAll(
          '#app :is(img, script, svg, style, iframe, input, details, math, object, form, link)',
        ).length,
        attributes: inside
          .flatMap((element) => [...element.attributes].map((attribute) => attribute.name))
          .filter((name) => name.startsWith('on') || name === 'style' || name === 'src'),
        links: [...document.querySelectorAll('#app a')].map((link) => [
          link.getAttribute('href'),
          link.getAttribute('rel'),
          link.getAttribute('title'),
        ]),
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
    assert.deepEqual(
      requests.filter((url) => !url.includes('codicon.ttf')),
      [],
    );
    const text = (await page.page.locator('#app').textContent()) ?? '';
    assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u);
    assert.match(text, /<script>window\.pwned=2<\/script>/, 'it shows as text');
  });

  test('right-to-left text reads from the right, in lists and tables too', async () => {
    const page = await panel(panelStates['arabic']);
    const directions = await page
      .at('report')
      .locator('h1, p, ul')
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    assert.deepEqual([...new Set(directions)], ['rtl']);
  });

  test('is followed by who sees its end, and left alone by who reads above', async () => {
    const page = await panel([snapshot(viewOf(writing))], { height: 400 });
    const scroll = () =>
      page.page.evaluate(() => [
        Math.round(scrollY),
        document.documentElement.scrollHeight - innerHeight - Math.round(scrollY),
      ]);
    let offset = 900;
    let seq = 100;
    const grow = async () => {
      await page.say(
        more(
          [
            { type: 'report/delta', offset, text: `\n\nParagraph at ${offset} with some words to fill the line. ` },
            { type: 'run/phase', phase: 'report' },
          ],
          seq,
        ),
      );
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
  const top = await page
    .at('report')
    .locator('h1')
    .evaluate((title) => title.getBoundingClientRect().top);
  assert.ok(top > 0 && top < 200, `${top}`);
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
    t.diagnostic(
      `at once ${atOnce.total.toFixed(0)} ms of CPU, streamed ${streamed.total.toFixed(0)} ms; a drawing ${early.toFixed(1)} ms early, ${late.toFixed(1)} ms late`,
    );
    assert.ok(streamed.total < atOnce.total * 5);
    assert.ok(late < early * 2.5);
  });

  test('makes no more elements than it has, but for the block that grows', async () => {
    const page = await panel([snapshot(viewOf(before))]);
    await page.page.evaluate(() => {
      const made = new Set<Element>();
      Object.assign(window, { made });
      new MutationObserver((records) => {
        for (const record of records)
          for (const node of record.addedNodes)
            if (node instanceof Element) for (const element of [node, ...node.querySelectorAll('*')]) made.add(element);
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.stream(streaming(), 5);
    await page.page.waitForFunction(
      (length) => (document.querySelector('[data-testid="report"]')?.textContent?.length ?? 0) > length * 0.6,
      text.length,
    );
    const [made, there] = await page.page.evaluate(() => [
      (window as unknown as { made: Set<Element> }).made.size,
      document.querySelectorAll('[data-testid="report"] *').length,
    ]);
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
