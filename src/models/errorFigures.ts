/**
 * How long the server asks to wait, in milliseconds: `retry-after-ms`, `retry-after` (seconds or a date), or the words "try
 * again in 1.78s". At most an hour; undefined when it says nothing.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  text: string,
  now: () => number = Date.now,
): number | undefined {
  const bounded = (ms: number) => (Number.isFinite(ms) ? Math.min(3_600_000, Math.max(0, Math.round(ms))) : undefined);
  const inMs = headers['retry-after-ms'];
  if (inMs !== undefined && inMs.trim() !== '' && Number(inMs) >= 0) return bounded(Number(inMs));
  const after = headers['retry-after']?.trim();
  if (after) {
    if (/^\d+(?:\.\d+)?$/.test(after)) return bounded(Number(after) * 1_000);
    const date = /[a-z]{3}/i.test(after) ? Date.parse(after) : Number.NaN;
    if (Number.isFinite(date)) return bounded(date - now());
  }
  const words = /(?:try again|retry)(?: in| after) (?:(\d+)m(?!s))?\s*(?:(\d+(?:\.\d+)?)\s*(ms|s))?/i.exec(text);
  if (!words || (words[1] === undefined && words[2] === undefined)) return undefined;
  const unit = words[3]?.toLowerCase() === 'ms' ? 1 : 1_000;
  return bounded(Number(words[1] ?? 0) * 60_000 + Number(words[2] ?? 0) * unit);
}

/** The context window that an error's text names, in tokens. */
export function contextTokensIn(text: string): number | undefined {
  const found =
    /maximum context length (?:is|of) ([\d,]+)/i.exec(text) ??
    /context (?:length|size|window) (?:of only |of |is |\()\s*([\d,]+)/i.exec(text) ??
    /range of input length should be \[\d+, ?([\d,]+)\]/i.exec(text) ??
    /> ([\d,]+) maximum/i.exec(text) ??
    /must (?:be <=|have less than) ([\d,]+)/i.exec(text) ??
    /maximum number of tokens allowed \(([\d,]+)\)/i.exec(text) ??
    // Of a minute, on a small account: a request that is larger never fits.
    /request too large for .{0,400}?: limit ([\d,]+)/i.exec(text) ??
    /token limit: ([\d,]+)/i.exec(text) ??
    /"n_ctx": ?(\d+)/.exec(text);
  const tokens = Number(found?.[1]?.replaceAll(',', ''));
  return Number.isInteger(tokens) && tokens >= 256 ? tokens : undefined;
}

/** The tokens of a refused prompt and the most that the server takes, as far as its error says so. */
export function sizesIn(text: string): { readonly promptTokens?: number; readonly limitTokens?: number } {
  const found =
    /\(([\d,]+) (?:in the messages|of text input)/i.exec(text) ??
    /input token count \(([\d,]+)\)/i.exec(text) ??
    /(?:resulted in|you requested|prompt (?:is too long: |contains |has )|(?:request|input) \(|keep the first |input length(?: of)?:? |requested:? |given: )\s*([\d,]+)/i.exec(
      text,
    ) ??
    /"n_prompt_tokens": ?(\d+)/.exec(text);
  const promptTokens = Number(found?.[1]?.replaceAll(',', ''));
  const limitTokens = contextTokensIn(text);
  return {
    ...(Number.isInteger(promptTokens) && promptTokens > (limitTokens ?? 256) / 4 && { promptTokens }),
    ...(limitTokens !== undefined && { limitTokens }),
  };
}
