import { cellsOf, withoutMarks } from '../../protocol/markdownLine.ts';

/**
 * A passage of Markdown as one line of running text: without its headings, footnotes, targets of links and marks of items and quotations;
 * short code between fences is code in the line, and a row of a table is its cells, each behind the head of its column.
 */
export function statementLine(text: string): string {
  const parts: string[] = [];
  let heads: readonly string[] | undefined;
  const lines = withCodeInline(text)
    .split('\n')
    .filter((one) => !/^\s{0,3}#{1,6}\s|^\s*(?:!!!|\?\?\?\+?|:{3,10})(?=\s|\w|$)/.test(one));
  for (const [index, one] of lines.entries()) {
    const line = withoutMarks(one);
    if (!line.startsWith('|')) {
      if (line !== '…') heads = undefined;
      parts.push(withoutTargets(line));
      continue;
    }
    if (isRule(line)) continue;
    const next = withoutMarks(lines[index + 1] ?? '');
    if (heads === undefined && (isRule(next) || next === '…')) heads = cellsOf(line);
    else parts.push(rowLine(cellsOf(line), heads ?? []));
  }
  const whole = parts.filter((part) => part !== '' && part !== '…').join(' ');
  const line = whole.replace(/\s+/g, ' ').trim();
  return line === '' ? text.replace(/\s+/g, ' ').trim() : line;
}

/** Words of links alone: where they lead is not said by a sentence. */
function withoutTargets(line: string): string {
  return line
    .replace(/^\[\^[^\]\s]{1,40}\]:\s+/, '')
    .replace(/(?<=\S)\[\^[^\]\s]{1,40}\](?!:)/g, '')
    .replace(/!\[[^[\]]{0,300}\]\([^()\s]{0,600}\)/g, '')
    .replace(/\[([^[\]]{1,300})\](?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,600}\)|\[[^[\]]{0,100}\])/g, '$1');
}

/** Of code on lines of its own, in UTF-16 units; more of it is left out. */
const longestCode = 160;

/** Code on lines of its own becomes code within its sentence. */
function withCodeInline(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  let code: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^[\s>]{0,12}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      if (mark === undefined) lines.push(line);
      else fence = mark;
    } else if (mark === undefined || !mark.startsWith(fence)) code.push(line);
    else {
      lines.push(codeSpan(code));
      [fence, code] = [undefined, []];
    }
  }
  return [...lines, ...(code.length > 0 ? [codeSpan(code)] : [])].join('\n');
}

function codeSpan(lines: readonly string[]): string {
  const code = lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
  return code === '' || code.length > longestCode || code.includes('`') ? '' : `\`${code}\``;
}

function rowLine(cells: readonly string[], heads: readonly string[]): string {
  return cells
    .map((cell, column) => (heads[column] && /[\p{L}\p{N}]/u.test(cell) ? `${heads[column]}: ${cell}` : cell))
    .filter((cell) => /[\p{L}\p{N}]/u.test(cell))
    .join(', ');
}

const isRule = (line: string): boolean => /^\|[\s|:+-]+$/.test(line);
