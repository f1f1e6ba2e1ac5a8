import type { Settings } from '../../research/config.ts';
import type { Source } from '../../research/evidence/source.ts';
import { choice } from '../../research/settings/setting.ts';
import type { ChosenCall } from '../../research/tools.ts';
import type { RunInput, SourceDefinition } from '../source.ts';
import { type ProviderName, providerNames } from './webProviders.ts';
import { createWebTools } from './webTools.ts';

/** A page of which only a search result is known has less text than this. In UTF-16 units. */
const snippetLength = 3_000;

const provider = choice(
  {
    auto: 'The first that is configured, in this order.',
    tavily: 'Tavily; needs its key.',
    bocha: 'Bocha; needs its key.',
    searxng: 'A SearXNG server of your own, at `#deepResearch.endpoints.searxng#`.',
  },
  'auto',
);

export const web: SourceDefinition = {
  name: 'web',
  label: 'Web',
  icon: 'globe',
  description: 'Pages of the web, with a key for Tavily or Bocha or a SearXNG server.',
  services: [
    {
      name: 'tavily',
      label: 'Tavily',
      endpoint: {
        setting: 'endpoints.tavily',
        default: 'https://api.tavily.com',
        description: 'The address of the Tavily API; `/search` follows it.',
      },
      secret: {
        service: 'tavily',
        label: 'Tavily',
        hint: 'Searches the web.',
        environment: ['TAVILY_API_KEY'],
      },
    },
    {
      name: 'bocha',
      label: 'Bocha',
      endpoint: {
        setting: 'endpoints.bocha',
        default: 'https://api.bocha.cn',
        description: 'The address of the Bocha API; `/v1/web-search` follows it.',
      },
      publicHosts: ['api.bochaai.com'],
      secret: {
        service: 'bocha',
        label: 'Bocha',
        hint: 'Searches the web, pages in Chinese above all.',
        environment: ['BOCHA_API_KEY'],
      },
    },
    {
      name: 'searxng',
      label: 'SearXNG',
      endpoint: {
        setting: 'endpoints.searxng',
        description:
          'The address of a SearXNG server that allows the format `json`; `/search` follows it. It needs no key. Empty: none.',
      },
    },
  ],
  settings: {
    'sources.web.provider': {
      ...provider,
      group: 'sources',
      setBy: 'user',
      todays: 'other',
      text: 'Which service searches the web.',
    },
  },
  pageHosts: [],
  goodFor: ['news', 'reference', 'opinion', 'software'],
  lookUpOrder: 2,
  fitQuery: ({ text, subject }) => subject || text,
  open: openPages,
  missing: (run) => {
    if (providerOf(run) !== undefined) return undefined;
    const wanted = wantedProvider(run.settings);
    const how =
      'Save a key for Tavily or Bocha with "Deep Research: Use API Key" (on the command line: TAVILY_API_KEY, BOCHA_API_KEY), or set endpoints.searxng.';
    if (wanted === 'auto') return { why: `Web search is not set up. ${how}`, quiet: true };
    return { why: `sources.web.provider is ${wanted}, which is not set up. ${how}` };
  },
  asks: (run) => [providerOf(run)].filter((name) => name !== undefined),
  createTools: async (context) => {
    const keys = await Promise.all(
      providerNames.map(async (name) => ((await context.service(name).key()) === undefined ? [] : [name])),
    );
    const used = providerOf({ settings: context.settings, keys: new Set(keys.flat()) });
    return createWebTools(context, used ?? 'tavily');
  },
};

function wantedProvider(settings: Settings): string {
  return (settings as Readonly<Record<string, unknown>>)['sources.web.provider'] as string;
}

/** The service that searches; undefined when none is set up. */
function providerOf({ settings, keys }: Pick<RunInput, 'settings' | 'keys'>): ProviderName | undefined {
  const isReady = (name: ProviderName): boolean =>
    name === 'searxng' ? (settings['endpoints.searxng'] ?? '') !== '' : keys.has(name);
  const wanted = wantedProvider(settings);
  return providerNames.find((name) => (wanted === 'auto' || wanted === name) && isReady(name));
}

function openPages(found: readonly Source[]): readonly ChosenCall[] {
  return found
    .filter(({ kind, text, url }) => kind === 'web' && url !== undefined && text.length < snippetLength)
    .map(({ url }) => ({ name: 'read_page', args: { url } }));
}
