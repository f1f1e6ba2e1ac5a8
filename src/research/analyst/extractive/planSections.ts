import type { Plan, PlanInput } from '../analyst.ts';
import { textsIn } from '../../languages/languages.ts';
import { readQuery } from '../../text/query.ts';
import { splitSentences } from '../../text/sentences.ts';

const longestTitle = 120;
const mostQuestions = 4;
const mostParts = 5;

/**
 * The section that answers comes first; several questions have one each. A broad question gets further sections, from what the
 * sources turned out to hold. Pure.
 */
export function planSections(input: PlanInput, language: string): Plan {
  const texts = textsIn(language, 'digest');
  const { clarifiedQuestion: question, discovered } = input;
  const questions = splitSentences(readQuery(question, language).asking)
    .map(({ text }) => text.trim())
    .filter((text) => /[?？؟]["'”’)\]]*$/u.test(text));
  const answers =
    questions.length > 1
      ? questions.slice(0, mostQuestions).map((text) => ({ title: titleOf(text), query: text }))
      : [{ title: texts.answer, query: question }];
  // In front, so that the name is part of the sentence that asks.
  const parts = discovered
    // What was found outside has no document of its own to quote.
    .filter(({ urls }) => urls.length === 0)
    .slice(0, mostParts)
    .map(({ name }) => ({ title: name, query: `${name}, ${question}` }));
  const sections = [...answers, ...(questions.length > 1 ? [] : parts)];
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

/** A section that is named after a document, which it is to quote. */
export function isPart({
  title,
  queries: [query = ''],
}: {
  readonly title: string;
  readonly queries: readonly string[];
}): boolean {
  return query !== title && query.startsWith(`${title}, `);
}

/** The sentence that asks, as it was asked. */
export function titleOf(question: string): string {
  const asking = readQuery(question).asking.replace(/\s+/g, ' ').trim();
  return asking.length <= longestTitle ? asking : `${asking.slice(0, longestTitle).replace(/\s\S*$/, '')}…`;
}
