import { withoutEnd } from '../research/text/ends.ts';
import type { DeclaredSettings, EndpointSetting, Settings } from '../research/config.ts';
import type { Log, WorkspacePort } from '../research/ports.ts';
import type { ResearchTool, SourceTraits, WorkspaceFacts } from '../research/tools.ts';
import type { Pacing } from './http/limits.ts';
import type { HttpService, HttpSession } from './http/politeClient.ts';

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
  /** Absent for a source on this machine. */
  readonly endpoint?: EndpointDefinition;
  /** Hosts of its documents' pages. A page elsewhere is shown with its host. */
  readonly pageHosts: readonly string[];
  /** How the public service asks to be treated. An endpoint that the user set is paced by its answers alone. */
  readonly pacing?: Pacing;
  /** Further hosts of the public service, beside that of the default endpoint. */
  readonly publicHosts?: readonly string[];
  readonly secret?: SourceSecret;
  /** Further settings, by key without prefix (`sources.NAME.…`). */
  readonly settings?: DeclaredSettings;
  /** Why the source can't be used in this run; undefined when it can. */
  missing?(run: MissingInput): Missing | undefined;
  /**
   * Called once a run. Their `source` is {@link name}, which is also the `kind` of their documents. Libraries of some size
   * are loaded here or on a tool's first call, by `import()`.
   */
  createTools(context: SourceContext): readonly ResearchTool[] | Promise<readonly ResearchTool[]>;
}

export interface EndpointDefinition {
  readonly setting: EndpointSetting;
  /** Public base address, without the documented path. */
  readonly default: string;
  /** Markdown, one sentence: text of the setting. */
  readonly description: string;
}

/** A key that the source works better with, or only with. */
export interface SourceSecret {
  /** In the secret storage: `deepResearch.key.SERVICE`. */
  readonly service: string;
  readonly label: string;
  /** What the key is good for, in one sentence. */
  readonly hint: string;
  /** Environment variables of the command line, first match wins. */
  readonly environment: readonly string[];
  /** An account of the editor that can stand in for a key at the public endpoint. */
  readonly signIn?: { readonly provider: string; readonly scopes: readonly string[] };
}

export interface MissingInput {
  readonly settings: Settings;
  /** A folder is open and may be read. */
  readonly hasWorkspace: boolean;
}

export interface Missing {
  readonly why: string;
  /** Reported only to a user who named the source in `sources.enabled`. */
  readonly quiet?: boolean;
}

/** What the tools of a source are made from, once a run. */
export interface SourceContext {
  readonly settings: Settings;
  /** Base address: the user's, else the public one. Empty for a source on this machine. */
  readonly endpoint: string;
  /** The source's own session: its failures are no other source's. */
  readonly session: HttpSession;
  /** The key for {@link endpoint}; undefined when none is saved or it could not be read. */
  key(): Promise<string | undefined>;
  /** Undefined without a folder, or where it may not be read. */
  readonly workspace: WorkspacePort | undefined;
  /** Undefined without a workspace, and when a model may see nothing of it. */
  readonly facts: WorkspaceFacts | undefined;
  readonly log: Log;
}

/** What the tools of a source carry. */
export function traitsOf({ label, endpoint, goodFor, lookUpOrder, fitQuery, open }: SourceDefinition): SourceTraits {
  return {
    label,
    isLocal: endpoint === undefined,
    goodFor,
    ...(lookUpOrder === undefined ? {} : { lookUpOrder }),
    ...(fitQuery === undefined ? {} : { fitQuery }),
    ...(open === undefined ? {} : { open }),
  };
}

/** Base address of a source's service: the user's, else the public one. Empty for a source on this machine. */
export function endpointOf({ endpoint }: SourceDefinition, settings: Settings): string {
  return endpoint === undefined ? '' : (settings[endpoint.setting] ?? endpoint.default);
}

/** What a source's HTTP session needs to know of it. */
export function httpServiceOf({ name, label, endpoint, pacing, publicHosts = [] }: SourceDefinition): HttpService {
  const hosts = endpoint === undefined ? [] : [new URL(endpoint.default).hostname];
  return { name, label, publicHosts: [...hosts, ...publicHosts], ...(pacing && { pacing }) };
}

/** An endpoint's base and the documented path: a prefix in the base (`https://host/api/v3`) is kept. */
export function endpointUrl(base: string, path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `${withoutEnd(base, '/')}${path}${query === '' ? '' : `?${query}`}`;
}
