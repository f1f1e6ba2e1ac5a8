import type { ToolSpec } from '../../ports.ts';
import { jsonSchemaOf } from './fields.ts';
import { readMoreArguments, readMoreTool } from '../readMore.ts';
import type { ResearchTool } from '../../tools.ts';

/** A note of the model to itself. */
export const thinkSpec = (description: string): ToolSpec => ({
  ...{ name: 'think', description },
  parameters: {
    type: 'object',
    properties: { reflection: { type: 'string', description: 'A few sentences' } },
    required: ['reflection'],
    additionalProperties: false,
  },
});

export const completeSpec = (name: string, description: string): ToolSpec => ({
  ...{ name, description },
  parameters: { type: 'object', properties: {}, additionalProperties: false },
});

/** Tools of the researcher itself: they cost nothing and fetch nothing. */
const own: readonly ToolSpec[] = [
  thinkSpec(
    'A note to yourself: what was found, what is missing, continue or stop. Call it beside the calls that follow from it.',
  ),
  completeSpec(
    'research_complete',
    'Ends the research of this task, after the other calls of the turn. Call it as soon as the task can be answered.',
  ),
];

const readMore: ToolSpec = {
  name: readMoreTool,
  description:
    'Shows more of a long source that was found already: the passages on something, or its text in order. Fetches nothing.',
  parameters: jsonSchemaOf(readMoreArguments, 'input'),
};

/**
 * The tools as the model sees them.
 * @param hasLong Some source is known of which prompts show passages alone.
 */
export function toolSpecs(tools: readonly ResearchTool[], hasLong: boolean): ToolSpec[] {
  const specs = tools.map(({ name, description, parameters }) => ({
    ...{ name, description },
    parameters: jsonSchemaOf(parameters, 'input'),
  }));
  return [...specs, ...(hasLong ? [readMore] : []), ...own];
}

/** Tools for a small window: the first sentence on each, and their parameters without a description. */
export function briefly(tools: readonly ToolSpec[]): ToolSpec[] {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description: description.split(/(?<=[.;:])\s/, 1)[0]!.slice(0, 120),
    parameters: withoutDescriptions(parameters) as ToolSpec['parameters'],
  }));
}

function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutDescriptions(value)]));
}
