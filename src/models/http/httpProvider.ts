import type { ProviderContext, ProviderDefinition, ProviderFacts, Server } from '../provider.ts';
import type { HttpApi } from './httpModels.ts';

/** A provider that is asked over HTTP. What its API needs is loaded on first use. */
export function httpProvider(
  about: ProviderFacts,
  serverOf: (definition: ProviderDefinition, context: ProviderContext) => Server | Promise<Server>,
  apiOf: (server: Server) => Promise<HttpApi>,
): ProviderDefinition {
  const definition: ProviderDefinition = {
    ...about,
    async create(context) {
      const server = await serverOf(definition, context);
      const [{ httpModels }, api] = await Promise.all([import('./httpModels.ts'), apiOf(server)]);
      return httpModels(definition, server, api, context);
    },
    async list(context) {
      const server = await serverOf(definition, context);
      const [{ listChatModels }, api] = await Promise.all([import('./httpModels.ts'), apiOf(server)]);
      return listChatModels(definition, server, api, context.fetch);
    },
  };
  return definition;
}
