import type { Settings } from '../../research/settings/config.ts';
import type { Source } from '../../research/evidence/source.ts';
import { choice } from '../../research/settings/setting.ts';
import type { ChosenCall } from '../../research/tools.ts';
import type { RunInput, SourceContext, SourceDefinition } from '../source.ts';
import type { WebSearchModel } from '../../research/ports.ts';
import { searchWith, type ServiceName, serviceNames, type WebSearch } from './webProviders.ts';
import { createPageReader, createWebTools } from './webTools.ts';

/** A page of which only a search result is known has less text than this. In UTF-16 units. */
const snippetLength = 3_000;

const provider = choice(
  {
    auto: "The first of Tavily, Bocha and SearXNG that is configured, else the search of the model's own provider.",
    tavily: 'Tavily, with its key; without one, a few searches a day.',
    bocha: 'Bocha; needs its key.',
    searxng: 'A SearXNG server of your own, at `#deepResearch.endpoints.searxng#`.',
    native:
      "The web search of OpenAI, Anthropic or Aliyun (DashScope): of the model's provider, else of one whose key is saved.",
  },
  'auto',
);

export const web: SourceDefinition = {
  name: 'web',
  label: 'Web',
  icon: 'globe',
  description: "Pages of the web, by Tavily, Bocha, a SearXNG server, or the search of the model's provider.",
  services: [
    {
      name: 'tavily',
      label: 'Tavily',
      endpoint: {
        default: 'https://api.tavily.com',
        description: 'The address of the Tavily API; `/search` follows it.',
      },
      secret: {
        hint: 'Searches the web.',
        environment: ['TAVILY_API_KEY'],
      },
    },
    {
      name: 'bocha',
      label: 'Bocha',
      endpoint: {
        default: 'https://api.bocha.cn',
        description: 'The address of the Bocha API; `/v1/web-search` follows it.',
      },
      publicHosts: ['api.bochaai.com'],
      secret: {
        hint: 'Searches the web, pages in Chinese above all.',
        environment: ['BOCHA_API_KEY'],
      },
    },
    {
      name: 'searxng',
      label: 'SearXNG',
      endpoint: {
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
  openNamed: ({ url }) => (url === undefined ? [] : [{ name: 'read_page', args: { url } }]),
  missing: (run) => {
    if (chosenSearch(run) !== undefined) return undefined;
    const wanted = wantedProvider(run.settings);
    const how =
      'Save a key for Tavily or Bocha with "Deep Research: Use API Key" (on the command line: TAVILY_API_KEY, BOCHA_API_KEY), or set endpoints.searxng.';
    if (wanted === 'auto') return { why: `Web search is not set up. ${how}`, quiet: true, inPart: true };
    if (wanted === 'native')
      return {
        inPart: true,
        why: 'sources.web.provider is native, and neither the provider of the model nor another one whose key is saved has a web search.',
      };
    return { why: `sources.web.provider is ${wanted}, which is not set up. ${how}`, inPart: true };
  },
  asks: (run) => {
    const chosen = chosenSearch(run);
    return typeof chosen === 'string' ? [chosen] : [];
  },
  visits: (run) => {
    const chosen = chosenSearch(run);
    return typeof chosen === 'object' ? [chosen.address] : [];
  },
  createTools: async (context) => {
    const keys = await Promise.all(
      serviceNames.map(async (name) => ((await context.service(name).key()) === undefined ? [] : [name])),
    );
    const { settings, webSearch } = context;
    const chosen = chosenSearch({ settings, keys: new Set(keys.flat()), webSearch });
    // Pages that other sources link, or the user names, are read without a search too.
    if (chosen === undefined) return [createPageReader(context)];
    const tools = createWebTools(context, await searchOf(chosen, context));
    const asksModel = typeof chosen === 'object';
    return tools.map((tool) => (tool.kind === 'search' ? { ...tool, asksModel } : tool));
  },
};

async function searchOf(chosen: ServiceName | WebSearchModel, context: SourceContext): Promise<WebSearch> {
  if (typeof chosen !== 'object') return searchWith(chosen, context);
  const { nativeSearch } = await import('./nativeSearch.ts');
  return nativeSearch(chosen);
}

function wantedProvider(settings: Settings): string {
  return (settings as Readonly<Record<string, unknown>>)['sources.web.provider'] as string;
}

/** The service or the model that searches; undefined when none is set up. */
function chosenSearch(run: Omit<RunInput, 'hasWorkspace'>): ServiceName | WebSearchModel | undefined {
  const { settings, keys, webSearch } = run;
  const wanted = wantedProvider(settings);
  if (wanted === 'native') return webSearch[0];
  // Without a key it answers too, a little: for a user who named it.
  if (wanted === 'tavily') return wanted;
  const isReady = (name: ServiceName): boolean =>
    name === 'searxng' ? (settings['endpoints.searxng'] ?? '') !== '' : keys.has(name);
  const service = serviceNames.find((name) => (wanted === 'auto' || wanted === name) && isReady(name));
  return service ?? (wanted === 'auto' ? webSearch.find(({ isOwn }) => isOwn) : undefined);
}

function openPages(found: readonly Source[]): readonly ChosenCall[] {
  return found
    .filter(({ kind, text, url }) => kind === 'web' && url !== undefined && text.length < snippetLength)
    .map(({ url }) => ({ name: 'read_page', args: { url } }));
}
