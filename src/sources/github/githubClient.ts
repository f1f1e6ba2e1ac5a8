import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { redact } from '../../research/text/redact.ts';
import type { PoliteAnswer, PoliteRequest } from '../http/politeClient.ts';
import { endpointUrl, type SourceContext } from '../source.ts';

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

  async function ask(
    path: string,
    parameters: Readonly<Record<string, string>>,
    freshMs: number,
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<PoliteAnswer> {
    return session.get(
      {
        url: endpointUrl(endpoint, path, parameters),
        accept: 'application/vnd.github+json',
        headers: { 'x-github-api-version': '2022-11-28' },
        bucket: path.startsWith('/search/') ? 'search' : 'core',
        freshMs,
        check,
        ...(key === undefined ? {} : { token: key }),
      },
      signal,
    );
  }

  return {
    async get(path, parameters, schema, freshMs, signal) {
      const saved = await context.key();
      const key = refused || saved === undefined || saved === '' ? undefined : saved;
      let answer = await ask(path, parameters, freshMs, key, signal);
      if (answer.status === 401 && key !== undefined) {
        refused = true;
        answer = await ask(path, parameters, freshMs, undefined, signal);
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
      if (!parsed.success)
        throw new ResearchError('badAnswer', "GitHub's answer has an unknown format.", {
          next: 'Use the other sources.',
        });
      const remaining = answer.fromCache
        ? undefined
        : Number.parseInt(answer.headers['x-ratelimit-remaining'] ?? '', 10);
      return {
        data: parsed.data,
        remaining: remaining === undefined || Number.isNaN(remaining) ? undefined : remaining,
        warning,
      };
    },
  };
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
