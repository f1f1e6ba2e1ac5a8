import { hasKey, type ProviderDefinition, serverWithKey } from '../provider.ts';

const publicApi = 'https://dashscope.aliyuncs.com/compatible-mode/v1';

/** DashScope's OpenAI-compatible mode. Regions and workspaces have addresses of their own, and keys belong to one region. */
export const aliyun: ProviderDefinition = {
  name: 'aliyun',
  label: 'Aliyun',
  description:
    'Qwen and other models of Alibaba Cloud (DashScope). For regions other than Beijing, set `#deepResearch.model.baseUrl#`.',
  key: { service: 'aliyun', hint: 'For models of Alibaba Cloud (DashScope).', environment: ['DASHSCOPE_API_KEY'] },
  baseUrl: publicApi,
  defaultModelAt: () => 'qwen-plus',
  capabilities(model) {
    // They think always, answer only as a stream, and have no JSON mode.
    if (/qwq|qvq|-thinking/i.test(model)) return { thinks: true, thinkingField: 'none', jsonFormat: 'none' };
    return {
      thinkingField: 'enable_thinking',
      // Only these take a schema; the rest answer it with an error in the stream.
      jsonFormat: /qwen\d*(?:\.\d+)?-(?:max|plus|flash)/i.test(model) ? 'schema' : 'object',
    };
  },
  whyConfigured: (context) => hasKey(aliyun, context),
  async create(context) {
    const server = await serverWithKey(aliyun, context);
    const { openAiModels } = await import('../openai/openAiModels.ts');
    const { generationSearch } = await import('./generationSearch.ts');
    return openAiModels(aliyun, server, context, generationSearch);
  },
  // Its regions and workspaces have the same paths below hosts of their own.
  searchesWeb: (baseUrl) => /^https:\/\/[\w.-]+\.aliyuncs\.com\/compatible-mode\/v1$/.test(baseUrl),
  async list(context) {
    const server = await serverWithKey(aliyun, context);
    const { listOpenAiModels } = await import('../openai/openAiModels.ts');
    return listOpenAiModels(aliyun, server, context);
  },
};
