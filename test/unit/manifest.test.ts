import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { contextKeys } from '../../src/host/commandIds.ts';
import { type Manifest, settingsOf } from '../support/manifest.ts';
import { root } from '../support/paths.ts';

const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
const manifest = read('package.json') as Manifest;
const texts = read('package.nls.json') as Readonly<Record<string, string>>;
const properties = settingsOf(manifest);

describe('the manifest', () => {
  it('has a text for every key that it uses, and no text that nothing uses', () => {
    const used = new Set([...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    assert.deepEqual(
      [...used].filter((key) => !texts[key as string]?.trim()),
      [],
    );
    assert.deepEqual(
      Object.keys(texts).filter((key) => !used.has(key)),
      [],
    );
  });

  it('shows no text of its own: titles and descriptions come from package.nls.json', () => {
    const plain: string[] = [];
    const visit = (value: unknown, key: string, where: string): void => {
      if (typeof value === 'string') {
        if (
          /^(title|shortTitle|category|description|markdownDescription|contextualTitle|patternErrorMessage|displayName)$/.test(
            key,
          ) &&
          !/^%[^%]+%$/.test(value)
        )
          plain.push(where);
      } else if (value && typeof value === 'object') {
        for (const [name, inner] of Object.entries(value))
          visit(inner, Array.isArray(value) ? key : name, `${where}.${name}`);
      }
    };
    visit(manifest.contributes, '', 'contributes');
    for (const key of ['displayName', 'description']) visit(manifest[key], key, key);
    assert.deepEqual(plain, []);
  });

  it('lets no workspace decide where a key or a question is sent', () => {
    const addresses = Object.keys(properties).filter((key) => /\.endpoints\.|\.baseUrl$/.test(key));
    assert.deepEqual(
      addresses.filter((key) => properties[key]?.scope !== 'machine'),
      [],
    );
    const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
    const risky =
      /\.(endpoints\..*|model\.(provider|name|baseUrl|research|compression|report)|workspace\..*|report\.folder|sources\.enabled)$/;
    assert.deepEqual(
      Object.keys(properties).filter((key) => risky.test(key) && !restricted.has(key)),
      [],
    );
  });

  it('names files that exist, and activates on use, or for Markdown, which may be a report', () => {
    const { icon, contributes } = manifest;
    for (const file of [icon, contributes.viewsContainers.activitybar[0].icon])
      assert.ok(fs.existsSync(path.join(root, file)), file);
    assert.deepEqual(manifest.activationEvents, ['onLanguage:markdown', 'onWebviewPanel:deepResearch.liveReport']);
  });

  it('has a walkthrough whose buttons and pictures exist, and whose steps are seen to be done', () => {
    const { commands, walkthroughs } = manifest.contributes;
    const ids = new Set([
      ...commands.map(({ command }) => command),
      'workbench.action.files.openFolder',
      'workbench.action.chat.open',
    ]);
    const contexts = new Set<string>(Object.values(contextKeys));
    const steps = walkthroughs.flatMap(({ steps: own }) => own);
    assert.equal(steps.length, 5);
    assert.match(
      texts['walkthrough.agents.description']!,
      /@research[^]*#deepResearch[^]*command:workbench\.action\.chat\.open/,
    );
    for (const { description, media, completionEvents } of steps) {
      const buttons = [...texts[description.slice(1, -1)]!.matchAll(/\(command:([^)]+)\)/g)].map(([, id]) => id!);
      assert.ok(buttons.length > 0, description);
      assert.deepEqual(
        buttons.filter((id) => !ids.has(id)),
        [],
      );
      assert.ok(fs.existsSync(path.join(root, media.svg)), media.svg);
      assert.deepEqual(
        completionEvents.filter((event) => !contexts.has(event.replace('onContext:', ''))),
        [],
      );
    }
  });

  it('gives every command a category, and shows each one that a menu names', () => {
    const ids = new Set(manifest.contributes.commands.map(({ command }) => command));
    for (const command of manifest.contributes.commands) assert.equal(command.category, '%category%');
    const submenus = new Set(manifest.contributes.submenus.map(({ id }) => id));
    const named = Object.values(manifest.contributes.menus).flat();
    assert.deepEqual(
      named.filter(({ command, submenu }) =>
        command === undefined ? !submenus.has(submenu ?? '') : !ids.has(command),
      ),
      [],
    );
    assert.deepEqual(
      [...submenus].filter((id) => !(id in manifest.contributes.menus)),
      [],
    );
    assert.deepEqual(
      manifest.contributes.keybindings.filter(({ command }) => !ids.has(command)),
      [],
    );
  });

  it('offers the commands of a report in both tabs that show it, and in the palette', () => {
    const { commandPalette = [], 'editor/title': title = [] } = manifest.contributes.menus;
    const inReader = (menu: typeof title) =>
      menu.filter(({ when }) => when?.includes('activeCustomEditorId == deepResearch.report'));
    for (const menu of [commandPalette, title])
      for (const { command, when } of inReader(menu))
        assert.match(when!, /activeWebviewPanelId == deepResearch\.liveReport/, command);
    const offered = [title, commandPalette].map((menu) => inReader(menu).map(({ command }) => command));
    for (const [index, names] of [['exportReport', 'askRun', 'showRun'], ['refreshRun']].entries())
      for (const name of names) assert.ok(offered[index]!.includes(`deepResearch.${name}`), name);
  });

  it('pins its libraries, and its lockfile names no host', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.deepEqual(
      versions.filter(([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version)),
      [],
    );
    assert.doesNotMatch(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'), /"resolved"/);
  });

  it('locks all that its packages name, for every platform: npm ci refuses a lockfile with a gap', () => {
    const lock = read('package-lock.json') as {
      readonly packages: Readonly<
        Record<
          string,
          { readonly [kind in 'dependencies' | 'optionalDependencies']?: Readonly<Record<string, string>> }
        >
      >;
    };
    const locked = new Set(Object.keys(lock.packages).map((place) => place.split('node_modules/').at(-1)));
    const named = Object.values(lock.packages).flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    );
    assert.deepEqual(
      [...new Set(named)].filter((name) => !locked.has(name)),
      [],
    );
  });
});
