import os from 'node:os';

interface ProcessorTimes {
  readonly idle: number;
  readonly all: number;
}

/** Of all processors of this machine, since it was started. */
export function processorTimes(): ProcessorTimes {
  const times = os.cpus().map((cpu) => cpu.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** The part of the processors' time that was used in between, by whatever is on this machine. */
export function busyShare(before: ProcessorTimes, after: ProcessorTimes): number {
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}
