// A reporter of node's test runner that counts single tests, as JSON: { passed, failed, skipped, failures, files }, where
// `files` has { passed, failed, skipped, ms } by the file's path.
// A file that ends without having run a test counts as failed; the runner itself would call it a passed test.
import path from 'node:path';

export default async function* countingReporter(events) {
  const result = { passed: 0, failed: 0, skipped: 0, failures: [], files: {} };
  // A file among many in one process (manyTests.mjs) is a suite that has its path for a name.
  const isAmongMany = (data) => data.nesting === 0 && data.details?.type === 'suite' && data.name.endsWith('.test.ts');
  const fileOf = (data) =>
    isAmongMany(data) ? path.normalize(data.name) : data.file && path.relative(process.cwd(), data.file);
  const entryOf = (data) => (result.files[fileOf(data)] ??= { passed: 0, failed: 0, skipped: 0, ms: 0 });
  const count = (data, outcome) => {
    result[outcome] += 1;
    entryOf(data)[outcome] += 1;
  };
  const fail = (data, why) => {
    count(data, 'failed');
    result.failures.push({ name: data.name, file: fileOf(data), why });
  };
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.nesting === 0) entryOf(data).ms += Math.round(data.details?.duration_ms ?? 0);
    const isWholeFile = data.nesting === 0 && data.file !== undefined && path.resolve(data.name) === data.file;
    if (data.details?.type === 'suite' && type === 'test:pass') {
      if (data.skip !== undefined) count(data, 'skipped');
      const { passed, skipped } = entryOf(data);
      if (isAmongMany(data) && passed + skipped === 0) fail(data, 'the file holds no test');
      continue;
    }
    if (data.skip !== undefined || data.todo !== undefined) {
      count(data, 'skipped');
    } else if (type === 'test:fail') {
      // A suite fails with its tests, which are counted, or by itself (a hook, a syntax error), which nothing else counts.
      const cause = data.details?.error;
      if (data.details?.type === 'suite' && cause?.failureType === 'subtestsFailed') continue;
      fail(data, cause?.cause?.message ?? cause?.message ?? 'failed');
    } else if (isWholeFile) {
      fail(data, 'the file holds no test');
    } else {
      count(data, 'passed');
    }
  }
  yield `${JSON.stringify(result, null, 2)}\n`;
}
