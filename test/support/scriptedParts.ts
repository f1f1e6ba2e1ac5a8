import * as z from 'zod';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import type { Analyst, Assessment, Distilled, Plan, Review } from '../../src/research/analyst/analyst.ts';
import type { Clock, Log, RunFolder, RunRecord, FoundDocument } from '../../src/research/ports.ts';
import type { ResearchTool, ToolResult } from '../../src/research/tools.ts';

/** An analyst of few words, and tools, storage and a clock in memory: for tests of the nodes and the core. */

export const silentLog: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Time that only moves when somebody sleeps. */
export function fakeClock(start = '2026-03-04T10:00:00.000Z'): Clock & { readonly slept: number[] } {
  let now = Date.parse(start);
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(now),
    monotonic: () => now,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
  };
}

export interface MemoryFolder extends RunFolder {
  readonly records: RunRecord[];
  readonly events: ResearchEvent[];
  readonly calls: string[];
  readonly checkpoints: string[];
  readonly evidence: Map<string, string>;
  sources: string;
  report: string;
}

export function memoryFolder(): MemoryFolder {
  return {
    records: [],
    events: [],
    calls: [],
    checkpoints: [],
    evidence: new Map(),
    sources: '',
    report: '',
    async saveRecord(record) {
      this.records.push(record);
    },
    async appendEvent(event) {
      this.events.push(event);
    },
    async saveSources(json) {
      this.sources = json;
    },
    async saveEvidence(id, text) {
      this.evidence.set(id, text);
    },
    async appendCall(line) {
      this.calls.push(line);
    },
    async appendCheckpoint(line) {
      this.checkpoints.push(line);
    },
    async saveReport(markdown) {
      this.report = markdown;
    },
    async close() {},
  };
}

export const clearAssessment: Assessment = {
  cannotDo: null,
  needClarification: false,
  question: '',
  options: [],
  missingInfo: '',
  verification: 'Understood; research starts.',
  refinedQuery: '',
  topicClear: true,
  scopeInferable: true,
  goalClear: true,
  defaultGoal: '',
  unknownTerms: [],
  focus: ['one', 'two', 'three'],
  confidence: 0.95,
  reasoning: '',
};

export function planOf(titles: readonly string[]): Plan {
  return {
    title: 'A plan',
    objective: '',
    scope: '',
    sections: titles.map((title, index) => ({
      id: `s${index + 1}`,
      title,
      description: `About ${title}`,
      queries: [title],
    })),
  };
}

export const goodReview: Review = {
  isSufficient: true,
  overallScore: 8,
  sectionCoverage: [],
  gaps: [],
  sectionsToRetry: [],
  contradictions: [],
  reasoning: '',
};

/** Searches once a turn for its task's title, twice; cites what it found. */
export function scriptedAnalyst(over: Partial<Analyst> = {}): Analyst {
  return {
    kind: 'extractive',
    assess: async () => clearAssessment,
    followUp: async ({ question, as = 'answer' }) => ({
      ...{ question, as, section: '', title: '', language: '', headings: [], queries: [] },
    }),
    analyze: async () => ({
      queryType: 'general',
      outputFormat: 'prose',
      needsDiscovery: false,
      discoveryTarget: '',
      reasoning: '',
    }),
    discover: async () => ({ entities: [], summary: '', coverage: '' }),
    plan: async () => planOf(['Alpha', 'Beta', 'Gamma']),
    act: async ({ task, turn }) => ({
      said: '',
      calls: turn === 0 ? [{ id: `c${turn}`, name: 'search_notes', args: { query: task.title } }] : [],
    }),
    distil: async ({ section, sources }): Promise<Distilled> => ({
      title: section.title,
      content: sources.map((source) => `${source.text.split('. ')[0]}. [${source.id}]`).join('\n\n'),
      findings: sources.flatMap((source) =>
        [source.text.slice(0, 20), source.text.slice(-20)].map((quote) => ({
          claim: source.title,
          quote,
          source: source.id,
        })),
      ),
    }),
    review: async () => goodReview,
    reflect: async () => ({
      isSufficient: true,
      overallScore: 8,
      gaps: [],
      nextQueries: [],
      contradictions: [],
      reasoning: '',
    }),
    brief: async ({ clarifiedQuestion }) => `I want to know: ${clarifiedQuestion}`,
    supervise: async ({ round }) => ({
      said: '',
      calls:
        round === 0
          ? ['Alpha', 'Beta'].map((topic) => ({ id: topic, name: 'ConductResearch', args: { research_topic: topic } }))
          : [{ id: 'end', name: 'ResearchComplete', args: {} }],
    }),
    async *writeReport({ title, sections }) {
      yield `# ${title}\n\nA summary of it all.\n\n`;
      for (const section of sections) yield `## ${section.title}\n\n${section.content}\n\n`;
      yield '## Conclusion and outlook\n\nThat was it.\n';
    },
    ...over,
  };
}

export function note(
  title: string,
  text = `${title} is described here in a full sentence. And there is more.`,
): FoundDocument {
  return {
    kind: 'workspace',
    title,
    authors: [],
    text,
    file: { path: `notes/${title.toLowerCase()}.md`, firstLine: 1, lastLine: 3 },
  };
}

export function scriptedTool(
  run: (query: string, signal: AbortSignal) => Promise<ToolResult> | ToolResult,
  over: Partial<ResearchTool> = {},
): ResearchTool {
  return {
    name: 'search_notes',
    description: 'Searches notes.',
    parameters: z.object({ query: z.string() }),
    source: 'workspace',
    kind: 'search',
    run: async (args, _context, signal) => {
      // A real tool answers in a later turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      return run(String(args['query']), signal);
    },
    ...over,
  };
}

export function ofType<T extends ResearchEvent['type']>(events: readonly ResearchEvent[], type: T) {
  return events.filter((event): event is Extract<ResearchEvent, { type: T }> => event.type === type);
}
