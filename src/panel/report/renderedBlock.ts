import { blockHtml, headKey, itemHtml, rowHtml, type Block } from './markdown.ts';
import type { Sanitizing } from './sanitize.ts';

/**
 * One block of the report in the document. A growing list reuses its items, a table its rows: only a part whose source
 * changed is rendered again, so that the cost per line does not grow with the list.
 */
export interface RenderedBlock {
  readonly element: HTMLElement;
  /**
   * Makes the element show `token`, as soon as what it asks of `sanitizing` is done. False: it is another kind of block, and
   * must be replaced.
   */
  patch(token: Block, sanitizing: Sanitizing): boolean;
}

export function renderBlock(token: Block, sanitizing: Sanitizing): RenderedBlock {
  const block = blockFor(token, sanitizing);
  block.patch(token, sanitizing);
  return block;
}

function blockFor(token: Block, sanitizing: Sanitizing): RenderedBlock {
  switch (token.type) {
    case 'list':
      return new ListBlock(token);
    case 'table':
      return new TableBlock(token, sanitizing);
    case 'code':
      return new CodeBlock();
    default:
      return new PlainBlock();
  }
}

class PlainBlock implements RenderedBlock {
  readonly element = blockElement();
  #source: string | undefined;

  patch(token: Block, sanitizing: Sanitizing): boolean {
    if (token.type === 'list' || token.type === 'table' || token.type === 'code') return false;
    const source = blockHtml(token);
    if (source !== this.#source) sanitizing.add(source, (safe) => this.element.replaceChildren(...safe.childNodes));
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

  patch(token: Block): boolean {
    if (token.type !== 'code') return false;
    const text = token.lines.join('\n');
    if (text.startsWith(this.#text.data)) this.#text.appendData(text.slice(this.#text.length));
    else this.#text.data = text;
    return true;
  }
}

class ListBlock implements RenderedBlock {
  readonly element = blockElement();
  readonly #list: HTMLOListElement | HTMLUListElement;
  readonly #items: Parts;

  constructor({ start }: Extract<Block, { type: 'list' }>) {
    this.#list = document.createElement(start === undefined ? 'ul' : 'ol');
    this.#items = new Parts(this.#list, listFrame);
    this.element.append(this.#list);
  }

  patch(token: Block, sanitizing: Sanitizing): boolean {
    if (token.type !== 'list') return false;
    const { start, items } = token;
    if ((start !== undefined) !== this.#list instanceof HTMLOListElement) return false;
    if (this.#list instanceof HTMLOListElement && start !== undefined && this.#list.start !== start)
      this.#list.start = start;
    const parts = items.map((item) => `<li>${itemHtml(item)}</li>`);
    this.#items.show(parts, sanitizing);
    return true;
  }
}

class TableBlock implements RenderedBlock {
  readonly element = blockElement();
  readonly #head: string;
  readonly #rows: Parts;

  constructor(token: Extract<Block, { type: 'table' }>, sanitizing: Sanitizing) {
    this.#head = headKey(token.header);
    const table = document.createElement('table');
    new Parts(table.createTHead(), tableFrame).show([rowHtml(token.header, 'th')], sanitizing);
    this.#rows = new Parts(table.createTBody(), tableFrame);
    const scroller = document.createElement('div');
    scroller.className = 'table';
    scroller.tabIndex = 0;
    scroller.append(table);
    this.element.append(scroller);
  }

  patch(token: Block, sanitizing: Sanitizing): boolean {
    if (token.type !== 'table' || headKey(token.header) !== this.#head) return false;
    const parts = token.rows.map((cells) => rowHtml(cells, 'td'));
    this.#rows.show(parts, sanitizing);
    return true;
  }
}

/** What HTML wants around a part, and how the part is found in it. */
interface Frame {
  readonly open: string;
  readonly close: string;
  readonly parts: string;
}

const listFrame: Frame = { open: '<ul>', close: '</ul>', parts: ':scope > ul > li' };
const tableFrame: Frame = { open: '<table><tbody>', close: '</tbody></table>', parts: ':scope > table > tbody > tr' };

/** Children of an element, each reused while its source is the same. */
class Parts {
  readonly #parent: Element;
  readonly #frame: Frame;
  #keys: readonly string[] = [];

  constructor(parent: Element, frame: Frame) {
    this.#parent = parent;
    this.#frame = frame;
  }

  /** Each part is one element as HTML: the same HTML, the same element. */
  show(parts: readonly string[], sanitizing: Sanitizing): void {
    const keys = this.#keys;
    const parent = this.#parent;
    const frame = this.#frame;
    this.#keys = parts;
    while (parent.children.length > parts.length) parent.lastElementChild?.remove();
    const changed = parts.flatMap((part, index) => (keys[index] === part ? [] : [{ part, index }]));
    if (changed.length === 0) return;
    sanitizing.add(frame.open + changed.map(({ part }) => part).join('') + frame.close, (safe) => {
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

function blockElement(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'block';
  element.dir = 'auto';
  return element;
}
