/** A passage of Markdown as one line of running text: without its headings, fences and marks of items. */
export function statementLine(text: string): string {
  const line = text
    .split('\n')
    .filter((one) => !/^ {0,3}#{1,6}\s|^ {0,3}(?:```|~~~)/.test(one))
    .map((one) => one.trim().replace(/^(?:>|[-*+•]|\d{1,3}[.)])\s/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? text.replace(/\s+/g, ' ').trim() : line;
}
