import TurndownService, { type DomElement, type DomNode } from 'turndown/lib/turndown.browser.cjs.js';
import { oneLine, stripHidden } from '../../research/text/hidden.ts';

/**
 * Before a row of a table, before each of its cells, and around the number of a listing, until these are written. Characters of the
 * private use area, which no text keeps.
 */
const [rowMark, cellMark, codeMark] = ['\uE001', '\uE002', '\uE000'];

const textNode = 3;

/** Whether a table has several columns and no table inside: others are layout. */
const dataTables = new WeakMap<DomElement, boolean>();

/**
 * The text of an element as Markdown: headings, lists, tables, quotations and code; no link, image, emphasis or hidden character.
 * Footnote marks are left out. What the page's text holds of Markdown is not escaped, so that it can be quoted.
 */
export function markdownOf(root: DomElement): string {
  const listings = [...root.querySelectorAll('pre')];
  const codes = listings.map(({ textContent }) => textContent ?? '');
  for (const listing of listings) listing.textContent = '';
  // Long white space costs turndown the square of its length.
  const open: DomNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeType === textNode) node.nodeValue = (node.nodeValue ?? '').replace(/[\s\uE000-\uE002]+/g, ' ');
    else for (const child of node.childNodes) open.push(child);
  }
  for (const [index, listing] of listings.entries()) listing.textContent = codeMark + index + codeMark;
  const markdown = writer
    .turndown(root)
    .replace(/^(.*)\uE000(\d+)\uE000$/gm, (_, before: string, index: string) => {
      const below = before.replace(/[^\s>]/g, ' ');
      return before + fenced(codes[Number(index)]!).replaceAll('\n', `\n${below}`);
    })
    .replace(/\uE000(\d+)\uE000/g, (_, index: string) => oneLine(codes[Number(index)]!).replaceAll('|', '\\|'));
  return stripHidden(markdown);
}

const writer = new TurndownService({ headingStyle: 'atx', br: '', hr: '' });
const block = (content: string): string => `\n\n${content}\n\n`;
writer.escape = (text) => text;
writer
  .addRule('words', { filter: ['a', 'b', 'code', 'em', 'i', 'strong'], replacement: (content) => content })
  .addRule('image', { filter: 'img', replacement: () => '' })
  .addRule('block', { filter: ['caption', 'details', 'dialog', 'summary'], replacement: block })
  .addRule('term', { filter: 'dt', replacement: (content) => block(`${content}:`) })
  .addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, { localName }) =>
      block(`${'#'.repeat(Number(localName[1]))} ${oneLine(content).slice(0, 500)}`),
  })
  // A raised number stays apart from the one before it.
  .addRule('raised', {
    filter: 'sup',
    replacement: (content, node) =>
      node.querySelector('a[href*="#"]') !== null ||
      /(?:^|\s)(?:reference|footnote)/.test(node.getAttribute('class') ?? '')
        ? ''
        : content.replace(/^\s*(?=[-−+]?\d)/, '^'),
  })
  // Of lists and quotations in each other, the outer eight levels are marked: depth would multiply the text.
  .addRule('quote', {
    filter: 'blockquote',
    replacement: (content) => block(content.trim().replace(/^(?!(?:> ){8})/gm, '> ')),
  })
  .addRule('item', {
    filter: 'li',
    replacement: (content, { parentNode, nextSibling }) => {
      const mark = parentNode?.localName === 'ol' ? `${nextNumber(parentNode)}. ` : '- ';
      const text = content
        .trim()
        .replace(/\n+/g, '\n')
        .replace(/\n(?! {24})/g, `\n${' '.repeat(mark.length)}`);
      return text === '' ? '' : `${mark}${text}${nextSibling === null ? '' : '\n'}`;
    },
  })
  .addRule('cell', {
    filter: (node) => /^t[dh]$/.test(node.localName) && isInDataTable(node),
    replacement: (content, node) => {
      const span = Math.min(20, Number(node.getAttribute('colspan') ?? 1) || 1);
      return cellMark + oneLine(content).replaceAll('|', '\\|') + cellMark.repeat(Math.max(0, span - 1));
    },
  })
  .addRule('row', {
    filter: (node) => node.localName === 'tr' && isInDataTable(node),
    replacement: (content) => rowMark + content,
  })
  .addRule('table', { filter: (node) => node.localName === 'table' && isInDataTable(node), replacement: table });

function isInDataTable(node: DomElement): boolean {
  const found = node.closest('table');
  if (found === null) return false;
  let isData = dataTables.get(found);
  if (isData === undefined) {
    const rows = [...found.querySelectorAll('tr')];
    isData =
      found.getAttribute('role') !== 'presentation' &&
      found.querySelector('table') === null &&
      rows.length > 1 &&
      rows.some(({ children }) => [...children].length > 1);
    dataTables.set(found, isData);
  }
  return isData;
}

function table(content: string): string {
  const [caption = '', ...lines] = content.split(rowMark);
  const rows = lines
    .map((line) => line.trim().split(cellMark).slice(1))
    .filter((row) => row.some((cell) => cell !== ''));
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const [head = '', ...body] = rows.map(
    (row) => `| ${Array.from({ length: width }, (_, index) => row[index] ?? '').join(' | ')} |`,
  );
  return block([caption.trim(), '', head, `|${' --- |'.repeat(width)}`, ...body].join('\n').trim());
}

/** The number of the next item of an ordered list, which the list remembers. */
function nextNumber(list: DomElement): number {
  const number = Number(list.getAttribute('start') ?? 1) || 1;
  list.setAttribute('start', `${number + 1}`);
  return number;
}

function fenced(text: string): string {
  const code = text.replace(/^\n+/, '').trimEnd();
  if (code === '') return '';
  const fence = '`'.repeat([...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length + 1), 3));
  return `${fence}\n${code}\n${fence}`;
}
