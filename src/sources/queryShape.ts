import type { Settings } from '../research/settings/config.ts';
import type { WorkspaceFacts } from '../research/tools.ts';
import type { SourceContext } from './source.ts';

/** A query that speaks of the user's own work ("our project", "this package"), which no service knows. */
export interface AboutWorkspace {
  readonly mention: string;
  /** The query without the mention. */
  readonly rest: string;
}

const mentions = [
  new RegExp(
    '\\b(?:(?:in|for|of|to|with|by)\\s+)?(?:our|my|this|the (?:current|present|open))\\s+(?:own\\s+|current\\s+)?' +
      "(?:project|repo(?:sitory)?|package|code ?base|workspace|library|app(?:lication)?|software|code)\\b(?:'s)?",
    'i',
  ),
  /(?:我们的?|本|这个|该|当前)(?:项目|仓库|代码库|工程|软件包|工作区)的?/,
] as const;

/** Undefined for a query that needs no context. */
export function aboutWorkspace(query: string): AboutWorkspace | undefined {
  for (const pattern of mentions) {
    const found = pattern.exec(query);
    if (found === null) continue;
    const rest = `${query.slice(0, found.index)} ${query.slice(found.index + found[0].length)}`;
    return { mention: found[0].trim(), rest: rest.replace(/\s+/g, ' ').trim() };
  }
  return undefined;
}

export interface WorkspaceTerms {
  readonly repos: readonly string[];
  readonly packages: readonly string[];
  readonly languages: readonly string[];
}

const none: WorkspaceTerms = { repos: [], packages: [], languages: [] };

/**
 * The only place where something of the workspace may enter an outgoing query. `workspace.inQueries`: `nothing` gives
 * nothing; `public` gives names of public repositories and packages; `all` also the languages that the files are written in.
 */
function publicWorkspaceTerms(
  facts: WorkspaceFacts | undefined,
  inQueries: Settings['workspace.inQueries'],
): WorkspaceTerms {
  if (facts === undefined || inQueries === 'nothing') return none;
  return { repos: facts.repos, packages: facts.packages, languages: inQueries === 'all' ? facts.languages : [] };
}

/**
 * The first of these terms that everybody can see, by what their service says. Without a service to ask, all count.
 */
export async function confirmedTerms(
  { facts, settings, publicNames }: Pick<SourceContext, 'facts' | 'settings' | 'publicNames'>,
  most: { readonly repos: number; readonly packages: number },
  signal: AbortSignal,
): Promise<WorkspaceTerms> {
  const inQueries = settings['workspace.inQueries'];
  const { repos, packages, languages } = publicWorkspaceTerms(facts, inQueries);
  const first = async (names: readonly string[], count: number): Promise<readonly string[]> =>
    publicNames === undefined || inQueries === 'all'
      ? names.slice(0, count)
      : await publicNames.firstPublic(names, count, signal);
  return { repos: await first(repos, most.repos), packages: await first(packages, most.packages), languages };
}
