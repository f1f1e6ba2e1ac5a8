import { readFileSync } from 'node:fs';
import type { SamplePaper } from './imitatedArxiv.ts';
import {
  type ScriptedService,
  type ServiceAnswer,
  type ServiceRequest,
  startScriptedService,
} from './scriptedService.ts';
import { startSourceServer, type SourceServer } from './sourceServer.ts';

const papers = JSON.parse(
  readFileSync(new URL('../fixtures/arxiv/papers.json', import.meta.url), 'utf8'),
) as readonly SamplePaper[];

/** An article of the imitated encyclopedia, in two languages. */
interface Article {
  readonly en: string;
  readonly zh: string;
  readonly extract: Readonly<Record<'en' | 'zh', string>>;
}
const articles: readonly Article[] = [
  {
    en: 'Retrieval-augmented generation',
    zh: '检索增强生成',
    extract: {
      en:
        'Retrieval-augmented generation (RAG) is a technique that enables large language models to retrieve and incorporate new ' +
        'information. Retrieval-augmented generation reduces hallucination because the model answers from documents.\n\n\n' +
        '== Limitations ==\nRetrieval-augmented generation does not prevent hallucination: a model may misread a document that it retrieved.\n\n\n' +
        '== References ==\nLewis et al.',
      zh: '检索增强生成(RAG)是一种让大型语言模型检索外部文档的技术。检索增强生成可以减少幻觉,但不能完全避免幻觉。',
    },
  },
  {
    en: 'Large language model',
    zh: '大型语言模型',
    extract: {
      en: 'A large language model (LLM) is a language model trained with self-supervised learning on a vast amount of text.',
      zh: '大型语言模型是一种在大量文本上训练的语言模型。',
    },
  },
];

/** All keyless services, each on a port of its own, from one small corpus on retrieval and language models. */
export interface KeylessServices {
  /** Settings with which a run asks them and nothing else. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** `METHOD host path?query` of every request so far. */
  requests(): readonly string[];
  /** Requests so far are not counted. */
  forget(): void;
  readonly others: Readonly<Record<OtherName, ScriptedService>>;
  readonly sources: SourceServer;
  close(): Promise<void>;
}

const otherNames = ['huggingface', 'hackernews', 'semanticscholar', 'openalex', 'crossref', 'wikipedia'] as const;
type OtherName = (typeof otherNames)[number];

export async function startKeylessServices(): Promise<KeylessServices> {
  const sources = await startSourceServer();
  const started = await Promise.all(otherNames.map(() => startScriptedService()));
  const others = Object.fromEntries(otherNames.map((name, index) => [name, started[index]!])) as Record<
    OtherName,
    ScriptedService
  >;
  for (const name of otherNames) others[name].answer = imitations[name];
  let forgotten = 0;
  return {
    forget: () => {
      forgotten = sources.requests.length;
      for (const name of otherNames) others[name].requests.length = 0;
    },
    settings: {
      'deepResearch.sources.enabled': ['arxiv', 'scholarly', 'github', 'huggingface', 'hackernews'],
      'deepResearch.endpoints.arxiv': sources.arxivUrl,
      'deepResearch.endpoints.github': sources.githubUrl,
      ...Object.fromEntries(otherNames.map((name) => [`deepResearch.endpoints.${name}`, others[name].url])),
    },
    requests: () => [
      ...sources.requests.slice(forgotten).map(({ method, service, url }) => `${method} ${service} ${url}`),
      ...otherNames.flatMap((name) =>
        others[name].requests.map(({ method, path, query }) => `${method} ${name} ${path}?${query.toString()}`),
      ),
    ],
    others,
    sources,
    close: async () => {
      await Promise.all([sources.close(), ...started.map((service) => service.close())]);
    },
  };
}

const imitations: Readonly<Record<OtherName, (request: ServiceRequest) => ServiceAnswer>> = {
  semanticscholar({ path, query }) {
    const found = path.endsWith('/search') ? matching(query.get('query') ?? '') : [];
    return { body: { total: found.length, offset: 0, data: found.map(scholarRecord) } };
  },
  openalex: () => ({ body: { meta: { count: 0 }, results: [] } }),
  crossref: () => ({ body: { message: { 'total-results': 0, items: [] } } }),
  huggingface({ path, query }) {
    if (path === '/api/papers/search') return { body: matching(query.get('q') ?? '').map(hubPaper) };
    if (path === '/api/models') return { body: [] };
    if (path === '/blog/feed.xml') return { body: '<rss version="2.0"><channel><title>Blog</title></channel></rss>' };
    return { status: 404, body: { error: 'Not found' } };
  },
  hackernews: () => ({ body: { hits: [], nbHits: 0, page: 0, nbPages: 0 } }),
  wikipedia({ query }) {
    const asked = query.get('gsrsearch') ?? query.get('titles') ?? '';
    const words = asked.toLowerCase().split(/\s+/);
    const pages = articles.flatMap((article, index) =>
      (['en', 'zh'] as const).flatMap((language) => {
        const title = article[language];
        const text = `${title} ${article.extract[language]}`.toLowerCase();
        const isMeant = query.has('titles') ? title === asked : words.every((word) => text.includes(word));
        return isMeant
          ? [
              {
                ns: 0,
                title,
                index,
                extract: query.has('exintro')
                  ? article.extract[language].split('\n\n\n')[0]
                  : article.extract[language],
                langlinks: [{ lang: 'en', title: article.en }],
              },
            ]
          : [];
      }),
    );
    return { body: { batchcomplete: true, query: { pages } } };
  },
};

/** Papers that have all the words, else any two of them. */
function matching(query: string): SamplePaper[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 2);
  const shared = (paper: SamplePaper): number =>
    words.filter((word) => `${paper.title} ${paper.summary}`.toLowerCase().includes(word)).length;
  return papers
    .filter((paper) => shared(paper) >= Math.min(2, words.length))
    .toSorted((a, b) => shared(b) - shared(a))
    .slice(0, 10);
}

const bare = ({ id }: SamplePaper): string => id.replace(/v\d+$/, '');

function scholarRecord(paper: SamplePaper) {
  return {
    paperId: Buffer.from(bare(paper)).toString('hex').padStart(40, '0').slice(-40),
    title: paper.title,
    abstract: paper.summary,
    authors: paper.authors.map((name) => ({ name })),
    externalIds: { ArXiv: bare(paper) },
    citationCount: 12,
    publicationDate: paper.published.slice(0, 10),
  };
}

function hubPaper(paper: SamplePaper) {
  const { title, summary, authors, published } = paper;
  return {
    paper: {
      id: bare(paper),
      title,
      summary,
      authors: authors.map((name) => ({ name })),
      publishedAt: published,
      upvotes: 3,
    },
  };
}
