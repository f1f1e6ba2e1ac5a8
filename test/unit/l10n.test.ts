import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { panelStrings } from '../../src/protocol/strings.ts';
import { root } from '../support/paths.ts';

const bundle: Record<string, string> = JSON.parse(readFileSync(path.join(root, 'l10n/bundle.l10n.json'), 'utf8'));

/** Every literal that the host hands to `l10n.t`. */
function hostTexts(): string[] {
  const folder = path.join(root, 'src/host');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8');
    const calls = [...source.matchAll(/l10n\.t\(\s*(.)/g)];
    const literals = [...source.matchAll(/l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, literal]) => literal!.replaceAll("\\'", "'"));
    // The panel's texts are the one case of a variable: they are compared by themselves.
    const variables = calls.filter(([, first]) => first !== "'").length;
    assert.equal(variables, file === 'researchHost.ts' ? 1 : 0, `${file} localises something that is no literal`);
    return literals;
  });
}

test('the bundle for translators holds every text that a user can see, and nothing else', () => {
  const texts = [...new Set([...hostTexts(), ...Object.values(panelStrings)])];
  assert.ok(texts.length > 100);
  assert.deepEqual(Object.keys(bundle).sort(), texts.sort());
});

test('the bundle is the English one: each text stands for itself', () => {
  for (const [key, text] of Object.entries(bundle)) assert.equal(text, key);
});
