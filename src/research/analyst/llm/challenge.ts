import * as z from 'zod';
import prompt from '../../../../prompts/challenge.md';
import { challengeOutcomes } from '../../../protocol/followUp.ts';
import type { Challenge, ChallengeInput, Scope } from '../analyst.ts';
import { runValues } from './common.ts';
import { defuse } from './fence.ts';
import { choice, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { sectionsText } from './sectionsText.ts';
import { askStructured } from './structuredOutput.ts';
import { exampleOf, radiusOf } from './writing.ts';

/** More findings would not weigh more, in tokens. */
const enoughMaterial = 20_000;

const schema = z.object({
  outcome: choice(challengeOutcomes, undefined, 'What becomes of the statement'),
  reasons: text('What was found for and against it, with numbers of findings', 4_000),
  corrected: text('The sentence that takes its place, with numbers of findings; may be empty', 1_000),
});

export async function challenge({ statement, section }: ChallengeInput, scope: Scope): Promise<Challenge> {
  return askStructured(scope, {
    label: 'challenge',
    step: 'challenge',
    most: enoughMaterial,
    schema,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        statement: defuse(statement),
        section: sectionsText([section], tokens, scope, radiusOf(scope)),
        task: `Judge the statement now.${exampleOf([section])}`,
      }),
  });
}
