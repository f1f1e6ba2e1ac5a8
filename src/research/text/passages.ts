import type { Token, Tokens } from 'marked';
import { lexBlocks } from '../../markdown/lexer.ts';
import { delimiterOf, recordsOf } from './delimited.ts';

/** What a passage is made of, and so how it is shown: running text, a row of a table, lines of code or configuration. */
export type PassageForm = 'prose' | 'row' | 'code';

/** The smallest part of a text that answers by itself, with all that is known of its place. */
export interface Passage {
  readonly form: PassageForm;
  /** 1-based, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** What encloses it, outermost first: headings, the symbol or key around it, the line that introduces a list. */
  readonly headings: readonly string[];
  /** Rows only: the line with the columns' names. */
  readonly head?: string;
  /** As it is in the text. */
  readonly text: string;
}

export type TextKind = 'markdown' | 'text' | 'code' | 'config' | 'table' | 'bibtex';

const kinds: readonly (readonly [TextKind, RegExp])[] = [
  // Notebooks and PDFs are read as Markdown.
  ['markdown', /\.(md|markdown|mdx|mdown|qmd|rmd|ipynb|pdf)$/i],
  ['bibtex', /\.bib$/i],
  ['table', /\.(csv|tsv|tab|psv)$/i],
  [
    'text',
    /(^|\/)(readme|licen[cs]e|copying|authors|changelog|changes|news|notes|todo|history)$|\.(txt|text|rst|adoc|asciidoc|org|tex|log|typ|wiki|vtt|srt|eml)$/i,
  ],
  [
    'config',
    /(^|\/)(dockerfile|makefile|procfile|justfile|\.?editorconfig)$|\.(jsonc?|jsonl|ndjson|json5|ya?ml|toml|ini|cfg|conf|properties|service|timer|socket|env|plist|po|tf|hcl|nix|geojson)$/i,
  ],
];

export function kindOf(path: string): TextKind {
  return kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? 'code';
}

/** Its marks mean nothing. */
export function isPlainText(path: string): boolean {
  return /\.(?:txt|text)$/i.test(path);
}

export function isOrg(path: string): boolean {
  return /\.org$/i.test(path);
}

export function isPdf(path: string): boolean {
  return /\.pdf$/i.test(path);
}

/** A passage is no longer than a reader takes in at a glance. */
const mostLength = 900;
const mostLines = 14;
/** Settings are one a line: each is its own answer. */
const mostConfigLines = 4;
/** A list or a listing this small is read as a whole. */
const smallLength = 600;
/** In UTF-16 units. */
const longestHeading = 120;
/** Levels of nesting that are followed. */
const deepest = 8;
/** Of one text. What lies beyond is data: a table of 20,000 rows answers by its first ones, or not at all. */
const mostPassages = 20_000;

/**
 * Cuts a text along its own structure. Every word of it is in exactly one passage, but for bare headings and comments of
 * Markdown. Linear.
 */
export function cutPassages(path: string, text: string): Passage[] {
  const lines = text.split('\n');
  const cutter = new Cutter(lines);
  switch (kindOf(path)) {
    case 'markdown':
      cutter.prose(true);
      break;
    case 'text':
      cutter.prose(false, isPlainText(path), isOrg(path));
      break;
    case 'table':
      cutter.rows();
      break;
    case 'bibtex':
      cutter.entries();
      break;
    case 'config':
      cutter.indented(mostConfigLines);
      break;
    case 'code':
      cutter.indented(mostLines);
  }
  return cutter.passages;
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

/** Lines `first` to `last`, 0-based. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** A line with its comment and what belongs below it, which begins at `body`. */
interface Unit {
  readonly first: number;
  last: number;
  body: number | undefined;
}

class Cutter {
  readonly passages: Passage[] = [];
  readonly #lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  #add(form: PassageForm, { first, last }: Span, headings: readonly string[], head?: string): void {
    if (this.passages.length >= mostPassages) return;
    const text = this.#lines.slice(first, last + 1).join('\n');
    if (!/[\p{L}\p{N}]/u.test(text)) return;
    const place = { form, firstLine: first + 1, lastLine: last + 1, headings, ...(head === undefined ? {} : { head }) };
    // A single line may be a whole paragraph, or a minified bundle.
    if (text.length > mostLength * 1.5 && first === last) {
      for (const piece of pieces(text)) this.passages.push({ ...place, text: piece });
    } else this.passages.push({ ...place, text });
  }

  /** Adds lines in runs that a passage may have. */
  #addRuns(form: PassageForm, { first, last }: Span, headings: readonly string[], most = mostLines): void {
    for (let from = first; from <= last;) {
      let to = from;
      let length = this.#lines[from]!.length;
      while (to < last && to - from + 1 < most && length + this.#lines[to + 1]!.length < mostLength)
        length += this.#lines[(to += 1)]!.length + 1;
      this.#add(form, { first: from, last: to }, headings);
      from = to + 1;
    }
  }

  #isBlank(index: number): boolean {
    return (this.#lines[index] ?? '').trim() === '';
  }

  #length({ first, last }: Span): number {
    let length = 0;
    for (let index = first; index <= last; index += 1) length += this.#lines[index]!.length + 1;
    return length;
  }

  // ------------------------------------------------------------------------------------------------------------- prose

  /** Headings, paragraphs, lists, tables and listings. */
  prose(isMarkdown: boolean, isPlain = false, hasStars = false): void {
    const from = isMarkdown ? this.#frontMatter() : 0;
    const lines = this.#lines.slice(from);
    let trail: Heading[] = [];
    /** A heading, or a paragraph, that what follows may belong to. */
    let open: (Span & { readonly isLead: boolean }) | undefined;
    let titles: readonly string[] = [];
    const flush = (): void => {
      if (open?.isLead) this.#addRuns('prose', open, titles);
      open = undefined;
    };
    // Line ends of Windows take no part.
    const marked = isMarkdown ? lines : asMarkdown(lines, isPlain, hasStars);
    const blocks = blocksOf(marked.join('\n').replaceAll('\r', ' '), from);
    for (const [index, block] of blocks.entries()) {
      const { token, last } = block;
      if (this.passages.length >= mostPassages) return;
      if (token.type === 'hr' || (isMarkdown && isComment(token))) continue;
      const first = open?.first ?? block.first;
      const length = this.#length({ first, last });
      if (token.type === 'heading') {
        flush();
        const { depth, text } = token as Tokens.Heading;
        trail = [...trail.filter(({ level }) => level < depth), { level: depth, title: unmarked(text) }];
        titles = trail.map(({ title }) => title);
        open = { ...block, isLead: false };
      } else if (token.type === 'table') {
        flush();
        const head = token.raw.slice(0, token.raw.indexOf('\n')).trim();
        for (let row = block.first + 2; row <= last; row += 1)
          this.#add('row', { first: row, last: row }, titles, head);
      } else if (
        (token.type === 'list' || token.type === 'code') &&
        open !== undefined &&
        length <= smallLength * 1.5
      ) {
        // What introduces a small list or a listing is read with it.
        this.#add('prose', { first, last }, titles);
        open = undefined;
      } else if (token.type === 'list') {
        flush();
        if (this.#length(block) <= smallLength) this.#add('prose', block, titles);
        else this.#items(token as Tokens.List, block.first, titles);
      } else if (token.type === 'code') {
        flush();
        const isClosed = /^\s*(?:`{3,}|~{3,})\s*$/.test(this.#lines[last]!);
        this.#addRuns('code', { first: block.first + 1, last: isClosed ? last - 1 : last }, titles);
      } else {
        const isWithOpen = open?.isLead === false && length <= mostLength * 1.5;
        flush();
        // A paragraph waits for the list or listing that it introduces.
        open = { first: isWithOpen ? first : block.first, last, isLead: true };
        const next = blocks[index + 1]?.token.type;
        if (next !== 'list' && next !== 'code') flush();
      }
    }
    flush();
  }

  /** Keys between two rules at the beginning. Gives the line after them. */
  #frontMatter(): number {
    if (!/^---\s*$/.test(this.#lines[0] ?? '')) return 0;
    const end = this.#lines.findIndex((line, index) => index > 0 && index < 200 && /^(?:---|\.\.\.)\s*$/.test(line));
    if (end === -1) return 0;
    this.#addRuns('code', { first: 1, last: end - 1 }, [], mostConfigLines * 2);
    return end + 1;
  }

  #items({ items }: Tokens.List, from: number, headings: readonly string[]): void {
    let first = from;
    for (const { raw } of items) {
      this.#addRuns('prose', { first, last: first + lineEnds(raw.trimEnd()) }, headings);
      first += lineEnds(raw);
    }
  }

  #trimmed(first: number, last: number): number {
    let at = last;
    while (at > first && this.#isBlank(at)) at -= 1;
    return at;
  }

  // -------------------------------------------------------------------------------------------- tables and bibliographies

  rows(): void {
    const first = this.#lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
    if (first === -1) return;
    const [top, ...records] = recordsOf(this.#lines, first, delimiterOf(this.#lines[first]!));
    const head = this.#lines.slice(first, top!.last + 1).join('\n');
    for (const record of records) this.#add('row', record, [], head);
    if (this.passages.length === 0) this.#add('row', top!, []);
  }

  entries(): void {
    let from = 0;
    for (let index = 1; index <= this.#lines.length; index += 1) {
      if (index < this.#lines.length && !/^\s*@\w/.test(this.#lines[index]!)) continue;
      const span = { first: from, last: this.#trimmed(from, index - 1) };
      const title = this.#lines.slice(from, index).find((line) => /^\s*title\s*=/i.test(line));
      const heading =
        title === undefined ? [] : [unmarked(title.replace(/^\s*title\s*=\s*/i, '').replace(/[{}",]/g, ''))];
      this.#addRuns('code', span, heading, mostLines * 2);
      from = index;
    }
  }

  // -------------------------------------------------------------------------------------------- code and configuration

  /**
   * Code and configuration by their indentation: what belongs together is what is indented below one line, with the comment above it,
   * and what is too much for one passage is cut further inside, under the line that opens it.
   */
  indented(most: number): void {
    this.#branch({ first: 0, last: this.#lines.length - 1 }, [], most, 0);
  }

  #branch(span: Span, trail: readonly string[], most: number, depth: number): void {
    let from: number | undefined;
    let to = span.first;
    const flush = (): void => {
      if (from !== undefined) this.#addRuns('code', { first: from, last: to }, trail, Math.max(most, mostLines));
      from = undefined;
    };
    for (const unit of this.#units(span)) {
      const lines = unit.last - unit.first + 1;
      const tooMuch = lines > Math.max(most, mostLines) || this.#length(unit) > mostLength;
      if (this.passages.length >= mostPassages) return;
      if (tooMuch && unit.body !== undefined && depth < deepest) {
        flush();
        const opening = { first: unit.first, last: Math.min(unit.body - 1, unit.first + mostLines - 1) };
        this.#addRuns('code', opening, trail);
        this.#branch({ first: unit.body, last: unit.last }, [...trail, ...this.#symbolOf(unit)], most, depth + 1);
        continue;
      }
      const isApart = from !== undefined && (this.#isBlank(unit.first - 1) || unit.last - from + 1 > most);
      if (isApart) flush();
      from ??= unit.first;
      to = unit.last;
    }
    flush();
  }

  /** The line that names what a unit is, without what opens its body. None for a unit of brackets. */
  #symbolOf({ first, body }: Unit): string[] {
    const lines = this.#lines.slice(first, body);
    const line = lines.find((one) => !isCommentLine(one) && !/^\s*[@[]/.test(one) && /\p{L}{2}/u.test(one));
    const symbol = shortened((line ?? lines.at(-1) ?? '').trim()).replace(
      /(?:[\s({[:=|]|[=-]>|(?<=\s)>|(?<=[>|])-){1,20}$/,
      '',
    );
    return /\p{L}{2}/u.test(symbol) ? [symbol] : [];
  }

  /** Lines at the smallest indentation, each with the comment above and what is indented below it. */
  #units({ first, last }: Span): readonly Unit[] {
    let indent = Infinity;
    for (let index = first; index <= last; index += 1)
      if (!this.#isBlank(index) && !isCloser(this.#lines[index]!))
        indent = Math.min(indent, indentOf(this.#lines[index]!));
    const units: Unit[] = [];
    let isComment = false;
    for (let index = first; index <= last; index += 1) {
      if (this.#isBlank(index)) {
        isComment = false;
        continue;
      }
      const line = this.#lines[index]!;
      const unit = units.at(-1);
      const deeper = indentOf(line) > indent;
      const closes = isCloser(line);
      if (unit !== undefined && (deeper || closes || isComment)) {
        if (deeper && !isComment) unit.body ??= index;
        unit.last = index;
        if (!deeper) isComment = isCommentLine(line);
        continue;
      }
      units.push({ first: index, last: index, body: undefined });
      isComment = isCommentLine(line);
    }
    return units;
  }
}

const listItem = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/;

/** A line that ends what a line above it opened. */
function isCloser(line: string): boolean {
  return line.length < 80 && /^\s*[)\]}>]|^\s*(?:end|fi|done|esac|\*\/|"""|''')\s*$/.test(line);
}

function isCommentLine(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif)|--|;|%|"""|''')/.test(line) && !/\*\/\s*\S/.test(line);
}

function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === ' ') width += 1;
    else if (character === '\t') width += 4;
    else break;
  }
  return width;
}

interface TextBlock extends Span {
  readonly token: Token;
}

/** The blocks of a text, with their lines counted from `offset`. A line too long to be read at once counts once. */
function blocksOf(text: string, offset: number): TextBlock[] {
  const blocks: TextBlock[] = [];
  let [first, at] = [offset, 0];
  for (const block of lexBlocks(text)) {
    first += lineEnds(text.slice(at, block.at));
    at = block.at;
    const { token } = block;
    const before = blocks.at(-1);
    const last = first + lineEnds(token.raw.trimEnd());
    if (token.type === 'def' && before?.token.type === 'def') blocks[blocks.length - 1] = { ...before, last };
    else if (first > (before?.last ?? -1)) blocks.push({ token, first, last });
  }
  return blocks;
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** No reader of the page sees it. */
function isComment(token: Token): boolean {
  return token.type === 'html' && /^\s*<!--[^]*-->\s*$/.test(token.raw);
}

/**
 * Lines of other markups with the headings of Markdown: AsciiDoc, Org, LaTeX, and underlined as in reStructuredText. The indentation of
 * plain text means nothing.
 */
function asMarkdown(lines: readonly string[], isPlain: boolean, hasStars: boolean): string[] {
  const heading = hasStars ? /^(\*{1,6})\s+(\S.*)$/ : /^(={1,6})\s+(\S.*)$/;
  const marked = isPlain ? lines.map((line) => line.trim()) : [...lines];
  for (const [index, line] of lines.entries()) {
    const marks = heading.exec(line);
    const section = /^\\((?:sub)*)(?:section|chapter|paragraph)\*?\{([^{}]+)\}/.exec(line);
    const underline = /^([=\-~^"'`+*#])\1{2,}\s*$/.exec(lines[index + 1] ?? '');
    const isUnderlined =
      underline !== null && line.trim() !== '' && line.length <= 120 && !listItem.test(line) && !/^\s*[>|]/.test(line);
    if (marks !== null) marked[index] = `${'#'.repeat(marks[1]!.length)} ${marks[2]!}`;
    else if (section !== null) marked[index] = `${'#'.repeat(1 + section[1]!.length / 3)} ${section[2]!}`;
    else if (isUnderlined && underline[0].trim().length >= line.trim().length * 0.6) {
      marked[index] = `${'#'.repeat('=-~^'.indexOf(underline[1]!) + 1 || 4)} ${line.trim()}`;
      marked[index + 1] = '';
    }
    marked[index] = marked[index]!.replace(/^(\s*)•(?=\s)/, '$1-');
  }
  return marked;
}

/** A heading or another short line without marks. */
function unmarked(line: string): string {
  const words = line
    .slice(0, 300)
    .trimEnd()
    .replace(/\s[#=]{1,20}$/, '')
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(
      /`{1,4}([^`]{1,300})`{1,4}|<[^<>]*>|\{\s*[#.:][^{}]*\}|\[\^[^\]\s]{1,40}\]|[*`]+/g,
      (_, code: string = '') => code,
    );
  return shortened(words.trim());
}

function shortened(words: string): string {
  return words.length <= longestHeading ? words : `${words.slice(0, longestHeading).replace(/\s\S*$/, '')}…`;
}

/** A single long line in pieces, near spaces. */
function pieces(line: string): string[] {
  const found: string[] = [];
  let rest = line;
  while (rest.length > mostLength * 1.5) {
    const space = rest.lastIndexOf(' ', mostLength);
    const at = space > mostLength / 2 ? space : mostLength;
    found.push(rest.slice(0, at).trim());
    rest = rest.slice(at);
  }
  return rest.trim() === '' ? found : [...found, rest.trim()];
}
