import prompt from '../../../../prompts/section.md';
import { ResearchError } from '../../errors.ts';
import type { ChatMessage } from '../../ports.ts';
import { settledLength } from '../../text/sentences.ts';
import type { Scope, SectionInput } from '../analyst.ts';
import { bullets, remarksBlock } from './common.ts';
import { estimateTokens } from '../../text/estimateTokens.ts';
import { fenced, oneLine } from './fence.ts';
import { fillPrompt, messagesOf } from './fill.ts';
import { askFreely, fitted } from './fitting.ts';
import { condensed } from './passages.ts';
import { sectionsText } from './sectionsText.ts';
import { exampleOf, lengthOf, radiusOf, writingValues } from './writing.ts';

/** More findings would not make a better section, in tokens. */
const enough = 40_000;
/** Of a section's text, in UTF-16 units: more of it is no text of a section. */
const longestSection = 60_000;
/** Part of the material that goes to a text that is written again. */
const draftShare = 0.4;

/**
 * Writes one section from its findings. A stream that broke is requested again, and not shown a second time; of an answer that
 * reached its limit the whole sentences stay. Rejects with `contentFilter` when the model refuses.
 */
export async function writeSection(
  input: SectionInput,
  scope: Scope,
  onText?: (text: string) => void,
): Promise<string> {
  const compose = (tokens: number): ChatMessage[] => promptOf(input, scope, tokens);
  const ask = (label: string, listener?: (text: string) => void) =>
    fitted(scope, { step: 'section', compose, most: enough }, (request, role, suffix) =>
      askFreely(scope, `${label}${suffix}`, role, request, listener),
    );
  const answer = await ask('text', onText).catch((error: unknown) => {
    if (scope.signal.aborted || !ResearchError.is(error, 'streamBroken')) throw error;
    return ask('again');
  });
  if (answer.finish === 'contentFilter')
    throw new ResearchError('contentFilter', 'The model refused to write a section.', {
      next: 'Choose another model.',
    });
  const text = answer.text.slice(0, longestSection);
  return answer.finish === 'length' || text.length < answer.text.length ? text.slice(0, settledLength(text)) : text;
}

function promptOf(input: SectionInput, scope: Scope, tokens: number): ChatMessage[] {
  const { section, others, revision } = input;
  const again = revision === undefined ? '' : revisionText(input, tokens * draftShare);
  const plan = [section, ...others].sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  const title = oneLine(section.title);
  const task =
    revision === undefined ? 'Write the text of the section' : 'Write the text of the section again, changed,';
  const values = writingValues(input, scope, tokens);
  const left = tokens - estimateTokens(again) - estimateTokens(`${values.question}${values.original}${values.wishes}`);
  const filled = fillPrompt(prompt, {
    ...values,
    plan: bullets(plan.map((one) => `${one.id} ${one.title}: ${one.description.slice(0, 200)}`)),
    section_title: title,
    section: sectionsText([section], Math.max(0, left), scope, radiusOf(scope)),
    remarks: remarksBlock(section.remarks, 'The person asked this of the section; it comes first:', tokens / 8),
    revision: again,
    task: `${task} "${title}" now, without its heading: ${lengthOf(scope)}.${exampleOf([section])}`,
  });
  return messagesOf(filled);
}

function revisionText({ section, revision }: SectionInput, tokens: number): string {
  const { text, points } = revision!;
  return [
    fenced('draft', condensed(text, section.title, Math.max(400, Math.floor(tokens)))),
    fenced('points', `A reader of this draft asks for these changes:\n${bullets(points)}`),
    'Make these changes and keep everything else that holds, with its ids.',
  ].join('\n\n');
}
