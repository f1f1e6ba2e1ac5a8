// The page that shows a report in a tab, without an editor around it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReaderHostMessage, ShownEvidence, ShownReport } from '../../src/protocol/readerMessages.ts';
import { panelStrings } from '../../src/protocol/strings.ts';
import { type PanelPage, themeNames } from '../support/panelHarness.ts';
import { postedOf, usePanelPages } from '../support/panelPages.ts';

const openPage = usePanelPages();

const text = `# Locks of canals

A lock has two gates. [[1]](#ref-1) The first was built in 984 in China. [[2]](#ref-2) Water moves by gravity alone.

## How a boat is lifted

- The lower gate closes. [[1]](#ref-1)
- The valve fills the chamber. [[3]](#ref-3)

| Lock | Rise | Source |
| --- | --- | --- |
| Three Gorges | 113 m | [[3]](#ref-3) |

### In numbers

Filling takes 10 min. [[2]](#ref-2)

## References

- <a id="ref-1"></a>[1] Gates. [gates.md#L2-L3](../gates.md#L2-L3). Retrieved 2026-01-02
- <a id="ref-2"></a>[2] Qiao Weiyue. https://locks.example/a,b?x=%252F. Retrieved 2026-01-02
- <a id="ref-3"></a>[3] Dams. https://dams.example/. Retrieved 2026-01-02
`;
const facts = ['How do locks work?', 'Jan 2, 2026', 'quotes', '3 sources', '$0.12', '5 of 6 verified'];

const shown = (report: Partial<ShownReport> = {}): ReaderHostMessage => ({
  type: 'report',
  report: { origin: 'file:///a.md', text, facts, charts: ['34m', '113m', '3m'], writing: false, ...report },
  strings: panelStrings,
  locale: 'en',
});
const evidence: ShownEvidence = {
  verdict: 'supported',
  judged: 'well',
  title: 'Gates of locks',
  facts: ['web', 'locks.example', 'retrieved 2026-01-02', 'one voice'],
  passages: [{ before: 'Locks are old. ', marked: 'A lock has two gates', after: ' and a chamber.' }],
  opens: 'page',
  hasCopy: true,
};
const open = (report: Partial<ShownReport> = {}, options = {}) =>
  openPage([shown(report)], { bundle: 'reportPage', width: 900, height: 700, ...options });

/** Answers what the page asked last. */
async function answer(page: PanelPage, about: Partial<ShownEvidence> = {}): Promise<void> {
  await page.waitForPosted('findEvidence');
  const { id } = (await postedOf(page, 'findEvidence')).at(-1)!;
  await page.say({ type: 'evidence', id, evidence: { ...evidence, ...about } });
}

async function focused(page: PanelPage): Promise<string> {
  return page.page.evaluate(() => document.activeElement?.textContent ?? '');
}

describe('a report in a tab', () => {
  test('has its facts on one line, its headings as contents and its text', async () => {
    const page = await open();
    assert.equal(await page.text('facts'), facts.join(''));
    await page.at('contents').locator('summary').click();
    const headings = page.at('contents').getByRole('button');
    await headings.first().waitFor();
    assert.deepEqual(await headings.allTextContents(), ['How a boat is lifted', 'In numbers', 'References']);
    await headings.nth(2).click();
    assert.equal(await focused(page), 'References');
    assert.equal(await page.at('citation').count(), 9);
  });

  test('has its contents open where they are beside the text, until they are closed', async () => {
    const page = await open({}, { width: 1200 });
    const headings = page.at('contents').getByRole('button');
    await headings.first().waitFor();
    await page.page.setViewportSize({ width: 900, height: 700 });
    await headings.first().waitFor({ state: 'detached' });
    await page.page.setViewportSize({ width: 1200, height: 700 });
    await headings.first().waitFor();
    await page.at('contents').locator('summary').press('Enter');
    await headings.first().waitFor({ state: 'detached' });
  });

  test('grows while it is written, and becomes the saved one in place', async () => {
    const page = await open({ text: text.slice(0, 60), writing: true });
    await page.waitForText('report', 'The report is being written.');
    for (let at = 60; at < text.length; at += 50)
      await page.say({ type: 'delta', offset: at, text: text.slice(at, at + 50) });
    await page.waitForText('report', 'Dams.');
    const first = await page.at('report').locator('h1').elementHandle();
    await page.say(shown());
    await page.at('report').getByText('being written').waitFor({ state: 'detached' });
    assert.equal(await first.evaluate((heading) => heading.isConnected), true, 'nothing was drawn again');
  });

  test('is walked from citation to citation by keyboard, which shows what each rests on', async () => {
    const page = await open();
    await page.page.keyboard.press(']');
    await answer(page);
    assert.equal(await page.text('verdict'), 'supported');
    assert.equal(await page.at('evidence').locator('mark').textContent(), 'A lock has two gates');
    const [asked] = await postedOf(page, 'findEvidence');
    assert.equal(asked?.number, 1);
    assert.equal(asked.before.trim(), 'A lock has two gates.');
    assert.match(asked.block, /gravity alone\.\s*$/);
    await page.page.keyboard.press(']');
    await answer(page, { verdict: 'unverified: the budget was used up', judged: 'unverified' });
    assert.match(await page.text('verdict'), /^unverified/);
    await page.page.keyboard.press('[');
    await answer(page);
    await page.page.keyboard.press('Enter');
    const opened = await page.waitForPosted('openCited');
    assert.deepEqual([opened.number, opened.copy], [1, false]);
  });

  test('has what can be opened within reach of the keyboard', async () => {
    const page = await open();
    await page.page.keyboard.press(']');
    await answer(page);
    await page.page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Open page');
    await page.page.keyboard.press('Tab');
    await page.page.keyboard.press('Enter');
    assert.equal((await page.waitForPosted('openCited')).copy, true);
    await page.page.keyboard.press('Escape');
    assert.equal(await page.count('evidence'), 0);
    assert.equal(await focused(page), '1');
  });

  test('leads from a citation to its reference and back to where one came from', async () => {
    const page = await open({}, { height: 300 });
    const third = page.at('report').locator('[data-citation="3"]:not([data-target])').nth(1);
    await third.focus();
    await answer(page);
    await page.at('to-reference').click();
    assert.equal(
      await page.page.evaluate(() => (document.activeElement as HTMLElement).dataset['target']),
      'true',
      'the reference has the focus',
    );
    await page.page.keyboard.press('Enter');
    assert.equal(await third.evaluate((chip) => chip === document.activeElement), true);
  });

  test('goes to the citation that the tree of sources leads to, drawn yet or not', async () => {
    const page = await open({ text: `${text.split('## References')[0]}${'Long. '.repeat(2000)}` }, { height: 300 });
    const third = page.at('report').locator('[data-citation="3"]:not([data-target], .chart *)').nth(1);
    await page.say({ type: 'goTo', number: 3, nth: 1 });
    await third.and(page.page.locator(':focus')).waitFor();
    const { top, bottom } = await third.evaluate((chip) => chip.getBoundingClientRect());
    assert.ok(top >= 0 && bottom <= 300, `${top} to ${bottom}`);
    await page.say({ type: 'goTo', number: 2, nth: 2 });
    await page.say(shown({ text: text.replace('Filling', 'Once filled. [[2]](#ref-2) Filling') }));
    await page.at('report').locator('[data-citation="2"]').nth(2).and(page.page.locator(':focus')).waitFor();
  });

  test('shows it under the pointer, and hides it when the pointer has left', async () => {
    const page = await open();
    await page.at('citation').first().hover();
    await answer(page, { passages: [], verdict: '', judged: 'not' });
    await page.waitForText('evidence', 'No passage is known');
    await page.at('report').locator('h1').hover();
    await page.at('evidence').waitFor({ state: 'detached' });
  });

  test('has a chart of the figures of a table, whose bars lead to what their row cites', async () => {
    const rows = ['Iron Gates | 34 m [[1]](#ref-1)', 'Three Gorges | 113 m [[3]](#ref-3)', 'Neath | 3 m [[1]](#ref-1)'];
    const table = `| Lock | Rise |\n|---|---:|\n${rows.map((row) => `| ${row} |`).join('\n')}\n\n`;
    const page = await open({ text: text.replace('| Lock | Rise | Source |', `${table}| Lock | Rise | Source |`) });
    const chart = page.at('report').locator('svg');
    assert.equal(await chart.count(), 1);
    assert.deepEqual(await chart.locator('.figure').allTextContents(), ['34 m', '113 m', '3 m']);
    await chart.locator('a').nth(2).focus();
    await answer(page);
    const asked = (await postedOf(page, 'findEvidence')).at(-1)!;
    assert.equal(asked.number, 1);
    assert.match(asked.before, /Neath\|3 m\s*$/);
    assert.doesNotMatch(
      asked.block.slice(asked.before.length),
      /Iron Gates/,
      'the words of the chart are none of the table',
    );
    await page.screenshot('reader-chart');
    await page.say(shown({ charts: ['34m', '113m'], text: `${table}More.` }));
    await page.waitForText('report', 'More.');
    assert.equal(await chart.count(), 0);
  });

  test('opens addresses as they are written', async () => {
    const page = await open();
    await page.at('report').locator('a[href*="locks.example"]').click();
    assert.equal((await page.waitForPosted('openPage')).url, 'https://locks.example/a,b?x=%252F');
  });

  test('a statement can be challenged from its card, and the report asked below its text', async () => {
    const page = await open();
    await page.at('citation').first().focus();
    await answer(page);
    assert.equal(await page.count('challenge'), 0, 'nothing was judged here');
    await page.at('citation').nth(1).focus();
    await answer(page, { statement: 'The first was built in 984 in China.' });
    await page.at('challenge').click();
    const challenged = { type: 'challenge', statement: 'The first was built in 984 in China.' };
    assert.deepEqual(await page.waitForPosted('challenge'), challenged);
    await page.at('ask-about').fill(' How [deep] are they? ');
    await page.screenshot('reader-ask');
    await page.at('ask-about').press('Enter');
    assert.deepEqual(await page.waitForPosted('ask'), { type: 'ask', question: 'How [deep] are they?' });
    await page.say(shown({ writing: true }));
    assert.equal(await page.count('ask-about'), 0);
  });

  test('has a half-typed question back when its tab is shown again, and none with which a run has begun', async () => {
    const page = await open();
    const reloaded = async () => {
      await page.reload();
      await page.say(shown());
      return page.at('ask-about').inputValue();
    };
    await page.at('ask-about').fill('How deep');
    assert.equal(await reloaded(), 'How deep');
    await page.at('ask-about').press('Enter');
    await page.waitForPosted('ask');
    await page.say({ type: 'asked', isTaken: false });
    assert.equal(await page.at('ask-about').inputValue(), 'How deep');
    assert.equal(await reloaded(), 'How deep');
    await page.at('ask-about').press('Enter');
    await page.waitForPosted('ask');
    await page.say({ type: 'asked', isTaken: true });
    await page.page.locator('[data-testid="ask-about"]:placeholder-shown').waitFor();
    assert.equal(await reloaded(), '');
  });

  test('is where it was read when its tab is shown again, though what is above was not in sight since', async () => {
    // Parts of very different heights.
    const paragraphs = Array.from(
      { length: 200 },
      (_, at) => `Paragraph ${at}. ${'Water lifts. '.repeat(at < 100 ? 1 : 60)}`,
    );
    const long = { text: `# Locks\n\n${paragraphs.join('\n\n')}\n` };
    const page = await open(long);
    const topOf = () =>
      page.page.getByText(/^Paragraph 150\./).evaluate((element) => Math.round(element.getBoundingClientRect().top));
    await page.page.getByText(/^Paragraph 199\./).waitFor({ state: 'attached' });
    await page.page.getByText(/^Paragraph 150\./).evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await page.page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"at"'));
    const top = await topOf();
    await page.reload();
    await page.say(shown(long));
    await page.page.waitForFunction(() => scrollY > 0);
    assert.equal(await topOf(), top);
  });

  test('keeps what is typed while the question before it is taken', async () => {
    const page = await open();
    await page.at('ask-about').fill('How deep?');
    await page.at('ask-about').press('Enter');
    await page.waitForPosted('ask');
    await page.at('ask-about').fill('How old?');
    await page.say({ type: 'asked', isTaken: true });
    await page.say(shown({ facts: ['Drawn again'] }));
    await page.waitForText('facts', 'Drawn again');
    assert.equal(await page.at('ask-about').inputValue(), 'How old?');
  });

  test('can be challenged from a selection, by pointer and by keyboard, without the numbers of its citations', async () => {
    const page = await open();
    const select = (selector: string) =>
      page.page.evaluate((wanted) => {
        document.getSelection()!.selectAllChildren(document.querySelector(wanted)!);
      }, selector);
    const first = 'A lock has two gates. The first was built in 984 in China. Water moves by gravity alone.';
    await select('.report p');
    await page.at('challenge-selection').waitFor();
    await page.screenshot('reader-challenge-selection');
    await page.page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Challenge');
    await page.page.keyboard.press('Enter');
    assert.deepEqual(await page.waitForPosted('challenge'), { type: 'challenge', statement: first });
    await select('.report h2');
    await page.at('challenge-selection').click();
    await page.page.waitForFunction(() => document.getSelection()!.toString() === 'How a boat is lifted');
    const posted = await postedOf(page, 'challenge');
    assert.deepEqual(posted.at(-1), { type: 'challenge', statement: 'How a boat is lifted' });
    await page.page.keyboard.press('Escape');
    assert.equal(await page.count('challenge-selection'), 0);
    await select('.facts');
    await page.waitForText('facts', facts[0]!);
    assert.equal(await page.count('challenge-selection'), 0, 'it is no part of the report');
  });

  test('is copied with the links of its sources', async () => {
    const page = await open();
    const copied = await page.page.evaluate(() => {
      const data = new DataTransfer();
      document.getSelection()!.selectAllChildren(document.querySelector('.report .block:nth-child(2)')!);
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
      return { html: data.getData('text/html'), text: data.getData('text/plain') };
    });
    assert.match(copied.html, /in China\. <a href="https:\/\/locks\.example\/a,b\?x=%252F">\[2\]<\/a>/);
    assert.match(copied.html, /two gates\. <a href="file:\/\/\/gates\.md#L2-L3">\[1\]<\/a>/);
    assert.equal(
      copied.text.trim(),
      'A lock has two gates. [1] The first was built in 984 in China. [2] Water moves by gravity alone.',
    );
    assert.doesNotMatch(copied.html, /class=|<button/);
  });

  test('shows hostile text as text', async () => {
    const hostile = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](https://evil.example/b.png) \u202Eabc';
    const page = await open({ text: `# A\n\n${hostile} [[1]](#ref-1)\n\n${text}`, facts: [hostile] });
    await page.at('citation').first().focus();
    const quoted = [{ before: hostile, marked: hostile, after: hostile }];
    await answer(page, { title: hostile, facts: [hostile], verdict: hostile, passages: quoted });
    assert.equal(await page.page.locator('#app img, #app a[href^="javascript"]').count(), 0);
    assert.ok(!(await page.page.locator('#app').innerText()).includes('\u202E'));
  });

  test('has 300 citations, Chinese and German text, and each finds its own statement', async () => {
    const sentences = Array.from({ length: 300 }, (_, index) =>
      index % 2 === 0
        ? `船闸有${index}道闸门，水靠重力流动。[[${index + 1}]](#ref-${index + 1})`
        : `Die Schleuse Nr. ${index} hebt Schiffe über ${index} m. [[${index + 1}]](#ref-${index + 1}) `,
    );
    const paragraphs = Array.from({ length: 30 }, (_, index) => sentences.slice(index * 10, index * 10 + 10).join(''));
    const page = await open({ text: `# Schleusen 船闸\n\n${paragraphs.join('\n\n')}\n` });
    await page.page.waitForFunction(() => document.querySelectorAll('[data-citation]').length === 300);
    await page.at('citation').nth(254).focus();
    await answer(page);
    const asked = (await postedOf(page, 'findEvidence')).at(-1)!;
    assert.equal(asked.number, 255);
    assert.match(asked.before, /船闸有254道闸门，水靠重力流动。$/);
    await page.page.keyboard.press(']');
    await answer(page);
    assert.match((await postedOf(page, 'findEvidence')).at(-1)!.before, /hebt Schiffe über 255 m\.\s*$/);
  });

  for (const theme of themeNames)
    for (const width of [300, 1200])
      test(`is whole in ${theme} at ${width} px`, async () => {
        const page = await open({}, { theme, width });
        await page.at('citation').nth(1).focus();
        await answer(page, { judged: 'unverified', verdict: 'unverified: the budget was used up' });
        await page.at('evidence').waitFor();
        await page.screenshot(`reader-${theme}-${width}`);
        assert.deepEqual(await page.clipped(), []);
        assert.deepEqual(await page.barriers(), []);
      });
});
