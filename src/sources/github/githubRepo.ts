import { githubPages } from '../../research/evidence/addressIdentity.ts';
import { trimEnd } from '../../research/text/trimEnd.ts';

const owner = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})';
const name = '[A-Za-z0-9._-]{1,100}';
const bare = new RegExp(`^(${owner})/(${name})$`);

/** Host of the pages that belongs to the API's base: `https://api.github.com` -> `github.com`, `https://host/api/v3` -> `host`. */
export function githubPageHost(apiBase: string): string {
  const { hostname } = new URL(apiBase);
  // Enterprise with data residency: api.COMPANY.ghe.com.
  if (hostname === 'api.github.com' || /^api\..+\.ghe\.com$/.test(hostname)) return hostname.slice('api.'.length);
  return /\/api\/v\d+$/.test(apiBase) && hostname.includes('.') && /[a-z]$/i.test(hostname) ? hostname : 'github.com';
}

/** Reads `owner/name`, the URL of a repository or anything below it, or a git remote. `hosts`: where pages may lie. */
export function parseGithubRepo(text: string, hosts: readonly string[] = ['github.com']): string | undefined {
  const trimmed = text.trim().replace(/^<|>$/g, '');
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(trimmed);
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : scp && hosts.includes(scp[1]!.toLowerCase())
      ? `ssh://${scp[1]}/${scp[2]}`
      : undefined;
  if (url !== undefined) {
    if (!URL.canParse(url)) return undefined;
    const { hostname, pathname } = new URL(url);
    const host = hostname.toLowerCase().replace(/^www\./, '');
    if (!hosts.includes(host)) return undefined;
    return repoOf(pathname.replace(/^\/+/, '').split('/').slice(0, 2).join('/'));
  }
  const host = hosts.find((candidate) => trimmed.toLowerCase().startsWith(`${candidate}/`));
  return repoOf(
    host === undefined
      ? trimmed
      : trimmed
          .slice(host.length + 1)
          .split('/')
          .slice(0, 2)
          .join('/'),
  );
}

/** Repositories that a text links to, each once, in order. */
export function findGithubRepos(text: string): string[] {
  const found = new Map<string, string>();
  for (const [, path] of text.matchAll(
    /(?<![\w.-])(?:www\.)?github\.com[/:]([A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100})/gi,
  )) {
    const repo = repoOf(trimEnd(path!, '.'));
    if (repo !== undefined && !found.has(repo.toLowerCase())) found.set(repo.toLowerCase(), repo);
  }
  return [...found.values()];
}

function repoOf(text: string): string | undefined {
  const [, user, project] =
    bare.exec(
      text
        .split(/[?#]/, 1)[0]!
        .replace(/\/$/, '')
        .replace(/\.git$/i, ''),
    ) ?? [];
  if (user === undefined || project === undefined || githubPages.has(user.toLowerCase()) || /^\.+$/.test(project))
    return undefined;
  return `${user}/${project}`;
}
