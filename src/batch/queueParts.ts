/** What works with the database of a queue, in one chunk: the extension's package leaves it out (`.vscodeignore`). */
export { followBatch } from './followBatch.ts';
export { shareAttachments } from './postgres/attachedTexts.ts';
export { openDatabase } from './postgres/database.ts';
export { SharedQueue } from './postgres/sharedQueue.ts';
export { scheduleCommand } from './scheduleCommand.ts';
export { workerCommand } from './workerCommand.ts';
