import { ResearchError } from '../../research/errors.ts';
import { CapabilityMemory } from '../capabilities.ts';
import { FirstContact } from '../firstContact.ts';
import type { Provider, ProviderContext, ProviderDefinition } from '../provider.ts';
import { listModels, type ListedModel } from './listModels.ts';
import { OpenAiChat } from './openAiChat.ts';

/** A server with OpenAI's API. */
export interface OpenAiServer {
  readonly baseUrl: string;
  /** Undefined: no Authorization header is sent. */
  readonly key: string | undefined;
  /** How to set a valid key, for error messages. */
  readonly keyHint: string;
  /** Used when the user names no model. Empty: the first that the server lists. */
  readonly defaultModel: string;
}

/** How long the list of models may take, in milliseconds. */
const listMs = 8_000;

/** The models of a server with OpenAI's API. Asks it for the list only when neither the user nor the provider names a model. */
export async function openAiModels(
  definition: ProviderDefinition,
  server: OpenAiServer,
  { settings, log, fetch: fetchAnything }: ProviderContext,
): Promise<Provider> {
  const { baseUrl } = server;
  const memory = new CapabilityMemory((url, model) => definition.capabilities?.(model, url) ?? {});
  const contact = new FirstContact(fetchAnything);
  const { host } = new URL(baseUrl);
  let model = settings['model.name'] || server.defaultModel;
  if (model === '') {
    const listed = await firstModel(server, fetchAnything);
    if (listed.contextTokens !== undefined) memory.learn(baseUrl, listed.id, { contextTokens: listed.contextTokens });
    model = listed.id;
  }
  return {
    model,
    host,
    chat: (name) =>
      new OpenAiChat({
        provider: definition.name,
        model: name,
        ...server,
        memory,
        contact,
        log,
        fetch: fetchAnything,
      }),
  };
}

async function firstModel(server: OpenAiServer, fetchAnything: typeof fetch): Promise<ListedModel> {
  const { host } = new URL(server.baseUrl);
  const [first] = await listModels(server, fetchAnything, AbortSignal.timeout(listMs));
  if (first === undefined) {
    throw new ResearchError('config', `${host} lists no usable model.`, {
      next: 'Set deepResearch.model.name to a model of this server.',
      origin: host,
    });
  }
  return first;
}
