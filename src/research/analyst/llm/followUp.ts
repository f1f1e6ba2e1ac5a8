import * as z from 'zod';
import prompt from '../../../../prompts/followUp.md';
import { cutToTokens } from '../../text/estimateTokens.ts';
import type { FollowUpInput, Scope } from '../analyst.ts';
import { runValues } from './common.ts';
import { fencedOrNone, questionText } from './fence.ts';
import { text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { askStructured } from './structuredOutput.ts';

/** Of the report and the question, in tokens: its title, summary and first sections say what a question can mean. */
const enoughMaterial = 800;

const schema = z.object({
  standalone_question: text('The question as it can be understood without the report', 600).refine(
    (question) => question !== '',
    'must not be empty',
  ),
});

export async function followUp({ question, report }: FollowUpInput, scope: Scope): Promise<string> {
  const answer = await askStructured(scope, {
    label: 'followUp',
    step: 'followUp',
    most: enoughMaterial,
    schema,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        report: fencedOrNone('report', cutToTokens(report, Math.floor((tokens * 2) / 3))),
        question: questionText(question, tokens / 3),
      }),
  });
  return answer.standalone_question;
}
