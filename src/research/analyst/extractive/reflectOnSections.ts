import { terms } from '../../text/tokenize.ts';
import type { Reflection, ReflectInput, ReviewedSection } from '../analyst.ts';
import { facets } from './facets.ts';
import { readQuestion, type ReadQuestion } from './question.ts';
import { facetOfSection } from './rankPassages.ts';
import { reviewSections } from './reviewSections.ts';

/**
 * Judges a round by the numbers of the review; sections with too few quotes get a query in other words, as long as there is
 * one that was not asked. Pure.
 */
export function reflectOnSections(input: ReflectInput): Reflection {
  const roundsLeft = input.maxRounds - input.round;
  const review = reviewSections({
    question: input.question,
    sections: input.sections,
    round: 1,
    roundsLeft: Math.max(1, roundsLeft),
  });
  const read = readQuestion(input.question);
  const asked = new Set(input.asked.map((query) => query.toLowerCase()));
  const thin = review.sectionCoverage
    .filter(({ status }) => status !== 'sufficient')
    .map(({ id }) => input.sections.find((section) => section.id === id)!);
  const nextQueries =
    roundsLeft <= 0
      ? []
      : thin.flatMap((section) =>
          otherQueries(section, read)
            .filter((query) => !asked.has(query.toLowerCase()))
            .slice(0, 1)
            .map((query) => ({ section: section.id, query })),
        );
  return {
    isSufficient: thin.length === 0,
    overallScore: review.overallScore,
    gaps: thin.map((section) => ({
      section: section.id,
      gap: review.sectionCoverage.find(({ id }) => id === section.id)!.notes,
    })),
    nextQueries,
    contradictions: [],
    reasoning: review.reasoning,
  };
}

/** Other words for what a section is about, most fitting first. */
function otherQueries(section: ReviewedSection, read: ReadQuestion): string[] {
  const facet = facetOfSection({ title: section.title, description: section.description, queries: [] }, read);
  const subject = read.keywords || terms(section.title).slice(0, 4).join(' ');
  const words = facet === undefined ? ['survey', 'overview'] : facets[facet].queries;
  return [...words].reverse().map((word) => `${subject} ${word}`);
}
