import * as z from 'zod';
import prompt from '../../../../prompts/reflect.md';
import { tokenize } from '../../text/tokenize.ts';
import type { Reflection, ReflectInput, ReviewedSection, Scope } from '../analyst.ts';
import { bestBullets, runValues } from './common.ts';
import { fencedOrNone, questionText } from './fence.ts';
import { entry, list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { contradictionsIn, enoughToReview, gapsIn, idIn, judged, settledText } from './reviewFields.ts';
import { sectionsText } from './sectionsText.ts';
import { askStructured } from './structuredOutput.ts';

const mostQueries = 12;

const query = entry(
  'query',
  { section: text('Id of the section that it serves', 40), query: text('A few technical terms', 160) },
  { section: ['section_id', 'id'], query: ['text'] },
);

const schema = z.object({
  ...judged,
  next_queries: list(query, 'Searches of the next round', mostQueries),
});

export async function reflect(input: ReflectInput, scope: Scope): Promise<Reflection> {
  const answer = await askStructured(scope, {
    label: `reflect/${input.round}`,
    step: 'reflect',
    most: enoughToReview,
    schema,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        question: questionText(input.question, tokens / 4),
        round: String(input.round),
        rounds: String(input.maxRounds),
        asked: fencedOrNone('asked', `Asked so far:\n${bestBullets(input.asked, input.question, tokens / 5)}`),
        settled: settledText(input.settled),
        sections: sectionsText(input.sections, tokens, scope),
      }),
    complaint: (value) =>
      !value.is_sufficient && value.next_queries.length === 0
        ? '`is_sufficient` is false, but `next_queries` is empty. Give queries that differ from those asked, or call the findings sufficient.'
        : undefined,
  });
  return {
    isSufficient: answer.is_sufficient,
    overallScore: answer.overall_score,
    gaps: gapsIn(answer.gaps, input.sections),
    nextQueries: answer.next_queries
      .filter((entry) => entry.query !== '')
      .slice(0, mostQueries)
      .map((entry) => ({
        section: idIn(entry.section, input.sections) ?? nearest(entry.query, input.sections),
        query: entry.query,
      })),
    contradictions: contradictionsIn(answer.contradictions),
    reasoning: answer.reasoning,
  };
}

/** The section whose words a query shares; a model that names none means one of them all the same. */
function nearest(text: string, sections: readonly ReviewedSection[]): string {
  const words = new Set(tokenize(text));
  const shared = (section: ReviewedSection) =>
    tokenize(`${section.title} ${section.description}`).filter((word) => words.has(word)).length;
  return [...sections].sort((a, b) => shared(b) - shared(a))[0]?.id ?? '';
}
