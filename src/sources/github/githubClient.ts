import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { redact } from '../../research/text/redact.ts';
import type { PoliteAnswer, PoliteRequest } from '../http/httpSession.ts';
import { type SourceContext } from '../source.ts';
import { endpointUrl } from '../http/endpointUrl.ts';
import { parseJson } from '../../research/text/json.ts';

export interface GithubAnswer<T> {
  readonly data: T;
  /** Searches or requests left in this window, when the answer came fresh and says so. */
  readonly remaining: number | undefined;
  /** Set once, when the saved key was refused and the answer came without it. */
  readonly warning: string | undefined;
}

export interface GithubClient {
  /** GETs a path below the API's base. Rejects with the reasons of the client, and `auth`, `notFound`, `badRequest`, `badAnswer`. */
  get<T>(
    path: string,
    parameters: Readonly<Record<string, string>>,
    schema: z.ZodType<T>,
    freshMs: number,
    signal: AbortSignal,
  ): Promise<GithubAnswer<T>>;
  /** Asks the GraphQL API, which needs a key. Rejects as {@link get} does. */
  query<T>(
    text: string,
    variables: Readonly<Record<string, unknown>>,
    schema: z.ZodType<T>,
    freshMs: number,
    signal: AbortSignal,
  ): Promise<GithubAnswer<T>>;
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

export function createGithubClient(context: SourceContext): GithubClient {
  const { endpoint, session, log } = context;
  let refused = false;
  let isReported = false;

  const send = (request: Omit<PoliteRequest, 'accept' | 'headers'>, signal: AbortSignal): Promise<PoliteAnswer> =>
    session.get(
      {
        // With the lines that matched, which only code search has.
        accept: request.bucket === 'code' ? 'application/vnd.github.text-match+json' : 'application/vnd.github+json',
        headers: { 'x-github-api-version': '2022-11-28' },
        ...request,
      },
      signal,
    );

  async function answerOf<T>(
    request: Omit<PoliteRequest, 'accept' | 'headers' | 'token'>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<GithubAnswer<T>> {
    const saved = await context.key();
    const key = refused || saved === undefined || saved === '' ? undefined : saved;
    let answer = await send({ ...request, ...(key === undefined ? {} : { token: key }) }, signal);
    if (answer.status === 401 && key !== undefined) {
      refused = true;
      answer = await send(request, signal);
    }
    const warning =
      refused && !isReported
        ? 'GitHub rejected the saved key. Searches continue without it, at the lower rate limit for anonymous requests.'
        : undefined;
    if (warning !== undefined) {
      isReported = true;
      log.warn(warning);
    }
    const body = parseJson(answer.text);
    if (answer.status !== 200) throw refusal(answer, body, refused, saved);
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw unknownFormat();
    const remaining = answer.fromCache ? undefined : Number.parseInt(answer.headers['x-ratelimit-remaining'] ?? '', 10);
    return {
      data: parsed.data,
      remaining: remaining === undefined || Number.isNaN(remaining) ? undefined : remaining,
      warning,
    };
  }

  return {
    get: (path, parameters, schema, freshMs, signal) =>
      answerOf(
        { url: endpointUrl(endpoint, path, parameters), bucket: bucketOf(path), freshMs, check },
        schema,
        signal,
      ),
    async query(text, variables, schema, freshMs, signal) {
      const body = JSON.stringify({ query: text, variables });
      const request = { url: graphqlUrl(endpoint), body, bucket: 'graphql', freshMs, check: checkGraphql };
      const answer = await answerOf(request, graphqlBody, signal);
      const [problem] = answer.data.errors;
      const parsed = schema.safeParse(answer.data.data);
      if (parsed.success) return { ...answer, data: parsed.data };
      if (problem === undefined) throw unknownFormat();
      const why = redact(problem.slice(0, 300), [await context.key()])
        .replace(/\s+/g, ' ')
        .trim();
      const quoted = `: ${why.replace(/\.$/, '')}.`;
      throw new ResearchError('badRequest', `GitHub rejected this request${quoted}`, {
        quoted,
        next: 'Ask in other words.',
      });
    },
  };
}

/** Quotas of the service: searches, searches for code, and everything else have their own (REST API, rate limits). */
function bucketOf(path: string): string {
  if (path === '/search/code') return 'code';
  return path.startsWith('/search/') ? 'search' : 'core';
}

/** `https://HOST/api/v3` of an enterprise server has its GraphQL at `https://HOST/api/graphql`. */
function graphqlUrl(endpoint: string): string {
  return endpointUrl(endpoint.replace(/\/v3\/?$/, ''), '/graphql');
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
    : check?.(answer);

function unknownFormat(): ResearchError {
  return new ResearchError('badAnswer', "GitHub's answer has an unknown format.", { next: 'Use the other sources.' });
}

const check: PoliteRequest['check'] = ({ status, text }) =>
  status === 200 && parseJson(text) === undefined
    ? { verdict: 'broken', why: "GitHub's answer is not JSON (perhaps a proxy's web page)." }
    : undefined;

/** @param key Services were seen to repeat it. */
function refusal(answer: PoliteAnswer, body: unknown, keyRefused: boolean, key: string | undefined): ResearchError {
  const { message = '', errors = [] } = errorBody.safeParse(body).data ?? {};
  const details = errors.map((error) =>
    typeof error === 'string' ? error : (error?.message ?? `${error?.field ?? ''} ${error?.code ?? ''}`.trim()),
  );
  const said = [message, ...details].map((text) => redact(text.slice(0, 2_000), [key]).replace(/\s+/g, ' ').trim());
  const why = said
    .filter((text) => text !== '')
    .map((text) => text.replace(/\.$/, ''))
    .join(': ')
    .slice(0, 300);
  const { status } = answer;
  const quoted = why === '' ? '' : `: ${why}.`;
  if (status === 401) {
    const problem = keyRefused
      ? 'GitHub rejected the saved key, and this request needs one.'
      : `GitHub requires a key for this request${quoted || '.'}`;
    return new ResearchError('auth', problem, { status, quoted, next: 'Set a valid GitHub key.' });
  }
  if (status === 403)
    return new ResearchError('auth', `GitHub refused this request${quoted || '.'}`, {
      status,
      quoted,
      next: 'Use another source.',
    });
  if (status === 404 || status === 410) {
    return new ResearchError('notFound', 'GitHub has nothing there: it does not exist, is private or has no README.', {
      status,
      next: 'Check the name, or search for it.',
    });
  }
  if (status === 451)
    return new ResearchError('notFound', "GitHub can't show this for legal reasons.", {
      status,
      next: 'Use another source.',
    });
  return new ResearchError('badRequest', `GitHub rejected this request (HTTP ${status})${quoted || '.'}`, {
    status,
    quoted,
    next: 'Ask in other words.',
  });
}
