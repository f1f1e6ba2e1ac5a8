import type { Settings } from '../../research/settings/config.ts';
import type { EditorTool, Log } from '../../research/ports.ts';
import { sha256 } from '../../research/text/digest.ts';
import type { ResearchTool } from '../../research/tools.ts';
import type { McpOptions, McpTools } from './createMcpTools.ts';

export interface OutsideOptions extends Pick<McpOptions, 'allowTools' | 'digests'> {
  readonly settings: Settings;
  readonly editorTools: readonly EditorTool[];
  readonly version: string;
  readonly log: Log;
  /** Tools of the sources, whose names are taken. */
  readonly others: readonly ResearchTool[];
}

const editor = 'editor';
/** Of the researcher itself. */
const ownNames = ['think', 'read_more', 'research_complete'];

const namedSources = (settings: Settings): string[] =>
  settings['sources.enabled'].map((name) => name.trim().toLowerCase());

/** The MCP servers that a run uses: those that `sources.enabled` names, or all. */
export function enabledServers(settings: Settings): Settings['mcpServers'] {
  const wanted = namedSources(settings);
  const entries = Object.entries(settings.mcpServers);
  return Object.fromEntries(entries.filter(([name]) => wanted.length === 0 || wanted.includes(name.toLowerCase())));
}

/** The tools of MCP servers and of the editor. Rejects only when aborted. */
export async function createOutsideTools(options: OutsideOptions, signal: AbortSignal): Promise<McpTools> {
  const { settings, editorTools, version, log, others, allowTools, digests } = options;
  const servers = enabledServers(settings);
  const none: McpTools = { tools: [], unavailable: [], close: () => Promise.resolve() };
  const taken = new Set([...ownNames, ...others.map(({ name }) => name.toLowerCase())]);
  const hint = settings.mcpPrompt;
  let ofServers = none;
  if (Object.keys(servers).length > 0) {
    const { createMcpTools } = await import('./createMcpTools.ts');
    const searched = namedSources(settings);
    ofServers = await createMcpTools(servers, { hint, version, log, taken, searched, allowTools, digests }, signal);
  }
  if (editorTools.length === 0) return ofServers;
  const [{ outsideTools }, { allowedTools }] = await Promise.all([
    import('./outsideTool.ts'),
    import('./allowedTools.ts'),
  ]);
  const functions = editorTools.map((tool) => ({
    ...tool,
    // No declaration says that a tool of the editor changes nothing.
    isReadOnly: false,
    digest: sha256(JSON.stringify([tool.description, tool.inputSchema])),
  }));
  const picked = functions.map(({ name }) => name);
  const { used, off } = await allowedTools(undefined, picked, functions, { allowTools, digests }, signal);
  const tools = outsideTools(editor, used, ofServers.tools.length === 0 ? hint : '', taken, () => false);
  const unavailable = off === undefined ? [] : [{ source: editor, why: off }];
  return {
    ...ofServers,
    tools: [...ofServers.tools, ...tools],
    unavailable: [...ofServers.unavailable, ...unavailable],
  };
}
