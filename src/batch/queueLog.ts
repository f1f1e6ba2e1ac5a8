import { appendFileSync, closeSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { storageError } from '../node/storageError.ts';
import { parseJson } from '../protocol/json.ts';

const figures = z.object({ tokens: z.number(), cost: z.nullable(z.number()), ms: z.number() });
const failure = z.object({ reason: z.string(), message: z.string() });
const id = z.string();
const one = <T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), id, ...shape });

/** A line of the log. Nothing but the log is the queue's memory: whoever reads all of it knows every question's state. */
const entrySchema = z.discriminatedUnion('type', [
  one('taken', {}),
  one('started', { run: z.string() }),
  one('released', { figures }),
  one('reported', {
    figures,
    result: z.object({
      outcome: z.enum(['complete', 'partial', 'notFound']),
      path: z.optional(z.string()),
      citations: z.object({ cited: z.number(), dropped: z.number(), verified: z.number() }),
      sources: z.number(),
      judged: z.optional(z.record(z.string(), z.number())),
    }),
  }),
  one('failed', { figures, failure }),
  one('waiting', { figures, asked: z.object({ question: z.string(), allowed: z.string() }) }),
  one('answered', { answer: z.string() }),
  one('given', {}),
  one('cancelled', {}),
  one('retried', {}),
  z.object({ type: z.literal('paused'), failure: z.optional(failure) }),
  z.object({ type: z.literal('resumed') }),
  z.object({ type: z.literal('placed'), workspace: z.string() }),
]);
export type Entry = z.infer<typeof entrySchema>;

const pieceBytes = 1 << 20;

/** A file to which several processes append. Everything is synchronous: what was appended is there when the call returns. */
export class QueueLog {
  readonly #file: string;
  /** What was read of a line that had no end yet. */
  #torn = Buffer.alloc(0);
  #offset = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** How far it was read, in bytes. */
  get offset(): number {
    return this.#offset;
  }

  /** A line begins with a line end too: what a killed process wrote half stays a line of its own. Throws `storage`. */
  append(entries: readonly Entry[]): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, entries.map((entry) => `\n${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
    } catch (error) {
      throw storageError(error, `write ${this.#file}`);
    }
  }

  /** Reads what was appended since the last time. True when there was something. Lines that are no entry are passed over. */
  read(onEntry: (entry: Entry) => void): boolean {
    let file: number;
    try {
      file = openSync(this.#file, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    const before = this.#offset;
    try {
      const piece = Buffer.alloc(pieceBytes);
      for (let length = 0; (length = readSync(file, piece, 0, piece.length, this.#offset)) > 0;) {
        this.#offset += length;
        const text = Buffer.concat([this.#torn, piece.subarray(0, length)]);
        const end = text.lastIndexOf(0x0a) + 1;
        this.#torn = text.subarray(end);
        for (const line of text.toString('utf8', 0, end).split('\n')) {
          const entry = entrySchema.safeParse(parseJson(line)).data;
          if (entry) onEntry(entry);
        }
      }
    } finally {
      closeSync(file);
    }
    return this.#offset !== before;
  }
}
