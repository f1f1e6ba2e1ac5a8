import { ResearchError } from '../../research/errors.ts';
import type { ListedModel, Server } from '../provider.ts';
import { classifyFailure, classifyThrown, unreachable } from '../classifyError.ts';
import { readBounded } from './boundedBody.ts';
import { isRecord, parseJson } from '../../research/text/json.ts';

/** Where a server lists its models. */
export interface ModelList {
  /** Below the base URL. */
  readonly path: string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
}

export function isChat({ id }: ListedModel): boolean {
  return !notForChat.test(id);
}

/** Models that a server lists beside those that chat. */
const notForChat = /embed|rerank|whisper|\btts\b|tts-|dall-e|moderation|\bclip\b|bge-|gte-|image|transcri|speech/i;

/** Services that offer hundreds of models answer with 500 kB. In UTF-16 units; a longer list can't be read. */
const maxList = 5_000_000;
const maxModels = 5_000;
const maxId = 200;

/**
 * Asks a server which models it has, in its own order. Rejects with `config` when the server has no such list, else with the
 * classified failure.
 */
export async function listModels(
  { baseUrl, key, keyHint }: Server & { readonly keyHint: string },
  list: ModelList,
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
    response = await fetchAnything(baseUrl + list.path, {
      headers: list.headers(key),
      redirect: 'manual',
      signal,
    });
    text = await readBounded(response, maxList);
  } catch (thrown) {
    if (signal.aborted) throw unreachable(host, 'it does not respond');
    throw classifyThrown(thrown, context, false);
  }
  if (!response.ok) {
    const { status, headers } = response;
    const error = classifyFailure({ status, headers: Object.fromEntries(headers), body: text }, context);
    if (error.reason !== 'notFound' && error.reason !== 'badRequest') throw error;
    throw new ResearchError(
      'config',
      `No model name is set, and ${host} has no list of models to choose from (HTTP ${status}).`,
      nameIt,
    );
  }
  const models = readList(text);
  if (models === undefined)
    throw new ResearchError('config', `No model name is set, and ${host} did not return a list of models.`, nameIt);
  return models;
}

/** Reads a list in any of the shapes that servers give it; undefined when it is none. */
export function readList(text: string): ListedModel[] | undefined {
  const value = parseJson(text);
  const root = value as { readonly data?: unknown; readonly models?: unknown } | null | undefined;
  const list = Array.isArray(value) ? value : (root?.data ?? root?.models);
  if (!Array.isArray(list)) return undefined;
  return list.slice(0, maxModels).flatMap((entry: unknown) => {
    if (typeof entry === 'string') return isId(entry) ? [{ id: entry }] : [];
    const model = isRecord(entry) ? entry : {};
    const id = model['id'] ?? model['name'] ?? model['model'];
    if (!isId(id)) return [];
    const meta = isRecord(model['meta']) ? model['meta'] : {};
    const tokens = [
      // llama.cpp: the window that the server was started with.
      meta['n_ctx'],
      model['loaded_context_length'],
      model['max_model_len'],
      model['context_length'],
      model['context_window'],
      model['max_input_tokens'],
      model['max_context_length'],
    ].find((size): size is number => typeof size === 'number' && Number.isSafeInteger(size) && size >= 256);
    // Ollama's digest; llama.cpp's size in bytes and quantisation; LM Studio's quantisation.
    const build = [model['digest'], meta['size'] ?? model['size'], meta['ftype'] ?? model['quantization']]
      .filter((part) => (typeof part === 'string' && part !== '') || typeof part === 'number')
      .join(' ')
      .slice(0, maxId);
    return [
      {
        id,
        ...(build !== '' && { build }),
        ...(tokens !== undefined && { contextTokens: tokens }),
        ...(typeof model['state'] === 'string' && { isLoaded: model['state'] === 'loaded' }),
      },
    ];
  });
}

/** A name that can be shown and sent. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxId && !/\p{C}/u.test(value);
}
