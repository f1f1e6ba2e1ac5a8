import type { ChatMessage, ChatRequest, ToolSpec } from '../research/ports.ts';

/**
 * The same request for a server without tool calls: the tools stand in the prompt, earlier calls and their answers become
 * text, and the model is asked to write its calls as JSON.
 */
export function withoutTools(request: ChatRequest): ChatRequest {
  const { tools = [], messages, ...rest } = request;
  const told = flatten(messages);
  if (tools.length === 0) return { ...rest, messages: told };
  const instructions: ChatMessage = { role: 'system', content: protocol(tools) };
  const afterSystem = told.findIndex((message) => message.role !== 'system');
  const at = afterSystem < 0 ? told.length : afterSystem;
  return { ...rest, messages: joinSystem([...told.slice(0, at), instructions, ...told.slice(at)]) };
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
  const told: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      const calls = message.toolCalls ?? [];
      for (const call of calls) names.set(call.id, call.name);
      const written =
        calls.length === 0
          ? ''
          : JSON.stringify({ tool_calls: calls.map((call) => ({ name: call.name, arguments: call.args })) });
      told.push({
        role: 'assistant',
        content: [message.content, written].filter((part) => part !== '').join('\n') || '…',
      });
    } else if (message.role === 'tool') {
      const answer = `Answer of ${names.get(message.callId) ?? 'the tool'}:\n${message.content}`;
      const before = told.at(-1);
      // All answers of a turn stand in one message.
      if (before?.role === 'user') told[told.length - 1] = { role: 'user', content: `${before.content}\n\n${answer}` };
      else told.push({ role: 'user', content: answer });
    } else {
      told.push(message);
    }
  }
  return told;
}

function joinSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  return [{ role: 'system', content: system.join('\n\n') }, ...messages.filter((message) => message.role !== 'system')];
}
