import type { HostMessage } from '../../protocol/messages.ts';
import type { ResearchEvent } from '../../protocol/events.ts';

/** How long events are batched before they are posted: a tenth of a second still reads as "live". */
const batchMs = 80;

/**
 * Posts events to a webview in batches, each event at most once, and only while the panel is visible. A hidden panel
 * gets nothing: when it returns it says `ready` and gets a full snapshot.
 */
export class EventPump {
  readonly #post: (message: HostMessage) => void;
  #waiting: ResearchEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #open = false;

  constructor(post: (message: HostMessage) => void) {
    this.#post = post;
  }

  /** The panel has just been sent a snapshot that includes every event up to now. */
  opened(): void {
    this.#drop();
    this.#open = true;
  }

  /** The panel is hidden, moved or gone. */
  closed(): void {
    this.#drop();
    this.#open = false;
  }

  push(event: ResearchEvent): void {
    if (!this.#open) return;
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => this.flush(), batchMs);
  }

  /** Posts the current batch at once. */
  flush(): void {
    const events = this.#waiting;
    this.#drop();
    if (events.length > 0) this.#post({ type: 'events', events });
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }
}
