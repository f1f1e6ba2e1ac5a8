import type * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { redact } from '../../research/text/redact.ts';
import { type ServiceContext } from '../source.ts';
import { endpointUrl } from './endpointUrl.ts';
import type { PoliteAnswer, PoliteRequest } from './httpSession.ts';
import { parseJson } from '../../research/text/json.ts';

/** How a service is asked. */
export interface JsonServiceOptions {
  /** In messages ("Crossref"). */
  readonly label: string;
  /** How the key is sent; absent: as a bearer token. */
  readonly keyHeader?: string;
  /** Statuses with which it refuses a wrong key; the request is sent again without one. */
  readonly refusesKeyWith?: readonly number[];
  /** What the body of a failure says, beside `error`, `message` and `detail`. */
  readonly said?: (body: unknown) => string | undefined;
  readonly check?: PoliteRequest['check'];
}

export interface JsonRequest<T> {
  /** Begins with a slash. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly schema: z.ZodType<T>;
  readonly freshMs: number;
}

/** A service that answers GET requests in JSON, asked for one run. */
export class JsonService {
  readonly #context: ServiceContext;
  readonly #options: JsonServiceOptions;
  #keyIsRefused = false;

  constructor(context: ServiceContext, options: JsonServiceOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** A sentence for the user once the saved key was refused; the answers come without it. */
  get warning(): string | undefined {
    const { label } = this.#options;
    return this.#keyIsRefused
      ? `${label} rejected the saved key. Requests continue without it, at the limits for anonymous ones.`
      : undefined;
  }

  /**
   * Rejects with the reasons of the client, and `auth`, `notFound`, `badRequest` and `badAnswer`.
   * @param accept Absent: JSON.
   */
  async get<T>(request: JsonRequest<T>, signal: AbortSignal): Promise<T> {
    const { label } = this.#options;
    const { text } = await this.getText(request, 'application/json', signal);
    const parsed = request.schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    throw new ResearchError('badAnswer', `The answer from ${label} has an unknown format.`, {
      origin: new URL(this.#context.endpoint).origin,
      next: 'Use the other sources.',
    });
  }

  /** As {@link get}, for a body of another type. */
  async getText(
    { path, parameters, freshMs }: Pick<JsonRequest<unknown>, 'path' | 'parameters' | 'freshMs'>,
    accept: string,
    signal: AbortSignal,
  ): Promise<PoliteAnswer> {
    const { endpoint, session } = this.#context;
    const { keyHeader, refusesKeyWith = [401], check } = this.#options;
    const ask = (key: string | undefined): Promise<PoliteAnswer> =>
      session.get(
        {
          url: endpointUrl(endpoint, path, parameters),
          accept,
          freshMs,
          check: (answer) => check?.(answer) ?? (accept === 'application/json' ? this.#checkJson(answer) : undefined),
          ...(key === undefined ? {} : keyHeader === undefined ? { token: key } : { headers: { [keyHeader]: key } }),
        },
        signal,
      );
    const saved = this.#keyIsRefused ? undefined : await this.#context.key();
    const key = saved === '' ? undefined : saved;
    let answer = await ask(key);
    if (key !== undefined && refusesKeyWith.includes(answer.status)) {
      this.#keyIsRefused = true;
      answer = await ask(undefined);
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw this.#refusal(answer, saved);
  }

  #checkJson({ status, text }: PoliteAnswer): ReturnType<NonNullable<PoliteRequest['check']>> {
    return status === 200 && parseJson(text) === undefined
      ? { verdict: 'broken', why: `The answer from ${this.#options.label} is not JSON (perhaps a proxy's web page).` }
      : undefined;
  }

  #refusal({ status, text }: PoliteAnswer, key: string | undefined): ResearchError {
    const { label } = this.#options;
    const said = redact(this.#said(text).slice(0, 2_000), [key]).replace(/\s+/g, ' ').trim().slice(0, 300);
    const quoted = said === '' ? '' : `: ${said.replace(/\.$/, '')}.`;
    const details = { status, quoted, origin: new URL(this.#context.endpoint).origin };
    if (status === 404 || status === 410)
      return new ResearchError('notFound', `${label} has nothing there.`, {
        ...details,
        next: 'Check the id or the title, or search for it.',
      });
    if (status === 401 || status === 403)
      return new ResearchError('auth', `${label} refused this request${quoted || '.'}`, {
        ...details,
        next: 'Use the other sources.',
      });
    return new ResearchError('badRequest', `${label} rejected this request (HTTP ${status})${quoted || '.'}`, {
      ...details,
      next: 'Ask in other words.',
    });
  }

  #said(text: string): string {
    const body = parseJson(text);
    const own = this.#options.said?.(body);
    if (own !== undefined) return own;
    if (typeof body !== 'object' || body === null) return '';
    const { error, message, detail } = body as { error?: unknown; message?: unknown; detail?: unknown };
    return [error, message, detail].filter((part) => typeof part === 'string').join(': ');
  }
}
