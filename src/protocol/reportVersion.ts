import * as z from 'zod/mini';
import { changeKinds } from './followUp.ts';

const texts = z.readonly(z.array(z.string()));

/** A statement of a version with what it rests on; see `Evidence` in `files/evidence.ts`. */
const statement = z.readonly(
  z.object({
    sentence: z.string(),
    citations: z.readonly(z.array(z.number())),
    verdict: z.string(),
    reason: z.optional(z.string()),
    /** See `report/claim`; absent where the statement may be anywhere. */
    section: z.optional(z.string()),
    passages: z.readonly(
      z.array(
        z.readonly(
          z.object({ number: z.number(), source: z.string(), text: z.string(), place: z.optional(z.string()) }),
        ),
      ),
    ),
  }),
);

/** `versions/N.json` in a run's folder, beside the text in `N.md`. */
export const reportVersionSchema = z.readonly(
  z.object({
    version: z.literal(1),
    number: z.number(),
    /** What made it: a follow-up of this kind, or the user (`edited`); `first`: the run itself. */
    kind: z.enum([...changeKinds, 'remove', 'edited', 'first']),
    /** Id of the follow-up. */
    run: z.optional(z.string()),
    /** What was asked for; of a challenge its outcome, and the statement. */
    title: z.string(),
    /** ISO 8601. */
    at: z.string(),
    state: z.enum(['waiting', 'accepted', 'rejected']),
    /** Ids of the sources that it cites, by number. A number is that of one source in all versions. */
    sources: z.record(z.string().check(z.regex(/^[1-9]\d{0,3}$/)), z.string()),
    /** Titles of the sources that it cites no more. */
    gone: texts,
    /** Of its headings that are in another language than before: what they were. */
    renamed: z.optional(z.record(z.string(), z.string())),
    /** What it says that earlier versions don't. */
    statements: z.readonly(z.array(statement)),
  }),
);
export type ReportVersion = z.infer<typeof reportVersionSchema>;

/** A part of a report that is written again. */
export interface RewrittenPart {
  /** Its heading; "" of the title and the summary. */
  readonly was: string;
  /** Its heading today, which may be in another language. */
  readonly is: string;
  /** False: the old text stays, unless it cites what is left out. */
  readonly isWritten: boolean;
}
