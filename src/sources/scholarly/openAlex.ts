import * as z from 'zod';
import { trimEnd } from '../../research/text/trimEnd.ts';
import { JsonService } from '../http/jsonService.ts';
import type { ServiceContext } from '../source.ts';
import type { PaperRecord } from './paperRecord.ts';
import { onlyRecord, type PaperPage, type PaperQuery, type PaperService } from './paperService.ts';
import { oneLine } from '../../research/text/hidden.ts';

const freshMs = 24 * 60 * 60 * 1_000;
const select =
  'id,doi,title,publication_date,publication_year,ids,authorships,primary_location,open_access,cited_by_count,is_retracted,type,abstract_inverted_index';
/** Words of an abstract that are put together again. */
const mostWords = 5_000;

const text = z.string().nullish().catch(undefined);
const work = z.object({
  id: z.string().regex(/\/W\d+$/i),
  doi: text,
  title: text,
  publication_date: text,
  publication_year: z.number().nullish().catch(undefined),
  ids: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  authorships: z
    .array(z.object({ author: z.object({ display_name: text }).nullish() }))
    .nullish()
    .catch([]),
  primary_location: z
    .object({ landing_page_url: text, source: z.object({ display_name: text }).nullish() })
    .nullish()
    .catch(undefined),
  open_access: z.object({ oa_url: text }).nullish().catch(undefined),
  cited_by_count: z.number().nullish().catch(undefined),
  is_retracted: z.boolean().nullish().catch(undefined),
  type: text,
  abstract_inverted_index: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});
const page = z.object({ meta: z.object({ count: z.number() }), results: z.array(z.unknown()).max(200) });

/** OpenAlex without a key: single works are free, a search costs a hundredth of a day's budget. */
export class OpenAlex implements PaperService {
  readonly label = 'OpenAlex';
  readonly #service: JsonService;

  constructor(context: ServiceContext) {
    this.#service = new JsonService(context, { label: this.label });
  }

  async search({ words, since, sort, offset, count }: PaperQuery, signal: AbortSignal): Promise<PaperPage> {
    const parameters = {
      search: words,
      select,
      per_page: String(count),
      page: String(Math.floor(offset / count) + 1),
      ...(since === undefined ? {} : { filter: `from_publication_date:${since}` }),
      ...(sort === 'relevance' ? {} : { sort: sort === 'citations' ? 'cited_by_count:desc' : 'publication_date:desc' }),
    };
    const { meta, results } = await this.#service.get({ path: '/works', parameters, schema: page, freshMs }, signal);
    return { total: meta.count, records: results.flatMap(recordOf) };
  }

  /** @param id `doi:…`, `pmid:…`, `pmcid:…`, or `W…`. */
  async get(id: string, signal: AbortSignal): Promise<PaperRecord> {
    const path = `/works/${id.split('/').map(encodeURIComponent).join('/')}`;
    const found = await this.#service.get({ path, parameters: { select }, schema: z.unknown(), freshMs }, signal);
    return onlyRecord(recordOf(found), this.label);
  }
}

function recordOf(given: unknown): PaperRecord[] {
  const { data } = work.safeParse(given);
  const title = oneLine(data?.title ?? '');
  if (data === undefined || title === '') return [];
  const id = (name: string): string | undefined => {
    const value = data.ids?.[name];
    const last = typeof value === 'string' ? trimEnd(value, '/').split('/').at(-1) : undefined;
    return last === '' ? undefined : last;
  };
  const pmcid = id('pmcid');
  const doi = data.doi?.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, '');
  const page = data.primary_location?.landing_page_url ?? '';
  return [
    {
      title,
      authors: (data.authorships ?? []).map(({ author }) => author?.display_name ?? ''),
      date: data.publication_date ?? data.publication_year?.toString(),
      doi: doi === '' ? undefined : doi,
      arxiv: /arxiv\.org\/abs\/(\d{4}\.\d{4,5})/i.exec(page)?.[1],
      pmid: id('pmid'),
      pmcid: pmcid?.replace(/^(?=\d)/, 'PMC'),
      pages: [`https://openalex.org/${/W\d+$/i.exec(data.id)![0].toUpperCase()}`],
      venue: data.primary_location?.source?.display_name ?? undefined,
      abstract: abstractOf(data.abstract_inverted_index ?? {}),
      citations: data.cited_by_count ?? undefined,
      ...(data.is_retracted === true ? { standing: 'retracted' as const } : {}),
      type: data.type === 'article' ? undefined : (data.type ?? undefined),
      openUrl: data.open_access?.oa_url ?? undefined,
    },
  ];
}

/** The abstract from the places of its words. "" when there is none. */
export function abstractOf(index: Readonly<Record<string, unknown>>): string {
  const words: string[] = [];
  for (const [word, places] of Object.entries(index)) {
    if (!Array.isArray(places)) continue;
    for (const place of places)
      if (typeof place === 'number' && Number.isInteger(place) && place >= 0 && place < mostWords) words[place] = word;
  }
  return oneLine(words.join(' '));
}
