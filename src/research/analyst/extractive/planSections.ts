import type { Plan, PlanInput, PlannedSection } from '../analyst.ts';
import { textsIn } from '../../languages/texts.ts';
import { questionsIn, readQuery } from '../../text/query.ts';
import { trimEnd } from '../../text/trimEnd.ts';

const longestTitle = 120;
const mostQuestions = 4;
const mostParts = 5;

/**
 * The section that answers comes first; several questions have one each. A broad question gets further sections, from what the
 * sources turned out to hold. Pure.
 */
export function planSections(input: PlanInput, language: string): Plan {
  const texts = textsIn(language, 'digest');
  const { clarifiedQuestion: question, discovered, ownFocus = [], remarks = [] } = input;
  const questions = [...new Set(questionsIn(question))];
  const answers =
    questions.length > 1
      ? questions.slice(0, mostQuestions).map((text) => ({ title: titleOf(text), query: text }))
      : [{ title: texts.answer, query: question }];
  const parts = discovered
    // What was found outside has no document of its own to quote.
    .filter(({ urls }) => urls.length === 0)
    .slice(0, mostParts)
    .map(({ name }) => ({ title: name, query: partQuery(name, question) }));
  // What a remark means can't be had without a model: its words, and those of a focus point, are asked for on their own.
  const wanted = [
    ...ownFocus.map((text) => ({ title: titleOf(text), query: partQuery(titleOf(text), question) })),
    ...remarks.filter((text) => text !== '').map((text) => ({ title: titleOf(text), query: text })),
  ];
  const sections = [...answers, ...wanted, ...(questions.length > 1 ? [] : parts)];
  return {
    title: titleOf(question),
    objective: texts.objective,
    scope: texts.scope,
    sections: sections.map(({ title, query }, index) => ({
      id: `s${index + 1}`,
      title,
      description: query.slice(0, 2_000),
      queries: [query.slice(0, 2_000)],
    })),
  };
}

/** The name in front, so that it is part of the sentence that asks. */
function partQuery(name: string, question: string): string {
  return `${name}, ${question}`;
}

/** What a section asks; one that the user added or changed asks by its own words. */
export function askedBy(
  { title, description, queries }: Pick<PlannedSection, 'title' | 'description' | 'queries'>,
  question: string,
): string {
  return queries[0] ?? (description === '' ? partQuery(title, question) : `${title}. ${description}`);
}

/** What the section with this heading asked of a report's question, with a remark if there is one. */
export function askedAgain(heading: string, remark: string, question: string, language: string): string {
  const isAnswer = heading === textsIn(language, 'digest').answer;
  const asked = isAnswer ? question : questionsIn(heading).length > 0 ? heading : partQuery(heading, question);
  return remark === '' ? asked : partQuery(trimEnd(remark.trim(), '.!…。！'), asked);
}

/** The sentence that asks, as it was asked. */
export function titleOf(question: string): string {
  const asking = readQuery(question).asking.replace(/\s+/g, ' ').trim();
  return asking.length <= longestTitle ? asking : `${asking.slice(0, longestTitle).replace(/\s\S*$/, '')}…`;
}
