// npm run generate: writes what derives from the declarations of settings, providers and sources: the settings
// and key services in package.json with their texts in package.nls.json, and the table in docs/settings.md.
// test/unit/generated.test.ts fails while a file is stale.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { builtIn, type Catalogue } from '../src/catalogue.ts';
import type { DeclaredSettings, Setting } from '../src/research/settings/config.ts';
import { settingGroups } from '../src/research/settings/setting.ts';

const root = path.dirname(import.meta.dirname);
const prefix = 'deepResearch.';
/** Around the table in docs/settings.md. */
const table = { begin: '<!-- settings: npm run generate -->', end: '<!-- /settings -->' };

type Json = Readonly<Record<string, unknown>>;

/** The generated files, by name, as they should be. */
export function generated({ settings, keyServices }: Catalogue = builtIn): Readonly<Record<string, string>> {
  const manifest = JSON.parse(read('package.json')) as {
    contributes: Json;
    capabilities: Record<string, Json>;
    keyServices: Catalogue['keyServices'];
  };
  manifest.keyServices = keyServices;
  manifest.contributes = { ...manifest.contributes, configuration: configuration(settings) };
  manifest.capabilities['untrustedWorkspaces'] = {
    ...manifest.capabilities['untrustedWorkspaces'],
    // Before a workspace is trusted, the user's values alone count.
    restrictedConfigurations: Object.keys(settings).map((key) => prefix + key),
  };
  const others = Object.entries(JSON.parse(read('package.nls.json')) as Record<string, string>).filter(
    ([key]) => !key.startsWith('config.'),
  );
  return {
    'package.json': json(manifest),
    'package.nls.json': json({ ...texts(settings), ...Object.fromEntries(others) }),
    'docs/settings.md': read('docs/settings.md').replace(
      new RegExp(`(?<=${table.begin}\\n)[^]*(?=${table.end})`),
      () => `\n${settingsTable(settings)}\n\n`,
    ),
  };
}

function configuration(settings: DeclaredSettings): readonly Json[] {
  return Object.keys(settingGroups).map((group, index) => ({
    title: `%config.title.${group}%`,
    order: index + 1,
    properties: Object.fromEntries(
      Object.entries(settings)
        .filter(([, setting]) => setting.group === group)
        .map(([key, setting], place) => [prefix + key, property(key, setting, place + 1)]),
    ),
  }));
}

function property(key: string, setting: Setting, order: number): Json {
  const { type = 'string', minimum, maximum, items } = inputOf(setting);
  const values = setting.values && {
    enum: Object.keys(setting.values),
    enumDescriptions: Object.keys(setting.values).map((value) => `%config.${key}.${value}%`),
  };
  const isList = type === 'array';
  return {
    type,
    default: setting.schema.parse(undefined),
    ...(isList ? { items: itemsOf(items, values, setting.isOpen), uniqueItems: true } : values),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(setting.pattern && {
      pattern: setting.pattern.source,
      patternErrorMessage: `%config.${key}.pattern%`,
    }),
    scope: setting.setBy === 'user' ? 'machine' : setting.perFolder ? 'resource' : 'window',
    markdownDescription: `%config.${key}%`,
    order,
  };
}

/** Objects have a schema of their own in the settings editor; names are texts. */
function itemsOf(items: unknown, values: object | undefined, isOpen = false): unknown {
  const isObject = typeof items === 'object' && items !== null && 'properties' in items;
  if (isObject) return items;
  // The known names are offered, and any other is no mistake.
  return isOpen ? { type: 'string', anyOf: [{ ...values }, { type: 'string' }] } : { type: 'string', ...values };
}

function texts(settings: DeclaredSettings): Readonly<Record<string, string>> {
  const entries = Object.entries(settings).flatMap(([key, setting]) => {
    const { text, values = {}, pattern, isOpen } = setting;
    return [
      // The settings editor lists no names beside a text that may be any.
      [`config.${key}`, isOpen ? `${text} ${allowedIn(setting)}` : text] as const,
      ...Object.entries(values).map(([value, meaning]) => [`config.${key}.${value}`, meaning] as const),
      ...(pattern ? [[`config.${key}.pattern`, pattern.text] as const] : []),
    ];
  });
  const titles = Object.entries(settingGroups).map(([group, title]) => [`config.title.${group}`, title] as const);
  return Object.fromEntries([...titles, ...entries]);
}

function settingsTable(settings: DeclaredSettings): string {
  const inOrder = Object.keys(settingGroups).flatMap((group) =>
    Object.entries(settings).filter(([, setting]) => setting.group === group),
  );
  const rows = inOrder.map(([key, setting]) => {
    const standard = setting.schema.parse(undefined);
    const isEmpty = standard === '' || (typeof standard === 'object' && JSON.stringify(standard).length === 2);
    const shown = isEmpty ? '' : `\`${String(standard)}\``;
    return `| \`${key}\` | ${shown} | ${[setting.text, allowedIn(setting), ownOnly(setting)].filter(Boolean).join(' ')} |`;
  });
  const lines = ['| setting | default | what it does |', '| --- | --- | --- |', ...rows];
  return lines.join('\n').replaceAll(new RegExp(`#${prefix}([\\w.]+)#`, 'g'), '$1');
}

function allowedIn(setting: Setting): string {
  const { minimum, maximum } = inputOf(setting);
  if (minimum !== undefined && maximum !== undefined)
    return `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}.`;
  const values = Object.keys(setting.values ?? {}).map((value) => `\`${value}\``);
  if (values.length === 0) return '';
  return `${inputOf(setting).type === 'array' ? 'Any' : 'One'} of ${values.join(', ')}.`;
}

const ownOnly = ({ setBy }: Setting) => (setBy === 'user' ? 'User settings only.' : '');

function inputOf({ schema }: Setting): {
  readonly type?: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly items?: unknown;
} {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(generated())) fs.writeFileSync(path.join(root, file), text);
}
