import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyMemory, KeyRing, readKey, type SecretStore } from '../../../src/host/secrets.ts';

function inMemory(): SecretStore & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: async (name) => entries.get(name),
    store: async (name, value) => void entries.set(name, value),
    delete: async (name) => void entries.delete(name),
  };
}

function memory(): KeyMemory {
  const values = new Map<string, unknown>();
  return { get: (name) => values.get(name), update: async (name, value) => void values.set(name, value) };
}

const noSignIn = async () => undefined;

test('a saved key comes back for the origin that it was saved for, and for no other', async () => {
  const ring = new KeyRing(inMemory(), memory(), noSignIn, () => undefined);
  await ring.save('openai', 'https://api.openai.com', 'sk-1');
  assert.equal(await ring.key('openai', 'https://api.openai.com'), 'sk-1');
  for (const origin of [
    'http://api.openai.com',
    'https://api.openai.com:8443',
    'https://api.openai.com.example',
    'https://example.com',
    '',
  ]) {
    assert.equal(await ring.key('openai', origin), undefined, origin);
  }
  assert.equal(await ring.key('openai-compatible', 'https://api.openai.com'), undefined);
});

test('a cleared key is gone', async () => {
  const store = inMemory();
  const ring = new KeyRing(store, memory(), noSignIn, () => undefined);
  await ring.save('github', 'https://api.github.com', 'ghp_1');
  assert.equal(await ring.savedFor('github'), 'https://api.github.com');
  await ring.clear('github');
  assert.equal(await ring.savedFor('github'), undefined);
  assert.equal(await ring.key('github', 'https://api.github.com'), undefined);
  assert.equal(store.entries.size, 0);
});

test('keys are saved under the documented name of their service', async () => {
  const store = inMemory();
  await new KeyRing(store, memory(), noSignIn, () => undefined).save('openai', 'https://api.openai.com', 'sk-1');
  assert.deepEqual([...store.entries.keys()], ['deepResearch.key.openai']);
});

test('an entry that is torn, foreign or of an older form gives no key', async () => {
  const store = inMemory();
  const ring = new KeyRing(store, memory(), noSignIn, () => undefined);
  for (const text of [
    '',
    'sk-plain',
    '{',
    '[]',
    'null',
    '{"key":"sk-1"}',
    '{"origin":5,"key":"sk-1"}',
    '{"origin":"https://a.example"}',
  ]) {
    store.entries.set('deepResearch.key.openai', text);
    assert.equal(await ring.key('openai', 'https://a.example'), undefined, text);
  }
});

test('with consent the editor’s own account gives the token, but only for the origin that was agreed to', async () => {
  const asked: string[] = [];
  const ring = new KeyRing(
    inMemory(),
    memory(),
    async (service) => (asked.push(service), 'gho_token'),
    () => undefined,
  );
  assert.equal(await ring.key('github', 'https://api.github.com'), undefined);
  assert.deepEqual(asked, [], 'without consent nobody is asked');
  await ring.useSignIn('github', 'https://api.github.com');
  assert.equal(await ring.key('github', 'https://api.github.com'), 'gho_token');
  assert.equal(await ring.key('github', 'https://github.example'), undefined);
});

test('every key is made known to the log before it is handed out', async () => {
  const hidden: string[] = [];
  const ring = new KeyRing(
    inMemory(),
    memory(),
    async () => 'gho_token',
    (key) => hidden.push(key),
  );
  await ring.save('openai', 'https://api.openai.com', 'sk-1');
  await ring.useSignIn('github', 'https://api.github.com');
  await ring.key('github', 'https://api.github.com');
  assert.deepEqual(hidden, ['sk-1', 'gho_token']);
});

test('a key that the editor did not keep is reported once, without anything of it in the memory', async () => {
  const remembered = memory();
  const save = new KeyRing(inMemory(), remembered, noSignIn, () => undefined);
  await save.save('openai', 'https://api.openai.com', 'sk-secret');
  await save.save('tavily', 'https://api.tavily.com', 'tvly-secret');
  await save.clear('tavily');
  assert.deepEqual(await save.lost(), [], 'a key that is there is not lost, nor is one that was cleared');
  assert.doesNotMatch(JSON.stringify(remembered.get('deepResearch.savedKeys')), /secret/);
  const restarted = new KeyRing(inMemory(), remembered, noSignIn, () => undefined);
  assert.deepEqual(await restarted.lost(), ['openai']);
  assert.deepEqual(await restarted.lost(), []);
});

test('a key that the editor keeps is not reported after a restart', async () => {
  const store = inMemory();
  const remembered = memory();
  await new KeyRing(store, remembered, noSignIn, () => undefined).save('openai', 'https://api.openai.com', 'sk-1');
  assert.deepEqual(await new KeyRing(store, remembered, noSignIn, () => undefined).lost(), []);
});

test('what surrounds a typed key is trimmed', () => {
  assert.deepEqual(readKey('  sk-1\n'), { key: 'sk-1' });
  assert.deepEqual(readKey('\tsk-1\r\n'), { key: 'sk-1' });
});

test('nothing, white space, a line break within, and letters that no header takes are refused', () => {
  for (const text of ['', ' ', '\n', '\t \r\n']) assert.deepEqual(readKey(text), { problem: 'empty' });
  for (const text of ['sk-1 sk-2', 'sk-\n1', 'my key is sk-1'])
    assert.deepEqual(readKey(text), { problem: 'whitespace' });
  for (const text of ['sk–1', 'ключ', '钥匙', 'sk-\u200b1', 'sk-\u00001'])
    assert.deepEqual(readKey(text), { problem: 'characters' });
});
