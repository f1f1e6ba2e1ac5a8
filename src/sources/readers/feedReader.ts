import { oneLine } from '../../research/text/hidden.ts';
import { type FeedEntry, isoDate, type ReadDocument, readable } from './document.ts';
import { fragmentText } from './htmlReader.ts';
import { parseFeed } from './feed.ts';

/** Entries of a feed that are read, and UTF-16 units of the text of one. */
const maxEntries = 300;
const maxEntryText = 60_000;

/** RSS 0.9 to 2.0, RDF, Atom and JSON Feed. Throws `badAnswer` for what is none of them, or cut. */
export function readFeed(text: string, url: string): ReadDocument {
  const feed = parseFeed(text);
  const entries = feed.entries
    .slice(0, maxEntries)
    .map((entry): FeedEntry => {
      const date = isoDate(entry.date);
      const own = entry.url !== '' && URL.canParse(entry.url, url) ? new URL(entry.url, url).href : undefined;
      return {
        title: oneLine(plain(entry.title)).slice(0, 500),
        authors: entry.authors
          .map((name) => oneLine(plain(name)))
          .filter((name) => name !== '')
          .slice(0, 50),
        text: /<\w|&\w+;/.test(entry.text)
          ? fragmentText(entry.text.slice(0, maxEntryText))
          : entry.text.slice(0, maxEntryText).trim(),
        ...(own === undefined ? {} : { url: own }),
        ...(date === undefined ? {} : { date }),
      };
    })
    .sort((a, b) => (b.date ?? '').localeCompare(a.date ?? ''));
  const title = oneLine(plain(feed.title)).slice(0, 500);
  return {
    format: 'feed',
    title,
    authors: [],
    entries,
    ...readable(
      entries.map(({ title: name, text: body }) => `${name}\n\n${body}`.trim()).join('\n\n'),
      feed.entries.length > maxEntries,
    ),
  };
}

function plain(text: string): string {
  return /<\w|&\w+;/.test(text) ? fragmentText(text.slice(0, 5_000)) : text;
}
