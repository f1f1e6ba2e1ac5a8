import type * as z from 'zod';
import { type ErrorReason, ResearchError } from '../../research/errors.ts';
import { isRecord, parseJson } from '../../research/text/json.ts';
import { redact } from '../../research/text/redact.ts';
import { type ServiceContext } from '../source.ts';
import { endpointUrl } from './endpointUrl.ts';
import type { PoliteAnswer, PoliteRequest } from './httpSession.ts';

/** What an answer with an error status means. */
export interface Refusal {
  readonly reason: ErrorReason;
  /** A sentence without its end, which may quote the service. */
  readonly what: (label: string) => string;
  readonly next: string;
}

/** How a service is asked. */
export interface JsonServiceOptions extends Pick<PoliteRequest, 'headers' | 'scheme' | 'timeoutMs' | 'check'> {
  /** In messages ("Crossref"). */
  readonly label: string;
  /** Sent while there is no key. */
  readonly keylessHeaders?: Readonly<Record<string, string>>;
  /** It answers nothing without its key. Elsewhere a key that it refuses is left out for the rest of the run. */
  readonly needsKey?: boolean;
  /** What the body of a failure says, beside `error`, `message` and `detail`. */
  readonly said?: (body: unknown) => string | undefined;
  /** What helps when it forbids a request (403). */
  readonly forbiddenNext?: string;
  /** Statuses that mean something else here than they mostly do. */
  readonly refusal?: (status: number, said: string) => Refusal | undefined;
}

export interface TextRequest extends Partial<Pick<PoliteRequest, 'accept' | 'bucket' | 'check'>> {
  /** Begins with a slash. */
  readonly path: string;
  /** Absent: the service's own. */
  readonly endpoint?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Absent: a GET. */
  readonly body?: object;
  readonly freshMs: number;
}

export interface JsonRequest<T> extends TextRequest {
  readonly schema: z.ZodType<T>;
}

/** A service that answers in JSON, asked for one run. */
export class JsonService {
  readonly #context: ServiceContext;
  readonly #options: JsonServiceOptions;
  #keyIsRefused = false;

  constructor(context: ServiceContext, options: JsonServiceOptions) {
    this.#context = context;
    this.#options = options;
  }

  async hasKey(): Promise<boolean> {
    return (await this.#context.key()) !== undefined;
  }

  /** A sentence for the user once the saved key was refused; the answers come without it. */
  get warning(): string | undefined {
    const { label } = this.#options;
    return this.#keyIsRefused
      ? `${label} rejected the saved key. Requests continue without it, at the limits for anonymous ones.`
      : undefined;
  }

  /** Rejects with the reasons of the client, and `auth`, `quota`, `notFound`, `badRequest` and `badAnswer`. */
  async get<T>(request: JsonRequest<T>, signal: AbortSignal): Promise<T> {
    return (await this.answer(request, signal)).data;
  }

  /** As {@link get}, with the answer that the data is from. */
  async answer<T>(
    request: JsonRequest<T>,
    signal: AbortSignal,
  ): Promise<{ readonly data: T; readonly answer: PoliteAnswer }> {
    const answer = await this.getText(request, signal);
    const parsed = request.schema.safeParse(parseJson(answer.text));
    if (!parsed.success) throw this.unknownFormat();
    return { data: parsed.data, answer };
  }

  /** As {@link get}, for a body of any type: `accept` says which. */
  async getText(request: TextRequest, signal: AbortSignal): Promise<PoliteAnswer> {
    const saved = await this.#context.key();
    const key = this.#keyIsRefused || saved === '' ? undefined : saved;
    let answer = await this.#ask(request, key, signal);
    if (key !== undefined && answer.status === 401 && !this.#options.needsKey) {
      this.#keyIsRefused = true;
      answer = await this.#ask(request, undefined, signal);
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw this.#refusal(answer, saved);
  }

  /** The error for an answer of another shape. */
  unknownFormat(): ResearchError {
    const message = `${this.#options.label}'s answer has an unknown format.`;
    return new ResearchError('badAnswer', message, { origin: this.#origin, next: 'Use the other sources.' });
  }

  /** The error for an answer of status 200 that says what was wrong with the request. */
  async rejected(said: string): Promise<ResearchError> {
    return this.#errorOf(rejection, said, await this.#context.key());
  }

  get #origin(): string {
    return new URL(this.#context.endpoint).origin;
  }

  #ask(request: TextRequest, key: string | undefined, signal: AbortSignal): Promise<PoliteAnswer> {
    const { path, parameters, endpoint = this.#context.endpoint, body, freshMs, bucket } = request;
    const { accept = 'application/json', check = this.#options.check } = request;
    const { scheme, timeoutMs, headers, keylessHeaders } = this.#options;
    return this.#context.session.get(
      {
        ...{ url: endpointUrl(endpoint, path, parameters), accept, freshMs, bucket, timeoutMs, token: key, scheme },
        headers: { ...headers, ...(key === undefined ? keylessHeaders : {}) },
        body: body && JSON.stringify(body),
        check: (answer) => check?.(answer) ?? (accept.includes('json') ? this.#checkJson(answer) : undefined),
      },
      signal,
    );
  }

  #checkJson({ status, text }: PoliteAnswer): ReturnType<NonNullable<PoliteRequest['check']>> {
    return status === 200 && parseJson(text) === undefined
      ? { verdict: 'broken', why: `${this.#options.label}'s answer is not JSON (perhaps a proxy's web page).` }
      : undefined;
  }

  #refusal({ status, text }: PoliteAnswer, key: string | undefined): ResearchError {
    const body = parseJson(text);
    const said = redacted(this.#options.said?.(body) ?? saidIn(body), key);
    const refusal = this.#options.refusal?.(status, said) ?? this.#meaningOf(status, key);
    return this.#errorOf(refusal, said, key, status);
  }

  /** @param key Services were seen to repeat it. */
  #errorOf({ reason, what, next }: Refusal, text: string, key: string | undefined, status?: number): ResearchError {
    const said = redacted(text, key).replace(/\.$/, '');
    const quoted = said === '' ? '' : `: ${said}.`;
    const details = { quoted, origin: this.#origin, next, ...(status === undefined ? {} : { status }) };
    const message = what(this.#options.label);
    return new ResearchError(reason, said === '' ? `${message}.` : `${message}: ${said}.`, details);
  }

  #meaningOf(status: number, key: string | undefined): Refusal {
    const { label, forbiddenNext } = this.#options;
    const what = () => (key ? `${label} rejected the key` : `${label} requires a key for this request`);
    if (status === 401) return { reason: 'auth', what, next: `Set a valid key for ${label}.` };
    if (status === 403)
      return { reason: 'auth', what: () => `${label} refused this request`, next: forbiddenNext ?? useOthers };
    return meanings[status] ?? { ...rejection, what: () => `${label} rejected this request (HTTP ${status})` };
  }
}

const useOthers = 'Use the other sources.';
const nothing = {
  reason: 'notFound',
  what: (label: string) => `${label} has nothing there`,
  next: 'Check the id or the title, or search for it.',
} as const;
const meanings: Readonly<Record<number, Refusal>> = {
  402: { reason: 'quota', what: (label) => `${label} wants to be paid`, next: useOthers },
  404: nothing,
  410: nothing,
  451: { reason: 'notFound', what: (label) => `${label} can't show this for legal reasons`, next: useOthers },
};
const rejection: Refusal = {
  reason: 'badRequest',
  what: (label) => `${label} rejected this request`,
  next: 'Ask in other words.',
};

/** A text of the service as it may be repeated: on one line, without the key. */
function redacted(text: string, key: string | undefined): string {
  return redact(text.slice(0, 2_000), [key]).replace(/\s+/g, ' ').trim().slice(0, 300);
}

/** `{error}`, `{error: {message}}`, `{message}`, `{detail}`, `{detail: {error}}`. */
function saidIn(body: unknown): string {
  if (!isRecord(body)) return '';
  const { error, message, detail } = body;
  return [error, message, detail]
    .flatMap((part) => (isRecord(part) ? [part['error'], part['message']] : [part]))
    .filter((part) => typeof part === 'string')
    .join(': ');
}
