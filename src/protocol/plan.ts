import * as z from 'zod/mini';
import { depths } from './planBounds.ts';

const count = z.number().check(z.nonnegative());

export const planSection = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** Suggested first queries. Absent: none are known. */
  queries: z.optional(z.readonly(z.array(z.string()))),
  /** Names of the only sources that it searches. Absent: all of the run. */
  sources: z.optional(z.readonly(z.array(z.string()))),
  /** Absent: as the run. */
  depth: z.optional(z.enum(depths)),
});
export type PlanSection = z.infer<typeof planSection>;

/** `cost` in US dollars; null when no price is known. */
export const planEstimate = z.object({ calls: count, tokens: count, minutes: count, cost: z.nullable(z.number()) });
export type PlanEstimate = z.infer<typeof planEstimate>;

/** What the estimate of any edit of a plan is computed from. */
export const estimateBasis = z.object({
  analyst: z.enum(['llm', 'extractive']),
  depth: z.enum(depths),
  /** Names of the sources that sections may search. */
  sources: z.readonly(z.array(z.string())),
  /** Those of them whose searches are calls of a model. Absent: none. */
  searchedByModel: z.optional(z.readonly(z.array(z.string()))),
  /** Researchers at a time. */
  atOnce: count,
  maxToolCalls: count,
  reviewRounds: count,
  maxIterations: count,
  maxSupervisorIterations: count,
  /** That a lead researcher is expected to delegate. */
  topics: z._default(count, 1),
  /** How the statements of the report are checked. Absent: not at all. */
  verification: z.optional(z.enum(['off', 'standard', 'thorough'])),
  /** US dollars for a million tokens; null when none is known. */
  price: z.nullable(z.object({ in: z.number(), out: z.number() })),
});
export type EstimateBasis = z.infer<typeof estimateBasis>;
