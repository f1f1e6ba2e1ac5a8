import * as z from 'zod';
import prompt from '../../../../prompts/coordinate.md';
import type { CoordinateInput, Scope, SectionBorder } from '../analyst.ts';
import { runValues, schemaText } from './common.ts';
import { fenced, oneLine, questionText } from './fence.ts';
import { list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { askStructured } from './structuredOutput.ts';

const schema = z.object({
  borders: list(
    z.object({
      section: text('Id of the section, such as s2'),
      border: text('What belongs to it and what is left to which other section, in one sentence'),
    }),
    'One entry for each section that overlaps with another',
  ),
});

export async function coordinate(input: CoordinateInput, scope: Scope): Promise<readonly SectionBorder[]> {
  const titles = new Map(input.sections.map((section) => [section.id, section.title]));
  const answer = await askStructured(scope, {
    label: 'coordinate',
    role: 'main',
    name: 'coordinate',
    schema,
    prompt: fillPrompt(prompt, {
      ...runValues(scope),
      schema: schemaText(schema),
      question: questionText(input.question),
      sections: fenced(
        'sections',
        input.sections
          .map((section) => `${section.id}: ${oneLine(section.title)}. ${oneLine(section.description)}`)
          .join('\n'),
      ),
      overlaps: input.overlaps.map(([a, b]) => `${a} and ${b}`).join('; '),
    }),
  });
  return answer.borders
    .filter(({ section, border }) => titles.has(section) && border !== '')
    .map(({ section, border }) => ({ id: section, border: oneLine(border) }));
}
