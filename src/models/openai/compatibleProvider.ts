import {
  baseUrlOf,
  keyFor,
  missingAddress,
  type ProviderContext,
  type ProviderDefinition,
  type Server,
} from '../provider.ts';
import { openAi } from './openAiProvider.ts';

/** The field for `model.enableThinking` at services that document one. */
const thinkingFields = [
  [/(?:^|\.)(?:deepseek\.com|moonshot\.(?:ai|cn)|kimi\.com)$/, 'thinking'],
  [/(?:^|\.)openrouter\.ai$/, 'reasoning'],
  [/(?:^|\.)aliyuncs\.com$/, 'enable_thinking'],
] as const;

export const openAiCompatible: ProviderDefinition = {
  name: 'openai-compatible',
  label: 'OpenAI-compatible server',
  description:
    "Any server with OpenAI's chat completions (LM Studio, llama.cpp, vLLM, OpenRouter, DeepSeek, a gateway) at `#deepResearch.model.baseUrl#`. A key is optional.",
  key: {
    service: 'openai-compatible',
    hint: 'For a server that speaks OpenAI’s API, such as vLLM, LM Studio or a gateway.',
    environment: ['OPENAI_API_KEY'],
    forAnyServer: true,
  },
  defaultModelAt: (baseUrl) => openAi.defaultModelAt?.(baseUrl),
  capabilities(model, baseUrl) {
    const { hostname } = new URL(baseUrl);
    const field = thinkingFields.find(([host]) => host.test(hostname))?.[1];
    return {
      // What vLLM, SGLang and llama.cpp give to the model's template.
      thinkingField: field ?? 'chat_template_kwargs',
      // Kimi's models fix it.
      ...(/kimi/i.test(model) && { temperature: false }),
      ...openAi.capabilities?.(model, baseUrl),
    };
  },
  whyConfigured: ({ settings }) => (settings['model.baseUrl'] === '' ? undefined : 'address'),
  // LM Studio.
  localUrl: 'http://127.0.0.1:1234/v1',
  async create(context) {
    const server = await serverOf(context);
    const { openAiModels } = await import('./openAiModels.ts');
    return openAiModels(openAiCompatible, server, context);
  },
  async list(context) {
    const server = await serverOf(context);
    const { listOpenAiModels } = await import('./openAiModels.ts');
    return listOpenAiModels(openAiCompatible, server, context);
  },
};

async function serverOf({ settings, secrets }: ProviderContext): Promise<Server> {
  const baseUrl = baseUrlOf(openAiCompatible, settings);
  if (baseUrl === undefined) throw missingAddress(openAiCompatible);
  // A key that was saved for OpenAI at this very origin is meant for it too.
  const keyNow = async () =>
    (await keyFor(openAiCompatible, baseUrl, secrets)) ?? (await keyFor(openAi, baseUrl, secrets));
  return { baseUrl, key: await keyNow(), keyNow };
}
