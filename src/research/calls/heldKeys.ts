import { smallest } from '../../protocol/numbers.ts';
import { ResearchError } from '../errors.ts';
import type { ChatAnswer, ChatModels, ChatPort, Log, Secrets } from '../ports.ts';
import { redact } from '../text/redact.ts';
import type { ResearchTool } from '../tools.ts';

const mark = '[redacted]';

/**
 * The keys that a run was given. Services were seen to repeat them: nothing that a tool, a model or a log line says leaves here
 * with one of their values in it, whatever the key looks like. What passes is stored, shown and sent on by everything else.
 */
export class HeldKeys {
  readonly #keys = new Set<string>();

  /** Keys are remembered when they are handed out. */
  watch(secrets: Secrets): Secrets {
    return {
      key: async (service, origin) => {
        const key = await secrets.key(service, origin);
        if (key !== undefined) this.#keys.add(key);
        return key;
      },
    };
  }

  /** A value that a setting holds: a header, a variable. */
  hold(value: string): void {
    this.#keys.add(value);
    for (const part of value.split(/\s+/)) if (part.length >= 12) this.#keys.add(part);
  }

  log(log: Log): Log {
    const clean = (message: string): string => redact(message, this.#keys);
    return {
      trace: (message) => log.trace(clean(message)),
      debug: (message) => log.debug(clean(message)),
      info: (message) => log.info(clean(message)),
      warn: (message) => log.warn(clean(message)),
      error: (message) => log.error(clean(message)),
    };
  }

  tool(tool: ResearchTool): ResearchTool {
    return {
      ...tool,
      run: (args, context, signal) => this.#clean(tool.run(args, context, signal)),
    };
  }

  models(models: ChatModels): ChatModels {
    return async (role) => this.#chat(await models(role));
  }

  #chat(chat: ChatPort): ChatPort {
    const clean = <T>(work: Promise<T>): Promise<T> => this.#clean(work);
    const maskOf = (onText: (text: string) => void): StreamMask => new StreamMask(this.#values(), onText);
    return {
      provider: chat.provider,
      model: chat.model,
      ...(chat.isLocal !== undefined && { isLocal: chat.isLocal }),
      get contextTokens() {
        return chat.contextTokens;
      },
      get thinks() {
        return chat.thinks;
      },
      ...(chat.responds && { responds: (signal: AbortSignal) => chat.responds!(signal) }),
      async complete(request, listen, signal): Promise<ChatAnswer> {
        const stream = listen.onText && maskOf(listen.onText);
        const answer = await clean(
          chat.complete(request, { ...listen, ...(stream && { onText: (text) => stream.push(text) }) }, signal),
        );
        stream?.end();
        return answer;
      },
    };
  }

  async #clean<T>(work: Promise<T>): Promise<T> {
    try {
      return masked(await work, this.#values());
    } catch (error) {
      throw ResearchError.is(error) ? error.reworded((text) => redact(text, this.#keys)) : error;
    }
  }

  /** A placeholder ("none", "local") is an ordinary word, which stays in texts. */
  #values(): string[] {
    return [...this.#keys]
      .filter((key) => key.length >= 12 && /[^a-z]/.test(key))
      .flatMap((key) => [...new Set([key, encodeURIComponent(key)])]);
  }
}

/** Of the schemas that are checked later; what is deeper is dropped. */
const deepest = 20;

/** The value with every key in its texts masked; the same object when there is none. */
function masked<T>(value: T, keys: readonly string[], depth = 0): T {
  if (typeof value === 'string') return (keys.some((key) => value.includes(key)) ? mask(value, keys) : value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return undefined as T;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => masked(item, keys, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  const entries = Object.entries(value).map(([name, item]) => [name, masked<unknown>(item, keys, depth + 1)] as const);
  return entries.every(([name, item]) => item === (value as Record<string, unknown>)[name])
    ? value
    : (Object.fromEntries(entries) as T);
}

function mask(text: string, keys: readonly string[]): string {
  return keys.reduce((clean, key) => clean.replaceAll(key, mark), text);
}

/** Masks keys in a text that arrives in pieces: an end that may be the beginning of a key is held back. */
class StreamMask {
  readonly #keys: readonly string[];
  readonly #onText: (text: string) => void;
  #held = '';

  constructor(keys: readonly string[], onText: (text: string) => void) {
    this.#keys = keys;
    this.#onText = onText;
  }

  push(text: string): void {
    const all = mask(this.#held + text, this.#keys);
    const from = smallest(
      this.#keys.map((key) => beginningAt(all, key)),
      all.length,
    );
    this.#held = all.slice(from);
    if (from > 0) this.#onText(all.slice(0, from));
  }

  end(): void {
    if (this.#held !== '') this.#onText(this.#held);
    this.#held = '';
  }
}

/** Where a proper prefix of the key begins at the end of the text; the text's length when none does. */
function beginningAt(text: string, key: string): number {
  for (let at = Math.max(0, text.length - key.length + 1); at < text.length; at += 1)
    if (key.startsWith(text.slice(at))) return at;
  return text.length;
}
