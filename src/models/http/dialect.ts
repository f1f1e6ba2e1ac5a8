import type { Json } from '../../research/text/json.ts';
import type { ChatRequest, ToolSpec } from '../../research/ports.ts';
import type { Capabilities } from '../capabilities.ts';
import type { AnswerReader } from './exchange.ts';

/** An API of model servers: how a request is put, and how its answer is read. */
export interface Dialect extends AnswerReader {
  /** Of the endpoint, below the base URL. */
  readonly path: string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** The body for a server with these capabilities. Everything in it is set by what the server accepts, not by a model's name. */
  body(ask: Asking): Json;
}

export interface Asking {
  readonly model: string;
  /** Without tools when the server takes none. */
  readonly request: ChatRequest;
  readonly can: Capabilities;
  /** The user wants the model to think before it answers (`model.enableThinking`). */
  readonly think: boolean;
  /** What {@link WireRecord.sendBack} had for the answer that this tool call was in; undefined when it is lost, as after a restart. */
  sentBack(callId: string): readonly Json[] | undefined;
}

/** Tokens that a model which thinks may use up before its answer begins: the limit of an answer includes them. */
const thinkingTokens = 16_000;

/** The limit of the answer that is sent; undefined: none. */
export function answerLimit({ request, can, think }: Asking): number | undefined {
  const { maxTokens = 0 } = request;
  if (maxTokens <= 0) return undefined;
  return Math.min(maxTokens + (can.thinks || think ? thinkingTokens : 0), can.maxAnswerTokens ?? Infinity);
}

/** A tool as OpenAI's chat completions and Ollama take it. */
export function wireTool({ name, description, parameters }: ToolSpec): Json {
  return { type: 'function', function: { name, description, parameters } };
}

export function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
