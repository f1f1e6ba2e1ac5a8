import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bundle, bundleFile, localizedTexts } from '../../scripts/l10n.ts';

test('the bundle for translators holds every text that a user can see, and nothing else', () => {
  const texts = localizedTexts();
  assert.ok(texts.length > 100);
  assert.ok(texts.includes('Open Untitled') && texts.includes('Just start'), 'of the host and of the panel');
  assert.equal(readFileSync(bundleFile, 'utf8'), bundle(texts), 'run "npm run l10n"');
});
