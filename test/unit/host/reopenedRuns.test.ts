import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { LastRunMemory } from '../../../src/host/lastRun.ts';
import { emptyView } from '../../../src/protocol/reduceRun.ts';
import type { RunView } from '../../../src/protocol/runView.ts';
import { RunSession } from '../../../src/runs/runSession.ts';
import { panelStrings } from '../../../src/protocol/strings.ts';
import { openFolders } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { saveRun } from '../../support/savedRuns.ts';
import { silentLog } from '../../support/scriptedParts.ts';

const { ReopenedRuns } = await import('../../../src/host/sessions/reopenedRuns.ts');

const runsFolder = temporaryFolder('reopened');
afterEach(() => removeFolder(runsFolder));

/** What a new window shows of the runs that were killed in their first moments. */
async function shownIn(folders: readonly string[], isTrusted: boolean): Promise<RunView> {
  openFolders(folders, isTrusted);
  const stored = new Map<string, unknown>();
  const memento = {
    get: (key: string) => stored.get(key),
    update: async (key: string, value: unknown) => void stored.set(key, value),
    keys: () => [...stored.keys()],
  } as ConstructorParameters<typeof LastRunMemory>[0];
  const session = new RunSession({ log: silentLog } as ConstructorParameters<typeof RunSession>[0]);
  const host = {
    ...{ session, runsFolder, log: silentLog, texts: async () => panelStrings },
    memory: new LastRunMemory(memento),
  };
  await new ReopenedRuns(host as unknown as ConstructorParameters<typeof ReopenedRuns>[0]).restore();
  return session.view;
}

test('a run that was interrupted in its first moments is shown again by a window of its folder, and by no other', async () => {
  const without = saveRun(runsFolder, 1, { status: 'running', question: 'Without a folder?' });
  assert.equal((await shownIn([], true)).run, without);
  assert.deepEqual(await shownIn([], false), emptyView());
  assert.deepEqual(await shownIn(['/new'], true), emptyView());
  assert.deepEqual(await shownIn(['/new'], false), emptyView());
  const own = saveRun(runsFolder, 2, { status: 'running', question: 'On a folder?', workspace: '/new' });
  assert.equal((await shownIn(['/new'], true)).run, own);
  assert.equal((await shownIn(['/new'], false)).run, own, 'its panel reads no file');
});
