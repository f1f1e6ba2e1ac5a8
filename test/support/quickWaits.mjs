// node --import …: what the process waits for takes a hundredth of the time that it counts.
import { createRequire, syncBuiltinESMExports } from 'node:module';
const timers = createRequire(import.meta.url)('node:timers/promises');
const { setTimeout: wait } = timers;
timers.setTimeout = (ms, ...rest) => wait(ms / 100, ...rest);
syncBuiltinESMExports();
