// npm test: installs what is missing, builds, and runs every part. The last line is "N passed, N failed", over all of them.
//
//   node scripts/test.mjs                        everything
//   node scripts/test.mjs check unit             some parts: check, unit, system, host, ui
//   node scripts/test.mjs unit graph citations   of a part, the files with "graph" or "citations" in their path
//   node scripts/test.mjs exhaustive             what `npm test` samples or leaves out: the files that sample their cases
//                                                (test/support/sampled.ts) with every case, and the *.exhaustive.test.ts
//
// Every part runs even when another failed. A build, type or lint error, a crash, and a suite or file without a test count
// as one failure each.
//
// A file of the system, ui or exhaustive suite in which a test failed runs once more, and so does the host suite as a whole; the second
// outcome counts: on a busy machine a real editor loses a click. Those tests are listed as flaky at the end, as are those that failed. Failures in more than two files of a suite are
// no coincidence, and nothing is repeated.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, exitWith, root } from './bootstrap.mjs';
import { remembered } from './lib/build.mjs';
import { checks } from './lib/checks.mjs';

const parts = ['check', 'unit', 'system', 'host', 'ui'];
const isPart = (word) => parts.includes(word) || word === 'exhaustive';
const chosen = process.argv.slice(2).filter(isPart);
const filters = process.argv.slice(2).filter((word) => !isPart(word));
const wants = (part) => chosen.includes(part) || (chosen.length === 0 && parts.includes(part));
const resultsFolder = path.join(root, 'out', 'test-results');
const filesToRepeat = 2;
/**
 * Only ends a runner that hangs: about ten times what a part takes on two quiet cores. A test that hangs ends by its own
 * limit, a file that hangs after its tests by that of test/support/fileLimit.mjs.
 */
const minutes = { check: 20, unit: 30, system: 60, host: 30, ui: 90, exhaustive: 60 };
const testMinutes = 15;
const fileMinutes = 20;
const quietReporter = './scripts/lib/quietReporter.mjs';
const sharedProcesses = 8;
const cores = os.availableParallelism();
const isAlone = parts.filter(wants).length < 2;
/**
 * Much of a test is waiting for a server's answer or another process: a file of the system suite takes half a core or less. With
 * three files beside the windows two cores were idle for a quarter of the time.
 */
const concurrency = { system: Math.max(isAlone ? 5 : 4, cores), ui: 2, exhaustive: Math.max(3, cores) };
const noTests = { passed: 0, failed: 0 };
let interrupted = false;
/** What is said before the last line, which is all that is kept of a long log: "Failed: …", "Flaky: …". */
const remarks = [];

async function main() {
  // Of each program that runs beside others.
  process.setMaxListeners(0);
  const total = { passed: 0, failed: 0 };
  const add = ({ passed, failed, failures = [] }) => {
    total.passed += passed;
    total.failed += failed;
    remarks.push(...failures.map(({ file, name }) => `Failed: ${file ? `${file}: ` : ''}${name}`));
  };
  try {
    // The browser comes from another place than the packages: beside them.
    const needsEditor = wants('host') || wants('ui') || wants('exhaustive');
    const forTests = [...(wants('system') || wants('exhaustive') ? ['postgresql'] : []), 'cmark-gfm'];
    const tools = await bootstrap({ browser: needsEditor, tools: forTests });
    fs.rmSync(resultsFolder, { recursive: true, force: true });
    fs.mkdirSync(resultsFolder, { recursive: true });
    const env = testEnvironment(tools);
    // The editor is installed while what needs none is built, checked and run.
    const installing = needsEditor ? bootstrap({ editor: true }) : undefined;
    installing?.catch(() => undefined);

    const built =
      (await remembered(() => step('build', tools.node, ['esbuild.mjs', '--production', '--tests'], env))) === 0;
    if (!built) add({ passed: 0, failed: 1 });
    const ofBuild = (part, run, inEditor = {}) =>
      wants(part) ? (built ? run(part, tools.node, { ...env, ...inEditor }) : notRun(part)) : noTests;
    // Side by side, or a core would wait: for the linter, for a server's answer, for a window.
    const checked = wants('check') ? checkSuite(tools.node, env) : [];
    (await Promise.all(wants('unit') ? unitSuite(tools.node, env) : [])).forEach(add);
    const system = ofBuild('system', repeatingSuite);
    const installed = await installing?.catch((error) => error);
    const inEditor = { DEEP_RESEARCH_EDITOR: installed?.editor };
    if (installed instanceof Error) console.log(installed.message);
    if (installed instanceof Error) add({ passed: 0, failed: 1 });
    else {
      add(await ofBuild('host', hostSuite, inEditor));
      add(await ofBuild('ui', repeatingSuite, inEditor));
    }
    (await Promise.all([...checked, system])).forEach(add);
    if (wants('exhaustive')) {
      const every = { ...env, ...inEditor, DEEP_RESEARCH_EXHAUSTIVE: '1' };
      add(built ? await repeatingSuite('exhaustive', tools.node, every, exhaustiveFiles()) : notRun('exhaustive'));
    }
  } catch (error) {
    console.log(error.name === 'BootstrapError' ? error.message : error.stack);
    add({ passed: 0, failed: 1 });
  }
  if (total.passed + total.failed === 0) total.failed = 1;
  if (remarks.length > 0) console.log(`\n${remarks.join('\n')}`);
  if (interrupted) console.log('\nInterrupted: what follows is not the whole suite.');
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}

/** What a developer has set for the real services must not change what a test does. */
function testEnvironment(tools) {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (
      /_API_KEY$|^(GITHUB|GH|HF)_TOKEN$|^(LANGSMITH|LANGCHAIN|OPENAI)_|^DEEP_RESEARCH_(?!(?:SEED|EXHAUSTIVE|SCREENSHOTS)$)|^NODE_TEST_CONTEXT$|^NODE_OPTIONS$/.test(
        name,
      )
    )
      delete env[name];
  }
  // Half of what a short test file takes is compiling the sources that it imports.
  env.NODE_COMPILE_CACHE = path.join(root, 'out', 'compile-cache');
  // The compiler and the linter in Go collect garbage less often: a fifth of their processor time.
  env.GOGC = '400';
  env.DEEP_RESEARCH_FILE_MINUTES = String(fileMinutes);
  env.PATH = path.dirname(tools.node) + path.delimiter + env.PATH;
  if (tools.browser) env.DEEP_RESEARCH_BROWSER = tools.browser;
  return env;
}

/** Without those that only the exhaustive suite runs, unless they are asked for by name. */
function testFiles(part) {
  return allTestFiles(part).filter((file) => filters.length > 0 || !file.endsWith('.exhaustive.test.ts'));
}

function allTestFiles(part) {
  const folder = path.join(root, 'test', part);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .map((file) => path.join('test', part, file))
    .sort();
}

/** The test files that `npm test` leaves out, and those of which it runs a sample. */
function exhaustiveFiles() {
  return ['unit', 'system', 'ui']
    .flatMap(allTestFiles)
    .filter((file) => file.endsWith('.exhaustive.test.ts') || isSampled(file));
}

async function repeatingSuite(part, node, env, files = testFiles(part)) {
  const first = await nodeSuite(part, node, env, files);
  const again = [...new Set((first.failures ?? []).map(({ file }) => file))];
  if (interrupted || again.length === 0 || again.length > filesToRepeat || again.includes(undefined)) return first;
  const second = await nodeSuite(`${part}, again`, node, env, again, 1);
  noteFlaky(first, second);
  const sum = (key) => first[key] - again.reduce((counted, file) => counted + first.files[file][key], 0) + second[key];
  return { passed: sum('passed'), failed: sum('failed'), failures: second.failures };
}

function noteFlaky(first, second) {
  for (const { file, name } of first.failures)
    if (second.failures?.every((failure) => failure.file !== file || failure.name !== name))
      remarks.push(`Flaky, passed only when run again: ${file}: ${name}`);
}

function checkSuite(node, env) {
  return Object.entries(checks).map(async ([name, args]) => {
    const code = await step(name, node, args, env, minutes.check, true);
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: [{ name }] };
  });
}

/** Unit tests share processes, one for each core: most of what such a file takes is loading what it tests. */
function unitSuite(node, env) {
  const files = testFiles('unit');
  if (files.length === 0) return [noFiles('unit')];
  const shards = shared(files, cores);
  return shards.map((own, index) =>
    suite(
      `unit, ${index + 1} of ${shards.length}`,
      node,
      (results) => [...testArguments(results, quietReporter), 'scripts/lib/manyTests.mjs', ...own],
      env,
    ),
  );
}

function noFiles(part) {
  console.log(`\n== ${part} ==\nNo test file${filters.length > 0 ? ` matches ${filters.join(', ')}` : ''}.`);
  for (const other of parts.flatMap(testFiles)) console.log(`  There is ${other}.`);
  return { passed: 0, failed: 1 };
}

/**
 * System tests in a folder share processes, as unit tests do; those at the top start programs for the most part and have a
 * process each. Walks take longest: begun last, a core would wait for one at the end.
 */
function inGroups(files) {
  const inFolders = files.filter((file) => !isAtTop(file));
  const walks = files.filter((file) => isAtTop(file) && isSampled(file));
  return startedFirst('system', [...walks.map((file) => [file]), ...shared(inFolders, sharedProcesses)], files);
}

/** A process each: the walks that start programs, the windows, then the rest. */
function longestFirst(files) {
  const long = [...files.filter(isAtTop), ...files.filter(opensWindow)];
  return startedFirst(
    'exhaustive',
    long.map((file) => [file]),
    files,
  );
}

const isAtTop = (file) => path.dirname(file) === path.join('test', 'system');
const isSampled = (file) => textOf(file).includes('support/sampled.ts');
const opensWindow = (file) => /support\/(?:modelEditor|editor)\.ts/.test(textOf(file));
const textOf = (file) => fs.readFileSync(path.join(root, file), 'utf8');

/** Files in as many groups, of a process each. */
function shared(files, processes) {
  return Array.from({ length: Math.min(processes, files.length) }, (_, group) =>
    files.filter((_file, index) => index % processes === group),
  );
}

/**
 * What opens windows takes longest: begun last, a core would wait for it at the end. The others share processes: a third of what
 * a short one takes is loading what it tests.
 */
function windowsFirst(files) {
  const windows = files.filter(opensWindow).map((file) => [file]);
  const others = files.filter((file) => !opensWindow(file));
  return startedFirst('ui', [...windows, ...shared(others, concurrency.ui)], files);
}

/** The runner starts what comes first by its path: modules in out/ that have the given groups of files. */
function startedFirst(part, groups, files) {
  const modules = groups.map((own, index) => {
    const file = path.join('out', 'test-results', `${part}-${String(index + 1).padStart(2, '0')}.test.mjs`);
    const names = own.map((name) => JSON.stringify(name)).join(', ');
    fs.writeFileSync(
      path.join(root, file),
      `process.argv.push(${names});\nawait import('../../scripts/lib/manyTests.mjs');\n`,
    );
    return file;
  });
  return [...modules, ...files.filter((file) => !groups.flat().includes(file))];
}

const arranged = { system: inGroups, ui: windowsFirst, exhaustive: longestFirst };

function nodeSuite(part, node, env, files = testFiles(part), atOnce = concurrency[part]) {
  if (files.length === 0) return noFiles(part);
  return suite(
    part,
    node,
    (results) => [
      ...testArguments(results, isAlone ? 'spec' : quietReporter),
      '--test',
      `--test-timeout=${testMinutes * 60_000}`,
      `--test-concurrency=${atOnce}`,
      ...(arranged[part]?.(files) ?? files),
    ],
    env,
  );
}

function testArguments(results, reporter) {
  return [
    ...['register', 'offline', 'fileLimit'].flatMap((name) => ['--import', `./test/support/${name}.mjs`]),
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/lib/countingReporter.mjs',
    `--test-reporter-destination=${results}`,
  ];
}

async function suite(part, node, argumentsFor, env, quiet = false) {
  const file = path.join(resultsFolder, `${part}.json`);
  const started = Date.now();
  const code = await step(
    part,
    node,
    argumentsFor(file),
    { ...env, ...(filters.length > 0 ? { DEEP_RESEARCH_TEST_FILTER: filters.join(',') } : {}) },
    minutes[part.split(',')[0]],
    quiet,
  );
  const counts = read(file) ?? { passed: 0, failed: 0 };
  // The runner failed although no test did: it crashed, timed out, or found nothing to run.
  if ((code !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0) counts.failed += 1;
  const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
  console.log(
    `${part} suite: ${counts.passed} ok, ${counts.failed} not ok${skipped} in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  const slowest = Object.entries(counts.files ?? {}).sort(([, a], [, b]) => b.ms - a.ms);
  if (slowest.length > 8)
    console.log(
      `  slowest: ${slowest
        .slice(0, 5)
        .map(([at, { ms }]) => `${at} ${(ms / 1000).toFixed(0)} s`)
        .join(', ')}`,
    );
  for (const { name, file: where, why } of counts.failures ?? [])
    console.log(`  ✖ ${where ?? ''} ${name}: ${String(why).split('\n')[0]}`);
  return counts;
}

async function hostSuite(part, node, env) {
  const run = (name) => suite(name, node, (results) => ['test/support/hostSuite.ts', results], env, !isAlone);
  const first = await run(part);
  const failures = first.failures?.length ?? 0;
  if (interrupted || failures === 0 || failures > filesToRepeat) return first;
  const second = await run(`${part}, again`);
  noteFlaky(first, second);
  return second;
}

function notRun(part) {
  console.log(`\n== ${part} ==\nNot run: there is no build.`);
  return { passed: 0, failed: 1 };
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Runs one part to its end. It is a process group of its own, so that nothing it started outlives it. Of a `quiet` one,
 * which runs beside others, the output is shown as a whole when it has ended.
 */
function step(name, command, args, env, limitMinutes = 10, quiet = false) {
  if (interrupted) return Promise.resolve(1);
  if (!quiet) console.log(`\n== ${name} ==`);
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => void (output += text));
  const end = (signal) => {
    try {
      if (process.platform === 'win32') child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // The group has ended.
    }
  };
  const cutShort = (signal) => {
    end(signal);
    setTimeout(() => end('SIGKILL'), 5_000).unref();
  };
  const interrupt = (signal) => {
    interrupted = true;
    cutShort(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, interrupt);
  const timer = setTimeout(() => {
    console.log(`${name} hangs: it was not done within ${limitMinutes} minutes.`);
    cutShort('SIGTERM');
  }, limitMinutes * 60_000);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.log(error.message);
      resolve(1);
    });
    child.on('exit', () => {
      clearTimeout(timer);
      for (const signal of signals) process.removeListener(signal, interrupt);
      end('SIGKILL');
    });
    child.on('close', (code) => {
      if (quiet) console.log(`\n== ${name} ==${code === 0 ? ' fine' : `\n${output.trimEnd()}`}`);
      resolve(code ?? 1);
    });
  });
}

exitWith(main());
