// The browser finds what addresses with text fragments quote.
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { byDecision } from '../../src/files/evidence.ts';
import { withTextFragment } from '../../src/host/reports/textFragment.ts';
import { nearestGround } from '../../src/research/evidence/grounds.ts';
import { readHtml } from '../../src/sources/readers/htmlReader.ts';
import { launchBrowser } from '../support/browser.ts';

const quotes = {
  short: 'The well-known lock, built in 984 & rebuilt twice, is closed.',
  long: 'The “lower” gate closes first, then the valve – a cast-iron one – fills the chamber (8 m deep) within ten minutes, so that the boat rises.',
  'of two paragraphs': 'One gate opens to the upper reach.\n\nThe other one opens to the lower reach of the canal.',
  'in German':
    'Die Schiffshebewerke des Kanals überwinden an dieser Stelle einen Höhenunterschied von 36 Metern ohne Schleusentreppe.',
  'in Chinese':
    '船闸是通航建筑物，由闸室和闸门组成，水靠重力在闸室之间流动，船舶因此可以升降，这种方法在中国宋代已经使用。',
};

/** Blocks of a page that Markdown has marks for, with a statement that rests on each and the element that it is in. */
const blocks = {
  'an item': {
    html: '<ul><li>The mitre gate of the weir closes by its own weight.</li><li>Spare planks lie beside the weir</li></ul>',
    statement: 'Spare planks lie beside the weir.',
    element: 'li:last-child',
  },
  'a numbered item': {
    html: '<ol><li>Close the lower paddle</li><li>Open the upper paddle until both levels agree</li><li>Row out</li></ol>',
    statement: 'The upper paddle is opened until both levels agree.',
    element: 'ol li:nth-child(2)',
  },
  'an item in an item': {
    html: '<ul><li>Keepers<ul><li>A warden of the summit pound reads its gauge each dawn.</li></ul></li></ul>',
    statement: 'A warden reads the gauge of the summit pound each dawn.',
    element: 'li li',
  },
  'a row of a table': {
    html:
      '<table><tr><th>Staircase</th><th>Chambers</th><th>Country</th></tr><tr><td>Bingley Five-Rise</td><td>5</td>' +
      '<td>England</td></tr><tr><td>Neptune’s Ladder | Banavie</td><td>8</td><td>Scotland</td></tr></table>',
    statement: 'Neptune’s Ladder, at Banavie in Scotland, is a staircase.',
    element: 'tr:last-child',
  },
  'a heading': {
    html: '<h2>Inclined planes at Ronquières and Foxton</h2><p>Other words follow.</p>',
    statement: 'There are inclined planes at Ronquières and Foxton.',
    element: 'h2',
  },
  'a quotation': {
    html: '<blockquote><p>No navigator shall draw a sluice before sunrise.</p></blockquote>',
    statement: 'No navigator draws a sluice before sunrise.',
    element: 'blockquote',
  },
  'a listing': {
    html: '<pre>valve.open(upstream)\nvalve.equalise(chamber, tolerance)\nvalve.close(upstream)</pre>',
    statement: 'The code calls valve.equalise(chamber, tolerance).',
    element: 'pre',
  },
  'lines of one paragraph': {
    html: '<p>Tolls were levied per ton\nand mile by the<br>Bridgewater trustees until nationalisation.</p>',
    statement: 'Bridgewater trustees levied tolls per ton and mile until nationalisation.',
    element: 'p',
  },
};

const filling = '<p>Canals were dug by hand, and their water came from reservoirs in the hills around them.</p>';
const pageOfBlocks = `<!DOCTYPE html><title>Canals</title><main><article><h1>Canals</h1>${Object.values(blocks)
  .map(({ html }) => `${filling.repeat(3)}<section>${html}</section>`)
  .join('')}${filling.repeat(3)}</article></main><style>section { margin: 3000px 0 }</style>`;

describe('a text fragment', () => {
  let browser: Browser;
  const server = http.createServer((request, response) => {
    const paragraphs = Object.values(quotes).flatMap((quote) => quote.split('\n\n'));
    const body = paragraphs.map(
      (text) => `<p style="margin-top: 3000px">Before. ${text.replaceAll('&', '&amp;')} After.</p>`,
    );
    const page = request.url === '/blocks' ? pageOfBlocks : `<!DOCTYPE html>${body.join('')}`;
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  const addressOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  for (const [name, quote] of Object.entries(quotes))
    test(`leads to a quotation: ${name}`, async () => {
      const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
      await page.goto(withTextFragment(addressOf('/?a=%2C'), quote));
      await page.waitForFunction(() => scrollY > 0);
      const inSight = await page.evaluate(() =>
        [...document.querySelectorAll('p')].flatMap((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return bottom > 0 && top < innerHeight ? one.textContent : [];
        }),
      );
      assert.ok(
        inSight.some((text) => text.includes(quote.split('\n')[0]!)),
        inSight.join('\n'),
      );
      await page.close();
    });

  for (const [place, [name, { statement, element }]] of Object.entries(blocks).entries())
    test(`leads to what was read as Markdown: ${name}`, async () => {
      const address = addressOf('/blocks');
      const { text } = readHtml(pageOfBlocks, address);
      const source = { id: 'S00001', kind: 'web', identity: address, title: '', authors: [], facts: [], text };
      const ground = nearestGround({ ...source, retrievedAt: '', alreadyCited: false }, statement);
      const passages = ground!.passages.map((one) => ({ number: 1, text: one.text, isMarkdown: false }));
      const [{ words } = { words: '' }] = byDecision(passages, statement);
      const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
      await page.goto(withTextFragment(address, words));
      const shown = page.locator('section').nth(place).locator(element);
      await page.waitForFunction(() => scrollY > 0, undefined, { timeout: 5_000 }).catch(() => undefined);
      const { top, bottom } = await shown.evaluate((one) => one.getBoundingClientRect());
      assert.ok(top >= 0 && bottom <= 600, `${words}: ${page.url()}`);
      await page.close();
    });
});
