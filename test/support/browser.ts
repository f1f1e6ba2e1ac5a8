// The browser that scripts/bootstrap.mjs found or installed, and pictures of its pages.
import path from 'node:path';
import { type Browser, chromium, type Page, type PageScreenshotOptions } from 'playwright-core';
import { root } from './paths.ts';

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // MB. A tenth of what it takes to open the editor is collecting the garbage of its start.
  '--js-flags=--min-semi-space-size=32',
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: required('DEEP_RESEARCH_BROWSER'), args: browserArguments });
}

/** Saves out/screenshots/NAME.png. */
export async function savePicture(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  await page.screenshot({ ...options, path: path.join(root, 'out', 'screenshots', `${name}.png`) });
}

/** Whether pictures are saved of the states that tests pass through. */
export const picturesWanted = Boolean(process.env['DEEP_RESEARCH_SCREENSHOTS']);

export async function savePictureIfWanted(page: Page, name: string, options?: PageScreenshotOptions): Promise<void> {
  if (picturesWanted) await savePicture(page, name, options);
}

/** The value of a variable that scripts/test.mjs sets. */
export function required(variable: string): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(
      `${variable} is not set: run the tests with "npm test ui", which installs the editor and the browser.`,
    );
  return value;
}
