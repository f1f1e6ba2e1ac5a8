// npm run test:frontdoor: the README's commands as a stranger runs them, in clones of the last commit without node_modules,
// .vscode-test or dist. The last line is "N passed, N failed". The clones are removed; the package cache may be used.
//
// Plain JavaScript on Node's own modules, run by whichever Node there is.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './bootstrap.mjs';

/** Ends a command that hangs: a fresh installation takes about a minute. */
const limitMinutes = 15;
const places = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'deep-research-clone-'));

const checks = {
  'npm start serves the editor with the extension, and leaves nothing behind': start,
  'npm run research prints a report': research,
  'after npm ci: npm run step runs a node': step,
  'after npm ci: npm run check is green': check,
  'after npm ci: npm run package writes the .vsix': pack,
};

async function main() {
  const failed = [];
  // A command that installs is the first in its clone.
  const clones = { start: clone('stranger'), research: clone('reader') };
  const contributor = clone('contributor');
  try {
    for (const [name, run] of Object.entries(checks)) {
      const started = Date.now();
      try {
        await run(clones[run.name] ?? contributor);
        console.log(`✔ ${name} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
      } catch (error) {
        failed.push(`Failed: ${name}`);
        console.log(`✖ ${name}\n${error.message}`);
      }
    }
  } finally {
    cleanUp();
  }
  for (const line of failed) console.log(line);
  console.log(`\n${Object.keys(checks).length - failed.length} passed, ${failed.length} failed`);
  return failed.length > 0 ? 1 : 0;
}

function cleanUp() {
  for (const { pid } of processesOf(places)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It has ended by itself.
      if (error.code !== 'ESRCH') console.error(error.message);
    }
  }
  fs.rmSync(places, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** The last commit, as `git clone` gives it. */
function clone(name) {
  const folder = path.join(places, name);
  const done = spawnSync('git', ['clone', '--quiet', '--no-hardlinks', root, folder], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return folder;
}

async function start(folder) {
  const command = npm(folder, 'start', '--', '--served');
  let address;
  try {
    address = new URL(await command.line('Deep Research is ready: '));
    assert.match(await pageAt(address), /<script\b[^>]*workbench/, 'the page is the workbench');
    assert.equal((await fetch(address.origin)).status, 403, 'and only with its token');
    const { publisher, name } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const extensions = path.join(folder, '.editor', 'extensions');
    const [installed] = JSON.parse(fs.readFileSync(path.join(extensions, 'extensions.json'), 'utf8'));
    assert.equal(installed.identifier.id, `${publisher}.${name}`);
    assert.ok(fs.existsSync(path.join(extensions, installed.relativeLocation, 'dist', 'extension.js')));
  } finally {
    command.kill('SIGTERM');
  }
  await command.ended;
  await until(() => processesOf(folder).length === 0, 'every process has ended');
  await assert.rejects(fetch(address.origin), 'the server is closed');
}

/** As a browser opens it: the address with the token answers with a cookie and the page's own address. */
async function pageAt(address) {
  const answer = await fetch(address, { redirect: 'manual' });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const page = await fetch(new URL(answer.headers.get('location') ?? address, address), { headers: { cookie } });
  assert.equal(page.status, 200, 'the page answers');
  return page.text();
}

async function research(folder) {
  const question = 'What are the main techniques for retrieval-augmented generation?';
  const command = npm(folder, 'run', '--silent', 'research', '--', question, '--workspace', 'examples', '--yes');
  const { code, stdout, stderr } = await command.ended;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^# .+/m);
  assert.match(stdout, /\[\[1\]\]\(#ref-1\)|\[1\]/);
  assert.match(stdout, /^## References$/m);
  assert.equal(fs.readdirSync(path.join(folder, 'examples', 'research')).length, 2, 'the report and its evidence');
}

/** The contributor's clone, once `npm ci` has run there and nothing else. */
async function step(folder) {
  await succeeds(npm(folder, 'ci', '--no-audit', '--no-fund', '--loglevel=error'));
  const state = path.join(places, 'state.json');
  fs.writeFileSync(state, JSON.stringify({ originalQuery: 'How do LZ4 and Zstandard differ in speed?' }));
  const stdout = await succeeds(npm(folder, 'run', '--silent', 'step', '--', 'assess', '--state', state));
  assert.ok(typeof JSON.parse(stdout) === 'object');
}

async function check(folder) {
  await succeeds(npm(folder, 'run', 'check'));
}

async function pack(folder) {
  await succeeds(npm(folder, 'run', 'package', '--', 'product.vsix'));
  assert.ok(fs.statSync(path.join(folder, 'product.vsix')).size > 0);
}

async function succeeds(command) {
  const { code, stdout, stderr } = await command.ended;
  assert.equal(code, 0, `${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`);
  return stdout;
}

/** Runs npm in a folder, in a process group of its own as a terminal does, with what this npm set in the environment left out. */
function npm(folder, ...args) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|DEEP_RESEARCH_)/i.test(name)),
  );
  env.PATH = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.includes(`${path.sep}node_modules${path.sep}`))
    .join(path.delimiter);
  env.CI = 'true';
  const windows = process.platform === 'win32';
  const child = spawn(windows ? 'npm.cmd' : 'npm', args, { cwd: folder, env, shell: windows, detached: !windows });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => void (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => void (stderr += text));
  const hangs = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limitMinutes * 60_000);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(hangs);
      resolve({ code: code ?? signal, stdout, stderr });
    });
  });
  /** Resolves with the rest of the first whole line that begins so. */
  const line = (beginning) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = stdout
          .split('\n')
          .slice(0, -1)
          .find((text) => text.startsWith(beginning));
        if (found !== undefined) resolve(found.slice(beginning.length));
      };
      child.stdout.on('data', look);
      void ended.then(({ code }) => reject(new Error(`It ended with ${code}:\n${stdout}\n${stderr}`)), reject);
    });
  return { ended, line, kill: (signal) => child.kill(signal) };
}

/** The processes that name a folder or work in it. Linux only; elsewhere none are seen. */
function processesOf(folder) {
  if (!fs.existsSync('/proc/self')) return [];
  return fs
    .readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const isInside = line.includes(folder) || fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        return isInside ? [{ pid: Number(pid), line }] : [];
      } catch {
        return [];
      }
    });
}

async function until(holds, what) {
  for (const deadline = Date.now() + 30_000; !holds();) {
    if (Date.now() > deadline)
      throw new Error(
        `Never: ${what}.\n${processesOf(places)
          .map(({ line }) => line)
          .join('\n')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => {
    cleanUp();
    process.exit(code);
  });
process.exitCode = await main();
