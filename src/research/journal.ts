import * as z from 'zod';

const entrySchema = z.object({ v: z.literal(1), key: z.string(), digest: z.string(), at: z.string(), value: z.unknown() });
export type JournalEntry = z.infer<typeof entrySchema>;

/**
 * The finished model and tool calls of a run. A call is written here before its result is used; a run that begins again with
 * the same journal gets every finished call back byte for byte and sends only the others.
 */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();
  readonly #append: (line: string) => Promise<void>;

  constructor(append: (line: string) => Promise<void>, lines: Iterable<string> = []) {
    this.#append = append;
    for (const line of lines) {
      const entry = readEntry(line);
      if (entry) this.#entries.set(entry.key, entry);
    }
  }

  /** What an earlier life of the run got for this very call; undefined when it was not made, or with another request. */
  find(key: string, digest: string): JournalEntry | undefined {
    const entry = this.#entries.get(key);
    return entry?.digest === digest ? entry : undefined;
  }

  /** The recorded value of a key, whatever was asked. */
  last(key: string): JournalEntry | undefined {
    return this.#entries.get(key);
  }

  async record(key: string, digest: string, at: string, value: unknown): Promise<void> {
    const entry: JournalEntry = { v: 1, key, digest, at, value };
    this.#entries.set(key, entry);
    await this.#append(JSON.stringify(entry));
  }
}

function readEntry(line: string): JournalEntry | undefined {
  if (line.trim() === '') return undefined;
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    // A line that was cut off by a crash: its call is made again.
    return undefined;
  }
}
