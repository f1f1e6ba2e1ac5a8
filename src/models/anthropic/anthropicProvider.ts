import { prices } from './prices.ts';
import { hasKey, type ProviderContext, type ProviderDefinition, type Server, serverWithKey } from '../provider.ts';

const publicApi = 'https://api.anthropic.com';

export const anthropic: ProviderDefinition = {
  name: 'anthropic',
  label: 'Anthropic',
  description: 'Claude, over the Messages API with prompt caching.',
  key: { service: 'anthropic', hint: 'For Claude models of Anthropic.', environment: ['ANTHROPIC_API_KEY'] },
  baseUrl: publicApi,
  prices,
  defaultModelAt: (baseUrl) => (new URL(baseUrl).host === new URL(publicApi).host ? 'claude-sonnet-4-6' : undefined),
  capabilities: () => ({
    jsonFormat: 'tool',
    showsSchema: true,
    limitField: 'max_tokens',
    thinkingField: 'adaptive',
    contextTokens: 200_000,
    namesFinish: true,
  }),
  whyConfigured: (context) => hasKey(anthropic, context),
  async create(context) {
    const server = await serverOf(context);
    const { anthropicModels } = await import('./anthropicModels.ts');
    return anthropicModels(anthropic, server, context);
  },
  searchesWeb: (baseUrl) => new URL(baseUrl).host === new URL(publicApi).host,
  async list(context) {
    const server = await serverOf(context);
    const { listAnthropicModels } = await import('./anthropicModels.ts');
    return listAnthropicModels(anthropic, server, context);
  },
};

/** Gateways give their address with `/v1`, which belongs to the path of the API. */
async function serverOf(context: ProviderContext): Promise<Server> {
  const server = await serverWithKey(anthropic, context);
  return { ...server, baseUrl: server.baseUrl.replace(/\/v1$/, '') };
}
