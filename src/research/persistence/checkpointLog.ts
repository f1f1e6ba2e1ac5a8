import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  compareWritesSortKeys,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import * as z from 'zod';
import { parseJson } from '../../protocol/json.ts';
import { sha256 } from '../text/digest.ts';

/** Elements of a list with more JSON than this are written once, in characters. */
const largeElement = 200;

const version = z.union([z.number(), z.string()]);
/** A list names its large elements by digest, so that a growing list is not written again with every step. */
const storedValue = z.union([
  z.strictObject({ json: z.unknown() }),
  z.strictObject({
    list: z.array(z.union([z.strictObject({ json: z.unknown() }), z.strictObject({ part: z.string() })])),
  }),
]);
type StoredValue = z.infer<typeof storedValue>;

const place = { v: z.literal(1), thread: z.string(), ns: z.string() };
const lineSchema = z.discriminatedUnion('type', [
  z.object({ v: z.literal(1), type: z.literal('part'), digest: z.string(), value: z.unknown() }),
  z.object({
    ...place,
    type: z.literal('checkpoint'),
    parent: z.string().optional(),
    checkpoint: z.object({
      v: z.number(),
      id: z.string(),
      ts: z.string(),
      channel_versions: z.record(z.string(), version),
      versions_seen: z.record(z.string(), z.record(z.string(), version)),
    }),
    metadata: z.record(z.string(), z.unknown()),
    /** Values of the channels that are new in this checkpoint; the others have the version that an earlier line gave. */
    values: z.record(z.string(), storedValue),
    /** All channels that have a value here: a line that is missing before this one is noticed. */
    channels: z.array(z.string()).optional(),
  }),
  z.object({
    ...place,
    type: z.literal('writes'),
    checkpoint: z.string(),
    task: z.string(),
    path: z.string(),
    /** [index, channel, value]; a value that is absent is `undefined`. */
    writes: z.array(z.tuple([z.number(), z.string()], storedValue)),
  }),
  z.object({ v: z.literal(1), type: z.literal('delete'), thread: z.string() }),
]);
type Line = z.infer<typeof lineSchema>;
type CheckpointLine = Extract<Line, { type: 'checkpoint' }>;

interface Write {
  readonly task: string;
  readonly path: string;
  readonly index: number;
  readonly channel: string;
  readonly value: StoredValue | undefined;
}

/** True when the line is one of a checkpoint log. */
export function isCheckpointLine(line: string): boolean {
  return readLine(line) !== undefined;
}

/**
 * Saver of the graph's checkpoints as lines of JSON that are only ever appended. Every line is checked by a schema when it is
 * read; what is read is data and never becomes code or an instance of a class. A channel is written when it changed, and a
 * large element of a list once, so that the log grows with what is new and not with the number of steps.
 */
export class CheckpointLog extends BaseCheckpointSaver {
  readonly #append: (line: string) => Promise<void>;
  readonly #parts = new Map<string, unknown>();
  /** By thread, namespace and checkpoint id. */
  readonly #checkpoints = new Map<string, Map<string, Map<string, CheckpointLine>>>();
  /** By thread, namespace, channel and version. */
  readonly #values = new Map<string, StoredValue>();
  /** By thread, namespace and checkpoint id, then by task and index. */
  readonly #writes = new Map<string, Map<string, Write>>();

  /**
   * @param append Stores one line durably enough for a killed process.
   * @param lines What was appended before the run was resumed; other lines are skipped.
   */
  constructor(append: (line: string) => Promise<void>, lines: Iterable<string> = []) {
    super();
    this.#append = append;
    for (const text of lines) {
      const line = readLine(text);
      if (line) this.#take(line);
    }
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: thread, checkpoint_ns: ns = '' } = config.configurable ?? {};
    const checkpoints = this.#checkpoints.get(thread as string)?.get(ns as string);
    const id = getCheckpointId(config) || newestFirst(checkpoints)[0];
    const line = id === undefined ? undefined : checkpoints?.get(id);
    return line && this.#tuple(line);
  }

  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id: onlyThread, checkpoint_ns: onlyNs, checkpoint_id: onlyId } = config.configurable ?? {};
    const before = options.before?.configurable?.['checkpoint_id'] as string | undefined;
    let left = options.limit ?? Infinity;
    for (const [thread, byNs] of this.#checkpoints) {
      if (onlyThread !== undefined && thread !== onlyThread) continue;
      for (const [ns, checkpoints] of byNs) {
        if (onlyNs !== undefined && ns !== onlyNs) continue;
        for (const id of newestFirst(checkpoints)) {
          const line = checkpoints.get(id)!;
          if ((onlyId && id !== onlyId) || (before && id >= before)) continue;
          if (!Object.entries(options.filter ?? {}).every(([key, value]) => line.metadata[key] === value)) continue;
          if (left <= 0) return;
          left -= 1;
          yield this.#tuple(line);
        }
      }
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread, ns } = placeOf(config);
    const { channel_values, ...rest } = copyCheckpoint(checkpoint);
    const parent = config.configurable?.['checkpoint_id'] as string | undefined;
    const changed = Object.keys(newVersions ?? checkpoint.channel_versions).filter(
      (channel) => channel in channel_values,
    );
    const values: Record<string, StoredValue> = Object.create(null) as Record<string, StoredValue>;
    for (const channel of changed) values[channel] = await this.#store(channel_values[channel]);
    const channels = Object.entries(rest.channel_versions).flatMap(([channel, at]) =>
      channel in values || this.#values.has(keyOf(thread, ns, channel, at)) ? [channel] : [],
    );
    await this.#write({
      v: 1,
      type: 'checkpoint',
      thread,
      ns,
      ...(parent === undefined ? {} : { parent }),
      checkpoint: rest,
      metadata: { ...metadata },
      values,
      channels,
    });
    return { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string, path = ''): Promise<void> {
    const { thread, ns } = placeOf(config);
    const checkpoint = getCheckpointId(config);
    if (!checkpoint) throw new Error('Writes belong to a checkpoint: `configurable.checkpoint_id` is missing.');
    const stored = await Promise.all(
      writes.map(async ([channel, value], index): Promise<[number, string, StoredValue] | [number, string]> => {
        const at = WRITES_IDX_MAP[channel] ?? index;
        return value === undefined ? [at, channel] : [at, channel, await this.#store(value)];
      }),
    );
    await this.#write({ v: 1, type: 'writes', thread, ns, checkpoint, task, path, writes: stored });
  }

  override async deleteThread(thread: string): Promise<void> {
    await this.#write({ v: 1, type: 'delete', thread });
  }

  /** In memory first: later reads see it even when the disk fails. */
  async #write(line: Line): Promise<void> {
    const text = JSON.stringify(line);
    this.#take(JSON.parse(text) as Line);
    await this.#append(text);
  }

  #take(line: Line): void {
    switch (line.type) {
      case 'part':
        this.#parts.set(line.digest, line.value);
        return;
      case 'checkpoint': {
        const { thread, ns, checkpoint, values } = line;
        const byNs = getOrMake(this.#checkpoints, thread, () => new Map<string, Map<string, CheckpointLine>>());
        getOrMake(byNs, ns, () => new Map<string, CheckpointLine>()).set(checkpoint.id, line);
        for (const [channel, value] of Object.entries(values))
          this.#values.set(keyOf(thread, ns, channel, checkpoint.channel_versions[channel] ?? ''), value);
        return;
      }
      case 'writes': {
        const { thread, ns, checkpoint, task, path } = line;
        const known = getOrMake(this.#writes, keyOf(thread, ns, checkpoint), () => new Map<string, Write>());
        for (const [index, channel, value] of line.writes) {
          const key = keyOf(task, index);
          // The first write of a task counts; an error or an interrupt (index below 0) may be replaced.
          if (index < 0 || !known.has(key)) known.set(key, { task, path, index, channel, value });
        }
        return;
      }
      case 'delete': {
        this.#checkpoints.delete(line.thread);
        for (const map of [this.#values, this.#writes])
          for (const key of map.keys()) if ((JSON.parse(key) as unknown[])[0] === line.thread) map.delete(key);
      }
    }
  }

  async #store(value: unknown): Promise<StoredValue> {
    if (!Array.isArray(value)) return { json: value };
    return { list: await Promise.all(value.map((element: unknown) => this.#storeElement(element))) };
  }

  async #storeElement(element: unknown): Promise<{ json: unknown } | { part: string }> {
    const text = JSON.stringify(element) ?? 'null';
    if (text.length < largeElement) return { json: element };
    const part = sha256(text).slice(0, 24);
    if (!this.#parts.has(part)) await this.#write({ v: 1, type: 'part', digest: part, value: element });
    return { part };
  }

  /** A fresh copy: the graph may change what it gets. */
  #load(stored: StoredValue): unknown {
    if ('json' in stored) return structuredClone(stored.json);
    return (stored.list ?? []).map((element) => {
      if ('json' in element) return structuredClone(element.json);
      if (!this.#parts.has(element.part)) throw new Error(`A part of a checkpoint is missing: ${element.part}.`);
      return structuredClone(this.#parts.get(element.part));
    });
  }

  #tuple({ thread, ns, parent, checkpoint, metadata, channels = [] }: CheckpointLine): CheckpointTuple {
    const values: Record<string, unknown> = {};
    for (const [channel, at] of Object.entries(checkpoint.channel_versions)) {
      const stored = this.#values.get(keyOf(thread, ns, channel, at));
      if (stored) values[channel] = this.#load(stored);
      else if (channels.includes(channel)) throw new Error(`The value of a checkpoint is missing: ${channel}.`);
    }
    const whole = { ...structuredClone(checkpoint), channel_values: values } as Checkpoint;
    if (checkpoint.v < 4 && parent !== undefined) this.#migrateSends(whole, thread, ns, parent);
    const config = (id: string): RunnableConfig => ({
      configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
    });
    return {
      config: config(checkpoint.id),
      checkpoint: whole,
      metadata: structuredClone(metadata) as unknown as CheckpointMetadata,
      pendingWrites: this.#ordered(thread, ns, checkpoint.id).map(
        ({ task, channel, value }): CheckpointPendingWrite => [task, channel, value && this.#load(value)],
      ),
      ...(parent === undefined ? {} : { parentConfig: config(parent) }),
    };
  }

  #ordered(thread: string, ns: string, checkpoint: string): Write[] {
    const keyed = [...(this.#writes.get(keyOf(thread, ns, checkpoint))?.values() ?? [])].map((write) => ({
      write,
      key: writesSortKey(write.path, write.task, write.index),
    }));
    return keyed.sort((a, b) => compareWritesSortKeys(a.key, b.key)).map(({ write }) => write);
  }

  /** Before version 4 of the format, the parent's writes contained what was sent to nodes. */
  #migrateSends(checkpoint: Checkpoint, thread: string, ns: string, parent: string): void {
    checkpoint.channel_values[TASKS] = this.#ordered(thread, ns, parent).flatMap(({ channel, value }) =>
      channel === TASKS && value ? [this.#load(value)] : [],
    );
    const [first = this.getNextVersion(undefined), ...others] = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] = others.reduce((most, one) => maxChannelVersion(most, one), first);
  }
}

function readLine(text: string): Line | undefined {
  return text.startsWith('{') ? lineSchema.safeParse(parseJson(text)).data : undefined;
}

function placeOf(config: RunnableConfig): { thread: string; ns: string } {
  const { thread_id: thread, checkpoint_ns: ns = '' } = config.configurable ?? {};
  if (typeof thread !== 'string' || typeof ns !== 'string')
    throw new Error('Checkpoints belong to a thread: `configurable.thread_id` is missing.');
  return { thread, ns };
}

/** Ids of checkpoints are UUIDs of version 6: their order is that of time. */
function newestFirst(checkpoints: ReadonlyMap<string, unknown> | undefined): string[] {
  return [...(checkpoints?.keys() ?? [])].sort().reverse();
}

function keyOf(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}

function getOrMake<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
