import type { Settings } from '../research/config.ts';
import type { Log, Secrets, WorkspacePort } from '../research/ports.ts';
import type { FoundDocument, ResearchTool, ToolResult, WorkspaceFacts } from '../research/tools.ts';
import { createArxivTools } from './arxiv.ts';
import { createGithubTools } from './github.ts';
import type { PoliteClient } from './http/politeClient.ts';
import type { SourceContext } from './sourceContext.ts';
import { createWorkspaceTools } from './workspace.ts';

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
  /** Sources that were asked for and can't be had, with the reason: a warning each. */
  readonly unavailable: readonly { readonly source: string; readonly why: string }[];
}

/** All sources of this version, in the order in which they are offered. */
export const sourceNames = ['workspace', 'arxiv', 'github'] as const;
export type SourceName = (typeof sourceNames)[number];

/**
 * The tools of one run. Call it once a run: a host that can't be reached is not asked again by the same tools. What
 * `sources.include`, `sources.exclude` and `sources.since` rule out never leaves a tool.
 */
export function createTools(options: CreateToolsOptions): CreatedTools {
  const { settings, workspace, secrets, client, log } = options;
  const forModel = settings['workspace.forModel'];
  const context: SourceContext = {
    settings,
    session: client.session(),
    secrets,
    log,
    facts: forModel === 'off' ? undefined : options.facts,
  };
  const tools: ResearchTool[] = [];
  const unavailable: { readonly source: string; readonly why: string }[] = [];
  const chosen = chosenSources(settings);
  for (const name of chosen.unknown)
    unavailable.push({ source: name, why: `There is no source "${name}". Known: ${sourceNames.join(', ')}.` });
  for (const name of chosen.names) {
    if (name === 'arxiv') tools.push(...createArxivTools(context));
    if (name === 'github') tools.push(...createGithubTools(context));
    if (name !== 'workspace') continue;
    if (workspace !== undefined && forModel === 'content') {
      tools.push(...createWorkspaceTools(workspace));
    } else if (workspace !== undefined) {
      unavailable.push({
        source: name,
        why: `The setting "deepResearch.workspace.forModel" is ${forModel}: the files are not read.`,
      });
    } else if (chosen.explicit) {
      unavailable.push({ source: name, why: 'No folder is open that may be read.' });
    }
  }
  return { tools: tools.map((tool) => filtered(tool, settings)), unavailable };
}

/** The sources that a run would use, with the host that its queries go to; null for the workspace. */
export function enabledSources(
  settings: Settings,
  hasWorkspace: boolean,
): readonly { readonly name: SourceName; readonly host: string | null }[] {
  const hosts: Readonly<Record<SourceName, string | null>> = {
    workspace: null,
    arxiv: new URL(settings['endpoints.arxiv']).host,
    github: new URL(settings['endpoints.github']).host,
  };
  return chosenSources(settings)
    .names.filter((name) => name !== 'workspace' || (hasWorkspace && settings['workspace.forModel'] === 'content'))
    .map((name) => ({ name, host: hosts[name] }));
}

/** Empty means all. */
function chosenSources(settings: Settings): {
  readonly names: readonly SourceName[];
  readonly unknown: readonly string[];
  readonly explicit: boolean;
} {
  const wanted = settings['sources.enabled'].map((name) => name.trim().toLowerCase());
  if (wanted.length === 0) return { names: sourceNames, unknown: [], explicit: false };
  return {
    names: sourceNames.filter((name) => wanted.includes(name)),
    unknown: [...new Set(wanted)].filter((name) => !(sourceNames as readonly string[]).includes(name)),
    explicit: true,
  };
}

function filtered(tool: ResearchTool, settings: Settings): ResearchTool {
  const include = settings['sources.include'].map(readPlace);
  const exclude = settings['sources.exclude'].map(readPlace);
  const since = settings['sources.since'];
  if (include.length === 0 && exclude.length === 0 && since === '') return tool;
  const passes = (document: FoundDocument): boolean => {
    // The user's own files have neither a domain nor a date of publication.
    if (document.kind === 'workspace') return true;
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
  return { host: host.toLowerCase(), path: path.toLowerCase().replace(/\/+$/, '') };
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
