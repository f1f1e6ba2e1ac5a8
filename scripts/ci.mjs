// .ci/run: what a change must pass, from a fresh clone: the front door, every suite, and the exhaustive walks. Every stage
// runs even when another failed. What failed and what is flaky is said once more at the end, since a long log may be kept
// in part. The last line is "N passed, N failed", over all of them.
import { spawn } from 'node:child_process';
import { root } from './bootstrap.mjs';
import { countedStage } from './lib/countedStage.mjs';

const stages = ['test:frontdoor', 'test', 'test:exhaustive'];

async function main() {
  const total = { passed: 0, failed: 0 };
  const times = [];
  const remarks = [];
  for (const name of stages) {
    console.log(`\n==== npm run ${name} ====`);
    const started = Date.now();
    const { passed, failed, remarks: said } = await stage(name);
    remarks.push(...said);
    total.passed += passed;
    total.failed += failed;
    times.push(`${name} ${((Date.now() - started) / 60_000).toFixed(1)} min`);
  }
  console.log(`\n${[times.join(', '), ...remarks].join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}

function stage(name) {
  const child = spawn('npm', ['run', '--silent', name], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    output = (output + text).slice(-20_000);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(countedStage(output, code)));
  });
}

process.exitCode = await main();
