// npm start: a real editor with the extension on examples/.
//
// Desktop VS Code when it can be opened from here, else (or with --served) VS Code served on 127.0.0.1 behind a random
// token, its address printed on a line of its own.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, exitWith, root, underNode24 } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

const workspace = path.join(root, 'examples');
const windows = process.platform === 'win32';

async function main() {
  const unknown = process.argv.slice(2).filter((option) => option !== '--served');
  if (unknown.length > 0) {
    process.stderr.write(
      `Unknown option: ${unknown.join(' ')}. "npm start" opens the editor; "npm start -- --served" serves it.\n`,
    );
    return 2;
  }
  const served = process.argv.includes('--served') || !hasDesktopEditor();
  const { node, editor } = await bootstrap({ editor: served });
  const again = underNode24(node, import.meta.url);
  if (again !== undefined) return again;
  await ensureBuilt(node);
  return served ? serve(editor) : openDesktop();
}

/** `code` is there, is not the one of a remote terminal (which cannot load an extension), and has a display to open on. */
function hasDesktopEditor() {
  if (process.env.VSCODE_IPC_HOOK_CLI || !hasDisplay()) return false;
  const names = windows ? ['code.cmd', 'code.exe'] : ['code'];
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => folder && names.some((name) => fs.existsSync(path.join(folder, name))));
}

function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

function openDesktop() {
  const quoted = (text) => (windows ? `"${text}"` : text);
  const done = spawnSync('code', ['--new-window', quoted(`--extensionDevelopmentPath=${root}`), quoted(workspace)], {
    stdio: 'inherit',
    shell: windows,
  });
  if (done.status === 0) console.log('Deep Research is ready: a new window of VS Code opens.');
  return done.status ?? 1;
}

async function serve(server) {
  const { startEditorServer } = await import('./editorServer.ts');
  const dataDir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'deep-research-start-'));
  const log = fs.createWriteStream(path.join(root, '.vscode-test', 'server.log'));
  const ended = interruption();
  const removeData = () => fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  let running;
  try {
    running = await startEditorServer({
      server,
      dataDir,
      token: randomBytes(20).toString('hex'),
      userSettings: {
        'workbench.startupEditor': 'readme',
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
        'git.openRepositoryInParentFolders': 'never',
        'telemetry.telemetryLevel': 'off',
      },
      onOutput: (text) => void log.write(text),
    });
    const address = running.address({ extensionPath: root, workspace });
    console.log('VS Code is served on this machine only. Open the address in a browser; Ctrl+C ends it.');
    console.log(`Deep Research is ready: ${address}`);
    openBrowser(address);
    const first = await Promise.race([ended.then(() => 'interrupted'), running.exited]);
    if (first === 'interrupted') return 0;
    process.stderr.write(`The editor's server ended by itself (${first}). Its output: .vscode-test/server.log\n`);
    return 1;
  } finally {
    await running?.stop();
    log.end();
    removeData();
  }
}

/** Ctrl+C, a signal, or the end of the command that started this one (npm, a shell): no server is left behind. */
function interruption() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && resolve(), 1_000).unref();
  });
}

function openBrowser(address) {
  if (!hasDisplay() || process.env.CI) return;
  const [command, args] = { darwin: ['open', [address]], win32: ['explorer', [address]] }[process.platform] ?? [
    'xdg-open',
    [address],
  ];
  // It is a convenience: the address is printed in any case.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

exitWith(main());
