/** As many bytes as the HTML standard looks at for a declaration, and the XML declaration of a feed. */
const declarationBytes = 1_024;

/** A body as text: by its byte order mark, the `content-type`, its own declaration, else UTF-8, else Windows-1252. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const named =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1];
  const mark = byteOrderMark(bytes);
  for (const label of [mark, named]) {
    const decoded = label === undefined ? undefined : decode(bytes, label, false);
    if (decoded !== undefined) return decoded;
  }
  return decode(bytes, 'utf-8', true) ?? decode(bytes, 'windows-1252', false) ?? '';
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

/** Undefined for a name that is no encoding, and with `strict` for bytes that are not of it. */
function decode(bytes: Uint8Array, label: string, strict: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: strict }).decode(bytes);
  } catch {
    return undefined;
  }
}
