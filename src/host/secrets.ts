import type { Secrets } from '../protocol/ports.ts';
import { isRecord, parseJson } from '../protocol/json.ts';

/** The part of VS Code's SecretStorage that is used. */
export interface SecretStore {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/** The part of VS Code's Memento that is used. */
export interface KeyMemory {
  get(name: string): unknown;
  update(name: string, value: readonly string[]): PromiseLike<void>;
}

/** In the memory: the services that a key was saved for. Never a key. */
const savedName = 'deepResearch.savedKeys';

/** What is saved for a service: a key, or the consent to use the editor's own account; both for one origin only. */
type Saved = { readonly origin: string; readonly key: string } | { readonly origin: string; readonly signIn: true };

/**
 * Keys, each bound to the origin that it was saved for: when the address of a service changes, its key is not sent there until the
 * user saves one for the new address.
 */
export class KeyRing implements Secrets {
  readonly #store: SecretStore;
  readonly #memory: KeyMemory;
  readonly #signedIn: (service: string) => PromiseLike<string | undefined>;
  readonly #onKey: (key: string) => void;

  /**
   * @param memory Outlives a store without a keychain, which is empty after a restart.
   * @param signedIn The token of the editor's own account for a service, without asking anyone.
   * @param onKey Gets every key before it is handed out or stored, so that the log can hide it.
   */
  constructor(
    store: SecretStore,
    memory: KeyMemory,
    signedIn: (service: string) => PromiseLike<string | undefined>,
    onKey: (key: string) => void,
  ) {
    this.#store = store;
    this.#memory = memory;
    this.#signedIn = signedIn;
    this.#onKey = onKey;
  }

  async key(service: string, origin: string): Promise<string | undefined> {
    const saved = await this.#saved(service);
    if (saved?.origin !== origin) return undefined;
    const key = 'signIn' in saved ? await this.#signedIn(service) : saved.key;
    if (key !== undefined) this.#onKey(key);
    return key;
  }

  async save(service: string, origin: string, key: string): Promise<void> {
    this.#onKey(key);
    await this.#store.store(nameOf(service), JSON.stringify({ origin, key } satisfies Saved));
    await this.#remember([...this.#remembered().filter((one) => one !== service), service]);
  }

  async useSignIn(service: string, origin: string): Promise<void> {
    await this.#store.store(nameOf(service), JSON.stringify({ origin, signIn: true } satisfies Saved));
  }

  async clear(service: string): Promise<void> {
    await this.#store.delete(nameOf(service));
    await this.#remember(this.#remembered().filter((one) => one !== service));
  }

  /** The services whose key was saved and has not been cleared, and that the editor lost. Each is given once. */
  async lost(): Promise<readonly string[]> {
    const remembered = this.#remembered();
    const origins = await Promise.all(remembered.map((service) => this.savedFor(service)));
    const lost = remembered.filter((_, index) => origins[index] === undefined);
    if (lost.length > 0) await this.#remember(remembered.filter((service) => !lost.includes(service)));
    return lost;
  }

  /** The origin that a service's key was saved for; undefined when there is none. */
  async savedFor(service: string): Promise<string | undefined> {
    return (await this.#saved(service))?.origin;
  }

  #remembered(): readonly string[] {
    const value = this.#memory.get(savedName);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }

  async #remember(services: readonly string[]): Promise<void> {
    await this.#memory.update(savedName, services);
  }

  async #saved(service: string): Promise<Saved | undefined> {
    return readSaved(await this.#store.get(nameOf(service)));
  }
}

/** Why a text cannot be a key. */
export type KeyProblem = 'empty' | 'whitespace' | 'characters';

/**
 * Reads a key as it was typed or pasted, and trims it. Keys go into an HTTP header, which takes printable ASCII only, and no key of
 * any service contains white space: a pasted line break or a whole sentence is a mistake.
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

function readSaved(text: string | undefined): Saved | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isRecord(value) || typeof value['origin'] !== 'string') return undefined;
  const { origin, key, signIn } = value;
  if (typeof key === 'string') return { origin, key };
  return signIn === true ? { origin, signIn } : undefined;
}
