import type { EventBody } from '../../protocol/events.ts';
import type { ResearchTool } from '../tools.ts';
import type { Warning } from '../languages/warning.ts';

type Warn = (warning: Warning, section?: string) => void;

/** From so many sources on that can't be reached, and none that can, the machine is offline, not they. */
const fewest = 2;

/**
 * Whether services can be reached at all. Warnings that one can't be are held back until another has answered; where none does, one
 * line takes their place.
 */
export class Reachability {
  readonly #warn: Warn;
  /** Names of the tools that ask services. */
  readonly #remote: ReadonlySet<string>;
  readonly #hasLocal: boolean;
  #held: { readonly source: string; readonly warning: Warning; readonly section: string | undefined }[] = [];
  #isReached = false;
  #isSettled = false;

  constructor(tools: readonly ResearchTool[], warn: Warn) {
    this.#warn = warn;
    this.#remote = new Set(tools.filter(({ traits }) => traits?.isLocal === false).map(({ name }) => name));
    this.#hasLocal = tools.some(({ kind, traits }) => kind === 'search' && traits?.isLocal === true);
  }

  /** Warns now, or later, or not at all. */
  warn: Warn = (warning, section) => {
    const isUnreached = warning.kind === 'source.failed' && warning.error.isUnreachable;
    if (warning.kind === 'source.failed' && !isUnreached) this.#reached();
    if (isUnreached && !this.#isReached) this.#held.push({ source: warning.source, warning, section });
    else this.#warn(warning, section);
  };

  /** Before an event is emitted. */
  see(event: EventBody): void {
    if (event.type === 'tool/finished' && event.error === undefined && this.#remote.has(event.name)) this.#reached();
    const isOver = event.type === 'run/phase' && (event.phase === 'review' || event.phase === 'report');
    if (isOver || /^run\/(?:finished|failed|cancelled|paused)$/.test(event.type)) this.isOffline();
  }

  /** No service could be reached so far. The first time, it is said once where something else was searched. */
  isOffline(): boolean {
    if (this.#isReached || new Set(this.#held.map(({ source }) => source)).size < fewest) {
      this.#release();
      return false;
    }
    if (!this.#isSettled && this.#hasLocal) this.#warn({ kind: 'sources.offline' });
    this.#isSettled = true;
    return true;
  }

  #reached(): void {
    this.#isReached = true;
    this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const { warning, section } of held) this.#warn(warning, section);
  }
}
