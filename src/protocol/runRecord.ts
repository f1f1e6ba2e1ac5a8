import * as z from 'zod/mini';

/** A run's id, and the name of its folder: `20261122-101500-1a2b3c`, sortable and unlike any name that a person gives. */
export const runIdPattern = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

/** What stands in a run's folder as `run.json`. Another version, or another shape, is not ours to touch. */
export const runRecordSchema = z.readonly(
  z.object({
    version: z.literal(1),
    run: z.string(),
    question: z.string(),
    /** ISO 8601. */
    created: z.iso.datetime(),
    strategy: z.string(),
    provider: z.string(),
    model: z.nullable(z.string()),
    /** As its last life wrote it: a run that is `running` or `waiting` and whose lock nobody holds was cut off. */
    status: z.enum(['running', 'waiting', 'finished', 'failed', 'cancelled']),
    /** The settings it began with, and goes on with; no secrets. */
    settings: z.record(z.string(), z.unknown()),
    /** Absolute path of the folder that it researches; absent: none. */
    workspace: z.optional(z.string()),
    /** Version of the program that began it. */
    program: z.string(),
    /** Of the saved report. */
    path: z.optional(z.string()),
    /** ISO 8601 of the last change of `status`. */
    ended: z.optional(z.string()),
    /** Title of the report. */
    title: z.optional(z.string()),
    /** What the user calls the run. */
    name: z.optional(z.string()),
    outcome: z.optional(z.enum(['complete', 'partial'])),
    /** Number of cited sources. */
    cited: z.optional(z.number()),
    failure: z.optional(z.readonly(z.object({ reason: z.string(), message: z.string() }))),
  }),
);
export type RunRecord = z.infer<typeof runRecordSchema>;

/** Who works on a run: the content of `run.lock` in its folder. */
export const runLockSchema = z.readonly(
  z.object({
    version: z.literal(1),
    /** Process that holds it; alive as long as the lock counts. */
    pid: z.number(),
    /** Name of the machine that the process runs on. */
    host: z.string(),
    /** Random; tells one holder from another of the same process. */
    token: z.string(),
    /** ISO 8601. */
    at: z.string(),
  }),
);
export type RunLock = z.infer<typeof runLockSchema>;
/** A lock whose file was not touched for so long is nobody's, whatever it says (milliseconds). Holders touch it three times as often. */
export const lockStaleMs = 60_000;

/** Names of the files in a run's folder. */
export const runFiles = {
  record: 'run.json',
  lock: 'run.lock',
  events: 'events.ndjson',
  sources: 'sources.json',
  evidence: 'evidence',
  journal: 'journal.ndjson',
  checkpoints: 'checkpoints.ndjson',
  report: 'report.md',
} as const;
