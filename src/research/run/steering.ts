import * as z from 'zod';
import type { EventBody, ResearchEvent } from '../../protocol/events.ts';
import {
  longestRemark,
  mostAttempts,
  mostRemarks,
  type RunControls,
  type SteerOutcome,
} from '../../protocol/steering.ts';
import type { Replay } from '../calls/replay.ts';
import { ResearchError } from '../errors.ts';

/** What the user said to a section, as the journal has it under `steer/1`, `steer/2`, … in the order of its arrival. */
const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('remark'),
    section: z.string(),
    text: z.string(),
    /** Names the decision that it is a part of. */
    from: z.string().optional(),
  }),
  z.object({ kind: z.literal('stop'), section: z.string() }),
]);
type Entry = z.infer<typeof entrySchema>;

interface Remark {
  readonly id: string;
  readonly section: string;
  readonly text: string;
}

/** What a section knows at one place of the run. */
export interface Told {
  /** How many of its remarks have arrived. */
  readonly remarks: number;
  readonly stopped: boolean;
}
const toldSchema = z.object({ remarks: z.number().int().nonnegative(), stopped: z.boolean() });

interface Section {
  title: string;
  last?: Extract<ResearchEvent, { type: 'section/updated' }>;
  readonly remarks: Remark[];
  readonly stop: AbortController;
}

export interface SteeringPorts {
  readonly replay: Replay;
  readonly emit: (event: EventBody) => void;
}

/**
 * What the user says to sections while they are researched: remarks, and that one is to stop. Each is journalled when it arrives, and
 * every {@link look} at it with its place, so that a resumed run sees the same at the same places.
 */
export class Steering implements RunControls {
  readonly #sections = new Map<string, Section>();
  readonly #shown = new Map<string, 'waiting' | 'seen' | 'unused'>();
  readonly #decided = new Set<string>();
  #ports: SteeringPorts | undefined;
  #arrived = 0;
  #remarks = 0;
  #isOpen = false;
  #isClosed = false;

  /** Observes the run's events, those from before it was resumed included: they say which sections there are. */
  see(event: ResearchEvent): void {
    if (event.type === 'plan/approved') for (const { id, title } of event.sections) this.#of(id).title = title;
    if (event.type === 'section/updated') {
      const section = this.#of(event.id);
      section.title = event.title;
      section.last = event;
    }
    if (event.type === 'section/remark') this.#shown.set(event.id, event.state);
  }

  /** Takes what arrived before the run was resumed from its journal. */
  begin(ports: SteeringPorts): void {
    this.#ports = ports;
    for (;;) {
      const entry = entrySchema.safeParse(ports.replay.recorded(`steer/${this.#arrived + 1}`)).data;
      if (entry === undefined) return;
      this.#arrived += 1;
      this.#take(entry);
    }
  }

  /** The run has begun: emits remarks whose event was not stored before, and accepts more. */
  open(): RunControls {
    this.#isOpen = true;
    for (const { remarks } of this.#sections.values()) for (const remark of remarks) this.#announce(remark);
    return {
      remark: (section, text) => this.remark(section, text),
      stopSection: (section) => this.stopSection(section),
    };
  }

  /** The run is over. Remarks that wait are still there when it is resumed. */
  end(): void {
    this.#isClosed = true;
  }

  async remark(section: string, text: string): Promise<SteerOutcome> {
    const words = text.trim();
    if (words === '') return 'empty';
    if (words.length > longestRemark) return 'tooLong';
    const refused = this.#refusal(section);
    if (refused !== undefined) return refused;
    const { last } = this.#of(section);
    if (this.#remarks >= mostRemarks || (last?.attempt ?? 0) >= mostAttempts) return 'tooMany';
    // A second click sends the same again.
    const isRepeated = this.#of(section).remarks.some(
      (known) => known.text === words && this.#shown.get(known.id) === 'waiting',
    );
    if (!isRepeated) await this.#arrive({ kind: 'remark', section, text: words });
    return 'accepted';
  }

  async stopSection(section: string): Promise<SteerOutcome> {
    const refused = this.#refusal(section);
    if (refused !== undefined) return refused === 'stopped' ? 'accepted' : refused;
    const { last } = this.#of(section);
    if (last) this.#ports?.emit({ ...last, stopped: true });
    await this.#arrive({ kind: 'stop', section });
    return 'accepted';
  }

  /** A remark that is part of another journalled decision of the user: it is added once, however often that is replayed. */
  async decided(section: string, text: string, decision: string): Promise<void> {
    const from = `${decision}/${section}`;
    if (text.trim() === '' || this.#decided.has(from)) return;
    await this.#arrive({ kind: 'remark', section, text: text.trim().slice(0, longestRemark), from });
  }

  /** Aborted when the section is stopped: its research ends, and nothing else does. */
  signalOf(section: string): AbortSignal {
    return this.#of(section).stop.signal;
  }

  /** The first remarks of a section, in the user's words. */
  remarksOf(section: string, count: number): readonly string[] {
    return this.#of(section)
      .remarks.slice(0, count)
      .map(({ text }) => text);
  }

  /**
   * What a section's researcher knows at a place of the run (a turn, the end of a step). What it saw there before the run was resumed
   * is what it sees again, whatever has arrived since.
   */
  async look(place: string, section: string): Promise<Told> {
    const { remarks: own, stop } = this.#of(section);
    const now = (): Told => ({ remarks: own.length, stopped: stop.signal.aborted });
    const { value } = await this.#replay.observed(`${place}/told`, now);
    return toldSchema.catch(now).parse(value);
  }

  /** The researcher has the section's first remarks in front of it. */
  seen(section: string, count: number): void {
    for (const { id } of this.#of(section).remarks.slice(0, count)) this.#show(id, section, 'seen');
  }

  /**
   * Which of the sections have unseen remarks.
   * @param sections With the number of remarks that each has seen.
   * @param isLast The report comes next: when there are none, no more are taken.
   */
  async unseen(
    place: string,
    sections: readonly { readonly id: string; readonly remarks: number }[],
    isLast: boolean,
  ): Promise<readonly string[]> {
    const { value } = await this.#replay.observed(`${place}/told`, () => {
      const waiting = sections
        .filter(({ id, remarks }) => this.#of(id).remarks.length > remarks && !this.signalOf(id).aborted)
        .map(({ id }) => id);
      if (isLast && waiting.length === 0) this.close();
      return waiting;
    });
    const ids = z.array(z.string()).catch([]).parse(value);
    if (isLast && ids.length === 0) this.close();
    return ids;
  }

  /** The research has ended: unseen remarks are marked as unused. */
  close(): void {
    this.#isClosed = true;
    for (const [section, { remarks }] of this.#sections)
      for (const { id } of remarks) if (this.#shown.get(id) === 'waiting') this.#show(id, section, 'unused');
  }

  get #replay(): Replay {
    if (this.#ports === undefined) throw new Error('The run has not begun.');
    return this.#ports.replay;
  }

  #refusal(section: string): Exclude<SteerOutcome, 'accepted'> | undefined {
    if (this.#isClosed) return 'tooLate';
    const known = this.#sections.get(section);
    if (known === undefined || known.title === '') return 'unknownSection';
    return known.stop.signal.aborted ? 'stopped' : undefined;
  }

  /** How many remarks were seen by a researcher, and how many came too late. */
  get counts(): { readonly followed: number; readonly unused: number } {
    const states = [...this.#shown.values()];
    return {
      followed: states.filter((state) => state === 'seen').length,
      unused: states.filter((state) => state === 'unused').length,
    };
  }

  /** In memory at once, so that the next look sees it; its line in the journal comes before that of any later look. */
  async #arrive(entry: Entry): Promise<void> {
    this.#arrived += 1;
    const key = `steer/${this.#arrived}`;
    this.#take(entry);
    await this.#replay.observed(key, () => entry);
  }

  #take(entry: Entry): void {
    const section = this.#of(entry.section);
    if (entry.kind === 'stop') {
      section.stop.abort(new ResearchError('abort', 'The user stopped this section.'));
      return;
    }
    if (entry.from !== undefined) this.#decided.add(entry.from);
    this.#remarks += 1;
    const remark: Remark = { id: `r${this.#remarks}`, section: entry.section, text: entry.text };
    section.remarks.push(remark);
    if (this.#isOpen) this.#announce(remark);
  }

  #announce({ id, section, text }: Remark): void {
    if (!this.#shown.has(id)) this.#ports?.emit({ type: 'section/remark', id, section, text, state: 'waiting' });
  }

  #show(id: string, section: string, state: 'seen' | 'unused'): void {
    if (this.#shown.get(id) !== state) this.#ports?.emit({ type: 'section/remark', id, section, state });
  }

  #of(id: string): Section {
    const known = this.#sections.get(id);
    if (known) return known;
    const made: Section = { title: '', remarks: [], stop: new AbortController() };
    this.#sections.set(id, made);
    return made;
  }
}
