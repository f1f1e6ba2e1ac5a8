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

interface Rule {
  readonly host: RegExp;
  readonly path: RegExp;
  /** Undefined: the address is none of these after all. */
  readonly identity: (match: RegExpExecArray, place: Place) => string | undefined;
}

const [acl, s2Hash] = ['[A-Z]\\d{2}-\\d{4}|\\d{4}\\.[a-z0-9_-]+\\.\\d+', '[0-9a-f]{40}'];

/** Services whose pages, views and records of one thing have several addresses. */
const rules: readonly Rule[] = [
  {
    host: /^(?:.+\.)?arxiv\.org$/,
    path: /^\/(?:abs|pdf|html|format|e-print|src)\/(.+)$/,
    identity: ([, id]) => arxivIdentity(id!),
  },
  {
    host: /^(?:ar5iv\.org|alphaxiv\.org|papers\.cool)$/,
    path: /^\/(?:abs|html|pdf|overview|arxiv)\/(.+)$/,
    identity: ([, id]) => arxivIdentity(id!),
  },
  {
    host: /^(?:huggingface\.co|hf\.co)$/,
    path: /^\/(?:api\/)?papers\/([^/]+)$/,
    identity: ([, id]) => arxivIdentity(id!),
  },
  { host: /^(?:huggingface\.co|hf\.co)$/, path: /^\/(.+)$/, identity: ([, path]) => hubIdentity(path!) },
  {
    host: /^(?:api\.)?semanticscholar\.org$/,
    path: /^(?:\/graph\/v1\/paper)?\/arxiv[:/](.+)$/i,
    identity: ([, id]) => arxivIdentity(id!),
  },
  {
    host: /^(?:api\.)?semanticscholar\.org$/,
    path: new RegExp(`^(?:/graph/v1)?/paper/(?:[^/]+/)?(${s2Hash})$`, 'i'),
    identity: ([, hash]) => `s2:${hash!.toLowerCase()}`,
  },
  {
    host: /semanticscholar\.org$/,
    path: /^(?:\/graph\/v1\/paper)?\/corpusid:(\d+)$/i,
    identity: ([, id]) => `corpus:${id}`,
  },
  {
    host: /^(?:api\.|explore\.)?openalex\.org$/,
    path: /^(?:\/works)?\/(W\d+)$/i,
    identity: ([, id]) => `openalex:${id!.toUpperCase()}`,
  },
  { host: /^(?:dx\.)?doi\.org$/, path: /^\/(10\..+)$/, identity: ([, doi]) => doiIdentity(doi!) },
  { host: /^hdl\.handle\.net$/, path: /^\/(10\..+)$/, identity: ([, doi]) => doiIdentity(doi!) },
  { host: /^api\.crossref\.org$/, path: /^\/works\/(10\..+)$/, identity: ([, doi]) => doiIdentity(doi!) },
  { host: /^pubmed\.ncbi\.nlm\.nih\.gov$/, path: /^\/(\d+)$/, identity: ([, id]) => `pmid:${id}` },
  { host: /^ncbi\.nlm\.nih\.gov$/, path: /^\/pubmed\/(\d+)$/, identity: ([, id]) => `pmid:${id}` },
  { host: /^europepmc\.org$/, path: /^\/(?:article|abstract)\/MED\/(\d+)$/i, identity: ([, id]) => `pmid:${id}` },
  {
    host: /^(?:(?:pmc\.)?ncbi\.nlm\.nih\.gov|europepmc\.org)$/,
    path: /^(?:\/pmc)?\/articles?\/(?:PMC\/)?(?:PMC)?(\d+)(?:\/|$)/i,
    identity: ([, id]) => `pmc:${id}`,
  },
  { host: /^nature\.com$/, path: /^\/articles\/([a-z0-9-]+?)(?:\.pdf)?$/, identity: ([, id]) => `doi:10.1038/${id}` },
  {
    host: /^(?:aclanthology\.org|aclweb\.org)$/,
    path: new RegExp(`^(?:/anthology)?/(${acl})(?:\\.pdf|\\.bib)?$`),
    identity: ([, id]) => `doi:10.18653/v1/${id!.toLowerCase()}`,
  },
  { host: /^zenodo\.org$/, path: /^\/records?\/(\d+)(?:\/|$)/, identity: ([, id]) => `doi:10.5281/zenodo.${id}` },
  { host: /^peerj\.com$/, path: /^\/articles\/(\d+)$/, identity: ([, id]) => `doi:10.7717/peerj.${id}` },
  { host: /^elifesciences\.org$/, path: /^\/articles\/(\d+)/, identity: ([, id]) => `doi:10.7554/elife.${id}` },
  { host: /^ssrn\.com$/, path: /^\/abstract=(\d+)$/, identity: ([, id]) => `doi:10.2139/ssrn.${id}` },
  {
    host: /^papers\.ssrn\.com$/,
    path: /^\/sol3\/papers\.cfm$/,
    identity: (_, { query }) => number(query.get('abstract_id'), 'doi:10.2139/ssrn.'),
  },
  {
    host: /^openreview\.net$/,
    path: /^\/(?:forum|pdf)$/,
    identity: (_, { query }) => word(query.get('id'), 'openreview:'),
  },
  {
    host: /^(?:proceedings\.neurips\.cc|papers\.nips\.cc|papers\.neurips\.cc)$/,
    path: /\/(\d{4})\/(?:hash|file)\/([0-9a-f]{32})-/,
    identity: ([, year, hash]) => `neurips:${year}/${hash}`,
  },
  {
    host: /^proceedings\.mlr\.press$/,
    path: /^\/(v\d+)\/([a-z0-9-]+)(?:\.html|\/\2\.pdf)$/,
    identity: ([, volume, name]) => `pmlr:${volume}/${name}`,
  },
  { host: /^ieeexplore\.ieee\.org$/, path: /\/document\/(\d+)/, identity: ([, id]) => `ieee:${id}` },
  {
    host: /^ieeexplore\.ieee\.org$/,
    path: /^\/stamp\//,
    identity: (_, { query }) => number(query.get('arnumber'), 'ieee:'),
  },
  {
    host: /^sciencedirect\.com$/,
    path: /^\/science\/article\/(?:abs\/|am\/)?pii\/(\w+)/,
    identity: ([, pii]) => `pii:${pii!.toUpperCase()}`,
  },
  { host: /^github\.com$/, path: /^\/(.+)$/, identity: ([, path], { query }) => githubIdentity(path!, query) },
  {
    host: /^api\.github\.com$/,
    path: /^\/repos\/(.+)$/,
    identity: ([, path], { query }) => githubIdentity(path!, query),
  },
  {
    host: /^raw\.githubusercontent\.com$/,
    path: /^\/([^/]+\/[^/]+)\/(.+)$/,
    identity: ([, repo, path], { query }) => githubIdentity(`${repo}/blob/${path!}`, query),
  },
  {
    host: /^gist\.github(?:usercontent)?\.com$/,
    path: /^\/(?:[^/]+\/)?([0-9a-f]{20,32})(?:\/|$)/,
    identity: ([, id]) => `gist:${id}`,
  },
  {
    host: /^gitlab\.com$/,
    path: /^\/([^/]+\/.+?)(?:\/-\/(.+))?$/,
    identity: ([, project, part]) => gitlabIdentity(project!, part),
  },
  {
    host: /^(?:news\.ycombinator\.com|hnrss\.org)$/,
    path: /^\/item$/,
    identity: (_, { query }) => number(query.get('id'), 'hn:'),
  },
  { host: /^hn\.algolia\.com$/, path: /^\/api\/v1\/items\/(\d+)$/, identity: ([, id]) => `hn:${id}` },
  { host: /^hacker-news\.firebaseio\.com$/, path: /^\/v0\/item\/(\d+)\.json$/, identity: ([, id]) => `hn:${id}` },
  { host: /^(?:[a-z-]+\.)?wikipedia\.org$/, path: /^\/(.+)$/, identity: wikipediaIdentity },
  {
    host: /^(?:(?:[a-z]+\.)?stackoverflow|superuser|serverfault|askubuntu|.+\.stackexchange)\.com$/,
    path: /^\/(?:questions|q)\/(\d+)(?:\/|$)/,
    identity: ([, id], { host }) => `url:https://${host}/questions/${id}`,
  },
  { host: /^(?:old\.|new\.|np\.)?reddit\.com$/, path: /\/comments\/(\w+)/, identity: ([, id]) => `reddit:${id}` },
  { host: /^redd\.it$/, path: /^\/(\w+)$/, identity: ([, id]) => `reddit:${id}` },
  { host: /^youtube\.com$/, path: /^\/watch$/, identity: (_, { query }) => word(query.get('v'), 'youtube:') },
  { host: /^youtube\.com$/, path: /^\/(?:embed|shorts|live|v)\/([\w-]+)/, identity: ([, id]) => `youtube:${id}` },
  { host: /^youtu\.be$/, path: /^\/([\w-]+)$/, identity: ([, id]) => `youtube:${id}` },
  { host: /^(?:twitter|x)\.com$/, path: /\/status\/(\d+)/, identity: ([, id]) => `tweet:${id}` },
  // A package with its versions and the tabs of its page.
  { host: /^npmjs\.com$/, path: /^\/package\/((?:@[^/]+\/)?[^/]+)/, identity: ([, name]) => `npm:${name}` },
  {
    host: /^pypi\.org$/,
    path: /^\/project\/([^/]+)/,
    // Names are compared so (Python packaging, "Names and normalization").
    identity: ([, name]) => `pypi:${name!.toLowerCase().replace(/[-_.]+/g, '-')}`,
  },
  { host: /^crates\.io$/, path: /^\/crates\/([^/]+)/, identity: ([, name]) => `crate:${name}` },
];

interface Wrapper extends Pick<Rule, 'host' | 'path'> {
  readonly target: (match: RegExpExecArray, place: Place) => string | null;
}

/** Addresses that lead to another one, which they name. */
const wrappers: readonly Wrapper[] = [
  {
    host: /^web\.archive\.org$/,
    path: /^\/web\/\d+[a-z_]*\/(https?):\/{1,2}(.+)$/,
    target: ([, scheme, rest], { search }) => `${scheme}://${rest}${search}`,
  },
  {
    host: /^google\.[a-z.]+$|\.cdn\.ampproject\.org$/,
    path: /^\/(?:amp|c|v)\/(?:s\/)?(.+)$/,
    target: ([, rest], { search }) => `https://${rest}${search}`,
  },
  { host: /^google\.[a-z.]+$/, path: /^\/url$/, target: (_, { query }) => query.get('q') ?? query.get('url') },
  { host: /^duckduckgo\.com$/, path: /^\/l$/, target: (_, { query }) => query.get('uddg') },
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
    path: trimEnd(decoded(url.pathname).slice(0, 2_000), '/'),
    query: url.searchParams,
    search: url.search,
  };
  for (const { host, path, target } of wraps < mostWraps ? wrappers : []) {
    const match = host.test(place.host) ? path.exec(place.path) : null;
    const inner = match === null ? null : target(match, place);
    if (inner !== null && URL.canParse(inner)) return addressIdentity(inner, wraps + 1);
  }
  for (const { host, path, identity } of rules) {
    const match = host.test(place.host) ? path.exec(place.path) : null;
    const found = match === null ? undefined : identity(match, place);
    if (found !== undefined) return found;
  }
  return doiInAddress(place.host, place.path, place.query) ?? `url:${canonicalUrl(url, place)}`;
}

/** Without the labels under which sites offer the same pages to phones. */
function plainHost(hostname: string): string {
  return trimEnd(hostname.toLowerCase(), '.')
    .replace(/^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)/, '')
    .replace(/^([a-z-]+)\.m\.(?=wik)/, '$1.');
}

function number(value: string | null, prefix: string): string | undefined {
  return value !== null && /^\d+$/.test(value) ? prefix + value : undefined;
}

function word(value: string | null, prefix: string): string | undefined {
  return value !== null && /^[\w-]{1,64}$/.test(value) ? prefix + value : undefined;
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
    .filter(([name, value]) => !isTracking(name, value))
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

function isTracking(name: string, value: string): boolean {
  return tracking.test(name) || trackingValues.some(([names, values]) => names.test(name) && values.test(value));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
