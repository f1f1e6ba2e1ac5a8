import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** How an agent's program starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The name of the server, of the skill and of the skill's folder. */
export const agentName = 'deep-research';

/**
 * A configuration of MCP servers with ours added; every character that is there stays. The text as it is where a server of our name is
 * there already. Undefined: the text is no JSON object, or its `mcpServers` is none.
 */
export function withServer(text: string, server: ServerCommand): string | undefined {
  const source = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const tree = parseTree(source, errors, { allowTrailingComma: true });
  if (errors.length > 0 || tree?.type !== 'object') return undefined;
  const servers = findNodeAtLocation(tree, ['mcpServers']);
  if (servers !== undefined && servers.type !== 'object') return undefined;
  if (servers !== undefined && findNodeAtLocation(servers, [agentName])) return text;
  return servers
    ? withProperty(source, servers, 2, agentName, server)
    : withProperty(source, tree, 1, 'mcpServers', { [agentName]: server });
}

/** @param depth Of the property, for its indentation. */
function withProperty(
  source: string,
  { offset, children = [] }: Node,
  depth: number,
  name: string,
  value: object,
): string {
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const indent = /^([ \t]+)"/m.exec(source)?.[1] ?? '  ';
  const property = `"${name}": ${JSON.stringify(value, undefined, indent)}`.replaceAll(
    '\n',
    eol + indent.repeat(depth),
  );
  const last = children.at(-1);
  const at = last === undefined ? offset + 1 : last.offset + last.length;
  const added = `${last === undefined ? '' : ','}${eol}${indent.repeat(depth)}${property}`;
  const end = last === undefined ? eol + indent.repeat(depth - 1) : '';
  return source.slice(0, at) + added + end + source.slice(at);
}

/** The same as TOML, whose basic strings are written as those of JSON. */
export function tomlServer({ command, args, env = {} }: ServerCommand): string {
  const table = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [
    `[mcp_servers.${agentName}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
    ...(table.length > 0 ? [`env = { ${table.join(', ')} }`] : []),
    '',
  ].join('\n');
}
