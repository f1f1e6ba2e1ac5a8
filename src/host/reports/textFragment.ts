import { cellsOf, withoutMarks } from '../../protocol/markdownLine.ts';

/** Words of a quotation, in whitespace-separated scripts, up to which it is one term; a longer one is its first and last words. */
const mostWords = 10;
const wordsAtEnd = 5;
/** The same for scripts without spaces between words, in characters. */
const mostCharacters = 40;
const charactersAtEnd = 12;
/** UTF-16 units, on average, of words between spaces. */
const longestWord = 20;

const fence = /^\s*(?:`{3,}|~{3,})/;
/** Another address may be of a page about the PDF. */
const isPdf = /\.pdf(?:$|\?)|\/pdf\//i;
const headingMarks = /^#{1,6}\s+/;

/**
 * The address of a page with the text fragment that marks a quotation of it; an existing fragment stays. The address as it is where
 * the quotation is too short to be found by.
 *
 * @param quote Of one passage of what was read of the page: Markdown, whose marks the page does not show.
 * @see https://wicg.github.io/scroll-to-text-fragment/
 */
export function withTextFragment(url: string, quote: string): string {
  const directive = textDirective(quote);
  if (directive === '' || url.includes(':~:')) return url;
  return `${url}${url.includes('#') ? '' : '#'}:~:text=${directive}`;
}

/**
 * The address of a page at a passage of it: of a PDF its page, of others the words. A paper of arXiv opens in the form that was read.
 *
 * @param stored What was read: pages of a PDF begin with a line `[Page 3]`, and a paper of arXiv with its abstract, in one paragraph.
 * @param words Of the passage, as {@link withTextFragment} takes them.
 */
export function addressAt(url: string, stored: string, passage: string, words: string): string {
  const at = stored.indexOf(passage);
  const before = stored.slice(0, at < 0 ? 0 : at + Math.max(0, passage.indexOf(words)));
  const page = [...before.matchAll(/^\[Page (\d{1,5})\]$/gm)].at(-1)?.[1];
  const formOf = (form: string) => url.replace(/^(https:\/\/arxiv\.org\/)abs(?=\/)/, `$1${form}`);
  const [pdf = ''] = formOf('pdf').split('#', 1);
  if (page !== undefined)
    return isPdf.test(pdf) ? `${pdf}#page=${page}` : withTextFragment(`${pdf}#page=${page}`, words);
  return withTextFragment(before.includes('\n\n') ? formOf('html') : url, words);
}

function textDirective(quote: string): string {
  // A term does not cross a block or a cell, so that the ends come from the first and the last of them.
  const parts = quote
    .split('\n')
    .filter((line) => !fence.test(line))
    .flatMap((line) => cellsOf(withoutMarks(line).replace(headingMarks, '')))
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => /[\p{L}\p{N}]{2}/u.test(part));
  const first = parts[0];
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return '';
  if (parts.length === 1 && isShort(first)) return encoded(first);
  const [start, end] = [beginOf(first), endOf(last)];
  return start === end ? encoded(start) : `${encoded(start)},${encoded(end)}`;
}

function isShort(line: string): boolean {
  return hasSpaces(line) ? line.split(' ').length <= mostWords : line.length <= mostCharacters;
}

function hasSpaces(line: string): boolean {
  return line.split(' ').length * longestWord > line.length;
}

function beginOf(line: string): string {
  return hasSpaces(line) ? line.split(' ').slice(0, wordsAtEnd).join(' ') : firstWords(wordsOf(line)).join('');
}

function endOf(line: string): string {
  if (hasSpaces(line)) return line.split(' ').slice(-wordsAtEnd).join(' ');
  return firstWords(wordsOf(line).toReversed()).toReversed().join('');
}

/** A browser finds whole words only, in such scripts too. */
function wordsOf(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].map(({ segment }) => segment);
}

function firstWords(words: readonly string[]): readonly string[] {
  let length = 0;
  const end = words.findIndex((word) => (length += word.length) >= charactersAtEnd);
  return words.slice(0, end < 0 ? undefined : end + 1);
}

/** A hyphen would end a prefix. */
function encoded(term: string): string {
  return encodeURIComponent(term.toWellFormed()).replaceAll('-', '%2D');
}
