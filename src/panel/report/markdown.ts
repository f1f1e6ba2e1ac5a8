import { escapeHtml, inlineHtml } from '../../markdown/inlineHtml.ts';
import { readDocument, type Block, type Cell, type ListItem, type TopBlock } from '../../markdown/readDocument.ts';
import { wordsOf, type Inline } from '../../markdown/tree.ts';

export type { Block, ListItem, TopBlock };

export function lexBlocks(source: string): TopBlock[] {
  return readDocument(source);
}

export function blockHtml(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${inline(block.nodes)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inline(block.nodes)}</p>`;
    case 'quote':
      return `<blockquote>${block.blocks.map(blockHtml).join('')}</blockquote>`;
    case 'code':
      return `<pre><code>${escapeHtml(block.lines.join('\n'))}</code></pre>`;
    case 'list': {
      const tag = block.start === undefined ? 'ul' : 'ol';
      const start = block.start === undefined || block.start === 1 ? '' : ` start="${block.start}"`;
      return `<${tag}${start}>${block.items.map((item) => `<li>${itemHtml(item)}</li>`).join('')}</${tag}>`;
    }
    case 'table':
      return `<table><thead>${rowHtml(block.header, 'th')}</thead><tbody>${block.rows.map((row) => rowHtml(row, 'td')).join('')}</tbody></table>`;
  }
}

/** The content of `<li>`; items with several paragraphs have them as such. */
export function itemHtml({ blocks }: ListItem): string {
  const isTight = blocks.filter(({ type }) => type === 'paragraph').length === 1;
  return blocks
    .map((block) => (block.type === 'paragraph' && isTight ? inline(block.nodes) : blockHtml(block)))
    .join('');
}

/** One `<tr>`. */
export function rowHtml(cells: readonly Cell[], tag: 'td' | 'th'): string {
  const html = cells.map(
    ({ nodes, align }) => `<${tag}${align === '' ? '' : ` align="${align}"`}>${inline(nodes)}</${tag}>`,
  );
  return `<tr>${html.join('')}</tr>`;
}

/** What distinguishes one table from another: the words and sides of its header. */
export function headKey(cells: readonly Cell[]): string {
  return cells.map(({ nodes, align }) => `${align}|${wordsOf(nodes)}`).join('\n');
}

function inline(nodes: readonly Inline[]): string {
  return inlineHtml(nodes, ({ number }) => `<span data-citation="${number}">[${number}]</span>`);
}
