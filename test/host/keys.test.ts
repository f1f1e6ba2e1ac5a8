import assert from 'node:assert/strict';
import { activateExtension } from './support/extension.ts';

describe('keys in the editor’s secret storage', () => {
  const address = 'https://models.example';

  it('come back after they were saved, for their origin alone, and are gone when they are cleared', async () => {
    const { keys } = await activateExtension();
    await keys.save('openai-compatible', address, 'sk-round-trip');
    assert.equal(await keys.key('openai-compatible', address), 'sk-round-trip');
    assert.equal(await keys.key('openai-compatible', 'https://elsewhere.example'), undefined);
    assert.equal(await keys.key('openai', address), undefined);
    await keys.clear('openai-compatible');
    assert.equal(await keys.key('openai-compatible', address), undefined);
    assert.equal(await keys.savedFor('openai-compatible'), undefined);
  });

  it('are not taken from an account that nobody agreed to use', async () => {
    const { keys } = await activateExtension();
    assert.equal(await keys.key('github', 'https://api.github.com'), undefined);
    await keys.useSignIn('github', 'https://api.github.com');
    // Nobody is signed in here: with consent too there is no token, and nothing is asked or thrown.
    assert.equal(await keys.key('github', 'https://api.github.com'), undefined);
    await keys.clear('github');
  });
});
