import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { UnderstoodFollowUp } from '../../../src/research/analyst/analyst.ts';

/** What becomes of a follow-up. `redo`: a section that the report has is researched again. */
export const outcomes = ['answer', 'research', 'rewrite', 'challenge', 'redo'] as const;
export type Outcome = (typeof outcomes)[number];

const schema = z.strictObject({
  id: z.string(),
  /** Of the question, as a BCP 47 tag. */
  lang: z.string(),
  /** Name of a file in `reports/` beside the cases, without `.md`. */
  report: z.string().regex(/^[\w-]+$/),
  question: z.string().min(1),
  /** Of several, any one is right. */
  expect: z.union([z.enum(outcomes).transform((one) => [one]), z.array(z.enum(outcomes)).min(1)]),
  /** Number of the section that is redone. */
  section: z.int().min(1).optional(),
});

/** A question about a report, and what a person says should happen with it. */
export interface FollowUpCase extends Omit<z.infer<typeof schema>, 'report'> {
  /** Markdown. */
  readonly report: string;
  /** Headings of its sections, without the conclusion or the references at its end. */
  readonly sections: readonly string[];
}

/** Cases of a file with one JSON object a line. Throws with the number of a line that is none, and for an id that stands twice. */
export function readCases(file: string): FollowUpCase[] {
  const ids = new Set<string>();
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const place = `${file}:${index + 1}`;
      const { data, error } = schema.safeParse(JSON.parse(line));
      if (!data) throw new Error(`${place} is no labelled follow-up: ${z.prettifyError(error)}`);
      if (ids.has(data.id)) throw new Error(`${place}: the id ${data.id} stands twice.`);
      ids.add(data.id);
      const report = readFileSync(join(dirname(file), 'reports', `${data.report}.md`), 'utf8');
      const sections = [...report.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!).slice(0, -1);
      return [{ ...data, report, sections }];
    });
}

export function outcomeOf({ as, section }: Pick<UnderstoodFollowUp, 'as' | 'section'>): Outcome {
  return as === 'research' && section !== '' ? 'redo' : as;
}

/** Whether it is understood as a person says, and with the section that they mean. */
export function isRight({ expect, section, sections }: FollowUpCase, understood: UnderstoodFollowUp): boolean {
  const outcome = outcomeOf(understood);
  const isSection = section === undefined || understood.section === sections[section - 1];
  return expect.includes(outcome) && (outcome !== 'redo' || isSection);
}
