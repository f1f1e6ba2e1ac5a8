// Installs what is missing for a command, and says so: node scripts/bootstrap.mjs [editor] [browser]
//
// Plain JavaScript on Node's own modules: it runs on a fresh clone with Node 20 and no node_modules. Each step looks
// first, so that a second run installs nothing; each works in a temporary place and renames at the end, so that an
// interrupted one is simply done again.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tools = path.join(root, '.vscode-test');
const windows = process.platform === 'win32';

/** Carries VS Code 1.139.1, server and browser workbench; no other build of VS Code comes from npm. */
const editorPackage = { name: 'code-server', version: '4.139.1' };
const nodeBinary = path.join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

// What it says is no part of the command: a closed stderr ends nothing.
process.stderr.on('error', () => undefined);
const say = (text) => process.stderr.write(`${text}\n`);

export class BootstrapError extends Error {
  name = 'BootstrapError';
}

/**
 * @param {{ editor?: boolean, browser?: boolean, tools?: readonly string[] }} needs what the command needs besides node_modules and Node 24
 * @returns {Promise<{ node: string, editor: string | undefined, browser: string | undefined }>} the binary of Node, the folder
 * of VS Code's server, and the browser
 */
export async function bootstrap(needs = {}) {
  const release = await lock();
  try {
    // The package manager of the machine waits for its own server and disk: beside npm, which does too.
    const installing = needs.browser ? installBrowser() : Promise.resolve(undefined);
    const installingTools = installing.catch(() => undefined).then(() => installTestTools(needs.tools));
    await installPackages();
    const node = installNode();
    const editor = needs.editor ? await installEditor(node) : undefined;
    await installingTools;
    return { node, editor, browser: await installing };
  } finally {
    release();
  }
}

/** Two commands started together: the second waits until the first has installed everything. */
async function lock() {
  fs.mkdirSync(tools, { recursive: true });
  const file = path.join(tools, 'bootstrap.lock');
  let told = false;
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      const release = () => fs.rmSync(file, { force: true });
      process.once('exit', release);
      return () => {
        process.removeListener('exit', release);
        release();
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (removeIfStale(file)) continue;
    if (!told) say('Another command is installing; waiting for it.');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A lock whose process is gone, or that names no process although it had time to. */
function removeIfStale(file) {
  try {
    const owner = fs.readFileSync(file, 'utf8');
    const fresh = owner === '' && Date.now() - fs.statSync(file).mtimeMs < 5_000;
    if (fresh || isAlive(Number(owner))) return false;
    // Renamed first: of two that find it stale, one gets it, and neither can delete the other's new lock.
    const mine = `${file}.${process.pid}`;
    fs.renameSync(file, mine);
    if (fs.readFileSync(mine, 'utf8') !== owner) fs.linkSync(mine, file);
    fs.rmSync(mine);
    return true;
  } catch {
    // It went away between two looks: the next attempt to make it tells.
    return true;
  }
}

export function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function installPackages() {
  const wrong = firstWrongPackage();
  if (wrong === undefined) return;
  say(`Installing packages with npm ci (${wrong})…`);
  await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], root);
  const still = firstWrongPackage();
  if (still !== undefined) throw new BootstrapError(`npm ci ended, but ${still}. Delete node_modules and try again.`);
}

/** npm writes node_modules/.package-lock.json last, so it tells what is wholly installed. */
function firstWrongPackage() {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages;
  if (!wanted) throw new BootstrapError('package-lock.json is missing or broken.');
  const found = readJson(path.join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!found) return 'there is no complete node_modules yet';
  for (const [place, { version, optional, peer }] of Object.entries(wanted)) {
    if (place === '' || optional || peer) continue;
    if (found[place]?.version !== version) return `${place} is not at ${version}`;
  }
  return undefined;
}

function installNode() {
  if (nodeVersion(nodeBinary) !== undefined) return nodeBinary;
  // Where npm is told not to run install scripts, the package's own step that fetches the binary was left out.
  const folder = path.join(root, 'node_modules', 'node');
  say('Installing Node 24 (for this project only)…');
  const done = spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (done.status === 0 && nodeVersion(nodeBinary) !== undefined) return nodeBinary;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new BootstrapError(
    'Node 24 could not be installed from the npm package "node". Run this with Node 24 or newer.',
  );
}

function nodeVersion(binary) {
  const asked = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}

/**
 * @param {string} node the binary of Node
 * @param {string} [version] of the package; default: the one that all tests but one run in
 * @returns the folder that holds out/server-main.js
 */
async function installEditor(node, version = editorPackage.version) {
  const { name } = editorPackage;
  const target = path.join(tools, `${name}-${version}`);
  const server = (folder) => path.join(folder, 'node_modules', name, 'lib', 'vscode');
  // The rename below is the last step, so an existing folder is a complete one.
  if (fs.existsSync(target)) return withLog(server(target));

  for (const entry of fs.readdirSync(tools)) {
    if (entry.startsWith('tmp-')) fs.rmSync(path.join(tools, entry), { recursive: true, force: true });
  }
  say(`Installing VS Code's server (${name} ${version}, about 600 MB, once)…`);
  const temporary = fs.mkdtempSync(path.join(tools, 'tmp-'));
  fs.writeFileSync(path.join(temporary, 'package.json'), '{ "private": true }\n');
  // Its install scripts compile native modules that need system headers and that nothing here uses.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { PATH: path.dirname(node) + path.delimiter + process.env.PATH };
  await npm(['install', ...quiet, `${name}@${version}`], temporary, env);
  await npm(['install', '--omit=dev', ...quiet], server(temporary), env);
  if (!fs.existsSync(path.join(server(temporary), 'out', 'server-main.js'))) {
    throw new BootstrapError(`${name} ${version} holds no VS Code server.`);
  }
  fs.renameSync(temporary, target);
  return withLog(server(target));
}

/**
 * An older version of the editor, and the Node 22 that it was made for: under Node 24 its extension host waits for ever for its own
 * loader of modules.
 * @param {string} version of the package
 */
export async function installOldEditor(version) {
  const server = await installEditor(process.execPath, version);
  const folder = path.join(tools, `${editorPackage.name}-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  const node = path.join(folder, 'node_modules', name, 'bin', 'node');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (nodeVersion(node) === undefined) await npm(['install', ...quiet, `${name}@22`], folder);
  return { server, node };
}

/** Gives the server a logger in place of the native module that it lacks (scripts/lib/spdlog.cjs). */
function withLog(folder) {
  const ours = fs.readFileSync(path.join(root, 'scripts', 'lib', 'spdlog.cjs'), 'utf8');
  const file = path.join(folder, 'node_modules', '@vscode', 'spdlog', 'index.js');
  if (fs.readFileSync(file, 'utf8') === ours) return folder;
  fs.writeFileSync(`${file}.tmp`, ours);
  fs.renameSync(`${file}.tmp`, file);
  return folder;
}

/** Opens a window of the editor in three quarters of the processor time that a whole Chromium takes; a package of Debian. */
const headlessShell = 'chromium-headless-shell';

/**
 * The headless shell, or a whole browser where there is none. On Debian as root the shell is installed; where it can't be, that is
 * tried once.
 */
export async function installBrowser({ folder = tools, mayInstall = isDebianRoot() } = {}) {
  const tried = path.join(folder, 'shell-tried');
  if (mayInstall && !findShell() && !(findBrowser() && fs.existsSync(tried)) && !process.env.CHROME_PATH) {
    say(`Installing ${headlessShell} with apt-get…`);
    await aptGet('update');
    // Debian's older releases and Ubuntu have none.
    if (!(await aptGet('install', headlessShell)) && !findBrowser()) await aptGet('install', 'chromium');
    fs.writeFileSync(tried, '');
  }
  const browser = findShell() ?? findBrowser();
  if (browser === undefined)
    throw new BootstrapError(
      'No Chromium or Chrome was found, which the tests in the real editor need. Install one, or name it in CHROME_PATH.',
    );
  return browser;
}

/** Debian's packages that some tests need: the queue's server, and GitHub's renderer of Markdown. */
const testTools = {
  postgresql: () => fs.existsSync('/usr/lib/postgresql'),
  'cmark-gfm': () => inPath(['cmark-gfm']).some((file) => fs.existsSync(file)),
};

/** Installs them where a machine is made for tests. Elsewhere those tests are skipped without them. */
async function installTestTools(names = []) {
  const missing = names.filter((name) => !testTools[name]());
  if (!process.env.CI || !isDebianRoot() || missing.length === 0) return;
  say(`Installing ${missing.join(' and ')} with apt-get…`);
  await aptGet('update');
  for (const name of missing) await aptGet('install', name);
}

function isDebianRoot() {
  return fs.existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

async function aptGet(command, ...packages) {
  const options = command === 'install' ? ['-y', '--no-install-recommends'] : [];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const done = run('apt-get', ['-qq', command, ...options, ...packages], env, ['ignore', 2, 2]);
  const code = await done.catch((error) => error.message);
  if (code !== 0) say(`apt-get ${command} failed (${code}).`);
  return code === 0;
}

/** A browser that is named is the only one. */
function findShell() {
  return process.env.CHROME_PATH ? undefined : inPath([headlessShell]).find((file) => fs.existsSync(file));
}

function inPath(commands) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return commands.flatMap((command) => folders.map((folder) => path.join(folder, command)));
}

function findBrowser() {
  const named = process.env.CHROME_PATH;
  if (named) return fs.existsSync(named) ? named : undefined;
  const commands = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
  const apps = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) =>
        ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((file) =>
          path.join(folder, file),
        ),
      ),
  ];
  return [...inPath(commands), ...apps, ...playwrightBrowsers()].find((file) => fs.existsSync(file));
}

function playwrightBrowsers() {
  const caches = {
    linux: path.join(os.homedir(), '.cache', 'ms-playwright'),
    darwin: path.join(os.homedir(), 'Library', 'Caches', 'ms-playwright'),
    win32: path.join(process.env.LOCALAPPDATA ?? os.homedir(), 'ms-playwright'),
  };
  const cache = caches[process.platform];
  if (!cache || !fs.existsSync(cache)) return [];
  const places = [
    'chrome-linux64/chrome',
    'chrome-linux/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-win/chrome.exe',
  ];
  const builds = fs
    .readdirSync(cache)
    .filter((entry) => /^chromium-\d+$/.test(entry))
    .sort()
    .reverse();
  return builds.flatMap((build) => places.map((place) => path.join(cache, build, place)));
}

/** npm of the running Node. Its words go to stderr: stdout belongs to the command. A signal to us ends it too. */
export async function npm(args, cwd, env = {}) {
  const cli = process.env.npm_execpath;
  const direct = cli !== undefined && /npm-cli\.[cm]?js$/.test(cli);
  const code = direct
    ? await run(process.execPath, [cli, ...args], env, ['ignore', 2, 2], cwd)
    : await run(windows ? 'npm.cmd' : 'npm', args, env, ['ignore', 2, 2], cwd, windows);
  if (code !== 0)
    throw new BootstrapError(`"npm ${args.join(' ')}" ended with ${code}. Is the npm registry reachable?`);
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Runs the same script again under the project's Node 24, with the same arguments, streams and exit code.
 * @returns {Promise<number> | undefined} the exit code, or undefined when this process is already the right one
 */
export function underNode24(node, script, env = {}) {
  if (Number(process.versions.node.split('.')[0]) >= 24) return undefined;
  return run(node, [fileURLToPath(script), ...process.argv.slice(2)], env, 'inherit', root, false, true);
}

/**
 * Runs a program to its end in our place: signals sent to us are passed on, and we end when it has ended. With `orphanEnds`
 * it is also told to end when our own parent is gone: npm passes a signal to its shell, which need not pass it on.
 */
export function run(command, args, env = {}, stdio = 'inherit', cwd = root, shell = false, orphanEnds = false) {
  const child = spawn(command, args, { cwd, stdio, shell, env: { ...process.env, ...env } });
  const pass = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const listener = () => child.kill(signal);
    process.on(signal, listener);
    return [signal, listener];
  });
  const parent = process.ppid;
  const watch = orphanEnds && setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (watch) clearInterval(watch);
      for (const [name, listener] of pass) process.removeListener(name, listener);
      resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0));
    });
  });
}

/** The end of every script: an expected failure is one line, not a stack. */
export function exitWith(promise) {
  promise.then(
    (code) => {
      process.exitCode = code ?? 0;
    },
    (error) => {
      say(error instanceof BootstrapError ? error.message : error.stack);
      process.exitCode = 1;
    },
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wanted = process.argv.slice(2);
  exitWith(
    bootstrap({ editor: wanted.includes('editor'), browser: wanted.includes('browser') }).then((found) => {
      for (const [name, place] of Object.entries(found)) if (place) say(`${name}: ${place}`);
    }),
  );
}
