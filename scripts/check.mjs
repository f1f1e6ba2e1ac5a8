// npm run check [-- --watch] [WORD…]: types, lint, dead exports, and the unit tests that take less than a second, side by
// side. With words, of the unit tests those with one of them in their path. What it remembers is in out/.
//
// With --watch it begins again at each change, with the unit tests that import what changed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, exitWith, root } from './bootstrap.mjs';
import { checks } from './lib/checks.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--watch');
const watches = process.argv.includes('--watch');
const watched = ['src', 'test', 'prompts', 'scripts', 'package.json', 'package.nls.json', 'docs'];
/** Long enough for an editor or git to write all of a change. */
const settleMs = 200;

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
  const quick = {
    types: checks.types.filter((argument) => argument !== '--force'),
    lint: [...checks.lint, '--cache', '--cache-strategy=content', '--cache-location=out/lint/'],
    'dead exports': checks['dead exports'],
  };
  const jobs = Object.entries(quick).map(([name, args]) => job(name, node, args));
  const shards = Math.min(Math.max(2, os.availableParallelism()), files.length);
  for (let shard = 0; shard < shards; shard += 1)
    jobs.push(job('unit', node, unitArguments(files.filter((_file, index) => index % shards === shard))));
  const codes = await Promise.all(jobs);
  const failed = codes.filter((code) => code !== 0).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(failed === 0 ? `Green in ${seconds} s.` : `Red in ${seconds} s.`);
  return failed === 0 ? 0 : 1;
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
    env: process.env,
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
