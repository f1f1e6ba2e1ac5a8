import type { Token, Tokens } from 'marked';
import { blockHtml, itemHtml, rowHtml } from './markdown.ts';
import type { Sanitizing } from './sanitize.ts';

/**
 * One block of the report in the document. A list that grows keeps its items, a table its rows: only a part whose source
 * changed is rendered again, so that a long list costs no more per line than a short one.
 */
export interface RenderedBlock {
  readonly element: HTMLElement;
  /**
   * Makes the element show `token`, as soon as what it asks of `sanitizing` is done. False: it is another kind of block, and
   * must be replaced.
   */
  patch(token: Token, sanitizing: Sanitizing): boolean;
}

export function renderBlock(token: Token, sanitizing: Sanitizing): RenderedBlock {
  const block = blockFor(token, sanitizing);
  block.patch(token, sanitizing);
  return block;
}

function blockFor(token: Token, sanitizing: Sanitizing): RenderedBlock {
  switch (token.type) {
    case 'list':
      return new ListBlock(token as Tokens.List);
    case 'table':
      return new TableBlock(token as Tokens.Table, sanitizing);
    case 'code':
      return new CodeBlock();
    default:
      return new PlainBlock();
  }
}

class PlainBlock implements RenderedBlock {
  readonly element = blockElement();
  #source: string | undefined;

  patch(token: Token, sanitizing: Sanitizing): boolean {
    if (token.type === 'list' || token.type === 'table' || token.type === 'code') return false;
    // The type counts too: `a` and `===` under it are one text and then a heading.
    const source = `${token.type}\n${token.raw}`;
    if (source !== this.#source)
      sanitizing.add(blockHtml(token), (safe) => this.element.replaceChildren(...safe.childNodes));
    this.#source = source;
    return true;
  }
}

class CodeBlock implements RenderedBlock {
  readonly element = blockElement();
  readonly #text = document.createTextNode('');

  constructor() {
    const pre = document.createElement('pre');
    pre.dir = 'ltr';
    // Long lines scroll, for the keyboard too.
    pre.tabIndex = 0;
    const code = document.createElement('code');
    code.append(this.#text);
    pre.append(code);
    this.element.append(pre);
  }

  patch(token: Token): boolean {
    if (token.type !== 'code') return false;
    const { text } = token as Tokens.Code;
    if (text.startsWith(this.#text.data)) this.#text.appendData(text.slice(this.#text.length));
    else this.#text.data = text;
    return true;
  }
}

class ListBlock implements RenderedBlock {
  readonly element = blockElement();
  readonly #list: HTMLOListElement | HTMLUListElement;
  readonly #items: Parts;

  constructor({ ordered }: Tokens.List) {
    this.#list = document.createElement(ordered ? 'ol' : 'ul');
    this.#items = new Parts(this.#list, listFrame);
    this.element.append(this.#list);
  }

  patch(token: Token, sanitizing: Sanitizing): boolean {
    if (token.type !== 'list') return false;
    const { ordered, start, items } = token as Tokens.List;
    if (ordered !== this.#list instanceof HTMLOListElement) return false;
    if (this.#list instanceof HTMLOListElement && start !== '' && this.#list.start !== start) this.#list.start = start;
    const parts = items.map((item) => ({
      key: `${item.loose}\n${item.raw.trimEnd()}`,
      html: () => `<li>${itemHtml(item)}</li>`,
    }));
    this.#items.show(parts, sanitizing);
    return true;
  }
}

class TableBlock implements RenderedBlock {
  readonly element = blockElement();
  readonly #head: string;
  readonly #rows: Parts;

  constructor(token: Tokens.Table, sanitizing: Sanitizing) {
    this.#head = headKey(token);
    const table = document.createElement('table');
    new Parts(table.createTHead(), tableFrame).show(
      [{ key: this.#head, html: () => rowHtml(token.header) }],
      sanitizing,
    );
    this.#rows = new Parts(table.createTBody(), tableFrame);
    const scroller = document.createElement('div');
    scroller.className = 'table';
    scroller.tabIndex = 0;
    scroller.append(table);
    this.element.append(scroller);
  }

  patch(token: Token, sanitizing: Sanitizing): boolean {
    if (token.type !== 'table' || headKey(token as Tokens.Table) !== this.#head) return false;
    const parts = (token as Tokens.Table).rows.map((cells) => ({
      key: cells.map((cell) => cell.text).join('\n'),
      html: () => rowHtml(cells),
    }));
    this.#rows.show(parts, sanitizing);
    return true;
  }
}

interface Part {
  /** The source of the part: the same key, the same element. */
  readonly key: string;
  /** One element. */
  readonly html: () => string;
}

/** What HTML wants around a part, and how the part is found in it. */
interface Frame {
  readonly open: string;
  readonly close: string;
  readonly parts: string;
}

const listFrame: Frame = { open: '<ul>', close: '</ul>', parts: ':scope > ul > li' };
const tableFrame: Frame = { open: '<table><tbody>', close: '</tbody></table>', parts: ':scope > table > tbody > tr' };

/** Children of an element, each kept while its source stays the same. */
class Parts {
  readonly #parent: Element;
  readonly #frame: Frame;
  #keys: readonly string[] = [];

  constructor(parent: Element, frame: Frame) {
    this.#parent = parent;
    this.#frame = frame;
  }

  show(parts: readonly Part[], sanitizing: Sanitizing): void {
    const keys = this.#keys;
    const parent = this.#parent;
    const frame = this.#frame;
    this.#keys = parts.map((part) => part.key);
    while (parent.children.length > parts.length) parent.lastElementChild?.remove();
    const changed = parts.flatMap((part, index) => (keys[index] === part.key ? [] : [{ part, index }]));
    if (changed.length === 0) return;
    sanitizing.add(frame.open + changed.map(({ part }) => part.html()).join('') + frame.close, (safe) => {
      const made = [...safe.querySelectorAll(frame.parts)];
      changed.forEach(({ index }, i) => {
        const element = made[i];
        const old = parent.children[index];
        if (element && old) old.replaceWith(element);
        else if (element) parent.append(element);
      });
    });
  }
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
