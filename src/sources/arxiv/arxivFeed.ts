import { XMLValidator } from 'fast-xml-parser';
import { ResearchError } from '../../research/errors.ts';
import { parseArxivId } from './arxivId.ts';
import { Slices } from '../../research/calls/slices.ts';
import { feedParser, listOf, nodeOf, textOf, type XmlNode } from '../readers/xml.ts';
import { collapse, latexText } from './latexText.ts';

/** A field is empty when the feed names none. */
export interface ArxivEntry {
  /** Without version. */
  readonly id: string;
  /** `v3`. */
  readonly version: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly summary: string;
  /** `YYYY-MM-DD` of the first and of this version. */
  readonly published: string;
  readonly updated: string;
  readonly primaryCategory: string;
  readonly comment: string;
  readonly journalRef: string;
  readonly doi: string;
  readonly withdrawn: boolean;
}

export interface ArxivFeed {
  /** Matches in all, of which the entries are a page. */
  readonly total: number;
  readonly entries: readonly ArxivEntry[];
}

const parser = feedParser(['entry', 'author', 'link'], 50_000_000);

/** Four times what is asked for at most. */
const maxEntries = 200;
/** UTF-16 units of one entry: a paper of 5,000 authors has 300,000. */
const maxEntryLength = 400_000;
/** UTF-16 units of all that is no entry. */
const maxFrameLength = 100_000;
const longest = { title: 2_000, summary: 50_000, field: 2_000 };

/**
 * Reads an Atom feed of arXiv, in the layout before or after 2026, entry by entry, so that Stop gets through. Rejects with
 * `badAnswer` what is no whole feed (an HTML page, plain text, a cut-off answer), or one that is far larger than what was asked
 * for, and with `badRequest` the service's own error entry: neither is ever "no results".
 */
export async function parseArxivFeed(text: string, signal: AbortSignal): Promise<ArxivFeed> {
  const unusable = unusableReason(text);
  if (unusable !== undefined) throw badFeed(unusable);
  const split = splitFeed(text);
  if (split === undefined) throw badFeed('arXiv sent far more than was asked for.');
  const feed = nodeOf(parseXml(split.frame)['feed']);
  const entries: ArxivEntry[] = [];
  const slices = new Slices(signal);
  for (const entryText of split.entries) {
    await slices.next();
    const node = nodeOf(listOf(parseXml(entryText)['entry'])[0]);
    if (/\/api\/errors/.test(textOf(node['id']).slice(0, longest.field))) throw refused(node);
    const entry = readEntry(node);
    if (entry !== undefined) entries.push(entry);
  }
  const total = Number.parseInt(textOf(feed['totalResults']), 10);
  return { total: Number.isSafeInteger(total) && total >= 0 ? total : entries.length, entries };
}

function refused(failure: XmlNode): ResearchError {
  const why = collapse(textOf(failure['summary']).slice(0, longest.field)).slice(0, 300);
  const quoted = why === '' ? '' : `: ${why}.`;
  return new ResearchError('badRequest', `arXiv refused the request${quoted || '.'}`, {
    quoted,
    next: 'Change the query or the ids.',
  });
}

/** The texts of the entries, and the feed without them; undefined when it is too large. In time that is linear in the text. */
function splitFeed(text: string): { readonly frame: string; readonly entries: readonly string[] } | undefined {
  const opening = /<(\w{1,20}:)?entry[\s>]/g;
  const entries: string[] = [];
  let frame = '';
  let at = 0;
  for (let begin = opening.exec(text); begin !== null; begin = opening.exec(text)) {
    const closing = `</${begin[1] ?? ''}entry>`;
    const end = text.indexOf(closing, opening.lastIndex);
    if (end === -1) break;
    frame += text.slice(at, begin.index);
    at = end + closing.length;
    opening.lastIndex = at;
    if (entries.length === maxEntries || at - begin.index > maxEntryLength) return undefined;
    entries.push(text.slice(begin.index, at));
  }
  frame += text.slice(at);
  return frame.length > maxFrameLength ? undefined : { frame, entries };
}

const damaged = 'The answer from arXiv is damaged or incomplete.';

function parseXml(text: string): XmlNode {
  try {
    if (XMLValidator.validate(text) === true) return nodeOf(parser.parse(text));
  } catch {
    // It nests too deeply, or has names or entities that the parser refuses.
  }
  throw badFeed(damaged);
}

function badFeed(why: string): ResearchError {
  return new ResearchError('badAnswer', why, { next: 'Use the other sources.' });
}

/** Why an answer is no feed that can be read; undefined when it looks like a whole one. */
export function unusableReason(text: string): string | undefined {
  const start = text.trimStart().slice(0, 400);
  if (/^(<!doctype html|<html)/i.test(start)) return 'arXiv answered with a web page instead of results.';
  if (!/^(<\?xml|<feed|<\w{1,20}:feed)/.test(start))
    return `arXiv's answer is not a feed${start === '' ? ' (nothing at all)' : ''}.`;
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'arXiv answered with a document of another kind.';
  if (!/<(\w{1,20}:)?feed[\s>]/.test(start)) return 'arXiv answered with a document of another kind.';
  if (!/<\/(?:\w{1,20}:)?feed>$/.test(text.slice(-1_000).trimEnd())) return damaged;
  const frame = splitFeed(text)?.frame;
  if (frame !== undefined && XMLValidator.validate(frame) !== true) return damaged;
  return undefined;
}

/** The service throttles in plain text, with any status. */
export function saysTooMany(text: string): boolean {
  return /^\s*(rate exceeded|too many requests)/i.test(text);
}

function readEntry(node: XmlNode): ArxivEntry | undefined {
  const id = parseArxivId(textOf(node['id']).slice(0, longest.field));
  if (id === undefined) return undefined;
  const field = (name: string): string => textOf(node[name]).slice(0, longest.field);
  const summary = latexText(textOf(node['summary']).slice(0, longest.summary));
  const comment = latexText(field('comment'));
  return {
    ...id,
    title: latexText(textOf(node['title']).slice(0, longest.title)),
    authors: listOf(node['author'])
      .map((author) => latexText(textOf(nodeOf(author)['name']).slice(0, longest.field)))
      .filter((name) => name !== ''),
    summary,
    published: dateOf(node['published']),
    updated: dateOf(node['updated']),
    primaryCategory: attributeOf(node['primary_category'], 'term').slice(0, 40),
    comment,
    journalRef: collapse(field('journal_ref')),
    doi: collapse(field('doi')),
    // The feed has no flag for it.
    withdrawn:
      /\bwithdrawn\b/i.test(comment) ||
      /^(this|the) (paper|article|submission|manuscript|work) (has been|is|was) withdrawn\b|^withdrawn\b/i.test(
        summary,
      ),
  };
}

function attributeOf(value: unknown, name: string): string {
  const attribute = nodeOf(Array.isArray(value) ? value[0] : value)[`@${name}`];
  return typeof attribute === 'string' ? attribute : '';
}

function dateOf(value: unknown): string {
  return /^\d{4}-\d{2}-\d{2}/.exec(textOf(value).slice(0, 100).trim())?.[0] ?? '';
}
