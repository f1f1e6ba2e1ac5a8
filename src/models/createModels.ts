import { ResearchError } from '../research/errors.ts';
import type { Settings } from '../research/config.ts';
import type { ChatModels, Log, ModelRole, Secrets } from '../research/ports.ts';
import { CapabilityMemory } from './capabilities.ts';
import { FirstContact } from './firstContact.ts';
import { listModels, type ListedModel } from './listModels.ts';
import { normalizeBaseUrl, OpenAiChat } from './openai.ts';

export const openAiBaseUrl = 'https://api.openai.com/v1';
/** Takes tools over chat completions as it is, has a large window, and costs a fraction of the flagship. */
export const openAiDefaultModel = 'gpt-5.4-mini';

export interface CreateModelsOptions {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly log: Log;
  /** The host's fetch; the global one when absent. */
  readonly fetch?: typeof fetch;
}

export type CreatedModels =
  | {
      readonly kind: 'llm';
      readonly provider: string;
      /** Name of the main model. */
      readonly model: string;
      /** Where the prompts go, for people ("api.openai.com"). */
      readonly host: string;
      readonly models: ChatModels;
    }
  | { readonly kind: 'extractive' };

interface Target {
  readonly provider: 'openai' | 'openai-compatible';
  readonly baseUrl: string;
  readonly key: string | undefined;
}

/**
 * Chooses the provider and gives its models. `auto`: a key for OpenAI (or for the configured base URL), else a base URL without
 * key, else no model at all. Rejects with `auth` (a key is needed and none is set) or `config` (no base URL, no model
 * name), or with what asking the server for its models failed with. Calls the server only to find out a missing model name.
 */
export async function createModels(options: CreateModelsOptions): Promise<CreatedModels> {
  const { settings, secrets, log } = options;
  const fetchAnything = options.fetch ?? fetch;
  const target = await resolveTarget(settings, secrets);
  if (target === undefined) return { kind: 'extractive' };
  const memory = new CapabilityMemory();
  const contact = new FirstContact(fetchAnything);
  const host = new URL(target.baseUrl).host;
  const listed =
    settings['model.name'] === '' && !isOpenAi(target.baseUrl) ? await firstModel(target, fetchAnything) : undefined;
  if (listed?.contextTokens !== undefined)
    memory.learn(target.baseUrl, listed.id, { contextTokens: listed.contextTokens });
  const main = settings['model.name'] || listed?.id || openAiDefaultModel;
  const chats = new Map<string, OpenAiChat>();
  const chatOf = (model: string): OpenAiChat => {
    const known = chats.get(model);
    if (known) return known;
    const chat = new OpenAiChat({
      provider: target.provider,
      model,
      baseUrl: target.baseUrl,
      key: target.key,
      contextTokens: contextOf(model),
      memory,
      contact,
      log,
      fetch: fetchAnything,
    });
    chats.set(model, chat);
    return chat;
  };
  log.info(`Model: ${main} (${target.provider}, ${host}).`);
  return {
    kind: 'llm',
    provider: target.provider,
    model: main,
    host,
    models: (role) => Promise.resolve(chatOf(modelOf(role, settings) || main)),
  };
}

async function resolveTarget(settings: Settings, secrets: Secrets): Promise<Target | undefined> {
  const provider = settings['model.provider'];
  if (provider === 'extractive') return undefined;
  const given = settings['model.baseUrl'] === '' ? undefined : normalizeBaseUrl(settings['model.baseUrl']);
  const baseUrl = given ?? openAiBaseUrl;
  const { origin, host } = new URL(baseUrl);
  if (provider === 'openai-compatible') {
    if (given === undefined) {
      throw new ResearchError('config', 'The provider "openai-compatible" needs the address of its server.', {
        next: 'Set deepResearch.model.baseUrl, such as http://localhost:11434/v1.',
      });
    }
    return {
      provider,
      baseUrl,
      key: (await secrets.key('openai-compatible', origin)) ?? (await secrets.key('openai', origin)),
    };
  }
  const key = await secrets.key('openai', origin);
  if (key !== undefined) return { provider: 'openai', baseUrl, key };
  if (provider === 'openai') {
    throw new ResearchError('auth', `No key is set for ${host}.`, {
      next: 'Run "Deep Research: Set Key"; on the command line set OPENAI_API_KEY.',
      origin: host,
    });
  }
  return given === undefined
    ? undefined
    : { provider: 'openai-compatible', baseUrl, key: await secrets.key('openai-compatible', origin) };
}

async function firstModel(target: Target, fetchAnything: typeof fetch): Promise<ListedModel> {
  const { host } = new URL(target.baseUrl);
  const models = await listModels(target.baseUrl, target.key, fetchAnything, AbortSignal.timeout(8_000));
  const first = models[0];
  if (first === undefined) {
    throw new ResearchError('config', `${host} names no model that can be used.`, {
      next: 'Set deepResearch.model.name to a model of this server.',
      origin: host,
    });
  }
  return first;
}

function modelOf(role: ModelRole, settings: Settings): string {
  return role === 'main' ? '' : settings[`model.${role}`];
}

const isOpenAi = (baseUrl: string) => new URL(baseUrl).host === 'api.openai.com';

/** Context windows of families that are known by name; others are taken for 128k until a refusal tells better. */
function contextOf(model: string): number {
  if (/(?:^|\/)gpt-4\.1/.test(model)) return 1_000_000;
  if (/(?:^|\/)gpt-[5-9]/.test(model)) return 272_000;
  return 128_000;
}
