// The real editor in a real browser, as scripts/bootstrap.mjs installed them: one server with one data folder, and pages on it.
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { type EditorServer, startEditorServer } from '../../scripts/editorServer.ts';
import { launchBrowser, picturesWanted, required, savePictureIfWanted } from './browser.ts';
import { removeFolder, root, temporaryFolder } from './paths.ts';

export interface EditorOptions {
  /** Absolute path of the folder (or .code-workspace file) to open; null for an empty window. */
  readonly workspace: string | null;
  /** Folder of VS Code's server. Default: the one that was installed for the tests. */
  readonly server?: string;
  /** The binary of Node that runs it. Default: ours. */
  readonly node?: string;
  /** Default: this repository, so the extension as it was last built. */
  readonly extensionPath?: string;
  /** Default false: loaded for development. True: installed, as at a user's; the editor restarts an extension host that dies then. */
  readonly installed?: boolean;
  /** Absolute paths of further extensions, which are installed. */
  readonly beside?: readonly string[];
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** Settings of machine scope (addresses), which a remote window takes from its own file. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Added to the extension host's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default false: all folders are trusted. True: an untrusted folder opens in Restricted Mode. */
  readonly workspaceTrust?: boolean;
  /** A module whose run() the extension host calls as soon as a page is open. */
  readonly testsPath?: string;
}

export interface PageOptions {
  /** Default: the editor's. */
  readonly workspace?: string | null;
  /** Default 1280 × 800. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Called before the page loads, to expose functions or to route requests. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Default: until the extension's icon stands in the activity bar. */
  readonly until?: 'extension' | 'workbench' | 'load';
}

export interface Editor {
  /** Address of the page with the workspace open and the extension loaded. */
  readonly url: string;
  /** Process id of the server. */
  readonly pid: number;
  readonly dataDir: string;
  /** The folder of the saved runs, whose names begin with the date and time. */
  readonly runs: string;
  /** The same of the command line. */
  readonly outsideRuns: string;
  /** `kill -9` of the one extension host there is. Resolves when the process is dead. */
  killExtensionHost(): Promise<void>;
  /** What the server has printed so far. */
  output(): string;
  openPage(options?: PageOptions): Promise<EditorPage>;
  /** Replaces the user's settings. Pages read them when they load: open or reload one afterwards. */
  setUserSettings(settings: Readonly<Record<string, unknown>>): void;
  /** Closes the browser, ends the server, removes its data. */
  stop(): Promise<void>;
}

/**
 * The built-in extensions that a test meets. The others, languages for the most part, cost a third of what it takes to open
 * a window; `start.exhaustive.test.ts` has them all.
 */
const builtinExtensions = [
  ...['configuration-editing', 'git', 'git-base', 'github-authentication', 'json', 'theme-defaults', 'theme-seti'],
  ...['markdown-basics', 'markdown-language-features', 'markdown-math', 'mermaid-markdown-features'],
];

/** Without these the editor greets, nags, opens panels that stand in a test's way, or draws what no test looks at. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.commandCenter': false,
  'chat.commandCenter.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'files.simpleDialog.enable': true,
  // Every two seconds the open files of every process of the machine would be listed, for ports.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  'editor.accessibilitySupport': 'off',
  'workbench.reduceMotion': 'on',
  // Then the panel shows the report, where most tests look for it.
  'deepResearch.report.openAs': 'text',
} as const;

/** The editor's own AI features, which an extension that offers models needs: a process and a tenth of a window's start. */
const withoutAI = { 'chat.disableAIFeatures': true } as const;

const colorThemes = {
  light: { label: 'Light Modern', className: 'vs' },
  dark: { label: 'Dark Modern', className: 'vs-dark' },
  'high-contrast': { label: 'Dark High Contrast', className: 'hc-black' },
  'high-contrast-light': { label: 'Light High Contrast', className: 'hc-light' },
} as const;
export type ColorTheme = keyof typeof colorThemes;

/** Ends a test that hangs: starting an editor on a busy machine is the slowest wait. Nothing here sleeps. */
const patience = 180_000;

export async function startEditor(options: EditorOptions): Promise<Editor> {
  const serverFolder = options.server ?? required('DEEP_RESEARCH_EDITOR');
  const dataDir = temporaryFolder('editor');
  const { workspace, extensionPath = root, testsPath } = options;
  const settingsFile = path.join(dataDir, 'data', 'User', 'settings.json');
  const defaults = { ...quietSettings, ...(options.beside ? {} : withoutAI) };
  let output = '';
  let browser: Browser | undefined;
  if (options.machineSettings) {
    const machineFile = path.join(dataDir, 'data', 'Machine', 'settings.json');
    fs.mkdirSync(path.dirname(machineFile), { recursive: true });
    fs.writeFileSync(machineFile, JSON.stringify(options.machineSettings, null, 2));
  }
  for (const extension of [...(options.installed ? [extensionPath] : []), ...(options.beside ?? [])])
    install(extension, path.join(dataDir, 'extensions'));
  const builtins = path.join(dataDir, 'builtin');
  fs.mkdirSync(builtins);
  const bundled = fs.readdirSync(path.join(serverFolder, 'extensions'));
  for (const name of builtinExtensions.filter((one) => bundled.includes(one)))
    fs.symlinkSync(path.join(serverFolder, 'extensions', name), path.join(builtins, name), 'dir');
  const server: EditorServer = await startEditorServer({
    server: serverFolder,
    ...(options.node ? { node: options.node } : {}),
    dataDir,
    builtinExtensions: builtins,
    testDriver: true,
    userSettings: { ...defaults, ...options.userSettings },
    // What the user runs on the command line is no part of a test.
    env: { XDG_DATA_HOME: path.join(dataDir, 'home'), ...options.env },
    ...(options.workspaceTrust ? { workspaceTrust: true } : {}),
    onOutput: (text) => {
      output += text;
    },
  });
  const address = (folder: string | null) =>
    server.address({
      extensionPath: options.installed ? null : extensionPath,
      workspace: folder,
      ...(testsPath ? { testsPath } : {}),
    });
  return {
    url: address(workspace),
    pid: server.pid,
    dataDir,
    runs: path.join(dataDir, 'data', 'User', 'globalStorage', 'deep-research.deep-research', 'runs'),
    outsideRuns: path.join(dataDir, 'home', 'deep-research', 'runs'),
    async killExtensionHost() {
      const [pid, ...others] = server.extensionHosts();
      if (pid === undefined || others.length > 0)
        throw new Error(`There are ${others.length + (pid === undefined ? 0 : 1)} extension hosts, not one.`);
      process.kill(pid, 'SIGKILL');
      // What was being written when the signal came is still written.
      while (server.extensionHosts().includes(pid)) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    output: () => output,
    async openPage(pageOptions = {}) {
      browser ??= await launchBrowser();
      return openPageIn(
        browser,
        address(pageOptions.workspace === undefined ? workspace : pageOptions.workspace),
        pageOptions,
      );
    },
    setUserSettings(settings) {
      fs.writeFileSync(settingsFile, JSON.stringify({ ...defaults, ...settings }, null, 2));
    },
    async stop() {
      await browser?.close();
      await server.stop();
      removeFolder(dataDir);
    },
  };
}

/** Puts an extension where the server finds it, as its files lie there. */
function install(extensionPath: string, folder: string): void {
  const { publisher, name, version } = JSON.parse(
    fs.readFileSync(path.join(extensionPath, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  fs.mkdirSync(folder, { recursive: true });
  fs.symlinkSync(extensionPath, path.join(folder, `${publisher}.${name}-${version}`), 'dir');
}

/** A page on an editor that something else started, in a browser of its own. */
export async function openBrowserPage(
  url: string,
  options: PageOptions = {},
): Promise<{ page: EditorPage; close(): Promise<void> }> {
  const browser = await launchBrowser();
  try {
    return { page: await openPageIn(browser, url, options), close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function openPageIn(browser: Browser, url: string, options: PageOptions): Promise<EditorPage> {
  // What moves is drawn again sixty times a second, by the processor: the editor's spinners do in spite of its setting.
  const page = await browser.newPage({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  await page.addInitScript({
    content: `document.adoptedStyleSheets = [new CSSStyleSheet()];
      document.adoptedStyleSheets[0].replaceSync('.codicon-modifier-spin, .progress-bit { animation: none !important; }');`,
  });
  page.setDefaultTimeout(patience);
  await options.prepare?.(page);
  await page.goto(url);
  const editorPage = new EditorPage(page);
  await editorPage.ready(options.until ?? 'extension');
  return editorPage;
}

/** What a person does in a window of the editor. */
export class EditorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async ready(until: 'extension' | 'workbench' | 'load'): Promise<void> {
    if (until === 'load') return;
    await this.page.locator('.monaco-workbench').first().waitFor();
    if (until === 'extension') await this.activityBarIcon().waitFor();
  }

  activityBarIcon(): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name: /^Deep Research/ });
  }

  /** The number at the extension's icon that calls for a look. */
  badge(): Locator {
    return this.activityBarIcon().locator('.badge-content:visible');
  }

  /** The extension's item in the status bar. */
  statusItem(): Locator {
    return this.page.locator('.statusbar-item[id="deep-research.deep-research.deepResearch.status"]');
  }

  /** Runs a command by the title that the palette shows, such as "Deep Research: Start". */
  async runCommand(title: string): Promise<void> {
    const { page } = this;
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    // A view that takes the focus at this moment closes the palette, and one that opens before the extension is known lacks its
    // commands: a person would open it again.
    for (let tries = 1; ; tries += 1) {
      const timeout = tries < 4 ? 6_000 : patience;
      try {
        await page.keyboard.press('F1');
        const input = this.quickInput();
        await input.waitFor({ timeout });
        await input.fill(`>${title}`, { timeout });
        return await row.click({ timeout });
      } catch (error) {
        if (tries === 4) throw error;
        await page.keyboard.press('Escape');
      }
    }
  }

  /** Clicks a row of the list that a command opens, and one of each list that follows. */
  async pick(title: string, ...rows: readonly (string | RegExp)[]): Promise<void> {
    await this.#inList(title, async (row, timeout) => {
      for (const text of rows) await row(text).click({ timeout });
    });
  }

  /** Waits for a row of the list that a command opens. */
  async listed(title: string, text: string | RegExp): Promise<void> {
    await this.#inList(title, (row, timeout) => row(text).waitFor({ timeout }));
  }

  /** A list closes when something else takes the focus: then it is opened again. */
  async #inList(
    title: string,
    use: (row: (text: string | RegExp) => Locator, timeout: number) => Promise<void>,
  ): Promise<void> {
    const row = (text: string | RegExp): Locator =>
      this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
    for (const deadline = Date.now() + patience; ;) {
      await this.runCommand(title);
      try {
        return await use(row, 20_000);
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /**
   * Types a path into the open save dialog, whose proposal has the same extension, and sees it close. The dialog looks at a
   * folder before it takes a name in it: `beside` is what it lists then. It drops an Enter that comes while it still looks.
   */
  async saveAs(file: string, beside: string): Promise<void> {
    const dialog = this.page.locator('.quick-input-widget');
    const proposed = async () => {
      const value = await this.quickInput().inputValue();
      return value.startsWith('/') && value.endsWith(path.extname(file));
    };
    for (const deadline = Date.now() + patience; !(await proposed()) && Date.now() < deadline;)
      await new Promise((resolve) => setTimeout(resolve, 50));
    for (let tries = 1; ; tries += 1) {
      const timeout = tries < 4 ? 6_000 : patience;
      try {
        await this.quickInput().fill(file, { timeout });
        await dialog
          .locator('.quick-input-list .monaco-list-row')
          .filter({ hasText: beside })
          .first()
          .waitFor({ timeout });
        await this.quickInput().press('Enter', { timeout });
        return await dialog.first().waitFor({ state: 'hidden', timeout });
      } catch (error) {
        if (!(await dialog.first().isVisible())) return;
        if (tries === 4) throw error;
      }
    }
  }

  /** The text field of an open palette, picker or input box. */
  quickInput(): Locator {
    return this.page
      .locator('.quick-input-widget:visible input[type="text"], .quick-input-widget:visible input[type="password"]')
      .first();
  }

  /** The content frame of the webview that holds the element. Frames nest: page > webview host > content. */
  async webview(selector: string, timeoutMs = patience): Promise<Frame> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      for (const frame of this.page.frames()) {
        if (frame === this.page.mainFrame()) continue;
        // A frame that is being replaced throws; the next round sees the new one.
        const found = await frame
          .locator(selector)
          .count()
          .catch(() => 0);
        if (found > 0) return frame;
      }
      if (Date.now() > deadline)
        throw new Error(
          `No webview holds ${selector}. Frames: ${this.page
            .frames()
            .map((frame) => frame.url())
            .join(' ')}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Labels of the open editor tabs, in order. */
  async editorTabs(): Promise<string[]> {
    return this.page.locator('.editor-group-container .tab .label-name').allTextContents();
  }

  editorTab(name: string | RegExp): Locator {
    return this.page
      .locator('.editor-group-container .tab')
      .filter({ has: this.page.locator('.label-name', { hasText: name }) });
  }

  /** A notification, once it came. The driver of the tests keeps the editor from popping them up: they wait in the centre. */
  async notification(text: string | RegExp): Promise<Locator> {
    const bell = this.page.locator('#status\\.notifications');
    const unread = bell.locator('.codicon-bell-dot');
    const found = this.page
      .locator('.notifications-center')
      .locator('.notification-list-item')
      .filter({ hasText: text })
      .first();
    for (;;) {
      await found.or(unread).first().waitFor();
      if (await found.isVisible()) return found;
      // The centre closes with its last notification, and at a click elsewhere: what comes then lights the bell again.
      await bell.click();
      // The bell's hover would cover the notification.
      await this.page.mouse.move(0, 0);
    }
  }

  async clearNotifications(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
    await this.page.locator('.notifications-center').waitFor({ state: 'hidden' });
  }

  /** Through the theme picker, so that open views and a running research live through it, as they do for a person. */
  async setColorTheme(theme: ColorTheme): Promise<void> {
    const { label, className } = colorThemes[theme];
    const row = this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .first();
    // The picker closes when a webview that has just been drawn takes the focus: then it is opened again.
    for (let tries = 1; ; tries += 1) {
      await this.runCommand('Preferences: Color Theme');
      // The picker opens in place of the palette; only its list holds themes.
      await this.page.locator('.quick-input-widget:visible input[placeholder*="Theme"]').waitFor();
      try {
        await this.quickInput().fill(label, { timeout: 20_000 });
        await row.click({ timeout: 20_000 });
        break;
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
    await this.page.locator(`.monaco-workbench.${className}`).first().waitFor();
    await this.page.locator('.quick-input-widget').first().waitFor({ state: 'hidden' });
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /** Saves out/screenshots/NAME.png when pictures are wanted. */
  async screenshot(name: string): Promise<void> {
    await savePictureIfWanted(this.page, name);
  }

  /**
   * The same in some themes, and waits for `drawn` in each. Only then are they chosen: two choices cost as much processor time
   * as a whole research.
   */
  async screenshots(name: string, themes: readonly ColorTheme[], drawn = async (): Promise<void> => {}): Promise<void> {
    for (const theme of picturesWanted ? themes : []) {
      await this.setColorTheme(theme);
      await drawn();
      await this.screenshot(`${name}-${theme}`);
    }
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready('extension');
  }
}
