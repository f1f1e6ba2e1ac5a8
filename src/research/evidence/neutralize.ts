import { stripHidden } from '../text/hidden.ts';

export { stripHidden };

/**
 * Fetched and model-written text is data. Before it is shown or saved, everything that a renderer could act on is taken out:
 * raw HTML, images, links with other schemes than http(s), characters that reorder or hide text.
 */

/** A text as one line of inert Markdown: no markup of it is rendered. For titles, authors, names and file names. */
export function inertLine(text: string): string {
  return stripHidden(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`[\]]/g, '\\$&')
    .replace(/</g, '&lt;');
}

/** A URL that may stand in a report, normalised, without what would end a Markdown link; undefined for anything but http(s). */
export function safeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return stripHidden(parsed.href).replace(
    /[()<>\s`[\]]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

export interface Segment {
  readonly text: string;
  readonly code: boolean;
}

/**
 * Cuts a text into code spans and the rest, as CommonMark does. A run of backticks without its partner is escaped, so that
 * text after it can't turn into or out of code.
 */
export function codeSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '\\' && at + 1 < text.length) {
      plain += text.slice(at, at + 2);
      at += 2;
      continue;
    }
    if (char !== '`') {
      plain += char;
      at += 1;
      continue;
    }
    const fence = /^`+/.exec(text.slice(at))![0];
    const close = closingRun(text, at + fence.length, fence.length);
    if (close === undefined) {
      plain += fence.replaceAll('`', '\\`');
      at += fence.length;
      continue;
    }
    if (plain !== '') segments.push({ text: plain, code: false });
    plain = '';
    segments.push({ text: text.slice(at, close), code: true });
    at = close;
  }
  if (plain !== '') segments.push({ text: plain, code: false });
  return segments;
}

function closingRun(text: string, from: number, length: number): number | undefined {
  for (let at = text.indexOf('`', from); at >= 0; at = text.indexOf('`', at)) {
    const start = at;
    while (text[at] === '`') at += 1;
    if (at - start === length) return at;
  }
  return undefined;
}
