import type * as z from 'zod';
import { ResearchError } from '../research/errors.ts';
import type { FoundDocument } from '../research/ports.ts';
import { meantArguments, type ResearchTool, type ToolContext, type ToolResult } from '../research/tools.ts';

interface Definition<T extends z.ZodObject> extends Omit<ResearchTool, 'source' | 'kind' | 'parameters' | 'run'> {
  readonly parameters: T;
  run(args: z.infer<T>, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}

/** A tool of a source whose arguments are read by its `parameters` ({@link readToolArguments}) before it runs. */
export function defineTool<T extends z.ZodObject>(
  source: string,
  kind: ResearchTool['kind'],
  definition: Definition<T>,
): ResearchTool {
  const { name, parameters } = definition;
  return {
    ...{ ...definition, source, kind },
    run: async (given, context, signal) => definition.run(readToolArguments(name, parameters, given), context, signal),
  };
}

/** Reads the arguments of a call. Rejects with `badRequest`, naming the argument and what it should be. */
function readToolArguments<T extends z.ZodObject>(
  tool: string,
  schema: T,
  given: Readonly<Record<string, unknown>>,
): z.infer<T> {
  const parsed = schema.safeParse(meantArguments(schema, given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `"${issue.path.join('.') || 'arguments'}": ${issue.message}`);
  const message = `${tool} was called with arguments that it can't use: ${problems.join('; ')}.`;
  throw new ResearchError('badRequest', message, { next: 'Call it again with corrected arguments.' });
}

/** The answer of a tool, without what is empty of its notes and warnings. */
export function toolResult(
  documents: readonly FoundDocument[],
  notes: readonly string[] = [],
  warnings: readonly (string | undefined)[] = [],
): ToolResult {
  const note = notes.filter((part) => part !== '').join(' ');
  const said = warnings.filter((warning) => warning !== undefined);
  return { documents, ...(note !== '' && { note }), ...(said.length > 0 && { warnings: said }) };
}

/** The error for a query of which nothing is left to search for. */
export function emptyQuery(query: string, where: string, next: string): ResearchError {
  const message = `"${query.slice(0, 80)}" has nothing that ${where} can be searched for.`;
  return new ResearchError('badRequest', message, { next });
}

/** A whole number within bounds; `standard` when absent. */
export function clampCount(value: number | undefined, standard: number, max: number): number {
  if (value === undefined || !Number.isFinite(value)) return standard;
  return Math.min(max, Math.max(1, Math.trunc(value)));
}
