// Every picture that the panel can show, made from events as the engine sends them.
import type { EventBody, ResearchEvent } from '../../src/protocol/events.ts';
import type { HostMessage, Setup } from '../../src/protocol/messages.ts';
import { interrupted } from '../../src/protocol/interrupted.ts';
import type { EstimateBasis } from '../../src/protocol/plan.ts';
import type { Depth } from '../../src/protocol/planBounds.ts';
import { estimatePlan } from '../../src/protocol/planEstimate.ts';
import { emptyView, reduceRun } from '../../src/protocol/reduceRun.ts';
import type { RunView } from '../../src/protocol/runView.ts';
import { documentKinds } from '../../src/sources/createTools.ts';
import { panelStrings } from '../../src/protocol/strings.ts';

/** Of a model at a price, with three sources. */
const basis: EstimateBasis = {
  ...{ analyst: 'llm', depth: 'standard', sources: ['arxiv', 'github', 'workspace'], price: { in: 2, out: 8 } },
  ...{ atOnce: 5, maxToolCalls: 10, reviewRounds: 2, maxIterations: 5, maxSupervisorIterations: 6, topics: 1 },
};
const bases = (analyst: Setup['analyst']) => {
  const at = (depth: Depth) => ({ ...basis, analyst, depth });
  return { quick: at('quick'), standard: at('standard'), deep: at('deep') };
};

export const keyless: Setup = {
  analyst: 'extractive',
  provider: 'extractive',
  model: null,
  modelHost: null,
  sources: [
    { name: 'arxiv', hosts: ['export.arxiv.org'] },
    { name: 'github', hosts: ['api.github.com'] },
    { name: 'workspace', label: 'Workspace', hosts: [] },
  ],
  kinds: documentKinds(),
  strategy: 'auto',
  depth: 'standard',
  bases: bases('extractive'),
  workspace: 'examples',
  trusted: true,
  examples: [
    'What are the main techniques for retrieval-augmented generation?',
    'What should one know about chunking?',
  ],
  problem: null,
};

export const withoutWebKey: Setup = {
  ...keyless,
  web: {
    hosts: [],
    keys: [
      { service: 'tavily', label: 'Tavily' },
      { service: 'bocha', label: 'Bocha' },
    ],
  },
};

export const withModel: Setup = {
  ...keyless,
  analyst: 'llm',
  provider: 'openai',
  model: 'gpt-5.1',
  modelHost: 'api.openai.com',
  bases: bases('llm'),
  keyProviders: ['openai', 'openai-compatible'],
};

/** A server whose models are not known, since it can't be reached. */
export const modelDown: Setup = {
  ...withModel,
  provider: 'openai-compatible',
  model: null,
  modelHost: '127.0.0.1:1234',
  problem: {
    message: "127.0.0.1:1234 can't be reached: it does not accept connections.",
    actions: ['tryAgain', 'withoutModel', 'selectModel'],
    key: 'deepResearch.model',
  },
};

const question =
  'What are the main techniques for retrieval-augmented generation, and which of them are worth their cost in production?';

export function started(change: Partial<Extract<EventBody, { type: 'run/started' }>> = {}): EventBody {
  return {
    type: 'run/started',
    question,
    strategy: 'sections',
    model: 'gpt-5.1',
    provider: 'openai',
    analyst: 'llm',
    ...change,
  };
}

const titles = [
  'Retrieval: dense, sparse and hybrid',
  'Chunking and indexing strategies for long documents',
  'Re-ranking and query rewriting',
  'Evaluation',
  'Cost, latency and operations in production systems with many tenants',
];
export const sections = titles.map((title, i) => ({
  id: `s${i + 1}`,
  title,
  description: `What is known about ${title.toLowerCase()}, with figures from papers and from systems in use.`,
}));
const estimate = { calls: 64, tokens: 420_000, minutes: 6, cost: 0.84 };

export const asked: EventBody = {
  type: 'clarify/asked',
  id: 'q1',
  question: 'Do you mean techniques for **building** a pipeline, or for *evaluating* one?',
  options: [
    { label: 'Building: retrieval, chunking, re-ranking', recommended: true },
    { label: 'Evaluation: metrics and benchmarks', recommended: false },
    { label: 'Both, with a short comparison of the most used open-source frameworks', recommended: false },
  ],
  missingInfo: 'scope',
  why: 'The two have almost no literature in common.',
};

export const proposed: EventBody = {
  type: 'plan/proposed',
  title: 'Retrieval-augmented generation in practice',
  sections,
  estimate: estimatePlan({ strategy: 'sections', sections: sections.map(() => ({})) }, basis),
  basis,
  strategy: 'sections',
  focus: ['quality of retrieval', 'cost'],
  round: 0,
  needsApproval: true,
};

/** The longest plan that there can be, hostile titles included. */
const longPlan: EventBody = {
  ...proposed,
  sections: Array.from({ length: 30 }, (_, index) => ({
    id: `s${index + 1}`,
    title: index === 3 ? 'Averylongwordwithoutaspace'.repeat(11) : `Part ${index + 1}: what is known, and what is not`,
    description: index % 3 === 0 ? '' : '![x](https://evil.example/x.png) <b>bold</b> and what else there is to say.',
    ...(index === 1 ? { depth: 'deep' as const, sources: ['arxiv'] } : {}),
  })),
};

const entity = (name: string, category: string, brief: string) => ({
  ...{ name, category, brief },
  ...{ source: 'S3f9a1', urls: [], priority: 'medium' as const },
});

/** What a list question is about, before it is planned. */
const foundEntities: EventBody = {
  type: 'discover/found',
  entities: [
    entity('Qdrant', 'vector database', 'A vector database in Rust with filters on payloads.'),
    entity('Milvus', 'vector database', 'Scales to billions of vectors; several indexes.'),
    entity('milvus-io', 'company', 'The organisation behind Milvus.'),
    entity('pgvector', 'extension', ''),
    entity('Averylongnameofaprojectwithoutanyspaceinit'.repeat(2), '', 'Has a long name.'),
  ],
  coverage: 'Commercial services without a public repository.',
  needsApproval: true,
};

const sources: EventBody[] = [
  {
    type: 'source/added',
    id: 'S3f9a1',
    kind: 'arxiv',
    title: 'Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks',
    url: 'https://arxiv.org/abs/2005.11401',
    date: '2020-05-22',
  },
  {
    type: 'source/added',
    id: 'S11b0c',
    kind: 'github',
    title: 'infiniflow/ragflow',
    url: 'https://github.com/infiniflow/ragflow',
    date: '2026-10-30',
  },
  {
    type: 'source/added',
    id: 'S77aa2',
    kind: 'workspace',
    title: 'Notes on retrieval',
    file: { path: 'notes/retrieval.md', firstLine: 10, lastLine: 42 },
  },
  {
    type: 'source/added',
    id: 'S90cde',
    kind: 'web',
    title:
      'A very long page title that goes on and on about chunk sizes, overlap and everything in between, with examples',
    url: 'https://www.example.com/blog/chunking',
    date: '2025-03',
  },
];

function section(index: number, change: Partial<Extract<EventBody, { type: 'section/updated' }>>): EventBody {
  return {
    type: 'section/updated',
    id: `s${index + 1}`,
    title: titles[index] ?? '',
    status: 'researching',
    attempt: 1,
    activity: '',
    sources: 0,
    ...change,
  };
}

export const planned: EventBody[] = [
  started(),
  { type: 'run/phase', phase: 'assess' },
  {
    type: 'thought',
    text: 'Understood: an overview of techniques for building RAG pipelines, judged by their cost in production. Research starts.',
  },
  { type: 'run/phase', phase: 'analyze' },
  { type: 'run/phase', phase: 'plan' },
  { type: 'plan/approved', title: 'Retrieval-augmented generation in practice', sections, estimate },
];

export const researching: EventBody[] = [
  ...planned,
  { type: 'run/phase', phase: 'research' },
  ...sources,
  {
    type: 'usage',
    model: 'gpt-5.1',
    role: 'research',
    phase: 'research',
    tokens: { in: 18_200, out: 2_310, cached: 4_000 },
    cost: 0.04,
    estimated: false,
  },
  section(0, { status: 'completed', sources: 7 }),
  section(1, {
    status: 'researching',
    sources: 3,
    activity: 'Reading “Late chunking: contextual chunk embeddings using long-context embedding models”',
  }),
  section(2, {
    status: 'researching',
    sources: 1,
    attempt: 2,
    activity: 'Searching arXiv for “cross-encoder re-ranking latency”',
  }),
  section(3, {
    status: 'failed',
    error: 'The researcher got no answer from api.openai.com for 90 seconds. The section is left out.',
  }),
  section(4, { status: 'pending' }),
  {
    type: 'thought',
    section: 's2',
    text: 'Found three papers on fixed-size chunks; nothing on semantic chunking yet.',
  },
  {
    type: 'thought',
    section: 's2',
    text: 'Two of them report the same benchmark. One more search for production reports, then enough.',
  },
  {
    type: 'run/warning',
    code: 'rateLimit',
    message: 'GitHub allows no more searches without a key for 12 minutes. The run continues with the other sources.',
    section: 's2',
  },
  {
    type: 'run/warning',
    code: 'rateLimit',
    message: 'GitHub allows no more searches without a key for 12 minutes. The run continues with the other sources.',
    section: 's3',
  },
  {
    type: 'run/warning',
    code: 'sourceDown',
    message: 'export.arxiv.org could not be reached once; the search was tried again.',
  },
];

const reviewed: EventBody = {
  type: 'review/finished',
  score: 6,
  sufficient: false,
  gaps: [
    { section: 's2', gap: 'Only overviews; no figures on chunk size against answer quality.' },
    { section: 's5', gap: 'A single source for costs.' },
  ],
  retry: ['s2', 's5'],
  round: 1,
  needsApproval: true,
  coverage: [
    { section: 's1', status: 'sufficient', notes: 'Four independent sources agree.' },
    { section: 's2', status: 'partial', notes: 'Overviews alone.' },
    { section: 's5', status: 'missing', notes: '' },
  ],
  reasoning: 'Two sections rest on overviews; the others have figures from primary sources.',
};

/** What the user has said to the sections of a run, and one that was stopped. */
const steered: EventBody[] = [
  { type: 'section/remark', id: 'r1', section: 's1', text: 'Look at the 2025 follow-up.', state: 'waiting' },
  { type: 'section/remark', id: 'r1', section: 's1', state: 'seen' },
  {
    type: 'section/remark',
    id: 'r2',
    section: 's1',
    text: `And at https://www.example.com/${'a-very-long-path-'.repeat(12)}\nOn a second line.`,
    state: 'waiting',
  },
  { type: 'section/remark', id: 'r3', section: 's2', text: 'x'.repeat(10_000), state: 'unused' },
];

export const reportText = `# Retrieval-augmented generation in practice

Retrieval-augmented generation combines a parametric model with a search over documents [[1]](#ref-1). Hybrid retrieval is the safest default; **re-ranking** pays where answers must be precise [[2]](#ref-2)[[3]](#ref-3).

## Retrieval: dense, sparse and hybrid

Dense retrieval finds paraphrases, sparse retrieval finds names and numbers [[1]](#ref-1). In the \`notes\` of this workspace both are combined [[3]](#ref-3):

- BM25 needs no training and no GPU [[1]](#ref-1).
- Dense vectors need both, and an index that fits into memory [[4]](#ref-4).
  1. Flat indexes are exact.
  2. HNSW trades recall for speed.
- A weighted sum of both scores is enough for most corpora.

| Technique | Recall@10 | Latency | Where it is worth its cost |
|---|---:|---:|---|
| BM25 [[1]](#ref-1) | 0.71 | 8 ms | names, numbers, code |
| Dense [[4]](#ref-4) | 0.78 | 21 ms | paraphrases, other languages |
| Hybrid with re-ranking | 0.86 | 140 ms | answers that must be right |

> We find that the retrieved documents matter more than the size of the reader. [[1]](#ref-1)

\`\`\`python
def hybrid(query: str, k: int = 10) -> list[Document]:
    return merge(bm25(query, k), dense(query, k), weights=(0.4, 0.6))[:k]  # one long line, so that the block has to scroll
\`\`\`

## Conclusion and outlook

Start with hybrid retrieval and measure. See [the survey](https://arxiv.org/abs/2312.10997) for what comes next.

## References

- <a id="ref-1"></a>[1] Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks. P. Lewis et al., 2020-05-22. https://arxiv.org/abs/2005.11401. Retrieved 2026-11-22
- <a id="ref-2"></a>[2] infiniflow/ragflow. 2026-10-30. https://github.com/infiniflow/ragflow. Retrieved 2026-11-22
- <a id="ref-3"></a>[3] notes/retrieval.md#L10-L42. Retrieved 2026-11-22
- <a id="ref-4"></a>[4] A very long page title that goes on and on about chunk sizes. 2025-03. https://www.example.com/blog/chunking. Retrieved 2026-11-22
`;
export const citations = ['S3f9a1', 'S11b0c', 'S77aa2', 'S90cde'];

const allDone = titles.map((_, i) =>
  section(i, {
    status: i === 3 ? 'failed' : 'completed',
    sources: 3 + i,
    ...(i === 3 ? { error: 'Nothing found; searched arXiv and GitHub.' } : {}),
  }),
);

export const writing: EventBody[] = [
  ...researching,
  ...allDone,
  { type: 'run/phase', phase: 'review' },
  { ...reviewed, needsApproval: false, sufficient: true, score: 8, gaps: [], retry: [] },
  { type: 'run/phase', phase: 'report' },
  { type: 'report/delta', offset: 0, text: reportText.slice(0, 900), citations },
];

const path = 'research/2026-11-22-retrieval-augmented-generation-in-practice.md';

export function finished(
  change: { readonly path?: string; readonly outcome?: 'complete' | 'partial'; readonly gaps?: readonly string[] } = {
    path,
  },
): EventBody[] {
  const saved = change.path === undefined ? {} : { path: change.path };
  return [
    ...writing,
    { type: 'report/delta', offset: 0, text: reportText, citations },
    { type: 'report/finished', ...saved, citations: { cited: 12, dropped: 2, verified: 12 } },
    {
      type: 'run/finished',
      ...saved,
      outcome: change.outcome ?? 'complete',
      gaps: (change.gaps ?? []).map((gap) => ({ section: 's1', gap })),
      tokens: { in: 148_000, out: 12_300, cached: 40_000 },
      ms: 251_000,
    },
  ];
}

export function ended(
  type: 'run/failed' | 'run/cancelled',
  reason: string,
  message: string,
  next: string,
  before: readonly EventBody[] = researching,
): EventBody[] {
  return [...before, { type, reason, message, next }];
}

const extractive = started({ analyst: 'extractive', model: null, provider: 'extractive' });

/** Nothing that was searched answers. */
export const notFound: EventBody[] = [
  started({ question: 'What is the boiling point of ammonia on Mars?', analyst: 'extractive', model: null }),
  { type: 'run/phase', phase: 'research' },
  ...sources,
  { type: 'report/delta', offset: 0, text: '# Ammonia\n\nNothing in this folder answers the question.\n', citations },
  { type: 'report/finished', path, citations: { cited: 1, dropped: 0, verified: 1 } },
  {
    type: 'run/finished',
    outcome: 'notFound',
    gaps: [],
    searched: {
      sources: ['workspace', 'arxiv'],
      files: 1_234,
      nearest: [
        { source: 'S77aa2', title: 'Notes on retrieval' },
        { source: 'S90cde', title: `A very long page title that ${'goes on and on '.repeat(9)}` },
      ],
    },
    path,
    tokens: { in: 0, out: 0, cached: 0 },
    ms: 900,
  },
];

const arabic: EventBody[] = [
  started({ question: 'ما هي أهم تقنيات التوليد المعزز بالاسترجاع (RAG) في عام 2026؟' }),
  { type: 'run/phase', phase: 'report' },
  {
    type: 'plan/approved',
    title: 'التوليد المعزز بالاسترجاع',
    sections: [{ id: 's1', title: 'طرق الاسترجاع: الكثيف والمتناثر', description: '' }],
    estimate,
  },
  {
    type: 'section/updated',
    id: 's1',
    title: 'طرق الاسترجاع: الكثيف والمتناثر',
    status: 'completed',
    attempt: 1,
    activity: '',
    sources: 4,
  },
  ...sources,
  {
    type: 'report/delta',
    offset: 0,
    text: '# التوليد المعزز بالاسترجاع\n\nيجمع التوليد المعزز بالاسترجاع بين نموذج لغوي وبحث في المستندات [1].\n\n- الاسترجاع الهجين هو الخيار الأكثر أمانًا [2].\n- إعادة الترتيب مفيدة [3].\n',
    citations,
  },
];

const entities: EventBody = {
  type: 'discover/found',
  entities: ['Qdrant', 'Milvus', 'Weaviate', 'LanceDB'].map((name) => ({
    name,
    category: 'vector database',
    brief: `${name} is an open-source vector database.`,
    source: 'S11b0c',
    urls: [],
    priority: 'high' as const,
  })),
};

const round = (change: Partial<Extract<EventBody, { type: 'round/updated' }>>): EventBody => ({
  type: 'round/updated',
  round: 1,
  maxRounds: 5,
  status: 'retrieving',
  queries: [
    'dense and sparse retrieval compared',
    'chunk size against answer quality',
    'cross-encoder re-ranking latency in production',
  ],
  sources: 0,
  ...change,
});

const deep: EventBody[] = [
  started({ question: 'Explain re-ranking for retrieval-augmented generation in detail', strategy: 'auto' }),
  { type: 'run/phase', phase: 'assess' },
  { type: 'run/phase', phase: 'analyze' },
  {
    type: 'run/strategy',
    strategy: 'iterative',
    why: 'One subject in depth: searched in rounds, each led by the gaps of the last.',
  },
  { type: 'run/phase', phase: 'plan' },
  { type: 'plan/approved', title: 'Re-ranking in detail', sections: sections.slice(0, 3), estimate },
];

/** Strategy `iterative`: the first round is rated, the second reads. */
export const inRounds: EventBody[] = [
  ...deep,
  { type: 'run/phase', phase: 'research' },
  ...sources,
  round({ status: 'completed', sources: 9, score: 6, sufficient: false }),
  {
    ...reviewed,
    gaps: [{ section: 's2', gap: 'No figures on chunk size against answer quality.' }],
    retry: ['s2'],
    needsApproval: false,
  },
  section(0, { status: 'completed', sources: 5 }),
  section(1, { status: 'researching', attempt: 2, sources: 4, activity: 'recall of late chunking on long documents' }),
  section(2, { status: 'completed', sources: 2 }),
  round({
    round: 2,
    status: 'reading',
    queries: [
      'recall of late chunking on long documents',
      'https://www.example.com/a-search-for-one-very-long-word-that-no-narrow-panel-can-hold-in-a-line',
    ],
    sources: 3,
  }),
];

export const roundsDone: EventBody[] = [
  ...inRounds,
  round({
    round: 2,
    status: 'completed',
    queries: ['recall of late chunking on long documents'],
    sources: 3,
    score: 8,
    sufficient: true,
  }),
  section(1, { status: 'completed', attempt: 2, sources: 7 }),
  { type: 'run/phase', phase: 'report' },
  ...closing(),
];

const brief = `What is to be found out: which re-ranking methods for retrieval-augmented generation are worth their cost in production.

Stated: production systems, cost. Open: which languages, which size of corpus. Preferred: papers with figures, repositories that are kept up.`;

/** The plan of strategy `supervisor`: one text. */
const proposedBrief: EventBody = {
  type: 'plan/proposed',
  title: 'Re-ranking and its cost',
  sections: [{ id: 'brief', title: 'Research brief', description: brief }],
  estimate,
  needsApproval: true,
};

const briefed: EventBody[] = [
  started({ strategy: 'supervisor' }),
  { type: 'run/phase', phase: 'assess' },
  { type: 'run/strategy', strategy: 'supervisor', why: 'Chosen in the settings or for this question.' },
  { type: 'run/phase', phase: 'plan' },
];

function topic(
  id: string,
  title: string,
  inRound: number,
  change: Partial<Extract<EventBody, { type: 'topic/updated' }>> = {},
  activity = '',
): EventBody[] {
  const { status = 'researching', sources: found = 0, error } = change;
  const shared = { id, title, status, sources: found, ...(error === undefined ? {} : { error }) };
  const text = `Find out what is known about ${title.toLowerCase()}: methods with their names, figures of recall and latency with the benchmark they come from, and what they cost to run. Prefer papers since 2023 and repositories that are kept up.`;
  return [
    { type: 'section/updated', ...shared, attempt: 1, activity },
    { type: 'topic/updated', ...shared, topic: text, round: inRound },
  ];
}

/** Strategy `supervisor`: the first round has come back, one of its researchers failed; the second is in progress. */
export const delegated: EventBody[] = [
  ...briefed,
  { ...proposedBrief, type: 'plan/approved' },
  { type: 'run/phase', phase: 'research' },
  { type: 'thought', text: 'Two directions: quality and cost. One researcher each.' },
  ...topic('t1', 'Quality of cross-encoder and late-interaction re-ranking on public benchmarks', 1, {
    status: 'completed',
    sources: 8,
  }),
  ...topic('t2', 'Latency and cost', 1, {
    status: 'failed',
    error: 'The researcher got no answer from api.openai.com for 90 seconds.',
  }),
  ...sources,
  { type: 'thought', text: 'Costs are missing: asked again in other words.' },
  ...topic(
    't3',
    'Price of re-ranking a thousand queries',
    2,
    { sources: 2 },
    'Searching GitHub for “reranker benchmark latency”',
  ),
  ...topic('t4', 'Distilled re-rankers', 2, { status: 'pending' }),
  { type: 'thought', section: 't3', text: 'Two repositories publish figures; one more search.' },
];

export const delegationDone: EventBody[] = [
  ...delegated,
  ...topic('t3', 'Price of re-ranking a thousand queries', 2, { status: 'completed', sources: 4 }),
  ...topic('t4', 'Distilled re-rankers', 2, { status: 'completed', sources: 3 }),
  { type: 'run/phase', phase: 'report' },
  ...closing(),
];

/** One fact: no plan, one researcher. */
const short: EventBody[] = [
  started({ question: 'When was BM25 published?', strategy: 'auto' }),
  { type: 'run/strategy', strategy: 'short', why: 'A small factual question: one researcher and a short report.' },
  { type: 'run/phase', phase: 'research' },
  { ...section(0, { activity: 'Searching arXiv for “BM25”' }), title: 'When was BM25 published?' } as EventBody,
];

/** The report, and the end of the run. */
function closing(): EventBody[] {
  return [
    { type: 'report/delta', offset: 0, text: reportText, citations },
    { type: 'report/finished', path, citations: { cited: 12, dropped: 0, verified: 12 } },
    {
      type: 'run/finished',
      path,
      outcome: 'complete',
      tokens: { in: 148_000, out: 12_300, cached: 40_000 },
      ms: 251_000,
    },
  ];
}

/** One second between two events; the first happened `secondsAgo`. */
export function events(bodies: readonly EventBody[], run = 'r1', from = 1, secondsAgo = 200): ResearchEvent[] {
  const begin = Date.now() - secondsAgo * 1000;
  return bodies.map((body, i) => ({
    ...body,
    run,
    seq: from + i,
    at: new Date(begin + (from + i) * 1000).toISOString(),
  }));
}

export function viewOf(bodies: readonly EventBody[]): RunView {
  return events(bodies).reduce(reduceRun, emptyView());
}

export function snapshot(
  view: RunView,
  setup: Setup = keyless,
  change: { readonly strings?: Readonly<Record<string, string>>; readonly locale?: string } = {},
): HostMessage {
  const { strings = panelStrings, locale = 'en' } = change;
  return { type: 'snapshot', view, setup, strings, locale, isRead: false };
}

const failed = (reason: string, message: string, next: string, before?: readonly EventBody[]) =>
  snapshot(viewOf(ended('run/failed', reason, message, next, before)));

/** What the host says to bring the panel into each of its states. */
export const panelStates: Readonly<Record<string, readonly HostMessage[]>> = {
  idle: [snapshot(emptyView())],
  'idle-model': [snapshot(emptyView(), withModel)],
  'idle-problem': [
    snapshot(emptyView(), {
      ...withModel,
      problem: {
        message: 'The provider is "openai-compatible", but no base URL is set. Nothing can be asked until it is.',
        actions: ['openSettings', 'withoutModel', 'selectModel'],
        key: 'model.baseUrl',
      },
    }),
  ],
  'idle-restricted': [
    snapshot(emptyView(), {
      ...withModel,
      trusted: false,
      problem: { message: 'No key is saved for OpenAI.', actions: ['setKey', 'withoutModel', 'selectModel'] },
    }),
  ],
  'idle-down': [snapshot(emptyView(), modelDown)],
  'idle-notice': [
    snapshot(emptyView()),
    { type: 'notice', message: 'A run is on already. Stop it first, or wait until it is done.' },
  ],
  starting: [snapshot(viewOf([started(), { type: 'run/phase', phase: 'assess' }]))],
  clarify: [snapshot(viewOf([started(), { type: 'run/phase', phase: 'assess' }, asked]))],
  plan: [snapshot(viewOf([...planned.slice(0, 5), proposed]))],
  'plan-30': [snapshot(viewOf([...planned.slice(0, 5), longPlan]))],
  entities: [snapshot(viewOf([...planned.slice(0, 4), { type: 'run/phase', phase: 'discover' }, foundEntities]))],
  research: [snapshot(viewOf(researching))],
  'research-keyless': [
    snapshot(viewOf([extractive, ...researching.slice(1).filter((event) => event.type !== 'usage')])),
  ],
  discover: [
    snapshot(
      viewOf([...researching.slice(0, 4), { type: 'run/phase', phase: 'discover' }, entities, ...researching.slice(4)]),
    ),
  ],
  steered: [
    snapshot(
      viewOf([
        ...researching,
        ...steered,
        section(1, { status: 'completed', sources: 3, stopped: true }),
        section(2, { status: 'failed', error: 'Stopped by you.', stopped: true }),
      ]),
    ),
  ],
  review: [snapshot(viewOf([...researching, ...allDone, { type: 'run/phase', phase: 'review' }, reviewed]))],
  writing: [snapshot(viewOf(writing))],
  finished: [snapshot(viewOf(finished()))],
  'finished-partial-unsaved': [snapshot(viewOf(finished({ outcome: 'partial' })))],
  'not-found': [snapshot(viewOf(notFound), withoutWebKey)],
  indexing: [snapshot(viewOf([...planned, { type: 'folder/indexed', files: 1_136, of: 5_000 }]))],
  'failed-key': [
    failed(
      'auth',
      'OpenAI refused the key (401). The run ended before anything was researched.',
      'Set another key and ask again.',
      [started(), { type: 'run/phase', phase: 'assess' }],
    ),
  ],
  'failed-evidence': [
    failed(
      'noEvidence',
      'No source had anything on this question; searched arXiv, GitHub and the workspace.',
      'Ask with other words, or enable more sources in the settings.',
      planned,
    ),
  ],
  'failed-bug': [
    failed(
      'bug',
      'Something in Deep Research itself went wrong: cannot read "title" of undefined. What was found is saved.',
      'See the log, and report it.',
    ),
  ],
  cancelled: [
    snapshot(
      viewOf(
        ended(
          'run/cancelled',
          'abort',
          'You stopped the run. Nothing more is sent anywhere.',
          'Start again when you like.',
        ),
      ),
    ),
  ],
  interrupted: [snapshot(interrupted(viewOf(writing), panelStrings))],
  held: [
    snapshot(
      viewOf([
        ...researching,
        {
          type: 'run/paused',
          reason: 'network',
          message:
            "api.openai.com can't be reached: the host name is unknown. The research is paused and resumes by itself.",
          next: 'Nothing is lost. Stop it, or finish now with what was found.',
        },
      ]),
    ),
  ],
  arabic: [snapshot(viewOf(arabic))],
  iterative: [snapshot(viewOf(inRounds))],
  'iterative-finished': [snapshot(viewOf(roundsDone))],
  'iterative-interrupted': [snapshot(interrupted(viewOf(inRounds), panelStrings))],
  'supervisor-brief': [snapshot(viewOf([...briefed, proposedBrief]))],
  supervisor: [snapshot(viewOf(delegated))],
  'supervisor-reading': [snapshot(viewOf(delegated.slice(0, -5)))],
  'supervisor-finished': [snapshot(viewOf(delegationDone))],
  'supervisor-interrupted': [snapshot(interrupted(viewOf(delegated), panelStrings))],
  short: [snapshot(viewOf(short))],
};

const paragraph = (i: number) =>
  `## Section ${i}\n\nDense retrieval finds paraphrases, sparse retrieval finds names and numbers [1]. In the \`notes\` **both** are combined [3], and [the survey](https://arxiv.org/abs/2312.10997) says why [2][4].\n\n- BM25 needs no training and no GPU [1].\n- Dense vectors need both [4].\n\n| Technique | Recall |\n|---|---:|\n| BM25 [1] | 0.71 |\n| Dense [4] | 0.78 |\n\n`;

/** A report of 50 kB: its text, the events up to its first word, one event for each 125 characters, and its end. */
export const longReport = (() => {
  const text = Array.from({ length: 130 }, (_, i) => paragraph(i))
    .join('')
    .slice(0, 50_000);
  const before = writing.slice(0, -1);
  const deltas = Array.from({ length: text.length / 125 }, (_, i): EventBody => {
    const offset = i * 125;
    return { type: 'report/delta', offset, text: text.slice(offset, offset + 125), ...(i === 0 ? { citations } : {}) };
  });
  const end: EventBody[] = [
    { type: 'report/finished', citations: { cited: 4, dropped: 0, verified: 4 } },
    { type: 'run/phase', phase: 'report' },
  ];
  return { text, before, deltas, end };
})();
