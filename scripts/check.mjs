// npm run check [-- --watch] [WORD…]: types, lint of what changed since it was last green, dead exports, and the unit
// tests, side by side. With words, of the unit tests those with one of them in their path. What it remembers is in out/.
//
// With --watch it begins again at each change, with the unit tests that import what changed.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, exitWith, root } from './bootstrap.mjs';
import { checks } from './lib/checks.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--watch');
const watches = process.argv.includes('--watch');
const watched = ['src', 'test', 'prompts', 'l10n', 'scripts', 'package.json', 'package.nls.json', 'docs'];
/** Long enough for an editor or git to write all of a change. */
const settleMs = 200;
const lintedCommit = path.join(root, 'out', 'lint', 'green');

async function main() {
  const { node } = await bootstrap();
  const code = await check(node, unitFiles());
  if (!watches) return code;
  for (;;) {
    console.log('\nWaiting for a change. Ctrl+C ends it.');
    const changed = await nextChange();
    const files = await importersOf(changed);
    console.log(`\n${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ', …' : ''}: ${files.length} test files`);
    await check(node, files);
  }
}

async function check(node, files) {
  const started = performance.now();
  const head = git('rev-parse', 'HEAD')[0];
  const jobs = [
    job('types', node, withoutForce(checks.types)),
    lint(node, head),
    job('dead exports', node, checks['dead exports']),
  ];
  const shards = Math.min(Math.max(2, os.availableParallelism()), files.length);
  for (let shard = 0; shard < shards; shard += 1)
    jobs.push(job('unit', node, unitArguments(files.filter((_file, index) => index % shards === shard))));
  const codes = await Promise.all(jobs);
  const failed = codes.filter((code) => code !== 0).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(failed === 0 ? `Green in ${seconds} s.` : `Red in ${seconds} s.`);
  return failed === 0 ? 0 : 1;
}

/** The compiler's memory misses a change of a tsconfig, which `npm test` sees. */
function withoutForce(args) {
  return args.filter((argument) => argument !== '--force');
}

/** Typed rules load all that a file imports: only what changed is linted, and `npm test` lints everything. */
async function lint(node, head) {
  const files = changedFiles().filter((file) => /\.(ts|tsx|mjs)$/.test(file) && fs.existsSync(path.join(root, file)));
  const all = files.includes('eslint.config.mjs');
  const args = checks.lint.filter((argument) => argument !== '.');
  args.push(
    '--no-warn-ignored',
    '--cache',
    '--cache-strategy=content',
    '--cache-location=out/lint/',
    ...(all ? ['.'] : files),
  );
  const code = files.length === 0 ? 0 : await job('lint', node, args);
  if (code === 0 && head) {
    fs.mkdirSync(path.dirname(lintedCommit), { recursive: true });
    fs.writeFileSync(lintedCommit, head);
  }
  return code;
}

/** Against the commit at which lint was last green; in a fresh checkout, against where the branch began or the commit before. */
function changedFiles() {
  const remembered = fs.existsSync(lintedCommit) ? fs.readFileSync(lintedCommit, 'utf8') : undefined;
  const head = git('rev-parse', 'HEAD')[0];
  const began = ['main', 'origin/main'].map((branch) => git('merge-base', 'HEAD', branch)[0]);
  const bases = [remembered, ...began.filter((commit) => commit !== head), 'HEAD~', 'HEAD'];
  const base = bases.find(
    (commit) => commit && git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`).length > 0,
  );
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** The lines that git prints; none where it fails, as in an archive without a repository. */
function git(...args) {
  try {
    const printed = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return printed.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

function unitFiles() {
  return fs
    .readdirSync(path.join(root, 'test', 'unit'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.join('test', 'unit', file))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
}

function unitArguments(files) {
  return [
    ...['register', 'offline'].flatMap((name) => ['--import', `./test/support/${name}.mjs`]),
    '--test-reporter=./scripts/lib/quietReporter.mjs',
    '--test-reporter-destination=stdout',
    'scripts/lib/manyTests.mjs',
    ...files,
  ];
}

/** Shows what a program printed once it has ended, so that programs side by side don't mix; nothing when all is well. */
function job(name, command, args) {
  const child = spawn(command, args, {
    cwd: root,
    // Most of what a short test file takes is compiling the sources that it imports.
    env: { ...process.env, NODE_COMPILE_CACHE: path.join(root, 'out', 'compile-cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => void (output += text));
  return new Promise((resolve) => {
    child.on('error', (error) => void (output += error.message));
    child.on('close', (code) => {
      if (name === 'unit') process.stdout.write(output);
      else console.log(code === 0 ? `${name}: fine` : `${name}:\n${output.trimEnd()}`);
      resolve(code ?? 1);
    });
  });
}

/** Resolves with the changed files once nothing more changes. */
function nextChange() {
  return new Promise((resolve) => {
    const changed = new Set();
    let timer;
    const watchers = watched.map((place) =>
      fs.watch(path.join(root, place), { recursive: true }, (_event, file) => {
        changed.add(file === null || place.includes('.') ? place : path.join(place, file));
        clearTimeout(timer);
        timer = setTimeout(() => {
          for (const watcher of watchers) watcher.close();
          resolve([...changed]);
        }, settleMs);
      }),
    );
  });
}

/** The unit tests that import one of the files, directly or not. A file that no test imports may be read by any: all of them. */
async function importersOf(changed) {
  const { build } = await import('esbuild');
  const files = unitFiles();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.md': 'text', '.mjs': 'ts' },
    logLevel: 'silent',
  });
  const inputs = new Map(Object.values(metafile.outputs).map((out) => [out.entryPoint, Object.keys(out.inputs)]));
  const isKnown = (file) => [...inputs.values()].some((names) => names.includes(file));
  if (!changed.every(isKnown)) return files;
  return files.filter((file) => inputs.get(file)?.some((input) => changed.includes(input)));
}

exitWith(main());
