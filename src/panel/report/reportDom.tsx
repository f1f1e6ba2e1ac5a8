import { type ComponentChild, createContext, type FunctionComponent, render } from 'preact';
import { useContext } from 'preact/hooks';
import type { Block, Cell, ListItem, Table } from '../../markdown/readDocument.ts';
import type { Inline } from '../../markdown/tree.ts';
import { type SvgNode, tableChart } from '../../markdown/tableChart.ts';
import { memo } from '../memo.ts';
import { plain } from '../plain.ts';
import { ReportBlocks } from './reportBlocks.ts';

/** The source of a marker `[n]`, as far as it is known. */
export interface Citation {
  readonly label: string;
}

/**
 * Gives the source of a marker; undefined for one that is not known (yet): a year in brackets, for one.
 * @param isTarget It begins the reference itself.
 */
export type Cite = (number: number, isTarget: boolean) => Citation | undefined;

const Citations = createContext<Cite>(() => undefined);
/** What tables may have charts of. */
const noCharts = (_statement: string): boolean => false;
const Charts = createContext(noCharts);

/** Blocks are grouped, so that laying out a new one does not visit all that came before it. */
const groupSize = 16;

/**
 * Renders a growing Markdown text into an element. Its blocks are built from the tree of allowed nodes, never from HTML, and those that
 * can't change any more are not drawn again.
 */
export class ReportDom {
  readonly #root: HTMLElement;
  readonly #stream = new ReportBlocks();
  #groups: (readonly Block[])[] = [];
  #given = '';
  /** What of it is visible characters. */
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
   * `until`; at least one step. Another `cite` draws the markers again.
   *
   * @param charts See {@link tableChart}; absent: none.
   */
  update(text: string, cite: Cite, until: number, charts = noCharts): void {
    if (text !== this.#given) this.#text = plain((this.#given = text));
    this.#shown = Math.min(this.#shown, this.#text.length);
    do {
      this.#shown = this.#stream.stepEnd(this.#text, this.#shown);
      const { kept, blocks } = this.#stream.update(this.#text.slice(0, this.#shown));
      const frozen = Math.floor(kept / groupSize);
      const open = [...(this.#groups[frozen] ?? []).slice(0, kept % groupSize), ...blocks];
      this.#groups = this.#groups.slice(0, frozen);
      for (let at = 0; at < open.length; at += groupSize) this.#groups.push(open.slice(at, at + groupSize));
      render(
        <Citations.Provider value={cite}>
          <Charts.Provider value={charts}>
            {this.#groups.map((group, index) => (
              <Group key={index} blocks={group} />
            ))}
          </Charts.Provider>
        </Citations.Provider>,
        this.#root,
      );
    } while (!this.settled && performance.now() < until);
  }
}

const Group = memo(function Group({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <div>
      {blocks.map((block, index) => (
        <TopBlock key={index} block={block} />
      ))}
    </div>
  );
});

const TopBlock = memo(function TopBlock({ block }: { readonly block: Block }) {
  return (
    <div class="block" dir="auto">
      {blockOf(block)}
    </div>
  );
});

function blockOf(block: Block): ComponentChild {
  switch (block.type) {
    case 'heading': {
      const Tag = `h${block.level}` as 'h1';
      return <Tag>{inlinesOf(block.nodes)}</Tag>;
    }
    case 'paragraph':
      return <p>{inlinesOf(block.nodes)}</p>;
    case 'quote':
      return <blockquote>{block.blocks.map(blockOf)}</blockquote>;
    case 'list': {
      const items = block.items.map((item) => <li>{itemOf(item)}</li>);
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    // What is wide scrolls, for the keyboard too.
    case 'table':
      return (
        <>
          <div class="table" tabIndex={0}>
            <table>
              <thead>{rowOf(block.header, 'th')}</thead>
              <tbody>{block.rows.map((cells) => rowOf(cells, 'td'))}</tbody>
            </table>
          </div>
          <Chart table={block} />
        </>
      );
    case 'code':
      return (
        <pre dir="ltr" tabIndex={0}>
          <code>{block.lines.join('\n')}</code>
        </pre>
      );
  }
}

const Chart: FunctionComponent<{ readonly table: Table }> = ({ table }) => {
  const chart = tableChart(table, useContext(Charts));
  return chart ? <figure>{svgOf(chart)}</figure> : null;
};

function svgOf({ tag: Tag, attributes, children }: SvgNode): ComponentChild {
  return <Tag {...attributes}>{children.map((child) => (typeof child === 'string' ? child : svgOf(child)))}</Tag>;
}

/** Items with several paragraphs have them as such. */
function itemOf({ blocks }: ListItem): ComponentChild[] {
  const isTight = blocks.filter(({ type }) => type === 'paragraph').length === 1;
  return blocks.map((block) => (block.type === 'paragraph' && isTight ? inlinesOf(block.nodes) : blockOf(block)));
}

function rowOf(cells: readonly Cell[], Tag: 'td' | 'th'): ComponentChild {
  return (
    <tr>
      {cells.map(({ nodes, align }) => (
        <Tag align={align || undefined}>{inlinesOf(nodes)}</Tag>
      ))}
    </tr>
  );
}

function inlinesOf(nodes: readonly Inline[]): ComponentChild[] {
  return nodes.map((node) => {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'code':
        return <code>{node.text}</code>;
      case 'citation':
        return <Marker number={node.number} isTarget={node.isTarget === true} />;
      case 'link':
        // The reader should see the address, whatever the text says.
        return (
          <a href={node.href} title={node.href} rel="noopener noreferrer">
            {inlinesOf(node.children)}
          </a>
        );
      default: {
        const Tag = ({ strong: 'strong', emphasis: 'em', deleted: 'del' } as const)[node.type];
        return <Tag>{inlinesOf(node.children)}</Tag>;
      }
    }
  });
}

const Marker: FunctionComponent<{ readonly number: number; readonly isTarget: boolean }> = ({ number, isTarget }) => {
  const citation = useContext(Citations)(number, isTarget);
  if (!citation) return <span data-citation={number}>[{number}]</span>;
  return (
    <button
      type="button"
      class="chip"
      data-citation={number}
      data-target={isTarget || undefined}
      data-testid="citation"
      aria-label={citation.label}
    >
      {number}
    </button>
  );
};
