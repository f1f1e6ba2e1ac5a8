import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { runCell, type Cell } from './faultTable.ts';
import { startSourceServer } from './sourceServer.ts';

/** Runs the cells that it is given, several at a time, and posts each result. Beside the test runner, whose hooks would double the time. */
const queue = [...(workerData as readonly Cell[])];
const atOnce = 5;
/** A connection that is not closed by then never is. */
const hungMs = 60_000;

// Node would end the process for it; here it is told with the table.
process.on('unhandledRejection', (reason) =>
  parentPort!.postMessage({
    unhandled: reason instanceof Error ? `${reason.message} ${reason.stack}` : String(reason),
  }),
);

const sources = await startSourceServer();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let cell = queue.shift(); cell; cell = queue.shift()) parentPort!.postMessage(await runCell(cell, sources));
  }),
);
const left = await Promise.all(
  sources.requests.map((request) =>
    Promise.race([request.closed, new Promise((resolve) => setTimeout(resolve, hungMs, 'open').unref())]),
  ),
);
parentPort!.postMessage({ open: left.filter((state) => state === 'open').length });
await sources.close();
