// Loaded by the extension host (extensionTestsPath): runs the suites beside this file and writes their results as JSON.
import Mocha from 'mocha';
import fs from 'node:fs';
import path from 'node:path';
import type { HostResults, HostTest } from '../support/hostResults.ts';

export async function run(): Promise<void> {
  const file = process.env['DEEP_RESEARCH_TEST_RESULTS'];
  if (!file) throw new Error('DEEP_RESEARCH_TEST_RESULTS names no file for the results.');
  const tests: HostTest[] = [];
  let crash: string | undefined;
  try {
    await runMocha((test) => tests.push(test));
  } catch (error) {
    crash = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const results: HostResults = { tests, ...(crash === undefined ? {} : { crash }) };
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(results, null, 2));
}

async function runMocha(onTest: (test: HostTest) => void): Promise<void> {
  const only = process.env['DEEP_RESEARCH_TEST_FILTER']?.split(',');
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, reporter: class {} as unknown as Mocha.ReporterConstructor });
  for (const entry of fs.readdirSync(import.meta.dirname)) {
    if (entry.endsWith('.test.js') && (!only || only.some((word) => entry.includes(word))))
      mocha.addFile(path.join(import.meta.dirname, entry));
  }
  await mocha.loadFilesAsync();
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', (test) => onTest({ title: test.fullTitle(), state: 'passed', ms: test.duration ?? 0 }));
    runner.on('pending', (test) => onTest({ title: test.fullTitle(), state: 'pending', ms: 0 }));
    runner.on('fail', (test, error: Error) =>
      onTest({ title: test.fullTitle(), state: 'failed', ms: test.duration ?? 0, error: error.stack ?? error.message }),
    );
  });
}
