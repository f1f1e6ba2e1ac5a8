import { openRegular } from '../files/regularFile.ts';

/** Whole lines of a file. */
export interface TextBlock {
  /** 1-based. */
  readonly firstLine: number;
  /** With `\n` line ends. */
  readonly text: string;
}

const chunkBytes = 1 << 20;
/** In UTF-16 units. */
const blockLength = 1 << 16;
/** In UTF-16 units. */
const longestKey = 1 << 14;
/** A line that does not end is cut here, in UTF-16 units. */
const longestLine = 1 << 22;

/**
 * The text of a regular file of any size, block by block; of a binary nothing is given. Rejects like {@link openRegular}.
 */
export async function* textBlocks(path: string, signal: AbortSignal): AsyncGenerator<TextBlock, void, void> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size + 1));
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    let rest = '';
    let line = 1;
    for (let isEnd = false; !isEnd;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      isEnd = bytesRead === 0;
      const bytes = buffer.subarray(0, bytesRead);
      if (decoder === undefined) {
        const encoding = encodingOf(bytes);
        if (encoding === undefined) return;
        decoder = new TextDecoder(encoding);
      }
      const text = (rest + decoder.decode(bytes, { stream: !isEnd })).replaceAll('\r\n', '\n');
      let from = 0;
      while (from < text.length) {
        const left = text.length - from;
        if (!isEnd && left < blockLength) break;
        const end = left <= blockLength ? -1 : text.lastIndexOf('\n', from + blockLength);
        const next = end >= from ? end + 1 : text.indexOf('\n', from + blockLength) + 1;
        if (next === 0 && !isEnd && left < longestLine) break;
        const whole = text.slice(from, next === 0 ? text.length : next);
        const block = next === 0 && isEnd ? whole : whole.slice(0, beforeOpenKey(whole));
        yield { firstLine: line, text: block };
        line += countLines(block);
        from += block.length;
      }
      rest = text.slice(from);
    }
  } finally {
    await file.close();
  }
}

/**
 * The encoding of a text, by its beginning: UTF-16 with a mark, UTF-8, else Western European; undefined for a binary. A character that
 * the end of `bytes` cuts is no error.
 */
export function encodingOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.subarray(0, 8_192).includes(0)) return undefined;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** A block of a key is not cut, so that it is recognised: the place before one that begins near the end, or the end. */
function beforeOpenKey(text: string): number {
  const begin = text.lastIndexOf('-----BEGIN ');
  const isOpen = begin > text.length - longestKey && text.indexOf('-----END ', begin) < 0;
  const at = text.lastIndexOf('\n', begin) + 1;
  return isOpen && begin > 0 && at > 0 ? at : text.length;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
