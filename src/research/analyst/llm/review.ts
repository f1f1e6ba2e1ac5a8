import { fillText } from '../../../protocol/fillText.ts';
import * as z from 'zod';
import prompt from '../../../../prompts/review.md';
import type { Review, ReviewedSection, ReviewInput, Scope } from '../analyst.ts';
import { runValues } from './common.ts';
import { questionText } from './fence.ts';
import { choice, entry, list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { contradictionsIn, enoughToReview, gapsIn, idIn, judged, settledText } from './reviewFields.ts';
import { sectionsText } from './sectionsText.ts';
import { askStructured } from './structuredOutput.ts';

const coverage = entry('title', {
  title: text('Title of the section', 200),
  id: text('Its id, such as s2', 40),
  notes: text('Why, in one sentence'),
  status: choice(['sufficient', 'partial', 'missing'], undefined, 'How well it is covered'),
});

const isJudged = (given: unknown): boolean => coverage.safeParse(given).success;

const schema = z.object({
  section_coverage: z.preprocess(
    (value) => (Array.isArray(value) ? value.filter(isJudged) : value),
    list(coverage, 'One entry for each section', 30),
  ),
  ...judged,
  sections_to_retry: list(text('Id of a section', 40), 'Sections to be researched again', 30),
});

type Answer = z.output<typeof schema>;

export async function review(input: ReviewInput, scope: Scope): Promise<Review> {
  const answer = await askStructured(scope, {
    label: `review/${input.round}`,
    step: 'review',
    most: enoughToReview,
    schema,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        question: questionText(input.question, tokens / 4),
        round: String(input.round),
        rounds_left:
          input.roundsLeft === 0
            ? 'No section can be sent back any more; say what is missing all the same.'
            : fillText('Sections can be sent back {0, plural, one {# more time} other {# more times}}.', [
                input.roundsLeft,
              ]),
        settled: settledText(input.settled),
        sections: sectionsText(input.sections, tokens, scope),
      }),
    complaint: (value) =>
      !value.is_sufficient && value.sections_to_retry.length === 0 && value.gaps.length === 0
        ? '`is_sufficient` is false, but neither `gaps` nor `sections_to_retry` says what is missing.'
        : undefined,
  });
  return toReview(answer, input.sections);
}

function toReview(answer: Answer, sections: readonly ReviewedSection[]): Review {
  const idOf = (named: string) => idIn(named, sections);
  const retry = [...new Set(answer.sections_to_retry.map((named) => idOf(named) ?? named))];
  const listed = new Map(answer.section_coverage.map((entry) => [idOf(entry.id) ?? idOf(entry.title) ?? '', entry]));
  return {
    isSufficient: answer.is_sufficient,
    overallScore: answer.overall_score,
    sectionCoverage: sections.flatMap(({ id }) => {
      const entry = listed.get(id);
      return entry ? [{ id, status: entry.status, notes: entry.notes }] : [];
    }),
    gaps: gapsIn(answer.gaps, sections),
    sectionsToRetry: retry,
    contradictions: contradictionsIn(answer.contradictions),
    reasoning: answer.reasoning,
  };
}
