import * as z from 'zod';
import { ResearchError } from './errors.ts';

/**
 * The settings of design section 7: one schema for the editor's settings, `--settings FILE` and the API. Keys are flat and
 * carry no prefix here ("model.name"); outside they begin with `deepResearch.`.
 */
const whole = (min: number, max: number, standard: number) => z.number().int().min(min).max(max).default(standard);
const httpUrl = z
  .string()
  .trim()
  .refine((text) => /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text), 'an http(s) URL')
  .transform((text) => text.replace(/\/+$/, ''));
const optionalText = z.string().trim().default('');
const optionalUrl = z.union([z.literal(''), httpUrl]).default('');
const maxTokens = z.number().int().min(0).max(1_000_000).default(0);

export const settingsShape = {
  'model.provider': z.enum(['auto', 'openai', 'openai-compatible', 'extractive']).default('auto'),
  'model.name': optionalText,
  'model.baseUrl': optionalUrl,
  'model.research': optionalText,
  'model.compression': optionalText,
  'model.report': optionalText,
  'model.researchMaxTokens': maxTokens,
  'model.compressionMaxTokens': maxTokens,
  'model.reportMaxTokens': maxTokens,
  strategy: z.enum(['auto', 'sections', 'iterative', 'supervisor']).default('auto'),
  depth: z.enum(['quick', 'standard', 'deep']).default('standard'),
  clarification: z.enum(['off', 'whenNeeded', 'always']).default('whenNeeded'),
  planApproval: z.enum(['never', 'whenCostly', 'always']).default('whenCostly'),
  reviewApproval: z.enum(['never', 'always']).default('never'),
  'limits.maxToolCallsPerResearcher': whole(1, 50, 10),
  'limits.maxReviewIterations': whole(0, 5, 2),
  'limits.maxDiscoverIterations': whole(1, 10, 5),
  'limits.maxIterations': whole(1, 10, 5),
  'limits.maxSupervisorIterations': whole(1, 20, 6),
  'limits.maxConcurrentResearchers': whole(1, 20, 5),
  'limits.maxStructuredOutputRetries': whole(0, 5, 3),
  'limits.maxContextTokens': whole(2_000, 2_000_000, 100_000),
  'limits.compressionTargetTokens': whole(500, 200_000, 8_000),
  'limits.idleSeconds': whole(1, 3_600, 90),
  'sources.enabled': z.array(z.string().trim().min(1)).default([]),
  'sources.include': z.array(z.string().trim().min(1)).default([]),
  'sources.exclude': z.array(z.string().trim().min(1)).default([]),
  'sources.since': z.union([z.literal(''), z.iso.date()]).default(''),
  'workspace.forModel': z.enum(['off', 'metadata', 'content']).default('content'),
  'workspace.inQueries': z.enum(['nothing', 'public', 'all']).default('public'),
  'workspace.exclude': z.array(z.string().trim().min(1)).default([]),
  'report.folder': z.string().trim().min(1).default('research'),
  'report.language': z.string().trim().min(1).default('auto'),
  'runs.keep': whole(1, 100_000, 200),
} as const;

export const settingsSchema = z.object(settingsShape);
/** `endpoints.NAME`: the base address of a service. Each source declares its own (`src/sources/source.ts`). */
export type EndpointSetting = `endpoints.${string}`;
export type Settings = z.infer<typeof settingsSchema> & Readonly<Partial<Record<EndpointSetting, string>>>;
export type SettingKey = keyof typeof settingsShape | EndpointSetting;
/** Settings by key, such as those that sources declare. */
export type SettingsShape = Readonly<Record<string, z.ZodType>>;

/** Schema of an endpoint: an http(s) URL without a slash at its end. */
export const endpointSchema = (standard: string) => httpUrl.default(standard);

export interface ReadSettings {
  readonly settings: Settings;
  /** One line an unknown key. */
  readonly warnings: readonly string[];
}

/**
 * Reads settings as a person wrote them: flat keys with or without the `deepResearch.` prefix, or nested objects.
 * A bad value of a known key rejects with `config`, naming key, value and what is allowed.
 * @param declared What sources declare, beside the settings of this file.
 */
export function readSettings(raw: Readonly<Record<string, unknown>>, declared: SettingsShape = {}): ReadSettings {
  const shape: SettingsShape = { ...settingsShape, ...declared };
  const warnings: string[] = [];
  const known: Record<string, unknown> = {};
  for (const [key, value] of flatten(raw)) {
    const name = key.replace(/^deepResearch\./, '');
    if (Object.hasOwn(shape, name)) {
      if (value !== undefined && value !== null) known[name] = value;
    } else {
      warnings.push(`Unknown setting "deepResearch.${name}" is ignored.`);
    }
  }
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(shape)) {
    const parsed = schema.safeParse(known[key]);
    if (parsed.success) settings[key] = parsed.data;
    else problems.push(`"deepResearch.${key}" is ${describe(known[key])}; allowed: ${allowed(key, schema)}.`);
  }
  if (problems.length > 0) {
    throw new ResearchError('config', `A setting can't be used: ${problems.join(' ')}`, {
      next: 'Correct the setting and start again.',
    });
  }
  return { settings: settings as Settings, warnings };
}

/** What a setting may be, in words. */
function allowed(key: string, type: z.ZodType): string {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  if (schema.enum) return schema.enum.join(', ');
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'array') return 'a list of texts';
  if (key.startsWith('endpoints.') || key === 'model.baseUrl') return 'an http(s) URL';
  if (key === 'sources.since') return 'a date like 2025-01-31';
  return 'a text that is not empty';
}

function flatten(raw: Readonly<Record<string, unknown>>, prefix = ''): [string, unknown][] {
  return Object.entries(raw).flatMap(([key, value]): [string, unknown][] => {
    const path = prefix + key;
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return nested ? flatten(value as Record<string, unknown>, `${path}.`) : [[path, value]];
  });
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
