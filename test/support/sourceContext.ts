import { createCatalogue, readAllSettings } from '../../src/catalogue.ts';
import type { Log, Secrets, WebSearchModel } from '../../src/research/ports.ts';
import type { ToolContext, WorkspaceFacts } from '../../src/research/tools.ts';
import { contextOf } from '../../src/sources/createTools.ts';
import { createPoliteClient } from '../../src/sources/http/politeClient.ts';
import type { PoliteClientOptions } from '../../src/sources/http/politeSession.ts';
import type { PageClient } from '../../src/sources/pages/pageClient.ts';
import { servicesOf, type SourceContext, type SourceDefinition } from '../../src/sources/source.ts';
import { virtualClock } from './virtualClock.ts';

export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
export const noSecrets: Secrets = { key: () => Promise.resolve(undefined) };
export const noFacts: WorkspaceFacts = {
  name: 'sample',
  repos: [],
  languages: [],
  packages: [],
  arxivIds: [],
  githubLinks: [],
  fileCount: 0,
};
export const english: ToolContext = { focus: 'retrieval-augmented generation', language: 'en' };

/** What the tools of one source need, all its services being at `endpoint`, with time that passes at once. */
export function sourceContext(
  definition: SourceDefinition,
  endpoint: string,
  options: {
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly facts?: Partial<WorkspaceFacts>;
    readonly secrets?: Secrets;
    readonly client?: Partial<PoliteClientOptions>;
    readonly log?: Log;
    readonly pages?: PageClient;
    readonly webSearch?: readonly WebSearchModel[];
  } = {},
): SourceContext {
  const client = createPoliteClient({
    userAgent: 'deep-research-vscode/0.0.0-test',
    clock: virtualClock(),
    random: () => 0,
    ...options.client,
  });
  return contextOf(definition, {
    settings: readAllSettings(
      {
        ...Object.fromEntries(servicesOf(definition).map((service) => [`endpoints.${service.name}`, endpoint])),
        ...options.settings,
      },
      createCatalogue({ providers: [], sources: [definition] }),
    ).settings,
    client,
    ...(options.pages && { pages: options.pages }),
    ...(options.webSearch && { webSearch: options.webSearch }),
    secrets: options.secrets ?? noSecrets,
    ...(options.facts && { facts: { ...noFacts, ...options.facts } }),
    log: options.log ?? silentLog,
  });
}
