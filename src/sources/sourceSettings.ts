import { endpointSchema, type SettingsShape } from '../research/config.ts';
import { sourceDefinitions } from './registry.ts';
import type { SourceDefinition } from './source.ts';

/** Schemas of the settings that sources declare: their endpoints, and what each adds. */
export function settingsOfSources(definitions: readonly SourceDefinition[] = sourceDefinitions): SettingsShape {
  return Object.assign(
    {},
    ...definitions.map(({ endpoint, settings }) => ({
      ...(endpoint && { [endpoint.setting]: endpointSchema(endpoint.default) }),
      ...settings,
    })),
  ) as SettingsShape;
}

/** Settings of endpoints, by key. No prompt depends on them. */
export function endpointSettings(definitions: readonly SourceDefinition[] = sourceDefinitions) {
  return definitions.flatMap(({ endpoint }) => endpoint?.setting ?? []);
}
