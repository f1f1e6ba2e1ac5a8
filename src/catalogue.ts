import type { ProviderDefinition } from './models/provider.ts';
import { providerDefinitions } from './models/registry.ts';
import type { KeyService } from './protocol/ports.ts';
import { type DeclaredSettings, readSettings, type ReadSettings } from './research/settings/config.ts';
import { declareSettings } from './research/settings/declarations.ts';
import { sourceDefinitions } from './sources/registry.ts';
import { type ServiceDefinition, servicesOf, type SourceDefinition } from './sources/source.ts';

/** The providers and sources of a program, and what derives from both. */
export interface Catalogue {
  readonly providers: readonly ProviderDefinition[];
  readonly sources: readonly SourceDefinition[];
  readonly settings: DeclaredSettings;
  /** What keys can be saved for. */
  readonly keyServices: readonly KeyService[];
}

export function createCatalogue(
  definitions: Pick<Catalogue, 'providers' | 'sources'> = {
    providers: providerDefinitions,
    sources: sourceDefinitions,
  },
): Catalogue {
  const { providers, sources } = definitions;
  return {
    providers,
    sources,
    settings: declareSettings({
      providers,
      sources: sources.map((source) => ({ ...source, services: servicesOf(source) })),
    }),
    keyServices: [
      ...providers.flatMap(({ key, label, baseUrl }): KeyService[] =>
        key === undefined ? [] : [{ ...key, label, setting: 'model.baseUrl', ...(baseUrl && { address: baseUrl }) }],
      ),
      ...new Map(sources.flatMap(servicesOf).flatMap(keyServiceOf)).values(),
    ],
  };
}

/** By name, since two sources may share a service. */
function keyServiceOf({ name, label, secret, endpoint }: ServiceDefinition): [string, KeyService][] {
  if (secret === undefined) return [];
  const address = endpoint.default;
  return [[name, { service: name, label, ...secret, setting: `endpoints.${name}`, ...(address && { address }) }]];
}

/** All that this version has. */
export const builtIn: Catalogue = createCatalogue();

/** Reads settings as a user wrote them; see {@link readSettings}. */
export function readAllSettings(
  raw: Readonly<Record<string, unknown>>,
  { settings }: Pick<Catalogue, 'settings'> = builtIn,
  folder: Readonly<Record<string, unknown>> = {},
): ReadSettings {
  return readSettings(raw, settings, folder);
}
