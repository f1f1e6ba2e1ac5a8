import { fork } from 'node:child_process';
import { Semaphore } from '../../research/calls/semaphore.ts';
import { untilAborted } from '../../research/calls/waiting.ts';
import { ResearchError } from '../../research/errors.ts';
import { decodeText } from './charset.ts';
import { isoDate, maxCharacters, readable, type ReadDocument } from './document.ts';
import type { ReaderAnswer, ReaderTask } from './readerProcess.ts';
import { isFeed } from './feedKind.ts';
import type { Tokens } from 'marked';
import { stripHidden } from '../../research/text/hidden.ts';
import { lexBlocks } from '../../research/text/lexer.ts';

/**
 * A page of a few MB takes a second and 400 MB, a paper two and 200, on a fast machine. Milliseconds of processor time, and bytes
 * of memory.
 */
const limits = {
  markup: { longestMs: 20_000, mostMemory: 700_000_000 },
  pdf: { longestMs: 10_000, mostMemory: 300_000_000 },
} as const;
/** A book of 300 pages, which the user named. */
const longestNamedMs = 60_000;
/** Documents of all runs that are read at a time: each takes a process and some 100 MB. */
const readers = new Semaphore(3);

/**
 * Reads a page, a PDF, a feed or a text to its main content: headings, paragraphs, lists, tables, code, with what the document says
 * of itself. What it is follows from its first bytes, then from `contentType`. HTML, PDF and feeds are read in a process of their
 * own: Stop ends it, as do 20 s of processor time and 700 MB, for a PDF 10 s (a minute when the user named it) and 300 MB. Rejects
 * with `badAnswer` for what is no document, `timeout`, and with `signal.reason` when aborted.
 *
 * @param url For relative addresses in the document.
 */
export async function readDocument(
  bytes: Uint8Array,
  contentType: string,
  url: string,
  signal: AbortSignal,
  isNamed = false,
): Promise<ReadDocument> {
  signal.throwIfAborted();
  const kind = kindOf(bytes, contentType);
  if (kind === 'binary') throw unreadable('The document is no text, web page or PDF.');
  if (kind === 'text') return readText(decodeText(bytes, contentType));
  const task = {
    bytes,
    contentType,
    url,
    isPdf: kind === 'pdf',
    ...limits[kind],
    ...(isNamed && { longestMs: longestNamedMs }),
  };
  return readers.use(() => inProcess(task, signal), signal);
}

function kindOf(bytes: Uint8Array, contentType: string): 'pdf' | 'markup' | 'text' | 'binary' {
  const start = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  // Some servers send a few bytes before it (PDF 32000-1, annex H.3, note 13).
  if (start.slice(0, 1_024).includes('%PDF-')) return 'pdf';
  const isWide = /^(?:\xFE\xFF|\xFF\xFE)/.test(start) || /charset\s*=\s*["']?utf-?16/i.test(contentType);
  if (start.includes('\0') && !isWide) return 'binary';
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/html|xml/.test(type)) return 'markup';
  const text = isWide ? decodeText(bytes.subarray(0, 4_096), contentType) : start;
  if (isFeed(text)) return 'markup';
  const isNamed = type !== '' && type !== 'application/octet-stream' && type !== 'application/pdf';
  return !isNamed && /^\s*<(?:!doctype html|html|head|body|\?xml)/i.test(text) ? 'markup' : 'text';
}

async function inProcess(task: ReaderTask, signal: AbortSignal): Promise<ReadDocument> {
  const reader = fork(processFile(), [], {
    // In the editor `execPath` is the editor, which this makes Node. No other variable is of use to a reader, least of all a key.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
  reader.once('message', (answer: ReaderAnswer) => {
    if ('document' in answer) resolve(answer.document);
    else reject('why' in answer ? unreadable(answer.why) : late(task));
  });
  // Also when it could not be started, or the system has ended it.
  for (const event of ['error', 'disconnect'])
    reader.on(event, () => reject(unreadable('The document could not be read.')));
  reader.send(task, () => undefined);
  try {
    return await untilAborted(promise, signal);
  } finally {
    reader.kill('SIGKILL');
  }
}

/** Beside the entries of the bundle, or this file where the sources run. */
function processFile(): URL {
  const here = new URL(import.meta.url);
  if (here.pathname.endsWith('.ts')) return new URL('./readerProcess.ts', here);
  return new URL(/\/dist\/[^/]+$/.test(here.pathname) ? './readerProcess.js' : '../readerProcess.js', here);
}

function late(task: ReaderTask): ResearchError {
  return new ResearchError('timeout', `The document takes more than ${task.longestMs / 1_000} s to read.`, {
    next: 'Use another document.',
  });
}

function unreadable(why: string): ResearchError {
  return new ResearchError('badAnswer', why, { next: 'Use another document.' });
}

/** Plain text, Markdown and JSON, unchanged, with the headings that Markdown marks. Linear. */
function readText(given: string): ReadDocument {
  if (given.slice(0, 10_000).includes('\0'))
    throw new ResearchError('badAnswer', 'It is no text.', { next: 'Use another document.' });
  const text = stripHidden(given.slice(0, maxCharacters)).trim();
  const heading = [...lexBlocks(text)].find(({ token }) => token.type === 'heading');
  const title = (heading?.token as Tokens.Heading | undefined)?.text ?? '';
  const date = isoDate(/^date:\s*["']?([\d-]{8,10})/m.exec(text.slice(0, 2_000))?.[1]);
  return {
    format: 'text',
    title,
    authors: [],
    ...(date === undefined ? {} : { date }),
    ...readable(text, given.length > maxCharacters),
  };
}
