import { ResearchError } from '../../research/errors.ts';
import { baseUrlOf, keyFor, type ProviderDefinition } from '../provider.ts';
import { openAi, serverAt } from './openAiProvider.ts';

export const openAiCompatible: ProviderDefinition = {
  name: 'openai-compatible',
  label: 'OpenAI-compatible server',
  description:
    "Any server with OpenAI's chat completions (vLLM, llama.cpp, LM Studio, a gateway) at `#deepResearch.model.baseUrl#`. A key is optional.",
  key: {
    service: 'openai-compatible',
    hint: 'For a server that speaks OpenAI’s API, such as vLLM, LM Studio or a gateway.',
    environment: ['OPENAI_API_KEY'],
  },
  capabilities: openAi.capabilities,
  isConfigured: ({ settings }) => baseUrlOf(openAiCompatible, settings) !== undefined,
  async create(context) {
    const baseUrl = baseUrlOf(openAiCompatible, context.settings);
    if (baseUrl === undefined) {
      throw new ResearchError('config', `The provider "${openAiCompatible.name}" needs a server address.`, {
        next: 'Set deepResearch.model.baseUrl, for example to http://localhost:11434/v1.',
      });
    }
    // A key that was saved for OpenAI at this very origin is meant for it too.
    const key =
      (await keyFor(openAiCompatible, baseUrl, context.secrets)) ?? (await keyFor(openAi, baseUrl, context.secrets));
    const { openAiModels } = await import('./openAiModels.ts');
    return openAiModels(openAiCompatible, serverAt(openAiCompatible, baseUrl, key), context);
  },
};
