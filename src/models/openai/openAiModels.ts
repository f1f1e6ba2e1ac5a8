import { isRecord } from '../../research/text/json.ts';
import { bearer } from '../http/dialect.ts';
import type { AskServer, HttpApi } from '../http/httpModels.ts';
import { readList } from '../http/listModels.ts';
import { isLocal } from '../http/localServer.ts';
import type { SearchApi } from '../http/searchChat.ts';
import type { Server } from '../provider.ts';
import { completions } from './completions.ts';
import { responses } from './responses.ts';

/** OpenAI's API as a server has it. @param search Its own web search, where it has one. */
export function openAiApi({ baseUrl }: Server, search?: SearchApi): HttpApi {
  return {
    dialect: ({ api }) => (api === 'responses' ? responses : completions),
    list: { path: '/models', headers: bearer },
    ...(isLocal(baseUrl) && { learn: windowOf }),
    ...(search && { search }),
  };
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
