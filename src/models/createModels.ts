import type { Settings } from '../research/config.ts';
import { ResearchError } from '../research/errors.ts';
import type { ChatModels, ChatPort, Log, Secrets } from '../research/ports.ts';
import type { ProviderContext, ProviderDefinition } from './provider.ts';
import { providerDefinitions } from './registry.ts';

export interface CreateModelsOptions {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly log: Log;
  /** Default: those of this version. */
  readonly providers?: readonly ProviderDefinition[];
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
}

export type CreatedModels =
  | {
      readonly kind: 'llm';
      readonly provider: string;
      /** Name of the main model. */
      readonly model: string;
      /** Where prompts are sent, for people ("api.openai.com"). */
      readonly host: string;
      readonly models: ChatModels;
    }
  | { readonly kind: 'extractive'; readonly provider: string };

/**
 * Chooses the provider and gives its models. Rejects as {@link ProviderDefinition.create} does, and with `config` for an unknown
 * provider.
 */
export async function createModels({
  providers = providerDefinitions,
  ...options
}: CreateModelsOptions): Promise<CreatedModels> {
  const { settings, log } = options;
  const context: ProviderContext = { ...options, fetch: options.fetch ?? fetch };
  const definition = await chosen(providers, context);
  if (definition.create === undefined) return { kind: 'extractive', provider: definition.name };
  const provider = await definition.create(context);
  const chats = new Map<string, ChatPort>();
  const chatOf = (model: string): ChatPort => {
    const known = chats.get(model) ?? provider.chat(model);
    chats.set(model, known);
    return known;
  };
  log.info(`Model: ${provider.model} (${definition.name}, ${provider.host}).`);
  return {
    kind: 'llm',
    provider: definition.name,
    model: provider.model,
    host: provider.host,
    models: (role) => Promise.resolve(chatOf((role !== 'main' && settings[`model.${role}`]) || provider.model)),
  };
}

async function chosen(providers: readonly ProviderDefinition[], context: ProviderContext): Promise<ProviderDefinition> {
  const wanted = context.settings['model.provider'];
  for (const definition of providers) {
    if (wanted === 'auto' ? await definition.isConfigured(context) : definition.name === wanted) return definition;
  }
  throw new ResearchError('config', `There is no usable provider "${wanted}".`, {
    next: `Set deepResearch.model.provider to auto, ${providers.map(({ name }) => name).join(' or ')}.`,
  });
}
