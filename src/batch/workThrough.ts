import type { QuestionQueue, QuestionResult, TakenQuestion } from './questionQueue.ts';

export interface WorkOptions {
  /** Does the work of a question, and says what became of it. Gives its result when there is one. */
  readonly work: (taken: TakenQuestion, signal: AbortSignal) => Promise<QuestionResult | undefined>;
  /** Questions in progress at most. */
  readonly atOnce: number;
  /** Whether to stop when nothing is in progress and nothing can be taken. */
  readonly isOver: () => Promise<boolean>;
  /** Called when a question has ended, waits or was given back; with its result when it has one. */
  readonly onLeft: (taken: TakenQuestion, result?: QuestionResult) => void;
}

/** Takes questions from a queue and works on them until it is over or stopped. Rejects when the queue can't be used. */
export async function workThrough(
  queue: Pick<QuestionQueue, 'take' | 'changed'>,
  { work, atOnce, isOver, onLeft }: WorkOptions,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const running = new Set<Promise<void>>();
  let seen: string | undefined;
  try {
    while (!stopped.aborted) {
      while (running.size < atOnce && !stopped.aborted) {
        const taken = await queue.take(stopped);
        if (taken === undefined) break;
        const job = work(taken, stopped).then((result) => onLeft(taken, result));
        running.add(job);
        void job.then(
          () => running.delete(job),
          () => undefined,
        );
      }
      if (running.size === 0 && (await isOver())) return;
      seen = await changeOf(queue, seen, running, stopped);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
  await Promise.all(running);
}

/**
 * Resolves when the queue has changed, a question has ended or the work was stopped, with what was seen of the queue. Rejects with
 * what ended a question.
 */
async function changeOf(
  queue: Pick<QuestionQueue, 'changed'>,
  seen: string | undefined,
  running: ReadonlySet<Promise<void>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const waiting = new AbortController();
  const changed = queue.changed(seen, AbortSignal.any([signal, waiting.signal])).catch((error: unknown) => {
    if (!signal.aborted && !waiting.signal.aborted) throw error;
    return seen;
  });
  try {
    return (await Promise.race([changed, ...running])) ?? seen;
  } finally {
    waiting.abort();
  }
}
