import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { editor, openFolder, trustEvents, Uri } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

test('agents outside have what the user has set, also while a window is in Restricted Mode', async (context) => {
  const storage = temporaryFolder('agents');
  context.after(() => removeFolder(storage));
  const { offerServer, writeSettings } = await import('../../../src/host/agents/agentServer.ts');
  const { writeLauncher } = await import('../../../src/host/agents/launcher.ts');
  const servers = { 'deepResearch.mcpServers': { notes: { command: 'notes-mcp' } } };
  writeLauncher(storage, '/extension', servers);
  const file = path.join(storage, 'agents', 'settings.json');
  const written = () => JSON.parse(fs.readFileSync(file, 'utf8')) as unknown;
  const warnings: string[] = [];
  const model = { 'deepResearch.model.name': 'm' };
  const properties = { 'deepResearch.mcpServers': {}, 'deepResearch.model.name': {} };
  const host = {
    context: {
      globalStorageUri: Uri.file(storage),
      extensionPath: '/extension',
      extension: { packageJSON: { contributes: { configuration: [{ properties }] } } },
    },
    log: { warn: (message: string) => warnings.push(message) },
    options: () => ({
      settings: { ...model, ...(editor.workspace.isTrusted && servers), 'deepResearch.ofTheFolder': 'x' },
    }),
  };
  const settled = async (isDone: () => boolean) => {
    for (let turns = 0; turns < 200 && !isDone(); turns += 1) await setImmediate();
  };
  openFolder(storage, false);
  offerServer(host as never);
  await writeSettings(host as never);
  assert.deepEqual(written(), servers);
  editor.workspace.isTrusted = true;
  trustEvents.fire();
  const all = { ...model, ...servers };
  await settled(() => Object.keys(written() as object).length === 2);
  assert.deepEqual(written(), all);
  fs.rmSync(file);
  fs.mkdirSync(file);
  trustEvents.fire();
  await settled(() => warnings.length > 0);
  assert.match(warnings.join(), /^agents: .*EISDIR/);
});
