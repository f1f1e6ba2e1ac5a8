import { type DeclaredSettings, readSettings, type SettingKey, type Settings } from '../settings/config.ts';
import type { RunRecord } from '../ports.ts';
import type { Warning } from '../languages/warning.ts';

export interface ResumedSettings {
  /** For the resumed run. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Values beyond what the settings allow, which a flag gave when the run began. */
  readonly overrides: Partial<Settings>;
  /** Settings that differ today, though the run uses those that it began with. */
  readonly unchanged: readonly SettingKey[];
}

/** What `--max-iterations` may give. */
const mostRounds = 10;

/**
 * Which settings count when a run is resumed. Those that shaped its prompts stay as the run began with them, except where today's
 * are stricter: with others, completed calls could not be replayed. For the rest ({@link Setting.todays}) today's count alone: a
 * user can fix what ended the run (a dead server, an exhausted quota), and a record from elsewhere can't say where keys
 * and questions go. So do they in place of a value that the setting can't have.
 */
export function resumedSettings(
  { settings: recorded }: Pick<RunRecord, 'settings'>,
  now: Settings,
  declared: DeclaredSettings,
): ResumedSettings {
  const { 'limits.maxReviewIterations': rounds, ...rest } = recorded;
  const isGiven = typeof rounds === 'number' && Number.isInteger(rounds) && rounds >= 0 && rounds <= mostRounds;
  const overrides = isGiven ? { 'limits.maxReviewIterations': rounds } : {};
  const defaults = readSettings({}, declared).settings;
  const keys = Object.keys(declared) as SettingKey[];
  const isTodays = (key: SettingKey): boolean => {
    const { todays, setBy, schema } = declared[key]!;
    return todays !== undefined || setBy === 'user' || !schema.safeParse(rest[key] ?? undefined).success;
  };
  const own = Object.fromEntries(keys.flatMap((key) => (isTodays(key) ? [] : [[key, rest[key]]])));
  const before: Settings = { ...readSettings(own, declared).settings, ...overrides };
  const differs = (key: SettingKey, other: Settings) => JSON.stringify(now[key]) !== JSON.stringify(other[key]);
  const isSet = (key: SettingKey) => differs(key, defaults);
  const resumed = (key: SettingKey): unknown => {
    if (isTodays(key)) return now[key];
    const { tighten } = declared[key]!;
    return tighten === undefined ? before[key] : tighten(isSet(key) ? now[key] : undefined, before[key]);
  };
  const settings = Object.fromEntries(keys.map((key) => [key, resumed(key)]));
  return {
    settings,
    overrides,
    unchanged: keys.filter((key) => isSet(key) && JSON.stringify(now[key]) !== JSON.stringify(settings[key])),
  };
}

/** What differs from the time when the run began. */
export function changesSince(
  record: Pick<RunRecord, 'program' | 'model' | 'provider'>,
  today: {
    readonly version: string;
    readonly model: string | null;
    readonly provider: string;
    readonly unchanged: readonly SettingKey[];
  },
): Warning[] {
  const changes: Warning[] = [];
  const { version, unchanged } = today;
  if (record.program !== version) changes.push({ kind: 'resume.version', before: record.program, now: version });
  if (unchanged.length > 0)
    changes.push({ kind: 'resume.settings', keys: unchanged.map((key) => `deepResearch.${key}`).join(', ') });
  const [before, now] = [record, today].map(({ model, provider }) =>
    model === null ? provider : `${model} (${provider})`,
  );
  if (before !== now) changes.push({ kind: 'resume.model', before: before!, now: now! });
  return changes;
}
