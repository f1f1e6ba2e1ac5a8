import * as z from 'zod';
import { arxivIdentity } from '../../research/evidence/paperIdentity.ts';
import type { Log } from '../../research/ports.ts';
import { parseJson } from '../../research/text/json.ts';
import type { WorkspaceFacts } from '../../research/tools.ts';
import type { HttpSession } from '../http/httpSession.ts';
import { endpointUrl } from '../http/endpointUrl.ts';

/** Which of the workspace's names everybody can see, by what their service says without a key. */
export interface PublicNames {
  /** A repository (`owner/name`), a package, or a paper's id that the workspace names. False when no service could be asked. */
  isPublic(name: string, signal: AbortSignal): Promise<boolean>;
}

export interface PublicNamesOptions {
  readonly facts: WorkspaceFacts | undefined;
  readonly session: HttpSession;
  /** Base address of the API that knows the repositories. */
  readonly repositories: string;
  /** Base address of the API that knows the packages: deps.dev's, for all package systems. */
  readonly packages: string;
  readonly log: Log;
}

const dayMs = 24 * 60 * 60 * 1_000;
const openRepository = z.object({ private: z.literal(false).optional(), visibility: z.literal('public').optional() });
const publishedPackage = z.object({ packageKey: z.object({ name: z.string() }) });

/** Asks once a name and day: the client's cache remembers. */
export function createPublicNames(options: PublicNamesOptions): PublicNames {
  const { facts, session, repositories, packages, log } = options;
  const papers = new Set(facts?.arxivIds.map(arxivIdentity));
  const repos = new Set([...(facts?.repos ?? []), ...(facts?.githubLinks ?? [])].map((name) => name.toLowerCase()));
  const systems = new Map(
    Object.entries(facts?.packageSystems ?? {}).map(([name, system]) => [name.toLowerCase(), { name, system }]),
  );
  const answered = new Map<string, Promise<boolean>>();

  const get = async (url: string, expected: z.ZodType, signal: AbortSignal): Promise<boolean> => {
    try {
      const { status, text } = await session.get({ url, accept: 'application/json', freshMs: dayMs }, signal);
      return status === 200 && expected.safeParse(parseJson(text)).success;
    } catch (error) {
      signal.throwIfAborted();
      log.debug(`whether a name is public is not known: ${error instanceof Error ? error.message : 'unknown reason'}`);
      return false;
    }
  };
  const ask = async (name: string, signal: AbortSignal): Promise<boolean> => {
    if (repos.has(name)) return get(endpointUrl(repositories, `/repos/${name}`), openRepository, signal);
    const known = systems.get(name);
    if (known === undefined) return false;
    // "GetPackage", docs.deps.dev/api/v3: 404 for a package that is not published.
    const url = endpointUrl(packages, `/v3/systems/${known.system}/packages/${encodeURIComponent(known.name)}`);
    return get(url, publishedPackage, signal);
  };
  const isPublic = (name: string, signal: AbortSignal): Promise<boolean> => {
    const paper = arxivIdentity(name);
    if (paper !== undefined && papers.has(paper)) return Promise.resolve(true);
    const key = name.toLowerCase();
    const known = answered.get(key) ?? ask(key, signal);
    answered.set(key, known);
    known.catch(() => answered.delete(key));
    return known;
  };
  return { isPublic };
}
