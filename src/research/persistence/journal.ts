import * as z from 'zod';
import { phases } from '../../protocol/events.ts';
import { parseJson } from '../../protocol/json.ts';
import { leftOutSchema } from '../evidence/admission.ts';
import { wordFates } from '../text/wordFates.ts';
import type { ChatAnswer } from '../ports.ts';
import type { ToolResult } from '../tools.ts';

const about = {
  v: z.literal(1),
  /** Place of the call in the run. */
  key: z.string(),
  /** SHA-256 of what was asked. */
  digest: z.string(),
  /** ISO 8601 instant of the answer. */
  at: z.string(),
};

/** What {@link ChatAnswer} and {@link ToolResult} promise, as far as the program would fail without it. */
const chatAnswer = z.looseObject({
  text: z.string(),
  toolCalls: z.array(z.looseObject({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) })),
  finish: z.enum(['stop', 'toolCalls', 'length', 'contentFilter']),
  usage: z.looseObject({ in: z.number(), out: z.number(), cached: z.number(), estimated: z.boolean() }),
  web: z
    .looseObject({
      pages: z.array(
        z.looseObject({
          url: z.string(),
          title: z.string(),
          quotes: z.array(z.string()),
          statements: z.array(z.string()),
        }),
      ),
    })
    .optional(),
});
const toolResult = z.looseObject({
  documents: z.array(
    z.looseObject({
      kind: z.string(),
      title: z.string(),
      authors: z.array(z.string()),
      text: z.string(),
      url: z.string().optional(),
      date: z.string().optional(),
    }),
  ),
  note: z.string().optional(),
  words: wordFates.optional(),
  leftOut: z.array(leftOutSchema).optional(),
});

/** Who answered in which part of the run, and its cost in US dollars: what the event of its usage says. */
const madeSchema = z.object({
  model: z.string(),
  role: z.string(),
  phase: z.enum(phases),
  cost: z.number().nonnegative().nullable(),
});
export type Made = z.infer<typeof madeSchema>;

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ ...about, kind: z.literal('model'), value: chatAnswer, made: madeSchema.optional() }),
  z.object({ ...about, kind: z.literal('tool'), value: toolResult }),
  /** An observation of the surroundings, or a decision of the user. */
  z.object({ ...about, kind: z.literal('observed'), value: z.unknown() }),
]);
export type JournalEntry =
  | (Entry & { readonly kind: 'model'; readonly value: ChatAnswer; readonly made?: Made | undefined })
  | (Entry & { readonly kind: 'tool'; readonly value: ToolResult })
  | (Entry & { readonly kind: 'observed'; readonly value: unknown });

interface Entry {
  readonly v: 1;
  readonly key: string;
  readonly digest: string;
  readonly at: string;
}
/** What is recorded of a call. */
export type Finished<E extends JournalEntry = JournalEntry> = E extends JournalEntry ? Omit<E, 'v'> : never;

/**
 * The completed model and tool calls of a run. A call is written here before its result is used; a run that restarts with the
 * same journal gets every completed call back byte for byte and sends only the others.
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

  /** The recorded result of this very call; undefined when it was not made, or made with another request. */
  find(key: string, digest: string): JournalEntry | undefined {
    const entry = this.#entries.get(key);
    return entry?.digest === digest ? entry : undefined;
  }

  /** The recorded value of a key, whatever was asked. */
  last(key: string): JournalEntry | undefined {
    return this.#entries.get(key);
  }

  /** All completed calls, in order. */
  entries(): Iterable<JournalEntry> {
    return this.#entries.values();
  }

  async record(finished: Finished): Promise<void> {
    const entry = { v: 1, ...finished } as JournalEntry;
    this.#entries.set(entry.key, entry);
    await this.#append(JSON.stringify(entry));
  }
}

/** A line of the journal; undefined for an invalid one, whose call is repeated. */
export function readEntry(line: string): JournalEntry | undefined {
  return line.startsWith('{') ? entrySchema.safeParse(parseJson(line)).data : undefined;
}
