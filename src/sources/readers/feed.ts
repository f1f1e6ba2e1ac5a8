import { XMLValidator } from 'fast-xml-parser';
import { ResearchError } from '../../research/errors.ts';
import type { FeedEntry } from './document.ts';
import { isJsonFeed } from './feedKind.ts';
import { feedParser, listOf, nodeOf, textOf, type XmlNode } from './xml.ts';

/** UTF-16 units. */
const maxFeed = 6_000_000;

const parser = feedParser(['item', 'entry', 'link', 'author', 'creator'], 20_000_000);

/** A feed as it is written: texts may hold markup, dates are of any form, addresses may be relative. */
interface RawFeed {
  readonly title: string;
  readonly entries: readonly Required<FeedEntry>[];
}

/** RSS 0.9 to 2.0, RDF, Atom and JSON Feed. Throws `badAnswer` for what is none of them, or cut. */
export function parseFeed(text: string): RawFeed {
  return isJsonFeed(text) ? jsonFeed(text) : xmlFeed(text);
}

function xmlFeed(text: string): RawFeed {
  if (text.length > maxFeed) throw unusable('it is too large');
  if (/<!ENTITY/i.test(text)) throw unusable('it defines entities');
  if (XMLValidator.validate(text, { allowBooleanAttributes: true }) !== true) throw unusable('it is damaged or cut');
  const root = parse(text);
  const rss = nodeOf(root['rss']);
  const channel = nodeOf(rss['channel'] ?? nodeOf(root['RDF'])['channel']);
  const atom = nodeOf(root['feed']);
  const items = [...listOf(channel['item']), ...listOf(nodeOf(root['RDF'])['item'])];
  const entries = listOf(atom['entry']);
  if (root['rss'] === undefined && root['feed'] === undefined && root['RDF'] === undefined)
    throw unusable('it is no feed');
  return {
    title: textOf(root['feed'] === undefined ? channel['title'] : atom['title']),
    entries: [...items, ...entries].map((given) => {
      const entry = nodeOf(given);
      const authors = [...listOf(entry['creator']), ...listOf(entry['author'])];
      return {
        title: textOf(entry['title']),
        url: linkOf(entry),
        date: firstOf(entry, 'published', 'pubDate', 'date', 'issued', 'updated', 'modified'),
        authors: authors.map((author) => nameOf(textOf(nodeOf(author)['name'] ?? author))),
        text: firstOf(entry, 'encoded', 'content', 'description', 'summary'),
      };
    }),
  };
}

/** RSS asks for an address with the name in brackets. */
function nameOf(author: string): string {
  return author.includes('@') ? (/\(([^()]{1,200})\)/.exec(author)?.[1] ?? '') : author;
}

function jsonFeed(text: string): RawFeed {
  let root: XmlNode;
  try {
    root = nodeOf(JSON.parse(text));
  } catch {
    throw unusable('it is damaged or cut');
  }
  return {
    title: textOf(root['title']),
    entries: listOf(root['items']).map((given) => {
      const item = nodeOf(given);
      const authors = [...listOf(item['authors']), ...listOf(item['author'])];
      return {
        title: textOf(item['title']),
        url: firstOf(item, 'url', 'external_url'),
        date: firstOf(item, 'date_published', 'date_modified'),
        authors: authors.map((author) => textOf(nodeOf(author)['name'])),
        text: firstOf(item, 'content_html', 'content_text', 'summary'),
      };
    }),
  };
}

function parse(text: string): XmlNode {
  try {
    return nodeOf(parser.parse(text));
  } catch {
    throw unusable('it is damaged');
  }
}

function unusable(why: string): ResearchError {
  return new ResearchError('badAnswer', `The feed can't be read: ${why}.`, { next: 'Use another source.' });
}

/** RSS names its page in the text of `link`, Atom in `href` of the alternate one; a `guid` may be the page too. */
function linkOf(entry: XmlNode): string {
  const links = listOf(entry['link']);
  const alternate = links.find(
    (link) => ['alternate', ''].includes(textOf(nodeOf(link)['@rel'])) && nodeOf(link)['@href'] !== undefined,
  );
  if (alternate !== undefined) return textOf(nodeOf(alternate)['@href']);
  const written = links.map(textOf).find((link) => link !== '');
  const guid = nodeOf(entry['guid'])['@isPermaLink'] === 'false' ? '' : textOf(entry['guid']);
  return written ?? (/^https?:\/\//.test(guid) ? guid : textOf(nodeOf(entry['@about'])));
}

function firstOf(entry: XmlNode, ...names: readonly string[]): string {
  return names.map((name) => textOf(entry[name])).find((text) => text !== '') ?? '';
}
