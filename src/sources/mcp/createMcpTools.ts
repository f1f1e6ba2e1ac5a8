import { ResearchError } from '../../research/errors.ts';
import { plainText } from '../../research/evidence/metadata.ts';
import type { Log } from '../../research/ports.ts';
import type { ResearchTool } from '../../research/tools.ts';
import { McpServer, type McpServerSettings } from './mcpServer.ts';
import { outsideTools } from './outsideTool.ts';

/** Names of tools that one warning shows, and their length. */
const mostShown = 8;
const longestShown = 60;

export interface McpTools {
  readonly tools: readonly ResearchTool[];
  /** Servers that can't be used, with the reason: a warning each. */
  readonly unavailable: readonly { readonly source: string; readonly why: string }[];
  /** Ends all servers. Never rejects. */
  close(): Promise<void>;
}

/**
 * The tools of all servers, which start at the same time. One that does not start within 10 s is left out of the run, with a
 * warning. Rejects only when aborted.
 */
export async function createMcpTools(
  servers: Readonly<Record<string, McpServerSettings>>,
  options: { readonly hint: string; readonly version: string; readonly log: Log; readonly taken: Set<string> },
  signal: AbortSignal,
): Promise<McpTools> {
  const { hint, version, log, taken } = options;
  const started = Object.entries(servers).map(([name, server]) => new McpServer(name, server, version, log));
  const close = async (): Promise<void> => void (await Promise.all(started.map((server) => server.close())));
  try {
    const listed = await Promise.all(
      started.map((server) =>
        server.functions(signal).catch((error: unknown) => {
          signal.throwIfAborted();
          return ResearchError.from(error);
        }),
      ),
    );
    const tools: ResearchTool[] = [];
    const unavailable: { source: string; why: string }[] = [];
    for (const [index, functions] of listed.entries()) {
      const { name, undeclared } = started[index]!;
      if (undeclared.length > 0) unavailable.push(offOf(name, undeclared));
      if (ResearchError.is(functions)) unavailable.push({ source: name, why: functions.message });
      else if (functions.length === 0 && undeclared.length === 0)
        unavailable.push({ source: name, why: `The MCP server ${name} offers no tool that may be used.` });
      else for (const one of outsideTools(name, functions, tools.length === 0 ? hint : '', taken)) tools.push(one);
    }
    return { tools, unavailable, close };
  } catch (error) {
    void close();
    throw error;
  }
}

/** Named by the setting that turns them on, because the server itself can be used. */
function offOf(server: string, tools: readonly string[]): McpTools['unavailable'][number] {
  const shown = tools.slice(0, mostShown).map((tool) => plainText(tool, longestShown));
  const names = `${shown.join(', ')}${tools.length > mostShown ? ', …' : ''}`;
  const setting = `mcpServers.${server}.tools`;
  return {
    source: setting,
    why: `The MCP server ${server} has tools that don't declare to change nothing, and are off: ${names}. Name those that may be used in deepResearch.${setting}.`,
  };
}
