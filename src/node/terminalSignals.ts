import { ResearchError } from '../research/errors.ts';
import { l10n } from './l10n.ts';
import { type ResearchEvent, worksOf } from '../research/ports.ts';

/**
 * One press of Ctrl+C may arrive more than once: from the terminal, and forwarded by npm or by the Node that started this one.
 * Signals closer together than this, in milliseconds, are one press.
 */
const onePressMs = 100;

export interface SignalOptions {
  readonly process: Pick<NodeJS.Process, 'on' | 'exit'>;
  /** Writes to the person at the terminal. */
  readonly write: (text: string) => void;
  /** A resumed run may have found something before. */
  readonly mayHaveFound: boolean;
}

export interface Signals {
  readonly stop: AbortSignal;
  readonly finish: AbortSignal;
  /** Don't wait for the index of the folder. */
  readonly answer: AbortSignal;
  /** The run of the events so far. */
  lastRun(): string | undefined;
  onEvent(event: ResearchEvent): void;
}

/**
 * What Ctrl+C and SIGTERM mean: while the folder is indexed the first Ctrl+C answers from what is. Otherwise the first finishes with
 * what was found and says how to stop, or stops where nothing was found yet; the second stops; the third exits at once. SIGTERM stops,
 * and so does SIGHUP (the terminal was closed).
 */
export function listenToSignals({ process, write, mayHaveFound }: SignalOptions): Signals {
  const stop = new AbortController();
  const finish = new AbortController();
  const answer = new AbortController();
  let isIndexing = false;
  const sources = new Map<string, { readonly id: string; readonly work?: string | undefined }>();
  let run: string | undefined;
  let writes = false;
  let pressed = Number.NEGATIVE_INFINITY;
  const interrupt = (): void => {
    const before = pressed;
    pressed = performance.now();
    if (pressed - before < onePressMs) return;
    if (stop.signal.aborted) return process.exit(130);
    if (isIndexing && !answer.signal.aborted) {
      write(`\n${l10n.t('Answering from what is indexed. Press Ctrl+C again to stop.')}\n`);
      return answer.abort(new DOMException('Answer now.', 'AbortError'));
    }
    if (finish.signal.aborted || (sources.size === 0 && !mayHaveFound)) return end();
    const count = worksOf([...sources.values()]).length;
    const line = writes
      ? l10n.t('The report is being written. Press Ctrl+C again to stop.')
      : count === 0
        ? l10n.t('Finishing with what was found. Press Ctrl+C again to stop.')
        : l10n.t(
            'Finishing with the {0, plural, one {# source} other {# sources}} found so far. Press Ctrl+C again to stop.',
            count,
          );
    write(`\n${line}\n`);
    finish.abort(new ResearchError('finish', 'Finish now.'));
  };
  const end = (): void => {
    write(`\n${l10n.t('Stopping.')}\n`);
    stop.abort(new ResearchError('abort', 'Stopped.'));
  };
  process.on('SIGINT', interrupt);
  // The end of a session sends both, in any order: only a second SIGTERM exits at once.
  let terminated = false;
  process.on('SIGTERM', () => {
    if (terminated) return process.exit(130);
    terminated = true;
    if (!stop.signal.aborted) end();
  });
  process.on('SIGHUP', () => void (stop.signal.aborted || end()));
  return {
    stop: stop.signal,
    finish: finish.signal,
    answer: answer.signal,
    lastRun: () => run,
    onEvent(event) {
      run = event.run;
      if (event.type === 'folder/indexed') isIndexing = true;
      if (event.type === 'tool/finished') isIndexing = false;
      if (event.type === 'source/added') sources.set(event.id, event);
      if (event.type === 'run/phase') writes = event.phase === 'report';
    },
  };
}
