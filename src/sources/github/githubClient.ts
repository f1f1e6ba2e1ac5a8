import * as z from 'zod';
import type { PoliteRequest } from '../http/httpSession.ts';
import { type JsonRequest, JsonService } from '../http/jsonService.ts';
import { type SourceContext } from '../source.ts';
import type { ResearchError } from '../../research/errors.ts';
import { parseJson } from '../../research/text/json.ts';

export interface GithubAnswer<T> {
  readonly data: T;
  /** Searches or requests left in this window, when the answer came fresh and says so. */
  readonly remaining: number | undefined;
  /** Set once, when the saved key was refused and the answer came without it. */
  readonly warning: string | undefined;
}

const errorDetail = z.object({
  message: z.string().optional(),
  field: z.string().optional(),
  code: z.string().optional(),
});
const errorBody = z.object({
  message: z.string().catch(''),
  errors: z
    .array(z.unknown())
    .transform((errors) => errors.slice(0, 5).map((error) => z.union([z.string(), errorDetail]).safeParse(error).data))
    .catch([]),
});

export class GithubClient {
  readonly #context: SourceContext;
  readonly #service: JsonService;
  #isReported = false;

  constructor(context: SourceContext) {
    this.#context = context;
    this.#service = new JsonService(context, {
      label: 'GitHub',
      headers: { 'x-github-api-version': '2022-11-28' },
      said,
      refusal: (status) => (status === 404 || status === 410 ? nothingThere : undefined),
    });
  }

  /** GETs a path below the API's base. Rejects with the reasons of the service. */
  get<T>(request: JsonRequest<T>, signal: AbortSignal): Promise<GithubAnswer<T>> {
    return this.#answer({ ...request, bucket: bucketOf(request.path) }, signal);
  }

  /** Asks the GraphQL API, which needs a key. Rejects as {@link get} does. */
  async query<T>(
    { schema, ...request }: Pick<JsonRequest<T>, 'schema' | 'body' | 'freshMs'>,
    signal: AbortSignal,
  ): Promise<GithubAnswer<T>> {
    // `https://HOST/api/v3` of an enterprise server has its GraphQL at `https://HOST/api/graphql`.
    const endpoint = this.#context.endpoint.replace(/\/v3\/?$/, '');
    const about = { endpoint, path: '/graphql', bucket: 'graphql', schema: graphqlBody, check: checkGraphql };
    const answer = await this.#answer({ ...request, ...about }, signal);
    const parsed = schema.safeParse(answer.data.data);
    if (parsed.success) return { ...answer, data: parsed.data };
    const [problem] = answer.data.errors;
    throw problem === undefined ? this.unknownFormat() : await this.#service.rejected(problem);
  }

  unknownFormat(): ResearchError {
    return this.#service.unknownFormat();
  }

  async #answer<T>(request: JsonRequest<T>, signal: AbortSignal): Promise<GithubAnswer<T>> {
    // With the lines that matched, which only code search has.
    const accept = request.bucket === 'code' ? 'application/vnd.github.text-match+json' : 'application/vnd.github+json';
    const { data, answer } = await this.#service.answer({ ...request, accept }, signal);
    const warning = this.#isReported ? undefined : this.#service.warning;
    if (warning !== undefined) {
      this.#isReported = true;
      this.#context.log.warn(warning);
    }
    const remaining = answer.fromCache ? NaN : Number.parseInt(answer.headers['x-ratelimit-remaining'] ?? '', 10);
    return { data, remaining: Number.isNaN(remaining) ? undefined : remaining, warning };
  }
}

const nothingThere = {
  reason: 'notFound',
  what: (label: string) => `${label} has nothing there: it does not exist, is private or has no README`,
  next: 'Check the name, or search for it.',
} as const;

/** Quotas of the service: searches, searches for code, and everything else have their own (REST API, rate limits). */
function bucketOf(path: string): string {
  if (path === '/search/code') return 'code';
  return path.startsWith('/search/') ? 'search' : 'core';
}

const graphqlBody = z.object({
  data: z.unknown(),
  errors: z
    .array(z.unknown())
    .transform((errors) => errors.slice(0, 5).map((error) => errorDetail.safeParse(error).data?.message ?? ''))
    .catch([]),
});
const limitedBody = z.object({ errors: z.array(z.object({ type: z.literal('RATE_LIMITED') })).min(1) });

/** A used-up quota of GraphQL comes with HTTP 200 (GraphQL API, rate limits). */
const checkGraphql: PoliteRequest['check'] = (answer) =>
  answer.status === 200 && limitedBody.safeParse(parseJson(answer.text)).success
    ? { verdict: 'limited', why: 'The quota of the GraphQL API is used up.' }
    : undefined;

function said(body: unknown): string {
  const { message = '', errors = [] } = errorBody.safeParse(body).data ?? {};
  const details = errors.map((error) =>
    typeof error === 'string' ? error : (error?.message ?? `${error?.field ?? ''} ${error?.code ?? ''}`.trim()),
  );
  return [message, ...details]
    .map((text) => text.trim().replace(/\.$/, ''))
    .filter((text) => text !== '')
    .join(': ');
}
