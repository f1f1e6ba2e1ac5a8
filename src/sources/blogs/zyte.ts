import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { type ServiceContext } from '../source.ts';
import { JsonService } from '../http/jsonService.ts';

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

const forbiddenSite = {
  reason: 'auth',
  what: (label: string) => `${label} may not open this site`,
  next: 'Use another page.',
} as const;

/** Reads articles from pages. */
export function zyteService(context: ServiceContext): JsonService {
  return new JsonService(context, {
    ...{ label: 'Zyte', needsKey: true, scheme: 'Basic', timeoutMs, said },
    refusal: (status) => (status === 451 ? forbiddenSite : undefined),
  });
}

/** The articles that a page lists. Rejects as a service does, and with `notFound` when the page itself is gone. */
export async function zyteList(
  service: JsonService,
  url: string,
  signal: AbortSignal,
): Promise<readonly ZyteArticle[]> {
  const { articleList } = await extract(service, { url, articleList: true }, signal);
  if (!articleList) throw service.unknownFormat();
  return articleList.articles.flatMap((one) => {
    const parsed = article.safeParse(one).data;
    return parsed !== undefined && isArticle(parsed) ? [parsed] : [];
  });
}

/** One article; undefined when the page is none. */
export async function zyteArticle(
  service: JsonService,
  url: string,
  signal: AbortSignal,
): Promise<ZyteArticle | undefined> {
  const { article: one } = await extract(service, { url, article: true }, signal);
  if (!one) throw service.unknownFormat();
  return isArticle(one) ? one : undefined;
}

function isArticle({ metadata }: ZyteArticle): boolean {
  return (metadata?.probability ?? 1) >= leastProbability;
}

async function extract(service: JsonService, body: object, signal: AbortSignal): Promise<z.infer<typeof answer>> {
  const found = await service.get({ path: '/v1/extract', body, schema: answer, freshMs }, signal);
  const { statusCode } = found;
  if (typeof statusCode === 'number' && statusCode >= 400)
    throw new ResearchError('notFound', `The page does not open (HTTP ${statusCode} at its own server).`, {
      status: statusCode,
      next: 'Use another page.',
    });
  return found;
}

function said(body: unknown): string {
  const { title = '', detail = '' } = problem.safeParse(body).data ?? {};
  return [title, detail].filter((part) => part !== '').join(': ');
}
