import { isRecord } from '../../research/text/json.ts';
import { bearer } from '../http/dialect.ts';
import { type AskServer, type HttpApi, httpModels, listChatModels } from '../http/httpModels.ts';
import { type ListedModel, readList } from '../http/listModels.ts';
import { isLocal } from '../http/localServer.ts';
import type { SearchApi } from '../http/searchChat.ts';
import type { Provider, ProviderContext, ProviderDefinition, Server } from '../provider.ts';
import { completions } from './completions.ts';
import { responses } from './responses.ts';

const api: HttpApi = {
  dialect: ({ api: which }) => (which === 'responses' ? responses : completions),
  list: { path: '/models', headers: bearer },
};

/** The models of a server with OpenAI's API. */
export function openAiModels(
  definition: ProviderDefinition,
  server: Server,
  context: ProviderContext,
  search?: SearchApi,
): Promise<Provider> {
  const learn = isLocal(server.baseUrl) ? { learn: windowOf } : {};
  return httpModels(definition, server, { ...api, ...learn, ...(search && { search }) }, context);
}

export async function listOpenAiModels(
  definition: ProviderDefinition,
  server: Server,
  context: ProviderContext,
): Promise<readonly ListedModel[]> {
  return listChatModels(definition, server, api, context.fetch);
}

/** A local server's context window is what it was started with, not what the model could have. */
async function windowOf(model: string, ask: AskServer): Promise<{ readonly contextTokens?: number }> {
  // The standard list first; LM Studio's own has the window of a loaded model.
  for (const path of ['models', '/api/v0/models']) {
    const answer = await ask(path).catch(() => undefined);
    const found = isRecord(answer) ? readList(JSON.stringify(answer)) : undefined;
    // llama.cpp has one model and ignores the name.
    const one = found?.find(({ id }) => id === model) ?? (found?.length === 1 ? found[0] : undefined);
    if (one?.contextTokens !== undefined) return { contextTokens: one.contextTokens };
  }
  return {};
}
