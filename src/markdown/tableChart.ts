import type { Cell, Table } from './readDocument.ts';
import { type Inline, wordsOf } from './tree.ts';

/** An element of SVG. Attributes have the names that SVG gives them; styles are the page's, by class. */
export interface SvgNode {
  readonly tag: 'svg' | 'g' | 'rect' | 'text' | 'title' | 'a';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (SvgNode | string)[];
}

interface Figure {
  readonly value: number;
  readonly unit: string;
  /** As written. */
  readonly text: string;
}

interface Bar extends Figure {
  /** Of the table, from 0. */
  readonly row: number;
  readonly label: string;
  /** Numbers of the references that the cell cites, or its row. */
  readonly citations: readonly number[];
}

const leastBars = 3;
const mostBars = 30;
/** In units of the drawing: one is a pixel where there is room for all of it. */
const [width, rowHeight, labelWidth, figureWidth] = [480, 22, 150, 130];
/** Of a label and a figure, in UTF-16 units. */
const [longestLabel, longestFigure] = [22, 14];

/**
 * The first column of a table that has three or more checked figures in one unit, as bars: of these figures alone, each with its citations.
 * Undefined where there is none, and where a figure of the column has another unit or may be read in two ways.
 *
 * @param isChecked Whether its sources support a statement: a cell that cites, or a row whose cells are one.
 */
export function tableChart({ header, rows }: Table, isChecked: (statement: string) => boolean): SvgNode | undefined {
  for (const column of header.keys()) {
    const bars = column === 0 ? [] : barsOf(rows, column, isChecked);
    if (bars.length >= leastBars && bars.length <= mostBars) return drawn(bars, wordsOf(header[column]!.nodes).trim());
  }
  return undefined;
}

function barsOf(rows: Table['rows'], column: number, isChecked: (statement: string) => boolean): readonly Bar[] {
  const texts = rows.map((cells) => wordsOf(cells[column]?.nodes ?? []).trim());
  const readAs = separatorsOf(texts);
  const figures = texts.map((text) => (/\d/.test(text) ? figureOf(text, readAs) : undefined));
  if (texts.some((text, row) => /\d/.test(text) && figures[row] === undefined)) return [];
  const bars = rows.flatMap((cells, row): Bar[] => {
    const figure = figures[row];
    const own = citationsOf(cells[column]);
    const citations = own.length > 0 ? own : [...new Set(cells.flatMap(citationsOf))];
    const label = wordsOf(cells[0]?.nodes ?? []).trim();
    const statement = own.length > 0 ? texts[row]! : cells.map(({ nodes }) => wordsOf(nodes)).join(' ');
    return figure && citations.length > 0 && isChecked(statement) ? [{ ...figure, row, label, citations }] : [];
  });
  const known = figures.filter((figure) => figure !== undefined);
  const isOneUnit = new Set(known.map(({ unit }) => unit)).size === 1;
  return isOneUnit && !isOrder(known) ? bars : [];
}

/** Years and ranks measure nothing. */
function isOrder(figures: readonly Figure[]): boolean {
  const isBare = figures.every(({ unit, value }) => unit === '' && Number.isInteger(value));
  const areYears = figures.every(({ value, text }) => /^\d{4}$/.test(text) && value >= 1500 && value < 2200);
  return isBare && (areYears || figures.every(({ value }, place) => value === place + 1));
}

function citationsOf(cell: Cell | undefined): number[] {
  const within = (nodes: readonly Inline[]): number[] =>
    nodes.flatMap((node) => (node.type === 'citation' ? node.number : 'children' in node ? within(node.children) : []));
  return [...new Set(within(cell?.nodes ?? []))];
}

/** What divides thousands and what begins decimals. */
interface Separators {
  readonly thousands: string;
  readonly decimal: string;
}

/** Undefined where one dot before three digits may be either. */
function separatorsOf(texts: readonly string[]): Separators | undefined {
  const numbers = texts.flatMap((text) => text.match(/\d[\d.,]*\d/g) ?? []);
  const isDecimal = (sign: string) =>
    numbers.some((number) => {
      const [whole = '', part = '', ...more] = number.split(sign);
      const isLast = number.includes(sign) && more.length === 0 && !/[.,]/.test(part);
      return isLast && (part.length !== 3 || whole === '0' || /[.,]/.test(whole) || whole.length > 3);
    });
  if (isDecimal(',')) return isDecimal('.') ? undefined : { thousands: '.', decimal: ',' };
  const isAmbiguous = !isDecimal('.') && numbers.some((number) => /^\d{1,3}\.\d{3}$/.test(number));
  return isAmbiguous ? undefined : { thousands: ',', decimal: '.' };
}

/** Undefined for what is more or less than one figure with its unit. */
function figureOf(text: string, separators: Separators | undefined): Figure | undefined {
  const [, sign, before = '', digits = '', after = ''] =
    /^[~≈]? ?([-−–+]?) ?(\p{Sc}?) ?(\d{1,15}(?:[.,' ]\d{1,9}){0,6})(\D{0,24})$/u.exec(text.replace(/\s+/g, ' ')) ?? [];
  if (separators === undefined || digits === '') return undefined;
  const { thousands, decimal } = separators;
  const [whole = '', part, ...more] = digits.replace(/[' ]/g, thousands).split(decimal);
  const groups = whole.split(thousands);
  const isGrouped = groups.length === 1 || groups.every((group, place) => (place === 0 ? group : group.length === 3));
  if (!isGrouped || more.length > 0 || part?.includes(thousands)) return undefined;
  const value = Number(`${groups.join('')}${part === undefined ? '' : `.${part}`}`);
  return { value: sign === '-' || sign === '−' || sign === '–' ? -value : value, unit: before + after.trim(), text };
}

function drawn(bars: readonly Bar[], name: string): SvgNode {
  const values = bars.map(({ value }) => value);
  const least = values.reduce((one, other) => Math.min(one, other), 0);
  const most = values.reduce((one, other) => Math.max(one, other), 0);
  const room = width - labelWidth - figureWidth;
  const scale = (value: number): number => Math.round(((value - least) / (most - least || 1)) * room * 10) / 10;
  const rowsOf = bars.map(({ row, label, value, text, citations }, place): SvgNode => {
    const top = place * rowHeight;
    const [from, to] = [scale(Math.min(0, value)), scale(Math.max(0, value))];
    const base = top + rowHeight - 7;
    const figure = words('figure', labelWidth + Math.max(to, scale(0)) + 6, base, short(text, longestFigure));
    const cited = citations.slice(0, 2).map((number, at): SvgNode => {
      const shown = words('cited', width - 2 - 32 * at, base, `[${number}]`, { 'text-anchor': 'end' });
      const attributes = { href: `#ref-${number}`, 'data-citation': number, 'data-row': row };
      return { tag: 'a', attributes, children: [shown] };
    });
    const length = Math.max(1, Math.round((to - from) * 10) / 10);
    const bar: SvgNode = {
      tag: 'rect',
      attributes: { class: 'bar', x: labelWidth + from, y: top + 4, width: length, height: rowHeight - 8 },
      children: [],
    };
    const title: SvgNode = { tag: 'title', attributes: {}, children: [`${label}: ${text}`] };
    const named = words('label', labelWidth - 8, base, short(label, longestLabel), { 'text-anchor': 'end' });
    return { tag: 'g', attributes: {}, children: [title, named, bar, figure, ...cited] };
  });
  return {
    tag: 'svg',
    attributes: {
      ...{ class: 'chart', viewBox: `0 0 ${width} ${bars.length * rowHeight}`, role: 'group', 'aria-label': name },
      ...{ width, height: bars.length * rowHeight },
    },
    children: rowsOf,
  };
}

function words(name: string, x: number, y: number, text: string, more: Readonly<Record<string, string>> = {}): SvgNode {
  return { tag: 'text', attributes: { class: name, x, y, ...more }, children: [text] };
}

function short(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length
    ? `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : text;
}
