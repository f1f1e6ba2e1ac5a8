import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import type { ToolContext } from '../../research/tools.ts';
import { JsonService, type JsonServiceOptions, type Refusal } from '../http/jsonService.ts';
import type { SourceContext } from '../source.ts';
import { sitesOf, type WebKind } from './webKinds.ts';

/** A search as every service of the web understands it. */
export interface WebQuery {
  readonly query: string;
  readonly kind: WebKind;
  readonly count: number;
  /** 1-based. */
  readonly page: number;
  /** `YYYY-MM-DD`; empty for no limit. */
  readonly since: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** BCP 47. */
  readonly language: string;
  /** Domains without scheme; empty for all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** One result, as its service gives it. Texts may contain markup. */
export interface WebResult {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  /** As the service writes it. */
  readonly date?: string;
  readonly site?: string;
}

export interface WebResults {
  readonly results: readonly WebResult[];
  /** For the model, when the answer was only a part of what was asked for. */
  readonly note?: string;
}

/** @param ask Asks a model as a part of the call that searches. */
export type WebSearch = (query: WebQuery, signal: AbortSignal, ask?: ToolContext['ask']) => Promise<WebResults>;

export const serviceNames = ['tavily', 'bocha', 'searxng'] as const;
export type ServiceName = (typeof serviceNames)[number];

const freshMs = 30 * 60 * 1_000;
const text = z.string().nullish();
/** The results of an answer, counted before they are read: no service gives more than 50. One of another shape is left out. */
const listOf = <T extends z.ZodType>(item: T, read: (item: z.infer<T>) => WebResult) =>
  z
    .array(z.unknown())
    .max(200)
    .transform((items) =>
      items.flatMap((one) => {
        const { success, data } = item.safeParse(one);
        return success ? [read(data)] : [];
      }),
    );

/** A result, without what its service left empty. */
function result(
  title: string | null | undefined,
  url: string,
  text: string | null | undefined,
  date: string | null | undefined,
  site?: string | null,
): WebResult {
  return { title: title ?? '', url, text: text ?? '', ...(date && { date }), ...(site && { site }) };
}

/** The search of one service. */
export function searchWith(name: ServiceName, context: SourceContext): WebSearch {
  const { search, ...options } = searches[name];
  return search(new JsonService(context.service(name), { ...options, needsKey: true, refusal }));
}

/** Plans and balances that are used up: Tavily's statuses, Bocha's words. */
function refusal(status: number, said: string): Refusal | undefined {
  return status === 432 || status === 433 || /not have enough money|insufficient|exceeds your plan/i.test(said)
    ? {
        reason: 'quota',
        what: (label) => `${label} has no searches left on this plan (HTTP ${status})`,
        next: 'Use the other sources.',
      }
    : undefined;
}

/** Own domains before those of a kind. */
function domainsOf({ include, kind }: WebQuery, most: number): readonly string[] {
  return (include.length > 0 ? include : (sitesOf[kind] ?? [])).slice(0, most);
}

// ---------------------------------------------------------------------------------------------------------------- Tavily

const tavilyAnswer = z.object({
  results: listOf(
    z.object({ title: text, url: z.string(), content: text, published_date: text }),
    ({ title, url, content, published_date }) => result(title, url, content, published_date),
  ),
});

const tavily =
  (service: JsonService): WebSearch =>
  async (query, signal) => {
    const { results } = await service.get(
      {
        path: '/search',
        schema: tavilyAnswer,
        freshMs,
        body: {
          query: query.query.slice(0, 400),
          topic: query.kind === 'news' ? 'news' : 'general',
          search_depth: 'basic',
          max_results: Math.min(20, query.count * query.page),
          ...(query.since === '' ? {} : { start_date: query.since }),
          ...(domainsOf(query, 300).length === 0 ? {} : { include_domains: domainsOf(query, 300) }),
          ...(query.exclude.length === 0 ? {} : { exclude_domains: query.exclude.slice(0, 150) }),
        },
      },
      signal,
    );
    // It has no pages: a longer answer is asked for, and its beginning is known already.
    return { results: results.slice(query.count * (query.page - 1)) };
  };

// ----------------------------------------------------------------------------------------------------------------- Bocha

const bochaPages = z.object({
  webPages: z
    .object({
      value: listOf(
        z.object({ name: text, url: z.string(), snippet: text, summary: text, siteName: text, datePublished: text }),
        // dateLastCrawled is neither of the two that its name and its time zone promise.
        ({ name, url, snippet, summary, siteName, datePublished }) =>
          result(name, url, summary || snippet, datePublished, siteName),
      ).nullish(),
    })
    .nullish(),
});
/** Some wrappers leave the envelope out. An error may come with status 200. */
const bochaAnswer = z.union([
  z.object({ data: bochaPages.nullable() }).transform(({ data }) => data?.webPages?.value ?? []),
  bochaPages.refine(({ webPages }) => webPages !== undefined).transform(({ webPages }) => webPages?.value ?? []),
]);

const bocha =
  (service: JsonService): WebSearch =>
  async (query, signal) => {
    const include = domainsOf(query, 20);
    const results = await service.get(
      {
        path: '/v1/web-search',
        schema: bochaAnswer,
        freshMs,
        body: {
          query: query.query,
          summary: true,
          count: Math.min(50, query.count),
          freshness: query.since === '' ? 'noLimit' : `${query.since}..${query.today}`,
          ...(query.page > 1 ? { page: query.page } : {}),
          ...(include.length === 0 ? {} : { include: include.join('|') }),
          ...(query.exclude.length === 0 ? {} : { exclude: query.exclude.slice(0, 20).join('|') }),
        },
      },
      signal,
    );
    return { results };
  };

// --------------------------------------------------------------------------------------------------------------- SearXNG

const searxngAnswer = z.object({
  results: listOf(
    z.object({ title: text, url: z.string(), content: text, publishedDate: text }),
    ({ title, url, content, publishedDate }) => result(title, url, content, publishedDate),
  ),
  unresponsive_engines: z.array(z.array(z.string())).catch([]).default([]),
});

const categories: Readonly<Record<WebKind, string>> = {
  general: 'general',
  academic: 'science',
  code: 'it',
  news: 'news',
  patents: 'general',
};

const searxng =
  (service: JsonService): WebSearch =>
  async (query, signal) => {
    const sites =
      query.kind === 'patents' && query.include.length === 0 ? (sitesOf.patents ?? []).slice(0, 1) : query.include;
    const places = [...sites.slice(0, 4).map((site) => `site:${site}`)].join(' OR ');
    const { results, unresponsive_engines: silent } = await service.get(
      {
        path: '/search',
        schema: searxngAnswer,
        freshMs,
        parameters: {
          q: [query.query, places, ...query.exclude.slice(0, 6).map((site) => `-site:${site}`)]
            .filter(Boolean)
            .join(' '),
          format: 'json',
          categories: categories[query.kind],
          pageno: String(query.page),
          ...(query.language === '' ? {} : { language: query.language }),
          ...(query.since === '' ? {} : { time_range: rangeOf(query) }),
        },
      },
      signal,
    );
    const names = silent.map(([engine = '', why = '']) => `${engine} (${why})`.slice(0, 80)).slice(0, 6);
    if (results.length === 0 && names.length > 0)
      throw new ResearchError('network', `No search engine behind SearXNG answered: ${names.join(', ')}.`, {
        next: 'Use the other sources, or try again later.',
      });
    return {
      results: results.slice(0, query.count),
      ...(names.length === 0 ? {} : { note: `Some search engines did not answer: ${names.join(', ')}.` }),
    };
  };

/** The shortest range of SearXNG that holds a date. A date is enforced after the search in any case. */
function rangeOf({ since, today }: WebQuery): string {
  const days = (Date.parse(today) - Date.parse(since)) / 86_400_000;
  return days <= 1 ? 'day' : days <= 31 ? 'month' : 'year';
}

interface WebService extends Omit<JsonServiceOptions, 'needsKey' | 'refusal'> {
  readonly search: (service: JsonService) => WebSearch;
}

const searches: Readonly<Record<ServiceName, WebService>> = {
  tavily: {
    label: 'Tavily',
    search: tavily,
    keylessHeaders: { 'x-tavily-access-mode': 'keyless' },
    // Without a key it says when by its own field alone.
    check: ({ status, text: body }) =>
      status === 429 && /keyless/.test(body) ? { verdict: 'limited', why: 'The keyless limit is reached.' } : undefined,
  },
  bocha: { label: 'Bocha', search: bocha },
  searxng: {
    label: 'SearXNG',
    search: searxng,
    forbiddenNext: 'Allow the format json in the settings.yml of the server (search.formats).',
  },
};
