import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { DistilInput } from '../../../src/research/analyst/analyst.ts';
import { distilSection } from '../../../src/research/analyst/extractive/distilSection.ts';
import { llmAnalyst } from '../../../src/research/analyst/llm/llmAnalyst.ts';
import { detectLanguage } from '../../../src/research/text/language.ts';
import type { Source } from '../../../src/research/evidence/source.ts';
import { saying, scopeOver, source } from '../../support/analystTestKit.ts';

const page = z.tuple([z.string(), z.string()]);
const caseSchema = z.object({
  id: z.string(),
  language: z.string(),
  question: z.string(),
  section: z.tuple([z.string(), z.string()]),
  /** Title and text of the results that are about the question, and of those that only share words with it. */
  about: z.array(page),
  foreign: z.array(page),
});
type Case = z.infer<typeof caseSchema>;

/** Sources of a question as a section has them: in an order that says nothing. */
interface Found {
  readonly input: DistilInput;
  readonly foreign: ReadonlySet<string>;
}

export interface OffTopicScore {
  /** Results about the question, those that only share words with it, and how many of either were left out. */
  about: number;
  foreign: number;
  aboutLost: number;
  foreignLeftOut: number;
  /** Quotes of the section, and those from results that are not about the question. */
  quotes: number;
  foreignQuotes: number;
}

/** What a model answers about sources that are not about the question. */
export type Naming = 'nothing' | 'right' | 'wrong' | 'everything';

export function readCases(set: string): Case[] {
  const file = path.join(import.meta.dirname, `offTopic.${set}.jsonl`);
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => caseSchema.parse(JSON.parse(line)));
}

/** Sections that a model distils which names as foreign nothing, what is, one source that isn't, or all. */
export async function scoreNamed(cases: readonly Case[], naming: Naming): Promise<OffTopicScore> {
  const score = empty();
  for (const one of cases) {
    const { input, foreign } = foundBy(one);
    const ids = input.sources.map(({ id }) => id);
    const named = {
      nothing: [],
      right: [...foreign],
      wrong: ids.filter((id) => !foreign.has(id)).slice(0, 1),
      everything: ids,
    }[naming];
    const findings = ids.map((id) => ({ source: id, quote: '0', claim: '' }));
    const scope = scopeOver(saying({ off_topic: named, key_findings: findings, content: '' }));
    const distilled = await llmAnalyst.distil(input, scope);
    count(score, input.sources, foreign, new Set(distilled.offTopic), distilled.findings);
  }
  return score;
}

/** Sections without a model. */
export function scoreExtractive(cases: readonly Case[]): OffTopicScore {
  const score = empty();
  for (const one of cases) {
    const { input, foreign } = foundBy(one);
    const { findings, offTopic } = distilSection(input, detectLanguage(one.question));
    count(score, input.sources, foreign, new Set(offTopic), findings);
  }
  return score;
}

function foundBy({ id: name, question, section: [title, description], about, foreign }: Case): Found {
  const make =
    (isForeign: boolean) =>
    ([heading, text]: z.infer<typeof page>, index: number) => {
      const id = `S${hash(`${name}${isForeign ? 'x' : 'a'}${index}`)}`;
      return source(id, text, { title: heading, kind: 'web', identity: `url:${id}` });
    };
  const others = foreign.map(make(true));
  const sources = [...about.map(make(false)), ...others].sort((a, b) => (a.id < b.id ? -1 : 1));
  const section = { id: 's1', title, description, queries: [question] };
  return {
    input: { section, question, gaps: [], gathered: [], sources },
    foreign: new Set(others.map(({ id }) => id)),
  };
}

function count(
  score: OffTopicScore,
  sources: readonly Source[],
  foreign: ReadonlySet<string>,
  leftOut: ReadonlySet<string>,
  quotes: readonly { readonly source: string }[],
): void {
  for (const { id } of sources) {
    const isForeign = foreign.has(id);
    score[isForeign ? 'foreign' : 'about'] += 1;
    if (leftOut.has(id)) score[isForeign ? 'foreignLeftOut' : 'aboutLost'] += 1;
  }
  score.quotes += quotes.length;
  score.foreignQuotes += quotes.filter((quote) => foreign.has(quote.source)).length;
}

function empty(): OffTopicScore {
  return { about: 0, foreign: 0, aboutLost: 0, foreignLeftOut: 0, quotes: 0, foreignQuotes: 0 };
}

/** FNV-1a, five hex digits or more. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.codePointAt(0)!, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
