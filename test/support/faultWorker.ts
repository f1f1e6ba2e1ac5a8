import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { cells, runCell } from './faultTable.ts';
import { startSourceServer } from './sourceServer.ts';

/** Runs its share of the cells, several at a time, and posts each result. Beside the test runner, whose hooks would double the time. */
const { share, of: shares, only } = workerData as { share: number; of: number; only: string };
const atOnce = 10;

// Node would end the process for it; here it is told with the table.
process.on('unhandledRejection', (reason) =>
  parentPort!.postMessage({
    unhandled: reason instanceof Error ? `${reason.message} ${reason.stack}` : String(reason),
  }),
);

const sources = await startSourceServer();
const queue = cells.filter(
  (cell, index) => index % shares === share && JSON.stringify(Object.values(cell).join(' ')).includes(only),
);
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let cell = queue.shift(); cell; cell = queue.shift()) parentPort!.postMessage(await runCell(cell, sources));
  }),
);
const left = await Promise.all(
  sources.requests.map((request) =>
    Promise.race([request.closed, new Promise((resolve) => setTimeout(resolve, 2_000, 'open'))]),
  ),
);
parentPort!.postMessage({ open: left.filter((state) => state === 'open').length });
await sources.close();
