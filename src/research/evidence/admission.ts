import * as z from 'zod';
import type { Settings } from '../settings/config.ts';
import { trimEnd } from '../text/trimEnd.ts';
import type { FoundDocument, SourceKind } from '../ports.ts';
import { plainDate } from './metadata.ts';

/** Why a result may not be used: it is older than `sources.since`, or its site is excluded or not among the included ones. */
const reasons = ['date', 'site'] as const;

/** A result that the settings leave out. Only what it is counted by is stored: its address or title. */
export const leftOutSchema = z.object({ why: z.enum(reasons), about: z.string() });
export type LeftOut = z.infer<typeof leftOutSchema>;

interface Place {
  readonly host: string;
  readonly path: string;
}

/**
 * Lets documents into the run as `sources.include`, `sources.exclude` and `sources.since` say: for every tool, those from outside
 * included, and again when a run is resumed with stricter settings. The user's own files have neither a site nor a date of publication
 * and always pass; so does a result whose date is not known, which the report's account says.
 */
export class Admission {
  readonly #include: readonly Place[];
  readonly #exclude: readonly Place[];
  readonly #since: string;
  readonly #local: ReadonlySet<SourceKind>;
  readonly #leftOut = new Map<string, LeftOut['why']>();

  /** @param local Kinds of documents of this machine. */
  constructor(
    settings: Pick<Settings, 'sources.include' | 'sources.exclude' | 'sources.since'>,
    local: ReadonlySet<SourceKind>,
  ) {
    this.#include = settings['sources.include'].map(placeOf);
    this.#exclude = settings['sources.exclude'].map(placeOf);
    this.#since = settings['sources.since'];
    this.#local = local;
  }

  /** Whether anything can be left out by its date: what has none is worth a word then. */
  get hasDate(): boolean {
    return this.#since !== '';
  }

  /** How many results were left out in this run, each counted once. */
  get counts(): Readonly<Record<LeftOut['why'], number>> {
    const whys = [...this.#leftOut.values()];
    const [date = 0, site = 0] = reasons.map((reason) => whys.filter((why) => why === reason).length);
    return { date, site };
  }

  isLocal(kind: SourceKind): boolean {
    return this.#local.has(kind);
  }

  /** Splits the documents of a result. Those left out are counted. */
  sort(documents: readonly FoundDocument[]): {
    readonly admitted: readonly FoundDocument[];
    readonly leftOut: readonly LeftOut[];
  } {
    const admitted: FoundDocument[] = [];
    const leftOut: LeftOut[] = [];
    for (const document of documents) {
      const why = this.#reason(document);
      if (why === undefined) admitted.push(document);
      else leftOut.push({ why, about: (document.url ?? document.title).slice(0, 300) });
    }
    this.count(leftOut);
    return { admitted, leftOut };
  }

  count(leftOut: readonly LeftOut[]): void {
    for (const { about, why } of leftOut) if (!this.#leftOut.has(about)) this.#leftOut.set(about, why);
  }

  #reason({ kind, date, url }: FoundDocument): LeftOut['why'] | undefined {
    if (this.#local.has(kind)) return undefined;
    const day = plainDate(date);
    if (this.#since !== '' && day !== undefined && lastDayOf(day) < this.#since) return 'date';
    if (url === undefined || !URL.canParse(url)) return this.#include.length === 0 ? undefined : 'site';
    const page = new URL(url);
    const isIncluded = this.#include.length === 0 || this.#include.some((place) => liesIn(page, place));
    return isIncluded && !this.#exclude.some((place) => liesIn(page, place)) ? undefined : 'site';
  }
}

/** The last day that a date may mean: of "2025" it is the end of that year. */
function lastDayOf(date: string): string {
  if (date.length === 4) return `${date}-12-31`;
  return date.length === 7 ? `${date}-31` : date;
}

/** A domain as a person writes it: `arxiv.org`, `*.example.org`, `.edu`, `https://github.com/acme`, `münchen.de`. */
function placeOf(text: string): Place {
  const [, host = '', path = ''] =
    /^(?:[a-z]{1,20}:\/\/)?(?:[^/?#@\s]{0,200}@)?(?:\*?\.|www\.)?([^/?#:\s]{1,300})(?::\d{1,5})?(\/[^?#]*)?/i.exec(
      text.trim(),
    ) ?? [];
  return { host: asciiHost(host), path: plainPath(path) };
}

/** As addresses write it: lower case, with names of other scripts in Punycode. */
function asciiHost(host: string): string {
  const address = `https://${host}`;
  return trimEnd(URL.canParse(address) ? new URL(address).hostname : host.toLowerCase(), '.');
}

function plainPath(path: string): string {
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // Taken as it is written.
  }
  return trimEnd(plain.replace(/\/\*{1,2}$/, '').toLowerCase(), '/');
}

function liesIn(url: URL, { host, path }: Place): boolean {
  const own = trimEnd(url.hostname, '.');
  const ownPath = plainPath(url.pathname);
  return (
    host !== '' &&
    (own === host || own.endsWith(`.${host}`)) &&
    (path === '' || ownPath === path || ownPath.startsWith(`${path}/`))
  );
}
