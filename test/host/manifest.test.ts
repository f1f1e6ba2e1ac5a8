import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in its host', () => {
  const extension = () => vscode.extensions.getExtension('deep-research.deep-research');

  it('is found by its id', () => {
    assert.ok(extension());
  });

  it('activates by a command of the manifest, and every command has a handler', async () => {
    await vscode.commands.executeCommand('deepResearch.start');
    assert.equal(extension()?.isActive, true);
    const { contributes } = extension()?.packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });

  it('has a default for every setting that the manifest declares', () => {
    const { contributes } = extension()?.packageJSON as {
      contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
    };
    const settings = contributes.configuration.flatMap((group) => Object.entries(group.properties));
    assert.ok(settings.length > 20);
    for (const [key, { default: expected }] of settings) {
      assert.deepEqual(vscode.workspace.getConfiguration().inspect(key)?.defaultValue, expected, key);
    }
  });
});
