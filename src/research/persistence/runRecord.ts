/** For the adapters that read saved runs, which see the protocol through the engine alone. */
export { parseEvent } from '../../protocol/events.ts';
export { lockStaleMs, runFiles, runIdPattern } from '../../protocol/runFolder.ts';
export { type RunLock, runLockSchema, runRecordSchema } from '../../protocol/runRecord.ts';
export { retryWhileLocked } from '../../protocol/retryWhileLocked.ts';
