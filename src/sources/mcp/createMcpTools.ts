import { ResearchError } from '../../research/errors.ts';
import type { Log } from '../../research/ports.ts';
import type { ResearchTool } from '../../research/tools.ts';
import { type AllowedOptions, allowedTools } from './allowedTools.ts';
import { McpServer, type McpServerSettings } from './mcpServer.ts';
import { type OutsideFunction, outsideTools } from './outsideTool.ts';

export interface McpTools {
  readonly tools: readonly ResearchTool[];
  /** Servers that can't be used, with the reason: a warning each. */
  readonly unavailable: readonly { readonly source: string; readonly why: string }[];
  /** Ends all servers. Never rejects. */
  close(): Promise<void>;
}

export interface McpOptions extends AllowedOptions {
  readonly hint: string;
  readonly version: string;
  readonly log: Log;
  readonly taken: Set<string>;
  /** Names of servers that the user wants searched, by code too, in lower case. */
  readonly searched: readonly string[];
}

/**
 * The tools of all servers, which start at the same time. One that does not start within 10 s is left out of the run, with a
 * warning. Rejects only when aborted.
 */
export async function createMcpTools(
  servers: Readonly<Record<string, McpServerSettings>>,
  options: McpOptions,
  signal: AbortSignal,
): Promise<McpTools> {
  const { hint, version, log, taken, searched } = options;
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
      const { name } = started[index]!;
      if (ResearchError.is(functions)) {
        unavailable.push({ source: name, why: functions.message });
        continue;
      }
      const { used, off } = await allowedTools(name, servers[name]!.tools, functions, options, signal);
      if (off !== undefined) unavailable.push({ source: `mcpServers.${name}.tools`, why: off });
      else if (used.length === 0)
        unavailable.push({ source: name, why: `The MCP server ${name} offers no tool that may be used.` });
      const isSource = searched.includes(name.toLowerCase());
      const { searches = [] } = servers[name]!;
      // That a model may call a tool makes no search of it.
      const isSearch = (one: OutsideFunction): boolean => (isSource && one.isReadOnly) || searches.includes(one.name);
      for (const one of outsideTools(name, used, tools.length === 0 ? hint : '', taken, isSearch)) tools.push(one);
    }
    return { tools, unavailable, close };
  } catch (error) {
    void close();
    throw error;
  }
}
