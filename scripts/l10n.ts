// npm run l10n: brings the tables of l10n/ up to date with the texts of the sources: what is new is added without a translation, what
// is gone is removed. It lists what is to be translated.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtIn } from '../src/catalogue.ts';
import { documentKinds } from '../src/sources/createTools.ts';
import { panelStrings } from '../src/protocol/strings.ts';
import { saveTranslation, translations } from './lib/translations.mjs';

const root = path.dirname(import.meta.dirname);

/** The translations of one language (docs/languages.md). */
export interface Translation {
  /** For translators: who has read it. */
  readonly note?: string;
  readonly manifest: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, string>>;
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

/** What a table lacks: keys of the manifest, and English texts. */
export function missingIn({ manifest, texts }: Translation): string[] {
  return [
    ...Object.keys(manifestTexts()).filter((key) => !manifest[key]),
    ...localizedTexts().filter((text) => !texts[text]),
  ];
}

/** What a table has that no source uses any more. */
export function unusedIn({ manifest, texts }: Translation): string[] {
  const [keys, used] = [manifestTexts(), new Set(localizedTexts())];
  return [
    ...Object.keys(manifest).filter((key) => !Object.hasOwn(keys, key)),
    ...Object.keys(texts).filter((text) => !used.has(text)),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [language, table] of Object.entries(tables)) {
    const of = (known: Readonly<Record<string, string>>, keys: readonly string[]) =>
      Object.fromEntries(keys.map((key) => [key, known[key] ?? '']));
    saveTranslation(language, {
      ...table,
      manifest: of(table.manifest, Object.keys(manifestTexts())),
      texts: of(table.texts, localizedTexts()),
    });
    const missing = missingIn(table);
    process.stdout.write(
      `l10n/${language}.json: ${missing.length} to translate\n${missing.map((text) => `  ${text}\n`).join('')}`,
    );
  }
}
