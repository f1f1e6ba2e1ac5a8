import { splitCommands, splitFormulas } from './formula.ts';
import type { Inline } from './tree.ts';

/** Position of the text: in a cell a pipe ends it, at the start of a block other characters have a meaning too. */
export type Place = 'start' | 'middle' | 'cell';

/**
 * Writes nodes as inline Markdown on one line. Whatever a text holds is escaped, so that any reader of Markdown finds
 * these nodes again and nothing else.
 */
export function writeInlines(nodes: readonly Inline[], place: Place = 'middle'): string {
  let out = '';
  for (const node of nodes) {
    const at = out === '' && place === 'start' ? 'start' : place === 'cell' ? 'cell' : 'middle';
    switch (node.type) {
      case 'text':
        out += escapeText(node.text, at);
        break;
      case 'code':
        // The marks of two codes side by side would be one run.
        out += `${out.endsWith('`') ? ' ' : ''}${writeCode(node.text, place)}`;
        break;
      case 'strong':
      case 'emphasis':
      case 'deleted':
        out += styled(writeInlines(node.children, at), marks[node.type]);
        break;
      case 'citation':
        out = node.isTarget
          ? `${out}<a id="ref-${node.number}"></a>[${node.number}]`
          : `${beforeLink(out)}${citationMark(node.number)}`;
        break;
      case 'link':
        out =
          node.children.length === 0
            ? `${out}${writeAddress(node.href)}`
            : `${beforeLink(out)}[${writeInlines(node.children)}](${writeAddress(node.href)})`;
    }
  }
  return out;
}

/**
 * Writes a text that is not Markdown as one line of Markdown that any reader shows as this text, formulas included.
 * {@link readLiteral} gives it back, with white space as single spaces.
 */
export function writeLiteral(text: string, place: Exclude<Place, 'cell'>): string {
  return escapePlain(text, place).replaceAll('$', '\\$');
}

/** The text of a line that {@link writeLiteral} wrote, or a person: without its escapes. */
export function readLiteral(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])|&(?:lt|amp|#96);/g, (found, char?: string) => char ?? entities[found]!);
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&amp;': '&', '&#96;': '`' };

const marks = { strong: '**', emphasis: '*', deleted: '~~' } as const;

/** A link behind an exclamation mark would be an image. */
function beforeLink(out: string): string {
  return out.endsWith('!') ? `${out.slice(0, -1)}\\!` : out;
}

function styled(content: string, marks: string): string {
  const words = content.trim();
  if (words === '') return content === '' ? '' : ' ';
  const start = content.length - content.trimStart().length > 0 ? ' ' : '';
  const end = content.length - content.trimEnd().length > 0 ? ' ' : '';
  // A mark behind a backslash would be text.
  return `${start}${marks}${words}${marks}${end}`;
}

/** Shown as `[3]`; leads to its reference wherever the report is rendered. */
export function citationMark(number: number): string {
  return `[[${number}]](#ref-${number})`;
}

const wordChar = /[\p{L}\p{N}]/u;

/** What renderers make a link of without any mark: the last character is escaped. */
const linkStarts =
  /\/(?=\/\S)\/|(?<![a-z0-9])www\d{0,3}\.(?=\S)|(?<![a-z0-9])mailto:(?=\S)|(?<=[^\s\\])@(?=[\p{L}\p{M}\p{N}\p{S}_-]{1,63}\.[\p{L}\p{N}\p{S}_-])/giu;

/** A text without any of these is written as it is. */
const telling = /[\\`*_~[\]<&|@/:.{#%^\n\t\v\f\r]/;

function escapeText(text: string, place: Place): string {
  if (place !== 'start' && !telling.test(text) && !text.includes('$$')) return text;
  const escaped = splitFormulas(text)
    .map((part, index) =>
      index % 2 === 1 && place !== 'cell'
        ? // To TeX the space is none, and to Liquid no tag begins.
          part.replace(/\{(?=[{%#])/g, '{ ')
        : escapePlain(part, index === 0 ? place : place === 'cell' ? place : 'middle'),
    )
    .join('');
  // A display formula that nothing closes takes the rest of the report with it.
  const last = escaped.lastIndexOf('$$');
  const isOpen = last >= 0 && escaped.split('$$').length % 2 === 0;
  return isOpen ? `${escaped.slice(0, last)}\\$\\$${escaped.slice(last + 2)}` : escaped;
}

/** Between braces; one may be in the text before. */
const isOfTag = (before: string | undefined, after: string | undefined): boolean =>
  before === undefined || before === '{' || after === '}';

function escapePlain(text: string, place: Place): string {
  const plain = text.replace(/[ \t\n\v\f\r]+/g, ' ');
  const escaped = plain.replace(/[\\`*_~[\]<&|{@#%^]/g, (char, at: number) => {
    const before = plain[at - 1];
    const after = plain[at + 1];
    switch (char) {
      // Citations of Pandoc and mentions of GitHub, its issues, comments of Obsidian, tags of Liquid and Jinja, which run before Markdown is
      // read. Addresses are below.
      case '@':
        return !wordChar.test(before ?? ' ') && /\p{L}/u.test(after ?? '') ? '\\@' : char;
      case '#':
        return (!wordChar.test(before ?? ' ') && /\d/.test(after ?? '')) || isOfTag(before, after) ? '\\#' : char;
      case '^':
        return before === '^' || after === '^' ? '\\^' : char;
      case '%':
        return before === '%' || after === '%' || isOfTag(before, after) ? '\\%' : char;
      case '*':
        return before === ' ' && after === ' ' ? char : '\\*';
      case '_':
        return before !== undefined && after !== undefined && wordChar.test(before) && wordChar.test(after)
          ? char
          : '\\_';
      case '~':
        return before === ' ' && after !== undefined && wordChar.test(after) ? char : '\\~';
      case '<':
        return '&lt;';
      case '`':
        // R Markdown runs it behind a backslash too.
        return executed.test(plain.slice(at + 1, at + 43)) ? '&#96;' : '\\`';
      case '&':
        return /^&#?[\da-z]{1,40};/i.test(plain.slice(at, at + 43)) ? '&amp;' : char;
      case '|':
        return place === 'cell' ? '&#124;' : char;
      default:
        return `\\${char}`;
    }
  });
  const inert = escaped.replace(linkStarts, (found) => `${found.slice(0, -1)}\\${found.at(-1)}`);
  if (place !== 'start') return inert;
  return inert
    .trimStart()
    .replace(/^(?=#{1,6}(?: |$)|[-+=](?: |$|[-+=])|>|:(?: |$|[-:]))/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?: |$))/, '$1\\');
}

/** The marks of code that Quarto, R Markdown and Obsidian's queries run when they render it: outside the code they are text. */
const executed = /^(?:\s*(?:r[ #]|\$?=|\{[a-z]+\}))+/;

function writeCode(text: string, place: Place): string {
  const line = text.replace(/\s+/g, ' ');
  // What a backslash before the escape of a pipe means is read in two ways.
  const code = place === 'cell' ? line.replace(/\\(?=\|)/g, '\\ ').replaceAll('|', '\\|') : line;
  if (code.trim() === '') return code === '' ? '' : ' ';
  // Dollar signs around it make a formula of code too, to Pandoc.
  const parts = splitCommands(line);
  if (parts.length > 1)
    return parts
      .map((part, index) => (index % 2 === 1 ? part.replace(/[\\^]/g, '\\$&') : writeCode(part, place)))
      .join('');
  const mark = executed.exec(code)?.[0];
  if (mark !== undefined)
    return `${escapeText(mark, 'middle').trim()} ${writeCode(line.slice(mark.length).trim(), place)}`.trim();
  let longest = 0;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const marks = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(code) ? ' ' : '';
  return `${marks}${pad}${code}${pad}${marks}`;
}

/** An address that was checked, with nothing in it that Markdown reads. */
function writeAddress(href: string): string {
  return href
    .replace(
      /[()<>\s`[\]*\\|"'{}^]|~(?=~)|^_|_$/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replace(/&(?=#?\w{1,40};)/g, '&amp;');
}
