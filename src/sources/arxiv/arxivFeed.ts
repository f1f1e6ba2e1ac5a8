import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { ResearchError } from '../../research/errors.ts';
import { parseArxivId } from './arxivId.ts';
import { latexText } from './latexText.ts';

export interface ArxivEntry {
  /** Without version. */
  readonly id: string;
  /** `v3`; empty when the feed names none. */
  readonly version: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly summary: string;
  /** `YYYY-MM-DD` of the first and of this version. */
  readonly published?: string;
  readonly updated?: string;
  readonly primaryCategory?: string;
  readonly comment?: string;
  readonly journalRef?: string;
  readonly doi?: string;
  readonly withdrawn: boolean;
}

export interface ArxivFeed {
  /** Matches in all, of which the entries are a page. */
  readonly total: number;
  readonly entries: readonly ArxivEntry[];
}

type XmlNode = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  // Prefixes differ between the layouts of the service; local names don't.
  removeNSPrefix: true,
  // A paper is titled "0", another may be titled "1e5".
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  processEntities: { enabled: true, maxTotalExpansions: 1_000_000, maxExpandedLength: 50_000_000 },
  isArray: (name) => name === 'entry' || name === 'author' || name === 'link',
});

/**
 * Reads an Atom feed of arXiv, in the layout before or after 2026. Rejects with `badAnswer` what is no whole feed (an HTML
 * page, plain text, a cut-off answer) and with `badRequest` the service's own error entry: neither is ever "no results".
 */
export function parseArxivFeed(text: string): ArxivFeed {
  const unusable = unusableReason(text);
  if (unusable !== undefined) throw new ResearchError('badAnswer', unusable, { next: 'Go on with the other sources.' });
  const feed = asNode((parser.parse(text) as XmlNode)['feed']);
  const nodes = (Array.isArray(feed['entry']) ? feed['entry'] : []).map(asNode);
  const failure = nodes.find((node) => /\/api\/errors/.test(textOf(node['id'])));
  if (failure !== undefined) {
    const why = collapse(textOf(failure['summary']));
    const quoted = why === '' ? '' : `: ${why}.`;
    throw new ResearchError('badRequest', `arXiv refused the request${quoted || '.'}`, {
      quoted,
      next: 'Change the query or the ids.',
    });
  }
  const entries = nodes.map(readEntry).filter((entry) => entry !== undefined);
  const total = Number.parseInt(textOf(feed['totalResults']), 10);
  return { total: Number.isNaN(total) ? entries.length : total, entries };
}

/** Why an answer is no feed that can be read; undefined when it is one. */
export function unusableReason(text: string): string | undefined {
  const start = text.trimStart().slice(0, 400);
  if (/^(<!doctype html|<html)/i.test(start)) return 'arXiv answered with a web page instead of results.';
  if (!/^(<\?xml|<feed|<\w+:feed)/.test(start))
    return `arXiv answered with something that is no feed${start === '' ? ' (nothing at all)' : ''}.`;
  if (/<!DOCTYPE/i.test(start)) return 'arXiv answered with a document of another kind.';
  if (XMLValidator.validate(text) !== true) return 'The answer of arXiv is damaged or cut off.';
  if (!/<(\w+:)?feed[\s>]/.test(start)) return 'arXiv answered with a document of another kind.';
  return undefined;
}

/** The service throttles in plain text, with any status. */
export function saysTooMany(text: string): boolean {
  return /^\s*(rate exceeded|too many requests)/i.test(text);
}

function readEntry(node: XmlNode): ArxivEntry | undefined {
  const id = parseArxivId(textOf(node['id']));
  if (id === undefined) return undefined;
  const summary = latexText(textOf(node['summary']));
  const comment = latexText(textOf(node['comment']));
  const journalRef = collapse(textOf(node['journal_ref']));
  const doi = collapse(textOf(node['doi']));
  const published = dateOf(node['published']);
  const updated = dateOf(node['updated']);
  const primaryCategory = attributeOf(node['primary_category'], 'term');
  return {
    ...id,
    title: latexText(textOf(node['title'])),
    authors: (Array.isArray(node['author']) ? node['author'] : [])
      .map((author) => latexText(textOf(asNode(author)['name'])))
      .filter((name) => name !== ''),
    summary,
    ...(published === undefined ? {} : { published }),
    ...(updated === undefined ? {} : { updated }),
    ...(primaryCategory === '' ? {} : { primaryCategory }),
    ...(comment === '' ? {} : { comment }),
    ...(journalRef === '' ? {} : { journalRef }),
    ...(doi === '' ? {} : { doi }),
    // The feed has no flag for it.
    withdrawn:
      /\bwithdrawn\b/i.test(comment) ||
      /^(this|the) (paper|article|submission|manuscript|work) (has been|is|was) withdrawn\b|^withdrawn\b/i.test(
        summary,
      ),
  };
}

function asNode(value: unknown): XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as XmlNode) : {};
}

/** Text of an element, with or without attributes; of the first when it is repeated. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return textOf(value[0]);
  const text = asNode(value)['#text'];
  return typeof text === 'string' ? text : '';
}

function attributeOf(value: unknown, name: string): string {
  const attribute = asNode(Array.isArray(value) ? value[0] : value)[`@${name}`];
  return typeof attribute === 'string' ? attribute : '';
}

function dateOf(value: unknown): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(textOf(value).trim())?.[0];
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
