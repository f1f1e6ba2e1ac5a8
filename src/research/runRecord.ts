import * as z from 'zod';
import type { RunRecord } from './ports.ts';

/** For the adapters that read kept runs: events and records come from a disk that others write to. */
export { parseEvent } from '../protocol/events.ts';

export const runRecordSchema: z.ZodType<RunRecord> = z.object({
  version: z.literal(1),
  run: z.string(),
  question: z.string(),
  created: z.iso.datetime(),
  strategy: z.string(),
  provider: z.string(),
  model: z.string().nullable(),
  status: z.enum(['running', 'waiting', 'finished', 'failed', 'cancelled']),
  settings: z.record(z.string(), z.unknown()),
  workspace: z.string().optional(),
  program: z.string(),
  path: z.string().optional(),
});
