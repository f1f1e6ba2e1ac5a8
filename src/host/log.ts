import { redact } from '../protocol/redact.ts';
import type { Log } from '../protocol/ports.ts';
import type { ResearchEvent } from '../protocol/events.ts';

/** The log of engine and host: every line is redacted. */
export class RedactedLog implements Log {
  readonly #sink: Log;
  readonly #keys = new Set<string>();

  constructor(sink: Log) {
    this.#sink = sink;
  }

  /** Remembers a key that was handed out, so that it is removed from every later line. */
  hide(key: string): void {
    this.#keys.add(key);
  }

  readonly trace = (message: string): void => this.#sink.trace(this.#clean(message));
  readonly debug = (message: string): void => this.#sink.debug(this.#clean(message));
  readonly info = (message: string): void => this.#sink.info(this.#clean(message));
  readonly warn = (message: string): void => this.#sink.warn(this.#clean(message));
  readonly error = (message: string): void => this.#sink.error(this.#clean(message));

  #clean(message: string): string {
    return redact(message, this.#keys);
  }
}

/**
 * One line for each event that marks progress, without what the user asked or what was found: questions, titles,
 * thoughts, queries and report text are left out.
 */
export function logEvent(log: Log, event: ResearchEvent): void {
  switch (event.type) {
    case 'run/started':
      return log.info(
        `run ${event.run}: started, strategy ${event.strategy}, ${event.analyst}, provider ${event.provider}, model ${event.model ?? 'none'}`,
      );
    case 'run/phase':
      return log.info(`run ${event.run}: ${event.phase}`);
    case 'clarify/asked':
      return log.info(`run ${event.run}: waiting for an answer about ${event.missingInfo || 'the question'}`);
    case 'plan/proposed':
      return log.info(
        `run ${event.run}: plan of ${event.sections.length} sections, about ${event.estimate.calls} calls`,
      );
    case 'section/updated':
      return log.debug(
        `run ${event.run}: section ${event.id}, ${event.status}, attempt ${event.attempt}, ${event.sources} sources`,
      );
    case 'tool/finished':
      return log.debug(
        `run ${event.run}: ${event.name} took ${Math.round(event.ms)} ms, ${event.sources.length} sources${event.error === undefined ? '' : ', failed'}`,
      );
    case 'review/finished':
      return log.info(
        `run ${event.run}: review ${event.round} scores ${event.score}, sends back ${event.retry.length}`,
      );
    case 'report/revision':
      return log.info(
        `run ${event.run}: revision ${event.round}, ${event.points.length} points, ${event.changed.length} changed`,
      );
    case 'run/warning':
      return log.warn(`run ${event.run}: ${event.code}: ${event.message}`);
    case 'run/finished':
      return log.info(
        `run ${event.run}: finished, ${event.outcome}, ${event.tokens.in} + ${event.tokens.out} tokens, ${Math.round(event.ms)} ms`,
      );
    case 'run/failed':
      return log.error(`run ${event.run}: failed, ${event.reason}: ${event.message}`);
    case 'run/cancelled':
      return log.info(`run ${event.run}: cancelled, ${event.reason}`);
    default:
      return undefined;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
