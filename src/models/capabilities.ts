import type { Failure } from './failure.ts';
import { contextTokensIn } from './errorFigures.ts';

/** What a server and model accept, as far as it is known. It starts with the most and is learned from refusals. */
export interface Capabilities {
  /** Which of its interfaces serves this model. */
  readonly api: 'standard' | 'responses';
  /** `tool`: a single tool that must be called, with the schema as its arguments. */
  readonly jsonFormat: 'tool' | 'schema' | 'object' | 'none';
  /** The model sees the schema of a response format; elsewhere a grammar alone is made of it. */
  readonly showsSchema: boolean;
  /** `stream_options.include_usage` is understood. */
  readonly streamOptions: boolean;
  readonly stream: boolean;
  readonly limitField: 'max_completion_tokens' | 'max_tokens' | 'none';
  /** The greatest limit of an answer that the server takes, in tokens. */
  readonly maxAnswerTokens: number | undefined;
  readonly temperature: boolean;
  readonly seed: boolean;
  /** The model thinks before it answers, asked for or not: the limit of an answer must leave room for it. */
  readonly thinks: boolean;
  /** The field that turns thinking on and off; `none`: it has none that is known. */
  readonly thinkingField:
    | 'enable_thinking'
    | 'thinking'
    | 'reasoning'
    | 'reasoning_effort'
    | 'chat_template_kwargs'
    | 'adaptive'
    | 'budget'
    | 'none';
  readonly systemRole: 'system' | 'developer' | 'user';
  readonly tools: boolean;
  /** A tool was called through the API. Before that, calls in the text mean that the server drops the tools, or the model can't call any. */
  readonly calledTools: boolean;
  /** Tools are taken only together with `reasoning_effort: "none"` (OpenAI's newer reasoning models). */
  readonly effortNone: boolean;
  /** Reasoning text of earlier tool turns: back when it was given, always (with a blank where it is lost), or never. */
  readonly reasoningBack: 'given' | 'always' | 'never';
  /** It says why an answer ended; undefined: not known yet. */
  readonly namesFinish: boolean | undefined;
  /** The model begins inside its reasoning and only closes it (`</think>`), because its template opens it. */
  readonly opensThinking: boolean;
  /** From an error text or a list of models, in tokens. */
  readonly contextTokens: number | undefined;
}

/** What is assumed of a server and model of which nothing is known. */
export const initialCapabilities: Capabilities = {
  api: 'standard',
  jsonFormat: 'schema',
  showsSchema: false,
  streamOptions: true,
  stream: true,
  limitField: 'max_tokens',
  maxAnswerTokens: undefined,
  temperature: true,
  seed: true,
  thinks: false,
  thinkingField: 'none',
  systemRole: 'system',
  tools: true,
  calledTools: false,
  effortNone: false,
  reasoningBack: 'given',
  namesFinish: undefined,
  opensThinking: false,
  contextTokens: undefined,
};

/** What was learned, by base URL and model. It lasts as long as the process, so that each refusal is met once. */
export class CapabilityMemory {
  readonly #learned = new Map<string, Capabilities>();
  readonly #known: (baseUrl: string, model: string) => Partial<Capabilities>;

  /** @param known What a provider knows of its models in advance. */
  constructor(known: (baseUrl: string, model: string) => Partial<Capabilities> = () => ({})) {
    this.#known = known;
  }

  get(baseUrl: string, model: string): Capabilities {
    return this.#learned.get(keyOf(baseUrl, model)) ?? { ...initialCapabilities, ...this.#known(baseUrl, model) };
  }

  learn(baseUrl: string, model: string, change: Partial<Capabilities>): Capabilities {
    const learned = { ...this.get(baseUrl, model), ...change };
    this.#learned.set(keyOf(baseUrl, model), learned);
    return learned;
  }
}

const keyOf = (baseUrl: string, model: string) => `${baseUrl}\n${model}`;

/** What the request that was refused had asked for. */
export interface Asked {
  readonly json: boolean;
  readonly tools: boolean;
  readonly limit: boolean;
  readonly temperature: boolean;
  readonly seed: boolean;
  readonly system: boolean;
  /** Some earlier turn of the conversation has tool calls. */
  readonly toolTurns: boolean;
}

/**
 * What a refusal teaches: the next weaker way to ask, for the parameter that it names. Undefined when it names none that can
 * be asked differently, so that the refusal is final. Each step only ever weakens, which bounds the number of resends.
 */
export function downgrade(failure: Failure, used: Capabilities, asked: Asked): Partial<Capabilities> | undefined {
  const { status } = failure;
  const text = failure.body;
  // Some gateways answer 404 or 500 to a parameter that they can't serve; the wording decides there.
  if (![400, 404, 405, 415, 422, 500, 501].includes(status) && !failure.inStream) return undefined;
  if (/reasoning_content/.test(text) && asked.toolTurns) {
    if (/missing|must|required/i.test(text))
      return used.reasoningBack === 'always' ? undefined : { reasoningBack: 'always' };
    return used.reasoningBack === 'never' ? undefined : { reasoningBack: 'never' };
  }
  const thinking = thinkingChange(text, used);
  if (thinking !== undefined) return thinking;
  if (asked.tools && !used.effortNone && /reasoning_effort/.test(text)) return { effortNone: true };
  if (used.effortNone && /reasoning_effort/.test(text)) return { effortNone: false, tools: false };
  if (used.api === 'standard' && namesResponsesApi.test(text)) return { api: 'responses' };
  const limit = limitChange(text, used, asked);
  if (limit !== undefined) return limit;
  if (asked.json && used.jsonFormat === 'tool' && /tool_choice|\btools?\b/i.test(text)) return { jsonFormat: 'schema' };
  if (asked.temperature && used.temperature && namesTemperature.test(text)) return { temperature: false };
  if (asked.json && used.jsonFormat !== 'none' && namesJson.test(text)) {
    return {
      jsonFormat:
        used.jsonFormat === 'schema' && !/response_format' ?(?:is )?(?:unknown|not supported)|Unrecognized/i.test(text)
          ? 'object'
          : 'none',
    };
  }
  if (asked.seed && used.seed && namesSeed.test(text)) return { seed: false };
  if (used.streamOptions && /stream_options|include_usage/i.test(text)) return { streamOptions: false };
  if (asked.tools && used.tools && namesTools.test(text)) return { tools: false };
  if (used.systemRole !== 'user' && asked.system && namesSystemRole.test(text)) return { systemRole: 'user' };
  if ((asked.tools || asked.toolTurns) && used.tools && namesTemplate.test(text)) return { tools: false };
  return used.stream && namesStream.test(text) ? { stream: false } : undefined;
}

/** Some of OpenAI's models answer over one of its interfaces alone. */
const namesResponsesApi = /v1\/responses|responses api/i;

/** The parameter, not a model that bears the word in its name ("doubao-seed-1-6"). */
const namesSeed = /(?<![\w-])seed(?![\w-])/i;

/** A weaker way to ask for thinking; that it can't be turned off means that the model thinks anyway. */
function thinkingChange(text: string, used: Capabilities): Partial<Capabilities> | undefined {
  switch (used.thinkingField) {
    case 'none':
      return undefined;
    case 'adaptive':
      return /thinking/i.test(text) ? { thinkingField: 'budget' } : undefined;
    case 'budget':
      return /thinking/i.test(text) ? { thinkingField: 'none' } : undefined;
    case 'reasoning_effort':
      // With tools the effort must be "none" on some models: that is another lesson.
      return /reasoning_effort/.test(text) && !/tool/i.test(text) ? { thinkingField: 'none' } : undefined;
    case 'chat_template_kwargs':
      return text.includes('chat_template_kwargs') ? { thinkingField: 'none' } : undefined;
    default:
      if (!/enable_thinking|\bthinking\b|\breasoning\b/i.test(text) || /reasoning_content/.test(text)) return undefined;
      return {
        thinkingField: 'none',
        ...(/restricted to true|mandatory|must be enabled|always/i.test(text) && { thinks: true }),
      };
  }
}

function limitChange(text: string, used: Capabilities, asked: Asked): Partial<Capabilities> | undefined {
  if (
    !asked.limit ||
    used.limitField === 'none' ||
    !/max_(?:completion_|output_)?tokens|max_new_tokens|completion tokens/i.test(text)
  )
    return undefined;
  // "maximum context length … However, you requested … in the completion" is about the prompt.
  if (contextTokensIn(text) !== undefined) return undefined;
  const most =
    /\[\d+, ?(\d+)\]/.exec(text) ??
    /max_tokens: \d+ > (\d+)/.exec(text) ??
    /(?:at most|maximum (?:of|value|is)|less than or equal to|<=|up to) ?:?(?:is |of )?`?(\d{3,})/i.exec(text);
  if (most && /range|too large|at most|exceed|less than|maximum/i.test(text)) {
    const tokens = Number(most[1]);
    if (used.maxAnswerTokens === undefined || tokens < used.maxAnswerTokens) return { maxAnswerTokens: tokens };
  }
  if (/use 'max_completion_tokens'/i.test(text) && used.limitField === 'max_tokens')
    return { limitField: 'max_completion_tokens' };
  return {
    limitField:
      used.limitField === 'max_completion_tokens'
        ? 'max_tokens'
        : /max_completion_tokens/.test(text)
          ? 'max_completion_tokens'
          : 'none',
  };
}

const namesJson =
  /response_format|json_schema|json_object|structured output|guided_(?:json|decoding)|grammar|'json'|json (?:mode|schema)|output_(?:config|format)/i;
const namesStream =
  /stream(?:ing)?\b.{0,40}(?:not (?:supported|allowed|available)|unsupported)|(?:not support|unsupported).{0,30}\bstream/i;
const namesTools =
  /(?:does not|doesn't|not|no endpoints found that) support[^.]{0,40}\b(?:tools?|function|tool use|tool calling)|\btools?\b[^.]{0,40}(?:not (?:supported|allowed|enabled|available)|unsupported|unrecognized|requires? )|(?:unknown|unrecognized|unsupported|extra)[^.]{0,60}\btool|--enable-auto-tool-choice|--jinja/i;
/** A model's own template can't put what was sent: turns of tools are what most of them lack. */
const namesTemplate =
  /\b(?:chat|prompt|jinja) ?template\b|\bjinja\b|roles must alternate|single tool-calls?|tool call ids? should/i;
const namesTemperature =
  /['"`]?temperature['"`]?:? [^.]{0,60}(?:unsupported|not support|not allowed|only|must be|invalid|deprecated)|(?:unsupported|unknown|unrecognized|invalid|extra)[^.]{0,40}temperature/i;
const namesSystemRole =
  /roles must alternate|role[^.]{0,40}system|system[^.]{0,20}(?:role|message|prompt)s?[^.]{0,40}(?:not|unsupported)|only user and assistant roles/i;
