import { ResearchError } from '../../errors.ts';
import type { ChatAnswer, ChatMessage, ChatRequest, ModelRole, ToolSpec } from '../../ports.ts';
import type { Scope } from '../analyst.ts';
import { estimateRequest } from '../../text/estimateTokens.ts';
import { marked } from './fence.ts';
import { roomOf, type Step } from './steps.ts';

/** A prompt in any length: what of the material does not fit is condensed by the composer, by relevance. */
export interface Fitting {
  readonly step: Step;
  /** The prompt with at most so many tokens of material; with 0 the shortest that makes sense. */
  readonly compose: (tokens: number) => readonly ChatMessage[];
  /** More material than this would not help the step, in tokens. */
  readonly most: number;
  readonly tools?: readonly ToolSpec[];
  /** Of a structured answer. */
  readonly json?: ChatRequest['json'];
}

/** Tries to find a length; each is at least a tenth shorter than the one before. */
const compositions = 8;
/** Tries after the server said that the prompt is too long. */
const shorterTries = 4;
/** Of the length that should fit, because the server counts with another tokeniser. */
const caution = 0.95;

/**
 * Asks with as much material as the model's window has room for. When the server says that the prompt is too long all the same,
 * it is asked again with less: by the sizes that the error names, or by half of what was really sent.
 *
 * @param send Its `suffix` makes the labels of the tries differ.
 */
export async function fitted<T>(
  scope: Scope,
  { step, compose, most, tools, json }: Fitting,
  send: (request: ChatRequest, role: ModelRole, suffix: string) => Promise<T>,
): Promise<T> {
  const composed = (tokens: number) => marked(compose(tokens), scope.fence);
  let left = Infinity;
  for (let tried = 0; ; tried += 1) {
    // Read again at each try: an error may have named the model's real window.
    const { role, maxTokens, temperature, room } = await roomOf(scope, step);
    const beside = { ...(tools && { tools }), ...(json && { json }) };
    const sized = (messages: readonly ChatMessage[]) => estimateRequest({ messages, ...beside });
    const { messages, size, isLeast } = longest(composed, sized, most, Math.min(room, left));
    try {
      const request = { messages, maxTokens, temperature, ...beside };
      return await send(request, role, tried === 0 ? '' : `/less/${tried}`);
    } catch (error) {
      if (!ResearchError.is(error, 'contextLength') || isLeast || tried === shorterTries) throw error;
      left = shorter(size, maxTokens, error);
    }
  }
}

/** The longest prompt within a number of tokens; the shortest there is when none fits. */
function longest(
  compose: Fitting['compose'],
  sized: (messages: readonly ChatMessage[]) => number,
  most: number,
  room: number,
): { readonly messages: readonly ChatMessage[]; readonly size: number; readonly isLeast: boolean } {
  const whole = compose(most);
  const size = sized(whole);
  if (size <= room) return { messages: whole, size, isLeast: false };
  const least = compose(0);
  const fixed = sized(least);
  // A prompt is hardly ever as long as its material was allowed to be: the excess is taken off what it really has.
  let material = Math.min(most, size - fixed);
  for (let tried = 0, over = size; tried < compositions && fixed < room; tried += 1) {
    material = Math.floor(material * Math.min(0.9, (room - fixed) / Math.max(1, over - fixed)));
    if (material < 1) break;
    const messages = compose(material);
    over = sized(messages);
    if (over <= room) return { messages, size: over, isLeast: false };
  }
  return { messages: least, size: fixed, isLeast: true };
}

/** Tokens, as we estimate them, to which a prompt that was too long is cut. */
function shorter(size: number, maxTokens: number, { promptTokens, limitTokens }: ResearchError): number {
  if (limitTokens === undefined) return size / 2;
  // Some servers count the answer's room as well, some don't.
  const allowed = Math.max(limitTokens / 2, limitTokens - maxTokens);
  const real = promptTokens ?? Math.max(size, limitTokens * 1.2);
  return Math.min(size * 0.9, ((size * allowed) / real) * caution);
}

/** Asks for free text or for calls. Rejects with `badAnswer` where reasoning that went round in circles left neither. */
export async function askFreely(scope: Scope, ...call: Parameters<Scope['model']>): Promise<ChatAnswer> {
  const answer = await scope.model(...call);
  if (answer.isLoop === undefined || answer.text.trim() !== '' || answer.toolCalls.length > 0) return answer;
  await scope.forget(call[0]);
  throw new ResearchError('badAnswer', "The model's reasoning went round in circles, and it wrote nothing.", {
    next: 'Try again, or choose another model (deepResearch.model.name).',
  });
}
