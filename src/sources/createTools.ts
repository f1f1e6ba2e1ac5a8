import { withoutEnd } from '../research/text/ends.ts';
import type { Settings } from '../research/config.ts';
import type { Log, Secrets, WorkspacePort } from '../research/ports.ts';
import {
  type FoundDocument,
  outsideKind,
  type ResearchTool,
  type ToolResult,
  type WorkspaceFacts,
} from '../research/tools.ts';
import type { PoliteClient } from './http/politeClient.ts';
import { sourceDefinitions } from './registry.ts';
import { endpointOf, httpServiceOf, type SourceContext, type SourceDefinition, traitsOf } from './source.ts';

export interface CreateToolsOptions {
  readonly settings: Settings;
  /** Undefined without a folder, or where it is not trusted. */
  readonly workspace?: WorkspacePort;
  readonly facts?: WorkspaceFacts;
  readonly secrets: Secrets;
  readonly client: PoliteClient;
  readonly log: Log;
}

export interface CreatedTools {
  readonly tools: readonly ResearchTool[];
  /** Sources that were asked for and can't be used, with the reason: a warning each. */
  readonly unavailable: readonly { readonly source: string; readonly why: string }[];
}

/**
 * The tools of one run. Call it once a run: a service that can't be reached is not asked again by the same tools. What
 * `sources.include`, `sources.exclude` and `sources.since` rule out never leaves a tool.
 */
export async function createTools(
  options: CreateToolsOptions,
  definitions: readonly SourceDefinition[] = sourceDefinitions,
): Promise<CreatedTools> {
  const { settings, workspace } = options;
  const chosen = chosenSources(settings, definitions);
  const known = definitions.map(({ name }) => name).join(', ');
  const unavailable = chosen.unknown.map((source) => ({
    source,
    why: `There is no source "${source}". Known: ${known}.`,
  }));
  const tools: ResearchTool[] = [];
  for (const definition of chosen.definitions) {
    const missing = definition.missing?.({ settings, hasWorkspace: workspace !== undefined });
    if (missing === undefined) {
      const created = await definition.createTools(contextOf(definition, options));
      const traits = traitsOf(definition);
      tools.push(...created.map((tool) => filtered({ ...tool, traits }, definition, settings)));
    } else if (chosen.areNamed || missing.quiet !== true) {
      unavailable.push({ source: definition.name, why: missing.why });
    }
  }
  return { tools, unavailable };
}

/** The sources that a run would use, with the host that its queries go to; null for one on this machine. */
export function enabledSources(
  settings: Settings,
  hasWorkspace: boolean,
  definitions: readonly SourceDefinition[] = sourceDefinitions,
): readonly { readonly name: string; readonly host: string | null }[] {
  return chosenSources(settings, definitions)
    .definitions.filter((definition) => definition.missing?.({ settings, hasWorkspace }) === undefined)
    .map((definition) => {
      const endpoint = endpointOf(definition, settings);
      return { name: definition.name, host: endpoint === '' ? null : new URL(endpoint).host };
    });
}

/** How documents of each source are shown, and those of tools from outside. */
export function documentKinds(definitions: readonly SourceDefinition[] = sourceDefinitions) {
  const known = definitions.map(({ name, label, documentLabel = label, icon, pageHosts }) => ({
    name,
    label: documentLabel,
    icon,
    pageHosts,
  }));
  return [...known, { name: outsideKind, label: 'MCP tool', icon: 'plug', pageHosts: [] }];
}

/** What a source's tools are made from. */
export function contextOf(definition: SourceDefinition, options: CreateToolsOptions): SourceContext {
  const { settings, workspace, facts, secrets, client, log } = options;
  const endpoint = endpointOf(definition, settings);
  const { secret } = definition;
  let key: Promise<string | undefined> | undefined;
  return {
    settings,
    endpoint,
    session: client.session(httpServiceOf(definition)),
    key: () => {
      if (secret === undefined) return Promise.resolve(undefined);
      key ??= secrets.key(secret.service, new URL(endpoint).origin).catch((error: unknown) => {
        log.warn(
          `The ${secret.label} key could not be read: ${error instanceof Error ? error.message : 'unknown reason'}.`,
        );
        return undefined;
      });
      return key;
    },
    workspace,
    facts: settings['workspace.forModel'] === 'off' ? undefined : facts,
    log,
  };
}

/** Empty means all. */
function chosenSources(
  settings: Settings,
  definitions: readonly SourceDefinition[],
): {
  readonly definitions: readonly SourceDefinition[];
  readonly unknown: readonly string[];
  readonly areNamed: boolean;
} {
  const wanted = settings['sources.enabled'].map((name) => name.trim().toLowerCase());
  if (wanted.length === 0) return { definitions, unknown: [], areNamed: false };
  const names = new Set(definitions.map(({ name }) => name));
  return {
    definitions: definitions.filter(({ name }) => wanted.includes(name)),
    unknown: [...new Set(wanted)].filter((name) => !names.has(name)),
    areNamed: true,
  };
}

function filtered(tool: ResearchTool, definition: SourceDefinition, settings: Settings): ResearchTool {
  const include = settings['sources.include'].map(readPlace);
  const exclude = settings['sources.exclude'].map(readPlace);
  const since = settings['sources.since'];
  // The user's own files have neither a domain nor a date of publication.
  if (definition.endpoint === undefined) return tool;
  if (include.length === 0 && exclude.length === 0 && since === '') return tool;
  const passes = (document: FoundDocument): boolean => {
    if (since !== '' && document.date !== undefined && document.date < since) return false;
    if (document.url === undefined || !URL.canParse(document.url)) return include.length === 0;
    const url = new URL(document.url);
    return (
      (include.length === 0 || include.some((place) => liesIn(url, place))) &&
      !exclude.some((place) => liesIn(url, place))
    );
  };
  return {
    ...tool,
    run: async (args, context, signal): Promise<ToolResult> => {
      const result = await tool.run(args, context, signal);
      const documents = result.documents.filter(passes);
      const dropped = result.documents.length - documents.length;
      if (dropped === 0) return result;
      const left = `${dropped} results were left out: the settings exclude their site or date.`;
      return { documents, note: result.note === undefined ? left : `${result.note} ${left}` };
    },
  };
}

/** A domain as a person writes it: `arxiv.org`, `*.example.org`, `https://github.com/acme`. */
function readPlace(text: string): { readonly host: string; readonly path: string } {
  const [, host = '', path = ''] =
    /^(?:[a-z]+:\/\/)?(?:\*\.|www\.)?([^/?#:\s]*)(?::\d+)?(\/[^?#\s]*)?/i.exec(text.trim()) ?? [];
  return { host: host.toLowerCase(), path: withoutEnd(path.toLowerCase(), '/') };
}

function liesIn(url: URL, { host, path }: { readonly host: string; readonly path: string }): boolean {
  const own = url.hostname.toLowerCase();
  const ownPath = url.pathname.toLowerCase();
  return (
    host !== '' &&
    (own === host || own.endsWith(`.${host}`)) &&
    (path === '' || ownPath === path || ownPath.startsWith(`${path}/`))
  );
}
