import { ResearchError } from '../../research/errors.ts';
import { classifyFailure, classifyThrown } from '../classifyError.ts';
import { readBounded } from './boundedBody.ts';
import type { OpenAiServer } from './openAiModels.ts';

export interface ListedModel {
  readonly id: string;
  /** Size of the context window in tokens, where the server reports it. */
  readonly contextTokens?: number;
}

/** Models that a server lists beside those that chat. */
const notForChat = /embed|rerank|whisper|\btts\b|tts-|dall-e|moderation|\bclip\b|bge-|gte-|image|transcri|speech/i;

/** Services that offer hundreds of models answer with 500 kB. In UTF-16 units; a longer list can't be read. */
const maxList = 5_000_000;
const maxModels = 5_000;
const maxId = 200;

/**
 * Asks a server which models it has (`GET {base}/models`), in its own order, without those that don't chat. Rejects with
 * `config` when the server has no such list, else with the classified failure.
 */
export async function listModels(
  { baseUrl, key, keyHint }: Pick<OpenAiServer, 'baseUrl' | 'key' | 'keyHint'>,
  fetchAnything: typeof fetch,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { host } = new URL(baseUrl);
  const context = { host, model: '', key, keyHint };
  const nameIt = {
    next: 'Set deepResearch.model.name to a model of this server, and check deepResearch.model.baseUrl.',
    origin: host,
  };
  let response: Response;
  let text: string;
  try {
    response = await fetchAnything(`${baseUrl}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal,
    });
    text = await readBounded(response, maxList);
  } catch (thrown) {
    if (signal.aborted)
      throw new ResearchError('network', `${host} can't be reached: it does not respond.`, {
        next: 'Check the network and deepResearch.model.baseUrl, and that the server is running.',
        origin: host,
      });
    throw classifyThrown(thrown, context, false);
  }
  if (!response.ok) {
    const error = classifyFailure(
      { status: response.status, headers: Object.fromEntries(response.headers), body: text },
      context,
    );
    if (error.reason !== 'notFound' && error.reason !== 'badRequest') throw error;
    throw new ResearchError(
      'config',
      `No model name is set, and ${host} has no list of models to choose from (HTTP ${response.status}).`,
      nameIt,
    );
  }
  const models = readList(text);
  if (models === undefined)
    throw new ResearchError('config', `No model name is set, and ${host} did not return a list of models.`, nameIt);
  return models.filter((model) => !notForChat.test(model.id));
}

function readList(text: string): ListedModel[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const root = value as { readonly data?: unknown; readonly models?: unknown } | null;
  const list = Array.isArray(value) ? value : (root?.data ?? root?.models);
  if (!Array.isArray(list)) return undefined;
  return list.slice(0, maxModels).flatMap((entry: unknown) => {
    if (typeof entry === 'string') return isId(entry) ? [{ id: entry }] : [];
    if (typeof entry !== 'object' || entry === null) return [];
    const model = entry as Record<string, unknown>;
    const id = model['id'] ?? model['name'] ?? model['model'];
    if (!isId(id)) return [];
    const tokens = [
      model['loaded_context_length'],
      model['max_model_len'],
      model['context_length'],
      model['context_window'],
      model['max_context_length'],
    ].find((size): size is number => typeof size === 'number' && Number.isSafeInteger(size) && size >= 256);
    return [tokens === undefined ? { id } : { id, contextTokens: tokens }];
  });
}

/** A name that can be shown and sent. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxId && !/\p{C}/u.test(value);
}
