import { trimEnd } from '../text/trimEnd.ts';

const arxivNew = /\d{4}\.\d{4,5}/;
const arxivOld = /[a-z-]+(?:\.[A-Z]{2})?\/\d{7}/;
const arxivId = new RegExp(`^(?:arxiv:)?(${arxivNew.source}|${arxivOld.source})(?:v\\d+)?(?:\\.pdf)?$`, 'i');

/** An arXiv id without version, from an id or an abs, pdf or html address; undefined when it is none. */
export function arxivIdOf(text: string): string | undefined {
  const trimmed = text.trim();
  const path = /^(?:https?:\/\/)?(?:[\w-]+\.)*arxiv\.org\/(?:abs|pdf|html|format|e-print|src)\/([^?#]+)/i.exec(
    trimmed,
  )?.[1];
  // The class behind the archive of an old id is no part of it: math.GT/0309136 is math/0309136.
  return arxivId
    .exec(path === undefined ? trimmed : trimEnd(path, '/'))?.[1]
    ?.toLowerCase()
    .replace(/^([a-z-]+)\.[a-z]{2}\//, '$1/');
}

/** `arxiv:ID` from anything that {@link arxivIdOf} reads. */
export function arxivIdentity(text: string): string | undefined {
  const id = arxivIdOf(text);
  return id === undefined ? undefined : `arxiv:${id}`;
}

/** `doi:…` in lower case, as DOIs are compared (DOI Handbook 2.4); `arxiv:…` for one that arXiv registered. */
export function doiIdentity(doi: string): string {
  const bare = trimEnd(
    doi
      .trim()
      .toLowerCase()
      .replace(/^(?:https?:\/\/(?:(?:dx|www)\.)?doi\.org\/|doi:\s*)/, ''),
    '.,;',
  );
  const arxiv = /^10\.48550\/arxiv\.(.+)$/.exec(bare)?.[1];
  if (arxiv !== undefined) return arxivIdentity(arxiv) ?? `doi:${bare}`;
  // bioRxiv and medRxiv: versions and views of one preprint.
  return `doi:${bare.startsWith('10.1101/') ? bare.replace(/v\d+(?:\.[a-z.-]+)?$/, '') : bare}`;
}

/** Views of a paper that publishers put behind its DOI. */
const views = new Set(
  'full fulltext full-text abstract summary pdf epdf html meta references citations figures suppl'.split(' '),
);
const viewEnding = /\.(?:pdf|full|full\.pdf|full-text|abstract|html|bib)$/i;
/** Pages about papers, which are none. */
const aboutPapers = /(?:^|\.)(?:altmetric\.com|pubpeer\.com|scite\.ai|plu\.mx)$/;

/** The DOI in the path or the parameters of a publisher's page: `/doi/abs/10.1145/…`, `?id=10.1371/…`. */
export function doiInAddress(host: string, path: string, parameters: URLSearchParams): string | undefined {
  if (aboutPapers.test(host)) return undefined;
  const given = parameters.get('doi') ?? parameters.get('id') ?? '';
  if (/^10\.\d{4,9}\/\S+$/.test(given)) return doiIdentity(given);
  const inPath = /\/(10\.\d{4,9}\/[^\s?#]{1,300})$/.exec(path)?.[1];
  if (inPath === undefined) return undefined;
  const parts = inPath.split('/');
  while (parts.length > 2 && views.has(parts.at(-1)!.toLowerCase())) parts.pop();
  return doiIdentity(parts.join('/').replace(viewEnding, ''));
}

/** The page that a reader should be sent to comes first: the preprint itself, the DOI, then records of databases. */
const originals = [
  /^https:\/\/arxiv\.org\/abs\/.{5,30}v\d+$/,
  /^https:\/\/(?:www\.)?arxiv\.org\//,
  /^https:\/\/doi\.org\//,
];

/** Whether an address is nearer to the original than another one. */
export function isMoreOriginal(url: string | undefined, than: string | undefined): boolean {
  const rank = (address: string): number => {
    const found = originals.findIndex((pattern) => pattern.test(address));
    return found === -1 ? originals.length : found;
  };
  return url !== undefined && than !== undefined && rank(url) < rank(than);
}
