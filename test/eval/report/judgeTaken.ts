import { performance } from 'node:perf_hooks';
import * as z from 'zod';
import { noFigures, type Figures } from '../../../src/batch/figures.ts';
import type { BatchQuestion, QuestionResult, TakenQuestion } from '../../../src/batch/questionQueue.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { type Criteria, criteria, generalCriteria, type Judge } from './judge.ts';
import type { Query } from './lines.ts';
import { reportOf, statementsOf } from './measure.ts';
import { eventsOf, evidenceOf } from './runBatch.ts';

export const kinds = ['race', 'fact'] as const;
export type Kind = (typeof kinds)[number];

/** What a judgement says: whoever takes it has no file of the evaluation. */
const task = z.object({
  kind: z.enum(kinds),
  prompt: z.string(),
  reference: z.string().optional(),
  criteria: criteria.optional(),
});

/** Of a run, on this machine, while it is judged. */
export interface OpenedRun {
  /** The folder in which the run's folder is. */
  readonly runs: string;
  remove(): Promise<void>;
}

const heartbeatMs = 2_000;

export function judgementId(query: Query['id'], kind: Kind): string {
  return `${query} ${kind}`;
}

/** The judgements of a report, which come after it. */
export function judgementsFor(
  { id, prompt }: Query,
  reference: string | undefined,
  own: (Criteria & { readonly prompt: string }) | undefined,
): BatchQuestion[] {
  return kinds.map((kind) => ({
    id: judgementId(id, kind),
    question: JSON.stringify({ kind, prompt, ...(kind === 'race' && { reference, criteria: own }) }),
    priority: 0,
    after: String(id),
  }));
}

/**
 * Judges a report, and says what became of it. Gives the result when there is one.
 * @param signal The process ends: the judgement is given back.
 */
export async function judgeTaken(
  taken: TakenQuestion,
  judge: Judge,
  open: (run: string) => Promise<OpenedRun>,
  signal: AbortSignal,
): Promise<QuestionResult | undefined> {
  const begun = performance.now();
  let tokens = taken.figures.tokens;
  const figures = (): Figures => ({
    ...noFigures,
    tokens,
    cost: null,
    ms: Math.round(taken.figures.ms + performance.now() - begun),
  });
  const heartbeat = setInterval(() => void taken.heartbeat(figures()).catch(() => undefined), heartbeatMs);
  const stop = AbortSignal.any([signal, taken.signal]);
  let opened: OpenedRun | undefined;
  try {
    opened = await open(taken.about!);
    const { kind, prompt, reference, criteria: own } = task.parse(JSON.parse(taken.question.question));
    const { runs } = opened;
    const { text, citations } = reportOf(eventsOf(runs, taken.about!));
    const call = { signal: stop, used: (more: number) => void (tokens += more) };
    const judged =
      kind === 'race'
        ? await judge.race(prompt, withoutMarkers(text), reference, own ?? generalCriteria, call)
        : await judge.fact(statementsOf(text, citations), (source) => evidenceOf(runs, taken.about!, source), call);
    const none = { outcome: 'complete', citations: { cited: 0, dropped: 0, verified: 0 }, sources: 0 } as const;
    const result = { ...none, judged: { ...judged } };
    await taken.finish(result, figures());
    return result;
  } catch (error) {
    const { reason, message, next } = ResearchError.from(error);
    const why = { reason, message: `${message} ${next}`.trim() };
    if (signal.aborted) await taken.release(figures());
    else await (reason === 'auth' || reason === 'quota' ? taken.refuse(why, figures()) : taken.fail(why, figures()));
    return undefined;
  } finally {
    clearInterval(heartbeat);
    await opened?.remove();
  }
}

/** Judges of style must not see whose report it is by its markers. */
function withoutMarkers(report: string): string {
  const end = report.search(/^## [^\n]*\n+- \[1\] /m);
  return (end < 0 ? report : report.slice(0, end)).replace(/\s?\[\d+\](?!\()/g, '');
}
