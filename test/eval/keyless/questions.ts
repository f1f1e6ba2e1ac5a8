import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { normalize } from './normalize.ts';

/** Substrings that must all stand in one quote. */
export type Alternative = string | readonly string[];

/** One thing that an answer has to say. */
export interface AnswerPart {
  /** Paths in the folder, or `folder/*` for all below; a quote counts only when it comes from one of them. */
  readonly files: readonly string[];
  readonly any: readonly Alternative[];
}

export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  /** Empty for an unanswerable question. */
  readonly answer: readonly AnswerPart[];
  /** How many parts an answer needs. Default: all. */
  readonly need?: number;
  /** Files that bear on the question, beside those of the answer; paths alike. */
  readonly relevant?: readonly string[];
  /** Unanswerable questions: the words that no file of the folder holds; a report has to name one of them. */
  readonly missing?: readonly string[];
}

export interface Folder {
  readonly name: string;
  readonly path: string;
  readonly questions: readonly Question[];
  readonly files: ReadonlyMap<string, string>;
  /** The same, as they are compared. */
  readonly normalized: ReadonlyMap<string, string>;
}

/** The folders of a set: every `NAME/` that has a `NAME.questions.json` beside it. Throws for a key that its files don't hold. */
export function readSet(set: string): Folder[] {
  const names = readdirSync(set)
    .filter((name) => name.endsWith('.questions.json'))
    .map((name) => name.slice(0, -'.questions.json'.length));
  if (names.length === 0) throw new Error(`${set} has no NAME.questions.json.`);
  const folders = names.sort().map((name): Folder => {
    const questions = JSON.parse(readFileSync(join(set, `${name}.questions.json`), 'utf8')) as Question[];
    const files = readFiles(join(set, name));
    const normalized = new Map([...files].map(([file, text]) => [file, normalize(text)]));
    return { name, path: join(set, name), questions, files, normalized };
  });
  const faults = folders.flatMap((folder) =>
    folder.questions.flatMap((question) =>
      faultsOf(question, folder).map((fault) => `${folder.name} ${question.id}: ${fault}`),
    ),
  );
  if (faults.length > 0) throw new Error(`The answer keys are wrong:\n${faults.join('\n')}`);
  return folders;
}

function readFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    if (!text.includes('\0')) files.set(relative(folder, path).split(sep).join('/'), text);
  }
  return files;
}

function faultsOf({ answer, missing, relevant = [] }: Question, { normalized: files }: Folder): string[] {
  const faults: string[] = [];
  if ((answer.length === 0) === (missing === undefined)) faults.push('needs either an answer or missing words');
  for (const part of answer) {
    for (const pattern of part.files) {
      if (![...files.keys()].some((file) => matches(file, pattern))) faults.push(`no file matches ${pattern}`);
    }
    const texts = [...files].filter(([file]) => isAmong(file, part.files)).map(([, text]) => text);
    for (const alternative of part.any) {
      if (!texts.some((text) => holds(text, alternative)))
        faults.push(`no file of the part holds ${JSON.stringify(alternative)}`);
    }
  }
  for (const pattern of relevant)
    if (![...files.keys()].some((file) => matches(file, pattern))) faults.push(`no file matches ${pattern}`);
  for (const word of missing ?? []) {
    for (const [file, text] of files)
      if (`${normalize(file)} ${text}`.includes(normalize(word))) faults.push(`${file} holds "${word}"`);
  }
  return faults;
}

/** @param text Normalised. */
export function holds(text: string, alternative: Alternative): boolean {
  return [alternative].flat().every((one) => text.includes(normalize(one)));
}

export function isAmong(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(file, pattern));
}

function matches(file: string, pattern: string): boolean {
  return pattern.endsWith('*') ? file.startsWith(pattern.slice(0, -1)) : file === pattern;
}
