import { ResearchError } from '../errors.ts';
import type { ReportSink, RunFolder } from '../ports.ts';
import { within } from './waiting.ts';

/** A write that takes longer hangs: a disk that spins up, or a slow network drive, is done by then. */
const storageMs = 30_000;

/**
 * A run's folder whose writes end. One that hangs becomes a `storage` error, and until it ends the next ones fail at once: the
 * run continues in memory, as with a full disk. Appended lines still queue behind it, so that none is missing when it ends.
 */
export function boundedFolder(folder: RunFolder, ms = folder.patienceMs ?? storageMs): RunFolder {
  let hanging = 0;
  const late = (): ResearchError =>
    new ResearchError('storage', `The run's folder could not be written within ${Math.round(ms / 1000)} s.`, {
      next: 'Check the disk, or move the runs to another one.',
    });
  const bounded = async <T>(write: () => Promise<T>, queues: boolean): Promise<T> => {
    if (hanging > 0) {
      if (queues) void write().catch(() => undefined);
      throw late();
    }
    const work = write();
    return await within(ms, work, () => {
      hanging += 1;
      void work.catch(() => undefined).finally(() => (hanging -= 1));
      return late();
    });
  };
  return new Proxy(folder, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      // Releasing the folder is not a write and must be tried even when writes hang.
      if (name === 'close') return member.bind(target) as unknown;
      return (...values: unknown[]) =>
        bounded(
          () => Promise.resolve((member as (...all: unknown[]) => unknown).apply(target, values)),
          String(name).startsWith('append'),
        );
    },
  });
}

/** Makes or opens a folder in bounded time. One that opens too late is released. */
export async function openedInTime<T>(
  opening: Promise<T>,
  release: (late: T) => Promise<void>,
  ms = storageMs,
): Promise<T> {
  return await within(ms, opening, () => {
    opening.then(release).catch(() => undefined);
    return new ResearchError('storage', `The run's folder could not be opened within ${Math.round(ms / 1000)} s.`, {
      next: 'Check the disk, or save the runs on another one.',
    });
  });
}

/** A sink whose save ends; a report that could not be saved is still in the run's folder. */
export function boundedSink(sink: ReportSink, ms = storageMs): ReportSink {
  const late = (): ResearchError =>
    new ResearchError('storage', `The report could not be saved within ${Math.round(ms / 1000)} s.`, {
      next: 'Check the disk, and save the report elsewhere.',
    });
  const { saveBeside } = sink;
  return {
    ...sink,
    save: (...report) => within(ms, sink.save(...report), late),
    ...(saveBeside && { saveBeside: (report, ending, text) => within(ms, saveBeside(report, ending, text), late) }),
  };
}
