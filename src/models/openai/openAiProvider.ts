import { prices } from './prices.ts';
import { httpProvider } from '../http/httpProvider.ts';
import { hasKey, type ProviderFacts, serverWithKey } from '../provider.ts';

const publicApi = 'https://api.openai.com/v1';
const isPublic = (baseUrl: string) => new URL(baseUrl).host === new URL(publicApi).host;

const about: ProviderFacts = {
  name: 'openai',
  label: 'OpenAI',
  description: 'OpenAI, or another server with its API, using the key that is set.',
  key: { service: 'openai', hint: 'For OpenAI models.', environment: ['OPENAI_API_KEY'], forAnyServer: true },
  baseUrl: publicApi,
  prices,
  // Calls tools over chat completions, has a large window, and costs a fraction of the flagship.
  defaultModelAt: (baseUrl) => (isPublic(baseUrl) ? 'gpt-5.4-mini' : undefined),
  capabilities(model, baseUrl) {
    const reasons = /(?:^|\/)(?:gpt-[5-9]|o\d)/.test(model) && !/chat/.test(model);
    return {
      // Its reasoning models refuse max_tokens and a temperature; most other servers know only the former.
      ...(isPublic(baseUrl) && { limitField: 'max_completion_tokens', temperature: false, showsSchema: true }),
      ...(isPublic(baseUrl) && reasons && { thinks: true, thinkingField: 'reasoning_effort' }),
      // The heaviest models have the Responses API alone.
      ...(isPublic(baseUrl) && /-(?:pro|codex|deep-research)\b/.test(model) && { api: 'responses' }),
      ...(/(?:^|\/)gpt-4\.1/.test(model) && { contextTokens: 1_000_000 }),
      ...(/(?:^|\/)gpt-[5-9]/.test(model) && { contextTokens: 272_000 }),
    };
  },
  whyConfigured: (context) => hasKey(about, context),
  searchesWeb: isPublic,
};

export const openAi = httpProvider(about, serverWithKey, async (server) => {
  const [{ openAiApi }, { responsesSearch }] = await Promise.all([
    import('./openAiModels.ts'),
    import('./responsesSearch.ts'),
  ]);
  return openAiApi(server, responsesSearch);
});
