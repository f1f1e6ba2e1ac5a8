import { httpProvider } from '../http/httpProvider.ts';
import { baseUrlOf, type ProviderContext, type ProviderDefinition, type Server } from '../provider.ts';

const usualAddress = 'http://127.0.0.1:11434';

export const ollama = httpProvider(
  {
    name: 'ollama',
    label: 'Ollama',
    description: 'Models of an Ollama, on this machine unless `#deepResearch.model.baseUrl#` names another.',
    baseUrl: usualAddress,
    localUrl: usualAddress,
    localPage: 'https://ollama.com/download',
    whyConfigured: () => undefined,
  },
  serverOf,
  async () => (await import('./ollamaModels.ts')).ollamaApi,
);

/** Its address is often given with the `/v1` of its OpenAI-compatible interface. */
function serverOf(definition: ProviderDefinition, { settings }: ProviderContext): Server {
  return { baseUrl: (baseUrlOf(definition, settings) ?? usualAddress).replace(/\/(?:v1|api)$/, ''), key: undefined };
}
