import { isRecord, type Json } from '../../research/text/json.ts';
import type { ResearchError } from '../../research/errors.ts';
import { answerLimit, bearer } from '../http/dialect.ts';
import { addReasoning, setFinish, textOfContent, type WireRecord } from '../http/exchange.ts';
import { PageCollector, type SearchApi } from '../http/searchChat.ts';

const beijing = 'dashscope.aliyuncs.com';
const compatibleMode = /\/compatible-mode\/v1$/;
/** The API knows up to 25. */
const mostSites = 25;

/** DashScope's own web search. Only its own protocol says what was found: the compatible mode gives the answer without its sources. */
export const generationSearch: SearchApi = {
  baseUrl: (base) => base.replace(compatibleMode, ''),
  // "url error" is its answer for a model that is served by the other one.
  isElsewhere: (refusal: ResearchError) => refusal.reason === 'badRequest' && /url error/i.test(refusal.message),
  dialect({ request: { sites }, address, isElsewhere }) {
    const found = new PageCollector();
    const addresses = new Map<string, string>();
    let text = '';
    return {
      format: 'events',
      path: `/api/v1/services/aigc/${isElsewhere ? 'multimodal-generation' : 'text-generation'}/generation`,
      headers: (key) => ({ ...bearer(key), 'x-dashscope-sse': 'enable' }),
      body(ask) {
        const { model, request, can } = ask;
        const limit = answerLimit({ ...ask, think: false });
        const { include = [] } = sites ?? {};
        return {
          model,
          input: {
            messages: request.messages.map(({ role, content }) => ({
              role,
              content: isElsewhere ? [{ text: content }] : content,
            })),
          },
          parameters: {
            result_format: 'message',
            incremental_output: true,
            enable_search: true,
            // Search while thinking takes a minute; a thinking model alone refuses this, and thinks.
            ...(can.thinkingField === 'enable_thinking' && { enable_thinking: false }),
            ...(limit !== undefined && can.limitField !== 'none' && { max_tokens: limit }),
            search_options: {
              ...{ forced_search: true, enable_source: true },
              // Outside of Beijing there is one strategy, which knows no other option.
              ...(new URL(address).host === beijing
                ? {
                    ...{ enable_citation: true, citation_format: '[ref_<number>]' },
                    ...(include.length > 0 && { assigned_site_list: include.slice(0, mostSites) }),
                  }
                : { search_strategy: 'agent' }),
            },
          },
        };
      },
      *read(piece, record) {
        const { output, usage } = piece;
        if (isRecord(usage) && typeof usage['output_tokens'] === 'number') record.usage = usage;
        if (!isRecord(output)) return;
        readResults(output['search_info'], found, addresses);
        const choice: unknown = Array.isArray(output['choices']) ? output['choices'][0] : undefined;
        if (isRecord(choice)) {
          record.choices += 1;
          const said = isRecord(choice['message']) ? readMessage(choice['message'], record) : '';
          text += said;
          if (said !== '') yield { text: said };
          // While it is writing, the reason is the word "null".
          if (choice['finish_reason'] !== 'null') setFinish(record, choice['finish_reason']);
          if (record.finish !== undefined) addStatements(text, found, addresses);
        }
        record.web = found.findings;
      },
    };
  },
};

function readResults(info: unknown, found: PageCollector, addresses: Map<string, string>): void {
  if (!isRecord(info) || !Array.isArray(info['search_results'])) return;
  for (const page of info['search_results'].filter(isRecord)) {
    found.add(page['url'], { title: page['title'], site: page['site_name'] });
    const { url, index } = page;
    if (typeof url === 'string' && (typeof index === 'number' || typeof index === 'string'))
      addresses.set(String(index), url);
  }
}

function readMessage({ content, reasoning_content: reasoning }: Json, record: WireRecord): string {
  addReasoning(record, reasoning);
  return textOfContent(content);
}

/** Of an answer, in UTF-16 units: it was asked for a few sentences. */
const longestAnswer = 100_000;
const longestStatement = 600;

/** What is said with a citation: the sentence before its marks. */
function addStatements(text: string, found: PageCollector, addresses: ReadonlyMap<string, string>): void {
  for (const { 0: marks, index } of text.slice(0, longestAnswer).matchAll(/(?:\[ref_\d{1,3}\])+/g)) {
    const before = text.slice(Math.max(0, index - longestStatement), index).replace(/[\s。！？.!?]{1,20}$/, '');
    const said = before.split(/[\n。！？!?\]]/).at(-1)!;
    for (const [, number = ''] of marks.matchAll(/ref_(\d+)/g))
      found.statement(addresses.get(number), undefined, said.replace(/^[\s>*#.-]+/, ''));
  }
}
