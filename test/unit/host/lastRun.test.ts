import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastRunMemory } from '../../../src/host/lastRun.ts';

/** The editor's storage of one window, as far as it is asked here. */
function memory(): LastRunMemory {
  const stored = new Map<string, unknown>();
  return new LastRunMemory({
    get: (key: string) => stored.get(key),
    // The editor stores JSON.
    update: async (key: string, value: unknown) => void stored.set(key, JSON.parse(JSON.stringify(value))),
    keys: () => [...stored.keys()],
  } as ConstructorParameters<typeof LastRunMemory>[0]);
}

test('a window remembers the folder that its run was given', () => {
  const window = memory();
  window.started('20250102-000000-000001', '/one');
  assert.deepEqual(window.run, { run: '20250102-000000-000001', dismissed: false, workspaceFolder: '/one' });
  window.started('20250103-000000-000001', undefined);
  assert.deepEqual(
    window.run,
    { run: '20250103-000000-000001', dismissed: false },
    'another run has no folder of the one before',
  );
});

test('a run that is resumed where its folder may not be read keeps it, and is shown again after New', () => {
  const window = memory();
  window.started('20250102-000000-000001', '/one');
  window.changeRun({ dismissed: true });
  window.started('20250102-000000-000001', undefined);
  assert.deepEqual(window.run, { run: '20250102-000000-000001', dismissed: false, workspaceFolder: '/one' });
});
