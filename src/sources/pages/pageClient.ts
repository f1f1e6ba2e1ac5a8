import robotsParser, { type Robot } from 'robots-parser';
import { ResearchError } from '../../research/errors.ts';
import type { Clock, Log } from '../../research/ports.ts';
import { AnswerCache } from '../http/answerCache.ts';
import { AnswerStore, carriesKey, conditionsOf, type SharedAnswers, type StoredAnswer } from '../http/answerStore.ts';
import { retryAfterMs, waitText } from '../http/limits.ts';
import { Pacer } from '../http/pacer.ts';
import { SingleFlight } from '../http/singleFlight.ts';
import { AllowedHosts, checkAddress, pageError } from './addressGuard.ts';
import { type ExchangedPage, exchangePage, type ProxyFetch, type Resolve, systemResolve } from './pageExchange.ts';

export interface PageClientOptions {
  /** Sent with each request; the product's name in it is what `robots.txt` is read for. */
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** A proxy is in use: the host's `fetch` goes through it, and the proxy looks names up. */
  readonly proxyFetch?: ProxyFetch;
  /** Default: the system's. */
  readonly resolve?: Resolve;
  /** Default 30 s. */
  readonly timeoutMs?: number;
  /** Default 10 s. */
  readonly idleMs?: number;
  /** Default 20 MB: a paper with figures fits. */
  readonly maxBytes?: number;
  /** Folder that all windows and programs of this user share: pages of the last day. Absent: they are cached in memory for an hour. */
  readonly storage?: string;
  /** Where processes share pages otherwise than through files. */
  readonly answers?: SharedAnswers | undefined;
}

/** A page as it came. */
export interface Page {
  /** After redirects. */
  readonly url: string;
  /** As the server names it, such as `text/html; charset=utf-8`; empty when it does not. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface PageSession extends PageReader {
  /** For a page that the user named: it is one reader's own request, which `robots.txt` is not for. */
  readonly named: PageReader;
}

export interface PageReader {
  /**
   * Gets a page, after at most five redirects, each checked like the address itself. Rejects with `badRequest` for an address that
   * must not be opened, `auth` for a page that is blocked, paid for or closed to programs, `notFound`, `rateLimit`, `network`,
   * `timeout`, and `badAnswer` for a body that is too large, broken or of a wrong type; with `signal.reason` when aborted.
   */
  get(url: string, signal: AbortSignal): Promise<Page>;
}

const maxRedirects = 5;
/** One request a second to a host that asks for nothing, as polite crawlers do; a `Crawl-delay` up to ten. */
const hostIntervalMs = 1_000;
const longestCrawlDelayS = 10;
/** Google reads 500 KiB (RFC 9309, 2.5 asks for at least that); the first 200 kB hold all rules of any ordinary site. */
const maxRobotsBytes = 200_000;
const maxOrigins = 1_000;
const robotsFreshMs = 60 * 60 * 1_000;
const longestWaitMs = 10_000;
const maxKeptBytes = 40_000_000;
const pageFreshMs = 60 * 60 * 1_000;
/** Of a page on disk that was found. A page that the user named is at most an hour old. */
const storedFreshMs = 24 * 60 * 60 * 1_000;

interface Rules {
  readonly robot: Robot | undefined;
  readonly readAt: number;
}
interface Followed {
  readonly page: Page;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Fetches pages of the public web for all runs of a process: it paces, follows `robots.txt`, joins equal requests, and caches for a day.
 */
export class PageClient {
  readonly options: PageClientOptions;
  readonly pacer: Pacer;
  readonly flights = new SingleFlight<Page>();
  readonly robotFlights = new SingleFlight<Rules>();
  readonly rules = new Map<string, Rules>();
  readonly store: SharedAnswers | undefined;
  readonly kept = new AnswerCache<Page>(maxKeptBytes, maxKeptBytes);

  constructor(options: PageClientOptions) {
    this.options = options;
    this.pacer = new Pacer(options.clock, longestWaitMs);
    const { storage, clock, answers } = options;
    this.store = answers ?? (storage === undefined ? undefined : new AnswerStore(storage, () => clock.now().getTime()));
  }

  /**
   * The pages of a run, with what its `network.allowPrivateHosts` opens.
   * @param isFresh A page that was read before the run is asked for again; one that did not change is not sent again.
   */
  session(allowPrivateHosts: readonly string[], isFresh = false): PageSession {
    return new Session(this, allowPrivateHosts, isFresh);
  }
}

class Session implements PageSession {
  readonly named: PageReader = { get: (address, signal) => this.#get(address, true, signal) };
  readonly #shared: PageClient;
  readonly #allowed: AllowedHosts;
  readonly #scope: string;
  readonly #isFresh: boolean;
  /** What a session that is fresh has asked for. */
  readonly #asked = new Set<string>();

  constructor(shared: PageClient, entries: readonly string[], isFresh: boolean) {
    this.#shared = shared;
    this.#isFresh = isFresh;
    this.#allowed = new AllowedHosts(entries);
    // What one run may reach, another may not: their pages are not shared.
    this.#scope = [...entries].sort().join(' ');
  }

  get(address: string, signal: AbortSignal): Promise<Page> {
    return this.#get(address, false, signal);
  }

  async #get(address: string, isNamed: boolean, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    if (!URL.canParse(address) || address.length > 4_000)
      throw new ResearchError('badRequest', `"${address.slice(0, 100)}" is not an address.`, {
        next: 'Give a whole address, beginning with https://.',
      });
    const url = new URL(address);
    url.hash = '';
    checkAddress(url, this.#allowed);
    const key = `${isNamed ? 'named' : ''}\n${this.#scope}\n${url.href}`;
    const isFirst = this.#isFresh && !this.#asked.has(key);
    this.#asked.add(key);
    const fetched = (whileWanted: AbortSignal) => this.#fromDisk(url, key, { isNamed, isFirst }, whileWanted);
    return (isFirst ? undefined : this.#kept(key)) ?? (await this.#shared.flights.run(key, fetched, signal));
  }

  #kept(key: string): Page | undefined {
    const entry = this.#shared.kept.get(key);
    return entry && this.#shared.options.clock.monotonic() - entry.storedAt < pageFreshMs ? entry.answer : undefined;
  }

  /** A page of the last day that any window has read, else the page as it is now; unchanged ones are not sent again. */
  async #fromDisk(
    url: URL,
    key: string,
    { isNamed, isFirst }: { readonly isNamed: boolean; readonly isFirst: boolean },
    signal: AbortSignal,
  ): Promise<Page> {
    // What only this user's settings open is nothing to share.
    const store = this.#allowed.has(url) || carriesKey(url) ? undefined : this.#shared.store;
    const place = `page\n${isNamed ? 'named' : ''}\n${url.href}`;
    const found = await store?.get(place);
    const isFresh = !isFirst && found !== undefined && found.ageMs < (isNamed ? pageFreshMs : storedFreshMs);
    const known = found && storedPage(found.answer, url);
    const { page, headers } = isFresh
      ? { page: known!, headers: undefined }
      : await this.#follow(url, known && { page: known, headers: found.answer.headers }, isNamed, signal);
    this.#shared.kept.set(key, page, page.bytes.byteLength, this.#shared.options.clock.monotonic());
    const isPrivate = /\bprivate\b/i.test(headers?.['cache-control'] ?? '') || this.#allowed.has(new URL(page.url));
    if (headers && !isPrivate && !carriesKey(new URL(page.url)))
      await store?.set(place, { headers, text: Buffer.from(page.bytes).toString('latin1'), url: page.url });
    return page;
  }

  /** @param known As it was read before, with the headers that it came with. */
  async #follow(start: URL, known: Followed | undefined, isNamed: boolean, signal: AbortSignal): Promise<Followed> {
    let url = start;
    for (let hop = 0; ; hop += 1) {
      if (!isNamed) await this.#obeyRobots(url, signal);
      const isKnown = known?.page.url === url.href;
      const answer = await this.#send(url, isKnown ? conditionsOf(known.headers) : {}, signal);
      if (answer.status === 304 && isKnown) return known;
      const next = redirectOf(answer, url);
      if (next === undefined) return { page: pageOf(answer, url), headers: answer.headers };
      if (hop >= maxRedirects)
        throw pageError('badAnswer', start, `${start.host} redirects more than ${maxRedirects} times.`);
      checkAddress(next, this.#allowed);
      url = next;
    }
  }

  /** One attempt, and another where the server asks for a short wait. */
  async #send(
    url: URL,
    conditions: Readonly<Record<string, string>>,
    signal: AbortSignal,
    isSecond = false,
  ): Promise<ExchangedPage> {
    const { pacer, options } = this.#shared;
    const limited = (waitMs: number): ResearchError => limitError(url, waitMs, options.clock.now());
    const release = await pacer.enter(this.#placeOf(url), limited, signal);
    let answer: ExchangedPage;
    try {
      answer = await this.#exchange(url, options.maxBytes ?? 20_000_000, isReadable, signal, conditions);
    } finally {
      release();
    }
    if (answer.status !== 429 && answer.status !== 503) return answer;
    const waitMs = retryAfterMs(answer.headers, options.clock.now());
    if (waitMs === undefined && answer.status === 503) return answer;
    pacer.block(url.host, waitMs ?? 60_000);
    if (isSecond || waitMs === undefined || waitMs > longestWaitMs) throw limited(waitMs ?? 60_000);
    return this.#send(url, conditions, signal, true);
  }

  #exchange(
    url: URL,
    maxBytes: number,
    accepts: (contentType: string) => boolean,
    signal: AbortSignal,
    conditions: Readonly<Record<string, string>> = {},
  ): Promise<ExchangedPage> {
    const { options } = this.#shared;
    return exchangePage(
      {
        url,
        headers: {
          accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5',
          'accept-encoding': 'gzip, deflate, br',
          'user-agent': options.userAgent,
          ...conditions,
        },
        allowed: this.#allowed,
        resolve: options.resolve ?? systemResolve,
        proxyFetch: options.proxyFetch,
        timeoutMs: options.timeoutMs ?? 30_000,
        idleMs: options.idleMs ?? 10_000,
        maxBytes,
        accepts,
      },
      signal,
    );
  }

  #placeOf(url: URL): Parameters<Pacer['enter']>[0] {
    const delay = this.#shared.rules.get(url.origin)?.robot?.getCrawlDelay(this.#robotName()) ?? 0;
    const intervalMs = Math.max(hostIntervalMs, Math.min(delay, longestCrawlDelayS) * 1_000);
    return { group: url.host, quota: url.host, pacing: { concurrency: 1, intervalMs, backoffMs: 1_000 } };
  }

  #robotName(): string {
    return this.#shared.options.userAgent.split('/')[0] ?? '';
  }

  /** RFC 9309: a host that has no rules allows all; one whose rules can't be had for an error of its own allows nothing. */
  async #obeyRobots(url: URL, signal: AbortSignal): Promise<void> {
    if (this.#allowed.has(url)) return;
    const { rules, robotFlights, options } = this.#shared;
    let known = rules.get(url.origin);
    if (known === undefined || options.clock.monotonic() - known.readAt > robotsFreshMs) {
      known = await robotFlights.run(url.origin, (whileWanted) => this.#readRules(url, whileWanted), signal);
      if (rules.size >= maxOrigins) rules.clear();
      rules.set(url.origin, known);
    }
    if (known.robot?.isDisallowed(url.href, this.#robotName()) === true)
      throw pageError('auth', url, `${url.host} asks programs not to read this page (robots.txt).`);
  }

  async #readRules(url: URL, signal: AbortSignal): Promise<Rules> {
    const { clock, log } = this.#shared.options;
    const own = new URL('/robots.txt', url);
    const parse = (text: string): Rules => ({
      robot: robotsParser(own.href, bounded(text, this.#robotName())),
      readAt: clock.monotonic(),
    });
    try {
      let place = own;
      for (let hop = 0; hop <= maxRedirects; hop += 1) {
        const answer = await this.#exchange(place, maxRobotsBytes, () => true, signal);
        const next = redirectOf(answer, place);
        if (next === undefined) {
          if (answer.status >= 500) return parse('User-agent: *\nDisallow: /');
          return parse(answer.status === 200 ? new TextDecoder().decode(answer.bytes) : '');
        }
        place = next;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!ResearchError.is(error, 'badAnswer')) throw error;
      log?.debug(`${url.host}: robots.txt could not be read (${error.message})`);
    }
    return parse('');
  }
}

function storedPage({ headers, text, url }: StoredAnswer, asked: URL): Page {
  return { url: url ?? asked.href, contentType: headers['content-type'] ?? '', bytes: Buffer.from(text, 'latin1') };
}

/** Text of some kind, PDF, or what a server does not name: the first bytes decide then. */
function isReadable(contentType: string): boolean {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return (
    type === '' ||
    /^text\/(?!css$|javascript$|event-stream$)/.test(type) ||
    /^application\/(?:pdf|x-pdf|octet-stream|json|xml|xhtml\+xml|rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/.test(type)
  );
}

function redirectOf({ status, headers }: ExchangedPage, from: URL): URL | undefined {
  if (status < 300 || status >= 400) return undefined;
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, from.href))
    throw pageError('badAnswer', from, `${from.host} redirects to nowhere (HTTP ${status}).`, { status });
  const next = new URL(location, from.href);
  next.hash = '';
  return next;
}

/** What statuses other than success mean for a reader. */
const refusals: Readonly<Record<number, readonly ['auth' | 'notFound' | 'network', string]>> = {
  401: ['auth', 'wants a login'],
  402: ['auth', 'wants a payment'],
  403: ['auth', 'refuses programs'],
  404: ['notFound', 'has no such page'],
  406: ['auth', 'refuses programs'],
  407: ['network', 'is behind a proxy that wants a login'],
  410: ['notFound', 'has taken the page down'],
  451: ['auth', "can't show the page for legal reasons"],
};

function pageOf({ status, headers, bytes }: ExchangedPage, url: URL): Page {
  if (status < 200 || status >= 300) {
    const [reason, what] = refusals[status] ?? [status >= 500 ? 'network' : 'badAnswer', 'does not give the page'];
    throw pageError(reason, url, `${url.host} ${what} (HTTP ${status}).`, { status });
  }
  if (bytes.byteLength === 0) throw pageError('badAnswer', url, `The page at ${url.host} is empty.`, { status });
  return { url: url.href, contentType: headers['content-type'] ?? '', bytes };
}

function limitError(url: URL, waitMs: number, now: Date): ResearchError {
  const more = { retryAfterMs: waitMs, next: 'Use another page, or retry after that time.' };
  return pageError('rateLimit', url, `${url.host} accepts no more requests for ${waitText(waitMs, now)}.`, more);
}

/** UTF-16 units of the rules with stars in a robots.txt, each of which is tried at every character of an address. */
const mostStarred = 20_000;

/** A robots.txt without the rules that would take seconds to read an address by, and without the starred ones for other programs. */
function bounded(robots: string, robotName: string): string {
  let left = mostStarred;
  let isOurs = false;
  let isHead = false;
  const isRead = (line: string): boolean => {
    const agent = /^\s*user-agent\s*:\s*(\S*)/i.exec(line)?.[1]?.toLowerCase();
    if (agent !== undefined) {
      isOurs = (isHead && isOurs) || agent === '*' || robotName.toLowerCase().startsWith(agent);
      isHead = true;
      return true;
    }
    if (line.trim() !== '') isHead = false;
    return !/^\s*(?:dis)?allow\s*:.*\*/i.test(line) || (isOurs && (left -= line.length) >= 0);
  };
  return robots
    .split(/\r\n?|\n/)
    .filter(isRead)
    .join('\n');
}
