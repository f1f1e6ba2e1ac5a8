import * as z from 'zod';
import type { FoundDocument } from '../../research/ports.ts';
import { JsonService } from '../http/jsonService.ts';
import type { ServiceContext } from '../source.ts';
import { type PaperRecord, plainMarkup } from './paperRecord.ts';
import { onlyRecord, type PaperPage, type PaperQuery, type PaperService } from './paperService.ts';
import { oneLine } from '../../research/text/hidden.ts';

const freshMs = 24 * 60 * 60 * 1_000;
const select =
  'DOI,title,author,issued,container-title,abstract,is-referenced-by-count,type,update-to,relation,publisher';
/** Notices of one request; hardly any paper has one. */
const mostNotices = 50;

const text = z.string().nullish().catch(undefined);
const texts = z.array(z.string()).nullish().catch(undefined);
const dateParts = z
  .object({ 'date-parts': z.array(z.array(z.number().nullable())) })
  .nullish()
  .catch(undefined);
const update = z.object({ DOI: z.string(), type: z.string(), updated: dateParts });
const updates = z.array(update).nullish().catch(undefined);
const work = z.object({
  DOI: z.string().regex(/^10\.\d{4,9}\/\S+$/),
  title: texts,
  author: z
    .array(z.object({ given: text, family: text, name: text }))
    .nullish()
    .catch([]),
  issued: dateParts,
  'container-title': texts,
  abstract: text,
  'is-referenced-by-count': z.number().nullish().catch(undefined),
  type: text,
  /** Of a notice: the papers that it is about. */
  'update-to': updates,
  /** Of a paper: the notices about it. */
  'updated-by': updates,
});
const page = z.object({
  message: z.object({ 'total-results': z.number(), items: z.array(z.unknown()).max(1_000) }),
});
const single = z.object({ message: z.unknown() });

/** A retraction, or another notice about a published paper. */
export interface Notice {
  readonly standing: NonNullable<FoundDocument['standing']>;
  /** Kind, date and DOI of the notice. */
  readonly words: string;
}

/** Kinds of updates after which a paper should not be relied on (Crossref, Crossmark update types; Retraction Watch). */
const standings: Readonly<Record<string, Notice['standing']>> = {
  retraction: 'retracted',
  partial_retraction: 'retracted',
  removal: 'retracted',
  withdrawal: 'withdrawn',
  expression_of_concern: 'doubted',
};

/** Crossref: the register of DOIs, with the retractions that publishers and Retraction Watch report. */
export class Crossref implements PaperService {
  readonly label = 'Crossref';
  readonly #service: JsonService;

  constructor(context: ServiceContext) {
    this.#service = new JsonService(context, { label: this.label, said });
  }

  async search({ words, since, sort, offset, count }: PaperQuery, signal: AbortSignal): Promise<PaperPage> {
    const parameters = {
      'query.bibliographic': words,
      select,
      rows: String(count),
      offset: String(offset),
      ...(since === undefined ? {} : { filter: `from-pub-date:${since}` }),
      ...(sort === 'relevance'
        ? {}
        : { sort: sort === 'citations' ? 'is-referenced-by-count' : 'issued', order: 'desc' }),
    };
    const { message } = await this.#service.get({ path: '/works', parameters, schema: page, freshMs }, signal);
    return { total: message['total-results'], records: message.items.flatMap(recordOf) };
  }

  /** @param doi Without a prefix. */
  async get(doi: string, signal: AbortSignal): Promise<PaperRecord> {
    const path = `/works/${encodeURIComponent(doi)}`;
    const { message } = await this.#service.get({ path, schema: single, freshMs }, signal);
    return onlyRecord(recordOf(message), this.label);
  }

  /** The gravest notice about each of some papers, by DOI in lower case; most have none. One request. */
  async notices(dois: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Notice>> {
    const parameters = {
      // A comma separates filters: a DOI that has one can't be asked for.
      filter: dois
        .filter((doi) => !doi.includes(','))
        .map((doi) => `updates:${doi}`)
        .join(','),
      select: 'DOI,update-to',
      rows: String(mostNotices),
    };
    const { message } = await this.#service.get({ path: '/works', parameters, schema: page, freshMs }, signal);
    const found = new Map<string, Notice>();
    for (const item of message.items) {
      const { data } = work.safeParse(item);
      for (const to of data?.['update-to'] ?? []) {
        const notice = noticeOf([{ ...to, DOI: data!.DOI }]);
        const paper = to.DOI.toLowerCase();
        if (notice !== undefined && found.get(paper)?.standing !== 'retracted') found.set(paper, notice);
      }
    }
    return found;
  }
}

/** @param about Notices about one paper, by their own DOI. */
function noticeOf(about: readonly z.infer<typeof update>[]): Notice | undefined {
  const grave = about.flatMap((notice) => {
    const standing = standings[notice.type.toLowerCase().replace(/[ -]/g, '_')];
    return standing === undefined ? [] : [{ standing, notice }];
  });
  const [worst] = ['retracted', 'withdrawn', 'doubted'].flatMap((standing) =>
    grave.filter((one) => one.standing === standing),
  );
  if (worst === undefined) return undefined;
  const { notice, standing } = worst;
  const when = dateOf(notice.updated);
  return {
    standing,
    words: `${notice.type.replace(/_/g, ' ')}${when === undefined ? '' : ` of ${when}`}: ${notice.DOI}`,
  };
}

function recordOf(given: unknown): PaperRecord[] {
  const { data } = work.safeParse(given);
  const title = plainMarkup(data?.title?.[0] ?? '');
  if (data === undefined || title === '') return [];
  const notice = noticeOf(data['updated-by'] ?? []);
  const arxiv = /^10\.48550\/arxiv\.(\d{4}\.\d{4,5})/i.exec(data.DOI)?.[1];
  return [
    {
      title: oneLine(title),
      authors: (data.author ?? []).map(({ given: first, family, name }) =>
        oneLine(name ?? `${first ?? ''} ${family ?? ''}`),
      ),
      date: dateOf(data.issued),
      doi: data.DOI,
      arxiv,
      venue: data['container-title']?.[0],
      abstract: data.abstract === null || data.abstract === undefined ? undefined : plainMarkup(data.abstract),
      citations: data['is-referenced-by-count'] ?? undefined,
      ...(notice === undefined ? {} : { standing: notice.standing, notice: notice.words }),
      type: data.type === 'journal-article' ? undefined : (data.type ?? undefined),
    },
  ];
}

/** The parts may be `[null]`. */
function dateOf(date: z.infer<typeof dateParts>): string | undefined {
  const parts = (date?.['date-parts'][0] ?? []).filter((part) => part !== null).slice(0, 3);
  if (parts[0] === undefined || parts[0] < 1000 || parts[0] > 2200) return undefined;
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

function said(body: unknown): string | undefined {
  const failure = z.object({ message: z.array(z.object({ message: z.string() })).max(20) }).safeParse(body);
  return failure.data?.message.map(({ message }) => message).join('; ');
}
