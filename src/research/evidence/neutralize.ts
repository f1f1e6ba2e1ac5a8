import { oneLine, stripHidden } from '../../markdown/hidden.ts';
import { literalInlines } from '../../markdown/linkAddresses.ts';
import { parseInlines } from '../../markdown/parseInlines.ts';
import { readLiteral, writeLiteral } from '../../markdown/writeInlines.ts';
import { append, type Inline, type Parsed } from '../../markdown/tree.ts';

/** UTF-16 units of a text that is shown as one line: a title, a name, a line of the account. */
const longestLine = 1_000;

/** A text of others as one bounded line of characters that can be seen. What it holds of Markdown is escaped when it is written. */
export function inertLine(text: string): string {
  const line = oneLine(text.slice(0, 4 * longestLine));
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1).toWellFormed()}…`;
}

/**
 * A text that is not Markdown (a name, an error, a question) as nodes. An address in it is shown as code, which nothing turns
 * into a link, or left out.
 */
export function literalNodes(text: string, addresses: 'code' | 'drop' = 'code'): Inline[] {
  return plainNodes(literalInlines(inertLine(text)), addresses);
}

/** A text that is not Markdown as one line of a Markdown file, at the start of a line or behind a mark; {@link readLiteral} undoes it. */
export function literalMarkdown(text: string, place: 'start' | 'middle'): string {
  return writeLiteral(oneLine(text), place);
}

export { readLiteral };

/** A title or heading that a model may have written, as nodes: words and their emphasis, no marker, no link. */
export function titleNodes(markdown: string): Inline[] {
  return plainNodes(parseInlines(inertLine(markdown)), 'code');
}

function plainNodes(nodes: readonly Parsed[], addresses: 'code' | 'drop'): Inline[] {
  const plain: Inline[] = [];
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'code') append(plain, node);
    else if (node.type === 'name') plain.push({ type: 'code', text: node.text });
    else if (node.type === 'link' && node.children.length === 0) {
      if (addresses === 'code' && node.href !== '') plain.push({ type: 'code', text: node.raw ?? node.href });
    } else if ('children' in node) for (const child of plainNodes(node.children, addresses)) append(plain, child);
  }
  return plain;
}

/** A URL that may appear in a report, normalised, without what would end a Markdown link; undefined for anything but http(s). */
export function safeUrl(url: string): string | undefined {
  if (url.length > 4_000 || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return stripHidden(parsed.href).replace(
    /[()<>\s`[\]]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
