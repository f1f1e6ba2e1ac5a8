import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import type { ResearchTool, ToolContext, ToolResult } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { JsonService } from '../http/jsonService.ts';
import { queryWords, searchAttempts } from '../searchWords.ts';
import { isoDate } from '../readers/document.ts';
import { type SourceContext } from '../source.ts';
import { clampCount, defineTool, emptyQuery } from '../toolArguments.ts';
import { commentText } from './commentText.ts';
import { threadItem, threadText } from './hackernewsThread.ts';

const searchFreshMs = 10 * 60 * 1_000;
const threadFreshMs = 30 * 60 * 1_000;
const maxResults = 50;
/** Only so many hits can be paged through (https://hn.algolia.com/api). */
const mostHits = 1_000;
/** Every word has to occur: more find nothing. */
const maxWords = 6;

const searchArguments = z.object({
  query: z.string().trim().min(1).describe('A few English words; each has to occur. A phrase in double quotes.'),
  kind: z
    .enum(['stories', 'comments'])
    .optional()
    .describe('Default stories (titles and texts of their authors). comments: single opinions and experiences.'),
  sort: z.enum(['relevance', 'date']).optional().describe('Default relevance. date: newest first.'),
  min_points: z.number().optional().describe('Only stories with so many points; 50 leaves out what nobody noticed.'),
  page: z.number().optional().describe('Default 1.'),
  max_results: z.number().optional().describe('1 to 50, default 15.'),
});
const threadArguments = z.object({
  id: z.union([z.string(), z.number()]).describe('Number of the story or comment, or the URL of its page.'),
});

const nullableText = z.string().nullish();
const hit = z.object({
  objectID: z.string().regex(/^\d{1,12}$/),
  title: nullableText,
  url: nullableText,
  author: nullableText,
  points: z.number().nullish(),
  num_comments: z.number().nullish(),
  created_at: nullableText,
  story_text: nullableText,
  comment_text: nullableText,
  story_title: nullableText,
});
type Hit = z.infer<typeof hit>;
const searchAnswer = z.object({
  // Counted before they are read.
  hits: z.array(z.unknown()).max(1_000),
  nbHits: z.number().catch(0),
  nbPages: z.number().catch(0),
});

/** `hackernews_search` and `get_hackernews_thread`. A story and a comment are identified by their number. */
export function createHackernewsTools(context: SourceContext): readonly ResearchTool[] {
  const service = new Hackernews(context);
  return [
    defineTool('hackernews', 'search', {
      name: 'hackernews_search',
      description:
        'Searches Hacker News, where engineers discuss products, papers and incidents: stories or comments, with points and ' +
        'number of comments. For opinions, experiences and what was in the news.',
      parameters: searchArguments,
      run: (args, called, signal) => service.search(args, called, signal),
    }),
    defineTool('hackernews', 'read', {
      name: 'get_hackernews_thread',
      description: 'Gets the discussion of a Hacker News story: its comments, each with its author.',
      parameters: threadArguments,
      run: (args, _called, signal) => service.thread(String(args.id), signal),
    }),
  ];
}

class Hackernews {
  readonly #context: SourceContext;
  readonly #service: JsonService;

  constructor(context: SourceContext) {
    this.#context = context;
    this.#service = new JsonService(context, { label: 'Hacker News' });
  }

  async search(args: z.infer<typeof searchArguments>, called: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { settings } = this.#context;
    const { kind = 'stories', sort = 'relevance' } = args;
    const [first, second] = attemptsOf(args.query, called.language);
    if (first === undefined)
      throw emptyQuery(args.query, 'Hacker News', 'Search with a few English words about the subject.');
    const count = clampCount(args.max_results, 15, maxResults);
    const page = clampCount(args.page, 1, Math.ceil(mostHits / count));
    const filters = filtersOf(settings['sources.since'], kind === 'stories' ? args.min_points : undefined);
    const find = (query: string) =>
      this.#service.get(
        {
          path: sort === 'date' ? '/api/v1/search_by_date' : '/api/v1/search',
          parameters: {
            query,
            tags: kind === 'comments' ? 'comment' : 'story',
            hitsPerPage: String(count),
            ...(page > 1 ? { page: String(page - 1) } : {}),
            ...(filters.length > 0 ? { numericFilters: filters.join(',') } : {}),
          },
          schema: searchAnswer,
          freshMs: searchFreshMs,
        },
        signal,
      );
    const notes: string[] = [];
    let used = first;
    let answer = await find(first);
    if (answer.hits.length === 0 && second !== undefined && page === 1) {
      used = second;
      answer = await find(second);
      if (answer.hits.length > 0) notes.unshift('Nothing has all the words; searched with fewer.');
    }
    const documents = answer.hits.flatMap((given) => {
      const { data } = hit.safeParse(given);
      return data === undefined ? [] : (documentOf(data) ?? []);
    });
    if (answer.hits.length > 0 && documents.length === 0) throw this.#service.unknownFormat();
    notes.unshift(
      documents.length === 0
        ? `Hacker News has no ${kind} for: ${used}. Try fewer or other words.`
        : `${documents.length} of ${answer.nbHits} ${kind} for: ${used}.`,
    );
    if (documents.length > 0 && page < Math.min(answer.nbPages, Math.ceil(mostHits / count)))
      notes.push(`More with page ${page + 1}.`);
    return { documents, note: notes.join(' ') };
  }

  async thread(asked: string, signal: AbortSignal): Promise<ToolResult> {
    const id = idOf(asked);
    if (id === undefined)
      throw new ResearchError('badRequest', `"${asked.slice(0, 100)}" is not an item of Hacker News.`, {
        next: 'Give the number that hackernews_search shows in an address (item?id=NUMBER).',
      });
    const item = await this.#service.get(
      { path: `/api/v1/items/${id}`, schema: threadItem.nullable(), freshMs: threadFreshMs },
      signal,
    );
    // The answer for a number that no item ever had.
    if (item === null) throw new ResearchError('notFound', 'Hacker News has no such item.', { next: 'Search for it.' });
    const own = commentText(item.text ?? '');
    const { text, comments, isCut } = await threadText(item, signal);
    const title = plainTitle(item.title) ?? `Comment of ${item.author ?? 'somebody'} on Hacker News`;
    const parts = [own, text].filter((part) => part !== '');
    if (parts.length === 0 && !plainTitle(item.title))
      throw new ResearchError('notFound', `The item ${id} of Hacker News has no text: it was deleted.`, {
        next: 'Use another one.',
      });
    const date = isoDate(item.created_at ?? undefined);
    const document: FoundDocument = {
      kind: 'hackernews',
      title,
      authors: item.author ? [item.author] : [],
      ...(date === undefined ? {} : { date }),
      url: pageOf(id),
      text: [title, ...parts].join('\n\n'),
      facts: factsOf({ points: item.points, num_comments: comments, url: item.url }),
    };
    const cut = isCut ? ' It has more, which are not read: those nested deepest.' : '';
    return { documents: [document], note: `${comments} comments, each under the name of its author.${cut}` };
  }
}

/** At most two queries: all words of the subject, and the two that say most, for when the first finds nothing. */
function attemptsOf(query: string, language: string): readonly string[] {
  const attempts = searchAttempts(queryWords(query, language), maxWords).map((words) =>
    words.map(({ value, quoted }) => (quoted ? `"${value}"` : value)).join(' '),
  );
  return [...new Set(attempts)].filter((attempt) => attempt !== '');
}

function filtersOf(since: string, minPoints: number | undefined): readonly string[] {
  return [
    ...(since === '' ? [] : [`created_at_i>=${Date.parse(since) / 1_000}`]),
    ...(minPoints === undefined || !(minPoints > 0) ? [] : [`points>=${Math.min(100_000, Math.trunc(minPoints))}`]),
  ];
}

function documentOf(item: Hit): FoundDocument | undefined {
  const comment = commentText(item.comment_text ?? '');
  const about = plainTitle(item.story_title) ?? 'a story';
  const title = comment === '' ? plainTitle(item.title) : `${item.author ?? 'Somebody'} on “${about}”`;
  if (title === undefined) return undefined;
  const own = commentText(item.story_text ?? '');
  const date = isoDate(item.created_at ?? undefined);
  return {
    kind: 'hackernews',
    title,
    authors: item.author ? [item.author] : [],
    ...(date === undefined ? {} : { date }),
    url: pageOf(item.objectID),
    text: comment === '' ? [title, own].filter((part) => part !== '').join('\n\n') : comment,
    facts: comment === '' ? factsOf(item) : ['a comment'],
  };
}

function factsOf({ points, num_comments, url }: Pick<Hit, 'points' | 'num_comments' | 'url'>): string[] {
  return [
    ...(typeof points === 'number' ? [`${points} points`] : []),
    ...(typeof num_comments === 'number' ? [`${num_comments} comments`] : []),
    ...(url && /^https?:\/\//i.test(url) && URL.canParse(url) ? [`links to ${url.slice(0, 300)}`] : []),
  ];
}

function plainTitle(title: string | null | undefined): string | undefined {
  const text = commentText(title ?? '').replace(/\s+/g, ' ');
  return text === '' ? undefined : text;
}

function pageOf(id: string): string {
  return `https://news.ycombinator.com/item?id=${id}`;
}

function idOf(asked: string): string | undefined {
  const text = asked.trim();
  if (/^\d{1,12}$/.test(text)) return text;
  return /^(?:https?:\/\/)?(?:www\.)?news\.ycombinator\.com\/item\?(?:[^#]{0,100}&)?id=(\d{1,12})(?:[&#]|$)/i.exec(
    text,
  )?.[1];
}
