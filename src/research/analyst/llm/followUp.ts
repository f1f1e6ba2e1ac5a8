import * as z from 'zod';
import { followUpKinds } from '../../../protocol/followUp.ts';
import { longest, maxSections } from '../../../protocol/planBounds.ts';
import prompt from '../../../../prompts/followUp.md';
import kinds from '../../../../prompts/followUpKinds.md';
import { cutToTokens } from '../../text/estimateTokens.ts';
import type { FollowUpInput, Scope, UnderstoodFollowUp } from '../analyst.ts';
import { runValues } from './common.ts';
import { fencedOrNone, oneLine, questionText } from './fence.ts';
import { choice, list, score, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { askStructured } from './structuredOutput.ts';
import { knowOwnText } from './promptEcho.ts';

/** Of the report and the question, in tokens: its title, summary and first sections say what a question can mean. */
const enoughMaterial = 600;

const questionOnly = z.object({
  standalone_question: text('The question as it can be understood without the report', 600).refine(
    (question) => question !== '',
    'must not be empty',
  ),
});
const schema = questionOnly.extend({
  kind: choice(followUpKinds, 'answer', 'What the person wants'),
  section: score(0, 100, 0, 'Number of the section that it is about; 0 for a new one, or the whole report'),
  title: text('Of research: heading of the section; else empty', 100),
  language: text('Of rewrite: tag of another language that is asked for, such as de; else empty', 12),
  headings: list(text('', longest.title), 'Of another language: title and section headings in it', 1 + maxSections),
  queries: list(text('Words to search for', 120), 'Of research and challenge: what to search for', 4),
});

export async function followUp(
  { question, report, sections, as }: FollowUpInput,
  scope: Scope,
): Promise<UnderstoodFollowUp> {
  if (as !== 'answer') knowOwnText(kinds);
  const asking = {
    label: 'followUp',
    step: 'followUp',
    most: enoughMaterial,
    prompt: (tokens: number) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        // Nothing of an answer is decided but its question.
        kinds: as === 'answer' ? '' : kinds.trim(),
        report: fencedOrNone('report', cutToTokens(report, Math.floor((tokens * 2) / 3))),
        sections: sections.map((title, index) => `${index + 1}. ${oneLine(title)}`).join('\n'),
        decided: as === undefined ? '' : `The person has chosen: ${as}.`,
        question: questionText(question, tokens / 3),
      }),
  } as const;
  if (as === 'answer') {
    const { standalone_question: alone } = await askStructured(scope, { ...asking, schema: questionOnly });
    return { question: alone, as, section: '', title: '', language: '', headings: [], queries: [] };
  }
  const answer = await askStructured(scope, { ...asking, schema });
  const headings = answer.headings.filter((heading) => heading !== '');
  const isWhole = headings.length === 1 + Math.min(sections.length, maxSections);
  return {
    question: answer.standalone_question,
    as: as ?? answer.kind,
    section: sections[answer.section - 1] ?? '',
    title: answer.title,
    language: /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(answer.language) ? answer.language : '',
    headings: isWhole ? headings : [],
    queries: answer.queries.filter((query) => query !== ''),
  };
}
