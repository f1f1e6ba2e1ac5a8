import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { replaceFile } from '../files/replaceFile.ts';
import { storageError } from '../node/storageError.ts';
import type { ResearchEvent } from '../protocol/events.ts';

const intervalMs = 15_000;

/** Of a queue. */
export interface QueueDepth {
  readonly by: Readonly<Record<string, number>>;
  /** Since the oldest pending question could be taken; 0: there is none. */
  readonly oldestSeconds: number;
}

const helps = {
  questions: ['gauge', 'Questions of all batches of the queue.'],
  oldest_pending_seconds: ['gauge', 'Age of the oldest pending question.'],
  queue_up: ['gauge', 'Whether the database of the queue answers.'],
  runs_total: ['counter', 'Runs of this worker that ended.'],
  model_calls_total: ['counter', 'Answers of models.'],
  tool_calls_total: ['counter', 'Calls of sources.'],
  tokens_total: ['counter', 'Tokens of model calls.'],
  cost_dollars_total: ['counter', 'Cost of the calls whose price is known.'],
  errors_total: ['counter', 'Runs that failed, by reason.'],
} as const;
type Name = keyof typeof helps;

/** What a worker does, in the text format of Prometheus (version 0.0.4). Nothing of questions, texts and keys is in it. */
export class Metrics {
  readonly #counts = new Map<Name, Map<string, number>>();

  constructor() {
    // A counter that is there from the start has a rate from its first event on.
    for (const name of ['model_calls_total', 'cost_dollars_total'] as const) this.#add(name, '', 0);
  }

  observe(event: ResearchEvent): void {
    if (event.type === 'usage') {
      this.#add('model_calls_total', '');
      this.#add('tokens_total', label('direction', 'in'), event.tokens.in);
      this.#add('tokens_total', label('direction', 'out'), event.tokens.out);
      this.#add('cost_dollars_total', '', event.cost ?? 0);
    } else if (event.type === 'tool/finished')
      this.#add('tool_calls_total', label('outcome', event.error === undefined ? 'done' : 'failed'));
    else if (event.type === 'run/finished') this.#add('runs_total', label('outcome', event.outcome));
    else if (event.type === 'run/failed') {
      this.#add('runs_total', label('outcome', 'failed'));
      this.#add('errors_total', label('reason', event.reason));
    }
  }

  /** @param depth Undefined: the database does not answer. */
  text(depth: QueueDepth | undefined): string {
    const now = new Map(this.#counts).set('queue_up', new Map([['', depth === undefined ? 0 : 1]]));
    if (depth !== undefined) {
      now.set('questions', new Map(Object.entries(depth.by).map(([status, n]) => [label('status', status), n])));
      now.set('oldest_pending_seconds', new Map([['', depth.oldestSeconds]]));
    }
    const texts = [...now].map(([name, values]) => {
      const [type, help] = helps[name];
      const full = `deep_research_${name}`;
      const lines = [...values].map(([labels, value]) => `${full}${labels} ${value}\n`);
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`;
    });
    return texts.join('');
  }

  #add(name: Name, labels: string, value = 1): void {
    const values = this.#counts.get(name) ?? new Map<string, number>();
    this.#counts.set(name, values.set(labels, (values.get(labels) ?? 0) + value));
  }
}

function label(name: string, value: string): string {
  return `{${name}=${JSON.stringify(value)}}`;
}

/**
 * Writes a text into a folder now and every 15 seconds, as a file for a collector of text files, until it is closed: then the file is
 * removed. Rejects when it can't be written at first.
 */
export async function writeMetrics(folder: string, text: () => Promise<string>): Promise<{ close(): Promise<void> }> {
  const file = join(folder, `deep-research-${hostname()}-${process.pid}.prom`);
  let isClosed = false;
  let replacing: Promise<void> | undefined;
  // A database that does not answer is waited for by no one.
  const write = async (): Promise<void> => {
    const figures = await text();
    if (isClosed || replacing) return;
    replacing = replaceFile(file, figures);
    try {
      await replacing;
    } finally {
      replacing = undefined;
    }
  };
  await write().catch((error: unknown) => {
    throw storageError(error, `write the metrics to ${file}`);
  });
  // A full disk is no reason to stop working; its metrics are stale until it has room.
  const timer = setInterval(() => void write().catch(() => undefined), intervalMs);
  return {
    async close() {
      clearInterval(timer);
      isClosed = true;
      await replacing?.catch(() => undefined);
      await rm(file, { force: true }).catch(() => undefined);
    },
  };
}
