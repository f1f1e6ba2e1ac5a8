import * as z from 'zod';
import prompt from '../../../../prompts/critic.md';
import type { CritiqueInput, ReportPoint, Scope } from '../analyst.ts';
import { runValues, questionValues } from './common.ts';
import { estimateTokens } from '../../text/estimateTokens.ts';
import { defuse, fenced } from './fence.ts';
import { choice, entry, list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { frameTexts } from './frame.ts';
import { condensed } from './passages.ts';
import { enoughToReview, idIn } from './reviewFields.ts';
import { sectionsText } from './sectionsText.ts';
import { askStructured } from './structuredOutput.ts';
import { disagreementsOf, wishesOf } from './writing.ts';

/** Points that a critic may name; the prompt says so too. */
const mostPoints = 8;
/** Part of a section's space that goes to its draft; the rest to its findings. */
const draftShare = 0.6;

const point = entry(
  'point',
  {
    point: text('What to change, in one or two sentences', 400),
    kind: choice(['missing', 'listed', 'contradicting', 'unsupported', 'repeated'], 'listed', 'Kind of the point'),
    part: text('Id of a section, or frame', 40),
  },
  { part: ['section', 'id'] },
);

const schema = z.object({
  reasoning: text('How well the draft answers the question, in two or three sentences', 600),
  points: list(point, 'What has to be changed', mostPoints),
});

/** Reads a draft against the question and its findings. Points about parts that don't exist are left out. */
export async function critique(input: CritiqueInput, scope: Scope): Promise<readonly ReportPoint[]> {
  const answer = await askStructured(scope, {
    label: 'critique',
    step: 'critique',
    most: enoughToReview,
    schema,
    prompt: (tokens) => {
      const about = [input.clarifiedQuestion, ...input.sections.map(({ title }) => title)].join(' ');
      const framed = Object.values(frameTexts(input.frame)).join('\n\n');
      const disagreements = disagreementsOf(input.contradictions, about, tokens);
      const left = Math.max(0, tokens - estimateTokens(framed) - estimateTokens(disagreements));
      return fillPrompt(prompt, {
        ...runValues(scope),
        ...questionValues(input, tokens / 4),
        wishes: wishesOf(input),
        disagreements,
        frame: defuse(condensed(framed, about, Math.max(400, Math.floor(tokens / 4)))),
        sections: draftsText(input, left, scope),
      });
    },
  });
  return answer.points.flatMap(({ part, kind, point: words }) => {
    const id = /frame|summary|analysis|conclusion/i.test(part) ? 'frame' : idIn(part, input.sections);
    return id === undefined || words === '' ? [] : [{ part: id, kind, point: words }];
  });
}

/** Each section's draft, and behind it the findings that it was written from. */
function draftsText({ sections }: CritiqueInput, tokens: number, scope: Scope): string {
  const each = tokens / Math.max(1, sections.length);
  return sections
    .map((section) => {
      const draft = condensed(section.text, section.title, Math.floor(each * draftShare));
      // The findings as the writer had them, without the continuous text beside them.
      const found = sectionsText([{ ...section, content: '' }], Math.floor(each * (1 - draftShare)), scope);
      return `${fenced('draft', draft, { id: section.id })}\n${found}`;
    })
    .join('\n\n');
}
