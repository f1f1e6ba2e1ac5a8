import * as z from 'zod';
import prompt from '../../../../prompts/coordinate.md';
import type { CoordinateInput, Scope, SectionBorder } from '../analyst.ts';
import { runValues } from './common.ts';
import { cutToTokens } from '../../text/estimateTokens.ts';
import { fenced, oneLine, questionText } from './fence.ts';
import { list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { askStructured } from './structuredOutput.ts';

/** In tokens. */
const enoughMaterial = 12_000;

const schema = z.object({
  borders: list(
    z.object({
      section: text('Id of the section, such as s2', 40),
      border: text('What belongs to it and what is left to which other section, in one sentence'),
    }),
    'One entry for each section that overlaps with another',
    30,
  ),
});

export async function coordinate(input: CoordinateInput, scope: Scope): Promise<readonly SectionBorder[]> {
  const titles = new Map(input.sections.map((section) => [section.id, section.title]));
  const answer = await askStructured(scope, {
    label: 'coordinate',
    step: 'coordinate',
    most: enoughMaterial,
    schema,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        question: questionText(input.question, tokens / 3),
        sections: fenced(
          'sections',
          input.sections
            .map(({ id, title, description }) => {
              const share = tokens / 2 / input.sections.length;
              return `${id}: ${oneLine(title)}. ${cutToTokens(oneLine(description), share)}`;
            })
            .join('\n'),
        ),
        overlaps: input.overlaps.map(([a, b]) => `${a} and ${b}`).join('; '),
      }),
  });
  return answer.borders
    .filter(({ section, border }) => titles.has(section) && border !== '')
    .map(({ section, border }) => ({ id: section, border: oneLine(border) }));
}
