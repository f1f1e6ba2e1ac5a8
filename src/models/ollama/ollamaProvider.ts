import { baseUrlOf, type ProviderContext, type ProviderDefinition, type Server } from '../provider.ts';

const usualAddress = 'http://127.0.0.1:11434';

export const ollama: ProviderDefinition = {
  name: 'ollama',
  label: 'Ollama',
  description: 'Models of an Ollama, on this machine unless `#deepResearch.model.baseUrl#` names another.',
  baseUrl: usualAddress,
  localUrl: usualAddress,
  whyConfigured: () => undefined,
  async create(context) {
    const { ollamaModels } = await import('./ollamaModels.ts');
    return ollamaModels(ollama, serverOf(context), context);
  },
  async list(context) {
    const { listOllamaModels } = await import('./ollamaModels.ts');
    return listOllamaModels(ollama, serverOf(context), context);
  },
};

/** Its address is often given with the `/v1` of its OpenAI-compatible interface. */
function serverOf({ settings }: ProviderContext): Server {
  return { baseUrl: (baseUrlOf(ollama, settings) ?? usualAddress).replace(/\/(?:v1|api)$/, ''), key: undefined };
}
