import { estimateRequest, estimateTokens } from '../../research/text/estimateTokens.ts';
import type { ChatRequest, TokenUsage, ToolCall } from '../../research/ports.ts';
import type { WireRecord } from './exchange.ts';

/** The tokens that the server counted, wherever it puts the cached ones; estimated from the texts when it counted none. */
export function usageOf(
  record: WireRecord,
  request: ChatRequest,
  text: string,
  calls: readonly ToolCall[],
): TokenUsage {
  const given = record.usage ?? {};
  const details = (given['prompt_tokens_details'] ?? given['input_tokens_details']) as
    Record<string, unknown> | null | undefined;
  const tokensIn = count(given['prompt_tokens']) ?? count(given['input_tokens']);
  const tokensOut = count(given['completion_tokens']) ?? count(given['output_tokens']);
  if (tokensIn === undefined || tokensOut === undefined || tokensIn + tokensOut === 0) {
    const written =
      estimateTokens(text) +
      estimateTokens(record.reasoning) +
      (calls.length > 0 ? estimateTokens(JSON.stringify(calls)) : 0);
    return { in: estimateRequest(request), out: written, cached: 0, estimated: true };
  }
  const cached =
    count(details?.['cached_tokens']) ?? count(given['cached_tokens']) ?? count(given['prompt_cache_hit_tokens']) ?? 0;
  return { in: tokensIn, out: tokensOut, cached: Math.min(cached, tokensIn), estimated: false };
}

/** Of several requests that make one answer. */
export function usageSum(usages: readonly TokenUsage[]): TokenUsage {
  const sum = (of: 'in' | 'out' | 'cached'): number => usages.reduce((all, usage) => all + usage[of], 0);
  return { in: sum('in'), out: sum('out'), cached: sum('cached'), estimated: usages.some((usage) => usage.estimated) };
}

/** No request has so many; a server that says so has counted wrong. */
const mostTokens = 1e9;

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= mostTokens ? Math.round(value) : undefined;
}
