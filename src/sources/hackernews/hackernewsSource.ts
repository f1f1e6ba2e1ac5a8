import type { Source } from '../../research/evidence/source.ts';
import type { ChosenCall } from '../../research/tools.ts';
import { englishQuery } from '../searchWords.ts';
import type { SourceDefinition } from '../source.ts';
import { createHackernewsTools } from './hackernewsTools.ts';

/** A story of which only the title is known, or what its author wrote below it, has less text than this. In UTF-16 units. */
const storyLength = 1_500;
/** Every word has to occur, in a title, an address or a text of its author. */
const maxWords = 4;

export const hackernews: SourceDefinition = {
  name: 'hackernews',
  label: 'Hacker News',
  icon: 'comment-discussion',
  description: 'Stories and discussions on Hacker News.',
  endpoint: {
    default: 'https://hn.algolia.com',
    description: 'The address of the Hacker News search API; `/api/v1/search` follows it.',
  },
  pageHosts: ['news.ycombinator.com'],
  // 10,000 requests an hour and address (https://hn.algolia.com/api, rate limits): two at a time never get there.
  pacing: { concurrency: 2, intervalMs: 0, backoffMs: 2_000 },
  goodFor: ['opinion', 'news', 'software'],
  lookUpOrder: 6,
  fitQuery: (wanted) => englishQuery(wanted, maxWords),
  open: openThreads,
  openNamed: openThread,
  createTools: createHackernewsTools,
};

/** Stories whose comments were not read yet. */
function openThreads(found: readonly Source[]): readonly ChosenCall[] {
  return found
    .filter(({ kind, text, facts }) => kind === 'hackernews' && text.length < storyLength && facts.some(hasComments))
    .flatMap(openThread);
}

function openThread({ identity }: { readonly identity: string }): readonly ChosenCall[] {
  const id = /^hn:(\d+)$/.exec(identity)?.[1];
  return id === undefined ? [] : [{ name: 'get_hackernews_thread', args: { id } }];
}

function hasComments(fact: string): boolean {
  return /^[1-9]\d* comments$/.test(fact);
}
