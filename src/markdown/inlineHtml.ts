import type { Citation, Inline } from './tree.ts';

/** Nodes as HTML. The page decides what a citation becomes. */
export function inlineHtml(nodes: readonly Inline[], citation: (node: Citation) => string): string {
  let html = '';
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
        html += escapeHtml(node.text);
        break;
      case 'code':
        html += `<code>${escapeHtml(node.text)}</code>`;
        break;
      case 'citation':
        html += citation(node);
        break;
      case 'link':
        html += `<a href="${escapeHtml(node.href)}" rel="noopener noreferrer">${inlineHtml(node.children, citation)}</a>`;
        break;
      default: {
        const tag = { strong: 'strong', emphasis: 'em', deleted: 'del' }[node.type];
        html += `<${tag}>${inlineHtml(node.children, citation)}</${tag}>`;
      }
    }
  }
  return html;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
