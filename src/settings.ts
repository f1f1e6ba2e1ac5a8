import { readSettings, type ReadSettings, settingsShape, type SettingsShape } from './research/config.ts';
import { settingsOfSources } from './sources/sourceSettings.ts';

/** Every setting of the program: those of the research core and those that sources declare. */
export const allSettings: SettingsShape = { ...settingsShape, ...settingsOfSources() };

/** Reads settings as a person wrote them; see {@link readSettings}. */
export function readAllSettings(raw: Readonly<Record<string, unknown>>): ReadSettings {
  return readSettings(raw, settingsOfSources());
}
