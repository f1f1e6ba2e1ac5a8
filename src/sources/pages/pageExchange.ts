import { lookup as systemLookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AwakeTimer, untilAborted } from '../../research/calls/waiting.ts';
import { ResearchError } from '../../research/errors.ts';
import { codeOf } from '../http/exchange.ts';
import { type AllowedHosts, checkAddress, checkResolved, hostOf, pageError } from './addressGuard.ts';

/** One GET of a page, without its redirects. */
export interface PageExchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowed: AllowedHosts;
  /** All addresses of a name, as the system finds them. */
  readonly resolve: Resolve;
  /** Set behind a proxy, which looks names up itself and connects: the host's `fetch`. */
  readonly proxyFetch: ProxyFetch | undefined;
  /** From the look-up to the last byte. */
  readonly timeoutMs: number;
  /** Between two pieces of the answer. */
  readonly idleMs: number;
  /** Of the body, compressed and unpacked. */
  readonly maxBytes: number;
  /** Whether a body of this `content-type` is wanted; another is not downloaded. */
  readonly accepts: (contentType: string) => boolean;
}

export type ProxyFetch = typeof globalThis.fetch;
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface ExchangedPage {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a redirect. */
  readonly bytes: Uint8Array;
}

interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  /** `fetch` has unpacked it already. */
  readonly isUnpacked: boolean;
}

export const systemResolve: Resolve = async (host) =>
  (await systemLookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * Rejects with `badRequest` for an address that is not public, `timeout`, `network`, or `badAnswer` for a body that is too large or
 * broken; with `signal.reason` when aborted.
 */
export async function exchangePage(request: PageExchange, signal: AbortSignal): Promise<ExchangedPage> {
  const { url, timeoutMs, idleMs } = request;
  const own = new AbortController();
  const seconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1_000))} s`;
  const late = (ms: number, what: string) => (): void =>
    own.abort(pageError('timeout', url, `${url.host} ${what} within ${seconds(ms)}.`));
  const whole = new AwakeTimer(timeoutMs, late(timeoutMs, 'did not send the whole page'));
  const silence = new AwakeTimer(idleMs, late(idleMs, 'sent nothing'));
  const together = AbortSignal.any([signal, own.signal]);
  try {
    return await untilAborted(
      read(request, () => silence.restart(), together),
      together,
    );
  } catch (error) {
    if (together.aborted) throw together.reason;
    throw asFailure(error, url);
  } finally {
    whole.end();
    silence.end();
    // The connection of an answer that is no longer wanted must be closed.
    own.abort();
  }
}

async function read(request: PageExchange, heard: () => void, signal: AbortSignal): Promise<ExchangedPage> {
  checkAddress(request.url, request.allowed);
  const answer = await (request.proxyFetch === undefined
    ? openDirectly(request, signal)
    : openThroughProxy(request, request.proxyFetch, signal));
  heard();
  const { status, headers, body } = answer;
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect) {
    body.destroy();
    return { status, headers, bytes: new Uint8Array() };
  }
  try {
    return { status, headers, bytes: await readBody(answer, request, heard) };
  } finally {
    body.destroy();
  }
}

/** The address that was checked is the one that is connected to, however often the name changes its answer. */
async function openDirectly(request: PageExchange, signal: AbortSignal): Promise<OpenAnswer> {
  const { url, headers, allowed, resolve } = request;
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolve(host);
  checkResolved(url, addresses, allowed);
  const lookup: LookupFunction = (_name, { all }, found) => {
    const list = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) found(null, list);
    else found(null, list[0]?.address ?? '', list[0]?.family);
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolveAnswer, reject) => {
    // No agent: its pool would reuse a connection that another look-up made.
    const sent = send(url, { headers, lookup, agent: false, signal }, resolveAnswer);
    sent.on('error', reject);
    sent.end();
  });
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value = '']) => [name, [value].flat().join(', ')]),
    ),
    body: answer,
    isUnpacked: false,
  };
}

/** Behind a proxy a name that resolves here must resolve to a public address; one that does not is left to the proxy. */
async function openThroughProxy(
  { url, headers, allowed, resolve }: PageExchange,
  fetch: ProxyFetch,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolve(host).catch(() => []);
  if (addresses.length > 0) checkResolved(url, addresses, allowed);
  const response = await fetch(url.href, { headers, redirect: 'manual', signal });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never),
    isUnpacked: true,
  };
}

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

async function readBody(answer: OpenAnswer, request: PageExchange, heard: () => void): Promise<Uint8Array> {
  const { url, maxBytes } = request;
  const { status, headers, body } = answer;
  const type = headers['content-type'] ?? '';
  if (status === 200 && !request.accepts(type)) throw broken(url, `it is of the type ${type.slice(0, 60)}`);
  const tooLarge = (): ResearchError =>
    pageError('badAnswer', url, `The page at ${url.host} is larger than ${Math.round(maxBytes / 1_000_000)} MB.`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  let unpacked = body;
  if (!answer.isUnpacked && encoding !== '' && encoding !== 'identity') {
    if (!(encoding in unpackers)) throw broken(url, `its encoding "${encoding.slice(0, 40)}" is not known`);
    const unpacker = unpackers[encoding as keyof typeof unpackers]();
    body.on('error', (error) => unpacker.destroy(error));
    unpacked = body.pipe(unpacker);
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  let packed = 0;
  body.on('data', (piece: Uint8Array) => {
    packed += piece.byteLength;
    if (packed > maxBytes) unpacked.destroy(tooLarge());
  });
  try {
    for await (const piece of unpacked as AsyncIterable<Uint8Array>) {
      heard();
      size += piece.byteLength;
      if (size > maxBytes) throw tooLarge();
      pieces.push(piece);
    }
  } finally {
    unpacked.destroy();
  }
  return Buffer.concat(pieces);
}

function broken(url: URL, why: string): ResearchError {
  return pageError('badAnswer', url, `The page at ${url.host} can't be read: ${why}.`);
}

function asFailure(error: unknown, url: URL): ResearchError {
  if (ResearchError.is(error)) return error;
  const code = codeOf(error) ?? 'unknown reason';
  if (/^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_PADDING|ERR__)/.test(code))
    return broken(url, 'its compression is damaged');
  if (/^HPE_/.test(code)) return broken(url, 'the server does not speak HTTP as a web server does');
  return pageError('network', url, `${url.host} can't be reached (${code}).`, { cause: error });
}
