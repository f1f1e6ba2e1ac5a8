import type { FoundDocument } from '../ports.ts';
import { addressIdentity } from './addressIdentity.ts';
import { arxivIdentity, doiIdentity } from './paperIdentity.ts';
import { paperTitleIdentities } from './titleIdentity.ts';

const papers = /^(?:arxiv|doi|pmid|pmc|openalex|s2|corpus|acl):/;

/**
 * The canonical identities of a document, strongest first: two documents that share one are the same work.
 * Forms: `arxiv:ID`, `doi:…`, `pmid:…`, `github:owner/name`, `github:owner/name#12`, `github:owner/name@ref/path`, `hn:ID`,
 * `wiki:LANGUAGE:TITLE`, `file:path#L1-L2`, `paper:title/author`, `url:https://…`.
 */
export function identitiesOf(document: FoundDocument): string[] {
  if (document.file) {
    const { path, firstLine, lastLine } = document.file;
    return [`file:${path}#L${firstLine}-L${lastLine}`];
  }
  const { arxiv, doi, repo, issue, pages = [] } = document.ids ?? {};
  const found = [
    arxiv === undefined ? undefined : arxivIdentity(arxiv),
    doi === undefined || doi === '' ? undefined : doiIdentity(doi),
    repo ? `github:${repo.toLowerCase()}${issue ? `#${issue}` : ''}` : undefined,
    document.url ? addressIdentity(document.url) : undefined,
    ...pages.map(addressIdentity),
  ].filter((identity) => identity !== undefined);
  const titled = found.some((identity) => papers.test(identity))
    ? paperTitleIdentities(document.title, document.authors)
    : [];
  const all = [...new Set([...found, ...titled])];
  return all.length > 0 ? all : [`title:${document.kind}:${document.title.toLowerCase().replace(/\s+/g, ' ').trim()}`];
}

/** What an identity is a part of, as one voice: a repository of its files and issues, a file of its passages; else itself. */
export function familyOf(identity: string): string {
  if (identity.startsWith('file:')) return identity.slice(0, identity.lastIndexOf('#L'));
  return /^(?:github|gitlab|hf):[^#@!]+/.exec(identity)?.[0] ?? identity;
}
