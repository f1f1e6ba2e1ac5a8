import { escapeHtml, inlineHtml } from '../../markdown/inlineHtml.ts';
import { readDocument, type Block, type Cell, type ListItem, type Table } from '../../markdown/readDocument.ts';
import { type SvgNode, tableChart } from '../../markdown/tableChart.ts';
import { wordsOf, type Citation, type Inline } from '../../markdown/tree.ts';
import { isReferenceHeading } from '../languages/headings.ts';
import { fillText, type Texts } from '../languages/texts.ts';

/** A statement of the report, as it was judged. */
export interface ExportedEvidence {
  readonly sentence: string;
  /** In the report's language. */
  readonly verdict: string;
  readonly passages: readonly {
    readonly number: number;
    readonly text: string;
    /** Where the words that decide begin and end, in UTF-16 units. */
    readonly marked: readonly [number, number];
  }[];
}

/** What the page has beside the text of its report. */
export interface PageParts {
  /** Of a citation, by the text of its block and what of it is before the citation. */
  readonly evidenceOf?: (block: string, before: string, number: number) => ExportedEvidence | undefined;
  /** Tables have charts of their figures. Default: true. */
  readonly charts?: boolean;
}

interface RenderedBody {
  /** Of the report's first heading, when it opens with one: it is left out of `html`. */
  readonly title?: string;
  readonly titleHtml?: string;
  readonly html: string;
}

/** Places in the text that a reference leads back to: a, b, c, … */
const mostBacks = 26;

/** The Markdown of a report as HTML in which no text becomes markup: see `reportHtml`. */
export function renderBody(markdown: string, texts: Texts['page'], parts: PageParts = {}): RenderedBody {
  return new BodyRenderer(texts, parts).render(markdown);
}

class BodyRenderer {
  readonly #texts: Texts['page'];
  readonly #parts: PageParts;
  /** The items of the references, by number. */
  readonly #targets = new Map<ListItem, number>();
  readonly #listed = new Set<number>();
  /** Blocks of the references: their markers are no places that cite. */
  #references = new Set<Block>();
  /** How many places of the text cite each source, so far. */
  readonly #places = new Map<number, number>();
  /** What cites each source. */
  readonly #evidence = new Map<number, Set<ExportedEvidence>>();
  #level = 1;

  constructor(texts: Texts['page'], parts: PageParts) {
    this.#texts = texts;
    this.#parts = parts;
  }

  render(markdown: string): RenderedBody {
    const blocks = readDocument(markdown).map(({ block }) => block);
    const first = blocks[0];
    const title = first?.type === 'heading' && first.level === 1 ? first : undefined;
    const body = title ? blocks.slice(1) : blocks;
    this.#findReferences(body);
    // The references come last, when it is known where they are cited.
    const html = new Map<Block, string>();
    for (const block of body) if (!this.#references.has(block)) html.set(block, this.#block(block, true));
    for (const block of body) if (this.#references.has(block)) html.set(block, this.#block(block, false));
    return {
      ...(title && {
        title: wordsOf(title.nodes).trim(),
        titleHtml: inlineHtml(title.nodes, ({ number }) => `[${number}]`),
      }),
      html: body.map((block) => html.get(block)!).join(''),
    };
  }

  #findReferences(blocks: readonly Block[]): void {
    const start = blocks.findLastIndex((block) => block.type === 'heading' && isReferenceHeading(wordsOf(block.nodes)));
    if (start < 0) return;
    const length = blocks.slice(start + 1).findIndex(({ type }) => type === 'heading');
    this.#references = new Set(blocks.slice(start + 1, length < 0 ? undefined : start + 1 + length));
    for (const list of this.#references) {
      if (list.type !== 'list') continue;
      for (const item of list.items) {
        const number = markerOf(item);
        if (number === undefined || this.#listed.has(number)) continue;
        this.#targets.set(item, number);
        this.#listed.add(number);
      }
    }
  }

  #block(block: Block, isText: boolean): string {
    switch (block.type) {
      case 'heading': {
        // The page has one first-level heading, its title; below it no level is left out.
        this.#level = Math.min(Math.max(block.level, 2), this.#level + 1);
        return `<h${this.#level} dir="auto">${this.#inline(block.nodes, isText)}</h${this.#level}>\n`;
      }
      case 'paragraph':
        return `<p dir="auto">${this.#inline(block.nodes, isText)}</p>\n`;
      case 'quote':
        return `<blockquote>\n${block.blocks.map((inner) => this.#block(inner, isText)).join('')}</blockquote>\n`;
      case 'list': {
        const tag = block.start === undefined ? 'ul' : 'ol';
        const start = block.start === undefined || block.start === 1 ? '' : ` start="${block.start}"`;
        return `<${tag}${start}>\n${block.items.map((item) => this.#item(item, isText)).join('')}</${tag}>\n`;
      }
      case 'table':
        return this.#table(block, isText);
      case 'code':
        return `<pre dir="ltr" tabindex="0" role="region" aria-label="${escapeHtml(this.#texts.code)}"><code>${escapeHtml(block.lines.join('\n'))}</code></pre>\n`;
    }
  }

  #item(item: ListItem, isText: boolean): string {
    const number = this.#targets.get(item);
    const isTight = item.blocks.filter(({ type }) => type === 'paragraph').length === 1;
    let marker = number;
    const content = item.blocks
      .map((block) => {
        if (block.type !== 'paragraph') return this.#block(block, isText);
        const html = this.#inline(block.nodes, isText, (citation) => {
          const isTarget = citation.number === marker;
          if (isTarget) marker = undefined;
          return isTarget ? `<span class="number">[${citation.number}]</span>` : undefined;
        });
        return isTight ? html : `<p>${html}</p>\n`;
      })
      .join('');
    if (number === undefined) return `<li dir="auto">${content}</li>\n`;
    return `<li dir="auto" id="ref-${number}" class="reference">${content}${this.#backLinks(number)}${this.#restsOn(number)}</li>\n`;
  }

  #table(table: Table, isText: boolean): string {
    const { header, rows } = table;
    // Wide tables scroll on their own, for the keyboard too.
    const columns = header.map(({ nodes }) => wordsOf(nodes).trim()).filter(Boolean);
    const label = [this.#texts.table, columns.join(', ')].filter(Boolean).join(': ');
    const row = (cells: readonly Cell[], tag: 'td' | 'th') =>
      `<tr>${cells.map((cell) => cellHtml(cell, tag, this.#inline(cell.nodes, isText))).join('')}</tr>\n`;
    return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table>\n<thead>\n${row(header, 'th')}</thead>\n<tbody>\n${rows.map((cells) => row(cells, 'td')).join('')}</tbody>\n</table></div>\n${this.#chart(table)}`;
  }

  #chart(table: Table): string {
    const chart = this.#parts.charts === false ? undefined : tableChart(table);
    return chart ? `<figure>${svgText(chart, this.#listed)}</figure>\n` : '';
  }

  /** @param instead What stands in place of a citation. */
  #inline(
    nodes: readonly Inline[],
    isText: boolean,
    instead: (citation: Citation) => string | undefined = () => undefined,
  ): string {
    const block = wordsOf(nodes);
    const before = new Map<Citation, string>();
    wordsBefore(nodes, before);
    return inlineHtml(nodes, (citation) => {
      const evidence =
        isText && this.#listed.has(citation.number)
          ? this.#parts.evidenceOf?.(block, before.get(citation) ?? '', citation.number)
          : undefined;
      return instead(citation) ?? this.#citation(citation, isText, evidence);
    });
  }

  /** A marker leads to its reference; one that cites nothing stays text. */
  #citation({ number }: Citation, isText: boolean, evidence?: ExportedEvidence): string {
    if (!isText || !this.#listed.has(number)) return `[${number}]`;
    const place = (this.#places.get(number) ?? 0) + 1;
    this.#places.set(number, place);
    const label = escapeHtml(fillText(this.#texts.reference, { 0: number }));
    const link = (more: string) =>
      `<a class="citation" id="cite-${number}-${place}" href="#ref-${number}" role="doc-biblioref" aria-label="${label}"${more}>[${number}]</a>`;
    if (!evidence) return link('');
    this.#evidence.set(number, (this.#evidence.get(number) ?? new Set()).add(evidence));
    const id = `evidence-${number}-${place}`;
    return `<span class="cited">${link(` aria-describedby="${id}"`)}<span class="evidence" id="${id}" role="note"><strong>${escapeHtml(evidence.verdict)}</strong>${passagesHtml(evidence, number)}</span></span>`;
  }

  /** For paper, where nothing can be pointed at: the statements that rest on a reference, and its passages. */
  #restsOn(number: number): string {
    const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
    const items = [...(this.#evidence.get(number) ?? [])].map((one) => {
      // A quote says itself.
      const isQuote = one.passages.some(({ text }) => bare(text).includes(bare(one.sentence)));
      const said = isQuote ? '' : `${escapeHtml(one.sentence)} `;
      return `<li dir="auto">${said}<em>${escapeHtml(one.verdict)}</em>${passagesHtml(one, number)}</li>`;
    });
    return items.length === 0 ? '' : `<ul class="rests">${items.join('')}</ul>`;
  }

  #backLinks(number: number): string {
    const places = this.#places.get(number) ?? 0;
    if (places === 0) return '';
    const links = Array.from({ length: Math.min(places, mostBacks) }, (_, index) => {
      const label = escapeHtml(fillText(this.#texts.back, { 0: number, 1: index + 1 }));
      const text = places === 1 ? '↑' : String.fromCharCode(97 + index);
      return `<a class="back" href="#cite-${number}-${index + 1}" role="doc-backlink" aria-label="${label}" title="${label}">${text}</a>`;
    });
    return ` <span class="backs">${places === 1 ? '' : '↑ '}${links.join(' ')}</span>`;
  }
}

function passagesHtml({ passages }: ExportedEvidence, number: number): string {
  return passages
    .filter((one) => one.number === number)
    .map(({ text, marked: [start, end] }) => {
      const parts = [text.slice(0, start), text.slice(start, end), text.slice(end)].map(escapeHtml);
      return `<q dir="auto">${parts[0]}${start < end ? `<mark>${parts[1]}</mark>` : ''}${parts[2]}</q>`;
    })
    .join('');
}

/** The words in front of each citation. */
function wordsBefore(nodes: readonly Inline[], found: Map<Citation, string>, before = ''): string {
  let words = before;
  for (const node of nodes) {
    if (node.type === 'citation') found.set(node, words);
    else if ('children' in node) words = wordsBefore(node.children, found, words);
    else words += wordsOf([node]);
  }
  return words;
}

/** A link to a reference that is not listed is its words. */
function svgText({ tag, attributes, children }: SvgNode, listed: ReadonlySet<number>): string {
  const inside = children
    .map((child) => (typeof child === 'string' ? escapeHtml(child) : svgText(child, listed)))
    .join('');
  if (tag === 'a' && !listed.has(Number(attributes['data-citation']))) return inside;
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`);
  return `<${tag}${given.join('')}>${inside}</${tag}>`;
}

/** The number that an item of the references begins with. */
function markerOf({ blocks }: ListItem): number | undefined {
  const first = blocks[0];
  const node =
    first?.type === 'paragraph' ? first.nodes.find((one) => one.type !== 'text' || one.text.trim() !== '') : undefined;
  return node?.type === 'citation' ? node.number : undefined;
}

function cellHtml({ align }: Cell, tag: 'td' | 'th', content: string): string {
  // The column keeps one alignment, whatever script a cell is in.
  const start = tag === 'th' ? 'th scope="col"' : 'td';
  return `<${start}${align === '' ? '' : ` class="${align}"`}><bdi>${content}</bdi></${tag}>`;
}
