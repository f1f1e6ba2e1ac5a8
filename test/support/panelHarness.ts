// The panel as it was last built, in a real browser, without an editor around it: the host's own page with its policy, the
// colours that an editor's theme gives, and a host that is played by the test.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { panelHtml } from '../../src/host/panel/panelHtml.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import type { HostMessage, PanelMessage } from '../../src/protocol/messages.ts';
import type { ReaderHostMessage, ReaderMessage } from '../../src/protocol/readerMessages.ts';
import themeFile from '../fixtures/themes.json' with { type: 'json' };
import { launchBrowser, savePictureIfWanted } from './browser.ts';
import { root } from './paths.ts';
import { neverIdle } from './neverIdle.ts';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { themes } = themeFile;
export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

const files: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** What axe finds that keeps people from using a page: rule, element and reason. */
export async function barriersOf(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(`${axe}; axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

export interface PanelHarness {
  open(options?: PanelPageOptions): Promise<PanelPage>;
  stop(): Promise<void>;
}

type PagePost = PanelMessage | ReaderMessage;

export interface PanelPageOptions {
  /** The page: the panel, or the tab that shows a report. */
  readonly bundle?: 'panel' | 'reportPage';
  readonly width?: number;
  readonly height?: number;
  readonly theme?: Theme;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** The font of the icons loads when this resolves. */
  readonly iconsAfter?: Promise<void>;
  /** Not one that another test used, nor one for the next: the test changes what a load does not bring back, such as the clock. */
  readonly ownPage?: boolean;
}

export async function startPanelHarness(): Promise<PanelHarness> {
  const server = http.createServer(neverIdle, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://panel');
    const bundle = searchParams.get('bundle') ?? 'panel';
    if (pathname === '/') return void response.setHeader('content-type', 'text/html').end(html(bundle));
    const file = path.join(root, 'dist', path.normalize(pathname));
    const type = files[path.extname(file)];
    if (!type || !fs.existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('content-type', type).end(fs.readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launchBrowser();
  /** Pages that were closed: another one takes twice the processor time of loading one again. */
  const idle: PanelPage[] = [];
  return {
    async open(options = {}) {
      const { iconsAfter, ownPage = iconsAfter !== undefined } = options;
      const opened = (ownPage ? undefined : idle.pop()) ?? new PanelPage(await browser.newPage(), ownPage ? [] : idle);
      const { page } = opened;
      await page.setViewportSize({ width: options.width ?? 420, height: options.height ?? 800 });
      await page.emulateMedia({
        reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
        forcedColors: options.forcedColors ? 'active' : 'none',
      });
      if (iconsAfter) await page.route('**/*.ttf*', (route) => iconsAfter.then(() => route.continue()));
      await opened.load(`${origin}/?bundle=${options.bundle ?? 'panel'}`, options.theme ?? 'dark');
      return opened;
    },
    async stop() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function html(bundle: string): string {
    const nonce = randomBytes(16).toString('base64');
    return panelHtml({
      cspSource: origin,
      script: `/${bundle}.js`,
      styles: ['/codicons/codicon.css', `/${bundle}.css`],
      nonce,
      language: 'en',
      title: 'Deep Research',
    });
  }
}

/** One page of the panel, and what its user and its host do. */
export class PanelPage {
  readonly page: Page;
  /** What the browser complained about: refused by the policy, thrown, logged as an error. */
  readonly complaints: string[] = [];
  readonly #idle: PanelPage[];
  #isPrepared = false;

  /** @param idle takes the page when it is closed */
  constructor(page: Page, idle: PanelPage[]) {
    this.page = page;
    this.#idle = idle;
    // Ends a test that hangs.
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) this.complaints.push(message.text());
    });
  }

  async load(address: string, theme: Theme): Promise<void> {
    if (!this.#isPrepared) await this.page.addInitScript(playEditor);
    this.#isPrepared = true;
    await this.page.goto(address);
    await this.setTheme(theme);
    await this.waitForPosted('ready');
  }

  /** The webview is torn down and built again, as when its view is hidden and shown. */
  async reload(): Promise<void> {
    const theme = await this.page.evaluate(() => document.body.dataset['theme']);
    await this.page.reload();
    await this.setTheme(theme as Theme);
    await this.waitForPosted('ready');
  }

  async setTheme(theme: Theme): Promise<void> {
    const { variables, bodyClass } = themes[theme];
    await this.page.evaluate(
      ({ theme, variables, bodyClass }) => {
        const { style } = document.documentElement;
        for (const name of [...style]) style.removeProperty(name);
        for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
        document.body.className = bodyClass;
        document.body.dataset['theme'] = theme;
        const sheet = new CSSStyleSheet();
        // What the editor's own sheet gives every webview, and the side bar that shines through.
        sheet.replaceSync(`@layer editor {
          body { margin: 0; padding: 0 20px; font: var(--vscode-font-weight) var(--vscode-font-size) var(--vscode-font-family); background: var(--vscode-sideBar-background); }
          a, a code { color: var(--vscode-textLink-foreground); }
          a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
          code { color: var(--vscode-textPreformat-foreground); background: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
          ::-webkit-scrollbar { width: 10px; height: 10px; }
          ::-webkit-scrollbar-thumb { background: var(--vscode-scrollbarSlider-background); }
        }`);
        document.adoptedStyleSheets = [sheet];
      },
      { theme, variables: variables, bodyClass },
    );
  }

  /** The host speaks; resolves once the panel has drawn it. */
  async say(...messages: readonly (HostMessage | ReaderHostMessage)[]): Promise<void> {
    await this.page.evaluate(
      (all) => {
        for (const message of all) window.postMessage(message, '*');
      },
      messages as (HostMessage | ReaderHostMessage)[],
    );
    await this.drawn();
  }

  /** Resolves when what has happened so far is drawn. */
  async drawn(): Promise<void> {
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    });
  }

  /** How many there are of an element. */
  async count(testId: string): Promise<number> {
    await this.drawn();
    return this.at(testId).count();
  }

  /** The text of an element. */
  async text(testId: string): Promise<string> {
    await this.drawn();
    return (await this.at(testId).textContent()) ?? '';
  }

  async posted(): Promise<PagePost[]> {
    return this.page.evaluate(() => (window as unknown as EditorWindow).posted as PagePost[]);
  }

  async waitForPosted<T extends PagePost['type']>(type: T): Promise<Extract<PagePost, { type: T }>> {
    const found = await this.page.waitForFunction(
      (wanted) => (window as unknown as EditorWindow).posted.find((message) => (message as PagePost).type === wanted),
      type,
    );
    return (await found.jsonValue()) as Extract<PagePost, { type: T }>;
  }

  /** What the webview remembers across reloads. */
  async remembered(): Promise<unknown> {
    return this.page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? '{}') as unknown);
  }

  async waitForText(testId: string, text: string): Promise<void> {
    await this.at(testId).filter({ hasText: text }).waitFor();
  }

  /** The host posts one event each `gapMs`; resolves when the panel has had time to draw the last. */
  async stream(all: readonly ResearchEvent[], gapMs: number): Promise<void> {
    await this.page.evaluate(
      async ({ all, gapMs }) => {
        for (const event of all) {
          window.postMessage({ type: 'events', events: [event] }, '*');
          await new Promise((resolve) => setTimeout(resolve, gapMs));
        }
        for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
      },
      { all: all as ResearchEvent[], gapMs },
    );
  }

  /** What an action costs the page's main thread, in milliseconds of CPU: all, and each task in order. */
  async cpuOf(action: () => Promise<void>): Promise<{ readonly total: number; readonly tasks: readonly number[] }> {
    const browser = this.page.context().browser();
    if (!browser) throw new Error('The page has no browser.');
    await browser.startTracing(this.page, {
      categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    });
    await action();
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const calls = traceEvents.find((event) => event.name === 'FireAnimationFrame');
    const tasks = traceEvents
      .filter((event) => event.name === 'RunTask' && event.pid === calls?.pid && event.tid === calls.tid)
      .sort((a, b) => a.ts - b.ts)
      .map((event) => (event.tdur ?? 0) / 1000);
    if (tasks.length === 0) throw new Error('The browser recorded no task.');
    return { total: tasks.reduce((sum, ms) => sum + ms, 0), tasks };
  }

  /** Contrast of an element's text with the page's ground (WCAG 2.2, 1.4.3). */
  async contrast(testId: string): Promise<number> {
    return this.at(testId)
      .first()
      .evaluate((element) => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const luminance = (colour: string) => {
          if (!canvas) throw new Error('No canvas.');
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
            const part = byte / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = luminance(getComputedStyle(document.body).backgroundColor);
        const text = luminance(getComputedStyle(element).color);
        return (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05);
      });
  }

  at(testId: string) {
    return this.page.getByTestId(testId);
  }

  /** See {@link barriersOf}. */
  async barriers(): Promise<string[]> {
    return barriersOf(this.page);
  }

  /** Elements that stick out of the page, whose text is cut without a sign of it, or whose words are broken for want of room. */
  async clipped(): Promise<string[]> {
    return this.page.evaluate(() => {
      // A square that turns is wider than it is at rest.
      for (const animation of document.getAnimations()) {
        animation.pause();
        animation.currentTime = 0;
      }
      const shown = [...document.querySelectorAll<HTMLElement>('#app *')].filter(
        (element) =>
          element.checkVisibility() && getComputedStyle(element).clipPath === 'none' && !element.closest('.table, pre'),
      );
      const sticksOut = shown.filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.right > document.documentElement.clientWidth + 0.5 || box.left < -0.5);
      });
      const cut = shown.filter((element) => {
        const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
        return (
          overflowX === 'hidden' &&
          element.scrollWidth > element.clientWidth + 1 &&
          textOverflow !== 'ellipsis' &&
          webkitLineClamp === 'none'
        );
      });
      // Only the panel's own words: an untrusted path or id is broken rather than clipped.
      const words = shown.flatMap((element) =>
        element.matches('.status, .meter, .button, h2')
          ? [...element.childNodes, ...element.querySelectorAll('span')]
          : [],
      );
      const broken = words.flatMap((holder) => {
        const text = [holder, ...holder.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
        return [...(text?.textContent ?? '').matchAll(/\p{L}+/gu)].filter(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text!, index);
          range.setEnd(text!, index + word.length);
          return range.getClientRects().length > 1;
        });
      });
      const wide =
        document.documentElement.scrollWidth > document.documentElement.clientWidth
          ? ['the page scrolls sideways']
          : [];
      return [
        ...wide,
        ...broken.map(([word]) => `broken: ${word}`),
        ...[...sticksOut, ...cut].map(
          (element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`,
        ),
      ];
    });
  }

  /** Saves out/screenshots/NAME.png when pictures are wanted; `whole` takes all that scrolls. */
  async screenshot(name: string, whole = false): Promise<void> {
    await savePictureIfWanted(this.page, name, { fullPage: whole });
  }

  /** Leaves nothing of what the test did for the next one. */
  async close(): Promise<void> {
    await this.page.mouse.move(0, 0);
    await this.page.evaluate(() => sessionStorage.clear());
    await this.page.goto('about:blank');
    this.complaints.length = 0;
    this.#idle.push(this);
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  /** Microseconds of CPU. */
  readonly tdur?: number;
}

interface EditorWindow {
  posted: unknown[];
}

/** Runs in the page before the panel's script: what the editor puts there. */
function playEditor(): void {
  const posted: unknown[] = [];
  let taken = false;
  Object.assign(window, {
    posted,
    acquireVsCodeApi() {
      if (taken) throw new Error('An instance of the VS Code API has already been acquired');
      taken = true;
      return {
        postMessage: (message: unknown) => posted.push(structuredClone(message)),
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
        setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
      };
    },
  });
}
