// The browser finds what addresses with text fragments quote.
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { withTextFragment } from '../../src/host/reports/textFragment.ts';
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

describe('a text fragment', () => {
  let browser: Browser;
  const server = http.createServer((_request, response) => {
    const paragraphs = Object.values(quotes).flatMap((quote) => quote.split('\n\n'));
    const body = paragraphs.map(
      (text) => `<p style="margin-top: 3000px">Before. ${text.replaceAll('&', '&amp;')} After.</p>`,
    );
    response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!DOCTYPE html>${body.join('')}`);
  });
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
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?a=%2C`;
      await page.goto(withTextFragment(address, quote));
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
});
