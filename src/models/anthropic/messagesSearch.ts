import { isRecord, type Json } from '../../research/text/json.ts';
import { type WireRecord } from '../http/exchange.ts';
import { domainsOf, PageCollector, type SearchApi } from '../http/searchChat.ts';
import type { HttpApi } from '../http/httpModels.ts';
import { messages } from './messages.ts';

/** Searches within one answer. */
const mostSearches = 3;

/** Anthropic's own web search: a tool that runs at the server. Answers come whole, so that a paused one can be sent back as it was. */
export const messagesSearch: SearchApi = {
  baseUrl: (base) => base,
  dialect: (turn) => ({
    ...messages,
    body(ask) {
      const body = messages.body({ ...ask, think: false });
      return {
        ...body,
        ...(turn.before.length > 0 && {
          messages: [...(body['messages'] as Json[]), { role: 'assistant', content: turn.before }],
        }),
        tools: [
          { type: 'web_search_20250305', name: 'web_search', max_uses: mostSearches, ...domainsOf(turn.request) },
        ],
        stream: false,
      };
    },
    *readWhole(answer, record) {
      delete turn.paused;
      if (Array.isArray(answer['content'])) readBlocks(answer['content'].filter(isRecord), record);
      if (answer['stop_reason'] === 'pause_turn') turn.paused = (answer['content'] as unknown[]).filter(isRecord);
      yield* messages.readWhole!(answer, record);
    },
  }),
};

export const anthropicApi: HttpApi = {
  dialect: () => messages,
  search: messagesSearch,
  list: { path: '/v1/models?limit=1000', headers: messages.headers },
};

function readBlocks(blocks: readonly Json[], record: WireRecord): void {
  const found = new PageCollector();
  for (const { type, content, citations } of blocks) {
    if (type === 'web_search_tool_result' && Array.isArray(content)) {
      for (const page of content)
        if (isRecord(page)) found.add(page['url'], { title: page['title'], date: page['page_age'] });
    } else if (type === 'web_search_tool_result' && isRecord(content)) {
      found.problem = problemOf(content['error_code']);
    }
    if (type !== 'text' || !Array.isArray(citations)) continue;
    for (const one of citations) if (isRecord(one)) found.quote(one['url'], one['title'], one['cited_text']);
  }
  record.web = found.findings;
}

function problemOf(code: unknown) {
  if (code === 'too_many_requests') return 'limited';
  if (code === 'max_uses_exceeded') return undefined;
  return code === 'unavailable' ? 'unavailable' : 'badQuery';
}
