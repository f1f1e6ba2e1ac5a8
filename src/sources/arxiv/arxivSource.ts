import type { Named } from '../../research/evidence/namedIn.ts';
import type { ChosenCall, NamedCall, WorkspaceFacts } from '../../research/tools.ts';
import type { Source } from '../../research/evidence/source.ts';
import type { SourceDefinition } from '../source.ts';
import { createArxivTools } from './arxivTools.ts';

/** Papers that one request opens. */
const papersAtOnce = 20;

export const arxiv: SourceDefinition = {
  name: 'arxiv',
  label: 'arXiv',
  icon: 'mortar-board',
  description: 'Papers on arXiv.',
  endpoint: {
    default: 'https://export.arxiv.org',
    description: 'The address of the arXiv API; `/api/query` follows it.',
  },
  pageHosts: ['arxiv.org'],
  // One request each 3 s on one connection (arXiv API terms of use); it is reported to calm down after 5, 10, 20 s.
  pacing: { concurrency: 1, intervalMs: 3_000, backoffMs: 5_000 },
  publicHosts: ['arxiv.org', 'www.arxiv.org'],
  goodFor: ['science'],
  lookUpOrder: 3,
  // Its texts are in English. English words that were added to a subject in another script would find anything but it.
  fitQuery: ({ text, subject }) =>
    !/(?!\p{Script=Latin})\p{L}/u.test(text) ? text : /[a-z]{2}/i.test(subject) ? subject : '',
  open: openCitedPapers,
  openNamed: openPaper,
  createTools: createArxivTools,
};

/** The papers that the workspace cites, in one request that all sections share. A search gives whole abstracts already. */
function openCitedPapers(found: readonly Source[], facts: WorkspaceFacts | undefined): readonly ChosenCall[] {
  const cited = facts?.arxivIds ?? [];
  const known = new Set(found.map(({ identity }) => identity));
  if (cited.every((id) => known.has(`arxiv:${id}`))) return [];
  return [{ name: 'get_arxiv_paper', args: { ids: cited.slice(0, papersAtOnce) } }];
}

/** The whole paper, else its abstract. */
function openPaper({ identity }: Named): readonly NamedCall[] {
  const id = /^arxiv:(.+)$/.exec(identity)?.[1];
  if (id === undefined) return [];
  return [
    { name: 'read_arxiv_paper', args: { id } },
    { name: 'get_arxiv_paper', args: { id }, isRecord: true },
  ];
}
