import { isRecord } from '../../../protocol/json.ts';
import * as z from 'zod';
import prompt from '../../../../prompts/analyze.md';
import type { Analysis, QuestionInput, Scope } from '../analyst.ts';
import { assumptionsBlock, questionValues, runValues } from './common.ts';
import { choice, flag, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { askStructured } from './structuredOutput.ts';

/** In tokens. */
const enoughMaterial = 8_000;

const formats = { list: 'list', comparison: 'table', deep_dive: 'prose', general: 'prose' } as const;

const schema = z.object({
  reasoning: text('What kind of question it is and why, in one sentence'),
  query_type: choice(['list', 'comparison', 'deep_dive', 'general'], 'general', 'The kind of question'),
  output_format: choice(['table', 'list', 'prose'], 'prose', 'The form that serves a reader best'),
  needs_discovery: flag('Members of the list have to be found first'),
  discovery_target: text('What has to be found; empty when nothing', 200),
});

/** Without a format the one that suits the kind of question. */
const withFormat = z.preprocess((value) => {
  if (!isRecord(value) || typeof value['output_format'] === 'string') return value;
  const kind = schema.shape.query_type.parse(value['query_type']);
  return { ...value, output_format: formats[kind] };
}, schema);

export async function analyze(input: QuestionInput, scope: Scope): Promise<Analysis> {
  const answer = await askStructured(scope, {
    label: 'analyze',
    step: 'analyze',
    most: enoughMaterial,
    schema: withFormat,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        question: questionValues(input, tokens).question,
        assumptions: assumptionsBlock(input.assumptions, input.learnt),
      }),
  });
  const needsDiscovery = answer.query_type === 'list' && answer.needs_discovery;
  return {
    queryType: answer.query_type,
    outputFormat: answer.output_format,
    needsDiscovery,
    discoveryTarget: needsDiscovery ? answer.discovery_target || input.clarifiedQuestion.slice(0, 200) : '',
    reasoning: answer.reasoning,
  };
}
