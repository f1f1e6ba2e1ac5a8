import { type ErrorDetails, type ErrorReason, ResearchError } from '../../research/errors.ts';
import { redact } from '../../research/text/redact.ts';
import { AwakeTimer, untilAborted } from '../../research/calls/waiting.ts';

/** One attempt: a GET or POST with redirects, a time limit and a size limit. */
export interface Exchange {
  readonly fetch: typeof globalThis.fetch;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body: string | undefined;
  /** Sent as `Authorization` to the origin of `url` only. */
  readonly authorization: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The body's bytes as characters of Latin-1, not as UTF-8. */
  readonly isBinary: boolean;
  /** Name of the service in messages. */
  readonly service: string;
}

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const maxRedirects = 3;

/** Rejects with `network`, `timeout` or `badAnswer`; with `signal.reason` when aborted. */
export async function exchange(request: Exchange, signal: AbortSignal): Promise<RawAnswer> {
  const own = new AbortController();
  const timer = new AwakeTimer(request.timeoutMs, () => own.abort(timeoutOf(request)));
  const together = AbortSignal.any([signal, own.signal]);
  try {
    together.throwIfAborted();
    // A `fetch` that ignores its signal must not hold the caller.
    return await untilAborted(read(request, together), together);
  } catch (error) {
    if (together.aborted) throw together.reason;
    throw networkError(error, request);
  } finally {
    timer.end();
  }
}

async function read(request: Exchange, signal: AbortSignal): Promise<RawAnswer> {
  const response = await follow(request, signal);
  const text = await readText(response, request);
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

async function follow(request: Exchange, signal: AbortSignal): Promise<Response> {
  let url = request.url;
  for (let hop = 0; ; hop += 1) {
    const headers: Record<string, string> = { ...request.headers };
    if (request.authorization !== undefined && url.origin === request.url.origin)
      headers['authorization'] = request.authorization;
    const post = request.body === undefined ? {} : { method: 'POST', body: request.body };
    const response = await request.fetch(url.href, { ...post, headers, redirect: 'manual', signal });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
    if (hop >= maxRedirects || next === undefined || !mayFollow(request.url, next)) {
      const message = `${request.service} redirects to another address (${placeOf(next, request)}), which is not followed.`;
      const more = { status: response.status, next: 'Check the endpoint in the settings.' };
      throw failure('badAnswer', request, message, more);
    }
    url = next;
  }
}

/** Host of a redirect for a message: it may repeat the key, and be of any length. */
function placeOf(url: URL | undefined, { authorization }: Exchange): string {
  if (url === undefined) return 'not an address';
  return redact(url.host, [authorization?.split(' ').at(-1)]).slice(0, 100);
}

/** A redirect stays within the origin; only a public http address may lead to the same host's https. */
function mayFollow(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false;
  if (to.origin === from.origin) return true;
  const upgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return upgrade && to.hostname === from.hostname;
}

async function readText(response: Response, request: Exchange): Promise<string> {
  const { service, maxBytes, isBinary } = request;
  const tooLarge = (): ResearchError => {
    const message = `The answer from ${service} is larger than ${Math.round(maxBytes / 1_000_000)} MB and was not read.`;
    return failure('badAnswer', request, message, { next: 'Request less at a time.' });
  };
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  // Leaving the loop ends the download.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    text += isBinary ? Buffer.from(chunk).toString('latin1') : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function failure(reason: ErrorReason, { url }: Exchange, message: string, more: ErrorDetails): ResearchError {
  return new ResearchError(reason, message, { origin: url.origin, ...more });
}

function timeoutOf(request: Exchange): ResearchError {
  const message = `${request.service} did not answer within ${Math.round(request.timeoutMs / 1_000)} s.`;
  return failure('timeout', request, message, { next: 'Use the other sources.' });
}

/** Codes that mean that no connection was made: a retry within the run would only cost time. */
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*|UNABLE_TO_.*)$/;

/** Whether the error means that the host can't be reached at all. */
export function isUnreachable(error: unknown): boolean {
  return ResearchError.is(error, 'network') && error.isUnreachable;
}

function networkError(error: unknown, request: Exchange): ResearchError {
  if (ResearchError.is(error)) return error;
  const code = isBadPort(error) ? 'a port that fetch blocks' : codeOf(error);
  if (code !== undefined && (isBadPort(error) || unreachable.test(code))) {
    const more = { cause: error, isUnreachable: true, next: 'Check the network and the endpoint in the settings.' };
    return failure('network', request, `${request.service} can't be reached (${request.url.host}: ${code}).`, more);
  }
  const message = `The connection to ${request.service} was lost${code === undefined ? '' : ` (${code})`}.`;
  return failure('network', request, message, { cause: error, next: 'Try again later.' });
}

/** Ports that the fetch standard blocks ("port blocking"): Node names them so, and gives no code. */
function isBadPort(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
}

/** The first system error code in the chain of causes; `fetch` hides it one or two levels deep. */
export function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return codeOf(cause, depth + 1) ?? (Array.isArray(errors) ? codeOf(errors[0], depth + 1) : undefined);
}
