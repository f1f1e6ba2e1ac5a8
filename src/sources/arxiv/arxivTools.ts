import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import type { FoundDocument, ResearchTool, ToolContext, ToolResult } from '../../research/tools.ts';
import { parseArxivFeed, saysTooMany, unusableReason, type ArxivEntry, type ArxivFeed } from './arxivFeed.ts';
import { parseArxivId, type ArxivId } from './arxivId.ts';
import { buildArxivQuery } from './arxivQuery.ts';
import type { PoliteRequest } from '../http/politeClient.ts';
import {
  aboutWorkspace,
  allowedNames,
  publicWorkspaceTerms,
  removedNote,
  withoutWorkspaceTerms,
} from '../queryShape.ts';
import { endpointUrl, type SourceContext } from '../source.ts';
import { clampCount, readToolArguments } from '../toolArguments.ts';

/** Results change once a day (arXiv API user manual). */
const freshMs = 24 * 60 * 60 * 1_000;
const maxResults = 50;
const maxIds = 50;

const searchArguments = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .describe(
      'English keywords or a phrase in double quotes; arXiv fields (ti:, au:, abs:, cat:) with AND, OR, ANDNOT work too.',
    ),
  max_results: z.number().optional().describe('1 to 50, default 10.'),
  sort: z.enum(['relevance', 'newest', 'updated']).optional().describe('Default relevance.'),
  since: z.iso.date().optional().describe('Only papers first submitted on or after this date, YYYY-MM-DD.'),
});

const getArguments = z.object({
  id: z
    .string()
    .optional()
    .describe('arXiv id (2005.11401, hep-th/9901001) or the URL of its abstract, PDF or HTML page.'),
  ids: z.array(z.string()).optional().describe('Several of them, fetched in one request.'),
});

/** `search_arxiv_papers` and `get_arxiv_paper`. A paper's text is its abstract. */
export function createArxivTools({ settings, endpoint, session, facts }: SourceContext): readonly ResearchTool[] {
  const cited = new Set(facts?.arxivIds ?? []);
  const named = new Set<string>();

  async function ask(
    parameters: Readonly<Record<string, string>>,
    again: boolean,
    signal: AbortSignal,
  ): Promise<ArxivFeed> {
    const answer = await session.get(
      {
        url: endpointUrl(endpoint, '/api/query', parameters),
        // The edge was seen to answer 406: nothing is refused here.
        accept: 'application/atom+xml, application/xml;q=0.9, */*;q=0.5',
        freshMs,
        again,
        judge: judgeArxiv,
      },
      signal,
    );
    if (answer.status >= 400 && unusableReason(answer.text) !== undefined) throw refusal(answer.status);
    const feed = await parseArxivFeed(answer.text, signal);
    if (answer.status >= 400) throw refusal(answer.status);
    return feed;
  }

  /** A page can come back empty although there are results: asked once more, then it counts as a failure. */
  async function search(parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ArxivFeed> {
    const feed = await ask(parameters, false, signal);
    if (feed.entries.length > 0 || feed.total === 0) return feed;
    const second = await ask(parameters, true, signal);
    if (second.entries.length > 0 || second.total === 0) return second;
    throw new ResearchError('badAnswer', `arXiv says that there are ${second.total} papers but sent none of them.`, {
      next: 'Ask again later or in other words.',
    });
  }

  async function getPapers(asked: readonly string[], { focus }: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const read = asked.map((text) => ({ text, id: parseArxivId(text) }));
    const valid = read.map(({ id }) => id).filter((id) => id !== undefined);
    const { allowed, removed } = allowedNames(
      valid.map(({ id }) => id),
      [...cited],
      named,
      settings['workspace.inQueries'],
      focus,
    );
    const unique = valid
      .filter(({ id }, index) => allowed.includes(id) && valid.findIndex((other) => other.id === id) === index)
      .slice(0, maxIds);
    const invalid = read.filter(({ id }) => id === undefined).map(({ text }) => `"${text.slice(0, 60)}"`);
    if (unique.length === 0 && removed.length > 0)
      throw new ResearchError('badRequest', removedNote(removed).join(' '), { next: 'Search by subject.' });
    if (unique.length === 0) {
      throw new ResearchError(
        'badRequest',
        `${invalid.length > 0 ? `${invalid.slice(0, 3).join(', ')} is no arXiv id` : 'No arXiv id was given'}.`,
        {
          next: 'Give an id like 2005.11401 or hep-th/9901001, or search first.',
        },
      );
    }
    const feed = await ask(
      { id_list: unique.map(({ id, version }) => id + version).join(','), max_results: String(unique.length) },
      false,
      signal,
    );
    const byId = new Map(feed.entries.map((entry) => [entry.id, entry]));
    const missing = unique.filter(({ id }) => !byId.has(id)).map(({ id, version }) => id + version);
    if (missing.length === unique.length) {
      throw new ResearchError('notFound', `arXiv has no paper ${missing.join(', ')}.`, {
        next: 'Check the id, or search by title.',
      });
    }
    const notes = [
      ...removedNote(removed),
      ...(missing.length > 0 ? [`arXiv has no paper ${missing.join(', ')}.`] : []),
      ...(invalid.length > 0 ? [`Not arXiv ids: ${invalid.slice(0, 5).join(', ')}.`] : []),
    ];
    const inOrder = unique.map(({ id }: ArxivId) => byId.get(id)).filter((entry) => entry !== undefined);
    return {
      documents: inOrder.map((entry) => documentOf(entry, cited)),
      ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
    };
  }

  async function searchPapers(
    given: Readonly<Record<string, unknown>>,
    context: ToolContext,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { language, focus } = context;
    const { query, max_results, sort, since } = readToolArguments('search_arxiv_papers', searchArguments, given);
    if (parseArxivId(query) !== undefined) return getPapers([query], context, signal);
    const allowed = withoutWorkspaceTerms(query, facts, settings['workspace.inQueries'], focus);
    const notes = [...removedNote(allowed.removed)];
    let subject = allowed.query;
    const about = aboutWorkspace(subject);
    if (about !== undefined) {
      const terms = publicWorkspaceTerms(facts, settings['workspace.inQueries']).packages.slice(0, 2);
      subject = about.rest;
      if (buildArxivQuery(subject, language) === undefined && terms.length > 0) {
        subject = terms.map((term) => `"${term}"`).join(' OR ');
        notes.push(`"${about.mention}" was searched as ${terms.join(', ')}, which the workspace depends on.`);
      } else {
        notes.push(`"${about.mention}" means nothing to arXiv and was left out.`);
      }
    }
    const built = buildArxivQuery(subject, language);
    if (built === undefined) {
      throw new ResearchError(
        'badRequest',
        `"${query.slice(0, 80)}" holds nothing that arXiv can be searched for: its texts are in English.`,
        {
          next: 'Search with English terms.',
        },
      );
    }
    const from = [since, settings['sources.since']]
      .filter((date) => date !== undefined && date !== '')
      .sort()
      .at(-1);
    const restrict = (text: string): string =>
      from === undefined ? text : `(${text}) AND submittedDate:[${from.replaceAll('-', '')}0000 TO 209912312359]`;
    const page = {
      max_results: String(clampCount(max_results, 10, maxResults)),
      start: '0',
      sortBy: sort === 'newest' ? 'submittedDate' : sort === 'updated' ? 'lastUpdatedDate' : 'relevance',
      sortOrder: 'descending',
    };
    const [first, second] = built.attempts;
    let used = first;
    let feed = await search({ search_query: restrict(first), ...page }, signal);
    if (feed.entries.length === 0 && second !== undefined) {
      used = second;
      feed = await search({ search_query: restrict(second), ...page }, signal);
      if (feed.entries.length > 0) notes.push('No paper has all the terms: these have only some of them.');
    }
    const documents = newestVersions(feed.entries).map((entry) => documentOf(entry, cited));
    for (const { id } of feed.entries) named.add(id.toLowerCase());
    const known = documents.filter(({ alreadyCited }) => alreadyCited).length;
    notes.unshift(
      documents.length === 0
        ? `arXiv has no paper for ${used}${from === undefined ? '' : ` since ${from}`}. Try fewer or other English terms.`
        : `${documents.length} of ${feed.total} papers for ${used}${from === undefined ? '' : ` since ${from}`}.`,
      ...built.notes,
    );
    if (known > 0) notes.push(`${known} of them the user's workspace already cites.`);
    return { documents, note: notes.join(' ') };
  }

  return [
    {
      name: 'search_arxiv_papers',
      description:
        'Searches arXiv (preprints in physics, mathematics, computer science, biology, economics). Gives titles, authors, dates and whole abstracts.',
      parameters: searchArguments,
      source: 'arxiv',
      kind: 'search',
      run: searchPapers,
    },
    {
      name: 'get_arxiv_paper',
      description: 'Gets papers from arXiv by id or URL: title, authors, dates, whole abstract.',
      parameters: getArguments,
      source: 'arxiv',
      kind: 'read',
      run: (given, called, signal) => {
        const { id, ids } = readToolArguments('get_arxiv_paper', getArguments, given);
        return getPapers(
          [...(id === undefined ? [] : id.split(/[\s,;]+/)), ...(ids ?? [])].filter((text) => text !== ''),
          called,
          signal,
        );
      },
    },
  ];
}

/** Throttling comes in many shapes; a page that is no feed is worth a second try. */
const judgeArxiv: PoliteRequest['judge'] = ({ status, text }) => {
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
    ...(entry.primaryCategory === undefined ? [] : [entry.primaryCategory]),
    ...(updated !== undefined && updated !== published ? [`updated ${updated}`] : []),
    ...(entry.journalRef === undefined ? [] : [`published in ${entry.journalRef}`]),
    ...(entry.comment === undefined
      ? []
      : [entry.comment.length > 200 ? `${entry.comment.slice(0, 199)}…` : entry.comment]),
  ];
  return {
    kind: 'arxiv',
    title: title === '' ? `arXiv ${id}` : title,
    authors,
    ...(published === undefined ? {} : { date: published }),
    url: `https://arxiv.org/abs/${id}${version}`,
    ids: { arxiv: id, ...(doi === undefined ? {} : { doi }) },
    text: summary === '' ? title : summary,
    facts,
    ...(cited.has(id) ? { alreadyCited: true } : {}),
  };
}
