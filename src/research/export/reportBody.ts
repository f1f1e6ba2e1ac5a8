import { escapeHtml, inlineHtml } from '../../markdown/inlineHtml.ts';
import type { Block, Cell, ListItem, Table } from '../../markdown/readDocument.ts';
import { type SvgNode, tableChart } from '../../markdown/tableChart.ts';
import { wordsOf, type Citation, type Inline } from '../../markdown/tree.ts';
import { fillText } from '../../protocol/fillText.ts';
import { type EvidenceLookup, evidenceOfNodes, type ExportedEvidence, type ExportedReport } from './exportedReport.ts';

/** What the page has beside the text of its report. */
export interface PageParts {
  readonly evidenceOf?: EvidenceLookup;
  /** See `tableChart`; absent: none. */
  readonly charts?: (statement: string) => boolean;
}

/** Places in the text that a reference leads back to: a, b, c, … */
const mostBacks = 26;
/** UTF-16 units of passages; beyond them a citation leads to its reference alone. */
const mostShown = 5_000_000;

/** The blocks of a report as HTML in which no text becomes markup: see `reportHtml`. */
export function renderBody(report: ExportedReport, parts: PageParts = {}): string {
  return new BodyRenderer(report, parts).render();
}

class BodyRenderer {
  readonly #report: ExportedReport;
  readonly #parts: PageParts;
  /** How many places of the text cite each source, so far. */
  readonly #places = new Map<number, number>();
  /** UTF-16 units of the passages that are shown at their citations. */
  #shown = 0;
  /** What cites each source. */
  readonly #evidence = new Map<number, Set<ExportedEvidence>>();
  #level = 1;

  constructor(report: ExportedReport, parts: PageParts) {
    this.#report = report;
    this.#parts = parts;
  }

  render(): string {
    const { blocks, references } = this.#report;
    // The references come last, when it is known where they are cited; their markers are no places that cite.
    const html = new Map<Block, string>();
    for (const block of blocks) if (!references.blocks.has(block)) html.set(block, this.#block(block, true));
    for (const block of references.blocks) html.set(block, this.#block(block, false));
    return blocks.map((block) => html.get(block)!).join('');
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
        return `<pre dir="ltr" tabindex="0" role="region" aria-label="${escapeHtml(this.#report.texts.code)}"><code>${escapeHtml(block.lines.join('\n'))}</code></pre>\n`;
    }
  }

  #item(item: ListItem, isText: boolean): string {
    const number = this.#report.references.items.get(item);
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
    const label = [this.#report.texts.table, columns.join(', ')].filter(Boolean).join(': ');
    const row = (cells: readonly Cell[], tag: 'td' | 'th') =>
      `<tr>${cells.map((cell) => cellHtml(cell, tag, this.#inline(cell.nodes, isText))).join('')}</tr>\n`;
    return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table>\n<thead>\n${row(header, 'th')}</thead>\n<tbody>\n${rows.map((cells) => row(cells, 'td')).join('')}</tbody>\n</table></div>\n${this.#chart(table)}`;
  }

  #chart(table: Table): string {
    const { charts } = this.#parts;
    const chart = charts && tableChart(table, charts);
    return chart ? `<figure>${svgText(chart, this.#report.references.numbers)}</figure>\n` : '';
  }

  /** @param instead Replaces a citation. */
  #inline(
    nodes: readonly Inline[],
    isText: boolean,
    instead: (citation: Citation) => string | undefined = () => undefined,
  ): string {
    const found = evidenceOfNodes(nodes, isText ? this.#parts.evidenceOf : undefined);
    return inlineHtml(nodes, (citation) => instead(citation) ?? this.#citation(citation, isText, found.get(citation)));
  }

  /** A marker leads to its reference; one that cites nothing stays text. */
  #citation({ number }: Citation, isText: boolean, evidence?: ExportedEvidence): string {
    if (!isText || !this.#report.references.numbers.has(number)) return `[${number}]`;
    const place = (this.#places.get(number) ?? 0) + 1;
    this.#places.set(number, place);
    const label = escapeHtml(fillText(this.#report.texts.reference, { 0: number }));
    const link = (more: string) =>
      `<a class="citation" id="cite-${number}-${place}" href="#ref-${number}" role="doc-biblioref" aria-label="${label}"${more}>[${number}]</a>`;
    if (!evidence || this.#shown > mostShown) return link('');
    this.#evidence.set(number, (this.#evidence.get(number) ?? new Set()).add(evidence));
    const id = `evidence-${number}-${place}`;
    const passages = passagesHtml(evidence, number);
    this.#shown += passages.length;
    return `<span class="cited">${link(` aria-describedby="${id}"`)}<span class="evidence" id="${id}" role="note"><strong>${escapeHtml(evidence.verdict)}</strong>${passages}</span></span>`;
  }

  /** For paper, where nothing can be pointed at: the statements that rest on a reference, and its passages. */
  #restsOn(number: number): string {
    const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
    const items = [...(this.#evidence.get(number) ?? [])].map((one) => {
      // A quote says itself.
      const isQuote = one.passages.some(({ before, marked, after }) =>
        bare(before + marked + after).includes(bare(one.sentence)),
      );
      const said = isQuote ? '' : `${escapeHtml(one.sentence)} `;
      return `<li dir="auto">${said}<em>${escapeHtml(one.verdict)}</em>${passagesHtml(one, number)}</li>`;
    });
    return items.length === 0 ? '' : `<ul class="rests">${items.join('')}</ul>`;
  }

  #backLinks(number: number): string {
    const places = this.#places.get(number) ?? 0;
    if (places === 0) return '';
    const links = Array.from({ length: Math.min(places, mostBacks) }, (_, index) => {
      const label = escapeHtml(fillText(this.#report.texts.back, { 0: number, 1: index + 1 }));
      const text = places === 1 ? '↑' : String.fromCharCode(97 + index);
      return `<a class="back" href="#cite-${number}-${index + 1}" role="doc-backlink" aria-label="${label}" title="${label}">${text}</a>`;
    });
    return ` <span class="backs">${places === 1 ? '' : '↑ '}${links.join(' ')}</span>`;
  }
}

function passagesHtml({ passages }: ExportedEvidence, number: number): string {
  return passages
    .filter((one) => one.number === number)
    .map(({ before, marked, after }) => {
      const deciding = marked === '' ? '' : `<mark>${escapeHtml(marked)}</mark>`;
      return `<q dir="auto">${escapeHtml(before)}${deciding}${escapeHtml(after)}</q>`;
    })
    .join('');
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

function cellHtml({ align }: Cell, tag: 'td' | 'th', content: string): string {
  // The column keeps one alignment, whatever script a cell is in.
  const start = tag === 'th' ? 'th scope="col"' : 'td';
  return `<${start}${align === '' ? '' : ` class="${align}"`}><bdi>${content}</bdi></${tag}>`;
}
