import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { FolderQueue } from '../../../src/batch/folderQueue.ts';
import { type Database, judgementJobs, openDatabase } from '../../../src/batch/postgres/database.ts';
import { type KeyLimits, sharedState } from '../../../src/batch/postgres/sharedLimits.ts';
import { judgementsOf } from '../../../src/batch/postgres/questionJobs.ts';
import { SharedQueue } from '../../../src/batch/postgres/sharedQueue.ts';
import { restoreRun } from '../../../src/batch/postgres/sharedRunStore.ts';
import { SharedWork } from '../../../src/batch/postgres/sharedWork.ts';
import type { FollowedQueue, QuestionQueue } from '../../../src/batch/questionQueue.ts';
import { workThrough } from '../../../src/batch/workThrough.ts';
import { AnswerStore } from '../../../src/sources/http/answerStore.ts';
import { Judge } from './judge.ts';
import { judgeTaken, type OpenedRun } from './judgeTaken.ts';

/** Where judgements are taken from, and those who take them. */
interface Bench {
  readonly judge: Judge;
  readonly work: Pick<QuestionQueue, 'take' | 'changed'>;
  readonly open: (run: string) => Promise<OpenedRun>;
}

/** The judgements of a batch, a batch of their own: each is taken when its report is there. */
export interface Judging extends Bench {
  readonly queue: FollowedQueue;
  close(): Promise<void>;
}

/** How often a folder is looked at for reports, and for the end of the batch, in milliseconds. */
const lookMs = 500;

type Settings = Readonly<Record<string, unknown>>;

/** @param folder Of the batch that is judged, on this machine. */
export async function judgingIn(folder: string, settings: Settings): Promise<Judging> {
  const own = join(folder, 'judge');
  const judge = await Judge.open(settings, { answers: new AnswerStore(join(own, 'answers'), Date.now) });
  const queue = await FolderQueue.open(own, {}, undefined, FolderQueue.watch(folder));
  const open = (): Promise<OpenedRun> => Promise.resolve({ runs: folder, remove: () => Promise.resolve() });
  const changed = (_since: string | undefined, signal: AbortSignal): Promise<string> => after(lookMs, '', { signal });
  return { judge, queue, work: { take: () => queue.take(), changed }, open, close: () => queue.close() };
}

/** @param batch The batch that is judged, in the database of a queue. */
export async function judgingShared(
  url: string,
  batch: string,
  settings: Settings,
  limits: KeyLimits,
): Promise<Judging> {
  const database = await openDatabase(url, { isWorker: true });
  try {
    const queue = await SharedQueue.open(database, judgementsOf(batch), {}, 1);
    return { ...(await sharedBench(database, settings, limits)), queue, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function sharedBench(database: Database, settings: Settings, limits: KeyLimits): Promise<Bench> {
  return {
    judge: await Judge.open(settings, sharedState(database, limits)),
    work: new SharedWork(database, () => undefined, judgementJobs),
    async open(run) {
      const runs = await mkdtemp(join(tmpdir(), 'judged-'));
      const remove = (): Promise<void> => rm(runs, { recursive: true, force: true });
      await restoreRun(database, runs, run).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
      return { runs, remove };
    },
  };
}

/** Judges the reports of all batches of a queue until it is stopped. */
export async function workOn(
  url: string,
  settings: Settings,
  limits: KeyLimits,
  atOnce: number,
  signal: AbortSignal,
): Promise<void> {
  const database = await openDatabase(url, { isWorker: true });
  try {
    const bench = await sharedBench(database, settings, limits);
    console.error(`Judging with ${bench.judge.name}.`);
    await judgeThrough(bench, atOnce, () => Promise.resolve(false), signal);
  } finally {
    await database.close();
  }
}

/** Judges what is ready until it is over or stopped. */
export function judgeThrough(
  { judge, work, open }: Bench,
  atOnce: number,
  isOver: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  return workThrough(
    work,
    {
      work: (taken, stop) => judgeTaken(taken, judge, open, stop),
      ...{ atOnce, isOver },
      onLeft: ({ question: { id } }, result) => result && console.error(`${id}: judged by ${judge.name}`),
    },
    signal,
  );
}

/** Whether all judgements of these questions have ended, or the batch of judgements is paused. */
export async function isJudged(queue: FollowedQueue, ids: ReadonlySet<string>): Promise<boolean> {
  if ((await queue.counts()).isPaused) return true;
  for await (const { id, status } of queue.states())
    if (ids.has(id) && (status === 'pending' || status === 'running')) return false;
  return true;
}
