import type { Json } from '../../research/text/json.ts';
import type { Asking } from '../http/dialect.ts';

/** How `model.enableThinking` is put to a server with OpenAI's API, by the field that it knows ({@link Capabilities.thinkingField}). */
export function thinkingFields({ think, can, request }: Asking): Json {
  switch (can.thinkingField) {
    // DashScope has no JSON mode while it thinks.
    case 'enable_thinking':
      return { enable_thinking: think && request.json === undefined };
    case 'thinking':
      return { thinking: { type: think ? 'enabled' : 'disabled' } };
    case 'reasoning':
      return { reasoning: { enabled: think } };
    // The rest have a default of their own, which stands unless thinking is wanted.
    case 'reasoning_effort':
      return think && !(can.effortNone && request.tools) ? { reasoning_effort: 'medium' } : {};
    case 'chat_template_kwargs':
      return think ? { chat_template_kwargs: { enable_thinking: true } } : {};
    default:
      return {};
  }
}
