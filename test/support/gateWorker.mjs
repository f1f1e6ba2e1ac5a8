// One of several processes that pass the same gate: prints when it starts each request. `hold` never gives its place back.
import process from 'node:process';
import { systemClock } from '../../src/node/clock.ts';
import { SharedGate } from '../../src/sources/http/sharedGate.ts';

const [folder, count, intervalMs, mode] = process.argv.slice(2);
const gate = new SharedGate(folder, systemClock);
const pacing = { concurrency: 1, intervalMs: Number(intervalMs), backoffMs: 1_000 };
for (let number = 0; number < Number(count); number += 1) {
  const release = await gate.enter('service', pacing, new AbortController().signal);
  process.stdout.write(`${Date.now()}\n`);
  if (mode === 'hold') await new Promise(() => setInterval(() => undefined, 1_000));
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
}
