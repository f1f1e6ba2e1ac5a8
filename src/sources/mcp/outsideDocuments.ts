import { type FoundDocument, outsideKind } from '../../research/ports.ts';
import { isRecord, parseJson, type Json } from '../../research/text/json.ts';

/** What a tool from outside answered: text blocks, and links to what it speaks of. */
export interface OutsideAnswer {
  readonly texts: readonly string[];
  readonly links?: readonly { readonly title: string; readonly url: string }[];
  /** What was left out: pictures, sounds. */
  readonly dropped?: number;
  /** The tool says that it failed; the text says why. */
  readonly isError?: boolean;
}

/** UTF-16 units of an answer that are read; items of a list; nesting. */
const longestAnswer = 1_000_000;
const mostItems = 50;
const deepest = 12;
const titleNames = ['title', 'name', 'headline', 'subject', 'full_name', 'label', 'story_title'];
const urlNames = ['url', 'link', 'href', 'html_url', 'web_url', 'permalink', 'story_url'];
const dateNames = ['date', 'published', 'published_at', 'publishedat', 'created_at', 'createdat', 'updated_at', 'time'];
const authorNames = ['author', 'authors', 'by', 'creator', 'user', 'username'];

/**
 * The documents of an answer. A list of records with titles gives one for each, whatever it is called; anything else is one
 * document, under the title `call` ("hn: get_story_details 8863").
 */
export function documentsOf(answer: OutsideAnswer, call: string): FoundDocument[] {
  const text = answer.texts.join('\n\n').slice(0, longestAnswer).trim();
  const links = (answer.links ?? []).slice(0, mostItems).map(({ title, url }) => documentOf(title, url, title));
  if (text === '') return links;
  const value = /^[[{]/.test(text) ? parseJson(text) : undefined;
  const items = value === undefined ? [] : itemsOf(value, 0).slice(0, mostItems);
  if (items.length > 0) return [...items.map((item) => itemDocument(item, call)), ...links];
  if (isRecord(value)) return [itemDocument(value, call), ...links];
  return [
    documentOf(call, undefined, value === undefined ? withoutMarkup(text) : linesOf(value, 0).join('\n')),
    ...links,
  ];
}

/** The first list of records with titles, the outermost first. */
function itemsOf(value: unknown, depth: number): readonly Json[] {
  if (Array.isArray(value)) {
    const records = value.filter(isRecord);
    return records.some((record) => textOf(record, titleNames) !== undefined) ? records : [];
  }
  if (!isRecord(value) || depth > 3) return [];
  // A record with a title of its own is what was asked for; its lists belong to it.
  if (textOf(value, titleNames) !== undefined) return [];
  for (const inner of Object.values(value)) {
    const found = itemsOf(inner, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

function itemDocument(item: Json, call: string): FoundDocument {
  const title = textOf(item, titleNames) ?? call;
  const url = textOf(item, urlNames);
  const date = /^\d{4}-\d\d-\d\d/.exec(textOf(item, dateNames) ?? '')?.[0];
  const author = textOf(item, authorNames);
  const lines = linesOf(item, 0).join('\n');
  return {
    ...documentOf(title, url, lines),
    ...(date === undefined ? {} : { date }),
    ...(author === undefined ? {} : { authors: [author] }),
  };
}

function documentOf(title: string, url: string | undefined, text: string): FoundDocument {
  const isPage = url !== undefined && /^https?:\/\//i.test(url);
  return { kind: outsideKind, title, authors: [], ...(isPage ? { url } : {}), text };
}

/** A value in lines that can be read and quoted: `name: value`, lists indented. */
function linesOf(value: unknown, depth: number): string[] {
  const indent = '  '.repeat(Math.min(depth, 4));
  if (depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, Array.isArray(item) ? depth + 1 : depth));
  if (!isRecord(value)) return value === null || value === undefined ? [] : [`${indent}${valueText(value)}`];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (inner === null || inner === undefined || inner === '') return [];
    if (typeof inner === 'object') {
      const lines = linesOf(inner, depth + 1);
      return lines.length === 0 ? [] : [`${indent}${name}:`, ...lines];
    }
    return [`${indent}${name}: ${valueText(inner)}`];
  });
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? withoutMarkup(value) : String(value);
}

/** Tags as spaces; references to characters stay, they are text. Linear: a tag ends at its first bracket. */
function withoutMarkup(text: string): string {
  return text
    .replace(/<\/?(?:p|br|li|div|tr|h\d)\b[^<>]{0,500}>/gi, '\n')
    .replace(/<\/?[a-z][a-z0-9]{0,15}\b[^<>]{0,500}>/gi, ' ');
}

function textOf(record: Json, names: readonly string[]): string | undefined {
  for (const name of names) {
    const key = Object.keys(record).find((own) => own.toLowerCase() === name);
    const value = key === undefined ? undefined : record[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}
