import { decodeHTML } from 'entities';

/** A snippet without the tags that search services mark words with, its character references read. */
export function plainMarkup(text: string): string {
  const bare = text.replace(/<\/?(?:b|strong|em|i|span|mark|p|br|div|a)(?:\s[^<>]{0,200})?\/?>/gi, ' ');
  return decodeHTML(bare)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]{0,20}/g, '\n');
}
