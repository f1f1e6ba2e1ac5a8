import * as z from 'zod';
import type {
  ActInput,
  AnalystLimits,
  GatheredCall,
  PlannedSection,
  QuestionInput,
  ReviewedSection,
  Scope,
} from '../../src/research/analyst/analyst.ts';
import type { Source } from '../../src/research/evidence/source.ts';
import type { ChatAnswer, ChatPort, ChatRequest, ModelRole } from '../../src/research/ports.ts';
import type { ResearchTool } from '../../src/research/tools.ts';

export interface SeenCall {
  readonly label: string;
  readonly role: ModelRole;
  readonly request: ChatRequest;
}

export interface TestScope extends Scope {
  readonly calls: SeenCall[];
  readonly thoughts: string[];
  readonly warnings: string[];
  readonly forgotten: string[];
  readonly sources: readonly Source[];
}

/** A seat whose model is a real port over HTTP, or a function that answers. */
export function scopeOver(
  model:
    | ChatPort
    | ((request: ChatRequest, label: string, onText?: (text: string) => void) => Promise<ChatAnswer> | ChatAnswer),
  changes: {
    readonly sources?: readonly Source[];
    readonly limits?: Partial<AnalystLimits>;
    readonly contextTokens?: number;
    readonly language?: string;
    readonly signal?: AbortSignal;
    readonly fence?: string;
  } = {},
): TestScope {
  const calls: SeenCall[] = [];
  const thoughts: string[] = [];
  const warnings: string[] = [];
  const forgotten: string[] = [];
  const signal = changes.signal ?? new AbortController().signal;
  const byId = new Map((changes.sources ?? []).map((source) => [source.id, source]));
  return {
    calls,
    thoughts,
    warnings,
    forgotten,
    sources: changes.sources ?? [],
    path: 'test',
    phase: 'research',
    today: '2026-02-03',
    language: changes.language ?? 'en',
    signal,
    fence: changes.fence ?? '',
    limits: {
      maxStructuredOutputRetries: 3,
      compressionTargetTokens: 8_000,
      maxTokens: {},
      depth: 'standard',
      ...changes.limits,
    },
    async model(label, role, request, onText) {
      calls.push({ label, role, request });
      return typeof model === 'function'
        ? model(request, label, onText)
        : model.complete(request, onText ? { onText } : {}, signal);
    },
    noteUse: () => undefined,
    forget: async (label) => void forgotten.push(label),
    contextTokens: () => Promise.resolve(changes.contextTokens ?? 100_000),
    source: (id) => byId.get(id),
    thought: (text) => thoughts.push(text),
    warn: ({ kind }) => warnings.push(kind),
  };
}

export function answer(text: string, changes: Partial<ChatAnswer> = {}): ChatAnswer {
  return { text, toolCalls: [], finish: 'stop', usage: { in: 1, out: 1, cached: 0, estimated: false }, ...changes };
}

/** A model that says these things one after the other, the last one for ever. */
export function saying(...answers: readonly (string | Partial<ChatAnswer> | object)[]) {
  let said = 0;
  return (_request: ChatRequest, _label: string, onText?: (text: string) => void): ChatAnswer => {
    const next = answers[Math.min(said, answers.length - 1)]!;
    said += 1;
    const made =
      typeof next === 'string'
        ? answer(next)
        : 'text' in next || 'toolCalls' in next
          ? answer('', next)
          : answer(JSON.stringify(next));
    onText?.(made.text);
    return made;
  };
}

export function source(id: string, text: string, changes: Partial<Source> = {}): Source {
  return {
    id,
    kind: 'arxiv',
    identity: `arxiv:${id}`,
    title: `Title of ${id}`,
    authors: ['A. Author'],
    date: '2025-05-01',
    url: `https://example.org/${id}`,
    retrievedAt: '2026-02-03T00:00:00Z',
    facts: [],
    alreadyCited: false,
    text,
    ...changes,
  };
}

export const facts: readonly Source[] = [
  source(
    'Sa1b2c',
    'Retrieval-augmented generation combines a retriever with a generator. On Natural Questions it reaches 44.5 exact match. The index holds 21 million passages of Wikipedia.',
  ),
  source(
    'Sd3e4f',
    'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy. It needs about 59,000 training pairs. Long passages hurt its recall.',
  ),
];

export const questionInput: QuestionInput = {
  question: 'What is retrieval-augmented generation?',
  clarifiedQuestion: 'What is retrieval-augmented generation?',
  assumptions: [],
};

export const section: PlannedSection = {
  id: 's1',
  title: 'Dense retrieval',
  description: 'How dense retrieval compares with BM25.',
  queries: ['dense retrieval BM25'],
};

export const searchTool: ResearchTool = {
  name: 'search_arxiv_papers',
  description: 'Searches papers.',
  parameters: z.object({ query: z.string().describe('Terms'), limit: z.number().int().optional() }),
  source: 'arxiv',
  kind: 'search',
  run: () => Promise.resolve({ documents: [] }),
};

export function actInput(changes: Partial<ActInput> = {}): ActInput {
  return {
    role: 'researcher',
    task: section,
    question: questionInput.question,
    otherSections: ['Evaluation'],
    gaps: [],
    known: [],
    gathered: [],
    tools: [searchTool],
    turn: 0,
    callsLeft: 10,
    ...changes,
  };
}

export function gathered(turn: number, sources: readonly string[], changes: Partial<GatheredCall> = {}): GatheredCall {
  return {
    call: { id: `c${turn}`, name: searchTool.name, args: { query: `query ${turn}` } },
    turn,
    said: '',
    sources,
    note: '',
    ...changes,
  };
}

export function reviewed(id: string, changes: Partial<ReviewedSection> = {}): ReviewedSection {
  return {
    id,
    title: `Section ${id}`,
    description: 'What it is about.',
    status: 'completed',
    content: 'Dense retrieval outperforms BM25 [Sd3e4f].',
    findings: [
      {
        claim: 'Dense retrieval outperforms BM25 by 9 to 19 points.',
        quote: 'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy.',
        source: 'Sd3e4f',
      },
    ],
    sourceIds: ['Sd3e4f'],
    ...changes,
  };
}
