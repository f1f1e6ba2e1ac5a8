import type { ChatMessage, ChatRequest, ToolSpec } from '../research/ports.ts';

/**
 * The same request for a server without tool calls: the tools are listed in the prompt, earlier calls and their answers become
 * text, and the model is asked to write its calls as JSON.
 */
export function withoutTools(request: ChatRequest): ChatRequest {
  const { tools = [], messages, ...rest } = request;
  const flat = flatten(messages);
  if (tools.length === 0) return { ...rest, messages: flat };
  const instructions: ChatMessage = { role: 'system', content: protocol(tools) };
  const afterSystem = flat.findIndex((message) => message.role !== 'system');
  const at = afterSystem < 0 ? flat.length : afterSystem;
  return { ...rest, messages: joinSystem([...flat.slice(0, at), instructions, ...flat.slice(at)]) };
}

function protocol(tools: readonly ToolSpec[]): string {
  const list = tools
    .map((tool) => JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters }))
    .join('\n');
  return [
    'Tools are called by text here. To call one or several of them, answer with one JSON object and nothing else:',
    '{"tool_calls": [{"name": "tool name", "arguments": {}}]}',
    `The tools, with the JSON schema of their arguments:\n${list}`,
  ].join('\n\n');
}

function flatten(messages: readonly ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  const flat: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      const calls = message.toolCalls ?? [];
      for (const call of calls) names.set(call.id, call.name);
      const written =
        calls.length === 0
          ? ''
          : JSON.stringify({ tool_calls: calls.map((call) => ({ name: call.name, arguments: call.args })) });
      flat.push({
        role: 'assistant',
        content: [message.content, written].filter((part) => part !== '').join('\n') || '…',
      });
    } else if (message.role === 'tool') {
      const answer = `Answer of ${names.get(message.callId) ?? 'the tool'}:\n${message.content}`;
      const before = flat.at(-1);
      // All answers of a turn are in one message.
      if (before?.role === 'user') flat[flat.length - 1] = { role: 'user', content: `${before.content}\n\n${answer}` };
      else flat.push({ role: 'user', content: answer });
    } else {
      flat.push(message);
    }
  }
  return flat;
}

function joinSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  return [{ role: 'system', content: system.join('\n\n') }, ...messages.filter((message) => message.role !== 'system')];
}
