import { trimEnd } from '../text/trimEnd.ts';
import { arxivIdentity, doiIdentity, doiInAddress } from './paperIdentity.ts';

/** An address as the rules see it. */
interface Place {
  /** Lower case, without `www.`, without the labels of mobile and AMP hosts. */
  readonly host: string;
  /** Decoded, without a slash at its end. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** With its question mark. */
  readonly search: string;
}

type Identify = (match: RegExpExecArray, place: Place) => string | undefined;

/**
 * The pages of a service by the pattern of its hosts and of their paths. The identity is a text with the path's groups (`$1`), in lower case
 * where the service knows no case, or made of them; undefined where the address is none of these after all.
 */
type Rule = readonly [host: RegExp, path: RegExp, identity: string | Identify];

const asArxiv: Identify = ([, id]) => arxivIdentity(id!);
const asDoi: Identify = ([, doi]) => doiIdentity(doi!);
const asLower =
  (prefix: string): Identify =>
  ([, id]) =>
    prefix + id!.toLowerCase();
const asUpper =
  (prefix: string): Identify =>
  ([, id]) =>
    prefix + id!.toUpperCase();
/** Of a parameter, where its value has the form. */
const asParameter =
  (name: string, prefix: string, form = /^\d+$/): Identify =>
  (_, { query }) => {
    const value = query.get(name);
    return value !== null && form.test(value) ? prefix + value : undefined;
  };
const word = /^[\w-]{1,64}$/;
const acl = '[A-Z]\\d{2}-\\d{4}|\\d{4}\\.[a-z0-9_-]+\\.\\d+';

/** Services whose pages, views and records of one thing have several addresses. */
const rules: readonly Rule[] = [
  [/^(?:.+\.)?arxiv\.org$/, /^\/(?:abs|pdf|html|format|e-print|src)\/(.+)$/, asArxiv],
  [/^(?:ar5iv\.org|alphaxiv\.org|papers\.cool)$/, /^\/(?:abs|html|pdf|overview|arxiv)\/(.+)$/, asArxiv],
  [/^(?:huggingface\.co|hf\.co)$/, /^\/(?:api\/)?papers\/([^/]+)$/, asArxiv],
  [/^(?:huggingface\.co|hf\.co)$/, /^\/(.+)$/, ([, path]) => hubIdentity(path!)],
  [/^(?:api\.)?semanticscholar\.org$/, /^(?:\/graph\/v1\/paper)?\/arxiv[:/](.+)$/i, asArxiv],
  [/^(?:api\.)?semanticscholar\.org$/, /^(?:\/graph\/v1)?\/paper\/(?:[^/]+\/)?([0-9a-f]{40})$/i, asLower('s2:')],
  [/^(?:.+\.)?semanticscholar\.org$/, /^(?:\/graph\/v1\/paper)?\/corpusid:(\d+)$/i, 'corpus:$1'],
  [/^(?:api\.|explore\.)?openalex\.org$/, /^(?:\/works)?\/(W\d+)$/i, asUpper('openalex:')],
  [/^(?:(?:dx\.)?doi\.org|hdl\.handle\.net)$/, /^\/(10\..+)$/, asDoi],
  [/^api\.crossref\.org$/, /^\/works\/(10\..+)$/, asDoi],
  [/^pubmed\.ncbi\.nlm\.nih\.gov$/, /^\/(\d+)$/, 'pmid:$1'],
  [/^ncbi\.nlm\.nih\.gov$/, /^\/pubmed\/(\d+)$/, 'pmid:$1'],
  [/^europepmc\.org$/, /^\/(?:article|abstract)\/MED\/(\d+)$/i, 'pmid:$1'],
  [
    /^(?:(?:pmc\.)?ncbi\.nlm\.nih\.gov|europepmc\.org)$/,
    /^(?:\/pmc)?\/articles?\/(?:PMC\/)?(?:PMC)?(\d+)(?:\/|$)/i,
    'pmc:$1',
  ],
  [/^nature\.com$/, /^\/articles\/([a-z0-9-]+?)(?:\.pdf)?$/, 'doi:10.1038/$1'],
  [
    /^(?:aclanthology\.org|aclweb\.org)$/,
    new RegExp(`^(?:/anthology)?/(${acl})(?:\\.pdf|\\.bib)?$`),
    asLower('doi:10.18653/v1/'),
  ],
  [/^zenodo\.org$/, /^\/records?\/(\d+)(?:\/|$)/, 'doi:10.5281/zenodo.$1'],
  [/^peerj\.com$/, /^\/articles\/(\d+)$/, 'doi:10.7717/peerj.$1'],
  [/^elifesciences\.org$/, /^\/articles\/(\d+)/, 'doi:10.7554/elife.$1'],
  [/^ssrn\.com$/, /^\/abstract=(\d+)$/, 'doi:10.2139/ssrn.$1'],
  [/^papers\.ssrn\.com$/, /^\/sol3\/papers\.cfm$/, asParameter('abstract_id', 'doi:10.2139/ssrn.')],
  [/^openreview\.net$/, /^\/(?:forum|pdf)$/, asParameter('id', 'openreview:', word)],
  [
    /^(?:proceedings\.neurips\.cc|papers\.nips\.cc|papers\.neurips\.cc)$/,
    /\/(\d{4})\/(?:hash|file)\/([0-9a-f]{32})-/,
    'neurips:$1/$2',
  ],
  [/^proceedings\.mlr\.press$/, /^\/(v\d+)\/([a-z0-9-]+)(?:\.html|\/\2\.pdf)$/, 'pmlr:$1/$2'],
  [/^ieeexplore\.ieee\.org$/, /\/document\/(\d+)/, 'ieee:$1'],
  [/^ieeexplore\.ieee\.org$/, /^\/stamp\//, asParameter('arnumber', 'ieee:')],
  [/^sciencedirect\.com$/, /^\/science\/article\/(?:abs\/|am\/)?pii\/(\w+)/, asUpper('pii:')],
  [/^github\.com$/, /^\/(.+)$/, ([, path], { query }) => githubIdentity(path!, query)],
  [/^api\.github\.com$/, /^\/repos\/(.+)$/, ([, path], { query }) => githubIdentity(path!, query)],
  [
    /^raw\.githubusercontent\.com$/,
    /^\/([^/]+\/[^/]+)\/(.+)$/,
    ([, repo, path], { query }) => githubIdentity(`${repo}/blob/${path!}`, query),
  ],
  [/^gist\.github(?:usercontent)?\.com$/, /^\/(?:[^/]+\/)?([0-9a-f]{20,32})(?:\/|$)/, 'gist:$1'],
  [/^gitlab\.com$/, /^\/([^/]+\/.+?)(?:\/-\/(.+))?$/, ([, project, part]) => gitlabIdentity(project!, part)],
  [/^(?:news\.ycombinator\.com|hnrss\.org)$/, /^\/item$/, asParameter('id', 'hn:')],
  [/^hn\.algolia\.com$/, /^\/api\/v1\/items\/(\d+)$/, 'hn:$1'],
  [/^hacker-news\.firebaseio\.com$/, /^\/v0\/item\/(\d+)\.json$/, 'hn:$1'],
  [/^(?:[a-z-]+\.)?wikipedia\.org$/, /^\/(.+)$/, wikipediaIdentity],
  [
    /^(?:(?:[a-z]+\.)?stackoverflow|superuser|serverfault|askubuntu|.+\.stackexchange)\.com$/,
    /^\/(?:questions|q)\/(\d+)(?:\/|$)/,
    ([, id], { host }) => `url:https://${host}/questions/${id}`,
  ],
  [/^(?:old\.|new\.|np\.)?reddit\.com$/, /\/comments\/(\w+)/, 'reddit:$1'],
  [/^redd\.it$/, /^\/(\w+)$/, 'reddit:$1'],
  [/^youtube\.com$/, /^\/watch$/, asParameter('v', 'youtube:', word)],
  [/^youtube\.com$/, /^\/(?:embed|shorts|live|v)\/([\w-]+)/, 'youtube:$1'],
  [/^youtu\.be$/, /^\/([\w-]+)$/, 'youtube:$1'],
  [/^(?:twitter|x)\.com$/, /\/status\/(\d+)/, 'tweet:$1'],
  // A package with its versions and the tabs of its page.
  [/^npmjs\.com$/, /^\/package\/((?:@[^/]+\/)?[^/]+)/, 'npm:$1'],
  // Names are compared so (Python packaging, "Names and normalization").
  [/^pypi\.org$/, /^\/project\/([^/]+)/, ([, name]) => `pypi:${name!.toLowerCase().replace(/[-_.]+/g, '-')}`],
  [/^crates\.io$/, /^\/crates\/([^/]+)/, 'crate:$1'],
];

/** Addresses that lead to another one, which they name. */
const wrappers: readonly Rule[] = [
  [
    /^web\.archive\.org$/,
    /^\/web\/\d+[a-z_]*\/(https?):\/{1,2}(.+)$/,
    ([, scheme, rest], { search }) => `${scheme}://${rest}${search}`,
  ],
  [
    /^google\.[a-z.]+$|\.cdn\.ampproject\.org$/,
    /^\/(?:amp|c|v)\/(?:s\/)?(.+)$/,
    ([, rest], { search }) => `https://${rest}${search}`,
  ],
  [/^google\.[a-z.]+$/, /^\/url$/, (_, { query }) => query.get('q') ?? query.get('url') ?? undefined],
  [/^duckduckgo\.com$/, /^\/l$/, (_, { query }) => query.get('uddg') ?? undefined],
];
const mostWraps = 3;
/** No page has a longer one: browsers and servers refuse it. */
const longestAddress = 100_000;

/** The identity that an address means; undefined when it isn't an http(s) address. In time linear in its length. */
export function addressIdentity(address: string, wraps = 0): string | undefined {
  if (address.length > longestAddress) return undefined;
  // As Git writes an address for SSH: `git@github.com:owner/name.git`.
  const given = address.replace(/^git@([\w.-]+):(?!\/)/, 'https://$1/');
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const place: Place = {
    host: plainHost(url.hostname),
    path: trimEnd(decodedPath(url.pathname).slice(0, 2_000), '/'),
    query: url.searchParams,
    search: url.search,
  };
  const [inner] = wraps < mostWraps ? matching(wrappers, place).filter((one) => URL.canParse(one)) : [];
  if (inner !== undefined) return addressIdentity(inner, wraps + 1);
  const [found] = matching(rules, place);
  return found ?? doiInAddress(place.host, place.path, place.query) ?? `url:${canonicalUrl(url, place)}`;
}

function matching(all: readonly Rule[], place: Place): string[] {
  return all.flatMap(([host, path, identity]) => {
    const match = host.test(place.host) ? path.exec(place.path) : null;
    if (match === null) return [];
    return (
      (typeof identity === 'string'
        ? identity.replace(/\$(\d)/g, (_, group: string) => match[Number(group)]!)
        : identity(match, place)) ?? []
    );
  });
}

/** Without the labels under which sites offer the same pages to phones. */
function plainHost(hostname: string): string {
  return trimEnd(hostname.toLowerCase(), '.')
    .replace(/^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)/, '')
    .replace(/^([a-z-]+)\.m\.(?=wik)/, '$1.');
}

/** First parts of GitHub's paths that are no owner. */
export const githubPages = new Set(
  `about account apps blog codespaces collections contact customer-stories dashboard enterprise events explore
  features gist issues login logout marketplace new notifications organizations orgs pricing pulls readme search
  security sessions settings signup site sponsors stars topics trending user-attachments users`.split(/\s+/),
);
const readme = /^readme(?:\.\w+)?$/i;

/** `owner/name`, and what of it: `#12`, `@ref/path`, `!releases/tag/v1`. */
function githubIdentity(path: string, query: URLSearchParams): string | undefined {
  const [owner, name, kind, ...rest] = path.split('/').filter((part) => part !== '');
  if (!owner || !name || githubPages.has(owner.toLowerCase())) return undefined;
  const repo = `github:${owner}/${name.replace(/\.git$/, '')}`.toLowerCase();
  if (kind === undefined) return repo;
  if (/^(?:issues|pulls?|discussions)$/.test(kind) && /^\d+$/.test(rest[0] ?? '')) return `${repo}#${rest[0]}`;
  if ((kind === 'blob' || kind === 'raw' || kind === 'contents') && rest.length >= 2)
    return readme.test(rest.slice(1).join('/')) ? repo : `${repo}@${rest.join('/')}`;
  if (kind === 'tree') return rest.length <= 1 ? repo : `${repo}@${rest.join('/')}`;
  if (kind === 'readme') return repo;
  const asked = query.get('q');
  return `${repo}!${[kind, ...rest].join('/')}${asked === null ? '' : `?q=${asked}`}`;
}

function gitlabIdentity(project: string, part: string | undefined): string {
  const base = `gitlab:${project.toLowerCase()}`;
  if (part === undefined) return base;
  const number = /^(?:issues|merge_requests)\/(\d+)/.exec(part)?.[0];
  return `${base}!${number ?? part}`;
}

/** First parts of the hub's paths that are no owner. */
const hubPages = new Set(
  'api blog chat collections docs enterprise inference join learn login models new organizations papers posts pricing search settings tasks'.split(
    ' ',
  ),
);

/** A model, dataset or space of the Hugging Face hub, with all its files. */
function hubIdentity(path: string): string | undefined {
  const parts = path.replace(/^api\/(?:models\/)?/, '').split('/');
  const kind = parts[0] === 'datasets' || parts[0] === 'spaces' ? parts.shift()! : '';
  if (parts[0] === undefined || parts[0] === '' || hubPages.has(parts[0])) return undefined;
  const end = parts.findIndex((part) => /^(?:tree|blob|resolve|raw|discussions|commits?|viewer)$/.test(part));
  const name = (end === -1 ? parts : parts.slice(0, end)).slice(0, 2);
  // A name alone is a person or an organisation, but for the oldest datasets.
  if (name.length < 2 && kind !== 'datasets') return undefined;
  const base = `hf:${[kind, ...name]
    .filter((part) => part !== '')
    .join('/')
    .toLowerCase()}`;
  const [what, ref, ...file] = end === -1 ? [] : parts.slice(end);
  if (what === 'discussions' && ref !== undefined) return `${base}#${ref}`;
  return file.length === 0 || readme.test(file.join('/')) ? base : `${base}@${ref}/${file.join('/')}`;
}

/** An article by language and title: its path, its variants of Chinese, its versions. */
function wikipediaIdentity([, path]: RegExpExecArray, { host, query }: Place): string | undefined {
  const language = host === 'wikipedia.org' ? 'en' : host.slice(0, host.indexOf('.'));
  const inPath = /^(?:wiki|zh(?:-[a-z]+)?)\/(.+)$/.exec(path!)?.[1];
  const title = inPath ?? (path === 'w/index.php' ? query.get('title') : null);
  if (title === null || title === '') return undefined;
  const plain = title.replace(/ /g, '_').replace(/_+/g, '_');
  return `wiki:${language}:${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

/**
 * Parameters that say where a reader came from, not what is read: campaigns of Google, Meta, Microsoft, Mailchimp, HubSpot,
 * Marketo, Matomo, Alibaba and the BBC, and sessions (the lists of ClearURLs and of uBlock Origin's `removeparam`).
 */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|li_fat_id|srsltid|mc_[ce]id|igsh(?:id)?|_ga|_gl|_hs\w+|hsa_\w+|mkt_tok|vero_\w+|oly_\w+|s_cid|icid|ncid|cmpid|spm|scm|trk\w*|ref_src|ref_url|(?:pk|mtm|piwik|matomo|at|wt)_\w+|guccounter|guce_\w+|phpsessid|jsessionid)$/i;
/** Parameters that may also be part of what is read: these values say that they are not. */
const trackingValues: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [
    /^(?:ref|source|src|from)$/i,
    /^(?:(?:[\w-]+\.)+[a-z]{2,}|rss\b.*|---.*|hn|hackernews|producthunt|twitter|facebook|linkedin|reddit|weibo|wechat|newsletter|e?mail|social|share|timeline|home(?:page)?|search)$/i,
  ],
  [/^share$/i, /^(?:twitter|x|facebook|linkedin|reddit|email|telegram|jetpack-whatsapp|pocket|mastodon)$/i],
  [/^nb$/i, /^1$/],
  [/^(?:amp|outputtype)$/i, /^(?:1|true|amp)?$/i],
];

/** One form for addresses that lead to the same page: https, a plain host, no fragment, no tracking. */
function canonicalUrl(url: URL, { host, path }: Place): string {
  const query = [...url.searchParams]
    .filter(([name]) => !tracking.test(name))
    .filter(([name, value]) => !trackingValues.some(([names, values]) => names.test(name) && values.test(value)))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const port = url.port && url.port !== '80' && url.port !== '443' ? `:${url.port}` : '';
  const plain = trimEnd(
    path
      .replace(/;jsessionid=[^/]*$/i, '')
      .replace(/\/{2,}/g, '/')
      .replace(/\/(?:index\.(?:html?|php)|default\.aspx?)$/i, '')
      .replace(/\/amp$/, '')
      .replace(/\.amp\.html$/, '.html'),
    '/',
  );
  const search = query.length > 0 ? `?${new URLSearchParams(query).toString()}` : '';
  // A route of an application that lives in one page.
  const route = /^#!?\//.test(url.hash) ? url.hash : '';
  return `https://${host}${port}${plain}${search}${route}`;
}

export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
