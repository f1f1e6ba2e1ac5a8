import * as z from 'zod';

/** The headings of the settings editor, in its order. */
export const settingGroups = {
  model: 'Model',
  run: 'Run',
  limits: 'Limits',
  sources: 'Sources',
  workspace: 'Workspace and privacy',
  report: 'Report and history',
} as const;

/** One setting: all that the engine, the manifest, the README and a resumed run need to know of it. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  /** Parses what a user wrote; undefined gives the default. */
  readonly schema: S;
  readonly group: keyof typeof settingGroups;
  /**
   * Who may set it. `user`: only the user's own settings count (where keys and questions go). `trustedFolder`: a workspace may
   * set it once it is trusted (what is read, and what leaves the machine). `anyFolder`: every workspace may.
   */
  readonly setBy: 'user' | 'trustedFolder' | 'anyFolder';
  /** The folders of a multi-root workspace may differ in it. */
  readonly perFolder?: true;
  /**
   * Today's value counts when a run is resumed, because no prompt depends on it: who answers and where (`server`, and `model` for
   * what belongs to that server), or anything else (`other`). Absent: the value that the run began with counts.
   */
  readonly todays?: 'server' | 'model' | 'other';
  /** Markdown for the settings editor and the README; `#deepResearch.key#` links to another setting. */
  readonly text: string;
  /** The allowed values with a text each; of a list, those of its items. */
  readonly values?: Readonly<Record<string, string>>;
  /** What is allowed, in words, where the schema alone does not say. */
  readonly allowed?: string;
  /** For the settings editor, which does not know the schema: a regular expression, and the text when a value does not match. */
  readonly pattern?: { readonly source: string; readonly text: string };
}

export const whole = (min: number, max: number, standard: number) =>
  z.number().int().min(min).max(max).default(standard);

/** A choice among the names of `values`. */
export function choice<V extends Readonly<Record<string, string>>, D extends keyof V & string>(values: V, standard: D) {
  const names = Object.keys(values) as [keyof V & string, ...(keyof V & string)[]];
  return { values, schema: z.enum(names).default(standard as never) };
}

const trimmed = z.string().trim();
export const optionalText = trimmed.default('');
export const requiredText = (standard: string) => trimmed.min(1).default(standard);
export const texts = z.array(trimmed.min(1)).default([]);

const httpUrl = trimmed
  .refine((text) => /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text), 'an http(s) URL')
  .transform((text) => text.replace(/\/+$/, ''));
export const address = (standard: string) => httpUrl.default(standard);
export const optionalAddress = z.union([z.literal(''), httpUrl]).default('');
export const optionalDate = z.union([z.literal(''), z.iso.date()]).default('');
