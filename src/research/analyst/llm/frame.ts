import * as z from 'zod';
import prompt from '../../../../prompts/frame.md';
import { findingNumber } from '../../evidence/findingNumber.ts';
import type { Frame, FrameInput, Scope, WrittenSection } from '../analyst.ts';
import { bullets } from './common.ts';
import { estimateTokens } from '../../text/estimateTokens.ts';
import { fenced, oneLine } from './fence.ts';
import { text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { condensed, shareTokens } from './passages.ts';
import { askStructured } from './structuredOutput.ts';
import { besideSections, exampleOf, writingValues } from './writing.ts';

/** More of the sections would not make a better frame, in tokens. */
const enough = 40_000;

const schema = z.object({
  analysis: text('Across the sections, in Markdown', 6_000),
  conclusion: text('Conclusion and outlook, in Markdown', 3_000),
  summary: text('100 to 200 words, the answer first', 2_500).refine((summary) => summary !== '', 'must not be empty'),
  title: text('Title of the report', 200),
});

/** Title, summary, analysis across the sections, and conclusion. */
export async function frame(input: FrameInput, scope: Scope): Promise<Frame> {
  const written = input.sections.filter((section) => textOf(section) !== '');
  return await askStructured(scope, {
    label: 'frame',
    step: 'frame',
    most: enough,
    schema,
    prompt: (tokens) => {
      const about = [input.clarifiedQuestion, ...written.map(({ title }) => title)].join(' ');
      const values = writingValues(input, scope, tokens);
      const beside = besideSections(input, about, tokens);
      const { revision } = input;
      const again =
        revision === undefined
          ? ''
          : [
              fenced(
                'draft',
                Object.entries(frameTexts(revision.frame))
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('\n\n'),
              ),
              fenced('points', `A reader of this draft asks for these changes:\n${bullets(revision.points)}`),
            ].join('\n\n');
      const used = [...Object.values(values), ...Object.values(beside), again];
      const left = tokens - used.reduce((sum, part) => sum + estimateTokens(part), 0);
      return fillPrompt(prompt, {
        ...values,
        ...beside,
        sections: writtenText(written, about, left),
        revision: again,
        task: `Write what stands around these sections now.${revision ? ' Make the changes and keep what holds.' : ''}${exampleOf(written)}`,
      });
    },
  });
}

/** The texts of a frame by the names of its fields. */
export function frameTexts({ summary, analysis, conclusion }: Frame) {
  return { summary, analysis, conclusion };
}

/** The sections as they are written, each condensed to its share when space is short. */
function writtenText(sections: readonly WrittenSection[], about: string, tokens: number): string {
  const texts = sections.map(textOf);
  const shares = shareTokens(
    texts.map((one) => estimateTokens(one) + 1),
    Math.max(0, tokens - sections.length * 30),
  );
  return sections
    .map(({ id, title }, index) =>
      fenced('section', condensed(texts[index]!, about, shares[index]!) || '…', { id, title }),
    )
    .join('\n\n');
}

/** What was written of a section; until then its findings by their numbers. */
function textOf({ id, text: written, content, findings }: WrittenSection): string {
  if (written.trim() !== '') return written.trim();
  const numbered = findings.reduce((text, { claim, source }, index) => {
    const said = oneLine(claim).replace(/[.。]$/, '');
    return text.replace(`${said} [${source}]`, () => `${said} [${source}] [${findingNumber(id, index)}]`);
  }, content);
  return numbered.trim();
}
