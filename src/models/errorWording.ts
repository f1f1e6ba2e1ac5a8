import type { ErrorReason } from '../research/errors.ts';
import { redact } from '../research/text/redact.ts';
import type { CallContext, Failure } from './failure.ts';
import type { ErrorBody } from './errorBody.ts';
import { modelCodes } from './errorRules.ts';

/** What happened, and what to do next, in words for a person. */
export function wording(
  reason: ErrorReason,
  failure: Failure,
  context: CallContext,
  body: ErrorBody,
): { readonly message: string; readonly next: string } {
  const { host, model } = context;
  const status = failure.status > 0 && failure.status !== 200 ? ` (HTTP ${failure.status})` : '';
  switch (reason) {
    case 'auth':
      return {
        message: context.key
          ? `${host} refused the key${status}.`
          : `${host} refused the request, which carried no key${status}.`,
        next: context.keyHint ?? 'Run "Deep Research: Use API Key" with a key that is valid for this server.',
      };
    case 'quota':
      return {
        message: `The account at ${host} has no credit or quota left${status}.`,
        next: "Check the account's plan and billing, or choose another model or provider.",
      };
    case 'rateLimit':
      return {
        message: `${host} is limiting requests right now${status}.`,
        next: 'Wait a moment and start again, or lower limits.maxConcurrentResearchers.',
      };
    case 'contextLength':
      return {
        message: `The prompt is longer than the context window of "${model}"${status}.`,
        next: 'Lower limits.maxContextTokens, or choose a model with a larger context window.',
      };
    case 'contentFilter':
      return {
        message: `The content filter of ${host} refused the request${status}.`,
        next: 'Rephrase the question, or choose another model.',
      };
    case 'notFound':
      if (/not a chat model/i.test(body.text)) {
        return {
          message: `"${model}" is not a chat model${status}.`,
          next: 'Choose a model that supports chat completions (deepResearch.model.name).',
        };
      }
      return body.html || !(/model|endpoints/i.test(body.text) || body.codes.some((code) => modelCodes.includes(code)))
        ? {
            message: `${host} has no chat completions API at this address${status}.`,
            next: 'Check deepResearch.model.baseUrl: it should end before /chat/completions, often in /v1.',
          }
        : {
            message: `${host} does not offer the model "${model}"${status}.`,
            next: 'Check deepResearch.model.name and deepResearch.model.baseUrl.',
          };
    case 'timeout':
      return { message: `${host} timed out${status}.`, next: 'Try again later.' };
    case 'network':
      return {
        message: `${host} could not serve the request${status}.`,
        next: 'Try again later, or check deepResearch.model.baseUrl.',
      };
    case 'streamBroken':
      return { message: `${host} stopped in the middle of an answer${status}.`, next: 'Try again.' };
    case 'badAnswer':
      return body.html
        ? {
            message: `${host} answered with a web page instead of a model's answer.`,
            next: 'Check deepResearch.model.baseUrl, and whether a proxy or a sign-in page answers instead.',
          }
        : { message: `"${model}" returned an unusable answer.`, next: 'Try again, or choose another model.' };
    default:
      if (failure.status >= 300 && failure.status < 400) {
        const target = redact(failure.headers['location'] ?? 'another address', [context.key]);
        return {
          message: `${host} redirects the request to ${clip(target)}; redirects are not followed, to protect the key${status}.`,
          next: 'Set deepResearch.model.baseUrl to the final address of the model.',
        };
      }
      return {
        message: `${host} rejected the request${status}.`,
        next: 'Check deepResearch.model.name and deepResearch.model.baseUrl, or choose another model.',
      };
  }
}

/** One line of at most 300 characters. */
export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 297)}…` : line;
}
