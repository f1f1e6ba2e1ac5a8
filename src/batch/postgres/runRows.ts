import { ResearchError } from '../../research/errors.ts';
import type { Database } from './database.ts';

/** Which question a run is for, and which of those who had it writes. */
export interface Claim {
  readonly batch: string;
  readonly id: string;
  readonly epoch: string;
}

/** Bytes of a row, and of a statement. */
const rowBytes = 256 * 1024;
const statementBytes = 4 * 1024 * 1024;

/** Files of a run that its report consists of: what follows is the ending after the report's name. */
export const savedPrefix = 'saved';

interface Write {
  /** Of an appended line, its file; of a replaced file, its name. */
  readonly name: string;
  /** Of a line. */
  readonly seq?: number;
  readonly data: Buffer;
  readonly done: {
    readonly promise: Promise<void>;
    readonly resolve: () => void;
    readonly reject: (why: unknown) => void;
  };
}

export interface StoredRun {
  /** By file, whole lines in their order. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, Buffer>;
  /** Of the next line. */
  readonly seq: number;
}

/**
 * Writes what a run saves to the database, in the order in which it is given: a run that dies leaves a beginning of what it wrote, without
 * gaps. What waits while a statement is executed is written by the next one. Each statement is a transaction that holds the claim on the
 * question: when another worker has taken it, nothing is written any more, and `lost` is aborted.
 */
export class RunRows {
  readonly #database: Database;
  readonly #claim: Claim;
  readonly #run: string;
  readonly #lost = new AbortController();
  #seq: number;
  #waiting: Write[] = [];
  #writing: Promise<void> | undefined;

  /** @param seq Of the next line. */
  constructor(database: Database, claim: Claim, run: string, seq: number) {
    this.#database = database;
    this.#claim = claim;
    this.#run = run;
    this.#seq = seq;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Resolves when the line is committed. Rejects with `storage` when it can't be. */
  append(file: string, line: string): Promise<void> {
    return this.#add({ name: file, seq: this.#seq++, data: Buffer.from(line), done: Promise.withResolvers() });
  }

  /** Replaces a file. Of several versions that wait, the last one is written, in its place. */
  save(name: string, text: string): Promise<void> {
    const at = this.#waiting.findIndex((write) => write.seq === undefined && write.name === name);
    const done = at < 0 ? Promise.withResolvers<void>() : this.#waiting.splice(at, 1)[0]!.done;
    return this.#add({ name, data: Buffer.from(text), done });
  }

  /** Nothing more is written: the claim was given up. */
  end(): void {
    this.#lost.abort(new DOMException('Another worker has this question.', 'AbortError'));
  }

  /** Resolves when all that was given is written, or can't be. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #add(write: Write): Promise<void> {
    // Nobody may be listening to an event's line.
    write.done.promise.catch(() => undefined);
    if (this.#lost.signal.aborted) return Promise.resolve();
    this.#waiting.push(write);
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    return write.done.promise;
  }

  async #write(): Promise<void> {
    // What is given in the same turn is one statement.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const writes = this.#next();
      try {
        await this.#database.persistently(() => this.#insert(writes), this.lost);
      } catch (error) {
        // What was lost is dropped: the run is another worker's.
        for (const { done } of [...writes, ...(this.lost.aborted ? this.#waiting.splice(0) : [])])
          if (this.lost.aborted) done.resolve();
          else
            done.reject(
              new ResearchError('storage', `The queue's database can't store the run: ${String(error)}.`, {
                cause: error,
              }),
            );
        continue;
      }
      for (const { done } of writes) done.resolve();
    }
  }

  #next(): Write[] {
    let bytes = 0;
    const beyond = this.#waiting.findIndex(({ data }, index) => (bytes += data.length) > statementBytes && index > 0);
    return this.#waiting.splice(0, beyond < 0 ? this.#waiting.length : beyond);
  }

  async #insert(writes: readonly Write[]): Promise<void> {
    const lines = writes.filter(({ seq }) => seq !== undefined).flatMap(partsOf);
    const files = writes.filter(({ seq }) => seq === undefined).flatMap(partsOf);
    const { batch, id, epoch } = this.#claim;
    // Repeated after a lost connection, it changes nothing.
    const [row] = await this.#database.query<{ mine: string }>(
      `WITH mine AS (SELECT 1 FROM research_question WHERE batch = $1 AND id = $2 AND epoch = $3 FOR SHARE),
      lines AS (
        INSERT INTO research_line (run, file, seq, part, parts, data)
        SELECT $4, l.* FROM mine, unnest($5::text[], $6::bigint[], $7::int[], $8::int[], $9::bytea[]) l
        ON CONFLICT DO NOTHING),
      files AS (
        INSERT INTO research_file (run, name, part, parts, data)
        SELECT $4, f.* FROM mine, unnest($10::text[], $11::int[], $12::int[], $13::bytea[]) f
        ON CONFLICT (run, name, part) DO UPDATE SET parts = excluded.parts, data = excluded.data)
      SELECT count(*) AS mine FROM mine`,
      [
        ...[batch, id, epoch, this.#run],
        ...[lines.map(({ name }) => name), lines.map(({ seq }) => seq), lines.map(({ part }) => part)],
        ...[lines.map(({ parts }) => parts), lines.map(({ data }) => data)],
        ...[files.map(({ name }) => name), files.map(({ part }) => part), files.map(({ parts }) => parts)],
        files.map(({ data }) => data),
      ],
    );
    if (row?.mine !== '1') this.end();
  }
}

function partsOf({ name, seq, data }: Pick<Write, 'name' | 'seq' | 'data'>) {
  const parts = Math.max(1, Math.ceil(data.length / rowBytes));
  return Array.from({ length: parts }, (_, part) => ({
    ...{ name, seq, part, parts },
    data: data.subarray(part * rowBytes, (part + 1) * rowBytes),
  }));
}

/** Stores a file that never changes. */
export async function addFile({ query }: Database, run: string, name: string, data: Buffer): Promise<void> {
  const parts = partsOf({ name, data });
  await query(
    `INSERT INTO research_file (run, name, part, parts, data)
    SELECT $1, $2, f.part, $3, f.data FROM unnest($4::int[], $5::bytea[]) AS f (part, data) ON CONFLICT DO NOTHING`,
    [run, name, parts.length, parts.map(({ part }) => part), parts.map((part) => part.data)],
  );
}

/** All that is stored of a run. */
export async function readRun(database: Database, run: string): Promise<StoredRun> {
  const lines = new Map<string, string[]>();
  let seq = 0;
  let pieces: Buffer[] = [];
  // In pages: a run may be larger than what one answer should be.
  for (
    let page: LineRow[] = [], from = ['-1', -1] as [string, number];
    ;
    from = [page.at(-1)!.seq, page.at(-1)!.part]
  ) {
    page = await database.query<LineRow>(
      `SELECT file, seq, part, parts, data FROM research_line WHERE run = $1 AND (seq, part) > ($2, $3)
      ORDER BY seq, part LIMIT 200`,
      [run, ...from],
    );
    for (const { file, seq: at, part, parts, data } of page) {
      if (part === 0) pieces = [];
      pieces.push(data);
      if (pieces.length === parts) {
        const known = lines.get(file);
        const line = Buffer.concat(pieces).toString();
        if (known === undefined) lines.set(file, [line]);
        else known.push(line);
      }
      seq = Number(at) + 1;
    }
    if (page.length === 0) break;
  }
  return { lines, files: await readFiles(database, run), seq };
}

interface LineRow {
  readonly file: string;
  readonly seq: string;
  readonly part: number;
  readonly parts: number;
  readonly data: Buffer;
}

/** Files of a run whose name begins so. */
export async function readFiles(database: Database, run: string, prefix = ''): Promise<Map<string, Buffer>> {
  const rows = await database.query<{ name: string; data: Buffer; part: number; parts: number }>(
    `SELECT f.name, f.data, f.part, f.parts FROM research_file f
    JOIN research_file first ON first.run = f.run AND first.name = f.name AND first.part = 0
    WHERE f.run = $1 AND starts_with(f.name, $2) AND f.part < first.parts ORDER BY f.name, f.part`,
    [run, prefix],
  );
  const files = new Map<string, Buffer>();
  for (const [name, parts] of Map.groupBy(rows, (row) => row.name))
    files.set(name, Buffer.concat(parts.map(({ data }) => data)));
  return files;
}
