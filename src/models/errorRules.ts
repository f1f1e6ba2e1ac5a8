import type { ErrorReason } from '../research/errors.ts';
import type { CallContext, Failure } from './failure.ts';
import type { ErrorBody } from './errorBody.ts';

/** What the rules see of a failed call. */
export interface Seen {
  readonly failure: Failure;
  readonly body: ErrorBody;
  readonly context: CallContext;
}

const rateCodes = [
  'rate_limit_exceeded',
  'rate_limit_error',
  'limit_requests',
  'limit_burst_rate',
  'overloaded_error',
  'throttlingexception',
];
const quotaCodes = ['exceeded_current_quota_error', 'arrearage'];
const contextCodes = ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large'];
const filterCodes = ['content_filter', 'data_inspection_failed', 'datainspectionfailed'];
export const modelCodes = ['model_not_found', 'not_found_error'];
const authCodes = ['invalid_api_key', 'authentication_error', 'invalid_authentication_error'];

const rateWords =
  /rate.?limit|too many requests|(?:requests?|tokens?) per (?:second|minute|hour|day|min)\b|overloaded|throttl|(?:try again|retry) in \d|max(?:imum)? concurrency|并发数?过高|限流|频率/i;
/** Words before or after the name of what is used up. */
const money = '(?:balance|credits?|funds?|quota|money|budget|free tier|(?:usage|spending|monthly|credit|key) limits?)';
const quotaWords = new RegExp(
  `(?:insufficient|not enough|\\bno|out of|\\bany|exceeded (?:your |the |current |monthly )*|reached (?:your )?(?:\\w+ ){0,3})\\s*${money}\\b|` +
    `\\b${money}\\b.{0,40}(?:insufficient|too low|exhausted|exceeded|reached|used up|depleted)|` +
    'billing|account is in good standing|payment required|欠费|余额不足',
  'i',
);
const contextWords =
  /context (?:length|window|size|limit)|prompt is too long|range of input length|exceeded model token limit|input token (?:length|count)|token limit reached|exceeds (?:the )?token limit|token count of \d+ exceeds|too many (?:input )?tokens|longer than the context|input is too long|must (?:be <=|have less than) \d+/i;
/** More than the limit of a minute, which the same request never fits. */
const tooLargeWords = /request too large for/i;
const filterWords =
  /content exists risk|content management policy|considered high risk|inappropriate content|was (?:flagged|filtered)|moderation|content.?filter|safety (?:system|policy)|guardrail|敏感内容|不安全/i;
const authWords =
  /api[ _]?key (?:not valid|is invalid|is missing|expired)|(?:invalid|incorrect|missing) api[ _]?key|unauthori[sz]ed|invalid x-api-key/i;
const unloadedWords = /model (?:was |has been )?unloaded|model has crashed|failed to load (?:the )?model/i;
const modelWords =
  /model not exist|model .{0,80}(?:does not exist|not found|doesn't exist|is not available)|requested model is not supported|no models? loaded|(?:unknown|no such|invalid) model|not a valid model|decommissioned/i;

/** By the status of an HTML page: its text is for people. */
const ofPages: Readonly<Record<number, ErrorReason>> = {
  401: 'auth',
  403: 'auth',
  404: 'notFound',
  407: 'network',
  413: 'contextLength',
  429: 'rateLimit',
};

const has =
  (codes: readonly string[]) =>
  ({ body }: Seen): boolean =>
    body.codes.some((code) => codes.includes(code));
const says =
  (words: RegExp) =>
  ({ body }: Seen): boolean =>
    words.test(body.text);
const is =
  (...statuses: readonly number[]) =>
  ({ failure }: Seen): boolean =>
    statuses.includes(failure.status);
const isServers = ({ failure }: Seen): boolean => failure.status >= 500;
/** On DashScope "insufficient_quota" is the limit of tokens per minute; elsewhere the money is gone. */
const isTokensPerMinute = ({ context, body }: Seen): boolean =>
  /dashscope|aliyuncs/i.test(context.host) || body.requestId;
/** LM Studio frees memory, and loads the model again for the next request. */
const isUnloaded = says(unloadedWords);

type Rule = readonly [ErrorReason, (seen: Seen) => boolean];

/**
 * The first that holds decides. Codes come before words, and wording about rates before wording about lengths: "too many tokens per
 * minute" is not an overflow.
 */
const rules: readonly Rule[] = [
  ['badRequest', ({ failure: { status } }) => status >= 300 && status < 400],
  ['contentFilter', (seen) => has(filterCodes)(seen) || seen.body.moderated],
  ['quota', (seen) => is(402)(seen) || has(quotaCodes)(seen)],
  ['rateLimit', (seen) => has(['insufficient_quota'])(seen) && isTokensPerMinute(seen)],
  ['quota', has(['insufficient_quota'])],
  ['auth', (seen) => is(401)(seen) || has(authCodes)(seen)],
  ['contextLength', says(tooLargeWords)],
  ['rateLimit', (seen) => is(529)(seen) || has(rateCodes)(seen)],
  ['quota', (seen) => is(429)(seen) && says(quotaWords)(seen) && !says(rateWords)(seen)],
  ['rateLimit', is(429)],
  ['rateLimit', (seen) => !isServers(seen) && says(rateWords)(seen) && !says(filterWords)(seen)],
  ['contextLength', (seen) => is(413)(seen) || has(contextCodes)(seen) || says(contextWords)(seen)],
  ['contentFilter', says(filterWords)],
  ['notFound', (seen) => is(403)(seen) && has(modelCodes)(seen)],
  ['quota', (seen) => !isServers(seen) && says(quotaWords)(seen)],
  ['auth', (seen) => is(403)(seen) || (!isServers(seen) && says(authWords)(seen))],
  ['badAnswer', has(['tool_use_failed', 'json_validate_failed'])],
  ['streamBroken', (seen) => isUnloaded(seen) && seen.failure.inStream === true],
  ['network', (seen) => isUnloaded(seen) || is(407)(seen)],
  ['notFound', (seen) => is(404)(seen) || has(modelCodes)(seen) || says(modelWords)(seen)],
  [
    'streamBroken',
    ({ failure: { inStream, status } }) => inStream === true && (status < 300 || status === 408 || status >= 500),
  ],
  ['timeout', (seen) => is(408, 504)(seen) || has(['requesttimeout'])(seen)],
  ['rateLimit', is(503)],
  ['network', isServers],
  // Some gateways drop the body when the prompt is too long (seen with 400): a long prompt makes that likely.
  [
    'contextLength',
    ({ body, failure, context: { promptTokens = 0 } }) => body.empty && failure.status === 400 && promptTokens > 3_000,
  ],
  ['badRequest', ({ failure }) => failure.status >= 400],
];

/** Total: any status and any body has a reason. */
export function reasonOf(seen: Seen): ErrorReason {
  const { status } = seen.failure;
  if (seen.body.html && (status < 300 || status >= 400))
    return status >= 500 ? 'network' : (ofPages[status] ?? 'badAnswer');
  return rules.find(([, holds]) => holds(seen))?.[0] ?? 'badAnswer';
}
