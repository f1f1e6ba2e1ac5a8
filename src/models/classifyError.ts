import { ResearchError, type ErrorReason } from '../research/errors.ts';
import { withoutEnd } from '../research/text/ends.ts';
import { redact } from '../research/text/redact.ts';

/** An answer of a model server that is not a completion: an HTTP error, or an error event inside a stream of status 200. */
export interface Failure {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body: JSON, plain text, HTML or nothing. */
  readonly body: string;
  /** An event inside a stream that had begun well. */
  readonly inStream?: boolean;
}

/** What the message needs to know of the call. */
export interface CallContext {
  /** Host of the server, for people ("api.openai.com"). */
  readonly host: string;
  readonly model: string;
  readonly key?: string | undefined;
  /** How to set a valid key. */
  readonly keyHint?: string;
  /** Estimated tokens of the prompt. */
  readonly promptTokens?: number;
}

interface ErrorBody {
  /** The message and those of nested objects, in one text. */
  readonly text: string;
  /** What a person may read. */
  readonly message: string;
  /** `code`, `type` and the inner code in lower case. */
  readonly codes: readonly string[];
  readonly html: boolean;
  readonly empty: boolean;
  readonly requestId: boolean;
  readonly moderated: boolean;
}

const rateCodes = new Set([
  'rate_limit_exceeded',
  'rate_limit_error',
  'rate_limit_reached_error',
  'limit_requests',
  'limit_burst_rate',
  'engine_overloaded_error',
  'overloaded_error',
  'modelservingerror',
  'throttling',
  'throttling.ratequota',
  'throttling.allocationquota',
]);
const quotaCodes = new Set([
  'exceeded_current_quota_error',
  'arrearage',
  'billing_hard_limit_reached',
  'insufficient_balance',
  'insufficient_credits',
  'billing_not_active',
]);
const contextCodes = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'request_too_large',
  'string_above_max_length',
]);
const filterCodes = new Set([
  'content_filter',
  'data_inspection_failed',
  'datainspectionfailed',
  'content_policy_violation',
  'responsibleaipolicyviolation',
]);
const modelCodes = new Set(['model_not_found', 'modelnotfound', 'not_found_error', 'model_not_supported']);
const authCodes = new Set(['invalid_api_key', 'authentication_error', 'invalid_authentication_error', 'invalidapikey']);

const rateWords =
  /rate.?limit|too many requests|requests? per (?:second|minute|hour|day|min)|tokens? per (?:second|minute|hour|day|min)\b|\b[TR]P[MD]\b|overloaded|throttl|try again in \d|temporarily rate|max(?:imum)? concurrency/i;
const quotaWords =
  /insufficient (?:balance|credits?|funds?|quota)|exceeded (?:your )?(?:current )?quota|billing|not enough (?:money|credits?)|account is in good standing|payment required|out of credits/i;
const contextWords =
  /context (?:length|window|size)|maximum context|prompt is too long|range of input length|exceeded model token limit|input token length|input length (?:and|exceeds)|longer than the (?:model's )?context|token limit reached|too many (?:input )?tokens|reduce the length|when context the overflows|input is too long|exceeds the (?:available )?context/i;
const filterWords =
  /content exists risk|content management policy|considered high risk|inappropriate content|was flagged|moderation|content.?filter|safety (?:system|policy)/i;
const authWords =
  /api[ _]?key (?:not valid|is invalid|is missing|expired)|(?:invalid|incorrect|missing) api[ _]?key|unauthori[sz]ed|invalid x-api-key/i;
const unloadedWords = /model (?:was |has been )?unloaded|model has crashed|failed to load (?:the )?model/i;
const modelWords =
  /model not exist|model .{0,80}(?:does not exist|not found|doesn't exist|is not available)|unknown model|no models? loaded|no such model|invalid model/i;

/** Gives the failure of a model call as the error that the run decides by. Total: any status and any body has a reason. */
export function classifyFailure(failure: Failure, context: CallContext): ResearchError {
  const body = readErrorBody(failure.body);
  const reason = reasonOf(failure, body, context);
  const wait = reason === 'rateLimit' || failure.status >= 500 ? retryAfterMs(failure.headers, body.text) : undefined;
  const said = body.message === '' ? '' : ` It said: "${clip(redact(body.message, [context.key]))}"`;
  const { message, next } = wording(reason, failure, context, body);
  const sizes = reason === 'contextLength' ? sizesIn(failure.body) : {};
  return new ResearchError(reason, `${message}${said}`, {
    next,
    ...sizes,
    quoted: said,
    origin: context.host,
    ...(failure.status > 0 && { status: failure.status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

function reasonOf(failure: Failure, body: ErrorBody, context: CallContext): ErrorReason {
  const { status } = failure;
  const has = (codes: ReadonlySet<string>) => body.codes.some((code) => codes.has(code));
  if (status >= 300 && status < 400) return 'badRequest';
  if (body.html)
    return status >= 500
      ? 'network'
      : status === 404
        ? 'notFound'
        : status === 401 || status === 403
          ? 'auth'
          : status === 429
            ? 'rateLimit'
            : 'badAnswer';
  if (has(filterCodes) || body.moderated) return 'contentFilter';
  if (status === 402 || has(quotaCodes)) return 'quota';
  if (body.codes.includes('insufficient_quota')) return isTokensPerMinute(context.host, body) ? 'rateLimit' : 'quota';
  if (status === 401 || has(authCodes)) return 'auth';
  // Wording about rates comes before wording about lengths: "too many tokens per minute" is not an overflow.
  if (has(rateCodes) || status === 529) return 'rateLimit';
  if (status === 429) return quotaWords.test(body.text) && !rateWords.test(body.text) ? 'quota' : 'rateLimit';
  if (status < 500 && rateWords.test(body.text) && !filterWords.test(body.text)) return 'rateLimit';
  if (has(contextCodes) || contextWords.test(body.text)) return 'contextLength';
  if (status === 413) return 'contextLength';
  if (filterWords.test(body.text)) return 'contentFilter';
  if (status === 403) return quotaWords.test(body.text) ? 'quota' : 'auth';
  if (authWords.test(body.text) && status < 500) return 'auth';
  if (body.codes.includes('tool_use_failed')) return 'badAnswer';
  // LM Studio frees memory, and loads the model again for the next request.
  if (unloadedWords.test(body.text)) return failure.inStream ? 'streamBroken' : 'network';
  if (status === 404 || has(modelCodes) || modelWords.test(body.text)) return 'notFound';
  if (status === 408 || status === 504 || body.codes.includes('requesttimeout'))
    return failure.inStream ? 'streamBroken' : 'timeout';
  if (quotaWords.test(body.text) && status < 500) return 'quota';
  if (failure.inStream && (status === 0 || status === 200 || status >= 500)) return 'streamBroken';
  if (status === 503) return 'rateLimit';
  if (status >= 500) return 'network';
  // Some gateways drop the body when the prompt is too long (seen with 400): a long prompt makes that likely.
  if (body.empty && status === 400 && (context.promptTokens ?? 0) > 3_000) return 'contextLength';
  if (status === 407) return 'network';
  return status >= 400 ? 'badRequest' : 'badAnswer';
}

/** On DashScope "insufficient_quota" is the limit of tokens per minute; elsewhere the money is gone. */
function isTokensPerMinute(host: string, body: ErrorBody): boolean {
  return /dashscope|aliyuncs/i.test(host) || body.requestId;
}

function wording(
  reason: ErrorReason,
  failure: Failure,
  context: CallContext,
  body: ErrorBody,
): { readonly message: string; readonly next: string } {
  const { host, model } = context;
  const status = failure.status > 0 && failure.status !== 200 ? ` (HTTP ${failure.status})` : '';
  switch (reason) {
    case 'auth':
      return {
        message: `${host} refused ${context.key ? 'the key' : 'the request, which carried no key'}${status}.`,
        next: context.keyHint ?? 'Run "Deep Research: Use API Key" with a key that is valid for this server.',
      };
    case 'quota':
      return {
        message: `The account at ${host} has no credit or quota left${status}.`,
        next: "Check the account's plan and billing, or choose another model or provider.",
      };
    case 'rateLimit':
      return {
        message: `${host} is limiting requests right now${status}.`,
        next: 'Wait a moment and start again, or lower limits.maxConcurrentResearchers.',
      };
    case 'contextLength':
      return {
        message: `The prompt is longer than the context window of "${model}"${status}.`,
        next: 'Lower limits.maxContextTokens, or choose a model with a larger context window.',
      };
    case 'contentFilter':
      return {
        message: `The content filter of ${host} refused the request${status}.`,
        next: 'Rephrase the question, or choose another model.',
      };
    case 'notFound':
      if (/not a chat model/i.test(body.text)) {
        return {
          message: `"${model}" is not a chat model${status}.`,
          next: 'Choose a model that supports chat completions (deepResearch.model.name).',
        };
      }
      return body.html || !(/model|endpoints/i.test(body.text) || body.codes.some((code) => modelCodes.has(code)))
        ? {
            message: `${host} has no chat completions API at this address${status}.`,
            next: 'Check deepResearch.model.baseUrl: it should end before /chat/completions, often in /v1.',
          }
        : {
            message: `${host} does not offer the model "${model}"${status}.`,
            next: 'Check deepResearch.model.name and deepResearch.model.baseUrl.',
          };
    case 'timeout':
      return { message: `${host} timed out${status}.`, next: 'Try again later.' };
    case 'network':
      return {
        message: `${host} could not serve the request${status}.`,
        next: 'Try again later, or check deepResearch.model.baseUrl.',
      };
    case 'streamBroken':
      return { message: `${host} stopped in the middle of an answer${status}.`, next: 'Try again.' };
    case 'badAnswer':
      return body.html
        ? {
            message: `${host} answered with a web page instead of a model's answer.`,
            next: 'Check deepResearch.model.baseUrl, and whether a proxy or a sign-in page answers instead.',
          }
        : { message: `"${model}" returned an unusable answer.`, next: 'Try again, or choose another model.' };
    default:
      if (failure.status >= 300 && failure.status < 400) {
        const target = redact(failure.headers['location'] ?? 'another address', [context.key]);
        return {
          message: `${host} redirects the request to ${clip(target)}; redirects are not followed, to protect the key${status}.`,
          next: 'Set deepResearch.model.baseUrl to the final address of the model.',
        };
      }
      return {
        message: `${host} rejected the request${status}.`,
        next: 'Check deepResearch.model.name and deepResearch.model.baseUrl, or choose another model.',
      };
  }
}

/** The rest of a longer body says nothing more. In UTF-16 units. */
const maxBody = 50_000;

/** Reads the body of an error, whatever it is: objects, plain strings, numbers, nested texts, HTML, nothing. */
function readErrorBody(raw: string): ErrorBody {
  const trimmed = raw.slice(0, maxBody).trim();
  const html = /^<(?:!doctype|html|head|body|center|title)/i.test(trimmed);
  if (html) {
    const title = /<title>([^<]*)<\/title>/i.exec(trimmed)?.[1]?.trim() ?? '';
    return { text: title, message: title, codes: [], html, empty: false, requestId: false, moderated: false };
  }
  let value: unknown = trimmed;
  try {
    value = JSON.parse(trimmed);
  } catch {
    // Plain text stays what it is.
  }
  const root = record(value);
  const error = root ? (root['error'] ?? root['errors'] ?? root) : value;
  const inner = record(error);
  const metadata = record(inner?.['metadata']);
  const nested = record(inner?.['innererror']);
  const message = firstText(
    typeof error === 'string' ? error : undefined,
    inner?.['message'],
    inner?.['detail'],
    root?.['message'],
    root?.['detail'],
  );
  const raws = [message, metadata?.['raw'], inner?.['failed_generation']].filter(
    (part): part is string => typeof part === 'string',
  );
  const codes = [inner?.['code'], inner?.['type'], nested?.['code'], root?.['code']]
    .filter((code): code is string => typeof code === 'string')
    .map((code) => code.toLowerCase());
  return {
    text: raws.join(' '),
    message: typeof metadata?.['raw'] === 'string' ? `${message} ${metadata['raw']}` : message,
    codes,
    html: false,
    empty: trimmed === '' || trimmed === '{}' || trimmed === 'null',
    requestId: typeof root?.['request_id'] === 'string' && record(root['error']) !== undefined,
    moderated: Array.isArray(metadata?.['reasons']) && metadata['flagged_input'] !== undefined,
  };
}

/** The numeric status inside an error event ({"code": 502, …}); 0 when there is none. */
export function statusInBody(body: string): number {
  try {
    const error = record(record(JSON.parse(body))?.['error']);
    const code = error?.['status'] ?? error?.['code'];
    const status = typeof code === 'string' ? Number(code) : code;
    return typeof status === 'number' && status >= 400 && status < 600 ? status : 0;
  } catch {
    return 0;
  }
}

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
  if (inMs !== undefined && inMs.trim() !== '' && Number.isFinite(Number(inMs))) return bounded(Number(inMs));
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
    /token limit: ([\d,]+)/i.exec(text) ??
    /"n_ctx": ?(\d+)/.exec(text);
  const tokens = Number(found?.[1]?.replaceAll(',', ''));
  return Number.isInteger(tokens) && tokens >= 256 ? tokens : undefined;
}

/** The tokens of a refused prompt and the most that the server takes, as far as its error says so. */
function sizesIn(text: string): { readonly promptTokens?: number; readonly limitTokens?: number } {
  const found =
    /\(([\d,]+) (?:in the messages|of text input)/i.exec(text) ??
    /(?:resulted in|you requested|prompt (?:is too long: |contains |has )|(?:request|input) \(|keep the first |input length(?: of)?:? |requested:? )\s*([\d,]+)/i.exec(
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

/** Gives a thrown value (no connection, a cut socket, a library's own error) as the error that the run decides by. */
export function classifyThrown(thrown: unknown, context: CallContext, begun: boolean): ResearchError {
  if (ResearchError.is(thrown)) return thrown;
  const chain = causes(thrown);
  const codes = chain
    .map((error) => (error as { code?: unknown }).code)
    .filter((code): code is string => typeof code === 'string');
  const detail = withoutEnd(clip(redact(codes[0] ?? chain[0]?.message ?? String(thrown), [context.key])), '.');
  if (begun) {
    return new ResearchError(
      'streamBroken',
      `The connection to ${context.host} broke while "${context.model}" was answering (${detail}).`,
      { next: 'Try again.', origin: context.host },
    );
  }
  const network = codes.some((code) =>
    /^(?:E[A-Z]+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+)$/.test(
      code,
    ),
  );
  const message = chain.map((error) => `${error.name} ${error.message}`).join(' ');
  if (network || /fetch failed|connection error|terminated|socket|network/i.test(message)) {
    const what = /ENOTFOUND|EAI_AGAIN/.test(detail)
      ? 'the host name is unknown'
      : /ECONNREFUSED/.test(detail)
        ? 'the connection was refused'
        : detail;
    return new ResearchError('network', `${context.host} can't be reached: ${what}.`, {
      next: 'Check the network and deepResearch.model.baseUrl, and that the server is running.',
      origin: context.host,
    });
  }
  return new ResearchError('bug', `The call to "${context.model}" failed: ${detail}`, {
    next: 'Run "Deep Research: View Log" and report this.',
    origin: context.host,
    cause: thrown,
  });
}

function causes(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let error = thrown; error instanceof Error && chain.length < 8; error = error.cause) {
    chain.push(error);
    if (error instanceof AggregateError)
      chain.push(...error.errors.filter((inner): inner is Error => inner instanceof Error).slice(0, 4));
  }
  // The deepest cause is the most specific.
  return chain.reverse();
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 297)}…` : line;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function firstText(...values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim() ?? '';
}
