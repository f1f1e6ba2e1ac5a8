import type { EventBody, ResearchEvent } from '../../protocol/events.ts';
import { activeMs, emptyView, reduceRun } from '../../protocol/reduceRun.ts';
import type { RunView } from '../../protocol/runView.ts';
import { ResearchError } from '../errors.ts';
import { textsIn } from '../languages/texts.ts';
import type { Spent } from '../policy/runBudget.ts';
import type { Clock, Log, RunFolder } from '../ports.ts';
import { mayRecur, warningCode, warningText, type EmittedWarning, type Warning } from '../languages/warning.ts';

export interface RunEventsOptions {
  readonly run: string;
  /** BCP 47, of the report: warnings are written in it. */
  readonly language: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly folder: RunFolder;
  readonly onEvent?: ((event: ResearchEvent) => void) | undefined;
  /** Of the run before it was resumed: numbers, tokens, time and warnings continue from there. */
  readonly earlier?: readonly ResearchEvent[] | undefined;
  /** Called for every event, the earlier ones included, before it is stored. */
  readonly observers: readonly ((event: ResearchEvent) => void)[];
}

/** Emits the events of a run: numbers them, stores them, and sums up what the report's account needs of them. */
export class RunEvents {
  readonly #options: RunEventsOptions;
  readonly tokens = { in: 0, out: 0, cached: 0 };
  /** Places of the model calls whose usage was emitted. */
  readonly counted = new Set<string>();
  readonly warnings: EmittedWarning[] = [];
  /** Number of the warnings from before the run was resumed. */
  #earlier: number;
  readonly #sources = new Set<string>();
  #seq = 0;
  #modelAnswered = false;
  #stored: Promise<void> = Promise.resolve();
  #storageFailed = false;
  #ended = false;
  /** For the running time alone. */
  #view = emptyView();
  readonly #earlierMs: number;
  readonly #started: number;
  /** Since when the run waits for the user or is paused, and how long it did before; by the monotonic clock. */
  #waitingSince: number | undefined;
  #waitedMs = 0;

  constructor(options: RunEventsOptions) {
    this.#options = options;
    const earlier = options.earlier ?? [];
    for (const event of earlier) this.#count(event);
    this.#earlierMs = activeMs(this.#view, new Date(this.#view.updatedAt));
    this.#started = options.clock.monotonic();
    this.#waitingSince = undefined;
    this.#waitedMs = 0;
    this.#earlier = this.warnings.length;
  }

  /** By model and phase, the time before the run was resumed included. */
  get usage(): RunView['usage'] {
    return this.#view.usage;
  }

  /** What the model calls took so far, the time before the run was resumed included. */
  spent = (): Spent => ({ tokens: this.tokens.in + this.tokens.out, cost: this.#view.cost ?? 0 });

  /** A model has answered, now or before the run was resumed. */
  get modelAnswered(): boolean {
    return this.#modelAnswered;
  }

  /** How long the run was running, without waits and interruptions, in milliseconds. Setting the wall clock changes nothing. */
  get ms(): number {
    const now = this.#options.clock.monotonic();
    const waited = this.#waitedMs + (this.#waitingSince === undefined ? 0 : now - this.#waitingSince);
    return Math.round(this.#earlierMs + now - this.#started - waited);
  }

  emit = (body: EventBody): void => {
    // A resumed run finds the same sources again.
    if (body.type === 'source/added' && this.#sources.has(body.id)) return;
    // Aborted branches may still emit something: nothing follows the run's end.
    if (this.#ended) return;
    this.#ended = isEnd(body);
    const { run, clock, folder, onEvent } = this.#options;
    const event = { ...body, run, seq: this.#seq + 1, at: clock.now().toISOString() };
    this.#count(event);
    // The folder preserves the order: lines that arrive together are written together.
    const appended = folder.appendEvent(event).catch(this.storageProblem);
    this.#stored = Promise.all([this.#stored, appended]).then(() => undefined);
    onEvent?.(event);
  };

  warn = (warning: Warning, section?: string): void => {
    const code = warningCode(warning);
    const message = warningText(warning, textsIn(this.#options.language, 'run'));
    const english = warningText(warning, textsIn('en', 'run'));
    const isKnown = this.warnings.some(
      (known, index) =>
        known.code === code &&
        known.section === section &&
        (index >= this.#earlier || known.message === message || !mayRecur(known)),
    );
    if (isKnown && warning.kind !== 'model.retry') return;
    const { kind } = warning;
    const said = { message, ...(english === message ? {} : { english }) };
    this.emit({ type: 'run/warning', kind, code, ...said, ...(section === undefined ? {} : { section }) });
  };

  /** A full disk costs the run's history, not the run: it is reported once, and the run continues in memory. */
  storageProblem = (thrown: unknown): void => {
    const error = ResearchError.from(thrown);
    this.#options.log.error(`run folder: ${error.message}`);
    if (this.#storageFailed) return;
    this.#storageFailed = true;
    this.warn({ kind: 'storage', error });
  };

  /** Forgets warnings from before the run was resumed, because what they are about is tried again. */
  forgetWarnings(isVoid: (warning: EmittedWarning) => boolean): void {
    for (let index = this.#earlier - 1; index >= 0; index -= 1)
      if (isVoid(this.warnings[index]!)) {
        this.warnings.splice(index, 1);
        this.#earlier -= 1;
      }
  }

  /** Resolves when every event so far is stored. */
  async flushed(): Promise<void> {
    // Storing may itself add an event: the warning that storing failed.
    for (let before: Promise<void> | undefined; before !== this.#stored;) {
      before = this.#stored;
      await before;
    }
  }

  #time(event: ResearchEvent): void {
    this.#view = reduceRun(this.#view, event);
    const { status } = this.#view;
    const now = this.#options.clock.monotonic();
    if (status === 'waiting' || status === 'paused') this.#waitingSince ??= now;
    else if (this.#waitingSince !== undefined) {
      this.#waitedMs += now - this.#waitingSince;
      this.#waitingSince = undefined;
    }
  }

  #count(event: ResearchEvent): void {
    for (const observe of this.#options.observers) observe(event);
    this.#seq = Math.max(this.#seq, event.seq);
    if (event.type !== 'report/delta') this.#time(event);
    if (event.type === 'source/added') this.#sources.add(event.id);
    if (event.type === 'usage') {
      this.#modelAnswered = true;
      if (event.call !== undefined) this.counted.add(event.call);
      this.tokens.in += event.tokens.in;
      this.tokens.out += event.tokens.out;
      this.tokens.cached += event.tokens.cached;
    }
    if (event.type === 'run/warning') {
      const { kind, code, message, section } = event;
      this.warnings.push({ kind, code, message, ...(section === undefined ? {} : { section }) });
    }
  }
}

function isEnd({ type, ...body }: EventBody): boolean {
  return (
    type === 'run/finished' ||
    type === 'run/failed' ||
    type === 'run/cancelled' ||
    (type === 'run/paused' && 'reason' in body && body.reason === 'needsAnswer')
  );
}
