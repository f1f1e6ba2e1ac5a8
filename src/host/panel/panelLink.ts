import type { ResearchEvent } from '../../protocol/events.ts';
import type { DocumentItem, HostMessage, PanelMessage, panelMessageSchema, Setup } from '../../protocol/messages.ts';
import type { RunView } from '../../protocol/runView.ts';

/** How long events are batched before they are posted: a tenth of a second still reads as "live". */
const batchMs = 80;

/** What the window handles; `ready` is between the page and its link. */
export type HandledMessage = Exclude<PanelMessage, { type: 'ready' }>;

/** A handler for each message, by its type. */
export type PanelHandlers = {
  readonly [T in HandledMessage['type']]: (message: Extract<HandledMessage, { type: T }>) => unknown;
};

export function handleWith(handlers: PanelHandlers, message: HandledMessage): unknown {
  return (handlers[message.type] as (message: HandledMessage) => unknown)(message);
}

/** What the panel needs of the window that it belongs to. */
export interface PanelHost {
  view(): RunView;
  setup(): Promise<Setup>;
  /** What is attached to the next question. */
  attached(): readonly DocumentItem[];
  /** A tab shows the report of the run. */
  isRead(): boolean;
  /** Localised texts by the keys of `strings.ts`. */
  strings(): Promise<Readonly<Record<string, string>>>;
  /** BCP 47. */
  readonly locale: string;
  handle(message: HandledMessage): void;
  /** A message of an unknown type came. */
  refused(type: string): void;
}

/**
 * The conversation with one webview, which may be torn down and built again at any time (hidden, moved, reloaded):
 * every new page says `ready` and gets one full snapshot, then only what is new, each event at most once. A hidden panel gets nothing.
 */
export class PanelLink {
  readonly #host: PanelHost;
  readonly #send: (message: HostMessage) => void;
  /** Counts pages, so that a late snapshot is not posted to the next page. */
  #page = 0;
  #closings = 0;
  /** Counts changes of the setup, so that one that took longer to describe does not replace a later one. */
  #changes = 0;
  #setup: Setup | undefined;
  #strings: Readonly<Record<string, string>> = {};
  #open = false;
  /** Events that the next batch posts. */
  #waiting: ResearchEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #schema: typeof panelMessageSchema | undefined;
  /** To be sent as soon as there is a page. */
  #ask: Extract<HostMessage, { type: 'ask' }> | undefined;

  constructor(host: PanelHost, send: (message: HostMessage) => void) {
    this.#host = host;
    this.#send = send;
  }

  /** Handles what the webview posted. */
  async receive(raw: unknown): Promise<void> {
    if (!this.#schema) {
      const closings = this.#closings;
      // Loaded with the first message: a window whose panel stays closed does not need it.
      const { panelMessageSchema } = await import('../../protocol/messages.ts');
      this.#schema = panelMessageSchema;
      // The page that posted it is gone.
      if (closings !== this.#closings) return;
    }
    const parsed = this.#schema.safeParse(raw);
    if (!parsed.success) return this.#host.refused(typeOf(raw));
    if (parsed.data.type === 'ready') return this.#ready();
    this.#host.handle(parsed.data);
  }

  /** The page is hidden or gone; the next one says `ready` again. */
  closed(): void {
    this.#closings++;
    this.#reset();
  }

  event(event: ResearchEvent): void {
    if (!this.#open) return;
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => {
      const events = this.#waiting;
      this.#dropEvents();
      this.#send({ type: 'events', events });
    }, batchMs);
  }

  /** Another run is shown, or none: the view is replaced as a whole. */
  replaced(): void {
    if (this.#open) this.#snapshot();
  }

  /** Settings, keys, folders or trust changed. */
  async setupChanged(): Promise<void> {
    const page = this.#page;
    const change = ++this.#changes;
    if (!this.#open) return;
    const setup = await this.#host.setup();
    if (page !== this.#page || change !== this.#changes) return;
    this.#setup = setup;
    this.#send({ type: 'setup', setup });
  }

  /** Focuses the question box, and puts a text into it if one is given, as soon as there is a page. */
  ask(question?: string): void {
    const ask = { type: 'ask', ...(question === undefined ? {} : { question }) } as const;
    if (this.#open) this.#send(ask);
    else this.#ask = ask;
  }

  /** What is attached has changed. */
  attached(): void {
    this.post({ type: 'attached', items: this.#host.attached() });
  }

  /** A report is open in a tab, or closed. */
  reading(): void {
    if (this.#open) this.#send({ type: 'reading', isRead: this.#host.isRead() });
  }

  /** Posts a message for which a later page has no use. */
  post(
    message: Extract<HostMessage, { type: 'attached' | 'documents' | 'evidence' | 'thread' | 'steered' | 'notice' }>,
  ): void {
    if (this.#open) this.#send(message);
  }

  async #ready(): Promise<void> {
    this.#reset();
    const page = this.#page;
    const known = this.#setup !== undefined;
    const change = this.#changes;
    if (!known) {
      const [setup, strings] = await Promise.all([this.#host.setup(), this.#host.strings()]);
      if (page !== this.#page) return;
      this.#setup = setup;
      this.#strings = strings;
    }
    this.#open = true;
    this.#snapshot();
    if (this.#host.attached().length > 0) this.attached();
    if (this.#ask) this.#send(this.#ask);
    this.#ask = undefined;
    // Describing the setup may ask a model server; a page that comes back does not wait for it.
    if (known || change !== this.#changes) await this.setupChanged();
  }

  #reset(): void {
    this.#page++;
    this.#open = false;
    this.#dropEvents();
  }

  #dropEvents(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  /** Includes every event up to now. */
  #snapshot(): void {
    if (!this.#setup) return;
    const { locale } = this.#host;
    this.#dropEvents();
    const view = this.#host.view();
    const isRead = this.#host.isRead();
    this.#send({ type: 'snapshot', view, setup: this.#setup, strings: this.#strings, locale, isRead });
  }
}

function typeOf(raw: unknown): string {
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined;
  return typeof type === 'string' ? type.slice(0, 40) : typeof raw;
}
