import type { Source } from '../../research/evidence/source.ts';
import type { Named } from '../../research/evidence/namedIn.ts';
import type { ChosenCall, NamedCall } from '../../research/tools.ts';
import type { ServiceDefinition, SourceDefinition } from '../source.ts';
import { createScholarlyTools } from './scholarlyTools.ts';
import { wikipediaHosts } from './wikipediaHost.ts';

/** An article of which only the introduction is known has less text than this. In UTF-16 units. */
const introductionLength = 4_000;
/** Papers that one call opens. */
const papersAtOnce = 10;
const maxWords = 8;

const semanticscholar: ServiceDefinition = {
  name: 'semanticscholar',
  label: 'Semantic Scholar',
  endpoint: {
    default: 'https://api.semanticscholar.org',
    description: 'The address of the Semantic Scholar API; `/graph/v1` follows it.',
  },
  // One request a second, and backing off exponentially (Semantic Scholar API, tutorial, "Rate limits"); without a key all share one pool.
  pacing: { concurrency: 1, intervalMs: 1_000, backoffMs: 2_000 },
};

const openalex: ServiceDefinition = {
  name: 'openalex',
  label: 'OpenAlex',
  endpoint: {
    default: 'https://api.openalex.org',
    description: 'The address of the OpenAlex API; `/works` follows it.',
  },
  // Ten requests a second at most (OpenAlex, rate limits).
  pacing: { concurrency: 2, intervalMs: 150, backoffMs: 2_000 },
};

const crossref: ServiceDefinition = {
  name: 'crossref',
  label: 'Crossref',
  endpoint: {
    default: 'https://api.crossref.org',
    description: 'The address of the Crossref API; `/works` follows it.',
  },
  // Five a second, one at a time (headers x-rate-limit-limit and x-concurrency-limit of the public pool).
  pacing: { concurrency: 1, intervalMs: 200, backoffMs: 2_000 },
};

const wikipedia: ServiceDefinition = {
  name: 'wikipedia',
  label: 'Wikipedia',
  endpoint: {
    default: 'https://en.wikipedia.org',
    description:
      "The address of Wikipedia; `/w/api.php` follows it. The public one is asked in the question's language.",
  },
  // One request after the other (MediaWiki API, etiquette).
  pacing: { concurrency: 1, intervalMs: 0, backoffMs: 5_000 },
  publicHosts: wikipediaHosts,
};

export const scholarly: SourceDefinition = {
  name: 'scholarly',
  label: 'Scholarly',
  documentLabel: 'Scholarly record',
  icon: 'library',
  description:
    'Papers of all fields with citations and retractions (Semantic Scholar, OpenAlex, Crossref), and Wikipedia.',
  services: [semanticscholar, openalex, crossref, wikipedia],
  pageHosts: ['doi.org', 'semanticscholar.org', 'openalex.org', ...wikipediaHosts],
  goodFor: ['science', 'reference'],
  lookUpOrder: 2,
  fitQuery: ({ text }) => text.split(' ').slice(0, maxWords).join(' '),
  open: openRecords,
  openNamed,
  createTools: createScholarlyTools,
};

/** The best article of the encyclopedia in full, then papers of which no abstract is known, in one call. */
function openRecords(found: readonly Source[]): readonly ChosenCall[] {
  const own = found.filter(({ kind }) => kind === 'scholarly');
  const articles = own.filter(({ identity, text }) => identity.startsWith('wiki:') && text.length < introductionLength);
  const papers = own
    .filter(({ identity, text, title }) => identity.startsWith('doi:') && text === title)
    .map(({ identity }) => identity.slice('doi:'.length));
  return [
    ...articles.slice(0, 1).map(({ identity, title }) => ({
      name: 'get_wikipedia_article',
      args: { title, language: identity.split(':')[1] },
    })),
    ...(papers.length === 0 ? [] : [{ name: 'get_paper', args: { ids: papers.slice(0, papersAtOnce) } }]),
  ];
}

function openNamed({ identity }: Named): readonly NamedCall[] {
  const [, language, title] = /^wiki:([^:]+):(.+)$/.exec(identity) ?? [];
  if (title !== undefined)
    return [{ name: 'get_wikipedia_article', args: { title: title.replaceAll('_', ' '), language } }];
  const [, kind, id] = /^(arxiv|doi|pmid|pmc):(.+)$/.exec(identity) ?? [];
  if (id === undefined) return [];
  const prefix = kind === 'pmid' ? 'PMID:' : kind === 'pmc' ? 'PMC' : '';
  return [{ name: 'get_paper', args: { id: prefix + id }, isRecord: true }];
}
