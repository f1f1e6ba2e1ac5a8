import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** What becomes of a question: the first thing that the run does with it, beyond reading it. */
export const outcomes = ['asked', 'lookedUp', 'planShown', 'started', 'refused'] as const;
export type Outcome = (typeof outcomes)[number];

const lookup = z.enum(['found', 'notFound', 'unreachable']);
const outcome = z.enum(outcomes);

const schema = z.array(
  z.strictObject({
    id: z.string(),
    query: z.string(),
    /** Given in turn to the questions that the run asks, before the outcome is taken; null is "just start". */
    answers: z.array(z.string().nullable()).default([]),
    expect: outcome,
    /** Where it differs without a model, which reads the form of the words alone. */
    withoutModel: outcome.optional(),
    /** After the look-up. */
    then: outcome.optional(),
    /** Nothing is missing from it: it must not be asked about, whatever else becomes of it. */
    complete: z.boolean().default(false),
    /** What public sources answer on a term. Default: nothing was found. */
    lookups: z.record(z.string(), lookup).default({}),
    workspace: z
      .strictObject({
        name: z.string(),
        fileCount: z.number(),
        repos: z.array(z.string()).default([]),
        languages: z.array(z.string()).default([]),
        packages: z.array(z.string()).default([]),
        arxivIds: z.array(z.string()).default([]),
        topics: z.array(z.string()).default([]),
        openFile: z.string().optional(),
        /** Texts by path, which the search of the folder finds. */
        files: z.record(z.string(), z.string()).default({}),
      })
      .optional(),
    attached: z.array(z.strictObject({ title: z.string(), beginning: z.string() })).default([]),
    settings: z.record(z.string(), z.unknown()).default({}),
  }),
);
export type ClarifyCase = z.infer<typeof schema>[number];

/** The cases of a set, as they are right with a model or without: all `.json` files of its folder. Throws for a case that can't be read, and for an id that stands twice. */
export function readCases(set: string, hasModel = false): ClarifyCase[] {
  const cases = readdirSync(set)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => schema.parse(JSON.parse(readFileSync(join(set, name), 'utf8'))));
  const ids = new Set(cases.map(({ id }) => id));
  if (cases.length === 0 || ids.size < cases.length) throw new Error(`${set} has no cases, or an id twice.`);
  return hasModel ? cases : cases.map(withoutModel);
}

function withoutModel(one: ClarifyCase): ClarifyCase {
  if (one.withoutModel === undefined) return one;
  return { ...one, expect: one.withoutModel, then: undefined, complete: one.complete && one.withoutModel !== 'asked' };
}
