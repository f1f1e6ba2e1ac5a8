import type { Secrets } from '../protocol/ports.ts';

/** The part of VS Code's SecretStorage that is used. */
export interface SecretStore {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

export const keyServices = ['openai', 'openai-compatible', 'github'] as const;
export type KeyService = (typeof keyServices)[number];

/** What is kept for a service: a key, or the consent to use the editor's own sign-in; both for one origin only. */
type Kept = { readonly origin: string; readonly key: string } | { readonly origin: string; readonly signIn: true };

/**
 * Keys, each bound to the origin that it was saved for: when the address of a provider changes, its key stays at home until
 * the user saves one for the new address.
 */
export class KeyRing implements Secrets {
  readonly #store: SecretStore;
  readonly #signedIn: (service: string) => PromiseLike<string | undefined>;
  readonly #onKey: (key: string) => void;

  /**
   * `signedIn` gives the token of the editor's own account for a service, without asking anyone; `onKey` hears of every key
   * before it is handed out or stored (the log hides it).
   */
  constructor(
    store: SecretStore,
    signedIn: (service: string) => PromiseLike<string | undefined>,
    onKey: (key: string) => void,
  ) {
    this.#store = store;
    this.#signedIn = signedIn;
    this.#onKey = onKey;
  }

  async key(service: string, origin: string): Promise<string | undefined> {
    const kept = await this.#kept(service);
    if (kept?.origin !== origin) return undefined;
    const key = 'signIn' in kept ? await this.#signedIn(service) : kept.key;
    if (key !== undefined) this.#onKey(key);
    return key;
  }

  async save(service: KeyService, origin: string, key: string): Promise<void> {
    this.#onKey(key);
    await this.#store.store(nameOf(service), JSON.stringify({ origin, key } satisfies Kept));
  }

  async useSignIn(service: KeyService, origin: string): Promise<void> {
    await this.#store.store(nameOf(service), JSON.stringify({ origin, signIn: true } satisfies Kept));
  }

  async clear(service: KeyService): Promise<void> {
    await this.#store.delete(nameOf(service));
  }

  /** The origin that a service's key was saved for; undefined when there is none. */
  async savedFor(service: KeyService): Promise<string | undefined> {
    return (await this.#kept(service))?.origin;
  }

  async #kept(service: string): Promise<Kept | undefined> {
    return readKept(await this.#store.get(nameOf(service)));
  }
}

/** Why a text cannot be a key. */
export type KeyProblem = 'empty' | 'whitespace' | 'characters';

/**
 * Looks at a key as it was typed or pasted; what surrounds it is trimmed. Keys go into an HTTP header, which takes
 * printable ASCII only, and no key of any service holds white space: a pasted line break or a whole sentence is a mistake.
 */
export function readKey(typed: string): { readonly key: string } | { readonly problem: KeyProblem } {
  const key = typed.trim();
  if (key === '') return { problem: 'empty' };
  if (/\s/.test(key)) return { problem: 'whitespace' };
  if (!/^[\x21-\x7e]+$/.test(key)) return { problem: 'characters' };
  return { key };
}

function nameOf(service: string): string {
  return `deepResearch.key.${service}`;
}

function readKept(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { origin, key, signIn } = value as Record<string, unknown>;
    if (typeof origin !== 'string') return undefined;
    if (typeof key === 'string') return { origin, key };
    return signIn === true ? { origin, signIn } : undefined;
  } catch {
    return undefined;
  }
}
