import { CapabilityMemory } from '../../src/models/capabilities.ts';
import { FirstContact, type ContactTimes } from '../../src/models/firstContact.ts';
import { HttpChat, type HttpChatOptions } from '../../src/models/http/httpChat.ts';
import { Turns } from '../../src/models/http/localServer.ts';
import { completions } from '../../src/models/openai/completions.ts';
import { responses } from '../../src/models/openai/responses.ts';
import { normalizeBaseUrl } from '../../src/models/provider.ts';
import { ResearchError } from '../../src/research/errors.ts';
import type { ChatRequest, Log } from '../../src/research/ports.ts';

export const silentLog: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

export function openChat(
  url: string,
  changes: Partial<HttpChatOptions> & { readonly times?: ContactTimes } = {},
): HttpChat {
  return new HttpChat({
    provider: 'openai-compatible',
    model: 'imitation-1',
    baseUrl: normalizeBaseUrl(url),
    dialect: ({ api }) => (api === 'responses' ? responses : completions),
    think: false,
    turns: new Turns(90_000),
    key: undefined,
    keyHint: 'Set a valid key.',
    memory: new CapabilityMemory(() => ({ contextTokens: 100_000 })),
    contact: new FirstContact(fetch, changes.times),
    log: silentLog,
    fetch,
    ...changes,
  });
}

export const question: ChatRequest = { messages: [{ role: 'user', content: 'Say something.' }] };

export const never: AbortSignal = new AbortController().signal;

/** The ResearchError that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<ResearchError> {
  try {
    await promise;
  } catch (error) {
    if (ResearchError.is(error)) return error;
    throw error;
  }
  throw new Error('Expected a rejection, but the call succeeded.');
}
