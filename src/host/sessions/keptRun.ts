import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseEvent } from '../../protocol/events.ts';
import { interrupted, type InterruptedStrings } from '../../protocol/interrupted.ts';
import { emptyView, reduceRun } from '../../protocol/reduceRun.ts';
import type { RunView } from '../../protocol/runView.ts';

/** A run of 30 sections writes 2-5 MB of events; what is beyond this is not worth a window that hangs. */
const maxBytes = 64 * 1024 * 1024;

/** A run as this window remembers it. `ended`: it came to its end while the window lived. */
export interface RememberedRun {
  readonly run: string;
  readonly ended: boolean;
}

/**
 * The picture of a run as its `events.ndjson` tells it. A run that never ended was cut off (reloaded window, killed host):
 * it is shown with all that it had found. Lines that are torn, unknown or another run's are passed over. Undefined when
 * nothing of it can be read.
 */
export async function readKeptRun(runsFolder: string, { run, ended }: RememberedRun, strings: InterruptedStrings, limit = maxBytes): Promise<RunView | undefined> {
  // The name comes from the editor's storage; it never leaves the folder.
  if (!/^[\w-][\w.-]*$/.test(run)) return undefined;
  const stream = createReadStream(path.join(runsFolder, run, 'events.ndjson'), { encoding: 'utf8', end: limit - 1 });
  let view = emptyView();
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      const event = parseEvent(parseJson(line));
      if (event?.run === run) view = reduceRun(view, event);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && view.run === '') return undefined;
  } finally {
    stream.destroy();
  }
  if (view.run === '') return undefined;
  // A window that goes away stops its run, which writes "cancelled" when there is time: no user did that.
  return interrupted(view.status === 'cancelled' && !ended ? { ...view, status: 'running' } : view, strings);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
