import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { ServerCommand } from './agentFiles.ts';
import { launcherPath } from './launcherPath.ts';

/**
 * Writes the script that agents start, with the user's settings beside it.
 *
 * @param storage The extension's global storage.
 * @param extension Absolute path of the extension's folder.
 */
export function writeLauncher(storage: string, extension: string, settings: Readonly<Record<string, unknown>>): void {
  const script = launcherPath(storage);
  fs.mkdirSync(path.dirname(script), { recursive: true });
  fs.writeFileSync(script, launcherScript(extension));
  writeSettings(path.join(path.dirname(script), 'settings.json'), settings);
}

/** Settings for the command line, which can't reach the editor's own models. */
export function writeSettings(file: string, settings: Readonly<Record<string, unknown>>): void {
  const isOfEditor = settings['deepResearch.model.provider'] === 'vscode';
  const usable = Object.entries(settings).filter(([key]) => !isOfEditor || !key.startsWith('deepResearch.model.'));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // Headers and variables of servers may hold secrets.
  fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(usable), undefined, 2)}\n`, { mode: 0o600 });
}

/**
 * What starts the server from outside of the editor: the launcher, run by the editor itself, or in a remote window, whose Node has
 * another path after each update, by the Node on the PATH.
 */
export function agentCommand(storage: string, workspace: string): ServerCommand {
  const isElectron = process.versions['electron'] !== undefined;
  return {
    command: !isElectron && isOnPath('node') ? 'node' : process.execPath,
    args: [launcherPath(storage), 'mcp', '--workspace', workspace],
    ...(isElectron && { env: { ELECTRON_RUN_AS_NODE: '1' } }),
  };
}

function isOnPath(command: string): boolean {
  const name = process.platform === 'win32' ? `${command}.exe` : command;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => fs.existsSync(path.join(folder, name)));
}

/**
 * A script that runs the command line of the installed extension with the user's settings, which are saved beside it, and the editor's runs. An update installs
 * into another folder and removes the old one: then the newest folder beside it is taken.
 *
 * @param extension Absolute path of the extension's folder.
 */
function launcherScript(extension: string): string {
  return `// Written by Deep Research for VS Code, for agents that start it.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const installed = ${JSON.stringify(extension)};
const folder = dirname(installed);
const others = existsSync(folder) ? readdirSync(folder).filter((name) => /^deep-research\\.deep-research-\\d/.test(name)) : [];
const newest = others.sort(new Intl.Collator('en', { numeric: true }).compare).reverse();
const found = [installed, ...newest.map((name) => join(folder, name))]
  .map((place) => join(place, 'dist', 'cli.js'))
  .find((file) => existsSync(file));
if (found === undefined) {
  console.error('Deep Research for VS Code is not installed any more. Remove it from the configuration of this agent.');
  process.exit(1);
}
const own = dirname(fileURLToPath(import.meta.url));
// The runs of agents are in the history of the editor.
const usual = { '--settings': join(own, 'settings.json'), '--run-dir': join(dirname(own), 'runs') };
for (const [flag, value] of Object.entries(usual)) if (!process.argv.includes(flag)) process.argv.push(flag, value);
await import(pathToFileURL(found).href);
`;
}
