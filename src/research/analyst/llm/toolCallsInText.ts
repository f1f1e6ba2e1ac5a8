import type { ToolCall } from '../../ports.ts';
import { parseLoose } from './looseJson.ts';

/**
 * Reads tool calls that a model wrote as text, because its server does not know tool calls or ignores them:
 * `{"tool_calls": [{"name": …, "arguments": {…}}]}`, a bare call, a list of calls, or `<tool_call>…</tool_call>` blocks. Only
 * names that were offered count. The ids are made here: `text_0`, `text_1`, …
 */
export function toolCallsInText(text: string, names: readonly string[]): ToolCall[] {
  const tagged = [...text.matchAll(/<(tool_call|function_call|tool)>([\s\S]*?)(?:<\/\1>|$)/g)].map(
    (match) => match[2] ?? '',
  );
  const values = tagged.length > 0 ? tagged.map((block) => parseLoose(block)) : [parseLoose(text)];
  return values
    .flatMap((value) => callsOf(value))
    .slice(0, maxCalls)
    .filter((call) => names.includes(call.name))
    .map((call, index) => ({ id: `text_${index}`, ...call }));
}

/** More calls than any turn makes, and deeper than any shape of them. */
const maxCalls = 128;
const maxDepth = 4;

function callsOf(
  value: unknown,
  depth = 0,
): { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.slice(0, maxCalls).flatMap((one) => callsOf(one, depth + 1));
  if (!isRecord(value)) return [];
  const list = value['tool_calls'] ?? value['calls'] ?? value['tools'];
  if (Array.isArray(list)) return callsOf(list, depth + 1);
  const called = isRecord(value['function']) ? value['function'] : value;
  const name = called['name'] ?? called['tool'] ?? called['tool_name'] ?? called['function'];
  if (typeof name !== 'string') return [];
  const args = called['arguments'] ?? called['args'] ?? called['parameters'] ?? called['input'] ?? {};
  const parsed = typeof args === 'string' ? parseLoose(args) : args;
  return [{ name, args: isRecord(parsed) ? parsed : {} }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
