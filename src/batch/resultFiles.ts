import { join } from 'node:path';
import { replaceFile } from '../files/replaceFile.ts';
import { csvRow } from './csv.ts';
import type { QuestionFile } from './questionFile.ts';
import type { FollowedQueue, QuestionState } from './questionQueue.ts';

/** A line of results.jsonl. */
export interface ResultLine {
  readonly id: string;
  readonly run: string | null;
  /** `invalid`: a line of the file that no question could be made of. */
  readonly outcome: 'complete' | 'partial' | 'notFound' | 'failed' | 'waiting' | 'cancelled' | 'invalid';
  /** Absolute. */
  readonly path: string | null;
  readonly tokens: number;
  readonly cost: number | null;
  readonly ms: number;
  /** Markers in the report. */
  readonly citations: number;
  /** What failed, or what it waits for. */
  readonly error: string | null;
}

const heads = ['id', 'question', 'outcome', 'sources', 'citations', 'verified', 'dropped', 'tokens', 'cost', 'seconds'];

/** Undefined: there is no outcome yet. */
export function resultLine(state: QuestionState): ResultLine | undefined {
  const { id, run = null, status, figures, result, failure, asked } = state;
  if (status === 'pending' || status === 'running') return undefined;
  return {
    ...{ id, run, outcome: status === 'reported' ? (result?.outcome ?? 'complete') : status },
    path: result?.path ?? null,
    ...figures,
    citations: result?.citations.cited ?? 0,
    error: asked ? `${asked.question} ${asked.allowed}`.trim() : (failure?.message ?? null),
  };
}

/** Lines of the file that are no questions, as results. */
export function brokenLines({ broken }: Pick<QuestionFile, 'broken'>): ResultLine[] {
  const nothing = { path: null, tokens: 0, cost: 0, ms: 0, citations: 0 };
  return broken.map(({ line, problem }) => ({
    ...{ id: `line ${line}`, run: null, outcome: 'invalid' },
    ...nothing,
    error: problem,
  }));
}

/** Writes results.jsonl and figures.csv: either the old files or the new ones are there, whenever the process is killed. */
export async function writeResults(folder: string, queue: FollowedQueue, file: QuestionFile): Promise<void> {
  const questions = new Map(file.questions.map((question) => [question.id, question.question]));
  const lines: string[] = [];
  const rows = [csvRow(heads)];
  for await (const state of queue.states()) {
    const line = resultLine(state);
    if (line === undefined) continue;
    lines.push(JSON.stringify(line));
    const { verified = 0, dropped = 0 } = state.result?.citations ?? {};
    const { id, outcome, citations, tokens, cost, ms } = line;
    const counts = [state.result?.sources ?? 0, citations, verified, dropped, tokens, cost, Math.round(ms / 100) / 10];
    rows.push(csvRow([id, questions.get(id) ?? '', outcome, ...counts]));
  }
  for (const line of brokenLines(file)) lines.push(JSON.stringify(line));
  await replaceFile(join(folder, 'results.jsonl'), lines.map((line) => `${line}\n`).join(''));
  await replaceFile(join(folder, 'figures.csv'), rows.join(''));
}
