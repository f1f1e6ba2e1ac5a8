import { type HttpApi, httpModels, listChatModels } from '../http/httpModels.ts';
import type { ListedModel } from '../http/listModels.ts';
import type { Provider, ProviderContext, ProviderDefinition, Server } from '../provider.ts';
import { messages } from './messages.ts';
import { messagesSearch } from './messagesSearch.ts';

const api: HttpApi = {
  dialect: () => messages,
  search: messagesSearch,
  list: { path: '/v1/models?limit=1000', headers: messages.headers },
};

export function anthropicModels(
  definition: ProviderDefinition,
  server: Server,
  context: ProviderContext,
): Promise<Provider> {
  return httpModels(definition, server, api, context);
}

export function listAnthropicModels(
  definition: ProviderDefinition,
  server: Server,
  context: ProviderContext,
): Promise<readonly ListedModel[]> {
  return listChatModels(definition, server, api, context.fetch);
}
