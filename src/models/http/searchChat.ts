import type { Json } from '../../research/text/json.ts';
import { ResearchError } from '../../research/errors.ts';
import type { ChatAnswer, ChatPort, ChatRequest, FoundPage, WebFindings } from '../../research/ports.ts';
import type { Capabilities } from '../capabilities.ts';
import type { Dialect } from './dialect.ts';
import { HttpChat, type HttpChatOptions } from './httpChat.ts';
import { usageSum } from './usage.ts';

/** How a provider's API is asked to search the web before it answers. */
export interface SearchApi {
  /** Where it is, for a provider at this address. */
  baseUrl(base: string): string;
  /** Called for each request of {@link SearchTurn}. */
  dialect(turn: SearchTurn, can: Capabilities): Dialect;
  /** Whether a refusal says that this model has its search at the API's other address. */
  isElsewhere?(refusal: ResearchError): boolean;
}

/** One request of a search, and what its dialect saw of the answer. */
export interface SearchTurn {
  readonly request: ChatRequest;
  /** The provider's. */
  readonly address: string;
  /** What paused turns have said, in the API's own blocks: sent back, they are continued. */
  readonly before: readonly Json[];
  /** It is asked at the other address; see {@link SearchApi.isElsewhere}. */
  readonly isElsewhere: boolean;
  /** Set by the dialect when the turn paused: what to send back. */
  paused?: readonly Json[];
}

/** The domains of a search: the APIs take one of the two lists. Undefined: all. */
export function domainsOf({ sites }: ChatRequest, most = Infinity): Json | undefined {
  const { include = [], exclude = [] } = sites ?? {};
  if (include.length > 0) return { allowed_domains: include.slice(0, most) };
  return exclude.length > 0 ? { blocked_domains: exclude.slice(0, most) } : undefined;
}

/** An answer that pauses again and again is taken as it is. */
const mostTurns = 4;

/**
 * A model that searches the web before it answers, by its provider's own search. What can't be reached or found there is no sign
 * that the run's models are gone: it fails for the search alone.
 */
export function searchChat(given: Omit<HttpChatOptions, 'dialect'>, api: SearchApi): ChatPort {
  const options = { ...given, baseUrl: api.baseUrl(given.baseUrl) };
  const { provider, model, baseUrl: address } = options;
  const asking = (dialect: HttpChatOptions['dialect']) => new HttpChat({ ...options, dialect });
  const { contextTokens } = asking(() => unused());
  return {
    ...{ provider, model, contextTokens },
    async complete(request, listen, signal) {
      let turn: SearchTurn = { request, address, before: [], isElsewhere: false };
      const answers: ChatAnswer[] = [];
      for (let count = 1; ; count += 1) {
        const { before, isElsewhere } = turn;
        try {
          answers.push(await asking((can) => api.dialect(turn, can)).complete(request, listen, signal));
        } catch (error) {
          if (signal.aborted || !ResearchError.is(error)) throw error;
          if (api.isElsewhere?.(error) !== true || isElsewhere) throw asOfSearch(error, model);
          turn = { request, address, before, isElsewhere: true };
          continue;
        }
        const { paused } = turn;
        if (paused === undefined || count >= mostTurns) return joined(answers);
        turn = { request, address, before: [...before, ...paused], isElsewhere };
      }
    },
  };
}

function unused(): never {
  throw new Error('Nothing is sent.');
}

/** The same failure, as one of this search: it neither pauses the run nor bars its model. */
function asOfSearch(error: ResearchError, model: string): ResearchError {
  const { origin, next } = error;
  if (error.reason === 'network' && error.status === undefined)
    return new ResearchError('network', error.message, { status: 0, next, ...(origin && { origin }) });
  if (error.reason !== 'notFound') return error;
  return new ResearchError('badAnswer', `${origin ?? 'The server'} has no web search for "${model}".`, {
    next: 'Set sources.web.provider to another service, or choose another model.',
    ...(origin && { origin }),
  });
}

function joined(answers: readonly ChatAnswer[]): ChatAnswer {
  const last = answers.at(-1)!;
  if (answers.length === 1) return last;
  const problem = answers.map(({ web }) => web?.problem).find((one) => one !== undefined);
  return {
    ...last,
    text: answers.map(({ text }) => text).join(''),
    usage: usageSum(answers.map(({ usage }) => usage)),
    web: { pages: answers.flatMap(({ web }) => web?.pages ?? []), ...(problem && { problem }) },
  };
}

/** Pages of one answer are counted before they are read. */
const mostPages = 100;
/** Texts of one page, and the UTF-16 units of each. */
const mostTexts = 20;
const longestText = 2_000;

/** Collects the pages of an answer, each once. */
export class PageCollector {
  readonly #pages = new Map<string, FoundPage & { readonly quotes: string[]; readonly statements: string[] }>();
  problem: WebFindings['problem'];

  add(url: unknown, about: { readonly title?: unknown; readonly date?: unknown; readonly site?: unknown } = {}): void {
    this.#page(url, about);
  }

  quote(url: unknown, title: unknown, text: unknown): void {
    this.#push(this.#page(url, { title })?.quotes, text);
  }

  statement(url: unknown, title: unknown, text: unknown): void {
    this.#push(this.#page(url, { title })?.statements, text);
  }

  get findings(): WebFindings {
    return { pages: [...this.#pages.values()], ...(this.problem && { problem: this.problem }) };
  }

  #push(texts: string[] | undefined, text: unknown): void {
    if (texts === undefined || typeof text !== 'string' || texts.length >= mostTexts) return;
    const clean = text.trim().slice(0, longestText).toWellFormed();
    if (clean !== '' && !texts.includes(clean)) texts.push(clean);
  }

  #page(address: unknown, about: { readonly title?: unknown; readonly date?: unknown; readonly site?: unknown }) {
    if (typeof address !== 'string' || address.length > 2_000 || !/^https?:\/\//i.test(address)) return undefined;
    if (!URL.canParse(address)) return undefined;
    const url = withoutMark(address);
    const known = this.#pages.get(url);
    if (known === undefined && this.#pages.size >= mostPages) return undefined;
    const text = (value: unknown): string =>
      typeof value === 'string' ? value.trim().slice(0, 500).toWellFormed() : '';
    const [title, date, site] = [
      known?.title || text(about.title),
      known?.date ?? text(about.date),
      known?.site ?? text(about.site),
    ];
    const page = {
      ...{ url, title, quotes: known?.quotes ?? [], statements: known?.statements ?? [] },
      ...(date && { date }),
      ...(site && { site }),
    };
    this.#pages.set(url, page);
    return page;
  }
}

/** OpenAI's search marks the addresses that it gives. */
function withoutMark(address: string): string {
  if (!/[?&]utm_source=/.test(address)) return address;
  const url = new URL(address);
  url.searchParams.delete('utm_source');
  return url.href;
}
