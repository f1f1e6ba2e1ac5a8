import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localizedTexts, manifestTexts, missingIn, tables, type Translation, unusedIn } from '../../scripts/l10n.ts';

describe('the texts of the sources', () => {
  const texts = localizedTexts();

  it('are those of the editor, the panel, the command, the sources and the services', () => {
    for (const text of ['Open Untitled', 'Just start', 'print the version', 'Hacker News', 'Attached document'])
      assert.ok(texts.includes(text), text);
  });

  it('have the plural forms of English', () => {
    assert.ok(texts.some((text) => text.includes(', plural,')));
    assert.deepEqual(wrongPlurals(texts, 'en'), []);
  });
});

for (const [language, table] of Object.entries(tables)) {
  describe(`the translation l10n/${language}.json`, () => {
    it('has every text, and no other', () => {
      assert.deepEqual(missingIn(table), [], 'run "npm run l10n", and translate what it lists');
      assert.deepEqual(unusedIn(table), [], 'run "npm run l10n"');
    });

    it('has the same places, names, links and icons in each', () => {
      const different = pairsOf(table).filter(([english, text]) => fixedParts(english) !== fixedParts(text));
      assert.deepEqual(different, []);
    });

    it('has the plural forms of its language', () => {
      const texts = pairsOf(table).map(([, text]) => text);
      assert.deepEqual(wrongPlurals(texts, language), []);
    });
  });
}

/** Plurals that lack a form of the language, have another one, or aren't written as one. */
function wrongPlurals(texts: readonly string[], language: string): string[] {
  const known = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return texts.flatMap((text) =>
    [...text.matchAll(/\{\w+,\s*plural\b(?:,((?: \w+ \{[^{}]*\})*)\})?/g)].flatMap(([whole, forms = '']) => {
      const given = [...forms.matchAll(/ (\w+) \{/g)].map(([, form]) => form);
      return known.every((form) => given.includes(form)) && given.length === known.length ? [] : [whole];
    }),
  );
}

/** English and translation. */
function pairsOf({ manifest, texts, errors }: Translation): readonly (readonly [string, string])[] {
  const english = manifestTexts();
  const pairs = [
    ...Object.entries(errors),
    ...Object.entries(manifest).map(([key, text]) => [english[key] ?? '', text] as const),
    ...Object.entries(texts),
  ];
  return pairs.filter((pair) => !pair.includes(''));
}

/** What a translation may move, but neither leave out nor add. */
function fixedParts(text: string): string {
  const parts = [
    ...[...text.matchAll(/\{(\d)(, plural,)?/g)].map(([place]) => place),
    ...[...text.matchAll(/`[^`]+`|\$\([\w-]+\)|\(command:[\w.]+\)|--[a-z][a-z-]*|https?:\/\//g)].map(([part]) => part),
  ];
  return [...new Set(parts)].sort().join(' ');
}
