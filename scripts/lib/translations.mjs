import fs from 'node:fs';
import path from 'node:path';

const root = path.dirname(path.dirname(import.meta.dirname));
const folder = path.join(root, 'l10n');

/**
 * The tables of translations by language (`zh-cn`): `manifest` has the texts of package.nls.json by their keys, `texts` and `errors`
 * all others by their English.
 */
export function translations() {
  return Object.fromEntries(
    fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [path.basename(name, '.json'), JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'))]),
  );
}

export function saveTranslation(language, table) {
  fs.writeFileSync(path.join(folder, `${language}.json`), `${JSON.stringify(table, null, 2)}\n`);
}

/** Writes the files that the editor reads, of each table two: those of languages that are gone are removed. */
export function writeTranslations() {
  const bundles = path.join(root, 'dist', 'l10n');
  fs.rmSync(bundles, { recursive: true, force: true });
  fs.mkdirSync(bundles, { recursive: true });
  for (const name of fs.readdirSync(root)) if (/^package\.nls\..+\.json$/.test(name)) fs.rmSync(path.join(root, name));
  for (const [language, { manifest, texts, errors }] of Object.entries(translations())) {
    fs.writeFileSync(path.join(root, `package.nls.${language}.json`), translated(manifest));
    // `TEXT/COMMENT` is the editor's key of a text with a comment for translators.
    const commented = Object.entries(errors).map(([text, translation]) => [`${text}/error`, translation]);
    const all = { ...texts, ...Object.fromEntries(commented) };
    fs.writeFileSync(path.join(bundles, `bundle.l10n.${language}.json`), translated(all));
  }
}

/** Without the empty ones, which are to be translated: the editor shows English for what is missing. */
function translated(texts) {
  return JSON.stringify(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')));
}
