import { isRecord } from '../../../protocol/json.ts';
import { decodeHTML } from 'entities';
import type { ToolCall, ToolSpec } from '../../ports.ts';
import { looseValues } from './looseJson.ts';

/** What is known of a tool that a text may call. */
export type Callable = Pick<ToolSpec, 'name' | 'parameters'>;

type Call = Pick<ToolCall, 'name' | 'args'>;

/** More calls than any turn makes, and deeper than any shape of them. */
const maxCalls = 128;
const maxDepth = 4;
/** Between a tool's name and its arguments, in UTF-16 units. */
const mostBetween = 120;
/** Of a text that may hold calls, in UTF-16 units. */
const longest = 200_000;

/**
 * Reads tool calls that a model wrote as text, because its server does not know tool calls or ignores them. In JSON they are objects
 * that name a tool, anywhere in the text; in any other dialect, the name of a tool with arguments behind it: an object, values in
 * parentheses, values in tags, or a line of input. Only tools that were offered count, and outside of JSON only with arguments that
 * they take, so that prose about a tool calls nothing. The ids are made here: `text_0`, `text_1`, …
 */
export function toolCallsInText(text: string, tools: readonly Callable[]): ToolCall[] {
  const names = new Set(tools.map(({ name }) => name));
  if (names.size === 0 || text.length > longest || !tools.some(({ name }) => text.includes(name))) return [];
  const inJson = looseValues(text)
    .flatMap((value) => callsOf(value, names))
    .filter(({ name }) => names.has(name));
  const calls = inJson.length > 0 ? inJson : callsByName(text, tools);
  return calls.slice(0, maxCalls).map((call, index) => ({ id: `text_${index}`, ...call }));
}

function callsOf(value: unknown, names: ReadonlySet<string>, depth = 0): Call[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.slice(0, maxCalls).flatMap((one) => callsOf(one, names, depth + 1));
  if (!isRecord(value)) return [];
  const inner = value['tool_calls'] ?? value['calls'] ?? value['tools'] ?? value['function_call'] ?? value['tool_call'];
  if (typeof inner === 'object' && inner !== null) return callsOf(inner, names, depth + 1);
  const called = isRecord(value['function']) ? value['function'] : value;
  const name = called['name'] ?? called['tool'] ?? called['tool_name'] ?? called['function'] ?? called['action'];
  if (typeof name !== 'string') {
    // {"search": {"query": …}}.
    const named = Object.entries(value).filter(([key, args]) => names.has(key) && isRecord(args));
    return named.map(([key, args]) => ({ name: key, args: args as Call['args'] }));
  }
  const args =
    called['arguments'] ?? called['args'] ?? called['parameters'] ?? called['input'] ?? called['action_input'] ?? {};
  const parsed = typeof args === 'string' ? looseValues(args)[0] : args;
  return [{ name, args: isRecord(parsed) ? parsed : {} }];
}

/** Each name of a tool with the arguments that follow it, up to the next name. */
function callsByName(text: string, tools: readonly Callable[]): Call[] {
  const alternatives = tools.map(({ name }) => name.replace(/[^\w]/g, '\\$&')).join('|');
  const found = [...text.matchAll(new RegExp(`(?<![\\w-])(?:${alternatives})(?![\\w-])`, 'g'))].slice(0, maxCalls);
  return found.flatMap(({ 0: name, index }, at) => {
    const behind = text.slice(index + name.length, found[at + 1]?.index);
    const properties = propertiesOf(tools.find((tool) => tool.name === name)!);
    const args =
      taggedArguments(behind, properties) ??
      listedArguments(behind, properties) ??
      objectArguments(behind, properties) ??
      lineOfInput(behind, properties);
    return args === undefined ? [] : [{ name, args }];
  });
}

type Properties = Readonly<Record<string, unknown>>;

function propertiesOf({ parameters }: Callable): Properties {
  return isRecord(parameters['properties']) ? parameters['properties'] : {};
}

/** `<parameter=query>…</parameter>`, `<parameter name="query">…</parameter>`, `<arg_key>query</arg_key><arg_value>…</arg_value>`. */
function taggedArguments(text: string, properties: Properties): Call['args'] | undefined {
  const tagged = text.matchAll(
    /<(?:parameter|param|arg|argument)(?:=| {1,3}name=)["']?([\w-]{1,80})["']?>([^<]*)|<arg_key>([\w-]{1,80})<\/arg_key>\s{0,20}<arg_value>([^<]*)/g,
  );
  return known(
    [...tagged].map(([, key, value, otherKey, otherValue]) => [
      key ?? otherKey!,
      decodeHTML(value ?? otherValue!).trim(),
    ]),
    properties,
  );
}

/** `(query="…", limit=5)` and, of a single value, `("…")`. */
function listedArguments(text: string, properties: Properties): Call['args'] | undefined {
  const [opening] = /^(?:\.\w{1,20})?\s{0,3}\(/.exec(text) ?? [];
  if (opening === undefined) return undefined;
  const value = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.+-]{1,40}`;
  const inside = text.slice(opening.length);
  const [alone] = new RegExp(`^\\s{0,9}(?:["'])(?:[^"'\\\\]|\\\\.)*["']`).exec(inside) ?? [];
  if (alone !== undefined) return known([[mainOf(properties), unquoted(alone.trim())]], properties);
  const pairs = [
    ...inside.matchAll(new RegExp(`([A-Za-z_]\\w{0,80})\\s{0,3}[=:]\\s{0,3}(${value})\\s{0,3}(?=[,)])`, 'g')),
  ];
  return known(
    pairs.map(([, key, written]) => [key!, unquoted(written!)]),
    properties,
  );
}

/** The first object behind the name, if the tool takes any of its fields. */
function objectArguments(text: string, properties: Properties): Call['args'] | undefined {
  const at = text.indexOf('{');
  if (at < 0 || at > mostBetween) return undefined;
  const [value] = looseValues(text.slice(at));
  return isRecord(value) ? known(Object.entries(value), properties) : undefined;
}

/** `Input: dense retrieval` on the next line. */
function lineOfInput(text: string, properties: Properties): Call['args'] | undefined {
  const [, line] = /^[^\p{L}\n]{0,9}\n[^\n:]{0,20}input: {0,3}([^\n{]{1,400})/iu.exec(text) ?? [];
  return line === undefined ? undefined : known([[mainOf(properties), unquoted(line.trim())]], properties);
}

/** The argument that a value without a name is for. */
function mainOf(properties: Properties): string {
  return 'query' in properties ? 'query' : (Object.keys(properties)[0] ?? '');
}

/** Arguments of which the tool takes some, each in the type that it has there. */
function known(given: readonly (readonly [string, unknown])[], properties: Properties): Call['args'] | undefined {
  if (!given.some(([key]) => key in properties)) return undefined;
  return Object.fromEntries(
    given.map(([key, value]) => {
      const property = properties[key];
      const isText = !isRecord(property) || property['type'] === undefined || property['type'] === 'string';
      return [key, isText || typeof value !== 'string' ? value : parsedOr(value)];
    }),
  );
}

function unquoted(written: string): string {
  const [, , inside] = /^(["'])([\s\S]*)\1$/.exec(written) ?? [];
  return inside === undefined ? written : inside.replace(/\\(["'\\])/g, '$1');
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text.toLowerCase());
  } catch {
    return text;
  }
}
