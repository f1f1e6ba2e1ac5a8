import { afterEach } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import { savePicture } from '../../support/browser.ts';
import { imitatedSettings } from '../../support/sourceServer.ts';
import { deadEndpoint } from '../../support/deadEndpoint.ts';
import type { Editor, EditorPage } from '../../support/editor.ts';

/** Settings with which every look-up outside of the machine is refused at once: nothing listens there. */
export async function offline(): Promise<Record<string, unknown>> {
  return {
    ...imitatedSettings({ arxivUrl: await deadEndpoint(), githubUrl: await deadEndpoint() }),
  };
}

/** The panel as a person uses it. Its page is replaced whenever it is hidden: ask for it again afterwards. */
export class Panel {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  get(testId: string): Locator {
    return this.frame.getByTestId(testId);
  }

  async ask(question: string): Promise<void> {
    const box = this.get('question');
    await box.fill(question);
    await box.press('Enter');
  }

  /** Resolves when the run stands in one of the given states. */
  async reaches(...statuses: readonly string[]): Promise<void> {
    await this.frame
      .locator(statuses.map((status) => `[data-testid="run-header"][data-status="${status}"]`).join(', '))
      .waitFor();
  }

  async sections(): Promise<{ readonly title: string; readonly status: string | null }[]> {
    return this.get('section').evaluateAll((items) =>
      items.map((item) => ({
        title: item.querySelector('.section-title')?.textContent ?? '',
        status: item.getAttribute('data-status'),
      })),
    );
  }
}

/** Resolves when a frame is on the screen with its fonts: icons are a font, and no frame is drawn before it is shown. */
export async function drawn(frame: Frame): Promise<void> {
  await frame.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await document.fonts.ready;
  });
}

/** Opens the panel by the command palette. */
export async function openPanel(page: EditorPage): Promise<Panel> {
  await page.runCommand('Deep Research: Start');
  return findPanel(page);
}

/** The panel that is on the screen, once it has been drawn. */
export async function findPanel(page: EditorPage, timeoutMs?: number): Promise<Panel> {
  const panel = new Panel(await page.webview('main[data-testid]', timeoutMs));
  await drawn(panel.frame);
  return panel;
}

let kills = 0;

/**
 * Kills the host that the panel belongs to, and resolves with the panel of the next one. The editor starts that by itself, but
 * from the third time within five minutes it asks first, and when it took 2 s to learn how the host ended it never does: then
 * the window is reloaded.
 */
export async function killHost(
  editor: Editor,
  page: EditorPage,
  { frame }: Panel,
  onDead: () => Promise<void> = async () => {},
): Promise<Panel> {
  const gone = page.page.waitForEvent('framedetached', { predicate: (detached) => detached === frame });
  await editor.killExtensionHost();
  await onDead();
  await gone;
  kills += 1;
  try {
    if (kills >= 3) {
      const notice = await page.notification('terminated unexpectedly');
      await notice.getByRole('button', { name: 'Restart Remote Extension Host' }).click();
    }
    return await findPanel(page, 15_000);
  } catch {
    await page.reload();
    return findPanel(page);
  }
}

/** Keeps what is on the screen when a test of a suite fails, as out/screenshots/failed-NAME.png. */
export function keepFailures(page: () => EditorPage): void {
  let count = 0;
  afterEach(async (context) => {
    if ('passed' in context && context.passed === false) await savePicture(page().page, `failed-${(count += 1)}`);
  });
}
