import { ResearchError } from '../../research/errors.ts';
import { type Capabilities, CapabilityMemory } from '../capabilities.ts';
import { FirstContact } from '../firstContact.ts';
import {
  type ListedModel,
  type Provider,
  type ProviderContext,
  type ProviderDefinition,
  type Server,
  setKeyHint,
} from '../provider.ts';
import { readBounded } from './boundedBody.ts';
import type { Dialect } from './dialect.ts';
import { HttpChat } from './httpChat.ts';
import { isChat, listModels, type ModelList } from './listModels.ts';
import { Turns } from './localServer.ts';
import { type SearchApi, searchChat } from './searchChat.ts';

/** An API as a provider speaks it. */
export interface HttpApi {
  dialect(can: Capabilities): Dialect;
  readonly list: ModelList;
  /** Its own web search. */
  readonly search?: SearchApi;
  /** What the server says of a model before its first call. Called once a model; a failure is ignored. */
  learn?(model: string, ask: AskServer): Promise<Partial<Capabilities>>;
}

/** Asks the server for JSON. Rejects when it does not answer with any. */
export type AskServer = (path: string, body?: unknown) => Promise<unknown>;

/** How long the list of models may take, in milliseconds. */
const listMs = 8_000;

/** The models of a server. Asks it for the list only when neither the user nor the provider names a model. */
export async function httpModels(
  definition: ProviderDefinition,
  server: Server,
  api: HttpApi,
  context: ProviderContext,
): Promise<Provider> {
  const { settings, log, fetch: fetchAnything } = context;
  const { baseUrl } = server;
  const memory = new CapabilityMemory((url, model) => definition.capabilities?.(model, url) ?? {});
  const contact = new FirstContact(fetchAnything);
  const turns = new Turns(settings['limits.idleSeconds'] * 1_000);
  const { host } = new URL(baseUrl);
  const keyHint = setKeyHint(definition, ' with a key that is valid for this server');
  let model = settings['model.name'] || definition.defaultModelAt?.(baseUrl) || '';
  if (model === '') {
    const listed = await firstModel(definition, server, api, fetchAnything);
    if (listed.contextTokens !== undefined) memory.learn(baseUrl, listed.id, { contextTokens: listed.contextTokens });
    model = listed.id;
  }
  const ask = askServer(server, api, fetchAnything);
  const optionsOf = (name: string) => ({
    ...{ ...server, provider: definition.name, model: name, keyHint, memory, contact, turns, log },
    think: settings['model.enableThinking'],
    fetch: fetchAnything,
  });
  const { search } = api;
  return {
    model,
    host,
    chat: (name) =>
      new HttpChat({
        ...optionsOf(name),
        dialect: (can) => api.dialect(can),
        ...(api.learn && { learn: () => api.learn!(name, ask) }),
      }),
    ...(search && { search: (name) => searchChat(optionsOf(name), search) }),
  };
}

/** The server's models that chat, for a choice: loaded ones first. Rejects as {@link listModels} does. */
export async function listChatModels(
  definition: ProviderDefinition,
  { baseUrl, key }: Server,
  { list }: HttpApi,
  fetchAnything: typeof fetch,
): Promise<readonly ListedModel[]> {
  const keyHint = setKeyHint(definition, ' with a key that is valid for this server');
  const models = await listModels({ baseUrl, key, keyHint }, list, fetchAnything, AbortSignal.timeout(listMs));
  return models.filter(isChat).sort((one, other) => Number(other.isLoaded ?? false) - Number(one.isLoaded ?? false));
}

async function firstModel(
  definition: ProviderDefinition,
  server: Server,
  api: HttpApi,
  fetchAnything: typeof fetch,
): Promise<ListedModel> {
  const { host } = new URL(server.baseUrl);
  const [first] = await listChatModels(definition, server, api, fetchAnything);
  if (first === undefined) {
    throw new ResearchError('config', `${host} lists no usable model.`, {
      next: 'Set deepResearch.model.name to a model of this server.',
      origin: host,
    });
  }
  return first;
}

/** How long a question about a model may take, in milliseconds. */
const learnMs = 3_000;
/** Its answer, in UTF-16 units: Ollama's has the model's licence and template in it. */
const maxAnswer = 5_000_000;

function askServer({ baseUrl, key }: Server, api: HttpApi, fetchAnything: typeof fetch): AskServer {
  return async (path, body) => {
    const response = await fetchAnything(new URL(path, `${baseUrl}/`).href, {
      headers: { ...api.list.headers(key), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(learnMs),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return JSON.parse(await readBounded(response, maxAnswer)) as unknown;
  };
}
