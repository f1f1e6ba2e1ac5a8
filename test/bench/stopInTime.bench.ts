import { stopCases } from '../support/stopCases.ts';

/**
 * How soon a run ends after Stop while it reads what is hostile, and how long it lets nothing else have a turn meanwhile, both in
 * milliseconds of processor time. Exit 1 when one takes longer than a user would wait.
 */
const limits = { end: 2_000, turn: 1_500 };
let worst = { end: 0, turn: 0 };

for (const { name, run } of stopCases) {
  let stoppedAt: NodeJS.CpuUsage | undefined;
  let [last, turn] = [process.cpuUsage(), 0];
  const beat = setInterval(() => {
    turn = Math.max(turn, cpuSince(last));
    last = process.cpuUsage();
  }, 5);
  await run(() => {
    stoppedAt = last = process.cpuUsage();
    turn = 0;
  }).catch(() => undefined);
  clearInterval(beat);
  const end = cpuSince(stoppedAt!);
  turn = Math.max(turn, cpuSince(last));
  worst = { end: Math.max(worst.end, end), turn: Math.max(worst.turn, turn) };
  const mark = end > limits.end || turn > limits.turn ? '✖' : '✔';
  console.log(`${mark} ${name}: ends after ${Math.round(end)} ms, longest turn ${Math.round(turn)} ms`);
}
console.log(`worst: ends after ${Math.round(worst.end)} ms, longest turn ${Math.round(worst.turn)} ms`);
process.exitCode = worst.end > limits.end || worst.turn > limits.turn ? 1 : 0;

/** What else the machine does must not count. */
function cpuSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
