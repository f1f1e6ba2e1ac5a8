// npm run l10n: brings the tables of l10n/ up to date with the texts of the sources: what is new is added without a translation, what
// is gone is removed. It lists what is to be translated.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtIn } from '../src/catalogue.ts';
import { documentKinds } from '../src/sources/createTools.ts';
import { panelStrings } from '../src/protocol/strings.ts';
import { errorTexts } from './lib/errorTexts.ts';
import { saveTranslation, translations } from './lib/translations.mjs';

const root = path.dirname(import.meta.dirname);

/** The translations of one language (docs/languages.md). */
export interface Translation {
  /** For translators: who has read it. */
  readonly note?: string;
  readonly manifest: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, string>>;
  /** What the engine says of errors: the English is a template, by which a finished text is recognised (src/protocol/errorLocalizer.ts). */
  readonly errors: Readonly<Record<string, string>>;
}

export const tables: Readonly<Record<string, Translation>> = translations();

/** The texts of the manifest by their keys. */
export function manifestTexts(): Readonly<Record<string, string>> {
  return JSON.parse(fs.readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
}

/** Every text that a user can see outside of the manifest, in order: the `l10n.t('…')` of host and command, and the panel's strings. */
export function localizedTexts(): string[] {
  const files = ['host', 'node', 'batch', 'cli.ts'].flatMap((place) => {
    const at = path.join(root, 'src', place);
    if (fs.statSync(at).isFile()) return [at];
    const names = fs.readdirSync(at, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.ts')).map((name) => path.join(at, name));
  });
  const called = files.flatMap((file) => literals(fs.readFileSync(file, 'utf8'), path.relative(root, file)));
  const ofServices = builtIn.keyServices.flatMap(({ label, hint }) => [label, hint]);
  const ofKinds = documentKinds(builtIn.sources).map(({ label }) => label);
  const ofSources = builtIn.sources.map(({ label }) => label);
  return [...new Set([...called, ...ofServices, ...ofSources, ...ofKinds, ...Object.values(panelStrings)])].sort();
}

function literals(source: string, file: string): string[] {
  const calls = source.matchAll(/l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|[^)]*)/g);
  return [...calls].flatMap(([call, single, double]) => {
    const literal = single ?? double;
    if (literal !== undefined) return [literal.replaceAll(/\\(['"])/g, '$1')];
    // The panel's strings, and what providers and sources declare, are the cases of a variable.
    if (call === 'l10n.t(text') return [];
    throw new Error(`${file}: ${call} …) is no literal, so no translator would see it.`);
  });
}

type Parts = Pick<Translation, 'manifest' | 'texts' | 'errors'>;

/** What each part of a table is to have: keys of the manifest, and English texts. */
function wanted(): Readonly<Record<keyof Parts, readonly string[]>> {
  return { manifest: Object.keys(manifestTexts()), texts: localizedTexts(), errors: errorTexts(root) };
}

/** What a table lacks. */
export function missingIn(table: Translation): string[] {
  return Object.entries(wanted()).flatMap(([part, keys]) => keys.filter((key) => !table[part as keyof Parts][key]));
}

/** What a table has that no source uses any more. */
export function unusedIn(table: Translation): string[] {
  return Object.entries(wanted()).flatMap(([part, keys]) => {
    const used = new Set(keys);
    return Object.keys(table[part as keyof Parts]).filter((key) => !used.has(key));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [language, table] of Object.entries(tables)) {
    const parts = Object.entries(wanted()).map(([part, keys]) => {
      const known: Readonly<Record<string, string>> = table[part as keyof Parts] ?? {};
      return [part, Object.fromEntries(keys.map((key) => [key, known[key] ?? '']))];
    });
    const updated: Translation = { ...table, ...(Object.fromEntries(parts) as Parts) };
    saveTranslation(language, updated);
    const missing = missingIn(updated);
    process.stdout.write(
      `l10n/${language}.json: ${missing.length} to translate\n${missing.map((text) => `  ${text}\n`).join('')}`,
    );
  }
}
