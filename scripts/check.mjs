// npm run check [-- --watch] [--all] [WORD…]: types, dead exports, and of what changed since they were last green lint and
// the unit tests that reach it, side by side. With words, of the unit tests those with one of them in their path; with
// --all, all. What it remembers is in out/.
//
// With --watch it begins again at each change.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, exitWith, root } from './bootstrap.mjs';
import { checks } from './lib/checks.mjs';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** Whether a file reads others of the repository, by its path. */
const readers = {};
const watches = process.argv.includes('--watch');
const watched = ['src', 'test', 'prompts', 'l10n', 'scripts', 'package.json', 'package.nls.json', 'docs'];
/** Long enough for an editor or git to write all of a change. */
const settleMs = 200;
const lintedCommit = path.join(root, 'out', 'lint', 'green');
const testedCommit = path.join(root, 'out', 'unit', 'green');

async function main() {
  const { node } = await bootstrap();
  const head = git('rev-parse', 'HEAD')[0];
  const tested = words.length > 0 || process.argv.includes('--all') ? undefined : remembered(testedCommit);
  const code = await check(node, tested === undefined ? unitFiles() : await importersOf(changedSince(tested)));
  if (code === 0 && words.length === 0) remember(testedCommit, head);
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
  const files = changedFiles().filter(
    (file) => /\.(ts|tsx|mjs)$|^\.oxlintrc\.json$/.test(file) && fs.existsSync(path.join(root, file)),
  );
  const all = files.some((file) => file === 'eslint.config.mjs' || file === '.oxlintrc.json');
  const where = all ? ['.'] : files;
  const argumentsOf = (name, ...more) => [...checks[name].filter((argument) => argument !== '.'), ...more, ...where];
  const cache = ['--cache', '--cache-strategy=content', '--cache-location=out/lint/'];
  const codes =
    files.length === 0
      ? []
      : await Promise.all([
          job('lint', node, argumentsOf('lint', '--no-warn-ignored', ...cache)),
          job('typed lint', node, argumentsOf('typed lint', '--no-error-on-unmatched-pattern')),
        ]);
  const code = Math.max(0, ...codes);
  if (code === 0) remember(lintedCommit, head);
  return code;
}

/** Against the commit at which lint was last green; in a fresh checkout, against where the branch began or the commit before. */
function changedFiles() {
  const head = git('rev-parse', 'HEAD')[0];
  const began = ['main', 'origin/main'].map((branch) => git('merge-base', 'HEAD', branch)[0]);
  const bases = [remembered(lintedCommit), ...began.filter((commit) => commit !== head), 'HEAD~', 'HEAD'];
  return changedSince(bases.find(isCommit));
}

function changedSince(commit) {
  return [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')];
}

function isCommit(name) {
  return name !== undefined && git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).length > 0;
}

/** The commit at which something was last green, where it is still there. */
function remembered(file) {
  const commit = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  return isCommit(commit) ? commit : undefined;
}

function remember(file, commit) {
  if (!commit) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, commit);
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

/**
 * The unit tests that import one of the files, directly or not, and those that read the repository. A file that may be read by
 * any of them in another way stands for all.
 */
async function importersOf(changed) {
  const files = unitFiles();
  if (changed.length === 0) return [];
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir: 'out',
    bundle: true,
    // What they share is printed once.
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.md': 'text', '.mjs': 'ts' },
    logLevel: 'silent',
  });
  const { inputs } = metafile;
  if (!changed.every((file) => inputs[file] || isReadAsText(file))) return files;
  const reached = (file) => {
    const found = new Set([file]);
    for (const one of found)
      for (const { path: imported } of inputs[one]?.imports ?? []) if (inputs[imported]) found.add(imported);
    return found;
  };
  return files.filter((file) => {
    const all = reached(file);
    return changed.some((one) => all.has(one)) || [...all].some(readsRepository);
  });
}

/** By those alone that read the repository: a document, what another kind of test is made of, a module that no test imports. */
function isReadAsText(file) {
  return /^(?:docs|examples|scripts|test\/(?:system|ui|host|bench|eval))\/|^(?:src|test)\/.*\.tsx?$|^[^/]+\.md$/.test(
    file,
  );
}

/** A test, or what it is made of: what the product reads is no document. */
function readsRepository(file) {
  if (!/^(?:test|scripts)\//.test(file) || file === 'test/support/paths.ts') return false;
  readers[file] ??= /\broot\b|import\.meta|process\.cwd/.test(fs.readFileSync(path.join(root, file), 'utf8'));
  return readers[file];
}

exitWith(main());
