import fs from 'node:fs';
import path from 'node:path';
import { openRegular } from '../../files/regularFile.ts';
import { parseEvent } from '../../protocol/events.ts';
import { parseJson } from '../../protocol/json.ts';
import { emptyView, reduceRun } from '../../protocol/reduceRun.ts';
import { runFiles } from '../../protocol/runFolder.ts';
import type { RunView } from '../../protocol/runView.ts';

/** Events come in bursts (milliseconds). */
const burstMs = 500;
/** Read at one time (bytes): a run of 30 sections writes 2-5 MB. */
const mostBytes = 64 * 1024 * 1024;

/** How far a run is that another process does: the events that it writes are read as they come. */
export class FollowedRun {
  readonly #events: string;
  readonly #run: string;
  readonly #changed: () => void;
  readonly #watcher: fs.FSWatcher | undefined;
  #view = emptyView();
  #at = 0;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /**
   * @param folder Absolute path of the run's folder.
   * @param changed Called when something of {@link view} that a row shows is another.
   */
  constructor(folder: string, changed: () => void) {
    this.#events = path.join(folder, runFiles.events);
    this.#run = path.basename(folder);
    this.#changed = changed;
    try {
      this.#watcher = fs.watch(folder, { persistent: false }, () => this.#look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // It has just been deleted.
    }
    this.#look();
  }

  get view(): Pick<RunView, 'sections' | 'sources'> {
    return this.#view;
  }

  dispose(): void {
    this.#watcher?.close();
    clearTimeout(this.#timer);
    this.#isDisposed = true;
  }

  #look(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#read().catch(() => undefined);
    }, burstMs);
  }

  async #read(): Promise<void> {
    const before = shownOf(this.#view);
    const file = await openRegular(this.#events).catch(() => undefined);
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      const added = Buffer.alloc(Math.max(0, Math.min(size - this.#at, mostBytes)));
      const { bytesRead } = await file.read(added, 0, added.length, this.#at);
      // The last line may be torn: it is read again.
      const end = added.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      this.#at += end;
      for (const line of added.toString('utf8', 0, end).split('\n')) {
        const event = parseEvent(parseJson(line));
        if (event?.run === this.#run && event.type !== 'report/delta') this.#view = reduceRun(this.#view, event);
      }
    } finally {
      await file.close();
    }
    if (!this.#isDisposed && shownOf(this.#view) !== before) this.#changed();
  }
}

/** The sections of a run that have ended. */
export function endedSections({ sections }: Pick<RunView, 'sections'>): number {
  return sections.filter(({ status }) => status === 'completed' || status === 'failed').length;
}

function shownOf(view: RunView): string {
  return [view.status, endedSections(view), view.sections.length, view.sources.length].join(' ');
}
