import { baseUrlOf, keyFor, missingKey, type ProviderDefinition, setKeyHint } from '../provider.ts';
import type { OpenAiServer } from './openAiModels.ts';

const publicApi = 'https://api.openai.com/v1';
const isPublic = (baseUrl: string) => new URL(baseUrl).host === new URL(publicApi).host;

export const openAi: ProviderDefinition = {
  name: 'openai',
  label: 'OpenAI',
  description: 'OpenAI, or another server with its API, using the key that is set.',
  key: { service: 'openai', hint: 'For OpenAI models.', environment: ['OPENAI_API_KEY'] },
  baseUrl: publicApi,
  // Calls tools over chat completions, has a large window, and costs a fraction of the flagship.
  defaultModel: 'gpt-5.4-mini',
  capabilities(model, baseUrl) {
    return {
      // Its reasoning models refuse max_tokens; most other servers know only that.
      ...(isPublic(baseUrl) && { limitField: 'max_completion_tokens' }),
      ...(/(?:^|\/)gpt-4\.1/.test(model) && { contextTokens: 1_000_000 }),
      ...(/(?:^|\/)gpt-[5-9]/.test(model) && { contextTokens: 272_000 }),
    };
  },
  async isConfigured({ settings, secrets }) {
    return (await keyFor(openAi, baseUrlOf(openAi, settings) ?? publicApi, secrets)) !== undefined;
  },
  async create(context) {
    const baseUrl = baseUrlOf(openAi, context.settings) ?? publicApi;
    const key = await keyFor(openAi, baseUrl, context.secrets);
    if (key === undefined) throw missingKey(openAi, new URL(baseUrl).host);
    const { openAiModels } = await import('./openAiModels.ts');
    return openAiModels(openAi, serverAt(openAi, baseUrl, key), context);
  },
};

/** A server with this API, for any provider that speaks it. */
export function serverAt(definition: ProviderDefinition, baseUrl: string, key: string | undefined): OpenAiServer {
  return {
    baseUrl,
    key,
    keyHint: setKeyHint(definition, ' with a key that is valid for this server'),
    defaultModel: (isPublic(baseUrl) && openAi.defaultModel) || '',
  };
}
