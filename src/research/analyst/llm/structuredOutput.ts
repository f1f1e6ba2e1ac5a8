import { isRecord } from '../../../protocol/json.ts';
import type * as z from 'zod';
import { ResearchError } from '../../errors.ts';
import type { ChatAnswer, ChatMessage, ChatRequest, ModelRole } from '../../ports.ts';
import type { Scope } from '../analyst.ts';
import { cutToTokens } from '../../text/estimateTokens.ts';
import { jsonSchemaOf } from './fields.ts';
import { type FilledPrompt, messagesOf } from './fill.ts';
import { fitted } from './fitting.ts';
import type { Step } from './steps.ts';
import { looseValues } from './looseJson.ts';
import { shaped } from './shaped.ts';

export interface StructuredAsk<S extends z.ZodType> {
  /** Names the calls within the scope. */
  readonly label: string;
  readonly step: Step;
  readonly prompt: (tokens: number) => Pick<FilledPrompt, 'system' | 'user'>;
  /** See {@link Fitting}. */
  readonly most: number;
  readonly schema: S;
  /**
   * What is wrong with an answer that has the right form, as a sentence for the model; undefined when nothing is. It is asked for
   * once again; then the answer is accepted as it is.
   */
  readonly complaint?: (value: z.output<S>) => string | undefined;
  /** Gets the text of the first answer while it arrives. */
  readonly onText?: ((text: string) => void) | undefined;
}

/** The beginning of an answer that is shown to the model again, in tokens: of a bad one; of one to be mended; as a part of its limit. */
const badEchoTokens = 200;
const echoTokens = 1_500;
const echoShare = 0.3;

/**
 * Asks for one JSON object of a schema and gives it validated. An answer that is not JSON or does not match the schema is sent back
 * with what is wrong with it, at most `limits.maxStructuredOutputRetries` times; only the latest bad answer stays in the
 * conversation. One that was cut off is not shown again. A retry is asked for less than the one before, at another temperature and with
 * another seed; the same answer twice, or the same request, ends the step. Rejects with `badAnswer` when none was usable, with
 * `contentFilter` when the model refused; the answers are then forgotten, so that a resumed run asks again.
 */
export async function askStructured<S extends z.ZodType>(scope: Scope, ask: StructuredAsk<S>): Promise<z.output<S>> {
  const compose = (tokens: number) => messagesOf(ask.prompt(tokens));
  const json = { name: ask.step, schema: jsonSchemaOf(ask.schema) };
  const fitting = { step: ask.step, most: ask.most, compose, json };
  return await fitted(scope, fitting, (request, role, suffix) =>
    validated(scope, { ...ask, label: `${ask.label}${suffix}` }, request, role),
  );
}

async function validated<S extends z.ZodType>(
  scope: Scope,
  ask: StructuredAsk<S>,
  first: ChatRequest,
  role: ModelRole,
): Promise<z.output<S>> {
  const { maxStructuredOutputRetries: most } = scope.limits;
  const formOf = lessEachTime(first.json?.schema ?? jsonSchemaOf(ask.schema), most);
  let { messages }: Pick<ChatRequest, 'messages'> = first;
  let usable: { readonly value: z.output<S> } | undefined;
  let last: string | undefined;
  let problem = '';
  for (let attempt = 0; attempt <= most; attempt += 1) {
    const isRepeat = attempt > 0;
    const form = formOf(attempt, messages, usable !== undefined);
    if (form === undefined) break;
    const label = isRepeat ? `${ask.label}/retry/${attempt}` : ask.label;
    let answer: ChatAnswer;
    try {
      const json = { name: ask.step, schema: form };
      const request = { ...first, messages, json, ...(isRepeat && { temperature: livelier, seed: attempt }) };
      answer = await scope.model(label, role, request, isRepeat ? undefined : ask.onText);
    } catch (error) {
      // The complaint made the prompt too long: the answer before it has to do.
      if (usable && ResearchError.is(error, 'contextLength')) return usable.value;
      throw error;
    }
    if (answer.finish === 'contentFilter') {
      await scope.forget(ask.label);
      throw new ResearchError('contentFilter', 'The model refused to answer.', {
        next: 'Rephrase the question, or choose another model.',
      });
    }
    // A retry would bring the same words.
    if (answer.text === last && !usable) break;
    last = answer.text;
    const read = readAnswer(ask.schema, answer.text, answer.finish === 'length');
    if (read.ok) {
      problem = (usable ? undefined : ask.complaint?.(read.value)) ?? '';
      if (problem === '') return read.value;
      usable = read;
    } else {
      // A complaint was not worth a broken answer.
      if (usable) return usable.value;
      problem = read.problem;
    }
    if (answer.finish === 'length') {
      // It ran into its limit, or went round in circles: shown again, it would be continued.
      messages = withSentence(first.messages, cutOff);
      continue;
    }
    messages = [...first.messages, ...correction(answer.text, problem, usable ? echoTokens : badEchoTokens, first)];
  }
  if (usable) return usable.value;
  await scope.forget(ask.label);
  throw new ResearchError('badAnswer', "The model's answer could not be used.", {
    cause: new Error(`${ask.step}: ${problem}`),
    next: 'Try again, or choose a model that follows instructions better (deepResearch.model.name).',
  });
}

/** An answer that can't be used, or not as it is, and what to do about it. */
function correction(answer: string, problem: string, echo: number, { maxTokens = echo }: ChatRequest): ChatMessage[] {
  const shown = Math.min(echo, Math.floor(maxTokens * echoShare));
  const again = 'Answer again with the corrected JSON object alone: no prose, no code fence.';
  return [
    { role: 'assistant', content: cutToTokens(answer, shown).trim() || '(nothing)' },
    { role: 'user', content: `That answer can't be used: ${problem}\n\n${again}` },
  ];
}

/** The same, with a sentence of the user behind its last one. */
export const withSentence = (messages: readonly ChatMessage[], sentence: string): readonly ChatMessage[] => [
  ...messages.slice(0, -1),
  { role: 'user', content: `${messages.at(-1)!.content}\n\n${sentence}` },
];

const cutOff =
  'Your last answer was cut off at its limit. Be briefer: only what matters most, each text a short sentence, each list short.';

/** A low temperature leads back to the same answer, as does the same seed. */
export const livelier = 0.7;
/** Lists and texts of no more than this are left as they are. */
const shortList = 3;
const shortText = 80;

/** Gives the schema of each try, smaller than the one before; undefined where it would be a request that was made. */
function lessEachTime(schema: Readonly<Record<string, unknown>>, most: number) {
  let asked = schema;
  const sent = new Set<string>();
  return (attempt: number, messages: readonly ChatMessage[], isUsable: boolean) => {
    if (attempt === 0) return schema;
    const bytes = (form: object): string => JSON.stringify([messages, form]);
    const less = isUsable ? asked : smaller(asked);
    // The last try asks for the same fields without their limits: some servers can't follow a schema with all of them.
    asked = attempt === most || sent.has(bytes(less)) ? simpler(schema) : less;
    if (sent.has(bytes(asked))) return undefined;
    sent.add(bytes(asked));
    return asked;
  };
}

/** The schema with half of its limits. */
function smaller(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inner = (key: string, value: unknown): unknown => {
    if (key === 'maxItems' && typeof value === 'number')
      return Math.max(Math.min(value, shortList), Math.ceil(value / 2));
    if (key === 'maxLength' && typeof value === 'number')
      return Math.max(Math.min(value, shortText), Math.ceil(value / 2));
    if (Array.isArray(value)) return value.map((one) => inner('', one));
    return isRecord(value) ? smaller(value) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inner(key, value)]));
}

const kept: ReadonlySet<string> = new Set(['type', 'properties', 'items', 'required', 'enum', 'anyOf']);

/** Names and types alone. */
function simpler(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inner = (value: unknown): unknown => (isRecord(value) ? simpler(value) : value);
  const entries = Object.entries(schema).filter(([key]) => kept.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties' && isRecord(value))
        return [key, Object.fromEntries(Object.entries(value).map(([name, field]) => [name, inner(field)]))];
      return [key, Array.isArray(value) ? value.map(inner) : inner(value)];
    }),
  );
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

function readAnswer<S extends z.ZodType>(schema: S, text: string, truncated: boolean): Read<z.output<S>> {
  const json = jsonSchemaOf(schema);
  // A model may write a draft or a remark as an object too: the answer is the one with the most fields of the schema.
  const [found] = looseValues(text)
    .map((value) => shaped(value, json))
    .sort((one, other) => other.fit - one.fit);
  if (found === undefined) {
    return {
      ok: false,
      problem: truncated
        ? 'It was truncated at its length limit; be briefer.'
        : text.trim() === ''
          ? 'It was empty.'
          : 'It holds no JSON object.',
    };
  }
  const names = Object.keys(json['properties'] ?? {});
  if (names.length > 0 && found.fit === 0)
    return { ok: false, problem: `the object has none of the fields ${names.join(', ')}.` };
  const parsed = schema.safeParse(found.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues
    .slice(0, 8)
    .map((issue) => `${issue.path.join('.') || 'the object'}: ${issue.message}`);
  return {
    ok: false,
    problem: `${issues.join('; ')}.${truncated ? ' It was truncated at its length limit; be briefer.' : ''}`,
  };
}
