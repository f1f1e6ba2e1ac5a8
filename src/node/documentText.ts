import { ResearchError } from '../research/errors.ts';
import { mostReadBytes } from '../research/ports.ts';
import { isDocument } from '../protocol/isDocument.ts';
import { notebookText } from './notebookText.ts';
import { encodingOf } from './textBlocks.ts';

/**
 * The text of a PDF as Markdown, a heading a page. Rejects with `badAnswer` or `timeout` for one that can't be read.
 * @param isNamed The user named this file: it may take longer.
 */
export type ReadPdf = (bytes: Uint8Array, signal: AbortSignal, isNamed?: boolean) => Promise<string>;

/** Notebooks with pictures and PDFs are larger than texts, and what is read of them is not. */
const mostDocumentBytes = 20_000_000;

/** What is read of a file of this name at most, in bytes. */
export function mostBytesOf(path: string): number {
  return isDocument(path) ? mostDocumentBytes : mostReadBytes;
}

/**
 * The text of a file: of a notebook its cells as Markdown, else what it is decoded to. Undefined for a binary. Throws `badAnswer`
 * for a notebook that is too large.
 * @param bytes Its first {@link mostBytesOf}.
 */
export function documentText(path: string, bytes: Buffer): string | undefined {
  if (!isDocument(path)) {
    const lineEnd = bytes.length === mostReadBytes ? bytes.lastIndexOf(10) : -1;
    return decode(lineEnd > 0 ? bytes.subarray(0, lineEnd + 1) : bytes);
  }
  refuseLarge(path, bytes);
  const json = decode(bytes);
  // A file that only has the name of a notebook is read as text.
  return json === undefined ? undefined : (notebookText(json) ?? json).slice(0, mostReadBytes);
}

/** Rejects with `badAnswer` for a PDF that is too large, damaged or beyond a limit, with `badRequest` when nothing reads PDFs. */
export async function pdfText(
  path: string,
  bytes: Buffer,
  readPdf: ReadPdf | undefined,
  signal: AbortSignal,
  isNamed = false,
): Promise<string> {
  refuseLarge(path, bytes);
  if (readPdf === undefined)
    throw new ResearchError('badRequest', `${path} is a PDF, which can't be read here.`, { next: 'Use another file.' });
  try {
    return (await readPdf(bytes, signal, isNamed)).slice(0, mostReadBytes);
  } catch (error) {
    // Reading it again would take as long.
    if (!ResearchError.is(error, 'badAnswer', 'timeout')) throw error;
    throw new ResearchError('badAnswer', `${path}: ${error.message}`, { cause: error, next: 'Use another file.' });
  }
}

function refuseLarge(path: string, bytes: Buffer): void {
  if (bytes.length < mostDocumentBytes) return;
  throw new ResearchError('badAnswer', `${path} is larger than ${mostDocumentBytes / 1_000_000} MB.`, {
    next: 'Use a part of it.',
  });
}

/** Text with `\n` line ends; undefined for a binary. */
function decode(bytes: Buffer): string | undefined {
  const encoding = encodingOf(bytes);
  return encoding && new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n');
}
