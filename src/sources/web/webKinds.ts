/** What kind of pages a search is for. */
export const webKinds = ['general', 'academic', 'code', 'news', 'patents'] as const;
export type WebKind = (typeof webKinds)[number];

/** Sites that hold one kind of page, for services that know sites and no kinds. */
export const sitesOf: Readonly<Partial<Record<WebKind, readonly string[]>>> = {
  academic: [
    'arxiv.org',
    'semanticscholar.org',
    'ncbi.nlm.nih.gov',
    'nature.com',
    'science.org',
    'acm.org',
    'ieee.org',
    'springer.com',
    'sciencedirect.com',
    'openreview.net',
    'aclanthology.org',
    'biorxiv.org',
    'plos.org',
  ],
  code: [
    'github.com',
    'gitlab.com',
    'stackoverflow.com',
    'readthedocs.io',
    'npmjs.com',
    'pypi.org',
    'docs.rs',
    'developer.mozilla.org',
    'learn.microsoft.com',
  ],
  patents: ['patents.google.com', 'patentscope.wipo.int', 'worldwide.espacenet.com', 'patents.justia.com'],
};
