import * as z from 'zod';
import { type FoundDocument, fillText } from '../../research/ports.ts';
import type { Settings } from '../../research/settings/config.ts';
import { ResearchError } from '../../research/errors.ts';
import { oneLine } from '../../research/text/hidden.ts';
import { PassageIndex } from '../../research/text/passageIndex.ts';
import { readQuery } from '../../research/text/query.ts';
import type { ResearchTool, ToolContext, ToolResult } from '../../research/tools.ts';
import type { FeedEntry, ReadDocument } from '../readers/document.ts';
import type { JsonService } from '../http/jsonService.ts';
import type { SourceContext } from '../source.ts';
import { clampCount, defineTool, toolResult } from '../toolArguments.ts';
import { zyteArticle, type ZyteArticle, zyteList, zyteService } from './zyte.ts';

const maxSites = 30;
const maxResults = 30;
/** Usual paths of a feed, for blogs whose page names none. */
const usualFeeds = ['feed.xml', 'rss.xml', 'atom.xml', 'feed', 'index.xml'];

const searchArguments = z.object({
  query: z.string().trim().min(1).describe('A few words that a post on the subject holds.'),
  max_results: z.number().optional().describe('1 to 30, default 8.'),
});
const postArguments = z.object({ url: z.string().trim().min(1).describe('Address of a post that a search found.') });

export function sitesIn(settings: Settings): readonly string[] {
  const sites = (settings as Readonly<Record<string, unknown>>)['sources.blogs.sites'] as readonly string[] | undefined;
  return [...new Set((sites ?? []).map(addressOf).filter((site) => site !== undefined))].slice(0, maxSites);
}

function addressOf(site: string): string | undefined {
  const whole = /^https?:\/\//i.test(site) ? site : `https://${site}`;
  return URL.canParse(whole) ? new URL(whole).href : undefined;
}

/** `search_blogs` and `read_blog_post`. Posts are read once a run and ranked here: blogs have no search of their own. */
export function createBlogsTools(context: SourceContext): readonly ResearchTool[] {
  const posts = new Posts(context);
  return [
    defineTool('blogs', 'search', {
      name: 'search_blogs',
      description: `Searches the recent posts of ${sitesIn(context.settings).length || 'the'} blogs that the user follows.`,
      parameters: searchArguments,
      run: (args, _called, signal) => posts.search(args, signal),
    }),
    defineTool('blogs', 'read', {
      name: 'read_blog_post',
      description: 'Reads a post of a blog in full.',
      parameters: postArguments,
      opensPages: true,
      run: (args, called, signal) => posts.read(args.url, called, signal),
    }),
  ];
}

class Posts {
  readonly #context: SourceContext;
  readonly #zyte: JsonService;
  readonly #bySite = new Map<string, Promise<readonly FoundDocument[]>>();

  constructor(context: SourceContext) {
    this.#context = context;
    this.#zyte = zyteService(context.service('zyte'));
  }

  async search(args: z.infer<typeof searchArguments>, signal: AbortSignal): Promise<ToolResult> {
    const sites = sitesIn(this.#context.settings);
    const read = await Promise.allSettled(sites.map((site) => this.#postsOf(site, signal)));
    signal.throwIfAborted();
    const failures = read.flatMap((one, index) =>
      one.status === 'rejected' ? [{ site: sites[index]!, error: ResearchError.from(one.reason) }] : [],
    );
    const [failure] = failures;
    if (failure && failures.length === sites.length) throw failure.error;
    const all = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const most = clampCount(args.max_results, 8, maxResults);
    const found = rank(all, args.query).slice(0, most);
    const blogCount = fillText('{0, plural, one {one blog} other {# blogs}}', [sites.length]);
    const note =
      found.length === 0
        ? `None of ${all.length} posts of ${blogCount} is about: ${args.query}.`
        : `${found.length} of ${all.length} posts of ${blogCount} for: ${args.query}.`;
    const warnings = failures.map(({ site, error }) => `${new URL(site).host} was not searched: ${error.message}`);
    return toolResult(found, [note], warnings);
  }

  async read(address: string, { namedAddress }: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const url = namedAddress === undefined ? address : namedAddress(address);
    if (url === undefined)
      throw new ResearchError('badRequest', 'No result names this address.', {
        refusal: 'notSent',
        next: 'Search first, and open a post that was found.',
      });
    if (await this.#zyte.hasKey()) {
      const article = await zyteArticle(this.#zyte, url, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        this.#context.log.debug(`Zyte did not read a post: ${ResearchError.from(error).message}`);
        return undefined;
      });
      if (article?.articleBody) return { documents: [articleDocument(article)] };
    }
    const { pageDocument, readPage } = await import('../readers/readPage.ts');
    return { documents: [pageDocument(await readPage(this.#context.pages, url, signal), 'blogs')] };
  }

  /** A site that failed is tried again by the next search. */
  #postsOf(site: string, signal: AbortSignal): Promise<readonly FoundDocument[]> {
    const known = this.#bySite.get(site);
    if (known !== undefined) return known;
    const posts = this.#readSite(site, signal);
    this.#bySite.set(site, posts);
    posts.catch(() => this.#bySite.delete(site));
    return posts;
  }

  async #readSite(site: string, signal: AbortSignal): Promise<readonly FoundDocument[]> {
    const feed = await this.#feedOf(site, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      return ResearchError.from(error);
    });
    if (!ResearchError.is(feed)) return (feed.entries ?? []).flatMap((entry) => entryDocument(entry, feed.title, site));
    if (!(await this.#zyte.hasKey())) throw feed;
    return (await zyteList(this.#zyte, site, signal)).map(articleDocument);
  }

  /** The site itself when it is a feed, else the one that its page names, else one at a usual place. */
  async #feedOf(site: string, signal: AbortSignal): Promise<ReadDocument> {
    const { readDocument } = await import('../readers/readDocument.ts');
    const open = async (url: string): Promise<ReadDocument> => {
      const page = await this.#context.pages.get(url, signal);
      return readDocument(page.bytes, page.contentType, page.url, signal);
    };
    const first = await open(site);
    if (first.format === 'feed') return first;
    const base = site.endsWith('/') ? site : `${site}/`;
    const named = (first.feeds ?? []).filter((url) => !/comments/i.test(url)).slice(0, 2);
    for (const url of [...named, ...(named.length > 0 ? [] : usualFeeds.map((path) => new URL(path, base).href))]) {
      const feed = await open(url).catch(() => undefined);
      signal.throwIfAborted();
      if (feed?.format === 'feed') return feed;
    }
    throw new ResearchError('notFound', `${new URL(site).host} has no feed.`, {
      next: 'Name the address of its feed in sources.blogs.sites, or save a Zyte key.',
    });
  }
}

function rank(posts: readonly FoundDocument[], query: string): readonly FoundDocument[] {
  const index = new PassageIndex();
  for (const [number, { title, text }] of posts.entries()) {
    const place = { form: 'prose', firstLine: 0, lastLine: 0, headings: [title] } as const;
    index.add(String(number), title, [{ ...place, text: `${title}\n${text.slice(0, 4_000)}` }]);
  }
  const { hits } = index.search(readQuery(query), posts.length);
  return hits.flatMap(({ path }) => posts[Number(path)] ?? []);
}

function entryDocument({ title, url, authors, date, text }: FeedEntry, blog: string, site: string): FoundDocument[] {
  if (url === undefined || title === '') return [];
  return [
    {
      kind: 'blogs',
      title,
      authors,
      ...(date === undefined ? {} : { date }),
      url,
      text: text || title,
      facts: [blog || new URL(site).host],
    },
  ];
}

function articleDocument({ url, headline, datePublished, authors, articleBody }: ZyteArticle): FoundDocument {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(datePublished ?? '')?.[0];
  const title = oneLine((headline ?? '').slice(0, 500)) || url;
  return {
    kind: 'blogs',
    title,
    authors: (authors ?? []).map(({ name }) => oneLine(name ?? '')).filter((name) => name !== ''),
    ...(date === undefined ? {} : { date }),
    url,
    text: articleBody?.trim() || title,
  };
}
