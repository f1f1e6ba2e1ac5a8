import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ResearchError } from '../../research/errors.ts';
import { takesTooLong, type ReadDocument } from './document.ts';

/** One document that is read in a process of its own. */
export interface ReaderTask {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly url: string;
  readonly isPdf: boolean;
  /** See {@link takesTooLong}. */
  readonly longestMs: number;
  /** Resident memory of the process, in bytes. V8's own limits don't count typed arrays, in which streams are unpacked. */
  readonly mostMemory: number;
}

export type ReaderAnswer = { readonly document: ReadDocument } | { readonly why: string } | { readonly isLate: true };

/** What the streams of one PDF may unpack to together, in bytes: the pages and fonts of a book take far less. */
const mostDecoded = 512_000_000;
const tickMs = 20;
const tooLarge = 'The document needs too much memory.';

/** Loads the one reader that the document needs, in the thread that reads. */
async function read({ bytes, contentType, url, isPdf }: ReaderTask): Promise<ReadDocument> {
  if (isPdf) {
    boundDecoding();
    return (await import('./pdfReader.ts')).readPdf(bytes);
  }
  const text = (await import('./charset.ts')).decodeText(bytes, contentType);
  if ((await import('./feedKind.ts')).isFeed(text)) return (await import('./feedReader.ts')).readFeed(text, url);
  return (await import('./htmlReader.ts')).readHtml(text, url);
}

/** For the whole thread. The PDF library has no such limit: it unpacks by a stream, or else into arrays of growing size. */
function boundDecoding(): void {
  let decoded = 0;
  const count = (bytes: number): void => {
    decoded += bytes;
    if (decoded <= mostDecoded) return;
    // The library continues after an error of a stream, so that throwing alone would not end it.
    parentPort!.postMessage({ why: tooLarge } satisfies ReaderAnswer);
    throw new RangeError(tooLarge);
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args: unknown[], newTarget) {
      if (typeof args[0] === 'number') count(args[0]);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
  globalThis.DecompressionStream = new Proxy(DecompressionStream, {
    construct(target, args: ConstructorParameters<typeof DecompressionStream>) {
      const { readable, writable } = new target(...args);
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, output) {
          count(chunk.length);
          output.enqueue(chunk);
        },
      });
      return { readable: readable.pipeThrough(counted), writable };
    },
  });
}

async function inThread(): Promise<void> {
  const answer = await read(workerData as ReaderTask).then(
    (document): ReaderAnswer => ({ document }),
    (error: unknown): ReaderAnswer => ({
      why: ResearchError.is(error)
        ? error.message
        : error instanceof RangeError
          ? 'The document is nested too deeply to be read.'
          : 'The document is damaged.',
    }),
  );
  parentPort!.postMessage(answer);
}

/** The thread that watches: it reads nothing itself, so that no document keeps it from ending the process. */
function watch(task: ReaderTask): void {
  const end = (answer: ReaderAnswer): void => {
    clearInterval(timer);
    process.send!(answer, () => process.kill(process.pid, 'SIGKILL'));
  };
  let ms = 0;
  const timer = setInterval(() => {
    ms += tickMs;
    if (process.memoryUsage.rss() > task.mostMemory) end({ why: tooLarge });
    else if (takesTooLong(task.longestMs, cpuMs(), ms)) end({ isLate: true });
  }, tickMs);
  const reader = new Worker(new URL(import.meta.url), {
    workerData: task,
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: 8 },
  });
  reader.once('message', end);
  reader.once('error', (error: NodeJS.ErrnoException) =>
    end({ why: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : 'The document could not be read.' }),
  );
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

if (isMainThread) {
  process.once('message', watch);
  // Who asked is gone.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
} else void inThread();
