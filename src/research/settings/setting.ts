import { smallest } from '../../protocol/numbers.ts';
import { trimEnd } from '../text/trimEnd.ts';
import * as z from 'zod';

/** The headings of the settings editor, in its order. */
export const settingGroups = {
  model: 'Model',
  run: 'Run',
  limits: 'Limits',
  budget: 'Budget',
  sources: 'Sources',
  workspace: 'Workspace and privacy',
  report: 'Report and history',
} as const;

/** One setting: all that the engine, the manifest, docs/settings.md and a resumed run need to know of it. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  /** Parses what a user wrote; undefined gives the default. */
  readonly schema: S;
  readonly group: keyof typeof settingGroups;
  /**
   * Who may set it. `user`: only the user's own settings count (where keys and questions go, what is saved for all folders).
   * `folder`: a workspace may set it too, once it is trusted.
   */
  readonly setBy: 'user' | 'folder';
  /**
   * Lets a folder tighten what the user decided, and never loosen it. Absent: the folder's value counts. Also what a resumed run
   * does with the value that it began with: where today is stricter, today counts.
   * @param user The user's value; undefined where it was not set.
   */
  readonly tighten?: (user: unknown, folder: unknown) => unknown;
  /** The folders of a multi-root workspace may differ in it. */
  readonly perFolder?: true;
  /**
   * Today's value counts when a run is resumed, because no prompt depends on it: who answers and where (`server`, and `model` for
   * what belongs to that server), or anything else (`other`). Absent: the value that the run began with counts.
   */
  readonly todays?: 'server' | 'model' | 'other';
  /** Markdown for the settings editor and docs/settings.md; `#deepResearch.key#` links to another setting. */
  readonly text: string;
  /** The allowed values with a text each; of a list, those of its items. */
  readonly values?: Readonly<Record<string, string>>;
  /** {@link values} are those that are known; a user may name others. */
  readonly isOpen?: true;
  /** What is allowed, in words, where the schema alone does not say. */
  readonly allowed?: string;
  /** For the settings editor, which does not know the schema: a regular expression, and the text when a value does not match. */
  readonly pattern?: { readonly source: string; readonly text: string };
}

export const whole = (min: number, max: number, standard: number) =>
  z.number().int().min(min).max(max).default(standard);

/** A number from 0 to `max`; 0 is no limit. */
export const atMost = (max: number) => z.number().min(0).max(max).default(0);

const perMillion = z.number().min(0).max(100_000);
/** Prices by a model's name, or by the beginning of it: US dollars for a million tokens. */
export const prices = z
  .record(z.string().min(1), z.object({ in: perMillion, out: perMillion, cached: perMillion.optional() }))
  .default({});

/** A choice among the names of `values`. */
export function choice<V extends Readonly<Record<string, string>>, D extends keyof V & string>(values: V, standard: D) {
  const names = Object.keys(values) as [keyof V & string, ...(keyof V & string)[]];
  return { values, schema: z.enum(names).default(standard as never) };
}

const trimmed = z.string().trim();
/** A name of something on a server: one line of characters that can be seen. */
export const optionalText = trimmed
  .max(200)
  .refine((text) => !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text), 'a name on one line')
  .default('');
export const onOff = (standard: boolean) => z.boolean().default(standard);
/** What a person tells a model, on several lines. */
export const hintText = trimmed.max(4_000).default('');
export const requiredText = (standard: string) => trimmed.min(1).default(standard);
/** A list that a person may have written. */
export const texts = z.array(trimmed.min(1).max(500)).max(2_000).default([]);

/** What questions of a kind are usually about. An object of its own, so that a typo in a field's name is an error. */
export const focusTemplates = z
  .array(
    z.strictObject({
      name: trimmed.min(1).max(80),
      when: trimmed.max(500).default(''),
      focus: z.array(trimmed.min(1).max(200)).min(1).max(8),
    }),
  )
  .max(50)
  .refine(
    (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
    'templates with different names',
  )
  .default([]);

/** An address without credentials, which would end up in messages and records. */
const httpUrl = trimmed
  .refine((text) => {
    if (!/^https?:\/\/[^\s/]/i.test(text) || /[\u0000-\u0020\u007F]/.test(text) || !URL.canParse(text)) return false;
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, 'an http(s) URL')
  .transform((text) => trimEnd(text, '/'));
export const address = (standard: string) => httpUrl.default(standard);
export const optionalAddress = z.union([z.literal(''), httpUrl]).default('');
/** `host:port` entries; a port is always named. IPv6 literals are in brackets. */
export const places = z
  .array(trimmed.regex(/^(?:\[[0-9a-f:.]+\]|[^\s/:@[\]]+):\d{1,5}$/i, 'a host with its port, like wiki.example:8080'))
  .default([]);
/** Servers of tools by name, each a command with arguments and variables, or an address with headers. */
export const toolServers = z
  .record(
    z.string().regex(/^[A-Za-z][\w-]{0,39}$/),
    z.union([
      z.object({
        command: trimmed.min(1),
        args: z.array(z.string()).default([]),
        env: z.record(z.string().regex(/^\w+$/), z.string()).default({}),
        tools: z.array(z.string()).optional(),
        searches: z.array(z.string()).optional(),
      }),
      z.object({
        url: httpUrl,
        headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[^\r\n]*$/)).default({}),
        tools: z.array(z.string()).optional(),
        searches: z.array(z.string()).optional(),
      }),
    ]),
  )
  .default({});
export const optionalDate = z.union([z.literal(''), z.iso.date()]).default('');
/** Extensions and private parts of a tag hold any words. */
const freeWords = /(?:^|-)[a-z0-9]-/i;
/** `auto`, or a language tag of BCP 47: the value appears in prompts. */
export const languageTag = trimmed
  .refine(
    (text) => text === 'auto' || (/^[a-z0-9-]{2,35}$/i.test(text) && !freeWords.test(text) && canonicalLocale(text)),
    'a language tag',
  )
  .default('auto');

function canonicalLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Short names of hidden folders (`GIT~1` is `.git`), the home folder in shells, and names of devices. */
const windowsNames = /~\d|^~|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** A folder inside of the workspace, with `/`; none that begins with a dot, where tools keep what they run. */
export const innerFolder = (standard: string) =>
  trimmed
    .refine((text) => {
      const parts = text.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
      const plain = !/^[\\/]|[\u0000-\u001F:*?"<>|\u007F]/.test(text) && text !== '' && text.length <= 200;
      const seen = !/[\p{Cf}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(text);
      return plain && seen && parts.every((part) => !/^\.|[. ]$/.test(part) && !windowsNames.test(part));
    }, 'a folder')
    .default(standard);

/** The stricter of two values, of names from the least to the most strict. An unset value of the user is `standard`. */
export function stricterOf<T extends string>(fromLoose: readonly T[], standard: T): NonNullable<Setting['tighten']> {
  const rank = (value: unknown) => fromLoose.indexOf(value as T);
  return (user = standard, folder) => (rank(folder) > rank(user) ? folder : user);
}

/** Binds a folder only where the user set the value. */
export function whereSet(rule: NonNullable<Setting['tighten']>): NonNullable<Setting['tighten']> {
  return (user, folder) => (user === undefined ? folder : rule(user, folder));
}

/** The smaller number. */
export const smaller = whereSet((user, folder) => Math.min(user as number, folder as number));
/** The smaller number; 0 is no limit. */
export const smallerOrNoLimit = whereSet((user, folder) => {
  const numbers = [user as number, folder as number].filter((value) => value > 0);
  return numbers.length === 0 ? 0 : smallest(numbers);
});

/** Everything that either leaves out. */
export const bothLists: NonNullable<Setting['tighten']> = (user, folder) => [
  ...new Set([...((user as readonly string[] | undefined) ?? []), ...(folder as readonly string[])]),
];

/** Like {@link bothLists}, of patterns: one that brings something back (`!private/**`) loosens. */
export const bothPatterns: NonNullable<Setting['tighten']> = (user, folder) =>
  bothLists(
    user,
    (folder as readonly string[]).filter((pattern) => !pattern.startsWith('!')),
  );

/** What both allow, where an empty list allows everything; the user's where they share nothing. */
export const sharedList: NonNullable<Setting['tighten']> = (user, folder) => {
  const [mine, theirs] = [(user as readonly string[] | undefined) ?? [], folder as readonly string[]];
  if (mine.length === 0) return theirs;
  const shared = mine.filter((name) => theirs.includes(name));
  return shared.length === 0 ? mine : shared;
};

/** The later of two dates; none is the earliest. */
export const later: NonNullable<Setting['tighten']> = (user = '', folder) =>
  (folder as string) > (user as string) ? folder : user;
