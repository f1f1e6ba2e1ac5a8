import { headingOf } from '../../markdown/blockLine.ts';
import { addressIdentity } from '../evidence/addressIdentity.ts';
import { isReferenceHeading } from '../languages/headings.ts';
import type { StoredSource } from './storedSources.ts';

/** One item of a report's list of references. */
export interface ReferenceItem {
  readonly number: number;
  /** After the number, as written in the Markdown. */
  readonly text: string;
}

const item = /^ {0,3}(?:[-*+]|\d{1,4}[.)])\s+(?:<a id="ref-\d{1,4}"><\/a>)?\\?\[(\d{1,4})\\?\]:?\s*(.*)$/;

/** The items below the last heading of references, in their order; each number once. */
function referenceItems(markdown: string): ReferenceItem[] {
  const lines = markdown.split(/\r?\n/);
  const start = lines.findLastIndex((line) => isReferenceHeading(headingOf(line)?.text ?? ''));
  if (start < 0) return [];
  const end = lines.findIndex((line, index) => index > start && headingOf(line) !== undefined);
  const found = new Map<number, string>();
  let open: number | undefined;
  for (const line of lines.slice(start + 1, end < 0 ? undefined : end)) {
    const match = item.exec(line);
    if (match) {
      open = found.has(Number(match[1])) ? undefined : Number(match[1]);
      if (open !== undefined) found.set(open, match[2]!);
    } else if (line.trim() === '') open = undefined;
    // An editor may have wrapped a long item.
    else if (open !== undefined) found.set(open, `${found.get(open)!} ${line.trim()}`);
  }
  return [...found].map(([number, text]) => ({ number, text }));
}

/**
 * The cited sources of a report, in the order of its references. What an item says comes first, because its user may have
 * removed or moved some; what it no longer says, `order` does (ids as the run numbered them: number n is the n-th).
 */
export function citedSources(
  markdown: string,
  sources: readonly StoredSource[],
  order: readonly string[],
): StoredSource[] {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const items = referenceItems(markdown);
  const found =
    items.length > 0
      ? items.map(({ number, text }) => sourceOf(text, sources) ?? byId.get(order[number - 1] ?? ''))
      : order.map((id) => byId.get(id));
  return [...new Set(found.filter((source) => source !== undefined))];
}

/** The source that an item names: by its address, by file and lines, by its title. */
function sourceOf(text: string, sources: readonly StoredSource[]): StoredSource | undefined {
  const identities = [...text.matchAll(/https?:\/\/[^\s<>)\]]+/g)].flatMap(
    ([url]) => addressIdentity(url.replace(/[.,;:]+$/, '')) ?? [],
  );
  const byAddress = sources.find((source) =>
    identities.some((identity) => source.identity === identity || source.aliases.includes(identity)),
  );
  if (byAddress) return byAddress;
  const words = plainWords(text);
  const byFile = sources.find(
    ({ file }) => file && words.includes(`${plainWords(file.path)}#l${file.firstLine}-l${file.lastLine}`),
  );
  if (byFile) return byFile;
  const titled = sources.filter(
    ({ title, url, file }) => !url && !file && plainWords(title) !== '' && words.startsWith(plainWords(title)),
  );
  // Of "Notes" and "Notes on search" the longer one is meant.
  return titled.sort((a, b) => b.title.length - a.title.length)[0];
}

/** Without the escapes of Markdown, which an editor may have put in or taken out. */
function plainWords(text: string): string {
  return text.replace(/\\(.)/g, '$1').replaceAll('&lt;', '<').replace(/\s+/g, ' ').trim().toLowerCase();
}
