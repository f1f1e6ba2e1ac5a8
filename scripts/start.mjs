// npm start: a real editor with the extension on examples/.
//
// Desktop VS Code when it can be opened from here, else (or with --served) VS Code served on 127.0.0.1 behind a random
// token, its address printed on a line of its own. There the extension is installed from its package, as a user has it, and
// settings and runs stay in .editor/ (or in the folder after --data) for the next start.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrap, exitWith, isAlive, root, underNode24 } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

const workspace = path.join(root, 'examples');
const windows = process.platform === 'win32';

/** What a first start begins with; what is changed in the editor stays. */
const firstSettings = {
  'workbench.startupEditor': 'readme',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  // The editor's server and the engine's connections are no servers of the user's.
  'remote.autoForwardPorts': false,
  'remote.restoreForwardedPorts': false,
};

async function main() {
  const options = readOptions();
  if (options === undefined) {
    process.stderr.write('npm start opens the editor; npm start -- --served [--data FOLDER] serves it.\n');
    return 2;
  }
  const served = options.served || !hasDesktopEditor();
  const { node, editor } = await bootstrap({ editor: served });
  const again = underNode24(node, import.meta.url);
  if (again !== undefined) return again;
  await ensureBuilt(node);
  return served ? serve(editor, path.resolve(options.data)) : openDesktop();
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        served: { type: 'boolean', default: false },
        data: { type: 'string', default: path.join(root, '.editor') },
      },
    });
    return values;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
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

async function serve(server, wantedFolder) {
  const { startEditorServer } = await import('./editorServer.ts');
  const { installPackage } = await import('./lib/installPackage.mjs');
  const ended = interruption();
  const { dataDir, release } = claim(wantedFolder);
  const log = fs.createWriteStream(path.join(dataDir, 'server.log'));
  let running;
  try {
    writeFirstSettings(dataDir);
    await installPackage(path.join(dataDir, 'extensions'));
    running = await startEditorServer({
      server,
      dataDir,
      port: await portOf(dataDir),
      token: randomBytes(20).toString('hex'),
      onOutput: (text) => void log.write(text),
    });
    fs.writeFileSync(path.join(dataDir, 'port'), String(running.port));
    const address = running.address({ extensionPath: null, workspace });
    console.log('VS Code is served on this machine only. Open the address in a browser; Ctrl+C ends it.');
    console.log(`Deep Research is ready: ${address}`);
    openBrowser(address);
    const first = await Promise.race([ended.then(() => 'interrupted'), running.exited]);
    if (first === 'interrupted') return 0;
    process.stderr.write(`The editor's server ended by itself (${first}). Its output: ${log.path}\n`);
    return 1;
  } finally {
    await running?.stop();
    log.end();
    release();
  }
}

/** One server at a time writes into a data folder; beside a running one, a temporary folder serves. */
function claim(dataDir) {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const owner = path.join(dataDir, 'pid');
  if (fs.existsSync(owner) && isAlive(Number(fs.readFileSync(owner, 'utf8')))) {
    process.stderr.write(`Another npm start uses ${dataDir}: this one begins empty and keeps nothing.\n`);
    const temporary = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'deep-research-start-'));
    const release = () => fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    return { dataDir: temporary, release };
  }
  fs.writeFileSync(owner, String(process.pid));
  return { dataDir, release: () => fs.rmSync(owner, { force: true }) };
}

function writeFirstSettings(dataDir) {
  const file = path.join(dataDir, 'data', 'User', 'settings.json');
  if (fs.existsSync(file)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, `${JSON.stringify(firstSettings, null, 2)}\n`);
}

/** The port of the last start: the browser stores the editor's layout and the extension's state by it. 0: any. */
async function portOf(dataDir) {
  const file = path.join(dataDir, 'port');
  const last = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0;
  const isFree = await new Promise((resolve) => {
    const probe = net.createServer().on('error', () => resolve(false));
    probe.listen(last, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  return isFree ? last : 0;
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
