import { httpProvider } from '../http/httpProvider.ts';
import {
  baseUrlOf,
  keyFor,
  missingAddress,
  type ProviderContext,
  type ProviderDefinition,
  type ProviderFacts,
  type Server,
} from '../provider.ts';
import { openAi } from './openAiProvider.ts';

/** The field for `model.enableThinking` at services that document one. */
const thinkingFields = [
  [/(?:^|\.)(?:deepseek\.com|moonshot\.(?:ai|cn)|kimi\.com)$/, 'thinking'],
  [/(?:^|\.)openrouter\.ai$/, 'reasoning'],
  [/(?:^|\.)aliyuncs\.com$/, 'enable_thinking'],
] as const;

const about: ProviderFacts = {
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
  localPage: 'https://lmstudio.ai/download',
  localName: 'LM Studio',
};

export const openAiCompatible = httpProvider(about, serverOf, async (server) =>
  (await import('./openAiModels.ts')).openAiApi(server),
);

async function serverOf(definition: ProviderDefinition, { settings, secrets }: ProviderContext): Promise<Server> {
  const baseUrl = baseUrlOf(definition, settings);
  if (baseUrl === undefined) throw missingAddress(definition);
  // A key that was saved for OpenAI at this very origin is meant for it too.
  const keyNow = async () => (await keyFor(definition, baseUrl, secrets)) ?? (await keyFor(openAi, baseUrl, secrets));
  return { baseUrl, key: await keyNow(), keyNow };
}
