// Every picture of the panel, in every theme and width.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { themeNames } from '../support/panelHarness.ts';
import { usePanelPages } from '../support/panelPages.ts';
import { panelStates } from '../support/panelStates.ts';
import { sampled } from '../support/sampled.ts';

const panel = usePanelPages();

const states = Object.keys(panelStates);
const widths = [170, 260, 420, 900];
/** Each state at the narrowest width and one of the others, and in one of two themes. */
const atWidths = sampled(
  states.flatMap((state) => widths.map((width) => ({ state, width }))),
  ({ state, width }) => [`${state}, ${width === 170 ? width : ''}`, String(width)],
);
const inThemes = sampled(
  states.flatMap((state) => (['dark', 'light'] as const).map((theme) => ({ state, theme }))),
  ({ state, theme }) => [state, theme],
);

describe('every state', () => {
  for (const [name, messages] of Object.entries(panelStates)) {
    test(`${name}: nothing is clipped or sticks out at any width, every control has a name, and axe finds nothing`, async () => {
      const page = await panel(messages);
      for (const { width } of atWidths.filter(({ state }) => state === name)) {
        await page.page.setViewportSize({ width, height: 700 });
        assert.deepEqual(await page.clipped(), [], `at ${width} px`);
      }
      for (const { theme } of inThemes.filter(({ state }) => state === name)) {
        await page.setTheme(theme);
        assert.deepEqual(await page.barriers(), [], theme);
      }
      const nameless = await page.page.getByRole('button', { name: /^\s*$/ }).count();
      assert.equal(nameless, 0);
      assert.equal(await page.page.locator('[style]').count(), 1, 'no element but <html> has a style of its own');
    });
  }

  test('themes: text has contrast in all of them', async () => {
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

  test('nothing moves either where the editor alone is set to it', async () => {
    const page = await panel(panelStates['research']);
    assert.ok((await page.page.evaluate(() => document.getAnimations().length)) > 0);
    await page.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    assert.equal(await page.page.evaluate(() => document.getAnimations().length), 0);
  });

  test('with forced colours it still shows where the run is', async () => {
    const page = await panel(panelStates['research'], { forcedColors: true });
    const [done, next] = await page.page.evaluate(() =>
      [...document.querySelectorAll('.stepper .done, .stepper .next')]
        .map((step) => getComputedStyle(step).borderTopColor + getComputedStyle(step).borderTopStyle)
        .filter((colour, i, all) => all.indexOf(colour) === i),
    );
    assert.notEqual(done, next);
    assert.ok(next);
  });
});
