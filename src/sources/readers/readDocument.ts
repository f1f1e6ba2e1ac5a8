import { Worker } from 'node:worker_threads';
import { AwakeTimer } from '../../research/calls/waiting.ts';
import { ResearchError } from '../../research/errors.ts';
import { decodeText } from './charset.ts';
import type { ReadDocument } from './document.ts';
import type { ReaderAnswer, ReaderTask } from './readerWorker.ts';
import { isFeed } from './feedKind.ts';
import { readText } from './textReader.ts';

/** A page of a few MB takes a second, a book of 300 pages some ten, on a fast machine. */
const longestMs = { markup: 20_000, pdf: 60_000 } as const;
/** Memory of one reader, in MB: a PDF of 20 MB takes about 200. */
const maxMemory = 512;

/**
 * Reads a page, a PDF, a feed or a text to its main content: headings, paragraphs, lists, tables, code, with what the document says
 * of itself. What it is follows from its first bytes, then from `contentType`. HTML, PDF and feeds are read in a thread of their
 * own: Stop ends it, as do 20 s (a PDF: a minute) and 512 MB. Rejects with `badAnswer` for what is no document, `timeout`, and with
 * `signal.reason` when aborted.
 *
 * @param url For relative addresses in the document.
 */
export async function readDocument(
  bytes: Uint8Array,
  contentType: string,
  url: string,
  signal: AbortSignal,
): Promise<ReadDocument> {
  signal.throwIfAborted();
  const kind = kindOf(bytes, contentType);
  if (kind === 'binary') throw unreadable('The document is no text, web page or PDF.');
  if (kind === 'text') return readText(decodeText(bytes, contentType));
  return inThread({ bytes, contentType, url, isPdf: kind === 'pdf' }, signal);
}

function kindOf(bytes: Uint8Array, contentType: string): 'pdf' | 'markup' | 'text' | 'binary' {
  const start = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  // Some servers send a few bytes before it (PDF 32000-1, annex H.3, note 13).
  if (start.slice(0, 1_024).includes('%PDF-')) return 'pdf';
  const isWide = /^(?:\xFE\xFF|\xFF\xFE)/.test(start);
  if (start.includes('\0') && !isWide) return 'binary';
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/html|xml/.test(type)) return 'markup';
  const text = isWide ? decodeText(bytes.subarray(0, 4_096), contentType) : start;
  if (isFeed(text)) return 'markup';
  const isNamed = type !== '' && type !== 'application/octet-stream' && type !== 'application/pdf';
  return !isNamed && /^\s*<(?:!doctype html|html|head|body|\?xml)/i.test(text) ? 'markup' : 'text';
}

function inThread(task: ReaderTask, signal: AbortSignal): Promise<ReadDocument> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), {
      workerData: task,
      // No key of the environment is of use to a reader.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxMemory, stackSizeMb: 8 },
    });
    const end = (settle: () => void): void => {
      timer.end();
      signal.removeEventListener('abort', stop);
      void worker.terminate();
      settle();
    };
    const stop = (): void => end(() => reject(signal.reason as Error));
    const mostMs = longestMs[task.isPdf ? 'pdf' : 'markup'];
    const timer = new AwakeTimer(mostMs, () =>
      end(() =>
        reject(
          new ResearchError('timeout', `The document was not read within ${mostMs / 1_000} s.`, {
            next: 'Use another document.',
          }),
        ),
      ),
    );
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (answer: ReaderAnswer) =>
      end(() => ('document' in answer ? resolve(answer.document) : reject(unreadable(answer.why)))),
    );
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end(() =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? unreadable('The document needs too much memory.') : error),
      ),
    );
    worker.once('exit', () => end(() => reject(unreadable('The document could not be read.'))));
  });
}

/** Beside the entries of the bundle, or this file where the sources run. */
function workerFile(): URL {
  const here = new URL(import.meta.url);
  if (here.pathname.endsWith('.ts')) return new URL('./readerWorker.ts', here);
  return new URL(/\/dist\/[^/]+$/.test(here.pathname) ? './readerWorker.js' : '../readerWorker.js', here);
}

function unreadable(why: string): ResearchError {
  return new ResearchError('badAnswer', why, { next: 'Use another document.' });
}
