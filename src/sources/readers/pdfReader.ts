import { getDocumentProxy } from 'unpdf';
import { oneLine, stripHidden } from '../../research/text/hidden.ts';
import { ResearchError } from '../../research/errors.ts';
import { isoDate, type ReadDocument, readable } from './document.ts';
import { type TextItem, visibleItems } from './pdfVisible.ts';

/** A book has more pages than a question needs. */
const maxPages = 300;
/** Lines at the edge of so many pages are running heads, not text. */
const repeated = 3;
/** A heading is set in type so much larger than the text, and is no longer than this. */
const headingSize = 1.12;
const headingLength = 120;
/** `3.2 Results`, `A.1 Proofs`, `IV. METHOD`. */
const numberedHeading = /^(?:(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.)\s+\p{Lu}[^.!?;]{2,80}$/u;
const namedHeading =
  /^(?:abstract|introduction|background|related work|methods?|methodology|results|evaluation|experiments|discussion|limitations|conclusions?|references|acknowledge?ments|appendix)\.?$/i;

interface Line {
  readonly text: string;
  readonly size: number;
  readonly y: number;
  readonly page: number;
}

/**
 * The text of a PDF that its readers see, by page: lines joined to paragraphs, headings by their type or number, running heads left out. Rejects with
 * `badAnswer` for one that is damaged, locked by a password, or holds pictures of text alone.
 */
export async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  const document = await getDocumentProxy(bytes, { verbosity: 0, maxImageSize: 1 }).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw unreadable(isLocked ? 'it is locked by a password' : 'it is damaged');
  });
  const count = Math.min(document.numPages, maxPages);
  const layers = await document.getOptionalContentConfig();
  const pages: Line[][] = [];
  for (let number = 1; number <= count; number += 1) {
    const page = await document.getPage(number);
    const visible = await visibleItems(page, layers).catch(() => undefined);
    pages.push(linesOf(visible ?? (await page.getTextContent()).items, number));
    page.cleanup();
  }
  const lines = withoutRunningHeads(pages);
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  if (characters < 20 * Math.min(count, 5)) throw unreadable('it holds pictures of pages and no text');
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const said = (name: string): string => {
    const value = (info as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? oneLine(value.slice(0, 1_000)) : '';
  };
  const date = isoDate(/^D:(\d{8})/.exec(said('CreationDate'))?.[1]);
  const title = titleOf(said('Title'), pages[0] ?? []);
  return {
    format: 'pdf',
    title,
    authors: said('Author')
      .split(/[;,]| and /)
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .slice(0, 100),
    ...(date === undefined ? {} : { date }),
    ...readable(paragraphsOf(lines).join('\n\n'), document.numPages > count),
    pages: document.numPages,
  };
}

function unreadable(why: string): ResearchError {
  return new ResearchError('badAnswer', `The PDF can't be read: ${why}.`, { next: 'Use another document.' });
}

/** Lines in the order of the page's content, which follows its columns. */
function linesOf(items: readonly unknown[], page: number): Line[] {
  const lines: Line[] = [];
  let text = '';
  let size = 0;
  let y = 0;
  let right = 0;
  const end = (): void => {
    const line = stripHidden(text).replace(/\s+/g, ' ').trim();
    if (line !== '') lines.push({ text: line, size, y, page });
    text = '';
    size = 0;
  };
  for (const item of items as readonly Partial<TextItem>[]) {
    const { str, transform = [], width = 0 } = item;
    if (str === undefined) continue;
    const itemSize = Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
    const [x = 0, itemY = 0] = [transform[4], transform[5]];
    // A new line without its mark: the text jumps down, or back to another column. Raised and lowered figures stay.
    if (
      text !== '' &&
      str.trim() !== '' &&
      (Math.abs(itemY - y) > Math.max(size, itemSize) * 0.7 || x < right - 20 * size)
    )
      end();
    if (text === '') y = itemY;
    else if (str.trim() !== '' && x - right > itemSize * 0.2 && !/\s$/.test(text)) text += ' ';
    text += str;
    if (str.trim() !== '') {
      size = Math.max(size, itemSize);
      right = x + width;
    }
    if (item.hasEOL === true) end();
  }
  end();
  return lines;
}

/** Without the first and last lines that many pages share, numbers aside. */
function withoutRunningHeads(pages: readonly (readonly Line[])[]): Line[] {
  const counts = new Map<string, number>();
  const edge = (lines: readonly Line[]): readonly Line[] => [...lines.slice(0, 2), ...lines.slice(2).slice(-2)];
  const shape = ({ text }: Line): string => text.replace(/\d+/g, '#').toLowerCase();
  for (const lines of pages)
    for (const key of new Set(edge(lines).map(shape))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return pages.flatMap((lines) => {
    const running = new Set(
      edge(lines).filter(
        (line) =>
          line.text.length <= headingLength && (counts.get(shape(line)) ?? 0) >= Math.max(repeated, pages.length / 3),
      ),
    );
    return lines.filter((line) => !running.has(line) && !(/^\d{1,4}$/.test(line.text) && edge(lines).includes(line)));
  });
}

function paragraphsOf(lines: readonly Line[]): string[] {
  const paragraphs: string[] = [];
  const body = medianSize(lines);
  let marked: number | undefined;
  const add = (paragraph: string, page: number): void => {
    if (paragraph === '') return;
    if (page !== marked) paragraphs.push(`[Page ${page}]`);
    marked = page;
    paragraphs.push(paragraph);
  };
  let text = '';
  let last: Line | undefined;
  let page = 1;
  const end = (): void => {
    add(text.trim(), page);
    text = '';
  };
  for (const line of lines) {
    const level = headingLevel(line, body);
    if (level !== undefined) {
      end();
      add(`${'#'.repeat(level)} ${line.text.replace(/\.$/, '')}`, line.page);
    } else {
      const gap = last === undefined ? 0 : last.y - line.y;
      const begins =
        last !== undefined &&
        line.page === last.page &&
        (gap > 1.7 * Math.max(line.size, last.size) || gap < -last.size * 3);
      const turns = last !== undefined && line.page !== last.page && /[.!?:]["')\]]?$/.test(last.text);
      if (begins || turns || text.length > 3_000) end();
      if (text === '') page = line.page;
      text = joined(text, line.text);
    }
    last = line;
  }
  end();
  return paragraphs;
}

/** A word that was parted at the line's end is put together again. */
function joined(text: string, line: string): string {
  if (text === '') return line;
  if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line;
  const noSpace =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) &&
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(line);
  return `${text}${noSpace ? '' : ' '}${line}`;
}

function headingLevel({ text, size }: Line, body: number): number | undefined {
  if (text.length > headingLength || !/\p{L}{2}/u.test(text)) return undefined;
  const number = /^(?:\d{1,2}|[A-Z])((?:\.\d{1,2})*)/.exec(text);
  if (namedHeading.test(text) && size >= body * 0.95) return 1;
  const isLarge = size >= body * headingSize && !/[.,;]$/.test(text) && size > 0;
  if (!isLarge && !(numberedHeading.test(text) && size >= body * 0.95)) return undefined;
  return 1 + Math.min(3, (number?.[1]?.match(/\./g) ?? []).length);
}

/** Size of the type in which most characters are set. */
function medianSize(lines: readonly Line[]): number {
  const characters = new Map<number, number>();
  for (const { text, size } of lines) {
    const rounded = Math.round(size * 10) / 10;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  return [...characters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** The largest lines at the top of the first page, unless the document names itself in words. */
function titleOf(said: string, lines: readonly Line[]): string {
  const words = said.split(' ').filter((word) => /\p{L}{2}/u.test(word));
  if (words.length > 1 && !/^(?:microsoft word|untitled|\w{3,10}:\d{4}\.)|\.(?:docx?|tex|dvi|indd|qxd)$/i.test(said))
    return said.slice(0, 500);
  const top = lines.slice(0, 25).filter(({ text }) => /\p{L}{2}/u.test(text) && !/^\w{3,10}:\d{4}\.\d/.test(text));
  const highest = top.reduce((most, { size }) => Math.max(most, size), 0);
  const first = top.findIndex(({ size }) => size >= highest * 0.98);
  const rest = top.slice(first);
  const end = rest.findIndex(({ size }) => size < highest * 0.98);
  return oneLine(
    rest
      .slice(0, end === -1 ? 3 : Math.min(end, 4))
      .map(({ text }) => text)
      .join(' '),
  ).slice(0, 500);
}
