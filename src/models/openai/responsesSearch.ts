import { isRecord, type Json } from '../../research/text/json.ts';
import { type WireRecord } from '../http/exchange.ts';
import { domainsOf, PageCollector, type SearchApi } from '../http/searchChat.ts';
import { responses } from './responses.ts';

/** OpenAI's own web search: a tool of the Responses API. */
export const responsesSearch: SearchApi = {
  baseUrl: (base) => base,
  dialect({ request }) {
    const filters = domainsOf(request, mostSites);
    const found = new PageCollector();
    const see = (item: unknown, record: WireRecord): void => {
      if (isRecord(item)) readItem(item, found);
      record.web = found.findings;
    };
    return {
      ...responses,
      body: (ask) => ({
        ...responses.body({ ...ask, think: false }),
        tools: [{ type: 'web_search', ...(filters && { filters }) }],
        tool_choice: 'required',
        include: ['web_search_call.action.sources'],
        // Its least effort has no search.
        ...(ask.can.thinkingField === 'reasoning_effort' && { reasoning: { effort: 'low' } }),
      }),
      *read(piece, record) {
        if (piece['type'] === 'response.output_item.done') see(piece['item'], record);
        yield* responses.read(piece, record);
      },
      *readWhole(answer, record) {
        if (Array.isArray(answer['output'])) for (const item of answer['output']) see(item, record);
        yield* responses.readWhole!(answer, record);
      },
    };
  },
};

/** The API takes up to 100 of each. */
const mostSites = 100;

function readItem(item: Json, found: PageCollector): void {
  const { action, content } = item;
  if (item['type'] === 'web_search_call' && isRecord(action) && Array.isArray(action['sources']))
    for (const source of action['sources']) if (isRecord(source)) found.add(source['url'], { title: source['title'] });
  if (item['type'] === 'web_search_call' && item['status'] === 'failed') found.problem = 'unavailable';
  if (item['type'] !== 'message' || !Array.isArray(content)) return;
  for (const part of content) {
    if (!isRecord(part) || typeof part['text'] !== 'string' || !Array.isArray(part['annotations'])) continue;
    for (const one of part['annotations'])
      if (isRecord(one) && one['type'] === 'url_citation')
        found.statement(one['url'], one['title'], statementBefore(part['text'], one['start_index']));
  }
}

/** A longer statement is cut at its beginning. In UTF-16 units. */
const longestStatement = 600;

/** The line up to a citation, without the citations and links in it. */
function statementBefore(text: string, end: unknown): string {
  if (typeof end !== 'number') return '';
  const before = text.slice(Math.max(0, end - longestStatement), Math.max(0, end));
  return before
    .slice(before.lastIndexOf('\n') + 1)
    .replace(/\(?\[[^[\]]{0,200}\]\([^()\s]{0,500}\)\)?/g, '')
    .replace(/^[\s>*#-]+/, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?[([]{0,2}$/, '');
}
