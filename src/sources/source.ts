import type { DeclaredSettings, Settings } from '../research/settings/config.ts';
import type { Log, WebSearchModel, WorkspacePort } from '../research/ports.ts';
import type { ResearchTool, SourceTraits, WorkspaceFacts } from '../research/tools.ts';
import type { Pacing } from './http/limits.ts';
import type { HttpService, HttpSession } from './http/httpSession.ts';
import type { PageSession } from './pages/pageClient.ts';

/**
 * A source of documents: all that the program knows of it. Settings, key services, hosts, labels, icons and the choice of
 * calls derive from the declarations in `registry.ts`; nothing else names a source (docs/adding-a-source.md).
 */
export interface SourceDefinition extends Omit<SourceTraits, 'isLocal'> {
  /** In settings, events and warnings, and the kind of its documents. Lower-case letters and digits. */
  readonly name: string;
  /** What one of its documents is called in a list, where that is not the label. */
  readonly documentLabel?: string;
  /** Codicon of its documents. */
  readonly icon: string;
  /** What it holds, in one sentence: text of its entry in `sources.enabled`. */
  readonly description: string;
  /** With `pacing`, `publicHosts` and `secret`: the one service that bears the source's name and label. */
  readonly endpoint?: EndpointDefinition;
  /** See {@link ServiceDefinition}, as {@link publicHosts} and {@link secret}. */
  readonly pacing?: Pacing;
  readonly publicHosts?: readonly string[];
  readonly secret?: SourceSecret;
  /** Services beside that of {@link endpoint}, or in its place. A source without any service is on this machine. */
  readonly services?: readonly ServiceDefinition[];
  /** Hosts of its documents' pages. A page elsewhere is shown with its host. */
  readonly pageHosts: readonly string[];
  /** Further settings, by key without prefix (`sources.NAME.…`). */
  readonly settings?: DeclaredSettings;
  /** Why the source can't be used in this run; undefined when it can. */
  missing?(run: RunInput): Missing | undefined;
  /** Names of the services that a run would ask. Absent: each that has an address. */
  asks?(run: RunInput): readonly string[];
  /** Addresses that a run would open beside those of its services: sites that the user named. */
  visits?(run: RunInput): readonly string[];
  /**
   * Called once a run. Their `source` is {@link name}, which is also the `kind` of their documents. Libraries of some size
   * are loaded here or on a tool's first call, by `import()`.
   */
  createTools(context: SourceContext): readonly ResearchTool[] | Promise<readonly ResearchTool[]>;
}

/** A service that a source asks over HTTP. Two sources may share one. */
export interface ServiceDefinition {
  /** Lower-case letters and digits. Separates its quotas and failures from those of other services. */
  readonly name: string;
  /** In messages ("Crossref"). */
  readonly label: string;
  readonly endpoint: EndpointDefinition;
  /** How the public service asks to be treated. An endpoint that the user set is paced by its answers alone. */
  readonly pacing?: Pacing;
  /** Further hosts of the public service, beside that of the default endpoint. */
  readonly publicHosts?: readonly string[];
  readonly secret?: SourceSecret;
}

/** Its setting is `endpoints.NAME`, with the name of the service. */
export interface EndpointDefinition {
  /** Public base address, without the documented path. Absent: there is none, and the user names one. */
  readonly default?: string;
  /** Markdown, one sentence: text of the setting. */
  readonly description: string;
}

/** A key that the source works better with, or only with. In the secret storage: `deepResearch.key.NAME`, with the name of its service. */
export interface SourceSecret {
  /** What the key is good for, in one sentence. */
  readonly hint: string;
  /** Environment variables of the command line, first match wins. */
  readonly environment: readonly string[];
  /** An account of the editor that can be used instead of a key at the public endpoint. */
  readonly signIn?: { readonly provider: string; readonly scopes: readonly string[] };
}

/** What is known of a run before its sources are opened. */
export interface RunInput {
  readonly settings: Settings;
  /** Names of the services whose key is saved. */
  readonly keys: ReadonlySet<string>;
  /** A folder is open and may be read. */
  readonly hasWorkspace: boolean;
  /** Models that can search the web by themselves, best first. */
  readonly webSearch: readonly WebSearchModel[];
}

export interface Missing {
  readonly why: string;
  /** What it can do all the same has tools: a page can be read without a search. */
  readonly inPart?: boolean;
  /** Reported only to a user who named the source in `sources.enabled`. */
  readonly quiet?: boolean;
}

/** What the tools of a source are made from, once a run. */
export interface SourceContext extends ServiceContext {
  readonly settings: Settings;
  /** Models that can search the web by themselves, best first. */
  readonly webSearch: readonly WebSearchModel[];
  /** Pages of the public web, behind the guard of addresses. An API is asked through its service's session instead. */
  readonly pages: PageSession;
  /** One of the source's services, by name. The source's own `endpoint`, `session` and `key` are those of its first. */
  service(name: string): ServiceContext;
  /** Undefined without a folder, or where it may not be read. */
  readonly workspace: WorkspacePort | undefined;
  /** Undefined without a workspace, and when a model may see nothing of it. */
  readonly facts: WorkspaceFacts | undefined;
  readonly log: Log;
}

/** How a source asks one of its services. */
export interface ServiceContext {
  /** Base address: the user's, else the public one. Empty where neither is there, and for a source on this machine. */
  readonly endpoint: string;
  /** The source's own session: its failures are no other source's. */
  readonly session: HttpSession;
  /** The key for {@link endpoint}; undefined when none is saved or it could not be read. */
  key(): Promise<string | undefined>;
}

/** The services of a source, that of its own name first. Empty for a source on this machine. */
export function servicesOf(definition: SourceDefinition): readonly ServiceDefinition[] {
  const { endpoint, services = [] } = definition;
  return endpoint === undefined ? services : [{ ...definition, endpoint }, ...services];
}

/** What the tools of a source carry. */
export function traitsOf(definition: SourceDefinition): SourceTraits {
  return { ...definition, isLocal: servicesOf(definition).length === 0 };
}

/** Base address of a service: the user's, else the public one. Empty where there is neither. */
export function endpointOf(
  { name, endpoint }: Pick<SourceDefinition, 'name' | 'endpoint'>,
  settings: Settings,
): string {
  return endpoint === undefined ? '' : (settings[`endpoints.${name}`] ?? endpoint.default ?? '');
}

/** What an HTTP session needs to know of its service. */
export function httpServiceOf(service: Omit<ServiceDefinition, 'secret'>): HttpService {
  const { name, label, endpoint, pacing, publicHosts = [] } = service;
  const hosts = endpoint.default === undefined ? [] : [new URL(endpoint.default).hostname];
  return { name, label, publicHosts: [...hosts, ...publicHosts], ...(pacing && { pacing }) };
}
