import { smallest } from '../../protocol/numbers.ts';
import { headingOf } from '../../markdown/blockLine.ts';
import { isDocument } from '../../protocol/isDocument.ts';
import { isOrg, isPlainText, kindOf, type TextKind } from '../text/passages.ts';
import { cellsOf, delimiterOf, recordsOf } from '../text/delimited.ts';
import { cellsOf as rowCells } from '../../protocol/markdownLine.ts';
import { isFormulaLine } from '../../markdown/formula.ts';
import { stripHidden } from '../../markdown/hidden.ts';
import { literalInlines } from '../../markdown/linkAddresses.ts';
import { parseInlines } from '../../markdown/parseInlines.ts';
import { append, type Inline, type Parsed } from '../../markdown/tree.ts';
import { citationMark, writeInlines } from '../../markdown/writeInlines.ts';
import type { Source } from './source.ts';

/**
 * A passage of a source as blocks of Markdown: its place as a heading, then its words unchanged, with the number of
 * the reference. Running text becomes a quotation, rows a table, code and configuration a listing. Nothing in it is active: a
 * link is its label, an address is code, and HTML is text.
 *
 * @param text Verbatim from the source.
 */
export function verbatimPassage(source: Source, text: string, number: number): string[] {
  const given = stripHidden(text).split('\n');
  const { path, isCode: isMarked } = source.file ?? { path: 'page.md' };
  const kind = kindOf(path);
  const lines = isOrg(path) ? given.map(ofOrg) : given;
  const isCode =
    isMarked === true ||
    ['code', 'config', 'bibtex'].includes(kind) ||
    (kind === 'markdown' && isFenced(source.text, text));
  const delimiter = kind === 'table' ? delimiterOf(lines[0]!) : '|';
  const rows =
    kind === 'table'
      ? recordsOf(lines, 0, delimiter).map(({ first, last }) => lines.slice(first, last + 1).join('\n'))
      : lines;
  const isTable =
    rows.length > 1 && (kind === 'table' || rows.every((line) => line.trim().includes('|') || line === '…'));
  const body = isTable
    ? [table(rows, delimiter, number)]
    : isCode
      ? listing(lines, number)
      : (quotation(lines, number, isPlainText(path) ? 'plain' : kind) ?? listing(lines, number));
  return [`#### ${placeOf(source, isCode ? '' : lines[0]!)}`, ...body];
}

/** A line of Org as one of Markdown: a heading, and links as their words or where they lead. */
function ofOrg(line: string): string {
  return line
    .replace(/^\*{1,6}(?=\s)/, (stars) => '#'.repeat(stars.length))
    .replace(
      /\[\[([^[\]]{1,600})\](?:\[([^[\]]{1,600})\])?\]/g,
      (_, target: string, words?: string) => words ?? target,
    );
}

/** Whether a part of a text begins in a listing that is open. */
function isFenced(whole: string, part: string): boolean {
  const before = whole.slice(0, Math.max(0, whole.indexOf(part))).split('\n');
  return before.filter((line) => /^\s*(?:`{3,}|~{3,})/.test(line)).length % 2 === 1;
}

/** `docs/a.md:10–12 · Heading`, or the title of a work. */
function placeOf({ file, title }: Source, firstLine: string): string {
  if (file === undefined) return plain(title);
  const lines = file.firstLine === file.lastLine ? `${file.firstLine}` : `${file.firstLine}–${file.lastLine}`;
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const trail = title === name ? [] : title.replace(` (${name})`, '').split(' › ');
  // The heading that the quotation begins with is read there.
  if (/^\s{0,3}#/.test(firstLine)) trail.pop();
  const heading = trail.join(' › ');
  const place = isDocument(file.path) ? file.path : `${file.path}:${lines}`;
  return plain(`${place}${heading === '' ? '' : ` · ${heading}`}`);
}

/** Running text as a quotation; undefined when a reader of Markdown would see no word of it. */
function quotation(all: readonly string[], number: number, kind: TextKind | 'plain'): string[] | undefined {
  const isPlain = kind === 'plain';
  let fence = '';
  const quoted: string[] = [];
  const lines = dedented(all);
  const hasOther = lines.some((line) => hasWords(line) && headingOf(line) === undefined && !bareDefinition.test(line));
  let formulaEnd = -1;
  for (const [index, line] of lines.entries()) {
    if (fence === '' && index > formulaEnd) formulaEnd = endOfFormula(lines, index);
    if (index <= formulaEnd) {
      quoted.push(line.trim());
      continue;
    }
    const note = fence === '' ? admonition.exec(line) : null;
    if (note !== null) {
      if (note[1] !== undefined) quoted.push(`**${inline(note[1])}**`, '');
      continue;
    }
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === '' || line.trim().startsWith(fence))) {
      // Nothing is between them.
      if (fence !== '' && quoted.at(-1) === fence) quoted.pop();
      else quoted.push(mark);
      fence = fence === '' ? mark : '';
      continue;
    }
    const heading = fence === '' ? headingOf(line) : undefined;
    if (fence !== '') quoted.push(line);
    else if (heading !== undefined)
      quoted.push(`**${inline(heading.text, 'middle', isPlain).replaceAll('**', '').trim()}**`, '');
    else if (kind === 'markdown' && definition.test(line)) {
      // Where a link leads says nothing to a reader, unless the passage has nothing else.
      if (!hasOther || !bareDefinition.test(line)) quoted.push('', proseLine(defined(line)));
    } else if (!/^\s*([-=~^*_])\1{2,}\s*$/.test(line))
      quoted.push(
        proseLine(kind === 'markdown' ? line.replace(footnoteMark, (_, code: string = '') => code) : line, isPlain),
      );
  }
  if (fence !== '' && quoted.at(-1) === fence) quoted.pop();
  else if (fence !== '') quoted.push(fence);
  if (!quoted.some(hasWords)) return undefined;
  while (quoted.at(-1)?.trim() === '') quoted.pop();
  const last = quoted.at(-1) ?? '';
  if (/^\s*(?:`{3,}|~{3,}|\||\$\$)/.test(last)) quoted.push('', citationMark(number));
  else quoted[quoted.length - 1] = `${last.trimEnd()} ${citationMark(number)}`;
  const quotedLines = quoted
    .filter((line, index) => line.trim() !== '' || (index > 0 && quoted[index - 1]!.trim() !== ''))
    .map((line) => `> ${line}`.trimEnd());
  return [quotedLines.join('\n')];
}

const hasWords = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

/** What leads to a footnote, behind a word; code is something else. */
const footnoteMark = /(`{1,4}[^`]{1,300}`{1,4})|(?<=\S)\[\^[^\]\s]{1,40}\](?!:)/g;

/** What begins the definition of a footnote, whose mark is no word of it, or of a link, whose name is. */
const definition = /^\s{0,3}\[(?:\^[^\]]{1,200}|([^\]]{1,200}))\]:\s+/;
/** Of a link without a title. */
const bareDefinition = /^\s{0,3}\[(?!\^)[^\]]{1,200}\]:\s+\S+\s*$/;

function defined(line: string): string {
  return line.replace(definition, (_, name?: string) => (name === undefined ? '' : `${name}: `));
}

const displayMark = /^\s*\$\$\s*$/;

/** Index of the line that closes the display formula which starts at `start`; -1 where none starts, or it is no formula. */
function endOfFormula(lines: readonly string[], start: number): number {
  if (!displayMark.test(lines[start]!)) return -1;
  const end = lines.findIndex((line, index) => index > start && displayMark.test(line));
  return lines.slice(start, end + 1).every(isFormulaLine) ? end : -1;
}

/** What starts a box of MkDocs or Docusaurus: `!!! note "Title"`, `:::tip`. */
const admonition = /^\s*(?:!!!|\?\?\?\+?|:{3,10})(?:\s{0,4}[a-z]{1,20}(?:\s{1,4}"([^"]{1,200})"\s*)?)?$/i;

/** Without the indentation that all lines have: four spaces would make code of them. */
function dedented(lines: readonly string[]): string[] {
  const widths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const common = smallest(widths);
  const first = Math.max(0, (widths[0] ?? 0) - common) > 3;
  return lines.map((line, index) =>
    index === 0 && first ? line.trimStart() : line.slice(Math.min(common, line.length)),
  );
}

/** A line of text behind the mark of its item or row. */
function proseLine(line: string, isPlain = false): string {
  const [prefix] = /^\s{0,40}(?:(?:[-*+]|\d{1,9}[.)])\s{1,4}|>\s?|(?=\|))?/.exec(line) ?? [''];
  const rest = line.slice(prefix.length);
  const mark = prefix.trim() === '>' ? '' : prefix;
  if (!rest.startsWith('|')) return mark + inline(rest, 'start', isPlain);
  if (/^[\s|:+-]+$/.test(rest)) return rest;
  return `| ${rowCells(rest)
    .map((cell) => inline(cell, 'cell', isPlain).trim())
    .join(' | ')} |`;
}

/** The words of a text with their emphasis; of a plain one as they are. */
function inline(text: string, place: 'start' | 'middle' | 'cell' = 'middle', isPlain = false): string {
  return writeInlines(inert(isPlain ? literalInlines(text) : parseInlines(text)), place);
}

function plain(text: string): string {
  return writeInlines([{ type: 'text', text }]);
}

/** Tags with which Markdown is laid out. Other names in angle brackets are words. */
const tag =
  /<\/?(?:a|b|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|ol|p|picture|pre|s|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,600})?\/?>|<!--[^<>]{0,600}-->/gi;

/** A raised number stays apart from the one before it. */
const raised = /<sup>\s{0,4}(?=[-−+]?\d)/gi;

/** Nodes without what a reader of Markdown would act on: what is left is what the text says. */
function inert(nodes: readonly Parsed[]): Inline[] {
  const kept: Inline[] = [];
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
        append(kept, { type: 'text', text: node.text.replace(raised, '^').replace(tag, '') });
        break;
      case 'name':
        append(kept, { type: 'text', text: node.text });
        break;
      case 'code':
        kept.push(node);
        break;
      case 'ids':
      case 'numbers':
        append(kept, { type: 'text', text: node.raw });
        break;
      case 'link': {
        if (node.children.length > 0) for (const child of inert(node.children)) append(kept, child);
        else if (node.href !== '') kept.push({ type: 'code', text: node.raw ?? node.href });
        break;
      }
      default:
        kept.push({ ...node, children: inert(node.children) });
    }
  }
  return kept;
}

function listing(lines: readonly string[], number: number): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const shown = lines.slice(Math.max(0, first), last + 1);
  const fence = fenceFor(shown.join('\n'));
  return [`${fence}\n${shown.join('\n')}\n${fence}`, citationMark(number)];
}

function table(lines: readonly string[], delimiter: string, number: number): string {
  const rows = lines
    .filter((line) => line !== '…' && line.trim() !== '' && !/^[\s|:+-]+$/.test(line))
    .map((line) => {
      const cells = delimiter === '|' ? rowCells(line) : cellsOf(line, delimiter);
      return cells.map((cell) => inline(cell.replaceAll('\n', ' '), 'cell').trim());
    });
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const shown = rows.map((row, index) => {
    const filled = Array.from({ length: width }, (_, column) => row[column] ?? '');
    return `| ${[...filled, index === 0 ? ' ' : citationMark(number)].join(' | ')} |`;
  });
  return [...shown.slice(0, 1), `|${'---|'.repeat(width + 1)}`, ...shown.slice(1)].join('\n');
}

/** A passage as the writer of a report gives it: checked as a whole, and shown by {@link verbatimPassage}. */
export function quoteBlock(id: string, text: string): string {
  const fence = fenceFor(text);
  return `${fence}quote-${id}\n${text}\n${fence}`;
}

/** The source's id, from what follows the fence of a {@link quoteBlock}. */
export function quotedId(info: string): string | undefined {
  const digits = /^quote-s([0-9a-f]{5,64})$/i.exec(info)?.[1];
  return digits === undefined ? undefined : `S${digits.toLowerCase()}`;
}

/** No line of the text can close it. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return longest < 20 ? '`'.repeat(longest + 1) : '~~~';
}
