import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { terms } from '../../research/text/tokenize.ts';
import type { ToolResult } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { JsonService } from '../http/jsonService.ts';
import { parseFeed } from '../readers/feed.ts';
import { bareWords } from '../searchWords.ts';
import type { SourceContext } from '../source.ts';
import { clampCount, emptyQuery, toolResult } from '../toolArguments.ts';
import {
  blogItems,
  modelCard,
  modelDocument,
  modelItem,
  paperDocument,
  paperItem,
  postDocument,
} from './huggingfaceDocuments.ts';

/** Of searches, and of the feed, which grows a few times a day. */
const searchFreshMs = 60 * 60 * 1_000;
const articleFreshMs = 24 * 60 * 60 * 1_000;
/** The search refuses longer ones (`/api/papers/search`, 3 to about 200 characters). */
const queryLength = { min: 3, max: 200 };
const mostPapers = 50;
const mostOthers = 30;
/** Less than this is a page about the article, not the article. In UTF-16 units. */
const leastText = 200;

export const papersArguments = z.object({
  query: z.string().optional().describe('English keywords, at least three letters. Absent: the papers of the day.'),
  date: z.iso.date().optional().describe('Without a query: the papers of this day, YYYY-MM-DD. Default the latest.'),
  week: z
    .string()
    .regex(/^\d{4}-W\d{2}$/)
    .optional()
    .describe('Without a query: of this week, YYYY-Www.'),
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .optional()
    .describe('Without a query: of this month, YYYY-MM.'),
  sort: z.enum(['trending', 'newest']).optional().describe('Without a query. Default trending.'),
  page: z.number().optional().describe('Default 1.'),
  max_results: z.number().optional().describe('1 to 50, default 15.'),
});
export const blogArguments = z.object({
  query: z.string().optional().describe('English keywords of the title. Absent: the newest articles.'),
  since: z.iso.date().optional().describe('Only articles of this date or later, YYYY-MM-DD.'),
  max_results: z.number().optional().describe('1 to 30, default 10.'),
});
export const modelsArguments = z.object({
  query: z.string().trim().min(1).describe('Words of the name, such as "qwen 7b instruct"; owner/name works too.'),
  task: z.string().optional().describe('Such as text-generation, text-to-image, sentence-similarity.'),
  sort: z.enum(['downloads', 'likes', 'trending', 'newest']).optional().describe('Default downloads.'),
  max_results: z.number().optional().describe('1 to 30, default 10.'),
});

/** The hub as one run sees it. */
export class HuggingfaceHub {
  readonly #context: SourceContext;
  readonly #service: JsonService;
  /** The length is checked before the entries are parsed: a search gives up to 120 papers. */
  readonly #list = z.array(z.unknown()).max(1_000);

  constructor(context: SourceContext) {
    this.#context = context;
    this.#service = new JsonService(context, { label: 'Hugging Face' });
  }

  async papers(args: z.infer<typeof papersArguments>, signal: AbortSignal): Promise<ToolResult> {
    const count = clampCount(args.max_results, 15, mostPapers);
    const page = clampCount(args.page, 1, 100);
    const query = fitted(args.query ?? '');
    const isSearch = (args.query ?? '').trim() !== '';
    if (isSearch && query.length < queryLength.min) throw tooShort(args.query!);
    const list = isSearch
      ? await this.#get('/api/papers/search', { q: query.slice(0, queryLength.max) }, signal)
      : await this.#get('/api/daily_papers', dailyParameters(args, count, page), signal);
    const found = this.#read(list, (item) => paperItem.safeParse(item).data).map(paperDocument);
    // The search gives all at once, the list of a day in pages.
    const documents = isSearch ? found.slice((page - 1) * count, page * count) : found.slice(0, count);
    const what = isSearch ? `for: ${query}` : `of ${args.date ?? args.week ?? args.month ?? 'the latest days'}`;
    const hasMore = isSearch ? found.length > page * count : found.length >= count;
    return this.#result(documents, [
      documents.length === 0
        ? `Hugging Face has no papers ${what}. Try ${isSearch ? 'fewer or other English words' : 'another day'}.`
        : `${documents.length} of ${isSearch ? found.length : 'the'} papers ${what}.`,
      hasMore ? `More with page ${page + 1}.` : '',
    ]);
  }

  async posts(args: z.infer<typeof blogArguments>, signal: AbortSignal): Promise<ToolResult> {
    const query = fitted(args.query ?? '');
    const { text } = await this.#service.getText(
      { path: '/blog/feed.xml', accept: 'application/rss+xml, application/xml;q=0.9', freshMs: searchFreshMs },
      signal,
    );
    const from = [args.since ?? '', this.#context.settings['sources.since']].sort().at(-1)!;
    const all = blogItems(parseFeed(text).entries).filter(({ date = '9' }) => date >= from);
    const wanted = new Set(terms(query, 'en'));
    const ranked = all
      .map((item) => ({ item, shared: terms(item.title, 'en').filter((term) => wanted.has(term)).length }))
      .filter(({ shared }) => wanted.size === 0 || shared > 0)
      // The feed is in order of date, and the sort is stable.
      .sort((a, b) => b.shared - a.shared);
    const documents = ranked
      .slice(0, clampCount(args.max_results, 10, mostOthers))
      .map(({ item }) => postDocument(item));
    const what = wanted.size === 0 ? '' : ` with words of: ${query}`;
    return this.#result(documents, [
      documents.length === 0
        ? `None of the ${all.length} latest articles has a title${what}. Try other English words.`
        : `${documents.length} of ${ranked.length} articles${what}. Only titles: read_huggingface_blog_post opens one.`,
    ]);
  }

  async models(args: z.infer<typeof modelsArguments>, signal: AbortSignal): Promise<ToolResult> {
    const query = fitted(args.query);
    if (query === '') throw tooShort(args.query);
    const parameters = {
      sort: modelSorts[args.sort ?? 'downloads'],
      direction: '-1',
      limit: String(clampCount(args.max_results, 10, mostOthers)),
      ...(args.task === undefined || args.task === ''
        ? {}
        : { filter: args.task.trim().toLowerCase().replace(/\s+/g, '-') }),
    };
    const find = async (search: string): Promise<FoundDocument[]> => {
      const list = await this.#get('/api/models', { search, ...parameters }, signal);
      return this.#read(list, (item) => modelItem.safeParse(item).data).map((item) => modelDocument(item));
    };
    let used = query;
    let documents = await find(used);
    // Names hold a word or two of a question.
    const [longest] = query.split(' ').toSorted((a, b) => b.length - a.length);
    if (documents.length === 0 && longest !== undefined && longest !== query) {
      used = longest;
      documents = await find(used);
    }
    return this.#result(documents, [
      documents.length === 0
        ? `Hugging Face has no model with a name like: ${used}. Try one word of the name.`
        : `${documents.length} models with a name like: ${used}.`,
    ]);
  }

  async model(asked: string, signal: AbortSignal): Promise<ToolResult> {
    const id = /^(?:https?:\/\/(?:huggingface\.co|hf\.co)\/)?([\w.-]{1,96}\/[\w.-]{1,96})\/?$/.exec(asked)?.[1];
    if (id === undefined)
      throw new ResearchError('badRequest', `"${asked.slice(0, 80)}" is not a model.`, {
        next: 'Give it as owner/name.',
      });
    const [info, card] = await Promise.all([
      this.#service.get({ path: `/api/models/${id}`, schema: modelItem, freshMs: searchFreshMs }, signal),
      this.#service
        .getText({ path: `/${id}/raw/main/README.md`, accept: 'text/plain', freshMs: articleFreshMs }, signal)
        .then(({ text }) => modelCard(text))
        .catch((error: unknown) => {
          // A model without a card, or behind a form.
          if (ResearchError.is(error, 'notFound', 'auth')) return '';
          throw error;
        }),
    ]);
    const notes = card === '' ? [`${id} has no model card that can be read.`] : [];
    return this.#result([modelDocument(info, card)], notes);
  }

  async post(asked: string, signal: AbortSignal): Promise<ToolResult> {
    const path = /^(?:https?:\/\/(?:huggingface\.co|hf\.co))?\/?(?:blog\/)?([\w.-]{1,96}(?:\/[\w.-]{1,160})?)\/?$/.exec(
      asked,
    )?.[1];
    if (path === undefined)
      throw new ResearchError('badRequest', `"${asked.slice(0, 80)}" is not an article of the Hugging Face blog.`, {
        next: 'Give the URL that get_huggingface_blog_posts gave.',
      });
    const { text } = await this.#service.getText(
      { path: `/blog/${path}`, accept: 'text/html', freshMs: articleFreshMs },
      signal,
    );
    return this.#result([await blogArticle(path, text, signal)], []);
  }

  #result(documents: readonly FoundDocument[], notes: readonly string[]): ToolResult {
    return toolResult(documents, notes, [this.#service.warning]);
  }

  #get(path: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown[]> {
    return this.#service.get({ path, parameters, schema: this.#list, freshMs: searchFreshMs }, signal);
  }

  /** Items of an unknown shape are left out; when none is known, the answer is none. */
  #read<T>(list: readonly unknown[], read: (item: unknown) => T | undefined): T[] {
    const found = list.map(read).filter((item) => item !== undefined);
    if (list.length > 0 && found.length === 0) throw this.#service.unknownFormat();
    return found;
  }
}

const modelSorts = { downloads: 'downloads', likes: 'likes', trending: 'trendingScore', newest: 'createdAt' } as const;

function dailyParameters(args: z.infer<typeof papersArguments>, count: number, page: number): Record<string, string> {
  const { date, week, month, sort } = args;
  return {
    ...(date !== undefined ? { date } : week !== undefined ? { week } : month !== undefined ? { month } : {}),
    sort: sort === 'newest' ? 'publishedAt' : 'trending',
    limit: String(count),
    ...(page > 1 ? { p: String(page - 1) } : {}),
  };
}

function tooShort(query: string): ResearchError {
  return emptyQuery(query, 'Hugging Face', 'Search with English words of three letters and more.');
}

/** An article of the blog from its page. Rejects as `readDocument`, and with `badAnswer` for a page without an article. */
async function blogArticle(path: string, html: string, signal: AbortSignal): Promise<FoundDocument> {
  const url = `https://huggingface.co/blog/${path}`;
  const { readDocument } = await import('../readers/readDocument.ts');
  const { title, authors, date, text } = await readDocument(Buffer.from(html, 'utf8'), 'text/html', url, signal);
  if (text.length < leastText)
    throw new ResearchError('badAnswer', `The page of "${path}" has no article that can be read.`, {
      next: 'Use another article.',
    });
  const owner = path.includes('/') ? [path.split('/')[0]!] : [];
  return {
    kind: 'huggingface',
    title: title.replace(/ [|·-] Hugging Face$/, '') || path,
    authors: authors.length > 0 ? authors : owner,
    ...(date === undefined ? {} : { date }),
    url,
    text,
    facts: ['article of the Hugging Face blog'],
  };
}

/** Without words about the wish. */
function fitted(query: string): string {
  return bareWords(query).join(' ');
}
