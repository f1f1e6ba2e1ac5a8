import { plain } from '../plain.ts';
import { ReportBlocks } from './reportBlocks.ts';
import { renderBlock, type RenderedBlock } from './renderedBlock.ts';
import { Sanitizing } from './sanitize.ts';

/** The source of a marker `[n]`, as far as it is known. */
export interface Citation {
  readonly label: string;
  readonly tooltip: string;
}

/** Blocks are grouped, so that laying out a new one does not visit all that came before it. */
const groupSize = 16;

/** How much text is taken at a time, in UTF-16 units: some milliseconds' worth on a slow machine. */
const stepLength = 500;

/** Renders a growing Markdown text into an element. Frozen blocks are never touched again. */
export class ReportDom {
  readonly #root: HTMLElement;
  readonly #stream = new ReportBlocks();
  readonly #clean = new PlainText();
  readonly #sanitizing = new Sanitizing();
  #blocks: RenderedBlock[] = [];
  #text = '';
  /** How much of the text is shown. */
  #shown = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** True when the whole text is shown. */
  get settled(): boolean {
    return this.#shown === this.#text.length;
  }

  /**
   * Shows more of `text`, the whole text so far, until all of it is shown or the clock (of `performance.now`) reaches
   * `until`; at least one step. Gives the elements that changed.
   */
  update(text: string, until: number): HTMLElement[] {
    const clean = this.#clean.of(text);
    this.#shown = Math.min(this.#shown, commonPrefix(this.#text, clean));
    this.#text = clean;
    const changed: HTMLElement[] = [];
    do {
      this.#shown = stepEnd(clean, this.#shown);
      changed.push(...this.#show(clean.slice(0, this.#shown)));
    } while (!this.settled && performance.now() < until);
    return changed;
  }

  #show(text: string): HTMLElement[] {
    const { kept, blocks } = this.#stream.update(text);
    const changed = blocks.map((token, i) => {
      const index = kept + i;
      const known = this.#blocks[index];
      if (known?.patch(token, this.#sanitizing)) return known.element;
      const made = renderBlock(token, this.#sanitizing);
      if (known) known.element.replaceWith(made.element);
      else this.#group(index).append(made.element);
      this.#blocks[index] = made;
      return made.element;
    });
    this.#sanitizing.run();
    for (const gone of this.#blocks.splice(kept + blocks.length)) gone.element.remove();
    return changed;
  }

  /** Turns the markers below `elements` (default: all) whose source is known into buttons. */
  cite(citation: (number: number) => Citation | undefined, elements: readonly Element[] = [this.#root]): void {
    for (const marker of elements.flatMap((element) => [...element.querySelectorAll<HTMLElement>('[data-citation]')])) {
      const number = Number(marker.dataset['citation']);
      const known = citation(number);
      const isButton = marker instanceof HTMLButtonElement;
      if (known && isButton) label(marker, known);
      else if (known) marker.replaceWith(label(chip(number), known));
      else if (isButton) marker.replaceWith(unknown(number));
    }
  }

  #group(index: number): Element {
    const group = this.#root.children[Math.floor(index / groupSize)];
    if (group) return group;
    const made = document.createElement('div');
    this.#root.append(made);
    return made;
  }
}

/** Where a step ends that begins at `from`: after a line if there is one, so that no half of a line is drawn. */
function stepEnd(text: string, from: number): number {
  if (text.length - from <= stepLength) return text.length;
  const line = text.lastIndexOf('\n', from + stepLength) + 1;
  return line > from ? line : from + stepLength;
}

function commonPrefix(a: string, b: string): number {
  if (b.startsWith(a)) return a.length;
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** The text without hidden characters; only what was added since the last time is looked at. */
class PlainText {
  #seen = '';
  #clean = '';

  of(text: string): string {
    // A pair of surrogates may be cut in two by the end of a delta.
    const cut = /[\uD800-\uDBFF]$/.test(this.#seen);
    if (cut || !text.startsWith(this.#seen)) this.#clean = plain(text);
    else this.#clean += plain(text.slice(this.#seen.length));
    this.#seen = text;
    return this.#clean;
  }
}

/** A marker whose source is not known (yet): a year in brackets, for one. */
function unknown(number: number): HTMLElement {
  const marker = document.createElement('span');
  marker.dataset['citation'] = String(number);
  marker.textContent = `[${number}]`;
  return marker;
}

function chip(number: number): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'chip';
  button.dataset['citation'] = String(number);
  button.dataset['testid'] = 'citation';
  button.textContent = String(number);
  return button;
}

function label(button: HTMLButtonElement, citation: Citation): HTMLButtonElement {
  button.title = citation.tooltip;
  button.ariaLabel = citation.label;
  return button;
}
