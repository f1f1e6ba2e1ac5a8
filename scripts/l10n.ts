// npm run l10n: writes l10n/bundle.l10n.json, the list of texts for translators, from the sources.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtIn } from '../src/catalogue.ts';
import { documentKinds } from '../src/sources/createTools.ts';
import { panelStrings } from '../src/protocol/strings.ts';

const root = path.dirname(import.meta.dirname);
export const bundleFile = path.join(root, 'l10n', 'bundle.l10n.json');

/** Every text that a user can see outside of the manifest, in order: the host's `l10n.t('…')` and the panel's strings. */
export function localizedTexts(): string[] {
  const folder = path.join(root, 'src', 'host');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const host = files.flatMap((file) => literals(fs.readFileSync(path.join(folder, file), 'utf8'), file));
  const ofServices = builtIn.keyServices.flatMap(({ label, hint }) => [label, hint]);
  const ofKinds = documentKinds(builtIn.sources).map(({ label }) => label);
  const ofSources = builtIn.sources.map(({ label }) => label);
  return [...new Set([...host, ...ofServices, ...ofSources, ...ofKinds, ...Object.values(panelStrings)])].sort();
}

function literals(source: string, file: string): string[] {
  const calls = [...source.matchAll(/l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|[^)]*)/g)];
  return calls.flatMap(([call, literal]) => {
    if (literal !== undefined) return [literal.replaceAll("\\'", "'")];
    // The panel's strings, and what providers and sources declare, are the cases of a variable.
    if (call === 'l10n.t(text') return [];
    throw new Error(`${file}: ${call} …) is no literal, so no translator would see it.`);
  });
}

export function bundle(texts: readonly string[]): string {
  return `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fs.writeFileSync(bundleFile, bundle(localizedTexts()));
