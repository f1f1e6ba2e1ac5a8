import * as z from 'zod';
import { JsonService } from '../http/jsonService.ts';
import type { ServiceContext } from '../source.ts';
import type { PaperRecord } from './paperRecord.ts';
import { onlyRecord, type PaperPage, type PaperQuery, type PaperService } from './paperService.ts';
import { oneLine } from '../../research/text/hidden.ts';

const freshMs = 24 * 60 * 60 * 1_000;
/** `offset` and `limit` together (Academic Graph API, paper relevance search). */
const mostResults = 1_000;
const fields =
  'title,abstract,tldr,year,publicationDate,authors,externalIds,citationCount,venue,publicationTypes,openAccessPdf';

const text = z.string().nullish().catch(undefined);
const paper = z.object({
  paperId: z.string().regex(/^[0-9a-f]{40}$/i),
  title: text,
  abstract: text,
  tldr: z.object({ text }).nullish().catch(undefined),
  year: z.number().nullish().catch(undefined),
  publicationDate: text,
  authors: z
    .array(z.object({ name: text }))
    .nullish()
    .catch([]),
  externalIds: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  citationCount: z.number().nullish().catch(undefined),
  venue: text,
  publicationTypes: z.array(z.string()).nullish().catch(undefined),
  openAccessPdf: z.object({ url: text }).nullish().catch(undefined),
});
// `data` may be absent when nothing was found.
const page = z.object({ total: z.number(), data: z.array(z.unknown()).max(1_000).optional() });

/** The Academic Graph of Semantic Scholar, without a key. It knows no retractions. */
export class SemanticScholar implements PaperService {
  readonly label = 'Semantic Scholar';
  readonly #service: JsonService;

  constructor(context: ServiceContext) {
    this.#service = new JsonService(context, { label: this.label });
  }

  async search({ words, since, offset, count }: PaperQuery, signal: AbortSignal): Promise<PaperPage> {
    const parameters = {
      // Words with a hyphen find nothing (API, paper relevance search, "query").
      query: words.replace(/["-]/g, ' ').replace(/\s+/g, ' ').trim(),
      fields,
      limit: String(Math.min(count, mostResults - offset)),
      offset: String(offset),
      ...(since === undefined ? {} : { publicationDateOrYear: `${since}:` }),
    };
    const { total, data = [] } = await this.#service.get(
      { path: '/graph/v1/paper/search', parameters, schema: page, freshMs },
      signal,
    );
    return { total: Math.min(total, mostResults), records: data.flatMap(recordOf) };
  }

  /** @param id `DOI:…`, `ARXIV:…`, `PMID:…`, or a hash. */
  async get(id: string, signal: AbortSignal): Promise<PaperRecord> {
    const path = `/graph/v1/paper/${encodeURIComponent(id)}`;
    const found = await this.#service.get({ path, parameters: { fields }, schema: z.unknown(), freshMs }, signal);
    return onlyRecord(recordOf(found), this.label);
  }
}

function recordOf(given: unknown): PaperRecord[] {
  const { data } = paper.safeParse(given);
  const title = oneLine(data?.title ?? '');
  if (data === undefined || title === '') return [];
  const id = (name: string): string | undefined => {
    const value = data.externalIds?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const openUrl = data.openAccessPdf?.url;
  return [
    {
      title,
      authors: (data.authors ?? []).map(({ name }) => name ?? ''),
      date: data.publicationDate ?? data.year?.toString(),
      doi: id('DOI'),
      arxiv: id('ArXiv'),
      pmid: id('PubMed'),
      pmcid: id('PubMedCentral')?.replace(/^(?=\d)/, 'PMC'),
      pages: [`https://www.semanticscholar.org/paper/${data.paperId.toLowerCase()}`],
      venue: data.venue ?? undefined,
      abstract: data.abstract ?? undefined,
      gist: data.tldr?.text ?? undefined,
      citations: data.citationCount ?? undefined,
      type: data.publicationTypes?.includes('Review') ? 'review' : undefined,
      openUrl: openUrl !== null && openUrl !== undefined && /^https?:\/\//.test(openUrl) ? openUrl : undefined,
    },
  ];
}
