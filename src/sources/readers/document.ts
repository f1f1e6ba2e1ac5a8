/** Why a page holds less than its readers get. */
export type Barrier = 'payment' | 'login' | 'robotCheck' | 'script';

/** A document that was read. Everything in it is text of others. */
export interface ReadDocument {
  readonly format: 'html' | 'pdf' | 'text' | 'feed';
  /** Empty when it names none. */
  readonly title: string;
  readonly authors: readonly string[];
  /** `YYYY-MM-DD` of publication, else of the last change. */
  readonly date?: string;
  readonly doi?: string;
  /**
   * Markdown without hidden characters, scripts, forms, images and links, at most {@link maxCharacters} of it. The pages of a PDF
   * begin with a line `[Page 3]`.
   */
  readonly text: string;
  /** Number of pages of a PDF. */
  readonly pages?: number;
  /** Set when less was read than there is: a limit of pages or characters. */
  readonly isCut?: true;
  readonly barrier?: Barrier;
  /** Addresses of the feeds that a page names. */
  readonly feeds?: readonly string[];
  /** Of a feed, newest first. */
  readonly entries?: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly title: string;
  readonly url?: string;
  readonly authors: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly date?: string;
  /** Summary or whole text, as Markdown; may be empty. */
  readonly text: string;
}

/** Characters of a document that are read. */
export const maxCharacters = 1_000_000;

/** The text of a document as far as it is read. */
export function readable(text: string, isCut = false): { readonly text: string; readonly isCut?: true } {
  const kept = text.slice(0, maxCharacters).toWellFormed();
  return isCut || text.length > maxCharacters ? { text: kept, isCut: true } : { text: kept };
}

/** On a machine that other processes keep busy, a document may take so many times as long by the clock. */
const busyFactor = 5;

/** Whether a document takes too long to read: by the processor time of its reader, or by the clock, in milliseconds. */
export function takesTooLong(longestMs: number, cpuMs: number, ms: number): boolean {
  return cpuMs > longestMs || ms > busyFactor * longestMs;
}

/** `YYYY-MM-DD` at the start of a date as documents write it; undefined for what is none, or lies in no plausible year. */
export function isoDate(text: string | undefined): string | undefined {
  const written = text?.trim().slice(0, 60) ?? '';
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(written) ?? /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(written);
  const parts = iso ? iso.slice(1, 4).map(Number) : wordyDate(written);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0] = parts;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1600 && year <= 2200 ? date.toISOString().slice(0, 10) : undefined;
}

/** `Tue, 05 Aug 2025 09:00:00 GMT`, `August 5, 2025`. */
function wordyDate(text: string): number[] | undefined {
  if (!/\b[12]\d{3}\b/.test(text) || !/[a-z]{3}/i.test(text)) return undefined;
  const time = Date.parse(/\d{1,2}:\d{2}/.test(text) ? text : `${text} UTC`);
  if (Number.isNaN(time)) return undefined;
  const date = new Date(time);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}
