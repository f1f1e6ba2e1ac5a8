import type { redact } from '../protocol/redact.ts';
import type { Log } from '../protocol/ports.ts';
import type { ResearchEvent } from '../protocol/events.ts';

/** The log of engine and host: every line is redacted, by code that is loaded with the first one. Lines stay in order. */
export class RedactedLog implements Log {
  readonly #sink: Log;
  readonly #keys = new Set<string>();
  #redact: typeof redact | undefined;
  #waiting: (() => void)[] = [];

  constructor(sink: Log) {
    this.#sink = sink;
  }

  /** Remembers a key that was handed out, so that it is removed from every later line. */
  hide(key: string): void {
    this.#keys.add(key);
  }

  readonly trace = (message: string): void => this.#write('trace', message);
  readonly debug = (message: string): void => this.#write('debug', message);
  readonly info = (message: string): void => this.#write('info', message);
  readonly warn = (message: string): void => this.#write('warn', message);
  readonly error = (message: string): void => this.#write('error', message);

  #write(level: keyof Log, message: string): void {
    if (this.#redact) return this.#sink[level](this.#redact(message, this.#keys));
    this.#waiting.push(() => this.#write(level, message));
    if (this.#waiting.length === 1) void this.#load();
  }

  async #load(): Promise<void> {
    this.#redact = (await import('../protocol/redact.ts')).redact;
    for (const write of this.#waiting) write();
    this.#waiting = [];
  }
}

/**
 * One line for each event that marks progress, without what the user asked or what was found: questions, titles,
 * thoughts, queries and report text are left out.
 */
export function logEvent(log: Log, event: ResearchEvent): void {
  const say = (text: string, level: keyof Log = 'info') => log[level](`run ${event.run}: ${text}`);
  switch (event.type) {
    case 'run/started': {
      const { strategy, analyst, provider, model } = event;
      return say(`started, strategy ${strategy}, ${analyst}, provider ${provider}, model ${model ?? 'none'}`);
    }
    case 'run/phase':
      return say(event.phase);
    case 'clarify/asked':
      return say(`waiting for an answer about ${event.missingInfo || 'the question'}`);
    case 'plan/proposed':
      return say(`plan of ${event.sections.length} sections, about ${event.estimate.calls} calls`);
    case 'section/updated': {
      const { id, status, attempt, sources } = event;
      return say(`section ${id}, ${status}, attempt ${attempt}, ${sources} sources`, 'debug');
    }
    case 'tool/finished': {
      const failed = event.error === undefined ? '' : ', failed';
      return say(`${event.name} took ${Math.round(event.ms)} ms, ${event.sources.length} sources${failed}`, 'debug');
    }
    case 'review/finished':
      return say(`review ${event.round} scores ${event.score}, sends back ${event.retry.length}`);
    case 'report/revision':
      return say(`revision ${event.round}, ${event.points.length} points, ${event.changed.length} changed`);
    case 'run/warning':
      return say(`${event.code}: ${event.message}`, 'warn');
    case 'run/finished': {
      const { outcome, tokens, ms } = event;
      return say(`finished, ${outcome}, ${tokens.in} + ${tokens.out} tokens, ${Math.round(ms)} ms`);
    }
    case 'run/failed':
      return say(`failed, ${event.reason}: ${event.message}`, 'error');
    case 'run/cancelled':
      return say(`cancelled, ${event.reason}`);
    default:
      return undefined;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
