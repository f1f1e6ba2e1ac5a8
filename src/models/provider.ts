import { withoutEnd } from '../research/text/ends.ts';
import type { Settings } from '../research/config.ts';
import { ResearchError } from '../research/errors.ts';
import type { ChatPort, Log, Secrets } from '../research/ports.ts';
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
  /** Absent: it takes no key. */
  readonly key?: ProviderKey;
  /** Base address of its public API. Absent: it has none, and the user names one with `model.baseUrl`. */
  readonly baseUrl?: string;
  /** Used when `model.name` is empty. Absent: the first model that its server lists. */
  readonly defaultModel?: string;
  /** What is known of a model before the first call. Everything else is learned from refusals. */
  capabilities?(model: string, baseUrl: string): Partial<Capabilities>;
  /** Whether `auto` may choose it. The first provider of the registry that answers true is used. */
  isConfigured(context: ProviderContext): boolean | Promise<boolean>;
  /**
   * Absent: it works without a model, by the extractive analyst. Rejects with `auth` (a key is needed and none is set), `config`
   * (no address, no model), or what asking the server for its models failed with. Asks the server for nothing else.
   */
  create?(context: ProviderContext): Promise<Provider>;
}

export interface ProviderKey {
  /** In the secret storage: `deepResearch.key.SERVICE`. */
  readonly service: string;
  /** What the key is for, in one sentence. */
  readonly hint: string;
  /** Environment variables of the command line; the first that is set counts. */
  readonly environment: readonly string[];
}

export interface ProviderContext {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly log: Log;
  /** The host's, for proxies and certificates. */
  readonly fetch: typeof fetch;
}

/** A provider that can be called. */
export interface Provider {
  /** Name of the main model. */
  readonly model: string;
  /** Where prompts are sent, for people ("api.openai.com"). */
  readonly host: string;
  /** The port of a model. Called once per model. */
  chat(model: string): ChatPort;
}

/** Where a provider's calls go: the user's address, else the public one. Undefined: there is neither. */
export function baseUrlOf({ baseUrl }: ProviderDefinition, settings: Settings): string | undefined {
  const given = normalizeBaseUrl(settings['model.baseUrl']);
  return given === '' ? baseUrl : given;
}

/** A base URL as people write it, ending before `/chat/completions` and without a trailing slash. */
export function normalizeBaseUrl(text: string): string {
  const [base = ''] = text.trim().split(/[?#]/, 1);
  return withoutEnd(withoutEnd(base, '/').replace(/\/chat\/completions$/i, ''), '/');
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
  return `Run "Deep Research: Use API Key"${which}${variable === undefined ? '.' : `; on the command line set ${variable}.`}`;
}

export function missingKey(definition: ProviderDefinition, host: string): ResearchError {
  return new ResearchError('auth', `No key is set for ${host}.`, { next: setKeyHint(definition), origin: host });
}
