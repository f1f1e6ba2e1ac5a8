import * as z from 'zod';
import prompt from '../../../../prompts/brief.md';
import type { BriefInput, Scope } from '../analyst.ts';
import { assumptionsBlock, bullets, questionValues, runValues, workspaceBlock } from './common.ts';
import { cutToTokens } from '../../text/estimateTokens.ts';
import { fencedOrNone } from './fence.ts';
import { text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { askStructured } from './structuredOutput.ts';

/** In tokens. */
const enoughMaterial = 10_000;

const schema = z.object({
  research_brief: text('The brief, in the first person', 8_000).refine((brief) => brief !== '', 'must not be empty'),
});

export async function brief(input: BriefInput, scope: Scope): Promise<string> {
  const answer = await askStructured(scope, {
    label: 'brief',
    step: 'brief',
    most: enoughMaterial,
    schema,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        ...questionValues(input, tokens),
        focus: fencedOrNone('focus', bullets(input.focus)),
        assumptions: assumptionsBlock(input.assumptions, input.learnt),
        workspace: workspaceBlock(input.workspace, tokens),
        remarks: fencedOrNone('remarks', cutToTokens(bullets(input.remarks ?? []), tokens / 4)),
      }),
  });
  return answer.research_brief;
}
