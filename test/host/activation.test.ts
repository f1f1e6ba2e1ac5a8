import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateExtension, engineIsLoaded, extension } from './support/extension.ts';

describe('activation', () => {
  it('happens when the extension is first needed, and loads no engine', async () => {
    assert.equal(extension().isActive, false, 'nothing has asked for it yet');
    const host = await activateExtension();
    assert.equal(engineIsLoaded(), false);
    assert.deepEqual([host.session.running, host.session.view.status], [false, 'idle']);
  });

  it('loads the engine when the panel is opened, and the panel says what a run would use', async () => {
    await vscode.commands.executeCommand('deepResearch.start');
    const host = await activateExtension();
    const setup = await host.describeSetup();
    assert.equal(engineIsLoaded(), true);
    assert.deepEqual([setup.analyst, setup.model, setup.modelHost, setup.problem], ['extractive', null, null, null]);
    assert.equal(setup.trusted, true);
    assert.equal(setup.workspace, vscode.workspace.workspaceFolders?.[0]?.name);
    assert.ok(setup.sources.some(({ name, hosts }) => name === 'workspace' && hosts.length === 0));
    assert.ok(setup.examples.every((example) => example.length > 10));
  });
});
