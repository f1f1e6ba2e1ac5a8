import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import * as z from 'zod';
import { builtIn, readAllSettings } from '../catalogue.ts';
import { l10n } from '../node/l10n.ts';
import { issueText } from '../protocol/issueText.ts';
import { wantedStrategies } from '../protocol/strategy.ts';
import { depths } from '../protocol/planBounds.ts';
import { ResearchError } from '../research/errors.ts';
import { maxQuestionLength } from '../research/runResearch.ts';
import { isRecord, parseJson } from '../research/text/json.ts';
import { readCsv } from './csv.ts';
import type { BatchQuestion } from './questionQueue.ts';
import { batchName } from './reportNames.ts';

export interface QuestionFile {
  /** Of the batch: the beginning of the file's SHA-256. */
  readonly name: string;
  /** Where paths of attachments begin. */
  readonly folder: string;
  readonly questions: readonly BatchQuestion[];
  /** Lines that no question could be made of. */
  readonly broken: readonly { readonly line: number; readonly problem: string }[];
  /** What a reader should know of the file. */
  readonly notes: readonly string[];
}

export const batchNamePattern = /^[\da-f]{16}$/;
/** Bytes; 100,000 questions have a tenth. */
const largestFile = 200_000_000;
/** UTF-16 units of a line of JSON. */
const longestLine = 500_000;
const mostAttachments = 20;

const text = z.string().trim();
const questionSchema = z.object({
  id: z.union([text.min(1).max(200), z.number().transform(String)]).optional(),
  question: text.min(1).max(maxQuestionLength),
  depth: z.enum(depths).optional(),
  strategy: z.enum(wantedStrategies).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  attachments: z.array(text.min(1).max(1_000)).max(mostAttachments).optional(),
  priority: z.number().int().min(-1_000).max(1_000).default(0),
});
const fields = Object.keys(questionSchema.shape);
/** The name that DeepResearch Bench has for a question (`{"id": 1, "prompt": "…"}`). */
const otherName = 'prompt';

interface Line {
  readonly line: number;
  /** Undefined: it can't be read. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly problem: string;
}

/**
 * Reads a file of questions: one JSON object on each line, or CSV with the same names as its heads. Lines that are wrong are named, and the
 * others count. Rejects with `badRequest` when there is no such file, or no question in it.
 */
export async function readQuestionFile(file: string): Promise<QuestionFile> {
  const path = resolve(file);
  const bytes = await bytesOf(path, file);
  const content = new TextDecoder().decode(bytes);
  const isJson = extname(path).toLowerCase() !== '.csv' && /^\s*\{/.test(content);
  const unknown = new Set<string>();
  const ids = new Map<string, { readonly line: number; readonly question: BatchQuestion }>();
  const broken: { line: number; problem: string }[] = [];
  let repeated = 0;
  for (const { line, value, problem } of isJson ? jsonLines(content) : csvLines(content, file)) {
    const read = value === undefined ? problem : readQuestion(value, line, unknown);
    if (typeof read === 'string') {
      broken.push({ line, problem: read });
      continue;
    }
    const same = ids.get(read.id);
    if (same === undefined) ids.set(read.id, { line, question: read });
    else if (JSON.stringify(same.question) === JSON.stringify(read)) repeated += 1;
    else broken.push({ line, problem: `line ${same.line} has another question with the id ${quoted(read.id)}` });
  }
  if (ids.size === 0) {
    const [first] = broken;
    throw noQuestion(file, first ? `: line ${first.line}: ${first.problem}.` : '.');
  }
  return {
    name: batchName(bytes),
    folder: dirname(path),
    questions: [...ids.values()].map(({ question }) => question),
    broken,
    notes: [
      ...(repeated > 0
        ? [
            l10n.t(
              '{0, plural, one {# line repeats} other {# lines repeat}} another one of the file and {0, plural, one {is} other {are}} left out.',
              repeated,
            ),
          ]
        : []),
      ...(unknown.size > 0 ? [l10n.t('Fields that are not read: {0}.', [...unknown].slice(0, 20).join(', '))] : []),
    ],
  };
}

function noQuestion(file: string, why: string): ResearchError {
  return new ResearchError('badRequest', `${file} has no question${why}`, {
    next: 'Write one {"id": "…", "question": "…"} on each line, or a CSV file with the heads id and question.',
  });
}

async function bytesOf(path: string, file: string): Promise<Buffer> {
  const wrong = (message: string) =>
    new ResearchError('badRequest', message, { next: 'Pass a file of questions: JSONL or CSV.' });
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw wrong(found ? `${file} is not a file.` : `${file} does not exist.`);
  if (found.size > largestFile) throw wrong(`${file} is too large for a file of questions (200 MB).`);
  const bytes = await readFile(path).catch(() => Promise.reject(wrong(`${file} can't be read.`)));
  if (bytes.toString('utf8', 0, 4_096).trim() === '') throw wrong(`${file} is empty.`);
  return bytes;
}

function* jsonLines(content: string): Generator<Line> {
  let line = 0;
  for (const row of content.split('\n')) {
    line += 1;
    if (row.trim() === '') continue;
    const value = row.length > longestLine ? undefined : parseJson(row.trim());
    const problem = row.length > longestLine ? 'is too long' : 'is not a JSON object';
    yield { line, value: isRecord(value) ? value : undefined, problem };
  }
}

/** Cells that hold more than a text are JSON; attachments may be paths with semicolons between them. */
function* csvLines(content: string, file: string): Generator<Line> {
  const heading = content.split(/[\r\n]/, 1)[0]!;
  const separator = [',', ';', '\t'].find((mark) => headsOf(heading, mark).some(isQuestionHead));
  if (separator === undefined) throw noQuestion(file, ': its first line has no head "question".');
  const [, ...rows] = readCsv(content, separator);
  const heads = headsOf(heading, separator);
  for (const { line, cells } of rows) {
    if (cells === undefined) yield { line, value: undefined, problem: 'has a quotation mark too many or too few' };
    else if (cells.length > heads.length)
      yield { line, value: undefined, problem: `has more cells than the ${heads.length} heads` };
    else
      yield {
        line,
        value: Object.fromEntries(heads.flatMap((head, at) => valueOf(head, cells[at] ?? ''))),
        problem: '',
      };
  }
}

const isQuestionHead = (head: string): boolean => head === 'question' || head === otherName;

function headsOf(line: string, separator: string): string[] {
  const [row] = readCsv(line, separator);
  return row?.cells?.map((head) => head.trim().toLowerCase()) ?? [];
}

function valueOf(head: string, cell: string): [string, unknown][] {
  if (cell.trim() === '') return [];
  if (head === 'settings') return [[head, parseJson(cell)]];
  if (head === 'attachments') return [[head, cell.trim().startsWith('[') ? parseJson(cell) : cell.split(';')]];
  return [[head, head === 'priority' ? Number(cell) : cell]];
}

/** A question, or what is wrong with it. */
function readQuestion(
  value: Readonly<Record<string, unknown>>,
  line: number,
  unknown: Set<string>,
): BatchQuestion | string {
  const { [otherName]: prompt, ...rest } = value;
  const given = { question: prompt, ...rest };
  for (const key of Object.keys(rest)) if (!fields.includes(key) && unknown.size <= 20) unknown.add(quoted(key));
  const { data, error } = questionSchema.safeParse(given);
  if (error) {
    return issueText(error.issues[0]!, 'the line');
  }
  const { id = String(line), ...question } = data;
  return problemOf(question.settings) ?? { id, ...question };
}

/** Settings of a question count as those of a folder do. */
function problemOf(settings: BatchQuestion['settings']): string | undefined {
  if (settings === undefined) return undefined;
  try {
    const { unknown, unusable } = readAllSettings({}, builtIn, settings);
    const own = Object.entries(builtIn.settings).find(
      ([key, { setBy }]) => setBy === 'user' && (key in settings || `deepResearch.${key}` in settings),
    );
    if (own !== undefined) return `deepResearch.${own[0]} is not set by a question: pass it with --settings`;
    const [wrong] = [...unusable, ...unknown];
    return wrong === undefined ? undefined : `the setting ${quoted(wrong)} can't be used`;
  } catch (error) {
    return ResearchError.from(error).message;
  }
}

const quoted = (id: string): string => JSON.stringify(id.length > 60 ? `${id.slice(0, 60)}…` : id);
