import type { Settings } from '../research/settings/config.ts';
import {
  type Log,
  type Secrets,
  type WebSearchModel,
  type WorkspacePort,
  attachedKind,
  outsideKind,
} from '../research/ports.ts';
import type { ResearchTool, WorkspaceFacts } from '../research/tools.ts';
import type { HttpSession } from './http/httpSession.ts';
import type { PoliteClient } from './http/politeClient.ts';
import type { PageClient } from './pages/pageClient.ts';
import { sourceDefinitions } from './registry.ts';
import {
  endpointOf,
  httpServiceOf,
  type RunInput,
  type ServiceContext,
  type ServiceDefinition,
  servicesOf,
  type SourceContext,
  type SourceDefinition,
  traitsOf,
} from './source.ts';

export interface CreateToolsOptions {
  readonly settings: Settings;
  /** Undefined without a folder, or where it is not trusted. */
  readonly workspace?: WorkspacePort;
  readonly facts?: WorkspaceFacts;
  readonly secrets: Secrets;
  readonly client: PoliteClient;
  /** Absent: no page can be fetched. */
  readonly pages?: PageClient;
  /** What was answered before the run is asked again. */
  readonly isFresh?: boolean | undefined;
  /** Models that can search the web by themselves, best first. Absent: none. */
  readonly webSearch?: readonly WebSearchModel[];
  /** Names of what `sources.enabled` may name beside the sources. */
  readonly others?: readonly string[];
  readonly log: Log;
}

export interface CreatedTools {
  readonly tools: readonly ResearchTool[];
  /** Sources that were asked for and can't be used, with the reason: a warning each. */
  readonly unavailable: readonly { readonly source: string; readonly why: string }[];
  /** Sources that are neither set up nor enabled by the user, with what they need: for a check alone. */
  readonly absent: readonly { readonly source: string; readonly label: string; readonly why: string }[];
}

/** The tools of one run. Call it once a run: a service that can't be reached is not asked again by the same tools. */
export async function createTools(
  options: CreateToolsOptions,
  definitions: readonly SourceDefinition[] = sourceDefinitions,
): Promise<CreatedTools> {
  const { settings, workspace, webSearch = [], others = [] } = options;
  const chosen = chosenSources(settings, definitions);
  const known = [...definitions.map(({ name }) => name), ...others];
  const unavailable = chosen.unknown
    .filter((source) => !others.some((other) => other.toLowerCase() === source))
    .map((source) => ({ source, why: `There is no source "${source}". Known: ${known.join(', ')}.` }));
  const absent: { source: string; label: string; why: string }[] = [];
  const tools: ResearchTool[] = [];
  const keys = await savedKeys(options, chosen.definitions);
  for (const definition of chosen.definitions) {
    const missing = definition.missing?.({ settings, keys, hasWorkspace: workspace !== undefined, webSearch });
    const { name: source, label } = definition;
    if (missing === undefined || missing.inPart === true) {
      const created = await definition.createTools(contextOf(definition, options));
      const traits = traitsOf(definition);
      for (const tool of created) tools.push({ ...tool, traits });
    }
    if (missing === undefined) continue;
    if (chosen.areNamed || missing.quiet !== true) unavailable.push({ source, why: missing.why });
    else absent.push({ source, label, why: missing.why });
  }
  return { tools, unavailable, absent };
}

/** The sources that a run would use, with the hosts that its queries go to; none for one on this machine. */
export async function enabledSources(
  options: KeyOptions & Pick<CreateToolsOptions, 'webSearch'> & { readonly hasWorkspace: boolean },
  definitions: readonly SourceDefinition[] = sourceDefinitions,
): Promise<readonly { readonly name: string; readonly label: string; readonly hosts: readonly string[] }[]> {
  const { settings, hasWorkspace, webSearch = [] } = options;
  const chosen = chosenSources(settings, definitions).definitions;
  const run = { settings, hasWorkspace, webSearch, keys: await savedKeys(options, chosen) };
  return chosen
    .filter((definition) => definition.missing?.(run) === undefined)
    .map((definition) => ({ name: definition.name, label: definition.label, hosts: hostsOf(definition, run) }));
}

function hostsOf(definition: SourceDefinition, run: RunInput): readonly string[] {
  const asked = definition.asks?.(run);
  const endpoints = servicesOf(definition)
    .filter(({ name }) => asked?.includes(name) ?? true)
    .map((service) => endpointOf(service, run.settings))
    .concat(definition.visits?.(run) ?? []);
  return [...new Set(endpoints.filter((endpoint) => endpoint !== '').map((endpoint) => new URL(endpoint).host))];
}

type KeyOptions = Pick<CreateToolsOptions, 'settings' | 'secrets' | 'log'>;

/** Names of the services whose key is saved for the address in use. */
async function savedKeys(options: KeyOptions, definitions: readonly SourceDefinition[]): Promise<ReadonlySet<string>> {
  const services = definitions.flatMap(servicesOf);
  const keys = await Promise.all(services.map((service) => keyOf(service, options)));
  return new Set(services.flatMap(({ name }, index) => (keys[index] ? [name] : [])));
}

async function keyOf(service: ServiceDefinition, { settings, secrets, log }: KeyOptions): Promise<string | undefined> {
  const endpoint = endpointOf(service, settings);
  if (service.secret === undefined || endpoint === '') return undefined;
  try {
    return await secrets.key(service.name, new URL(endpoint).origin);
  } catch (error) {
    log.warn(
      `The ${service.label} key could not be read: ${error instanceof Error ? error.message : 'unknown reason'}.`,
    );
    return undefined;
  }
}

/** How documents of each source are shown, and those of tools from outside. */
export function documentKinds(definitions: readonly SourceDefinition[] = sourceDefinitions) {
  return [
    ...definitions.map(({ name, label, documentLabel, icon, pageHosts }) => {
      return { name, label: documentLabel ?? label, icon, pageHosts };
    }),
    { name: attachedKind, label: 'Attached document', icon: 'attach', pageHosts: [] },
    { name: outsideKind, label: 'MCP tool', icon: 'plug', pageHosts: [] },
  ];
}

/** What a source's tools are made from. */
export function contextOf(definition: SourceDefinition, options: CreateToolsOptions): SourceContext {
  const { settings, workspace, facts, log, pages } = options;
  const services = new Map(
    servicesOf(definition).map((service) => [service.name, serviceContext(service, options)] as const),
  );
  const first = [...services.values()][0] ?? onThisMachine;
  return {
    ...first,
    service: (name) => {
      const service = services.get(name);
      if (service === undefined) throw new Error(`The source "${definition.name}" declares no service "${name}".`);
      return service;
    },
    pages: pages?.session(settings['network.allowPrivateHosts'], options.isFresh) ?? { ...noPages, named: noPages },
    settings,
    webSearch: options.webSearch ?? [],
    workspace,
    facts: settings['workspace.forModel'] === 'off' ? undefined : facts,
    log,
  };
}

const noPages = { get: () => Promise.reject(new Error('This run fetches no pages.')) };

function serviceContext(service: ServiceDefinition, options: CreateToolsOptions): ServiceContext {
  let key: Promise<string | undefined> | undefined;
  return {
    endpoint: endpointOf(service, options.settings),
    session: options.isFresh ? freshSession(options.client, service) : options.client.session(httpServiceOf(service)),
    key: () => (key ??= keyOf(service, options)),
  };
}

const onThisMachine: ServiceContext = {
  endpoint: '',
  session: { get: () => Promise.reject(new Error('A source on this machine asks no service.')) },
  key: () => Promise.resolve(undefined),
};

/** Empty means all. */
function chosenSources(settings: Settings, definitions: readonly SourceDefinition[]) {
  const wanted = new Set(settings['sources.enabled'].map((name) => name.trim().toLowerCase()));
  const areNamed = wanted.size > 0;
  return {
    definitions: areNamed ? definitions.filter(({ name }) => wanted.has(name)) : definitions,
    unknown: [...wanted].filter((wantedName) => definitions.every(({ name }) => name !== wantedName)),
    areNamed,
  };
}

/** Each request is sent once in the run, whatever is cached. */
function freshSession(client: PoliteClient, service: ServiceDefinition): HttpSession {
  const session = client.session(httpServiceOf(service));
  const sent = new Set<string>();
  return {
    get: (request, signal) => {
      const key = `${request.url}\n${request.body ?? ''}`;
      const isFirst = !sent.has(key);
      sent.add(key);
      return session.get(isFirst ? { ...request, again: true } : request, signal);
    },
  };
}
