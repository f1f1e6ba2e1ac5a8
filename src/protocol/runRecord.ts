import * as z from 'zod/mini';
import { followUpKinds } from './followUp.ts';

/** The content of `run.json` in a run's folder. A record of another version or shape is never changed. */
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
    /** As the last process wrote it: a run that is `running` or `waiting` without a held lock was interrupted. */
    status: z.enum(['running', 'waiting', 'finished', 'failed', 'cancelled']),
    /** The settings it began with, and resumes with; no secrets. */
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
    outcome: z.optional(z.enum(['complete', 'partial', 'notFound'])),
    /** How many things the report names as not answered; absent: none. */
    gaps: z.optional(z.number()),
    /** Number of cited sources. */
    cited: z.optional(z.number()),
    /** Id of the run that it asks about. */
    parent: z.optional(z.string()),
    /** What it does to that run's report; see `FollowUp`. Absent: it answers. */
    followUp: z.optional(
      z.readonly(
        z.object({
          file: z.optional(z.string()),
          as: z.optional(z.enum(followUpKinds)),
          section: z.optional(z.string()),
          deeper: z.optional(z.boolean()),
          without: z.optional(z.readonly(z.array(z.number()))),
          refresh: z.optional(z.boolean()),
        }),
      ),
    ),
    failure: z.optional(z.readonly(z.object({ reason: z.string(), message: z.string() }))),
  }),
);
export type RunRecord = z.infer<typeof runRecordSchema>;

/** The process that uses a run: the content of `run.lock` in its folder. */
export const runLockSchema = z.readonly(
  z.object({
    version: z.literal(1),
    /** Process that holds it; alive as long as the lock counts. */
    pid: z.number(),
    /** Name of the machine that the process runs on. */
    host: z.string(),
    /** Random; distinguishes holders in the same process. */
    token: z.string(),
    /** ISO 8601. */
    at: z.string(),
  }),
);
export type RunLock = z.infer<typeof runLockSchema>;
