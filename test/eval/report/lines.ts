import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

/** A query of DeepResearch Bench (`data/prompt_data/query.jsonl`); other fields are ignored. */
const query = z.object({
  id: z.union([z.string().min(1), z.number()]),
  prompt: z.string().trim().min(1),
  /** "en" or "zh" there. */
  language: z.optional(z.string()),
});
export type Query = z.infer<typeof query>;

/** A report as that benchmark reads it (`data/test_data/raw_data/NAME.jsonl`), and its reference reports. */
export const article = z.object({ id: query.shape.id, prompt: z.string(), article: z.string() });

/** Reads a file with one JSON object on each line. Throws with file and line when one is not as `schema` says. */
export function readLines<S extends z.ZodType>(file: string, schema: S): z.output<S>[] {
  return readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const where = `${file}, line ${index + 1}`;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        throw new Error(`${where} is not JSON.`);
      }
      const read = schema.safeParse(value);
      if (!read.success) throw new Error(`${where}: ${z.prettifyError(read.error)}`);
      return [read.data];
    });
}

/** Throws when there is no question, or two have the same id. */
export function readQueries(file: string): Query[] {
  const queries = readLines(file, query);
  if (queries.length === 0)
    throw new Error(`${file} has no question: one {"id": …, "prompt": …} on each line is expected.`);
  const ids = new Set<string>();
  for (const { id } of queries) {
    if (ids.has(String(id))) throw new Error(`${file} has two questions with the id ${id}.`);
    ids.add(String(id));
  }
  return queries;
}

/** Replaces a file in one step, so that a kill leaves the old one or the new one. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

export function readJson<S extends z.ZodType>(file: string, schema: S): z.output<S> | undefined {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}
