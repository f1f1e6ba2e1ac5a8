import type { Token, Tokens } from 'marked';
import { blockHtml, itemHtml, rowHtml } from './markdown.ts';
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
  readonly element = blockElement();
  private source: string | undefined;

  patch(token: Token): boolean {
    if (token.type === 'list' || token.type === 'table' || token.type === 'code') return false;
    // The type counts too: `a` and `===` under it are one text and then a heading.
    const source = `${token.type}\n${token.raw}`;
    if (source !== this.source) this.element.replaceChildren(safeFragment(blockHtml(token)));
    this.source = source;
    return true;
  }
}

class CodeBlock implements RenderedBlock {
  readonly element = blockElement();
  private readonly text = document.createTextNode('');

  constructor() {
    const pre = document.createElement('pre');
    pre.dir = 'ltr';
    // Long lines scroll, for the keyboard too.
    pre.tabIndex = 0;
    const code = document.createElement('code');
    code.append(this.text);
    pre.append(code);
    this.element.append(pre);
  }

  patch(token: Token): boolean {
    if (token.type !== 'code') return false;
    const { text } = token as Tokens.Code;
    if (text.startsWith(this.text.data)) this.text.appendData(text.slice(this.text.length));
    else this.text.data = text;
    return true;
  }
}

class ListBlock implements RenderedBlock {
  readonly element = blockElement();
  private readonly list: HTMLOListElement | HTMLUListElement;
  private readonly items: Parts;

  constructor({ ordered }: Tokens.List) {
    this.list = document.createElement(ordered ? 'ol' : 'ul');
    this.items = new Parts(this.list, (html) => safeFragment(`<ul>${html}</ul>`).firstElementChild);
    this.element.append(this.list);
  }

  patch(token: Token): boolean {
    if (token.type !== 'list') return false;
    const { ordered, start, items } = token as Tokens.List;
    if (ordered !== this.list instanceof HTMLOListElement) return false;
    if (this.list instanceof HTMLOListElement && start !== '' && this.list.start !== start) this.list.start = start;
    this.items.show(items.map((item) => ({ key: `${item.loose}\n${item.raw.trimEnd()}`, html: () => `<li>${itemHtml(item)}</li>` })));
    return true;
  }
}

class TableBlock implements RenderedBlock {
  readonly element = blockElement();
  private readonly head: string;
  private readonly rows: Parts;

  constructor(token: Tokens.Table) {
    this.head = headKey(token);
    const table = document.createElement('table');
    const head = new Parts(table.createTHead(), tableRows);
    head.show([{ key: this.head, html: () => rowHtml(token.header) }]);
    this.rows = new Parts(table.createTBody(), tableRows);
    const scroller = document.createElement('div');
    scroller.className = 'table';
    scroller.tabIndex = 0;
    scroller.append(table);
    this.element.append(scroller);
  }

  patch(token: Token): boolean {
    if (token.type !== 'table' || headKey(token as Tokens.Table) !== this.head) return false;
    this.rows.show((token as Tokens.Table).rows.map((cells) => ({ key: cells.map((cell) => cell.text).join('\n'), html: () => rowHtml(cells) })));
    return true;
  }
}

interface Part {
  /** The source of the part: the same key, the same element. */
  readonly key: string;
  readonly html: () => string;
}

/** Children of an element, each kept while its source stays the same. What changed is sanitised in one go. */
class Parts {
  private readonly parent: Element;
  private readonly build: (html: string) => Element | null;
  private keys: readonly string[] = [];

  /** `build` gives an element whose children are the parts of an HTML text. */
  constructor(parent: Element, build: (html: string) => Element | null) {
    this.parent = parent;
    this.build = build;
  }

  show(parts: readonly Part[]): void {
    const { keys, parent } = this;
    const changed = parts.flatMap((part, i) => (keys[i] === part.key ? [] : [{ part, old: parent.children[i] }]));
    const made = changed.length === 0 ? [] : [...(this.build(changed.map(({ part }) => part.html()).join(''))?.children ?? [])];
    changed.forEach(({ old }, i) => {
      const element = made[i] ?? document.createElement('span');
      if (old) old.replaceWith(element);
      else parent.append(element);
    });
    while (parent.children.length > parts.length) parent.lastElementChild?.remove();
    this.keys = parts.map((part) => part.key);
  }
}

function tableRows(html: string): Element | null {
  return safeFragment(`<table><tbody>${html}</tbody></table>`).querySelector('tbody');
}

function headKey({ header, align }: Tokens.Table): string {
  return [...align, ...header.map((cell) => cell.text)].join('\n');
}

function blockElement(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'block';
  element.dir = 'auto';
  return element;
}
