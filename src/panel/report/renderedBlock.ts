import type { Token, Tokens } from 'marked';
import { blockHtml, cellHtml, itemHtml } from './markdown.ts';
import { safeFragment } from './sanitize.ts';

/**
 * One block of the report in the document. A list that grows keeps its items, a table its rows: only a part whose source
 * changed is rendered again, so that a long list costs no more per line than a short one.
 */
export interface RenderedBlock {
  readonly element: HTMLElement;
  /** Makes the element show `token`. False: it is another kind of block, and must be replaced. */
  patch(token: Token): boolean;
}

export function renderBlock(token: Token): RenderedBlock {
  const block = blockFor(token);
  block.patch(token);
  return block;
}

function blockFor(token: Token): RenderedBlock {
  switch (token.type) {
    case 'list':
      return new ListBlock(token as Tokens.List);
    case 'table':
      return new TableBlock(token as Tokens.Table);
    case 'code':
      return new CodeBlock();
    default:
      return new PlainBlock();
  }
}

class PlainBlock implements RenderedBlock {
  readonly element = block('div');
  private raw: string | undefined;

  patch(token: Token): boolean {
    if (token.type === 'list' || token.type === 'table' || token.type === 'code') return false;
    // The type counts too: `a` and `===` under it are one text and then a heading.
    const raw = `${token.type}\n${token.raw}`;
    if (raw !== this.raw) this.element.replaceChildren(safeFragment(blockHtml(token)));
    this.raw = raw;
    return true;
  }
}

class CodeBlock implements RenderedBlock {
  readonly element = block('div');
  private readonly code = document.createElement('code');

  constructor() {
    const pre = document.createElement('pre');
    pre.dir = 'ltr';
    // Long lines scroll, for the keyboard too.
    pre.tabIndex = 0;
    pre.append(this.code);
    this.element.append(pre);
  }

  patch(token: Token): boolean {
    if (token.type !== 'code') return false;
    const { text } = token as Tokens.Code;
    if (this.code.textContent !== text) this.code.textContent = text;
    return true;
  }
}

class ListBlock implements RenderedBlock {
  readonly element = block('div');
  private readonly list: HTMLOListElement | HTMLUListElement;
  private readonly parts: Parts;

  constructor({ ordered }: Tokens.List) {
    this.list = document.createElement(ordered ? 'ol' : 'ul');
    this.parts = new Parts(this.list);
    this.element.append(this.list);
  }

  patch(token: Token): boolean {
    if (token.type !== 'list') return false;
    const { ordered, start, items } = token as Tokens.List;
    if (ordered !== this.list instanceof HTMLOListElement) return false;
    if (this.list instanceof HTMLOListElement && start !== '') this.list.start = start;
    this.parts.show(
      items.map((item) => ({ key: `${item.loose}\n${item.raw.trimEnd()}`, build: () => listItem(item) })),
    );
    return true;
  }
}

class TableBlock implements RenderedBlock {
  readonly element = block('div');
  private readonly head: string;
  private readonly rows: Parts;

  constructor(token: Tokens.Table) {
    this.head = headKey(token);
    const table = document.createElement('table');
    const head = table.createTHead();
    head.append(tableRow(token.header));
    this.rows = new Parts(table.createTBody());
    const scroller = document.createElement('div');
    scroller.className = 'table';
    scroller.tabIndex = 0;
    scroller.append(table);
    this.element.append(scroller);
  }

  patch(token: Token): boolean {
    if (token.type !== 'table' || headKey(token as Tokens.Table) !== this.head) return false;
    this.rows.show((token as Tokens.Table).rows.map((cells) => ({ key: cells.map((cell) => cell.text).join('\n'), build: () => tableRow(cells) })));
    return true;
  }
}

/** Children of an element, each made from a source text (its key) and kept while that stays the same. */
class Parts {
  private readonly parent: Element;
  private keys: readonly string[] = [];

  constructor(parent: Element) {
    this.parent = parent;
  }

  show(parts: readonly { readonly key: string; readonly build: () => Element }[]): void {
    parts.forEach(({ key, build }, i) => {
      if (this.keys[i] === key) return;
      const old = this.parent.children[i];
      if (old) old.replaceWith(build());
      else this.parent.append(build());
    });
    while (this.parent.children.length > parts.length) this.parent.lastElementChild?.remove();
    this.keys = parts.map((part) => part.key);
  }
}

function listItem(item: Tokens.ListItem): Element {
  const element = document.createElement('li');
  element.append(safeFragment(itemHtml(item)));
  return element;
}

function tableRow(cells: readonly Tokens.TableCell[]): Element {
  const row = document.createElement('tr');
  row.append(
    ...cells.map((cell) => {
      const element = document.createElement(cell.header ? 'th' : 'td');
      if (cell.align) element.align = cell.align;
      element.append(safeFragment(cellHtml(cell)));
      return element;
    }),
  );
  return row;
}

function headKey({ header, align }: Tokens.Table): string {
  return [...align, ...header.map((cell) => cell.text)].join('\n');
}

function block(tag: 'div'): HTMLElement {
  const element = document.createElement(tag);
  element.className = 'block';
  element.dir = 'auto';
  return element;
}
