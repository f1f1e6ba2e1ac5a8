import { httpProvider } from '../http/httpProvider.ts';
import { hasKey, type ProviderFacts, serverWithKey } from '../provider.ts';

const publicApi = 'https://dashscope.aliyuncs.com/compatible-mode/v1';

const about: ProviderFacts = {
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
  whyConfigured: (context) => hasKey(about, context),
  // Its regions and workspaces have the same paths below hosts of their own.
  searchesWeb: (baseUrl) => /^https:\/\/[\w.-]+\.aliyuncs\.com\/compatible-mode\/v1$/.test(baseUrl),
};

/** DashScope's OpenAI-compatible mode. Regions and workspaces have addresses of their own, and keys belong to one region. */
export const aliyun = httpProvider(about, serverWithKey, async (server) => {
  const [{ openAiApi }, { generationSearch }] = await Promise.all([
    import('../openai/openAiModels.ts'),
    import('./generationSearch.ts'),
  ]);
  return openAiApi(server, generationSearch);
});
