import { findAddresses } from './addresses.ts';
import { stripHidden } from './hidden.ts';
import { append, type Parsed, type Styled } from './tree.ts';

/** Addresses in the text become links. */
export function linkAddresses(nodes: readonly Parsed[]): Parsed[] {
  const linked: Parsed[] = [];
  for (const node of nodes) {
    if ('children' in node) linked.push({ ...node, children: linkAddresses(node.children) });
    else if (node.type === 'text') {
      let from = 0;
      // Entities and joined pieces may have brought hidden characters back.
      const text = stripHidden(node.text);
      for (const { start, end, href, isName } of findAddresses(text)) {
        append<Parsed>(linked, { type: 'text', text: text.slice(from, start) });
        if (isName) linked.push({ type: 'name', text: text.slice(start, end) });
        else linked.push({ type: 'link', href, children: [], raw: text.slice(start, end) });
        from = end;
      }
      append<Parsed>(linked, { type: 'text', text: text.slice(from) });
    } else linked.push(node);
  }
  return linked;
}

export function isAddress(text: string): boolean {
  const trimmed = text.trim();
  const [first] = findAddresses(trimmed);
  return first !== undefined && !first.isName && first.start === 0 && first.end === trimmed.length;
}

export function isStyled(node: Parsed): node is Styled<Parsed> {
  return node.type === 'strong' || node.type === 'emphasis' || node.type === 'deleted';
}

export function flatten(nodes: readonly Parsed[]): Parsed[] {
  const flat: Parsed[] = [];
  for (const node of nodes)
    for (const child of isStyled(node) ? flatten(node.children) : [node]) append<Parsed>(flat, child);
  return flat;
}

/** Text that is not Markdown: one node, apart from its addresses. */
export function literalInlines(text: string): Parsed[] {
  return linkAddresses([{ type: 'text', text: stripHidden(text) }]);
}
