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
    .flatMap(callsOf)
    .filter((call) => names.includes(call.name))
    .map((call, index) => ({ id: `text_${index}`, ...call }));
}

function callsOf(value: unknown): { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[] {
  if (Array.isArray(value)) return value.flatMap(callsOf);
  if (!isRecord(value)) return [];
  const list = value['tool_calls'] ?? value['calls'] ?? value['tools'];
  if (Array.isArray(list)) return list.flatMap(callsOf);
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
