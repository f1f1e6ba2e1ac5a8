import * as z from 'zod';
import type { Log } from '../../research/ports.ts';
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
  /** Whether a name is the id of a published paper. */
  readonly isPaper: (name: string) => boolean;
  readonly log: Log;
}

const dayMs = 24 * 60 * 60 * 1_000;
const doi = /^(?:doi:)?10\.\d{4,9}\/\S+$/i;
const repoAnswer = z.object({ private: z.boolean().optional(), visibility: z.string().optional() });
const packageAnswer = z.object({ packageKey: z.object({ name: z.string() }) });

/** Asks once a name and day: the client's cache remembers. */
export function createPublicNames({
  facts,
  session,
  repositories,
  packages,
  isPaper,
  log,
}: PublicNamesOptions): PublicNames {
  const repos = new Set([...(facts?.repos ?? []), ...(facts?.githubLinks ?? [])].map((name) => name.toLowerCase()));
  const systems = new Map(
    Object.entries(facts?.packageSystems ?? {}).map(([name, system]) => [name.toLowerCase(), { name, system }]),
  );
  const answered = new Map<string, Promise<boolean>>();

  const get = async (url: string, isPublic: (body: unknown) => boolean, signal: AbortSignal): Promise<boolean> => {
    try {
      const { status, text } = await session.get({ url, accept: 'application/json', freshMs: dayMs }, signal);
      return status === 200 && isPublic(JSON.parse(text));
    } catch (error) {
      signal.throwIfAborted();
      log.debug(`whether a name is public is not known: ${error instanceof Error ? error.message : 'unknown reason'}`);
      return false;
    }
  };
  const ask = (name: string, signal: AbortSignal): Promise<boolean> => {
    if (repos.has(name)) {
      const url = endpointUrl(repositories, `/repos/${name}`);
      const isOpen = (body: unknown): boolean => {
        const { success, data } = repoAnswer.safeParse(body);
        return success && data.private !== true && (data.visibility ?? 'public') === 'public';
      };
      return get(url, isOpen, signal);
    }
    const known = systems.get(name);
    if (known === undefined) return Promise.resolve(false);
    // "GetPackage", docs.deps.dev/api/v3: 404 for a package that is not published.
    const url = endpointUrl(packages, `/v3/systems/${known.system}/packages/${encodeURIComponent(known.name)}`);
    return get(url, (body) => packageAnswer.safeParse(body).success, signal);
  };
  const isPublic = (name: string, signal: AbortSignal): Promise<boolean> => {
    if (doi.test(name) || isPaper(name)) return Promise.resolve(true);
    const key = name.toLowerCase();
    const known = answered.get(key) ?? ask(key, signal);
    answered.set(key, known);
    known.catch(() => answered.delete(key));
    return known;
  };
  return { isPublic };
}
