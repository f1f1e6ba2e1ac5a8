import { decodeHTMLStrict } from 'entities';

/** No comment of this length is read to its end. */
const maxLength = 100_000;
const link = /<a\b[^<>]{0,20}href="([^"<>]{1,2000})"[^<>]{0,100}>([^<>]{0,2000})<\/a>/gi;

/**
 * A comment as text that can be quoted. Hacker News writes paragraphs (`<p>` without an end), links, italics and code blocks;
 * any other tag is dropped. A link that is cut short ("https://example.org/a-long...") gets its whole address.
 */
export function commentText(html: string): string {
  const text = html
    .slice(0, maxLength)
    .replace(/<p>|<\/p>|<br\s?\/?>/gi, '\n\n')
    .replace(/<pre>\s?<code>/gi, '\n\n```\n')
    .replace(/<\/code>\s?<\/pre>/gi, '\n```\n\n')
    .replace(link, (_, address: string, words: string) => (isCut(words, address) ? address : `${words} (${address})`))
    .replace(/<(?:i|em)>([^<>\n]{1,2000})<\/(?:i|em)>/gi, '*$1*')
    .replace(/<\/?[A-Za-z][^<>]*>/g, '');
  return decodeHTMLStrict(text)
    .replace(/\p{Zs}/gu, ' ')
    .replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Whether the words of a link are its address, whole or up to the dots that end it. */
function isCut(words: string, address: string): boolean {
  const begin = words.endsWith('...') ? words.slice(0, -3) : words;
  return begin !== '' && address.startsWith(begin);
}
