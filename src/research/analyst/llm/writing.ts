import { findingNumber } from '../../evidence/findingNumber.ts';
import type { Contradiction } from '../../stateSchema.ts';
import type { ReportInput, ReviewedSection, WritingInput, Scope } from '../analyst.ts';
import { assumptionsBlock, bestBullets, bullets, contradictionLine, questionValues, runValues } from './common.ts';
import { fencedOrNone, oneLine } from './fence.ts';

/** Words of a section, by depth. */
const sectionWords = { quick: '80 to 150', standard: '350 to 600', deep: '700 to 1,200' } as const;

/** Sentences on either side of a quote that its writer reads as well, by depth. */
const besideQuotes = { quick: 0, standard: 1, deep: 2 } as const;

export function radiusOf(scope: Scope): number {
  return besideQuotes[scope.limits.depth];
}

/** "350 to 600 words, as far as the findings reach". */
export function lengthOf(scope: Scope): string {
  return `${sectionWords[scope.limits.depth]} words, as far as the findings reach`;
}

/**
 * What all prompts of a report's parts begin with, the same for each of them, so that a server reads it once.
 * @param tokens Of the prompt's material.
 */
export function writingValues(input: WritingInput, scope: Scope, tokens: number) {
  return {
    ...runValues(scope),
    ...questionValues(input, tokens / 4),
    wishes: wishesOf(input),
    title: oneLine(input.title),
    form: formOf(input),
  };
}

/** What the discovery found, and where sources contradict each other, as far as it bears on the subject. */
export function besideSections(
  { discovered, contradictions }: Pick<ReportInput, 'discovered' | 'contradictions'>,
  about: string,
  tokens: number,
) {
  const entities = discovered.map(
    ({ name, category, brief, source }) => `${name} (${category}): ${brief.slice(0, 200)} [${source}]`,
  );
  return {
    discovered: fencedOrNone('discovered', bestBullets(entities, about, tokens * 0.1)),
    disagreements: disagreementsOf(contradictions, about, tokens),
  };
}

export function disagreementsOf(contradictions: readonly Contradiction[], about: string, tokens: number): string {
  return fencedOrNone('disagreements', bestBullets(contradictions.map(contradictionLine), about, tokens * 0.1));
}

/** What the person wants and how it was understood. */
export function wishesOf({ objective, limits, focus, assumptions }: WritingInput): string {
  return [
    fencedOrNone('aim', objective),
    fencedOrNone('limits', limits),
    fencedOrNone('focus', bullets(focus)),
    assumptionsBlock(assumptions),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function formOf({ analysis }: Pick<WritingInput, 'analysis'>): string {
  if (analysis.outputFormat === 'table')
    return 'Form: Markdown tables, one row a thing, one column an attribute, with the numbers inside the cells, and sentences that weigh what they show.';
  if (analysis.outputFormat === 'list')
    return 'Form: Markdown lists for parallel items, each with its numbers, and sentences on what they have in common and where they differ.';
  return 'Form: connected prose; a table or list where it is clearly easier to read.';
}

/** The number of a finding of this run, for examples: a small model copies that of an example. */
export function exampleOf(sections: readonly Pick<ReviewedSection, 'id' | 'findings'>[]): string {
  const first = sections.find(({ findings }) => findings.length > 0);
  return first === undefined ? '' : ` A citation looks like this: [${findingNumber(first.id, 0)}].`;
}
