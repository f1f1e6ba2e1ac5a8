import type { EventBody } from '../../protocol/events.ts';
import { literalNodes, titleNodes } from '../evidence/neutralize.ts';
import type { CitationWriter } from '../evidence/citations.ts';

/** A part of the report that is being written. */
export interface LivePart {
  push(text: string): void;
  end(): void;
}

interface Slot {
  readonly id: string;
  readonly title: string;
  /** Written and not shown yet. */
  waiting: string;
  /** As it is shown, its heading included. */
  shown: string;
  isOpen: boolean;
  isEnded: boolean;
}

/**
 * What the panel sees while a report is written. Parts that are written at the same time appear one after another, in the order in
 * which they began, so that text is only ever appended; {@link replace} shows the completed report from the first difference on.
 */
export class LiveReport {
  readonly #emit: (event: EventBody) => void;
  readonly #writer: CitationWriter;
  readonly #slots: Slot[] = [];
  #shown = '';
  #cited = 0;

  constructor(emit: (event: EventBody) => void, writer: CitationWriter) {
    this.#emit = emit;
    this.#writer = writer;
  }

  get isEmpty(): boolean {
    return this.#shown === '';
  }

  /** Text of a report that is written as a whole. */
  push(piece: string): void {
    this.#append(this.#writer.push(piece));
  }

  /** The first line, before any part. */
  title(title: string): void {
    if (this.isEmpty) this.#append(this.#writer.heading(1, literalNodes(title)));
  }

  /** A part of its own; one with the same id is taken away. */
  part(id: string, title: string): LivePart {
    this.#remove(id);
    const slot: Slot = { id, title, waiting: '', shown: '', isOpen: false, isEnded: false };
    this.#slots.push(slot);
    return {
      push: (text) => {
        if (slot.isEnded) return;
        slot.waiting += text;
        this.#flow();
      },
      end: () => {
        slot.isEnded = true;
        this.#flow();
      },
    };
  }

  replace(rendered: { readonly markdown: string; readonly order: readonly string[] }): void {
    this.#slots.length = 0;
    let same = 0;
    while (same < this.#shown.length && this.#shown[same] === rendered.markdown[same]) same += 1;
    // Never between the halves of a surrogate pair.
    if (same > 0 && /[\uD800-\uDBFF]/.test(this.#shown[same - 1]!)) same -= 1;
    this.#cited = -1;
    this.#show(same, rendered.markdown.slice(same), rendered.order);
  }

  /** Shows what the open part has, and opens the next one that has text when it has ended. */
  #flow(): void {
    for (;;) {
      const slot =
        this.#slots.find(({ isOpen }) => isOpen) ?? this.#slots.find(({ waiting, shown }) => waiting !== '' && !shown);
      if (slot === undefined) return;
      if (!slot.isOpen) {
        slot.isOpen = true;
        this.#put(slot, this.#writer.heading(2, titleNodes(slot.title)));
      }
      this.#put(slot, this.#writer.push(slot.waiting));
      slot.waiting = '';
      if (!slot.isEnded) return;
      this.#put(slot, this.#writer.finish());
      slot.isOpen = false;
    }
  }

  #put(slot: Slot, text: string): void {
    slot.shown += text;
    this.#append(text);
  }

  #remove(id: string): void {
    const at = this.#slots.findIndex((slot) => slot.id === id);
    if (at < 0) return;
    const [old] = this.#slots.splice(at, 1);
    if (old!.isOpen) this.#append(this.#writer.finish());
    // Parts are shown in the order in which they were opened, which need not be that of the list.
    const start = old!.shown === '' ? -1 : this.#shown.indexOf(old!.shown);
    old!.isEnded = true;
    if (start < 0) return;
    this.#show(start, this.#shown.slice(start + old!.shown.length), this.#writer.order);
  }

  #append(text: string): void {
    this.#show(this.#shown.length, text, this.#writer.order);
  }

  #show(offset: number, text: string, order: readonly string[]): void {
    if (text === '' && offset === this.#shown.length) return;
    this.#shown = this.#shown.slice(0, offset) + text;
    const grew = order.length !== this.#cited;
    this.#cited = order.length;
    this.#emit({ type: 'report/delta', offset, text, ...(grew ? { citations: [...order] } : {}) });
  }
}
