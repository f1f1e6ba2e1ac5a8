import * as z from 'zod';
import type { ResearchEvent } from '../../protocol/events.ts';
import { ResearchError } from '../errors.ts';
import type { FoundDocument, TakePage } from '../ports.ts';

/** Pages that one run may be given. */
const mostPages = 40;

/** What reads the text that the user gives for a page, and gives the host the function for it. */
export interface SuppliedPort {
  /** Rejects like `AttachedPort.read`. */
  read(page: Parameters<TakePage>[0], signal: AbortSignal): Promise<FoundDocument>;
  /** Pages that were given before the run was resumed. */
  readonly pages?: readonly Parameters<TakePage>[0][];
  /** Called once, as soon as the run takes pages. */
  offer?(take: TakePage): void;
}

export const placeSchema = z.object({ url: z.string(), section: z.string().optional() });
export type Place = z.infer<typeof placeSchema>;

/** Pages that could not be read, and those of them whose text the user gave. */
export class SuppliedPages {
  /** Sections by the address of a page that was not read; undefined: it was for no section. */
  readonly #unread = new Map<string, string | undefined>();
  readonly #taken: (Place & { readonly id: string })[] = [];
  /** Addresses that an event has named as taken. */
  readonly #announced: Set<string>;
  #count = 0;
  /** The report is being written: nothing more is taken in. */
  isClosed = false;

  constructor(earlier: readonly ResearchEvent[] = []) {
    for (const event of earlier) if (event.type === 'page/unread') this.#unread.set(event.url, event.section);
    this.#announced = new Set(earlier.flatMap((event) => (event.type === 'page/supplied' ? [event.url] : [])));
  }

  /** Whether this is news. */
  unread(url: string, section: string | undefined): boolean {
    if (this.#unread.has(url)) return false;
    this.#unread.set(url, section);
    return true;
  }

  /** The place of the next page. Throws when there are enough. */
  next(url: string): { readonly key: string; readonly place: Place } {
    if (this.#count >= mostPages)
      throw new ResearchError('badRequest', `A run takes at most ${mostPages} pages.`, {
        next: 'Attach a file instead.',
      });
    const section = this.#unread.get(url);
    return { key: `supplied/${this.#count++}`, place: { url, ...(section === undefined ? {} : { section }) } };
  }

  /** Whether this is news. */
  add(place: Place, id: string): boolean {
    this.#taken.push({ ...place, id });
    if (this.#announced.has(place.url)) return false;
    this.#announced.add(place.url);
    return true;
  }

  /** Ids of the pages that were given for a section, or for none of those that there are. */
  of(section: string, sections?: readonly { readonly id: string }[]): readonly string[] {
    const isElsewhere = (id: string): boolean => id !== section && sections?.some((one) => one.id === id) !== false;
    return this.#taken.flatMap((page) => (page.section !== undefined && isElsewhere(page.section) ? [] : [page.id]));
  }
}
