import * as z from 'zod';
import type { ToolSpec } from '../../ports.ts';
import type { ResearchTool } from '../../tools.ts';

/** Tools of the researcher itself: they cost nothing and fetch nothing. */
const own: readonly ToolSpec[] = [
  {
    name: 'think',
    description:
      'A note to yourself between searches: what was found, what is missing, continue or stop. Call it alone.',
    parameters: {
      type: 'object',
      properties: { reflection: { type: 'string', description: 'A few sentences' } },
      required: ['reflection'],
      additionalProperties: false,
    },
  },
  {
    name: 'research_complete',
    description: 'Ends the research of this task. Call it alone, as soon as the task can be answered.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
];

const specs = new WeakMap<ResearchTool, ToolSpec>();

/** The tools as the model sees them. */
export function toolSpecs(tools: readonly ResearchTool[]): ToolSpec[] {
  return [...tools.map(specOf), ...own];
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

function specOf(tool: ResearchTool): ToolSpec {
  const known = specs.get(tool);
  if (known) return known;
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters, { io: 'input', unrepresentable: 'any' });
  const spec = { name: tool.name, description: tool.description, parameters };
  specs.set(tool, spec);
  return spec;
}
