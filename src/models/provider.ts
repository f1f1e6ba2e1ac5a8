import { trimEnd } from '../research/text/trimEnd.ts';
import type { Settings } from '../research/settings/config.ts';
import type { PriceTable } from '../research/settings/prices.ts';
import { ResearchError } from '../research/errors.ts';
import type { ChatPort, EditorModels, KeyService, Log, OfferedModels, Secrets } from '../research/ports.ts';
import type { Capabilities } from './capabilities.ts';

/**
 * A provider of models: all that the program knows of it. The values of `model.provider` and `-p`, key services, environment
 * variables and the order of `auto` derive from the declarations in `registry.ts`; nothing else names a provider
 * (docs/adding-a-provider.md).
 */
export interface ProviderDefinition {
  /** In settings, `-p` and events. Lower-case letters, digits and hyphens. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** One sentence: text of its entry in `model.provider`. */
  readonly description: string;
  /** It is there inside of the editor alone. */
  readonly inEditor?: true;
  /** Absent: it takes no key. */
  readonly key?: ProviderKey;
  /** Base address of its public API. Absent: it has none, and the user names one with `model.baseUrl`. */
  readonly baseUrl?: string;
  /** What its public API charges. A gateway or a server of one's own has prices of its own. */
  readonly prices?: PriceTable;
  /** Used when `model.name` is empty. Undefined: the first model that the server at this address lists. */
  defaultModelAt?(baseUrl: string): string | undefined;
  /** What is known of a model before the first call. Everything else is learned from refusals. */
  capabilities?(model: string, baseUrl: string): Partial<Capabilities>;
  /** Why `auto` may choose it; undefined: it may not. The first provider of the registry with a reason is used. */
  whyConfigured(context: ProviderContext): Why | undefined | Promise<Why | undefined>;
  /**
   * Address of a server on this machine where `auto` looks for it when nothing is configured. It counts when it lists a model
   * at once.
   */
  readonly localUrl?: string;
  /** Where a person gets the program that serves {@link localUrl}. */
  readonly localPage?: string;
  /** What people call it there. Default: its label. */
  readonly localName?: string;
  /**
   * Absent: it works without a model, by the extractive analyst. Rejects with `auth` (a key is needed and none is set), `config`
   * (no address, no model), or what asking the server for its models failed with. Asks the server for nothing else.
   */
  create?(context: ProviderContext): Promise<Provider>;
  /** Its API at this address has a web search of its own; see {@link Provider.search}. */
  searchesWeb?(baseUrl: string): boolean;
  /** The models to choose from. Rejects like {@link create}. */
  list?(context: ProviderContext): Promise<readonly ListedModel[]>;
}

/** A provider before it is known how it is asked. */
export type ProviderFacts = Omit<ProviderDefinition, 'create' | 'list'>;

/** Why a provider was chosen: the user named it, its key or address is set, the editor has its models, or it runs on this machine. */
export type Why = 'setting' | 'key' | 'address' | 'editor' | 'local';

/** A server with its key. */
export interface Server {
  /** Ends before the paths of the API, without a slash. */
  readonly baseUrl: string;
  /** Undefined: no key is sent. */
  readonly key: string | undefined;
  /** The key as it is now: the user may remove or replace it while a run is in progress. Absent: it can't change. */
  readonly keyNow?: () => Promise<string | undefined>;
}

/** A model as its server lists it. */
export type ListedModel = Omit<OfferedModels['models'][number], 'trust'>;

export type ProviderKey = Pick<KeyService, 'service' | 'hint' | 'environment' | 'forAnyServer'>;

export interface ProviderContext {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly log: Log;
  /** Models of the editor; absent outside of one. */
  readonly editor?: EditorModels | undefined;
  /** The host's, for proxies and certificates. */
  readonly fetch: typeof fetch;
}

/** Where prompts to the models of the editor are sent, for people. */
export const editorHost = 'VS Code';

/** A provider that can be called. */
export interface Provider {
  /** Name of the main model. */
  readonly model: string;
  /** Where prompts are sent, for people ("api.openai.com"). */
  readonly host: string;
  /** The port of a model. Called once per model. */
  chat(model: string): ChatPort;
  /** The port of a model that searches the web before it answers. Absent: the API has no such search. */
  search?(model: string): ChatPort;
}

/** Where a provider's calls go: the user's address, else the public one. Undefined: there is neither. */
export function baseUrlOf({ baseUrl }: ProviderDefinition, settings: Settings): string | undefined {
  const given = normalizeBaseUrl(settings['model.baseUrl']);
  return given === '' ? baseUrl : given;
}

/** A base URL as people write it, ending before `/chat/completions` and without a trailing slash. */
export function normalizeBaseUrl(text: string): string {
  const [base = ''] = text.trim().split(/[?#]/, 1);
  return trimEnd(trimEnd(base, '/').replace(/\/chat\/completions$/i, ''), '/');
}

/** The key of a provider for an address; undefined when none is saved for its origin. */
export async function keyFor(
  { key }: ProviderDefinition,
  baseUrl: string,
  secrets: Secrets,
): Promise<string | undefined> {
  return key && secrets.key(key.service, new URL(baseUrl).origin);
}

/** How to set the key of a provider, for the end of an error message. */
export function setKeyHint({ key }: ProviderDefinition, which = ''): string {
  const variable = key?.environment[0];
  return variable === undefined
    ? `Run "Deep Research: Use API Key"${which}.`
    : `Run "Deep Research: Use API Key"${which}; on the command line set ${variable}.`;
}

/** Its server with the key that is saved for it. Rejects with `auth` when there is none, with `config` without an address. */
export async function serverWithKey(definition: ProviderDefinition, context: ProviderContext): Promise<Server> {
  const baseUrl = baseUrlOf(definition, context.settings);
  if (baseUrl === undefined) throw missingAddress(definition);
  const key = await keyFor(definition, baseUrl, context.secrets);
  if (key === undefined) throw missingKey(definition, new URL(baseUrl).host);
  return { baseUrl, key, keyNow: () => keyFor(definition, baseUrl, context.secrets) };
}

/** Whether its key is saved for the address in use. */
export async function hasKey(definition: ProviderDefinition, { settings, secrets }: ProviderContext) {
  const baseUrl = baseUrlOf(definition, settings);
  const key = baseUrl === undefined ? undefined : await keyFor(definition, baseUrl, secrets);
  return key === undefined ? undefined : ('key' as const);
}

export function missingAddress({ name }: ProviderDefinition): ResearchError {
  return new ResearchError('config', `The provider "${name}" needs a server address.`, {
    next: 'Set deepResearch.model.baseUrl, for example to http://localhost:1234/v1.',
  });
}

function missingKey(definition: ProviderDefinition, host: string): ResearchError {
  return new ResearchError('auth', `No key is set for ${host}.`, { next: setKeyHint(definition), origin: host });
}

/** What asks for a list, and is not to wait for it. */
export function withTimeout(request: typeof fetch, ms: number): typeof fetch {
  return (input, init) =>
    request(input, { ...init, signal: AbortSignal.any([init?.signal ?? [], AbortSignal.timeout(ms)].flat()) });
}
