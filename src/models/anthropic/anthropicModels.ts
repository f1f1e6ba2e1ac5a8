import type { HttpApi } from '../http/httpModels.ts';
import { messages } from './messages.ts';
import { messagesSearch } from './messagesSearch.ts';

export const anthropicApi: HttpApi = {
  dialect: () => messages,
  search: messagesSearch,
  list: { path: '/v1/models?limit=1000', headers: messages.headers },
};
