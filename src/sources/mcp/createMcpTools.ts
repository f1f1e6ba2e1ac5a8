import { ResearchError } from '../../research/errors.ts';
import { plainText } from '../../research/evidence/metadata.ts';
import { untilAborted } from '../../research/calls/waiting.ts';
import type { AllowTools, Log } from '../../research/ports.ts';
import type { ResearchTool } from '../../research/tools.ts';
import { type ListedFunction, McpServer, type McpServerSettings } from './mcpServer.ts';
import { outsideTools } from './outsideTool.ts';

/** Names of tools that one warning shows, and their length. */
const mostShown = 8;
const longestShown = 60;
const longestDescription = 200;

export interface McpTools {
  readonly tools: readonly ResearchTool[];
  /** Servers that can't be used, with the reason: a warning each. */
  readonly unavailable: readonly { readonly source: string; readonly why: string }[];
  /** Ends all servers. Never rejects. */
  close(): Promise<void>;
}

export interface McpOptions {
  readonly hint: string;
  readonly version: string;
  readonly log: Log;
  readonly taken: Set<string>;
  /** Names of servers that the user wants searched, by code too, in lower case. */
  readonly searched: readonly string[];
  readonly allowTools: AllowTools | undefined;
  /** What the tools said of themselves when they were allowed, by server and name. */
  readonly digests: {
    read(): Promise<Readonly<Record<string, string>>>;
    add(entries: Readonly<Record<string, string>>): Promise<void>;
  };
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
      const { used, off } = await allowed(name, servers[name]!.tools, functions, options, signal);
      if (off !== undefined) unavailable.push({ source: `mcpServers.${name}.tools`, why: off });
      else if (used.length === 0)
        unavailable.push({ source: name, why: `The MCP server ${name} offers no tool that may be used.` });
      const isSearched = searched.includes(name.toLowerCase());
      for (const one of outsideTools(name, used, tools.length === 0 ? hint : '', taken, isSearched)) tools.push(one);
    }
    return { tools, unavailable, close };
  } catch (error) {
    void close();
    throw error;
  }
}

/**
 * Without `named`, tools that declare to change nothing are on, and the user is asked about the others. With it, the named ones are on,
 * and the user is asked about those that describe themselves otherwise than when they were allowed.
 * @returns `off`: why tools are off that no one decided on.
 */
async function allowed(
  server: string,
  named: readonly string[] | undefined,
  functions: readonly ListedFunction[],
  { allowTools, digests }: McpOptions,
  signal: AbortSignal,
): Promise<{ readonly used: readonly ListedFunction[]; readonly off: string | undefined }> {
  const known = await digests.read();
  const keyOf = ({ name }: ListedFunction): string => `${server} ${name}`;
  const candidates = functions.filter(({ name }) => named?.includes(name) ?? true);
  const asked = candidates.filter((one) =>
    named === undefined ? !one.isReadOnly : (known[keyOf(one)] ?? one.digest) !== one.digest,
  );
  let decided = named;
  if (asked.length > 0) {
    const tools = candidates.map((one) => ({
      name: one.name,
      description: plainText(one.description, longestDescription),
      isOn: !asked.includes(one),
    }));
    decided =
      allowTools &&
      (await untilAborted(allowTools({ server, tools, haveChanged: named !== undefined }, signal), signal));
  }
  const used = candidates.filter((one) => decided?.includes(one.name) ?? !asked.includes(one));
  const learnt = (decided ?? named) ? used.filter((one) => known[keyOf(one)] !== one.digest) : [];
  if (learnt.length > 0) await digests.add(Object.fromEntries(learnt.map((one) => [keyOf(one), one.digest])));
  return {
    used,
    off: asked.length > 0 && decided === undefined ? offOf(server, asked, named !== undefined) : undefined,
  };
}

/** Named by the setting that turns them on, because the server itself can be used. */
function offOf(server: string, asked: readonly ListedFunction[], haveChanged: boolean): string {
  const shown = asked.slice(0, mostShown).map(({ name }) => plainText(name, longestShown));
  const names = `${shown.join(', ')}${asked.length > mostShown ? ', …' : ''}`;
  return haveChanged
    ? `The MCP server ${server} has tools that describe themselves otherwise than when they were allowed, and are off: ${names}. Start a run in the editor or a terminal, which asks about them again.`
    : `The MCP server ${server} has tools that don't declare to change nothing, and are off: ${names}. Name those that may be used in deepResearch.mcpServers.${server}.tools.`;
}
