/**
 * What Markdown may contain in this product. There is no node for HTML, for an image, for a definition or for a link whose
 * address was not checked: in a text, these become plain text or are dropped.
 */
export type Inline = Text | Code | Styled | Citation | Link;

export interface Text {
  readonly type: 'text';
  readonly text: string;
}
export interface Code {
  readonly type: 'code';
  readonly text: string;
}
export interface Styled<Child = Inline> {
  readonly type: 'strong' | 'emphasis' | 'deleted';
  readonly children: readonly Child[];
}
/** `[3]`: the third reference. */
export interface Citation {
  readonly type: 'citation';
  readonly number: number;
  /** The reference begins here: what the others lead to. */
  readonly isTarget?: boolean;
}
/** An address, and the words shown for it; without words the address is shown itself. */
export interface Link<Child = Inline> {
  readonly type: 'link';
  readonly href: string;
  readonly children: readonly Child[];
  /** Of an address without words: as written in the text, with or without a scheme. */
  readonly raw?: string;
}

/** Ids of sources and numbers of findings in the order of the marker; empty for a marker that names none (`[s1]`, `[^2]`). */
export interface Ids {
  readonly type: 'ids';
  readonly ids: readonly string[];
  readonly raw: string;
}
/** Numbers in brackets, as a citation or an array index has them. `raw` is the text with its brackets. */
export interface Numbers {
  readonly type: 'numbers';
  readonly numbers: readonly number[];
  readonly raw: string;
  /** See {@link Citation}. */
  readonly isTarget?: boolean;
}

/** A bare host such as `example.org`: the name of a product, or an address. */
export interface Name {
  readonly type: 'name';
  readonly text: string;
}

/** What a text of others is read as. Its links and numbers are unchecked. */
export type Parsed = Text | Code | Styled<Parsed> | Link<Parsed> | Name | Ids | Numbers;

/** The words alone: no marker, no address. */
export function wordsOf(nodes: readonly (Parsed | Inline)[]): string {
  let words = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'code' || node.type === 'name') words += node.text;
    else if ('children' in node) words += wordsOf(node.children);
  }
  return words;
}

/** Appends a node; text is joined to text, so that nothing hides in the seam between two of them. */
export function append<Node extends { readonly type: string }>(nodes: Node[], node: Node | Text): void {
  const last = nodes.at(-1);
  if (node.type !== 'text' || last?.type !== 'text') {
    if (node.type !== 'text' || (node as Text).text !== '') nodes.push(node as Node);
    return;
  }
  nodes[nodes.length - 1] = { type: 'text', text: (last as unknown as Text).text + (node as Text).text } as never;
}
