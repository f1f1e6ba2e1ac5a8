import * as z from 'zod';
import { systemClock } from '../../../src/node/clock.ts';
import { extractiveAnalyst } from '../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import type { Analyst } from '../../../src/research/analyst/analyst.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ChatModels, FoundDocument } from '../../../src/research/ports.ts';
import type { ResearchTool } from '../../../src/research/tools.ts';
import { ofType, scriptedTool, type MemoryFolder, memoryFolder } from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';
import type { ClarifyCase, Outcome } from './cases.ts';

export interface CaseResult {
  readonly id: string;
  /** Each once in a row, in order; questions that were answered are left out. */
  readonly path: readonly Outcome[];
  readonly asked: readonly string[];
  readonly isRight: boolean;
  /** A complete question that was asked about. */
  readonly isNeedless: boolean;
}

/** Who thinks. Default: nobody but code. */
export interface Thinking {
  readonly analyst: Analyst;
  readonly models: ChatModels;
  readonly model: string;
}

/**
 * Runs one case in the real graph up to the plan, with a public search that answers as recorded and a search of the case's files.
 * Rejects when the run fails for any other reason than a question that can't be researched.
 */
export async function runCase(one: ClarifyCase, thinking?: Thinking): Promise<CaseResult> {
  const stop = new AbortController();
  const reached = new ResearchError('abort', 'The outcome is known.');
  const answers = [...one.answers];
  const extractive = extractiveAnalyst;
  const folder: MemoryFolder = memoryFolder();
  const { result, events } = scriptedRun({
    question: one.query,
    folder,
    settings: one.settings,
    analyst: thinking?.analyst ?? extractive,
    fallback: extractive,
    ...(thinking && { models: thinking.models, model: thinking.model, provider: 'eval', clock: systemClock }),
    tools: [publicSearch(one), ...(one.workspace ? [folderSearch(one.workspace.files)] : [])],
    ...factsOf(one),
    signal: stop.signal,
    answer: async () => {
      if (answers.length > 0) return answers.shift()!;
      stop.abort(reached);
      throw reached;
    },
    onEvent: (event) => {
      if (event.type === 'plan/proposed' || event.type === 'plan/approved') stop.abort(reached);
    },
  });
  await result.catch((error: unknown) => {
    if (stop.signal.aborted || ResearchError.is(error, 'cannotDo')) return;
    throw error;
  });
  const path = pathOf(events, one.answers.length);
  const isRight = path[0] === one.expect && (one.then === undefined || path[1] === one.then);
  const asked = ofType(events, 'clarify/asked').map(({ question }) => question);
  return { id: one.id, path, asked, isRight, isNeedless: one.complete && asked.length > one.answers.length };
}

function pathOf(events: readonly ResearchEvent[], answered: number): Outcome[] {
  const path: Outcome[] = [];
  const add = (outcome: Outcome): void => void (path.at(-1) !== outcome && path.push(outcome));
  let questions = 0;
  for (const event of events) {
    if (event.type === 'run/phase' && event.phase === 'verify') add('lookedUp');
    if (event.type === 'clarify/asked' && (questions += 1) > answered) add('asked');
    if (event.type === 'plan/proposed') add(event.needsApproval ? 'planShown' : 'started');
    if (event.type === 'run/failed' && event.reason === 'cannotDo') add('refused');
  }
  return path;
}

function factsOf({ workspace, attached }: ClarifyCase) {
  if (workspace === undefined && attached.length === 0) return {};
  const {
    files: _,
    openFile,
    ...known
  } = workspace ?? {
    ...{ name: '', fileCount: 0, repos: [], languages: [], packages: [], arxivIds: [], topics: [], files: {} },
  };
  const documents = attached.map(({ title, beginning }, index) => ({ id: `S0000${index}`, title, beginning }));
  return {
    workspace: {
      ...{ githubLinks: [], ...known, papers: known.arxivIds.map((id) => `arXiv:${id}`) },
      ...(openFile !== undefined && { openFile }),
      ...(documents.length > 0 && { attached: documents }),
    },
  };
}

function publicSearch({ lookups }: ClarifyCase): ResearchTool {
  return scriptedTool(
    (query) => {
      const [term, outcome] = Object.entries(lookups).find(([name]) => query.includes(name)) ?? ['', 'notFound'];
      if (outcome === 'unreachable') throw new ResearchError('network', 'The service could not be reached.');
      return { documents: outcome === 'found' ? [paper(`${term} in review`, `${term} is described here.`)] : [] };
    },
    { name: 'search_public', source: 'public', traits: { label: 'Public', isLocal: false, goodFor: ['science'] } },
  );
}

function folderSearch(files: Readonly<Record<string, string>>): ResearchTool {
  return scriptedTool(
    (query) => ({
      documents: Object.entries(files)
        .filter(([, text]) => text.includes(query))
        .map(([path, text]) => ({
          ...{ kind: 'workspace', title: path, authors: [], text },
          file: { path, firstLine: 1, lastLine: text.split('\n').length },
        })),
    }),
    {
      name: 'search_workspace',
      parameters: z.object({ query: z.string() }),
      traits: { label: 'Workspace', isLocal: true, goodFor: ['notes'] },
    },
  );
}

function paper(title: string, text: string): FoundDocument {
  return { kind: 'arxiv', title, authors: [], text, url: `https://example.org/${encodeURIComponent(title)}` };
}
