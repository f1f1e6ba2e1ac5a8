import type { FoundDocument } from '../tools.ts';

const arxivNew = /\d{4}\.\d{4,5}/;
const arxivOld = /[a-z-]+(?:\.[A-Z]{2})?\/\d{7}/;
const arxivId = new RegExp(`^(?:arxiv:)?(${arxivNew.source}|${arxivOld.source})(?:v\\d+)?(?:\\.pdf)?$`, 'i');

/** An arXiv id without version, from an id or an abs, pdf or html address; undefined when it is none. */
export function arxivIdOf(text: string): string | undefined {
  const trimmed = text.trim();
  const path = /^(?:https?:\/\/)?(?:[\w-]+\.)*arxiv\.org\/(?:abs|pdf|html|format|e-print)\/(.+?)\/?(?:[?#].*)?$/i.exec(
    trimmed,
  )?.[1];
  return arxivId.exec(path ?? trimmed)?.[1]?.toLowerCase();
}

/**
 * The canonical identities of a document, strongest first: two documents that share one are the same work.
 * Forms: `arxiv:ID`, `doi:…`, `github:owner/name`, `github:owner/name#12`, `github:owner/name@ref/path`, `hn:ID`,
 * `file:path#L1-L2`, `url:https://…`.
 */
export function identitiesOf(document: FoundDocument): string[] {
  if (document.file) {
    const { path, firstLine, lastLine } = document.file;
    return [`file:${path}#L${firstLine}-L${lastLine}`];
  }
  const found: (string | undefined)[] = [
    document.ids?.arxiv && arxivIdOf(document.ids.arxiv) ? `arxiv:${arxivIdOf(document.ids.arxiv)}` : undefined,
    document.ids?.doi ? doiIdentity(document.ids.doi) : undefined,
    document.ids?.repo
      ? `github:${document.ids.repo.toLowerCase()}${document.ids.issue ? `#${document.ids.issue}` : ''}`
      : undefined,
    document.url ? identityOfUrl(document.url) : undefined,
  ];
  const all = [...new Set(found.filter((identity) => identity !== undefined))];
  return all.length > 0 ? all : [`title:${document.kind}:${document.title.toLowerCase().replace(/\s+/g, ' ').trim()}`];
}

/** The identity that an address stands for; undefined when it isn't an http(s) address. */
export function identityOfUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const host = url.hostname.toLowerCase().replace(/^(?:www|m)\./, '');
  const path = safeDecode(url.pathname).replace(/\/+$/, '');
  if (host === 'arxiv.org' || host.endsWith('.arxiv.org')) {
    const id = arxivIdOf(`https://arxiv.org${path}`);
    if (id) return `arxiv:${id}`;
  }
  if (host === 'huggingface.co') {
    const id = /^\/papers\/([^/]+)$/.exec(path)?.[1];
    if (id && arxivIdOf(id)) return `arxiv:${arxivIdOf(id)}`;
  }
  if (host === 'doi.org' || host === 'dx.doi.org') return doiIdentity(path.slice(1));
  if (host === 'github.com') {
    const identity = githubIdentity(path);
    if (identity) return identity;
  }
  if (host === 'news.ycombinator.com' && url.searchParams.has('id')) return `hn:${url.searchParams.get('id')}`;
  return `url:${canonicalUrl(url)}`;
}

function githubIdentity(path: string): string | undefined {
  const [owner, name, kind, ...rest] = path.split('/').filter(Boolean);
  if (!owner || !name || ['orgs', 'topics', 'search', 'features', 'marketplace'].includes(owner.toLowerCase()))
    return undefined;
  const repo = `github:${owner}/${name.replace(/\.git$/, '')}`.toLowerCase();
  if (kind === undefined) return repo;
  if ((kind === 'issues' || kind === 'pull' || kind === 'discussions') && /^\d+$/.test(rest[0] ?? ''))
    return `${repo}#${rest[0]}`;
  if (kind === 'blob' && rest.length >= 2) {
    return /^readme(?:\.\w+)?$/i.test(rest.slice(1).join('/')) ? repo : `${repo}@${rest.join('/')}`;
  }
  return kind === 'tree' && rest.length === 1 ? repo : undefined;
}

function doiIdentity(doi: string): string {
  const bare = doi
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)/, '');
  const arxiv = /^10\.48550\/arxiv\.(.+)$/.exec(bare)?.[1];
  return arxiv && arxivIdOf(arxiv) ? `arxiv:${arxivIdOf(arxiv)}` : `doi:${bare}`;
}

const trackingParameter = /^(?:utm_\w+|fbclid|gclid|mc_[ce]id|igshid|ref|ref_src|source|spm|share|si)$/i;

/** One form for addresses that lead to the same page: https, no `www.`, no fragment, no tracking parameters. */
function canonicalUrl(url: URL): string {
  const query = [...url.searchParams]
    .filter(([name]) => !trackingParameter.test(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const port = url.port && url.port !== '80' && url.port !== '443' ? `:${url.port}` : '';
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, '').replace(/\/+$/, '');
  const search = query.length > 0 ? `?${new URLSearchParams(query).toString()}` : '';
  return `https://${url.hostname.toLowerCase().replace(/^www\./, '')}${port}${path}${search}`;
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
