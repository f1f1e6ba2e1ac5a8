import { MarkdownWriter } from './markdownWriter.ts';
import { reportBlocks, reportInlines } from './readDocument.ts';
import { type Inline, wordsOf } from './tree.ts';

/**
 * Writes a report again from its tree: a text from elsewhere then contains only what a report may contain, and one of our own stays
 * as it is.
 */
export function rewriteDocument(markdown: string): string {
  const writer = new MarkdownWriter();
  let out = '';
  for (const part of reportBlocks(markdown)) {
    switch (part.type) {
      case 'heading':
        out += writer.heading(part.level, nodesOf(part.text));
        break;
      case 'start':
        writer.startParagraph(part.place);
        break;
      case 'unit':
        out += writer.unit(nodesOf(part.text), /\s$/.test(part.text));
        break;
      case 'end':
        out += writer.endParagraph();
        break;
      case 'header':
        out += writer.header(part.cells.map(nodesOf), part.align);
        break;
      case 'row':
        out += writer.row(part.cells.map(nodesOf));
        break;
      case 'fence':
        out += writer.fence(part.mark, part.info, part.depth, part.quotes);
        break;
      case 'line':
        out += writer.line(part.text);
        break;
      case 'fenceEnd':
        out += writer.endFence();
        break;
      case 'definition':
    }
  }
  return out;
}

/** An address without words of its own is written as such. */
function nodesOf(text: string): Inline[] {
  return reportInlines(text).map((node) =>
    node.type === 'link' && /^(?:https?:\/\/|www\.)/i.test(wordsOf(node.children)) ? { ...node, children: [] } : node,
  );
}
