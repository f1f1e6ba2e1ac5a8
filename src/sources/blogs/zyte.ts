import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { redact } from '../../research/text/redact.ts';
import { type ServiceContext } from '../source.ts';
import { endpointUrl } from '../http/endpointUrl.ts';
import { parseJson } from '../../research/text/json.ts';

/** Below it a page is no article, Zyte says. */
const leastProbability = 0.5;
/** Calls take seconds to minutes; a tool may take two. */
const timeoutMs = 100_000;
const freshMs = 60 * 60 * 1_000;
const nullableText = z.string().nullish();
const probability = z.object({ probability: z.number().catch(1) }).nullish();

const article = z.object({
  url: z.string(),
  headline: nullableText,
  datePublished: nullableText,
  authors: z.array(z.object({ name: nullableText })).nullish(),
  articleBody: nullableText,
  metadata: probability,
});
export type ZyteArticle = z.infer<typeof article>;
const answer = z.object({
  statusCode: z.number().nullish(),
  article: article.nullish(),
  articleList: z.object({ articles: z.array(z.unknown()).max(1_000) }).nullish(),
});
const problem = z.object({ title: z.string().catch(''), detail: z.string().catch('') });

/** The articles that a page lists. Rejects as a service does, and with `notFound` when the page itself is gone. */
export async function zyteList(
  service: ServiceContext,
  url: string,
  signal: AbortSignal,
): Promise<readonly ZyteArticle[]> {
  const { articleList } = await extract(service, { url, articleList: true }, signal);
  if (!articleList) throw unknownFormat();
  return articleList.articles.flatMap((one) => {
    const parsed = article.safeParse(one).data;
    return parsed !== undefined && isArticle(parsed) ? [parsed] : [];
  });
}

/** One article; undefined when the page is none. */
export async function zyteArticle(
  service: ServiceContext,
  url: string,
  signal: AbortSignal,
): Promise<ZyteArticle | undefined> {
  const { article: one } = await extract(service, { url, article: true }, signal);
  if (!one) throw unknownFormat();
  return isArticle(one) ? one : undefined;
}

function isArticle({ metadata }: ZyteArticle): boolean {
  return (metadata?.probability ?? 1) >= leastProbability;
}

async function extract(service: ServiceContext, body: object, signal: AbortSignal): Promise<z.infer<typeof answer>> {
  const key = await service.key();
  const given = await service.session.get(
    {
      url: endpointUrl(service.endpoint, '/v1/extract'),
      accept: 'application/json',
      body: JSON.stringify(body),
      ...(key === undefined ? {} : { token: key, scheme: 'Basic' }),
      freshMs,
      timeoutMs,
      check: ({ status, text }) =>
        status === 200 && parseJson(text) === undefined
          ? { verdict: 'broken', why: "Zyte's answer is not JSON (perhaps a proxy's web page)." }
          : undefined,
    },
    signal,
  );
  if (given.status !== 200) throw refusal(given.status, given.text, key);
  const parsed = answer.safeParse(parseJson(given.text));
  if (!parsed.success) throw unknownFormat();
  const { statusCode } = parsed.data;
  if (typeof statusCode === 'number' && statusCode >= 400)
    throw new ResearchError('notFound', `The page does not open (HTTP ${statusCode} at its own server).`, {
      status: statusCode,
      next: 'Use another page.',
    });
  return parsed.data;
}

function unknownFormat(): ResearchError {
  return new ResearchError('badAnswer', "Zyte's answer has an unknown format.", { next: 'Use the other sources.' });
}

function refusal(status: number, text: string, key: string | undefined): ResearchError {
  const { title = '', detail = '' } = problem.safeParse(parseJson(text)).data ?? {};
  const said = redact(`${title}: ${detail}`.slice(0, 1_000), [key]).replace(/\s+/g, ' ').slice(0, 200);
  const quoted = /\p{L}/u.test(said) ? `: ${said}` : '';
  const error = (reason: 'auth' | 'quota' | 'notFound' | 'badRequest', what: string, next: string): ResearchError =>
    new ResearchError(reason, `Zyte ${what} (HTTP ${status})${quoted}`, { status, quoted, next });
  if (status === 401) return error('auth', 'rejected the key', 'Set a valid Zyte key.');
  if (status === 402) return error('quota', 'wants to be paid', 'Use the other sources.');
  if (status === 403) return error('auth', 'refused the request', 'Check the Zyte account.');
  if (status === 404) return error('notFound', 'has nothing there', 'Check its address in the settings.');
  if (status === 451) return error('auth', 'may not open this site', 'Use another page.');
  return error('badRequest', 'rejected the request', 'Use another page.');
}
