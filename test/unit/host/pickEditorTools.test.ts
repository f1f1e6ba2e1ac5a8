import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editor } from '../../support/imitatedEditor.ts';

test('choosing the tools of the editor keeps those whose server is not running', async () => {
  const { pickTools } = await import('../../../src/host/pickEditorTools.ts');
  editor.lm.tools = ['ask', 'find'].map((name) => ({ name, description: '', tags: [] }));
  editor.window.showQuickPick = async (items) => items.slice(1);
  let picked: unknown = ['notes_search', 'ask'];
  const state = { get: () => picked, update: async (_: string, value: unknown) => void (picked = value) };
  await pickTools(state as never);
  assert.deepEqual(picked, ['notes_search', 'find']);
  editor.window.showQuickPick = async () => [];
  await pickTools(state as never);
  assert.deepEqual(picked, ['notes_search'], 'what is shown can be left out');
});
