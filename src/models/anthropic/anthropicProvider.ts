import { prices } from './prices.ts';
import { httpProvider } from '../http/httpProvider.ts';
import {
  hasKey,
  type ProviderContext,
  type ProviderDefinition,
  type ProviderFacts,
  type Server,
  serverWithKey,
} from '../provider.ts';

const publicApi = 'https://api.anthropic.com';
const isPublic = (baseUrl: string) => new URL(baseUrl).host === new URL(publicApi).host;

const about: ProviderFacts = {
  name: 'anthropic',
  label: 'Anthropic',
  description: 'Claude, over the Messages API with prompt caching.',
  key: { service: 'anthropic', hint: 'For Claude models of Anthropic.', environment: ['ANTHROPIC_API_KEY'] },
  baseUrl: publicApi,
  prices,
  defaultModelAt: (baseUrl) => (isPublic(baseUrl) ? 'claude-sonnet-4-6' : undefined),
  capabilities: () => ({
    jsonFormat: 'tool',
    showsSchema: true,
    limitField: 'max_tokens',
    thinkingField: 'adaptive',
    contextTokens: 200_000,
    namesFinish: true,
  }),
  whyConfigured: (context) => hasKey(about, context),
  searchesWeb: isPublic,
};

export const anthropic = httpProvider(about, serverOf, async () => (await import('./messagesSearch.ts')).anthropicApi);

/** Gateways give their address with `/v1`, which belongs to the path of the API. */
async function serverOf(definition: ProviderDefinition, context: ProviderContext): Promise<Server> {
  const server = await serverWithKey(definition, context);
  return { ...server, baseUrl: server.baseUrl.replace(/\/v1$/, '') };
}
