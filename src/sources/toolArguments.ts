import type * as z from 'zod';
import { ResearchError } from '../research/errors.ts';
import type { ResearchTool, ToolContext, ToolResult } from '../research/tools.ts';

interface Definition<T extends z.ZodObject> extends Omit<ResearchTool, 'parameters' | 'run'> {
  readonly parameters: T;
  run(args: z.infer<T>, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}

/** A tool whose arguments are read by its `parameters` ({@link readToolArguments}) before it runs. */
export function defineTool<T extends z.ZodObject>(definition: Definition<T>): ResearchTool {
  const { name, parameters } = definition;
  return {
    ...definition,
    run: async (given, context, signal) => definition.run(readToolArguments(name, parameters, given), context, signal),
  };
}

/**
 * Reads the arguments that a model wrote. Models send null for "nothing", numbers as texts and single values for lists: these
 * are taken as meant. Rejects with `badRequest`, naming the argument and what it should be.
 */
function readToolArguments<T extends z.ZodObject>(
  tool: string,
  schema: T,
  given: Readonly<Record<string, unknown>>,
): z.infer<T> {
  const meant: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    meant[name] = Object.hasOwn(schema.shape, name) ? asMeant(schema.shape[name] as z.ZodType, value) : value;
  }
  const parsed = schema.safeParse(meant);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `"${issue.path.join('.') || 'arguments'}": ${issue.message}`);
  const message = `${tool} was called with arguments that it can't use: ${problems.join('; ')}.`;
  throw new ResearchError('badRequest', message, { next: 'Call it again with corrected arguments.' });
}

function asMeant(schema: z.ZodType, value: unknown): unknown {
  if (schema.safeParse(value).success) return value;
  const candidates = [
    typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined,
    typeof value === 'number' ? String(value) : undefined,
    typeof value === 'string' ? value.trim().toLowerCase() : undefined,
    typeof value === 'string' ? value.split(/[\s,;]+/).filter((part) => part !== '') : [value],
    // An optional text left empty means none.
    undefined,
  ];
  const fitting = candidates.find((candidate) => candidate !== undefined && schema.safeParse(candidate).success);
  return fitting ?? (value === '' ? undefined : value);
}

/** A whole number within bounds; `standard` when absent. */
export function clampCount(value: number | undefined, standard: number, max: number): number {
  if (value === undefined || !Number.isFinite(value)) return standard;
  return Math.min(max, Math.max(1, Math.trunc(value)));
}
