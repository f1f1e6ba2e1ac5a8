import type { ResearchEvent } from '../../protocol/events.ts';
import type { HostMessage, PanelMessage, panelMessageSchema, Setup } from '../../protocol/messages.ts';
import type { RunView } from '../../protocol/runView.ts';
import { EventPump } from './eventPump.ts';

/** What the panel's side of the host shows and whom it tells. */
export interface PanelSetup {
  view(): RunView;
  setup(): Promise<Setup>;
  /** Localised texts by the keys of `strings.ts`. */
  strings(): Promise<Readonly<Record<string, string>>>;
  /** BCP 47. */
  readonly locale: string;
  handle(message: Exclude<PanelMessage, { type: 'ready' }>): void;
  /** A message came that is none of ours. */
  refused(reason: string): void;
}

/**
 * The conversation with one webview, which may be torn down and built again at any time (hidden, moved, reloaded): every
 * new page says `ready` and gets one full snapshot, then only what is new.
 */
export class PanelLink {
  readonly #desk: PanelSetup;
  readonly #send: (message: HostMessage) => void;
  readonly #pump: EventPump;
  /** Counts pages, so that a snapshot which took its time is not posted to the next page. */
  #page = 0;
  #closings = 0;
  #setup: Setup | undefined;
  #strings: Readonly<Record<string, string>> = {};
  #open = false;
  #schema: typeof panelMessageSchema | undefined;
  #question: string | undefined;

  constructor(desk: PanelSetup, send: (message: HostMessage) => void) {
    this.#desk = desk;
    this.#send = send;
    this.#pump = new EventPump(send);
  }

  /** Takes whatever the webview posted. */
  async receive(raw: unknown): Promise<void> {
    if (!this.#schema) {
      const closings = this.#closings;
      // The first message loads what checks it: a window whose panel stays closed does without.
      const { panelMessageSchema } = await import('../../protocol/messages.ts');
      this.#schema = panelMessageSchema;
      // Whoever said it is gone.
      if (closings !== this.#closings) return;
    }
    const parsed = this.#schema.safeParse(raw);
    if (!parsed.success) return this.#desk.refused(typeOf(raw));
    if (parsed.data.type === 'ready') return this.#ready();
    this.#desk.handle(parsed.data);
  }

  /** The page is hidden or gone; whatever is shown next says `ready` again. */
  closed(): void {
    this.#closings++;
    this.#reset();
  }

  event(event: ResearchEvent): void {
    this.#pump.push(event);
  }

  /** Another run is shown, or none: the picture is replaced as a whole. */
  replaced(): void {
    if (this.#open) this.#snapshot();
  }

  /** Settings, keys, folders or trust changed. */
  async setupChanged(): Promise<void> {
    const page = this.#page;
    if (!this.#open) return;
    const setup = await this.#desk.setup();
    if (page !== this.#page) return;
    this.#setup = setup;
    this.#send({ type: 'setup', setup });
  }

  /** Puts a text into the question box and focuses it, as soon as there is a page. */
  ask(question: string): void {
    if (this.#open) this.#send({ type: 'ask', question });
    else this.#question = question;
  }

  notice(level: 'info' | 'error', message: string): void {
    if (this.#open) this.#send({ type: 'notice', level, message });
  }

  async #ready(): Promise<void> {
    this.#reset();
    const page = this.#page;
    const known = this.#setup !== undefined;
    if (!known) {
      const [setup, strings] = await Promise.all([this.#desk.setup(), this.#desk.strings()]);
      if (page !== this.#page) return;
      this.#setup = setup;
      this.#strings = strings;
    }
    this.#open = true;
    this.#snapshot();
    if (this.#question !== undefined) this.#send({ type: 'ask', question: this.#question });
    this.#question = undefined;
    // Asking for the setup may take a model server's time; a page that comes back does not wait for it.
    if (known) await this.setupChanged();
  }

  #reset(): void {
    this.#page++;
    this.#open = false;
    this.#pump.closed();
  }

  #snapshot(): void {
    if (!this.#setup) return;
    this.#send({
      type: 'snapshot',
      view: this.#desk.view(),
      setup: this.#setup,
      strings: this.#strings,
      locale: this.#desk.locale,
    });
    this.#pump.opened();
  }
}

function typeOf(raw: unknown): string {
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined;
  return typeof type === 'string' ? type.slice(0, 40) : typeof raw;
}
