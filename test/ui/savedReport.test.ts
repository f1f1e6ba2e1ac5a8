// A saved report in a browser, as each of those shows it who know nothing of us.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { citedReport, exportedPage, renderers } from '../support/citedReport.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

const height = 120;

describe('the citations of a saved report, in a browser', () => {
  const folder = temporaryFolder('saved');
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 600, height } });
    page.setDefaultTimeout(10_000);
  });
  after(async () => {
    await browser?.close();
    removeFolder(folder);
  });

  const comesInSight = async (one: Locator): Promise<void> => {
    const element = await one.elementHandle();
    await page.waitForFunction((shown) => {
      const { top, bottom } = shown.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    }, element);
  };

  for (const [name, render] of Object.entries(renderers))
    it(
      `lead to their references and back in ${name}`,
      { skip: render === undefined && 'cmark-gfm is not installed' },
      async () => {
        const file = path.join(folder, `${name}.html`);
        fs.writeFileSync(file, `<!doctype html><meta charset="utf-8">${render!(citedReport)}`);
        await page.goto(pathToFileURL(file).href);
        const links = page.locator('a[href^="#ref-"]');
        assert.equal(await links.count(), 4);
        for (const link of await links.all()) {
          await link.click();
          const reference = page.locator('li', { has: page.locator(':target') }).or(page.locator('li:target'));
          assert.ok((await reference.innerText()).startsWith(await link.innerText()));
          await comesInSight(reference);
          await page.goBack();
          await comesInSight(link);
        }
        if (name !== exportedPage) return;
        for (const back of await page.locator('.reference .back').all()) {
          await back.click();
          const citation = page.locator(':target');
          assert.equal(
            await citation.getAttribute('href'),
            `#${await back.locator('xpath=ancestor::li').getAttribute('id')}`,
          );
          await comesInSight(citation);
        }
      },
    );
});
