import { estimateRequest } from '../text/estimateTokens.ts';
import { ResearchError } from '../errors.ts';
import type { ChatPort, ChatRequest } from '../ports.ts';

/** An answer of fewer tokens is no answer to any step. */
const leastAnswer = 64;

/**
 * The request with a limit of its answer that the window has room for. Throws `contextLength`, before anything is sent, when the
 * prompt leaves no room for an answer.
 * @param most `limits.maxContextTokens`.
 */
export function withinWindow(request: ChatRequest, port: ChatPort, most: number): ChatRequest {
  const limit = Math.min(port.contextTokens, most);
  const prompt = estimateRequest(request);
  const room = limit - prompt;
  if (room < leastAnswer) {
    throw new ResearchError(
      'contextLength',
      `A prompt of about ${prompt} tokens does not fit the ${limit} tokens that "${port.model}" may use.`,
      {
        next: 'Choose a model with a larger context window, or raise deepResearch.limits.maxContextTokens.',
        promptTokens: prompt,
        limitTokens: limit,
      },
    );
  }
  const { maxTokens } = request;
  return maxTokens === undefined || maxTokens <= room ? request : { ...request, maxTokens: room };
}
