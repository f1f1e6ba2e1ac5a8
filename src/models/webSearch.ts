import type { WebSearchModel } from '../research/ports.ts';
import { type CreatedModels, type CreateModelsOptions, createModels } from './createModels.ts';
import { baseUrlOf, keyFor, type ProviderDefinition } from './provider.ts';
import { providerDefinitions } from './registry.ts';

/**
 * The models that can search the web by themselves, best first: the run's own provider, then others whose key is saved. Nothing is
 * sent.
 */
export async function webSearchModels(
  options: CreateModelsOptions,
  created: CreatedModels | undefined,
): Promise<readonly WebSearchModel[]> {
  const { providers = providerDefinitions, settings, secrets } = options;
  const own = created?.kind === 'llm' ? created : undefined;
  const ownDefinition = providers.find(({ name }) => name === own?.provider);
  const ownBase = ownDefinition && baseUrlOf(ownDefinition, settings);
  const found: WebSearchModel[] = [];
  if (own?.search && ownDefinition && ownBase !== undefined) {
    const { search } = own;
    found.push({
      ...{ label: ownDefinition.label, address: new URL(ownBase).origin },
      isOwn: ownDefinition.searchesWeb?.(ownBase) ?? false,
      port: search,
    });
  }
  for (const definition of providers) {
    const { baseUrl, searchesWeb } = definition;
    if (definition === ownDefinition || baseUrl === undefined || searchesWeb?.(baseUrl) !== true) continue;
    if ((await keyFor(definition, baseUrl, secrets)) !== undefined) found.push(other(definition, baseUrl, options));
  }
  return found;
}

/** Another provider than the run's, at its public address, with the model that it chooses itself. */
function other({ name, label }: ProviderDefinition, baseUrl: string, options: CreateModelsOptions): WebSearchModel {
  const settings = {
    ...options.settings,
    ...{ 'model.provider': name, 'model.baseUrl': '', 'model.name': '', 'model.research': '' },
  };
  return {
    ...{ label, address: new URL(baseUrl).origin, isOwn: false },
    async port() {
      const created = await createModels({ ...options, settings });
      if (created.kind === 'extractive' || created.search === undefined)
        throw new Error(`The provider "${name}" says that it searches the web, and has no search.`);
      return created.search();
    },
  };
}
