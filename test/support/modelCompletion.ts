import { answerLikeAModel, type Imitation } from './modelAnswers.ts';
import type { ParsedRequest } from './modelRequest.ts';
import type { ModelOverride, Plainness } from './modelServer.ts';

/** What the imitated model says to one request, before it is put into the shapes of the wire. */
export interface Completion {
  readonly model: string;
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly finish: string | null;
  readonly usage: unknown;
}

export function complete(
  request: ParsedRequest,
  override: ModelOverride,
  imitation: Imitation,
  plain: ReadonlySet<Plainness>,
  log: readonly ParsedRequest[],
): Completion {
  const replaced = override.text !== undefined || override.json !== undefined || override.toolCalls !== undefined;
  const own = replaced ? { text: '', toolCalls: [] } : answerLikeAModel(request, imitation, log);
  let text = override.text ?? (override.json === undefined ? own.text : JSON.stringify(override.json));
  if (!replaced && request.structured) {
    const asked = request.messages.some((message) => message.role === 'assistant');
    if (plain.has('proseFirst') && !asked)
      text = 'Certainly! Here is what I think about your request, in a few friendly words and without any braces.';
    else if (plain.has('fenced'))
      text = `Sure, here is the JSON:\n\n\`\`\`json\n${text}\n\`\`\`\n\nLet me know if you need anything else.`;
  }
  const toolCalls = (override.toolCalls ?? own.toolCalls).map((call, index) => ({
    id: call.id ?? `call_${request.index}_${index}`,
    name: call.name,
    args: typeof call.args === 'string' ? call.args : JSON.stringify(call.args),
  }));
  const reasoning = override.reasoning ?? (plain.has('reasoning') ? 'Let me think about this step by step.' : '');
  const tokensOut = Math.ceil((text.length + reasoning.length + JSON.stringify(toolCalls).length) / 4);
  return {
    model: request.model,
    text,
    reasoning,
    toolCalls,
    finish: override.finish === undefined ? (toolCalls.length > 0 ? 'tool_calls' : 'stop') : override.finish,
    usage:
      override.usage !== undefined
        ? override.usage
        : plain.has('noUsage') || (request.stream && !request.wantsUsage)
          ? undefined
          : {
              prompt_tokens: request.promptTokens,
              completion_tokens: tokensOut,
              total_tokens: request.promptTokens + tokensOut,
              prompt_tokens_details: { cached_tokens: 0 },
            },
  };
}

export function wholeCompletion(completion: Completion): unknown {
  return {
    id: 'chatcmpl-imitation',
    object: 'chat.completion',
    created: 0,
    model: completion.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: completion.text,
          ...(completion.reasoning && { reasoning_content: completion.reasoning }),
          ...(completion.toolCalls.length > 0 && {
            tool_calls: completion.toolCalls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: call.args },
            })),
          }),
        },
        finish_reason: completion.finish,
      },
    ],
    ...(completion.usage !== undefined && { usage: completion.usage }),
  };
}

/** The chunks of a stream, the last one being `[DONE]`. */
export function streamEvents(completion: Completion, pieceLength: number): unknown[] {
  const chunk = (delta: unknown, finish: string | null = null) => ({
    id: 'chatcmpl-imitation',
    object: 'chat.completion.chunk',
    created: 0,
    model: completion.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const pieces = (text: string) =>
    [...text.matchAll(new RegExp(`[^]{1,${pieceLength}}`, 'gu'))].map((match) => match[0]);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(completion.reasoning).map((text) => chunk({ reasoning_content: text })),
    ...pieces(completion.text).map((text) => chunk({ content: text })),
    ...completion.toolCalls.flatMap((call, index) => [
      chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }),
      ...pieces(call.args).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
    ...(completion.finish === null ? [] : [chunk({}, completion.finish)]),
    ...(completion.usage === undefined ? [] : [{ ...chunk({}), choices: [], usage: completion.usage }]),
    '[DONE]',
  ];
}

/** What a plain server says to a request that asks for too much; undefined when it takes it. */
export function refuse(
  request: ParsedRequest,
  plain: ReadonlySet<Plainness>,
): { readonly message: string; readonly param: string } | undefined {
  const format = request.responseFormat;
  if (format !== undefined && plain.has('noResponseFormat'))
    return { message: "Unrecognized request argument supplied: 'response_format'.", param: 'response_format' };
  if (format === 'json_schema' && plain.has('noJsonSchema'))
    return { message: "response_format type 'json_schema' is not supported by this model.", param: 'response_format' };
  if (format === 'json_object' && plain.has('noJsonObject'))
    return { message: "'response_format.type' must be 'json_schema' or 'text'", param: 'response_format' };
  if (format === 'json_object' && !/json/i.test(JSON.stringify(request.messages))) {
    return {
      message: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      param: 'messages',
    };
  }
  if (request.tools.length > 0 && plain.has('noTools'))
    return { message: 'This model does not support tools.', param: 'tools' };
  if (request.wantsUsage && plain.has('noStreamOptions'))
    return { message: "Unrecognized request argument supplied: 'stream_options'.", param: 'stream_options' };
  if ('seed' in request.body && plain.has('noSeed'))
    return { message: "Unrecognized request argument supplied: 'seed'.", param: 'seed' };
  if (plain.has('noSystemRole') && request.messages.some((message) => message.role === 'system')) {
    return {
      message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      param: 'messages[0].role',
    };
  }
  if (plain.has('maxCompletionTokens') && 'max_tokens' in request.body) {
    return {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
    };
  }
  return undefined;
}
