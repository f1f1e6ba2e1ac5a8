import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isOwnFolder, ownFolder } from '../../files/ownFolder.ts';
import { readRegular } from '../../files/regularFile.ts';
import { replaceFile } from '../../files/replaceFile.ts';

/** What an answer is good for beyond its freshness: it is revalidated for a week, then gone. */
const longestMs = 7 * 24 * 60 * 60 * 1_000;
/** Bytes of all answers, and of one. */
const mostBytes = 50_000_000;
const largestBytes = 4_000_000;
/** The folder is cleaned after so many answers were stored. */
const writesPerCleaning = 50;

const stored = z.object({
  version: z.literal(1),
  /** Milliseconds since the epoch. */
  at: z.number(),
  status: z.literal(200),
  headers: z.record(z.string(), z.string()),
  text: z.string(),
  /** Where redirects led to. */
  url: z.string().optional(),
});
export type StoredAnswer = z.infer<typeof stored>;

/** Answers of public requests that processes share. */
export interface SharedAnswers {
  /** The answer with its age in milliseconds; undefined when there is none, or it is damaged or too old. Never rejects. */
  get(key: string): Promise<{ readonly answer: StoredAnswer; readonly ageMs: number } | undefined>;
  /** Never rejects. */
  set(key: string, answer: Pick<StoredAnswer, 'headers' | 'text' | 'url'>): Promise<void>;
}

/** Headers of an answer that are stored; none of them names a person. */
export const keptHeaders = ['etag', 'last-modified', 'content-type', 'date', 'link'];

/** Whether an answer may be stored on disk: the cache is one user's own, which `private` allows (RFC 9111, 5.2.2.7). */
function mayBeStored(headers: Readonly<Record<string, string>>): boolean {
  return !/\bno-store\b/i.test(headers['cache-control'] ?? '');
}

/** Names of parameters with keys: in any part, or as a word of its own. */
const keyed = /key|token|auth|secret|sig/i;
const keyWords = /^(?:pass|passw(?:or)?d|pwd|jwt|sid|sessionid|ticket|otp|credentials?)$/i;

/** Whether an address carries a key of its own, whose answer is for its owner alone. */
export function carriesKey(url: URL): boolean {
  return [...url.searchParams.keys()].some(
    (name) => keyed.test(name) || name.split(/[^a-z\d]+|(?<=[a-z])(?=[A-Z])/i).some((word) => keyWords.test(word)),
  );
}

/** Headers of a conditional request. */
export function conditionsOf(headers: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const { etag, 'last-modified': modified } = headers ?? {};
  if (etag !== undefined) return { 'if-none-match': etag };
  return modified === undefined ? {} : { 'if-modified-since': modified };
}

/**
 * Answers of public requests on disk, shared by all windows, so that a question of the same day is not asked again. One private
 * file an answer, named by a hash: neither addresses nor keys are stored. Never rejects: without a disk, or in a folder that others may
 * write to, there is no cache.
 */
export class AnswerStore implements SharedAnswers {
  readonly #folder: string;
  readonly #now: () => number;
  #writes = 0;

  /** @param folder Made when needed, readable for the user alone. */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  async get(key: string): Promise<{ readonly answer: StoredAnswer; readonly ageMs: number } | undefined> {
    try {
      const { success, data } = stored.safeParse(JSON.parse(await readRegular(this.#fileOf(key), 2 * largestBytes)));
      if (!success || !(await isOwnFolder(this.#folder))) return undefined;
      const ageMs = this.#now() - data.at;
      return ageMs >= 0 && ageMs <= longestMs ? { answer: data, ageMs } : undefined;
    } catch {
      return undefined;
    }
  }

  async set(key: string, answer: Pick<StoredAnswer, 'headers' | 'text' | 'url'>): Promise<void> {
    if (Buffer.byteLength(answer.text) > largestBytes || !mayBeStored(answer.headers)) return;
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => keptHeaders.includes(name)));
    const { text: body, url } = answer;
    const text = JSON.stringify({ version: 1, at: this.#now(), status: 200, headers, text: body, url });
    try {
      await ownFolder(this.#folder);
      await replaceFile(this.#fileOf(key), text, 0o600);
      this.#writes += 1;
      if (this.#writes % writesPerCleaning === 1) await this.#clean();
    } catch {
      // Then the next one asks for it again.
    }
  }

  /** Removes what is too old, then the oldest of what is too much. */
  async #clean(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => /^[0-9a-f]{40}(?:\.[0-9a-f]{8}\.tmp)?$/.test(name));
    const files: { readonly file: string; readonly size: number; readonly at: number }[] = [];
    for (const name of names) {
      const file = join(this.#folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found) files.push({ file, size: found.size, at: found.mtimeMs });
    }
    let total = 0;
    for (const { file, size, at } of files.sort((a, b) => b.at - a.at)) {
      total += size;
      if (total > mostBytes || this.#now() - at > longestMs) await rm(file, { force: true });
    }
  }

  #fileOf(key: string): string {
    return join(this.#folder, createHash('sha256').update(key).digest('hex').slice(0, 40));
  }
}
