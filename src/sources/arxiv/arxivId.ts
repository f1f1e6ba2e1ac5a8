import { trimEnd } from '../../research/text/trimEnd.ts';

/** An arXiv identifier: `id` without version (`2005.11401`, `hep-th/9901001`). */
export interface ArxivId {
  readonly id: string;
  /** `v2`, or empty when none was named. */
  readonly version: string;
}

const modern = '\\d{4}\\.\\d{4,5}';
const old = '[a-z]+(?:-[a-z]+)?(?:\\.[A-Z]{2})?\\/\\d{7}';
const exact = new RegExp(`^(${modern}|${old})(v[1-9]\\d?)?$`);
const inText = new RegExp(
  // A bare number with a dot may be anything: it counts only after a sign of arXiv.
  `(?:arxiv\\.org\\/(?:abs|pdf|html|e-print|format|src)\\/|arxiv[:.]\\s?|10\\.48550\\/arxiv\\.|eprint\\s*=\\s*[{"]\\s*(?:arxiv:)?)(${modern}|${old})(v[1-9]\\d?)?(?![\\d/])`,
  'gi',
);

/** Reads an id, `arXiv:…`, a DOI of arXiv or the URL of an abstract, PDF or HTML page. */
export function parseArxivId(text: string): ArxivId | undefined {
  const bare = text
    .trim()
    .replace(/^<|>$/g, '')
    .replace(
      /^(?:https?:\/\/)?(?:www\.|export\.)?(?:arxiv\.org|ar5iv\.(?:labs\.arxiv\.)?org)\/(?:abs|pdf|html|e-print|format|src)\//i,
      '',
    )
    .replace(/^(?:https?:\/\/)?(?:dx\.)?doi\.org\//i, '')
    .replace(/^10\.48550\/arxiv\./i, '')
    .replace(/^arxiv\s*:\s*/i, '')
    .split(/[?#]/, 1)[0]!
    .replace(/\.pdf$/i, '');
  const [, id, version = ''] = exact.exec(trimEnd(bare, '/')) ?? [];
  return id === undefined ? undefined : { id, version };
}

/** Ids (without version) that a text links or cites, each once, in order. */
export function findArxivIds(text: string): string[] {
  return [...new Set([...text.matchAll(inText)].map(([, id]) => id!))];
}
