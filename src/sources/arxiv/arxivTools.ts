import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import type { ResearchTool, ToolContext, ToolResult } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { parseArxivFeed, saysTooMany, unusableReason, type ArxivEntry, type ArxivFeed } from './arxivFeed.ts';
import { JoinedSearches } from './joinedSearches.ts';
import { ArxivFullText } from './arxivFullText.ts';
import { parseArxivId } from './arxivId.ts';
import { type ArxivAttempt, buildArxivQuery } from './arxivQuery.ts';
import type { PoliteRequest } from '../http/httpSession.ts';
import { type SourceContext } from '../source.ts';
import { endpointUrl } from '../http/endpointUrl.ts';
import { clampCount, defineTool, toolResult } from '../toolArguments.ts';

/** Results change once a day (arXiv API user manual). */
const freshMs = 24 * 60 * 60 * 1_000;
const maxResults = 50;
const maxIds = 50;
/** As far as a search is paged: each page takes seconds. */
const mostPaged = 2_000;

const searchArguments = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .describe(
      'English keywords or a phrase in double quotes; arXiv fields (ti:, au:, abs:, cat:) with AND, OR, ANDNOT work too.',
    ),
  categories: z
    .array(z.string())
    .optional()
    .describe('Only of one of these categories, such as cs.CL, stat.ML, q-bio.'),
  author: z.string().optional().describe('Only papers of this author.'),
  max_results: z.number().optional().describe('1 to 50, default 10.'),
  page: z.number().optional().describe('Default 1.'),
  sort: z.enum(['relevance', 'newest', 'updated']).optional().describe('Default relevance.'),
  since: z.iso.date().optional().describe('Only papers first submitted on or after this date, YYYY-MM-DD.'),
  until: z.iso.date().optional().describe('Only papers first submitted on or before this date, YYYY-MM-DD.'),
});

const getArguments = z.object({
  id: z
    .string()
    .optional()
    .describe('arXiv id (2005.11401, hep-th/9901001) or the URL of its abstract, PDF or HTML page.'),
  ids: z.array(z.string()).optional().describe('Several of them, fetched in one request.'),
});
const readArguments = z.object({
  id: z.string().trim().min(1).describe('arXiv id, or the URL of its abstract, PDF or HTML page.'),
});

/** `search_arxiv_papers`, `get_arxiv_paper` and `read_arxiv_paper`. A paper's text is its abstract until it is read in full. */
export function createArxivTools(context: SourceContext): readonly ResearchTool[] {
  const papers = new ArxivPapers(context);
  return [
    defineTool('arxiv', 'search', {
      name: 'search_arxiv_papers',
      description:
        'Searches arXiv (preprints in physics, mathematics, computer science, biology, economics). Gives titles, authors, dates and whole abstracts.',
      parameters: searchArguments,
      run: (args, called, signal) => papers.search(args, called, signal),
    }),
    defineTool('arxiv', 'read', {
      name: 'get_arxiv_paper',
      description: 'Gets papers from arXiv by id or URL: title, authors, dates, whole abstract.',
      parameters: getArguments,
      run: ({ id = '', ids = [] }, _called, signal) => {
        const asked = [...id.split(/[\s,;]+/), ...ids].filter((text) => text !== '');
        return papers.get(asked, signal);
      },
    }),
    defineTool('arxiv', 'read', {
      name: 'read_arxiv_paper',
      description:
        'Reads a paper of arXiv in full: method, results, tables, limitations. For details that its abstract does not give; one ' +
        'paper a call.',
      parameters: readArguments,
      run: (args, _called, signal) => papers.read(args.id, signal),
    }),
  ];
}

/** The papers of one run. */
class ArxivPapers {
  readonly #context: SourceContext;
  readonly #fullText: ArxivFullText;
  /** Ids that the workspace cites. */
  readonly #cited: ReadonlySet<string>;
  /** Papers that searches of this run have brought, by id in lower case. */
  readonly #known = new Map<string, ArxivEntry>();
  readonly #joined = new JoinedSearches((query, count, signal) =>
    this.#searchFeed(
      { search_query: query, max_results: String(count), start: '0', sortBy: 'relevance', sortOrder: 'descending' },
      signal,
    ),
  );

  constructor(context: SourceContext) {
    this.#context = context;
    this.#fullText = new ArxivFullText(context);
    this.#cited = new Set(context.facts?.arxivIds ?? []);
  }

  async search(args: z.infer<typeof searchArguments>, context: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { query, max_results, sort = 'relevance' } = args;
    if (parseArxivId(query) !== undefined) return this.get([query], signal);
    const built = buildArxivQuery(query, context.language);
    if (built === undefined)
      throw new ResearchError(
        'badRequest',
        `"${query.slice(0, 80)}" has nothing that arXiv can be searched for: its texts are in English.`,
        { next: 'Search with English terms.' },
      );
    const notes = [...built.notes];
    const from = latest(args.since, this.#context.settings['sources.since']);
    const limits = restrictions(args, from, notes);
    const count = clampCount(max_results, 10, maxResults);
    const number = clampCount(args.page, 1, Math.floor(mostPaged / count));
    const page = {
      max_results: String(count),
      start: String((number - 1) * count),
      sortBy: sortKeys[sort],
      sortOrder: 'descending',
    };
    const [first, second] = built.attempts;
    const isPlain = limits.length === 0 && number === 1 && sort === 'relevance';
    const found = (attempt: ArxivAttempt): Promise<ArxivFeed> =>
      isPlain
        ? this.#joined.search(attempt, count, signal)
        : this.#searchFeed({ search_query: restricted(attempt.query, limits), ...page }, signal);
    let used = first;
    let feed = await found(first);
    if (feed.entries.length === 0 && second !== undefined && number === 1) {
      used = second;
      feed = await found(second);
      if (feed.entries.length > 0) notes.push('No paper has all the terms: these have only some of them.');
    }
    const papers = newestVersions(feed.entries);
    this.#remember(papers);
    const documents = papers.map((entry) => documentOf(entry, this.#cited));
    const what = restricted(used.query, limits);
    notes.unshift(
      documents.length === 0
        ? `arXiv has no paper for ${what}. Try fewer or other English terms.`
        : `${documents.length} of ${feed.total} papers for ${what}.`,
    );
    if (feed.total > number * count && documents.length > 0) notes.push(`More with page ${number + 1}.`);
    const known = documents.filter(({ alreadyCited }) => alreadyCited).length;
    if (known > 0) notes.push(`${known} of them the user's workspace already cites.`);
    return { documents, note: notes.join(' ') };
  }

  async get(asked: readonly string[], signal: AbortSignal): Promise<ToolResult> {
    const read = asked.map((text) => ({ text, id: parseArxivId(text) }));
    const invalid = read.filter(({ id }) => id === undefined).map(({ text }) => `"${text.slice(0, 60)}"`);
    const parsed = read.flatMap(({ id }) => id ?? []);
    // Named with two versions: the first.
    const valid = parsed.filter(({ id }, index) => parsed.findIndex((other) => other.id === id) === index);
    const wanted = valid.slice(0, maxIds);
    if (wanted.length === 0) throw nothingToGet(invalid);
    const unknown = wanted.filter(({ id, version }) => !this.#has(id, version));
    if (unknown.length > 0) {
      const list = {
        id_list: unknown.map(({ id, version }) => id + version).join(','),
        max_results: String(unknown.length),
      };
      this.#remember((await this.#feed(list, false, signal)).entries);
    }
    const byId = new Map(wanted.flatMap(({ id }) => [[id, this.#known.get(id.toLowerCase())] as const]));
    const missing = wanted.filter(({ id }) => byId.get(id) === undefined).map(({ id, version }) => id + version);
    if (missing.length === wanted.length) {
      throw new ResearchError('notFound', `arXiv has no paper ${missing.join(', ')}.`, {
        next: 'Check the id, or search by title.',
      });
    }
    const notes = [
      ...(missing.length > 0 ? [`arXiv has no paper ${missing.join(', ')}.`] : []),
      ...(invalid.length > 0 ? [`Not arXiv ids: ${invalid.slice(0, 5).join(', ')}.`] : []),
    ];
    const found = wanted.flatMap(({ id }) => byId.get(id) ?? []);
    return toolResult(
      found.map((entry) => documentOf(entry, this.#cited)),
      notes,
    );
  }

  /** The whole text: the HTML page that arXiv makes of most papers since 2023, else the PDF. */
  async read(asked: string, signal: AbortSignal): Promise<ToolResult> {
    const { documents, note = '' } = await this.get([asked], signal);
    const [paper] = documents;
    const id = paper?.ids?.arxiv;
    if (paper === undefined || id === undefined) return { documents, note };
    const text = await this.#fullText.read(id + (parseArxivId(asked)?.version ?? ''), signal);
    const sections = `Sections: ${text.sections.join('; ').slice(0, 1_500) || 'none named'}.`;
    return toolResult([{ ...paper, text: `${paper.text}\n\n${text.markdown}` }], [note, text.note, sections]);
  }

  #remember(entries: readonly ArxivEntry[]): void {
    for (const entry of entries) {
      const known = this.#known.get(entry.id.toLowerCase());
      if (known === undefined || versionOf(entry) >= versionOf(known)) this.#known.set(entry.id.toLowerCase(), entry);
    }
  }

  /** A version that was asked for by number may differ from the one that a search brought. */
  #has(id: string, version: string): boolean {
    const known = this.#known.get(id.toLowerCase());
    return known !== undefined && (version === '' || known.version === version);
  }

  /** A page can come back empty although there are results: it is requested again, then it counts as a failure. */
  async #searchFeed(parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ArxivFeed> {
    const first = await this.#feed(parameters, false, signal);
    if (first.entries.length > 0 || first.total === 0) return first;
    const second = await this.#feed(parameters, true, signal);
    if (second.entries.length > 0 || second.total === 0) return second;
    throw new ResearchError('badAnswer', `arXiv reports ${second.total} papers but sent none of them.`, {
      next: 'Retry later, or search in other words.',
    });
  }

  async #feed(parameters: Readonly<Record<string, string>>, again: boolean, signal: AbortSignal): Promise<ArxivFeed> {
    const { session, endpoint } = this.#context;
    const { status, text } = await session.get(
      {
        url: endpointUrl(endpoint, '/api/query', parameters),
        // Its edge was seen to answer 406: nothing is refused here.
        accept: 'application/atom+xml, application/xml;q=0.9, */*;q=0.5',
        freshMs,
        again,
        check: checkArxiv,
      },
      signal,
    );
    if (status >= 400 && unusableReason(text) !== undefined) throw refusal(status);
    // An error entry of the feed says more than the status.
    const feed = await parseArxivFeed(text, signal);
    if (status >= 400) throw refusal(status);
    return feed;
  }
}

const sortKeys = { relevance: 'relevance', newest: 'submittedDate', updated: 'lastUpdatedDate' } as const;

function latest(...dates: readonly (string | undefined)[]): string | undefined {
  return dates
    .filter((date) => date !== undefined && date !== '')
    .sort()
    .at(-1);
}

/** What a search is restricted to, in arXiv's syntax. What it can't be goes into `notes`. */
function restrictions(
  { categories = [], author, until }: z.infer<typeof searchArguments>,
  from: string | undefined,
  notes: string[],
): readonly string[] {
  const trimmed = categories.map((category) => category.trim()).filter((category) => category !== '');
  const known = trimmed.filter((category) => /^[a-z-]{2,20}(?:\.[A-Za-z-]{2,20})?$/.test(category)).slice(0, 8);
  if (known.length < trimmed.length) notes.push('Categories are written like cs.CL or q-bio.');
  const name =
    (author ?? '')
      .match(/[\p{Script=Latin}\p{Mn}.'-]+/gu)
      ?.join(' ')
      .slice(0, 80) ?? '';
  const day = (date: string): string => date.replaceAll('-', '');
  const last = until === undefined ? '20991231' : day(until);
  return [
    // The archive alone means all its categories.
    ...(known.length === 0
      ? []
      : [`(${known.map((category) => `cat:${category.includes('.') ? category : `${category}*`}`).join(' OR ')})`]),
    ...(name === '' ? [] : [`au:"${name}"`]),
    ...(from === undefined && until === undefined
      ? []
      : [`submittedDate:[${from === undefined ? '19910101' : day(from)}0000 TO ${last}2359]`]),
  ];
}

function restricted(query: string, limits: readonly string[]): string {
  return limits.length === 0 ? query : [`(${query})`, ...limits].join(' AND ');
}

function nothingToGet(invalid: readonly string[]): ResearchError {
  const problem = invalid.length > 0 ? `${invalid.slice(0, 3).join(', ')} is not an arXiv id` : 'No arXiv id was given';
  return new ResearchError('badRequest', `${problem}.`, {
    next: 'Give an id like 2005.11401 or hep-th/9901001, or search first.',
  });
}

/** Throttling comes in many shapes; a page that is no feed is worth a second try. */
const checkArxiv: PoliteRequest['check'] = ({ status, text }) => {
  if (status === 406 || saysTooMany(text)) return { verdict: 'limited', why: 'arXiv asks for fewer requests.' };
  const why = status < 400 ? unusableReason(text) : undefined;
  return why === undefined ? undefined : { verdict: 'broken', why };
};

function refusal(status: number): ResearchError {
  const reason = status === 401 || status === 403 ? 'auth' : status === 404 ? 'notFound' : 'badRequest';
  return new ResearchError(reason, `arXiv refused the request (HTTP ${status}).`, {
    status,
    next: 'Check the endpoint in the settings, or search in other words.',
  });
}

function newestVersions(entries: readonly ArxivEntry[]): ArxivEntry[] {
  const newest = new Map<string, ArxivEntry>();
  for (const entry of entries) {
    const other = newest.get(entry.id);
    // The place in the ranking is the first one's; the version is the newest.
    if (other === undefined || versionOf(entry) > versionOf(other)) newest.set(entry.id, entry);
  }
  return [...newest.values()];
}

function versionOf(entry: ArxivEntry): number {
  return Number(entry.version.slice(1)) || 0;
}

function documentOf(entry: ArxivEntry, cited: ReadonlySet<string>): FoundDocument {
  const { id, version, title, authors, summary, published, updated, doi } = entry;
  const facts = [
    ...(entry.withdrawn ? ['withdrawn by its authors: do not rely on it'] : []),
    entry.primaryCategory,
    updated !== '' && updated !== published ? `updated ${updated}` : '',
    entry.journalRef === '' ? '' : `published in ${entry.journalRef}`,
    entry.comment.length > 200 ? `${entry.comment.slice(0, 199)}…` : entry.comment,
  ];
  return {
    kind: 'arxiv',
    title: title === '' ? `arXiv ${id}` : title,
    authors,
    ...(published === '' ? {} : { date: published }),
    url: `https://arxiv.org/abs/${id}${version}`,
    ids: { arxiv: id, ...(doi === '' ? {} : { doi }) },
    ...(entry.withdrawn ? { standing: 'withdrawn' as const } : {}),
    text: summary === '' ? title : summary,
    facts: facts.filter((fact) => fact !== ''),
    ...(cited.has(id) ? { alreadyCited: true } : {}),
  };
}
