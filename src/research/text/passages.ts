import { splitSentences } from './sentences.ts';

/** What a passage is made of, and so how it is shown: running text, a row of a table, lines of code or configuration. */
export type PassageForm = 'prose' | 'row' | 'code';

/** The smallest part of a text that answers by itself, with all that is known of its place. */
export interface Passage {
  readonly form: PassageForm;
  /** 1-based, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** What it stands under, outermost first: headings, the symbol or key around it, the line that introduces a list. */
  readonly headings: readonly string[];
  /** Rows only: the line with the columns' names. */
  readonly head?: string;
  /** As it stands in the text. */
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

/** A passage is no longer than a reader takes in at a glance. */
const mostLength = 900;
const mostLines = 14;
/** Settings stand one a line: each is its own answer. */
const mostConfigLines = 4;
/** A list or a listing this small is read as a whole. */
const smallLength = 600;
/** Levels of nesting that are followed. */
const deepest = 8;
/** Of one text. What lies beyond is data: a table of 20,000 rows answers by its first ones, or not at all. */
const mostPassages = 20_000;

/**
 * Cuts a text along its own structure. Every word of it stands in exactly one passage, but for bare headings and comments of
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
      cutter.prose(false);
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
  /** Fences that nothing closes from some line on. */
  readonly #unclosed = new Set<string>();

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
      for (const piece of pieces(text, form)) this.passages.push({ ...place, text: piece });
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
  prose(isMarkdown: boolean): void {
    const front = isMarkdown ? this.#frontMatter() : { next: 0 };
    // Generators of sites show the title of the front matter as the page's heading.
    let trail: Heading[] = front.title === undefined ? [] : [{ level: 0, title: front.title }];
    /** First line of a heading, or of a paragraph, that what follows may belong to. */
    let open: { readonly from: number; readonly isLead: boolean } | undefined;
    let index = front.next;
    const titles = (): string[] => trail.map(({ title }) => title);
    const flush = (): void => {
      if (open?.isLead) this.#addRuns('prose', { first: open.from, last: lastOfOpen }, titles());
      open = undefined;
    };
    let lastOfOpen = 0;
    while (index < this.#lines.length && this.passages.length < mostPassages) {
      const line = this.#lines[index]!;
      if (line.trim() === '') {
        index += 1;
        continue;
      }
      const heading = headingOf(line, this.#lines[index + 1], isMarkdown) ?? this.#htmlHeadingAt(index);
      if (heading !== undefined) {
        flush();
        trail = [...trail.filter(({ level }) => level < heading.level), heading];
        open = { from: index, isLead: false };
        index += heading.lines;
        continue;
      }
      if (this.#isTableAt(index)) {
        flush();
        index = this.#table(index, titles());
        continue;
      }
      const afterComment = isMarkdown ? this.#commentAt(index) : undefined;
      if (afterComment !== undefined) {
        index = afterComment;
        continue;
      }
      if (isMarkdown && admonition.test(line) && this.#isBlank(index + 1)) {
        // It is read with what it introduces.
        if (open?.isLead) flush();
        open ??= { from: index, isLead: false };
        index += 1;
        continue;
      }
      const fenceEnd = this.#fenceAt(index);
      const span: Span = fenceEnd === undefined ? this.#blockAt(index) : { first: index, last: fenceEnd };
      const isList = fenceEnd === undefined && listItem.test(line);
      const from = open?.from ?? index;
      const whole = { first: from, last: span.last };
      if ((isList || fenceEnd !== undefined) && open !== undefined && this.#length(whole) <= smallLength * 1.5) {
        // What introduces a small list or a listing is read with it.
        this.#add('prose', whole, titles());
        open = undefined;
      } else if (isList) {
        const lead = open?.isLead ? plain(this.#lines[lastOfOpen]!) : undefined;
        flush();
        if (this.#length(span) <= smallLength) this.#add('prose', span, lead ? [...titles(), lead] : titles());
        else this.#items(span, lead ? [...titles(), lead] : titles());
      } else if (fenceEnd !== undefined) {
        flush();
        this.#addRuns('code', { first: span.first + 1, last: Math.max(span.first + 1, span.last - 1) }, titles());
      } else {
        const withHeading = open !== undefined && !open.isLead && this.#length(whole) <= mostLength * 1.5;
        flush();
        // A paragraph waits for the list or listing that it introduces.
        open = { from: withHeading ? from : span.first, isLead: true };
        lastOfOpen = span.last;
        const next = this.#nextText(span.last + 1);
        const leads = next !== undefined && (listItem.test(this.#lines[next]!) || this.#fenceAt(next) !== undefined);
        if (!leads) flush();
      }
      index = span.last + 1;
    }
    flush();
  }

  /** `<h2 id="x">Title</h2>`, on one line or on three. */
  #htmlHeadingAt(index: number): (Heading & { readonly lines: number }) | undefined {
    if (!/^\s{0,3}<h[1-6][\s>]/i.test(this.#lines[index]!)) return undefined;
    for (let lines = 1; lines <= 3 && index + lines <= this.#lines.length; lines += 1) {
      const whole = this.#lines
        .slice(index, index + lines)
        .join(' ')
        .slice(0, 1_000);
      const [, level, inner] = /^\s*<h([1-6])(?:\s[^<>]*)?>(.*)<\/h\1>\s*$/i.exec(whole) ?? [];
      if (level === undefined) continue;
      const title = plain(inner!.trim());
      return title === '' ? undefined : { level: Number(level), title, lines };
    }
    return undefined;
  }

  #nextText(index: number): number | undefined {
    for (let at = index; at < Math.min(this.#lines.length, index + 3); at += 1) if (!this.#isBlank(at)) return at;
    return undefined;
  }

  /** Keys between two rules at the beginning. Gives the line after them, and the title that they name. */
  #frontMatter(): { readonly next: number; readonly title?: string } {
    if (!/^---\s*$/.test(this.#lines[0] ?? '')) return { next: 0 };
    const end = this.#lines.findIndex((line, index) => index > 0 && index < 200 && /^(?:---|\.\.\.)\s*$/.test(line));
    if (end === -1) return { next: 0 };
    this.#addRuns('code', { first: 1, last: end - 1 }, [], mostConfigLines * 2);
    const line = this.#lines.slice(1, end).find((one) => /^title\s*:\s*\S/i.test(one));
    const title = plain(line?.replace(/^title\s*:\s*/i, '').replace(/^(["'])(.*)\1\s*$/, '$2') ?? '');
    return title === '' ? { next: end + 1 } : { next: end + 1, title };
  }

  /** A paragraph, or a list with what is indented below its items. */
  #blockAt(first: number): Span {
    const isList = listItem.test(this.#lines[first]!);
    let last = first;
    for (let index = first + 1; index < this.#lines.length; index += 1) {
      const line = this.#lines[index]!;
      if (line.trim() === '') {
        if (!isList) break;
        const next = this.#nextText(index);
        if (next === undefined || !(listItem.test(this.#lines[next]!) || /^\s{2,}\S/.test(this.#lines[next]!))) break;
        continue;
      }
      if (/^ {0,3}#{1,6}\s/.test(line) || (!isList && (listItem.test(line) || this.#isTableAt(index)))) break;
      if (!isList && this.#fenceAt(index) !== undefined) break;
      last = index;
    }
    return { first, last };
  }

  /** Items of a list, each with what is nested in it when that is little. */
  #items({ first, last }: Span, headings: readonly string[], depth = 0): void {
    const indent = indentOf(this.#lines[first]!);
    let from = first;
    for (let index = first + 1; index <= last + 1; index += 1) {
      const line = this.#lines[index] ?? '';
      const begins = index > last || (listItem.test(line) && indentOf(line) <= indent);
      if (!begins) continue;
      const item = { first: from, last: this.#trimmed(from, index - 1) };
      const nested = this.#nestedFrom(item);
      if (depth >= deepest || this.#length(item) <= mostLength || nested === undefined)
        this.#addRuns('prose', item, headings);
      else {
        this.#addRuns('prose', { first: item.first, last: nested - 1 }, headings);
        this.#items({ first: nested, last: item.last }, [...headings, plain(this.#lines[item.first]!)], depth + 1);
      }
      from = index;
    }
  }

  #nestedFrom({ first, last }: Span): number | undefined {
    for (let index = first + 1; index <= last; index += 1) if (listItem.test(this.#lines[index]!)) return index;
    return undefined;
  }

  #trimmed(first: number, last: number): number {
    let at = last;
    while (at > first && this.#isBlank(at)) at -= 1;
    return at;
  }

  /** The last line of the fence that opens at a line; undefined when none does, or it never closes. */
  #fenceAt(index: number): number | undefined {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(this.#lines[index]!)?.[1];
    if (mark === undefined || this.#unclosed.has(mark)) return undefined;
    for (let at = index + 1; at < this.#lines.length; at += 1) {
      const line = this.#lines[at]!.trim();
      if (line.startsWith(mark) && line.replaceAll(mark[0]!, '') === '') return at;
    }
    this.#unclosed.add(mark);
    return undefined;
  }

  /** The line after a comment that has its lines for itself: no reader of the page sees it. */
  #commentAt(index: number): number | undefined {
    if (!/^\s{0,3}<!--/.test(this.#lines[index]!) || this.#unclosed.has('<!--')) return undefined;
    for (let at = index; at < this.#lines.length; at += 1) {
      const line = this.#lines[at]!;
      if (!line.includes('-->')) continue;
      if (line.trimEnd().endsWith('-->')) return at + 1;
      return at > index ? at : undefined;
    }
    this.#unclosed.add('<!--');
    return undefined;
  }

  #isTableAt(index: number): boolean {
    const next = this.#lines[index + 1];
    return (
      next !== undefined &&
      this.#lines[index]!.includes('|') &&
      next.includes('|') &&
      next.includes('-') &&
      /^[\s|:+-]+$/.test(next)
    );
  }

  #table(first: number, headings: readonly string[]): number {
    const head = this.#lines[first]!.trim();
    let index = first + 2;
    for (; index < this.#lines.length && this.#lines[index]!.includes('|'); index += 1)
      this.#add('row', { first: index, last: index }, headings, head);
    return index;
  }

  // -------------------------------------------------------------------------------------------- tables and bibliographies

  rows(): void {
    const first = this.#lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
    if (first === -1) return;
    const head = this.#lines[first]!;
    for (let index = first + 1; index < this.#lines.length; index += 1)
      if (!this.#isBlank(index)) this.#add('row', { first: index, last: index }, [], head);
    if (this.passages.length === 0) this.#add('row', { first, last: first }, []);
  }

  entries(): void {
    let from = 0;
    for (let index = 1; index <= this.#lines.length; index += 1) {
      if (index < this.#lines.length && !/^\s*@\w/.test(this.#lines[index]!)) continue;
      const span = { first: from, last: this.#trimmed(from, index - 1) };
      const title = this.#lines.slice(from, index).find((line) => /^\s*title\s*=/i.test(line));
      const heading = title === undefined ? [] : [plain(title.replace(/^\s*title\s*=\s*/i, '').replace(/[{}",]/g, ''))];
      this.#addRuns('code', span, heading, mostLines * 2);
      from = index;
    }
  }

  // -------------------------------------------------------------------------------------------- code and configuration

  /**
   * Code and configuration by their indentation: what belongs together is what stands under one line with the comment above it,
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
    const symbol = plain(line ?? lines.at(-1) ?? '').replace(/[\s({[:=|>-]{1,20}$/, '');
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

/** The mark of a note in its own line: MkDocs, Docusaurus and its like. */
const admonition = /^ {0,3}(?:(?:!!!|\?\?\?\+?) ?\w|:::+ ?\w)[^\n]{0,200}$/;

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

function headingOf(
  line: string,
  next: string | undefined,
  isMarkdown: boolean,
): (Heading & { readonly lines: number }) | undefined {
  const marks = isMarkdown
    ? /^\s{0,3}(#{1,6})\s+(\S.*)$/.exec(line)
    : (/^(={1,6})\s+(\S.*)$/.exec(line) ?? /^(\*{1,6})\s+(\S.*)$/.exec(line) ?? /^(#{1,6})\s+(\S.*)$/.exec(line));
  if (marks !== null) return { level: marks[1]!.length, title: plain(marks[2]!), lines: 1 };
  const section = isMarkdown ? null : /^\\((?:sub)*)(?:section|chapter|paragraph)\*?\{([^{}]+)\}/.exec(line);
  if (section !== null) return { level: 1 + section[1]!.length / 3, title: plain(section[2]!), lines: 1 };
  if (next === undefined || line.trim() === '' || line.length > 120 || listItem.test(line) || /^\s*[>|]/.test(line))
    return undefined;
  const underline = (isMarkdown ? /^(={3,}|-{3,})\s*$/ : /^([=\-~^"'`+*#])\1{2,}\s*$/).exec(next);
  if (underline === null || (!isMarkdown && next.trim().length < line.trim().length * 0.6)) return undefined;
  return { level: '=-~^'.indexOf(underline[1]![0]!) + 1 || 4, title: plain(line), lines: 2 };
}

/** A heading or another short line without marks. */
function plain(line: string): string {
  return line
    .slice(0, 300)
    .trimEnd()
    .replace(/\s[#=]{1,20}$/, '')
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<[^<>]*>|\{\s*[#.:][^{}]*\}/g, '')
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(/[*`]+/g, '')
    .trim()
    .slice(0, 120);
}

/** A single long line in pieces: at sentences, or where there are none, anywhere near a space. */
function pieces(line: string, form: PassageForm): string[] {
  const found: string[] = [];
  let piece = '';
  const parts = form === 'prose' ? splitSentences(line).map(({ text }) => text) : [line];
  for (const part of parts) {
    if (piece !== '' && piece.length + part.length > mostLength) {
      found.push(piece.trim());
      piece = '';
    }
    piece += part;
    while (piece.length > mostLength * 1.5) {
      const space = piece.lastIndexOf(' ', mostLength);
      const at = space > mostLength / 2 ? space : mostLength;
      found.push(piece.slice(0, at).trim());
      piece = piece.slice(at);
    }
  }
  if (piece.trim() !== '') found.push(piece.trim());
  return found;
}
