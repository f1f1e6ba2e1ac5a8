import type { Settings } from '../research/settings/config.ts';
import { ResearchError } from '../research/errors.ts';
import type { ChatModels, ChatPort, ModelRole } from '../research/ports.ts';
import type { PriceTable } from '../research/settings/prices.ts';
import {
  baseUrlOf,
  type Provider,
  type ProviderContext,
  type ProviderDefinition,
  type Why,
  withTimeout,
} from './provider.ts';
import { isLocal } from './http/localServer.ts';
import { providerDefinitions } from './registry.ts';

export interface CreateModelsOptions extends Omit<ProviderContext, 'fetch'> {
  /** Default: those of this version. */
  readonly providers?: readonly ProviderDefinition[];
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
}

export type CreatedModels =
  | (Pick<Provider, 'model' | 'host'> & {
      readonly kind: 'llm';
      readonly provider: string;
      /** Why `auto` chose it, or that the user named it. */
      readonly why: Why;
      readonly models: ChatModels;
      /** The model that searches the web before it answers; absent: the provider's API has no such search. */
      readonly search?: () => Promise<ChatPort>;
      /** What it charges, as far as that is published. */
      readonly prices: PriceTable;
      /**
       * See `ListedModel`: of a model, the main one by default, on a server of this machine or network, which is asked for it. Null: it can't be
       * asked now. Never rejects.
       */
      readonly build: (model?: string) => Promise<string | null | undefined>;
      /** Its server is on this machine or in its network: how fast it is depends on the user's hardware. */
      readonly isLocal: boolean;
    })
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
  const { definition, why, context: chosenContext } = await chosenProvider(providers, context);
  if (definition.create === undefined) return { kind: 'extractive', provider: definition.name };
  const provider = await definition.create(chosenContext);
  const chats = new Map<string, ChatPort>();
  const chatOf = (model: string): ChatPort => {
    const known = chats.get(model) ?? provider.chat(model);
    chats.set(model, known);
    return known;
  };
  const modelOf = (role: ModelRole): string => {
    if (role === 'check' && settings['model.check'] === '') return modelOf('compression');
    return (role !== 'main' && settings[`model.${role}`]) || provider.model;
  };
  log.info(`Model: ${provider.model} (${definition.name}, ${provider.host}; ${why}).`);
  return {
    kind: 'llm',
    provider: definition.name,
    model: provider.model,
    host: provider.host,
    why,
    prices: isPublicApi(definition, chosenContext.settings) ? (definition.prices ?? {}) : {},
    models: (role) => Promise.resolve(chatOf(modelOf(role))),
    build: (model = provider.model) => listedBuild(definition, chosenContext, model),
    isLocal: localAddress(definition, chosenContext) !== undefined,
    ...(provider.search && { search: () => Promise.resolve(provider.search!(modelOf('research'))) }),
  };
}

/** How long a server on this machine or network may take to list its models, in milliseconds. */
const listMs = 2_000;

async function listedBuild(
  definition: ProviderDefinition,
  context: ProviderContext,
  model: string,
): Promise<string | null | undefined> {
  if (localAddress(definition, context) === undefined) return undefined;
  const quick = { ...context, fetch: withTimeout(context.fetch, listMs) };
  const models = definition.list ? await definition.list(quick).catch(() => null) : [];
  return models && models.find(({ id }) => id === model || id === `${model}:latest`)?.build;
}

function localAddress(definition: ProviderDefinition, { settings }: ProviderContext): string | undefined {
  const address = baseUrlOf(definition, settings) ?? definition.localUrl;
  return address !== undefined && isLocal(address) ? address : undefined;
}

function isPublicApi(definition: ProviderDefinition, settings: Settings): boolean {
  const used = baseUrlOf(definition, settings);
  return (
    used !== undefined && definition.baseUrl !== undefined && new URL(used).host === new URL(definition.baseUrl).host
  );
}

interface Chosen {
  readonly definition: ProviderDefinition;
  readonly why: Why;
  /** With the address at which it was found. */
  readonly context: ProviderContext;
}

/** Which provider a run would use. Rejects with `config` for an unknown one. */
export async function chosenProvider(
  providers: readonly ProviderDefinition[],
  context: ProviderContext,
): Promise<Chosen> {
  const wanted = context.settings['model.provider'];
  const named = providers.find(({ name }) => name === wanted);
  if (named) return { definition: named, why: 'setting', context };
  if (wanted === 'auto') {
    for (const definition of providers) {
      const why = definition.create && (await definition.whyConfigured(context));
      if (why) return { definition, why, context };
    }
    const found = await onThisMachine(providers, context);
    if (found) return found;
    const last = providers.find(({ create }) => create === undefined);
    if (last) return { definition: last, why: 'setting', context };
  }
  throw new ResearchError('config', `There is no usable provider "${wanted}".`, {
    next: `Set deepResearch.model.provider to auto, ${providers.map(({ name }) => name).join(' or ')}.`,
  });
}

/** How long `auto` waits for a server on this machine, in milliseconds: one that is there answers within a few. */
const localMs = 400;

async function onThisMachine(
  providers: readonly ProviderDefinition[],
  context: ProviderContext,
): Promise<Chosen | undefined> {
  const found = await Promise.all(providers.map((definition) => lookLocally(definition, context)));
  return found.find((one) => one !== undefined);
}

/** The provider with the address at which its server on this machine lists a model. */
async function lookLocally(definition: ProviderDefinition, context: ProviderContext): Promise<Chosen | undefined> {
  const { localUrl, list } = definition;
  if (localUrl === undefined || list === undefined) return undefined;
  const local = { ...context, settings: { ...context.settings, 'model.baseUrl': localUrl } };
  const quick = withTimeout(context.fetch, localMs);
  // A list that is not there, or not a list, means that something else answers at this port.
  const models = await list.call(definition, { ...local, fetch: quick }).catch(() => []);
  return models.length > 0 ? { definition, why: 'local', context: local } : undefined;
}
