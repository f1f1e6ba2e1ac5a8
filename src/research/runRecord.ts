/** For the adapters that read kept runs, which see the protocol through the engine alone. */
export { parseEvent } from '../protocol/events.ts';
export { lockStaleMs, type RunLock, runFiles, runLockSchema, runRecordSchema } from '../protocol/runRecord.ts';
