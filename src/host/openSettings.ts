import * as vscode from 'vscode';
import { settingsPrefix } from './commandIds.ts';
import { manifestOf } from './manifest.ts';

/** Shows a setting, or all whose names begin with `key`; without a usable key all of the extension. */
export async function openSettings(extension: vscode.Extension<unknown>, key?: string): Promise<void> {
  const name =
    key !== undefined && /^[\w.-]+$/.test(key) ? settingsPrefix + key.replace(settingsPrefix, '') : undefined;
  const query = name ?? `@ext:${extension.id}`;
  const declared = manifestOf(extension).contributes.configuration.flatMap(({ properties }) =>
    Object.entries(properties),
  );
  const ofMachine = declared.some(
    ([full, { scope }]) => scope === 'machine' && full.startsWith(name ?? settingsPrefix),
  );
  // The User tab of a remote window lacks the settings of machine scope; the Remote tab has all.
  if (vscode.env.remoteName !== undefined && ofMachine)
    await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
  else await vscode.commands.executeCommand('workbench.action.openSettings', query);
}
