import { settingsPrefix } from './commandIds.ts';

/** One setting as the manifest declares it. */
export interface DeclaredSetting {
  readonly scope?: string;
}

/** What an editor knows of a setting: its value at each level where the user set one. */
export interface InspectedSetting {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

export interface SettingsSource {
  /** By full key (`deepResearch.model.name`). */
  readonly declared: Readonly<Record<string, DeclaredSetting>>;
  readonly trusted: boolean;
  inspect(key: string): InspectedSetting | undefined;
  /** The whole `deepResearch` object as the editor merged it: it also holds what no manifest declares. */
  all(): unknown;
}

export interface SettingsByLevel {
  readonly user: Readonly<Record<string, unknown>>;
  /** Of the workspace and its folder, which wins; empty until the workspace is trusted. */
  readonly folder: Readonly<Record<string, unknown>>;
}

/**
 * The settings as they were written, flat and by full key; defaults stay out, so that the engine can distinguish "set" from "unset". The
 * engine decides what of the folder's counts: a repository that someone opens must not decide where keys and questions go. Commands
 * of servers are left out until the workspace is trusted.
 */
export function settingsByLevel(source: SettingsSource): SettingsByLevel {
  const user: Record<string, unknown> = {};
  const folder: Record<string, unknown> = {};
  for (const [key, { scope }] of Object.entries(source.declared)) {
    const { globalValue, workspaceValue, workspaceFolderValue } = source.inspect(key) ?? {};
    const mayRun = source.trusted || key !== `${settingsPrefix}mcpServers`;
    if (mayRun && globalValue !== undefined && globalValue !== null) user[key] = globalValue;
    const below = workspaceFolderValue ?? workspaceValue;
    const counts = source.trusted && scope !== 'machine' && scope !== 'application';
    if (counts && below !== undefined && below !== null) folder[key] = below;
  }
  // Misspelt keys go along: the engine warns of each by name.
  const isDeclared = (key: string) =>
    Object.keys(source.declared).some((known) => known === key || key.startsWith(`${known}.`));
  for (const [key, value] of leaves(source.all(), settingsPrefix.slice(0, -1))) if (!isDeclared(key)) user[key] = value;
  return { user, folder };
}

/** The origin of an address, which a key is bound to. Undefined: it is no web address. */
export function originOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

/** Parts of a setting's name, and more than enough. */
const deepestName = 10;

function leaves(value: unknown, path: string, depth = 0): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > deepestName)
    return value === undefined ? [] : [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`, depth + 1));
}
