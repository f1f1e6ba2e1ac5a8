import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { OfferedModels } from '../../../src/protocol/ports.ts';
import { editor } from '../../support/imitatedEditor.ts';

test('Select Model says what the trial of each model showed, and which has had none', async () => {
  const { showQuickPick } = editor.window;
  after(() => Object.assign(editor.window, { showQuickPick }));
  let shown: readonly { label: string; description?: string; choice?: object }[] = [];
  editor.window.showQuickPick = async (items: unknown) => void (shown = await (items as Promise<typeof shown>));
  const { selectModel } = await import('../../../src/host/models/selectModel.ts');
  const models = [
    { id: 'a', trust: 'leads' },
    { id: 'b', trust: 'helps' },
    { id: 'c', trust: 'quotes' },
    { id: 'd', trust: 'late' },
    { id: 'e' },
  ] as const;
  const offered: OfferedModels = { provider: 'ollama', label: 'Ollama', baseUrl: '', models };
  const engine = { offerModels: () => Promise.resolve([offered]) };
  const context = { globalState: { get: () => undefined } };
  await selectModel({
    loadEngine: () => Promise.resolve(engine),
    options: () => ({}),
    context,
  } as unknown as Parameters<typeof selectModel>[0]);
  assert.deepEqual(
    shown.filter(({ choice }) => choice).map(({ label, description }) => [label, description]),
    [
      ['a', 'leads the research'],
      ['b', 'too small: only writes'],
      ['c', 'too small: quotes only'],
      ['d', 'too slow: quotes only'],
      ['e', 'not tried yet'],
    ],
  );
});
