import { plain } from '../plain.ts';
import { ReportBlocks } from './reportBlocks.ts';
import { renderBlock, type RenderedBlock } from './renderedBlock.ts';

/** What a marker `[n]` stands for, as far as it is known. */
export interface Citation {
  readonly label: string;
  readonly tooltip: string;
}

/** Keeps an element showing a Markdown text that grows. Frozen blocks are never touched again. */
export class ReportDom {
  private readonly root: HTMLElement;
  private readonly stream = new ReportBlocks();
  private blocks: RenderedBlock[] = [];
  private text = '';

  constructor(root: HTMLElement) {
    this.root = root;
  }

  /** `text` is the whole text so far. */
  update(text: string): void {
    if (text === this.text) return;
    this.text = text;
    const { kept, blocks } = this.stream.update(plain(text));
    blocks.forEach((token, i) => {
      const known = this.blocks[kept + i];
      if (known?.patch(token)) return;
      const made = renderBlock(token);
      if (known) known.element.replaceWith(made.element);
      else this.root.append(made.element);
      this.blocks[kept + i] = made;
    });
    for (const gone of this.blocks.splice(kept + blocks.length)) gone.element.remove();
  }

  /** Turns the markers whose source is known into buttons. `again`: the numbers changed, relabel those that are buttons. */
  cite(citation: (number: number) => Citation | undefined, again: boolean): void {
    for (const marker of this.root.querySelectorAll<HTMLElement>(again ? '[data-citation]' : 'span[data-citation]')) {
      const number = Number(marker.dataset['citation']);
      const known = citation(number);
      if (!known && marker instanceof HTMLSpanElement) continue;
      marker.replaceWith(known ? chip(number, known) : unknown(number));
    }
  }
}

/** A marker whose source is not known (yet): a year in brackets, for one. */
function unknown(number: number): HTMLElement {
  const marker = document.createElement('span');
  marker.dataset['citation'] = String(number);
  marker.textContent = `[${number}]`;
  return marker;
}

function chip(number: number, { label, tooltip }: Citation): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'chip';
  button.dataset['citation'] = String(number);
  button.dataset['testid'] = 'citation';
  button.textContent = String(number);
  button.title = tooltip;
  button.ariaLabel = label;
  return button;
}
