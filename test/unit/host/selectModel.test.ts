import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { OfferedModels } from '../../../src/protocol/ports.ts';

/** Of the editor's API what the command uses until something is chosen. */
const editor = `
  export const QuickPickItemKind = { Separator: -1, Default: 0 };
  export const env = { language: 'en' };
  export const l10n = { t: (text) => text };
  export const window = { showQuickPick: async (items) => { globalThis.shownModels = await items; } };
  export const workspace = {}; export const commands = {}; export const Uri = {}; export const ConfigurationTarget = {};
  export const ProgressLocation = {}; export class CancellationError extends Error {}
`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(editor)}`, shortCircuit: true }
      : next(specifier, context),
});

test('Select Model says what the trial of each model showed, and which has had none', async () => {
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
  const shown = (globalThis as unknown as { shownModels: { label: string; description?: string; choice?: object }[] })
    .shownModels;
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
