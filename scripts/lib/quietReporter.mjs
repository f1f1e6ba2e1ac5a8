// A reporter of node's test runner for suites that run side by side: the failures with their place, and at the end the
// counts and the slowest tests.
import path from 'node:path';
import { inspect } from 'node:util';

const slowMs = 1_000;

export default async function* quietReporter(events) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const slow = [];
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const error = data.details?.error;
    const isSuite = data.details?.type === 'suite';
    if (data.skip !== undefined || data.todo !== undefined) {
      count.skipped += 1;
    } else if (type === 'test:pass') {
      if (isSuite) continue;
      count.passed += 1;
      if (data.details?.duration_ms > slowMs) slow.push({ name: data.name, ms: data.details.duration_ms });
    } else if (!(isSuite && error?.failureType === 'subtestsFailed')) {
      count.failed += 1;
      const where = data.file ? `${path.relative(process.cwd(), data.file)}:${data.line}` : '';
      yield `✖ ${data.name}  ${where}\n${inspect(error?.cause ?? error).replace(/^/gm, '    ')}\n`;
    }
  }
  yield `tests: ${count.passed} passed, ${count.failed} failed${count.skipped ? `, ${count.skipped} skipped` : ''}\n`;
  const worst = slow.sort((a, b) => b.ms - a.ms).slice(0, 3);
  for (const { name, ms } of worst) yield `  took ${(ms / 1000).toFixed(1)} s: ${name}\n`;
}
