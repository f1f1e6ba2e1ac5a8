import * as z from 'zod';
import { ResearchError } from '../errors.ts';
import type { DeclaredSettings, SettingKey, Settings } from './declarations.ts';
import type { Setting } from './setting.ts';
import { redact } from '../text/redact.ts';

export type { DeclaredSettings, Setting, SettingKey, Settings };

export interface ReadSettings {
  readonly settings: Settings;
  /** Keys that no setting has, with the prefix. */
  readonly unknown: readonly string[];
  /** Keys of which the folder's value can't be used, with the prefix. */
  readonly unusable: readonly string[];
}

/**
 * Reads settings as a user wrote them: flat keys with or without the `deepResearch.` prefix, or nested objects.
 * A bad value of a known key throws `config`, naming the key, the value and what is allowed.
 * @param folder What a trusted workspace sets, in the same form: it counts as far as each setting lets it ({@link Setting}). A bad value
 * throws where it may be meant to restrict what the user allows, and is left out elsewhere: no folder ends all runs in it by its place
 * for reports.
 */
export function readSettings(
  raw: Readonly<Record<string, unknown>>,
  declared: DeclaredSettings,
  folder: Readonly<Record<string, unknown>> = {},
): ReadSettings {
  const unknown: string[] = [];
  const [own, below] = [raw, folder].map((level) => knownValues(level, declared, unknown));
  const problems: string[] = [];
  const unusable: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(declared)) {
    const parse = (value: unknown): unknown => {
      const parsed = setting.schema.safeParse(value);
      if (parsed.success) return parsed.data;
      const what = `"deepResearch.${key}" is ${describe(value)}; allowed: ${allowed(setting)}.`;
      problems.push(what);
      return undefined;
    };
    const mine = parse(own?.[key]);
    const theirs = setting.setBy === 'user' ? undefined : below?.[key];
    const isBad = theirs !== undefined && setting.tighten === undefined && !setting.schema.safeParse(theirs).success;
    if (isBad) unusable.push(`deepResearch.${key}`);
    const parsed = theirs === undefined || isBad ? undefined : parse(theirs);
    if (parsed === undefined) settings[key] = mine;
    else if (setting.tighten === undefined) settings[key] = parsed;
    else settings[key] = setting.tighten(own?.[key] === undefined ? undefined : mine, parsed);
  }
  if (problems.length > 0) {
    throw new ResearchError('config', `A setting can't be used: ${problems.join(' ')}`, {
      next: 'Correct the setting and start again.',
    });
  }
  return { settings: settings as Settings, unknown, unusable };
}

/** Where reports go and are never read from: a folder's own, though it restricts nothing. */
const placeOfReports: SettingKey = 'report.folder';

/**
 * The user's settings, restricted by those of a folder that nobody said to trust: unlike {@link readSettings} a folder sets nothing here
 * that is looser than the default either. Throws `config` for a value that can't be used.
 */
export function restrictedSettings(
  raw: Readonly<Record<string, unknown>>,
  declared: DeclaredSettings,
  folder: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own: Readonly<Record<string, unknown>> = readSettings(raw, declared).settings;
  const binding = Object.entries(knownValues(folder, declared, [])).filter(([key, value]) => {
    const { setBy, tighten, schema } = declared[key as SettingKey] as Setting;
    const isPlace = key === placeOfReports && schema.safeParse(value).success;
    return setBy === 'folder' && (tighten !== undefined || isPlace);
  });
  const read = readSettings(Object.fromEntries(binding), declared).settings as Readonly<Record<string, unknown>>;
  const restricted = { ...raw };
  for (const [key] of binding) {
    const { tighten } = declared[key as SettingKey] as Setting;
    // The last one counts, in whatever form the user wrote it.
    for (const name of [key, `deepResearch.${key}`]) delete restricted[name];
    restricted[`deepResearch.${key}`] = tighten ? tighten(own[key], read[key]) : read[key];
  }
  return restricted;
}

/** How thoroughly the statements of a report are checked. */
export function verificationOf({ verification, depth }: Settings): 'off' | 'standard' | 'thorough' {
  if (verification !== 'auto') return verification;
  return depth === 'deep' ? 'thorough' : 'standard';
}

/** By key without prefix; the keys of no setting are added to `unknown`. */
function knownValues(
  raw: Readonly<Record<string, unknown>>,
  declared: DeclaredSettings,
  unknown: string[],
): Readonly<Record<string, unknown>> {
  const known: Record<string, unknown> = {};
  for (const [key, value] of flatten(raw, declared)) {
    const name = key.replace(/^deepResearch\./, '');
    if (!Object.hasOwn(declared, name)) unknown.push(`deepResearch.${name}`);
    else if (value !== undefined && value !== null) known[name] = value;
  }
  return known;
}

/** What a setting may be, in words. */
function allowed({ schema, allowed: words }: Setting): string {
  if (words !== undefined) return words;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (json.enum) return json.enum.join(', ');
  if (json.type === 'integer') return `a whole number from ${json.minimum} to ${json.maximum}`;
  if (json.type === 'array') return 'a list of texts';
  return 'a text that is not empty';
}

/** Parts of a setting's name, and more than enough. */
const deepestName = 10;

function flatten(raw: Readonly<Record<string, unknown>>, declared: DeclaredSettings, prefix = ''): [string, unknown][] {
  return Object.entries(raw).flatMap(([key, value]): [string, unknown][] => {
    const path = prefix + key;
    const isTooDeep = path.split('.').length > deepestName;
    const nested = !isTooDeep && typeof value === 'object' && value !== null && !Array.isArray(value);
    // The value of a setting may be an object itself.
    const isSetting = Object.hasOwn(declared, path.replace(/^deepResearch\./, ''));
    return nested && !isSetting ? flatten(value as Record<string, unknown>, declared, `${path}.`) : [[path, value]];
  });
}

/** A value for a message. What precedes an @ may be a password, however it is written, and what follows a ? a key. */
function describe(value: unknown): string {
  const text = redact(asJson(value));
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function asJson(value: unknown): string {
  try {
    const withoutUser = (_: string, one: unknown) => {
      if (typeof one !== 'string') return one;
      const [bare] = one.split('?', 1) as [string];
      return one.includes('@') ? `[redacted]@${bare.includes('@') ? bare.split('@').at(-1) : '…'}` : bare;
    };
    return JSON.stringify(value, withoutUser) ?? String(value);
  } catch {
    // Nested deeper than the stack holds.
    return Array.isArray(value) ? 'a list' : 'an object';
  }
}
