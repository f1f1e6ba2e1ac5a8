import type { Source } from '../../research/evidence/source.ts';
import { sharedList, texts } from '../../research/settings/setting.ts';
import type { ChosenCall } from '../../research/tools.ts';
import type { SourceDefinition } from '../source.ts';
import { createBlogsTools, sitesIn } from './blogsTools.ts';

/** A post of which only the feed's summary is known has less text than this. In UTF-16 units. */
const summaryLength = 2_000;

export const blogs: SourceDefinition = {
  name: 'blogs',
  label: 'Blogs',
  icon: 'rss',
  description: 'Posts of the blogs and feeds in `#deepResearch.sources.blogs.sites#`.',
  services: [
    {
      name: 'zyte',
      label: 'Zyte',
      endpoint: {
        default: 'https://api.zyte.com',
        description: 'The address of the Zyte API; `/v1/extract` follows it.',
      },
      // One site after the other: its calls take up to minutes and are billed.
      pacing: { concurrency: 2, intervalMs: 0, backoffMs: 2_000 },
      secret: {
        hint: 'Reads blogs that have no feed.',
        environment: ['ZYTE_API_KEY'],
      },
    },
  ],
  settings: {
    'sources.blogs.sites': {
      schema: texts,
      group: 'sources',
      setBy: 'folder',
      // Where the user names none, none is visited.
      tighten: (user, folder) => (sitesOf(user).length === 0 ? [] : sharedList(user, folder)),
      perFolder: true,
      text: 'Blogs to search, each by the address of its page or of its RSS or Atom feed, such as `https://simonwillison.net`.',
    },
  },
  pageHosts: [],
  goodFor: ['news', 'opinion', 'software', 'models'],
  open: openPosts,
  missing: ({ settings }) =>
    sitesIn(settings).length > 0
      ? undefined
      : { why: 'No blogs are named. Add their addresses to sources.blogs.sites.', quiet: true },
  asks: ({ keys }) => (keys.has('zyte') ? ['zyte'] : []),
  visits: ({ settings }) => sitesIn(settings),
  createTools: createBlogsTools,
};

function openPosts(found: readonly Source[]): readonly ChosenCall[] {
  return found
    .filter(({ kind, text, url }) => kind === 'blogs' && url !== undefined && text.length < summaryLength)
    .map(({ url }) => ({ name: 'read_blog_post', args: { url } }));
}

function sitesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
