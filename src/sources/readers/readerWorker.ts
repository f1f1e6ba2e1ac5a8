import { parentPort, workerData } from 'node:worker_threads';
import { ResearchError } from '../../research/errors.ts';
import { decodeText } from './charset.ts';
import type { ReadDocument } from './document.ts';
import { isFeed } from './feedKind.ts';
import { readFeed } from './feedReader.ts';
import { readHtml } from './htmlReader.ts';

/** One document that is read in a thread of its own, which Stop and a time limit can end. */
export interface ReaderTask {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly url: string;
  readonly isPdf: boolean;
}

export type ReaderAnswer = { readonly document: ReadDocument } | { readonly why: string };

async function read({ bytes, contentType, url, isPdf }: ReaderTask): Promise<ReadDocument> {
  if (isPdf) return (await import('./pdfReader.ts')).readPdf(bytes);
  const text = decodeText(bytes, contentType);
  return isFeed(text) ? readFeed(text, url) : readHtml(text, url);
}

try {
  const document = await read(workerData as ReaderTask);
  parentPort?.postMessage({ document } satisfies ReaderAnswer);
} catch (error) {
  const why = ResearchError.is(error)
    ? error.message
    : error instanceof RangeError
      ? 'The document is nested too deeply to be read.'
      : 'The document is damaged.';
  parentPort?.postMessage({ why } satisfies ReaderAnswer);
}
