import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { openWorkspace } from '../../src/node/workspace.ts';
import type {
  Analyst,
  AnalystLimits,
  GatheredCall,
  QuestionInput,
  ReportInput,
  ReviewedSection,
  Scope,
} from '../../src/research/analyst/analyst.ts';
import { extractiveAnalyst } from '../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { EvidenceRegistry } from '../../src/research/evidence/registry.ts';
import type { Source } from '../../src/research/evidence/source.ts';
import { CitationWriter } from '../../src/research/evidence/citations.ts';
import type { ResearchTool, WorkspaceFacts } from '../../src/research/tools.ts';
import type { FoundDocument } from '../../src/research/ports.ts';
import { sourceDefinitions } from '../../src/sources/registry.ts';
import { traitsOf } from '../../src/sources/source.ts';
import { createWorkspaceTools } from '../../src/sources/workspace/workspaceTools.ts';

export const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const retrievedAt = '2026-11-22T00:00:00.000Z';

export function sourceOf(given: Partial<Source> & Pick<Source, 'text'>, number = 0): Source {
  const id = given.id ?? `S${(0xa0000 + number).toString(16)}`;
  return {
    kind: 'workspace',
    identity: `test:${id}`,
    title: 'A note',
    authors: [],
    retrievedAt,
    facts: [],
    alreadyCited: false,
    ...given,
    id,
  };
}

/** The tools of the sample workspace, as a run has them. */
export function workspaceTools(folder = examples): readonly ResearchTool[] {
  return createWorkspaceTools(openWorkspace(folder, { exclude: [], reportFolder: 'research' })).map(declared);
}

/** A tool with what its source declares, as a run has it. */
export function declared(tool: ResearchTool): ResearchTool {
  const definition = sourceDefinitions.find(({ name }) => name === tool.source);
  return definition === undefined ? tool : { ...tool, traits: traitsOf(definition) };
}

/** A service that searches the given documents by their words. */
export function searchTool(name: string, source: string, documents: readonly FoundDocument[], most = 10): ResearchTool {
  const texts = documents.map(({ title, text }) => `${title}\n${text}`);
  return declared({
    name,
    description: '',
    parameters: z.object({ query: z.string() }),
    source,
    kind: 'search',
    run: async ({ query }) => ({
      documents: documents
        .filter((_, index) =>
          String(query)
            .toLowerCase()
            .split(/\s+/)
            .some((word) => texts[index]!.toLowerCase().includes(word)),
        )
        .slice(0, most),
    }),
  });
}

export function scopeOf(
  given: {
    readonly language?: string;
    readonly depth?: AnalystLimits['depth'];
    readonly source?: (id: string) => Source | undefined;
  } = {},
): Scope {
  const noModel = (): never => {
    throw new Error('The extractive analyst must call no model.');
  };
  return {
    path: 'test',
    phase: 'research',
    today: '2026-11-22',
    language: given.language ?? 'en',
    signal: new AbortController().signal,
    fence: '',
    limits: {
      maxStructuredOutputRetries: 0,
      compressionTargetTokens: 8_000,
      maxTokens: {},
      depth: given.depth ?? 'standard',
    },
    model: noModel,
    noteUse: () => undefined,
    forget: async () => undefined,
    contextTokens: noModel,
    source: given.source ?? (() => undefined),
    thought: () => {},
    warn: () => {},
  };
}

export interface Researched {
  /** As a reader sees it, up to the references. */
  readonly report: string;
  readonly sections: readonly ReviewedSection[];
  readonly sources: readonly Source[];
  readonly source: (id: string) => Source | undefined;
  /** Names of the called tools and their queries, by section. */
  readonly calls: readonly (readonly GatheredCall[])[];
}

/** A whole run of the analyst with real tools, a real registry and no graph around it. */
export async function research(
  question: string,
  tools: readonly ResearchTool[],
  given: {
    readonly language?: string;
    readonly depth?: AnalystLimits['depth'];
    readonly workspace?: WorkspaceFacts;
    readonly maxCalls?: number;
  } = {},
): Promise<Researched> {
  const analyst = extractiveAnalyst;
  const registry = new EvidenceRegistry();
  const source = (id: string): Source | undefined => registry.get(id);
  const scope = scopeOf({ ...given, source });
  const assessment = await analyst.assess({ question, asked: [], lookups: [] }, scope);
  const asked: QuestionInput = { question, clarifiedQuestion: assessment.refinedQuery, assumptions: [] };
  const analysis = await analyst.analyze(asked, scope);
  const { workspace, maxCalls = 10 } = given;
  const plan = await analyst.plan(
    { ...asked, analysis, focus: assessment.focus, discovered: [], wanted: { min: 3, max: 7 } },
    scope,
  );
  const sections: ReviewedSection[] = [];
  const calls: GatheredCall[][] = [];
  for (const section of plan.sections) {
    const gathered = await loop(analyst, scope, tools, registry, {
      task: section,
      question: asked.clarifiedQuestion,
      maxCalls,
      workspace,
    });
    calls.push(gathered);
    const found = bestFirst(gathered).map((id) => registry.get(id)!);
    const input = {
      section,
      question: asked.clarifiedQuestion,
      gaps: [],
      gathered,
      sources: found,
    };
    const distilled =
      found.length > 0 ? await analyst.distil(input, scope) : { title: section.title, content: '', findings: [] };
    sections.push({
      ...section,
      status: 'completed',
      content: distilled.content,
      findings: distilled.findings,
      sourceIds: found.map(({ id }) => id),
    });
  }
  const input: ReportInput = {
    ...asked,
    title: plan.title,
    objective: plan.objective,
    limits: '',
    focus: [],
    analysis,
    discovered: [],
    sections,
    contradictions: [],
    sources: registry.all(),
  };
  let report = '';
  const evidence = { get: source, byUrl: () => undefined, candidates: registry.all() };
  const writer = new CitationWriter(evidence, [question, plan.title, ...sections.map(({ title }) => title)].join('\n'));
  for await (const piece of analyst.writeReport(input, scope)) report += writer.push(piece);
  report += writer.finish();
  return { report, sections, sources: registry.all(), source, calls };
}

interface Task {
  readonly task: { readonly title: string; readonly description: string; readonly queries: readonly string[] };
  readonly question: string;
  readonly maxCalls: number;
  readonly workspace?: WorkspaceFacts | undefined;
}

async function loop(
  analyst: Analyst,
  scope: Scope,
  tools: readonly ResearchTool[],
  registry: EvidenceRegistry,
  { task, question, maxCalls, workspace }: Task,
): Promise<GatheredCall[]> {
  const gathered: GatheredCall[] = [];
  let callsLeft = maxCalls;
  for (let turn = 0; turn < 8; turn += 1) {
    const input = {
      role: 'researcher' as const,
      task,
      question,
      otherSections: [],
      gaps: [],
      known: [],
      gathered,
      tools,
      turn,
      callsLeft,
      ...(workspace ? { workspace } : {}),
    };
    const { calls } = await analyst.act(input, scope);
    if (calls.length === 0) break;
    callsLeft -= calls.length;
    const answered = await Promise.all(
      calls.map(async (call): Promise<GatheredCall> => {
        const tool = tools.find(({ name }) => name === call.name)!;
        const about = { call, turn, said: '', note: '' };
        try {
          const { documents, words } = await tool.run(
            call.args,
            { focus: task.title, language: scope.language },
            scope.signal,
          );
          return {
            ...about,
            sources: documents.map((document) => registry.add(document, retrievedAt).source.id),
            ...(words ? { words } : {}),
          };
        } catch (error) {
          return { ...about, sources: [], error: String(error) };
        }
      }),
    );
    gathered.push(...answered);
  }
  return gathered;
}

function bestFirst(gathered: readonly GatheredCall[]): string[] {
  const deepest = Math.max(0, ...gathered.map(({ sources }) => sources.length));
  return [
    ...new Set(
      Array.from({ length: deepest }, (_, rank) => gathered.flatMap(({ sources }) => sources[rank] ?? [])).flat(),
    ),
  ];
}
