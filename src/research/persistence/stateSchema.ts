import { TASKS } from '@langchain/langgraph-checkpoint';
import * as z from 'zod';
import { strategies } from '../../protocol/strategy.ts';

const text = z.string();
const texts = z.array(z.string());

const plannedSection = z.looseObject({ id: text, title: text, description: text, queries: texts });
const distilled = z.looseObject({
  title: text,
  content: text,
  findings: z.array(z.looseObject({ claim: text, quote: text, source: text })),
});
const section = z.looseObject({
  ...plannedSection.shape,
  status: z.enum(['pending', 'researching', 'reviewing', 'completed', 'failed']),
  attempt: z.number().int().nonnegative(),
  distilled: distilled.optional(),
  sourceIds: texts,
  gaps: texts,
  searched: texts,
  error: text.optional(),
  failure: z.looseObject({ reason: text, message: text, next: text }).optional(),
});
const toolCall = z.looseObject({ id: text, name: text, args: z.record(text, z.unknown()) });
const gap = z.looseObject({ section: text, gap: text });
const entity = z.looseObject({
  name: text,
  category: text,
  brief: text,
  source: text,
  urls: texts,
  priority: z.enum(['high', 'medium', 'low']),
});
/** What a `Send` carries to a section. */
const sent = z.looseObject({
  node: z.literal('section'),
  args: z.looseObject({ section, clarifiedQuery: text, today: text, language: text, otherSections: texts }),
});

/**
 * The state of a run as a checkpoint gives it: everything that the nodes rely on. A file on a disk is nobody's promise: what
 * does not fit is not gone on from.
 */
export const stateSchema = z.looseObject({
  originalQuery: text,
  today: z.iso.date(),
  language: text,
  asked: z.array(z.looseObject({ id: text, question: text, missingInfo: text, answer: text.nullable() })).optional(),
  lookups: z
    .array(z.looseObject({ term: text, outcome: z.enum(['found', 'notFound', 'impossible']), summary: text }))
    .optional(),
  assessment: z.looseObject({ focus: texts, confidence: z.number(), question: text, missingInfo: text }).optional(),
  clarifiedQuery: text.optional(),
  assumptions: texts.optional(),
  analysis: z
    .looseObject({
      queryType: z.enum(['list', 'comparison', 'deep_dive', 'general']),
      outputFormat: z.enum(['table', 'list', 'prose']),
      needsDiscovery: z.boolean(),
      discoveryTarget: text,
    })
    .optional(),
  discoveredItems: z.array(entity).optional(),
  discoverySummary: text.optional(),
  strategy: z.enum(strategies).optional(),
  outline: z.looseObject({ title: text, objective: text, scope: text, sections: z.array(plannedSection) }).optional(),
  sections: z.array(section).optional(),
  reviewIterations: z.number().int().nonnegative().optional(),
  lastReview: z
    .looseObject({
      sectionsToRetry: texts,
      gaps: z.array(gap),
      sectionCoverage: z.array(z.looseObject({ id: text, notes: text })),
      contradictions: texts,
    })
    .optional(),
  iterationCount: z.number().int().nonnegative().optional(),
  currentQueries: z.array(z.looseObject({ section: text, query: text })).optional(),
  askedQueries: texts.optional(),
  retrieved: z
    .array(
      z.looseObject({ section: text, calls: z.array(z.looseObject({ call: toolCall, sources: texts, note: text })) }),
    )
    .optional(),
  lastReflection: z
    .looseObject({
      gaps: z.array(gap),
      nextQueries: z.array(z.looseObject({ section: text, query: text })),
      contradictions: texts,
    })
    .optional(),
  researchBrief: text.optional(),
  supervisorTurns: z.array(z.looseObject({ said: text, calls: z.array(toolCall), answers: texts })).optional(),
  [TASKS]: z.array(sent).optional(),
});
export type StoredState = z.infer<typeof stateSchema>;

/** What a finished section of a fan-out wrote before the others were done. */
export const sectionsSchema = z.array(section);

/** Ids of all sources that a state speaks of. */
export function sourcesOf(state: Pick<StoredState, 'sections' | 'discoveredItems' | 'retrieved'>): Set<string> {
  const ofSections = (state.sections ?? []).flatMap(({ sourceIds, distilled: found }) => [
    ...sourceIds,
    ...(found?.findings ?? []).map(({ source }) => source),
  ]);
  const retrieved = (state.retrieved ?? []).flatMap(({ calls }) => calls.flatMap(({ sources }) => sources));
  return new Set([...ofSections, ...retrieved, ...(state.discoveredItems ?? []).map(({ source }) => source)]);
}
