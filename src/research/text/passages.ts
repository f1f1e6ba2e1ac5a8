import type { Token, Tokens } from 'marked';
import { lexBlocks } from '../../markdown/lexer.ts';
import { delimiterOf, recordsOf } from './delimited.ts';
import { splitSentences } from './sentences.ts';

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
/** A plain text with fewer numbered pages counts as one without pages. */
const leastPages = 3;
/** In UTF-16 units. */
const longestHeading = 120;
/** Of the characters of code; of prose in files of many projects 2 %, of their code in plain texts 4.2 % at least. */
const leastMarks = 0.04;
/** Levels of nesting that are followed. */
const deepest = 8;
/** Lines of a record that are read for its name, and texts of it that are one. */
const mostRead = 20;
const mostTexts = 3;
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
      if (isPlainText(path) && isCodeIn(text)) cutter.indented(mostLines);
      else cutter.prose(false, isPlainText(path), isOrg(path));
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

/** Whether a text is code: prose has few marks other than punctuation, and a line of them counts as one. */
function isCodeIn(text: string): boolean {
  const items = /^[ \t]*[*+](?=\s)/gm;
  const marks =
    text
      .replace(items, '')
      .replace(/([^\p{L}\p{N}\s])\1+/gu, '$1')
      .match(/[_={}<>$\\|#*^~+@&`]/g) ?? [];
  return marks.length > text.replace(/\s+/g, '').length * leastMarks;
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
      if (form === 'prose' && to < last) to = this.#endOfPart({ first: from, last: to });
      this.#add(form, { first: from, last: to }, headings);
      from = to + 1;
    }
  }

  /** The last line of some before which a paragraph ends, else a sentence; the last of all where none does in their latter half. */
  #endOfPart({ first, last }: Span): number {
    const ends = { paragraph: -1, sentence: -1 };
    let isFenced = false;
    for (let at = first; at <= last; at += 1) {
      const line = this.#lines[at]!;
      if (/^\s*(?:`{3,}|~{3,})/.test(line)) isFenced = !isFenced;
      if (isFenced || this.#isBlank(at) || at < (first + last) / 2) continue;
      if (this.#isBlank(at + 1) && !/[:：]\s*$/.test(line)) ends.paragraph = at;
      else if (/[.!?。！？]["')\]*_]*\s*$/.test(line)) ends.sentence = at;
    }
    return [ends.paragraph, ends.sentence].find((end) => end >= 0) ?? last;
  }

  /** The words of some lines; of many the last sentence. */
  #lastSentence({ first, last }: Span): string {
    const words = this.#lines
      .slice(first, last + 1)
      .map((line) => line.trim())
      .join(' ')
      .trim();
    const sentence = splitSentences(words).findLast(({ text }) => /[\p{L}\p{N}]/u.test(text));
    return unmarked(words.length <= longestHeading ? words : (sentence?.text ?? ''));
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
    const front = isMarkdown ? this.#frontMatter() : { next: 0 };
    const lines = this.#lines.slice(front.next);
    // Generators of sites show the title of the front matter as the page's heading.
    let trail: Heading[] = front.title === undefined ? [] : [{ level: 0, title: front.title }];
    /** A heading, or a paragraph, that what follows may belong to. */
    let open: (Span & { readonly isLead: boolean; readonly paragraph?: number }) | undefined;
    let titles: readonly string[] = trail.map(({ title }) => title);
    const flush = (): void => {
      if (open?.isLead) this.#addRuns('prose', open, titles);
      open = undefined;
    };
    // Line ends of Windows take no part.
    const marked = (isMarkdown ? lines : asMarkdown(lines, isPlain, hasStars)).map(withBullet);
    const blocks = blocksOf(marked.join('\n').replaceAll('\r', ' '), front.next);
    for (const [index, block] of blocks.entries()) {
      const { token, last } = block;
      if (this.passages.length >= mostPassages) return;
      if (token.type === 'hr' || (isMarkdown && saysNothing(token))) continue;
      const heading = headingOf(token);
      const first = open?.first ?? block.first;
      const length = this.#length({ first, last });
      if (heading !== undefined) {
        flush();
        trail = [...trail.filter(({ level }) => level < heading.level), heading];
        titles = trail.map(({ title }) => title);
        open = { ...block, isLead: false };
      } else if (token.type === 'table') {
        flush();
        const head = token.raw.slice(0, token.raw.indexOf('\n')).trim();
        for (let row = block.first + 2; row <= last; row += 1)
          this.#add('row', { first: row, last: row }, titles, head);
      } else if (isMarkdown && admonition.test(token.raw.trimEnd())) {
        // It is read with what it introduces.
        if (open?.isLead) flush();
        open ??= { ...block, isLead: false };
      } else if (
        (token.type === 'list' || token.type === 'code') &&
        open !== undefined &&
        length <= smallLength * 1.5
      ) {
        // What introduces a small list or a listing is read with it.
        this.#add('prose', { first, last }, titles);
        open = undefined;
      } else if (token.type === 'list') {
        const lead = open?.isLead ? this.#lastSentence({ first: open.paragraph ?? open.first, last: open.last }) : '';
        flush();
        const above = lead === '' ? titles : [...titles, lead];
        if (this.#length(block) <= smallLength) this.#add('prose', block, above);
        else this.#items(token as Tokens.List, block.first, above);
      } else if (token.type === 'code') {
        let from = block.first + 1;
        if (open?.isLead && this.#length(open) < mostLength && this.#announces(open.last, block.first)) {
          // As much of the listing as a passage has room for.
          while (from < last && from - first < mostLines && this.#length({ first, last: from }) < mostLength) from += 1;
          this.#add('prose', { first, last: from - 1 }, titles);
          open = undefined;
        } else flush();
        const isClosed = /^\s*(?:`{3,}|~{3,})\s*$/.test(this.#lines[last]!);
        this.#addRuns('code', { first: from, last: isClosed ? last - 1 : last }, titles);
      } else if (!isMarkdown && gridRule.test(token.raw.split('\n', 1)[0]!)) {
        flush();
        this.#grid(block, titles);
      } else {
        const isAnnounced =
          open?.isLead === true && this.#announces(open.last, block.first) && length <= smallLength * 1.5;
        const isWithOpen = isAnnounced || (open?.isLead === false && length <= mostLength * 1.5);
        if (!isAnnounced) flush();
        // A paragraph waits for the list or listing that it introduces.
        open = { first: isWithOpen ? first : block.first, last, isLead: true, paragraph: block.first };
        const next = blocks[index + 1]?.token.type;
        const isLead =
          next === 'list' ||
          next === 'code' ||
          (next === 'paragraph' && !isAnnounced && this.#announces(last, blocks[index + 1]!.first));
        if (!isLead) flush();
      }
    }
    flush();
  }

  /** A table drawn with rules: each row with the names of the columns, from above the first rule of `=` or from the first row. */
  #grid({ first, last }: Span, headings: readonly string[]): void {
    let head: string | undefined;
    let from = first + 1;
    for (let at = from; at <= last; at += 1) {
      if (!gridRule.test(this.#lines[at]!)) continue;
      if (head === undefined && at > from) head = joinedRow(this.#lines.slice(from, at));
      else if (at > from) this.#add('row', { first: from, last: at - 1 }, headings, head);
      from = at + 1;
    }
  }

  /** Whether a line says that the one at `to` follows, with nothing between them, such as the end of a page. */
  #announces(from: number, to: number): boolean {
    const hasGap = this.#lines.slice(from + 1, to).every((line) => line.trim() === '');
    return hasGap && /[:：]\s*$/.test(this.#lines[from]!);
  }

  /** Keys between two rules at the beginning. Gives the line after them, and the title that they name. */
  #frontMatter(): { readonly next: number; readonly title?: string } {
    if (!/^---\s*$/.test(this.#lines[0] ?? '')) return { next: 0 };
    const end = this.#lines.findIndex((line, index) => index > 0 && index < 200 && /^(?:---|\.\.\.)\s*$/.test(line));
    if (end === -1) return { next: 0 };
    this.#addRuns('code', { first: 1, last: end - 1 }, [], mostConfigLines * 2);
    const line = this.#lines.slice(1, end).find((one) => /^title\s*:\s*\S/i.test(one));
    const title = unmarked(line?.replace(/^title\s*:\s*/i, '').replace(/^(["'])(.*)\1\s*$/, '$2') ?? '');
    return title === '' ? { next: end + 1 } : { next: end + 1, title };
  }

  /** Items of a list, each with what is nested in it when that is little. */
  #items({ items }: Tokens.List, from: number, headings: readonly string[]): void {
    let first = from;
    for (const { raw, tokens } of items) {
      const item = { first, last: first + lineEnds(raw.trimEnd()) };
      const before = tokens.findIndex(({ type }) => type === 'list');
      if (before < 1 || this.#length(item) <= mostLength) this.#addRuns('prose', item, headings);
      else {
        const nested = first + tokens.slice(0, before).reduce((lines, token) => lines + lineEnds(token.raw), 0);
        this.#addRuns('prose', { first, last: nested - 1 }, headings);
        this.#items(tokens[before] as Tokens.List, nested, [
          ...headings,
          this.#lastSentence({ first, last: nested - 1 }),
        ]);
      }
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
        const inside = [...trail, ...this.#symbolOf(unit)];
        this.#addRuns('code', opening, recordStart.test(this.#lines[unit.first]!) ? inside : trail);
        this.#branch({ first: unit.body, last: unit.last }, inside, most, depth + 1);
        continue;
      }
      const isApart = from !== undefined && (this.#isBlank(unit.first - 1) || unit.last - from + 1 > most);
      if (isApart) flush();
      from ??= unit.first;
      to = unit.last;
    }
    flush();
  }

  /** The line that names what a unit is, without what opens its body; of a record what its first texts are. */
  #symbolOf({ first, body }: Unit): string[] {
    const lines = this.#lines.slice(first, body);
    if (recordStart.test(lines[0]!)) {
      const values = this.#lines.slice(first, first + mostRead).flatMap((one) => recordText(one) ?? []);
      if (values.length > 0) return [shortened([...new Set(values)].slice(0, mostTexts).join(', '))];
    }
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

/** The mark of a note in its own line: MkDocs, Docusaurus and its like. */
const admonition = /^ {0,3}(?:(?:!!!|\?\?\?\+?) ?\w|:::+ ?\w)[^\n]{0,200}$/;

/** `+-----+====+` */
const gridRule = /^\s*\+(?:[-=]+\+)+\s*$/;

/** The cells of a row that goes over several lines. */
function joinedRow(lines: readonly string[]): string {
  const rows = lines.map((line) => line.trim().split('|').slice(1, -1));
  const cells = rows[0]!.map((_, column) =>
    rows
      .map((row) => (row[column] ?? '').trim())
      .join(' ')
      .trim(),
  );
  return `| ${cells.join(' | ')} |`;
}

/** A line of a list that is counted by letters, or between brackets, as an item of Markdown. */
function withBullet(line: string): string {
  return line.replace(/^(\s{0,3})(?:[a-z]|\([a-z]\)|\(\d{1,2}\)|\(?[ivx]{2,4})(?:(?<=\))|\))\s+(?=\S)/, '$1- ');
}

const recordStart = /^\s*(?:\{\s*$|-\s+[\w-]+:)/;

/** A text in a record of JSON or YAML, of words alone: what it is of is named by the first ones. */
function recordText(line: string): string | undefined {
  const at = line.indexOf(': ');
  const value = line
    .slice(at + 2)
    .trim()
    .replace(/^["']|["']?,$|["']$/g, '');
  return at > 0 && /^[\s\w"'-]+$/.test(line.slice(0, at)) && /^\p{L}[\p{L}\p{M}'’., -]*$/u.test(value)
    ? value
    : undefined;
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
    const heading = token.type === 'html' ? htmlHeading.exec(token.raw)?.[0] : undefined;
    if (token.type === 'def' && before?.token.type === 'def') blocks[blocks.length - 1] = { ...before, last };
    else if (first > (before?.last ?? -1) && heading !== undefined) {
      const end = first + lineEnds(heading.trimEnd());
      blocks.push({ token: { ...token, raw: heading }, first, last: end });
      if (end < last) blocks.push({ token: { ...token, raw: token.raw.slice(heading.length) }, first: end + 1, last });
    } else if (first > (before?.last ?? -1)) blocks.push({ token, first, last });
  }
  return blocks;
}

/** `<h2 id="x">Title</h2>` on lines of its own, above other HTML or not. */
const htmlHeading = /^\s*<h([1-6])(?:\s[^<>]{0,500})?>([^]{0,1000}?)<\/h\1>[ \t]*(?:\n|$)/i;

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A heading of Markdown or HTML. */
function headingOf(token: Token): Heading | undefined {
  if (token.type === 'heading')
    return { level: (token as Tokens.Heading).depth, title: unmarked(token.text as string) };
  const [, depth, inner = ''] = htmlHeading.exec(token.raw) ?? [];
  const title = unmarked(inner.replaceAll('\n', ' ').trim());
  return title === '' ? undefined : { level: Number(depth), title };
}

/** No reader of the page sees it: a comment, a target of links (`(name)=`), a directive with options alone. */
function saysNothing(token: Token): boolean {
  if (token.type === 'html') return /^\s*<!--[^]*-->\s*$/.test(token.raw);
  if (token.type === 'paragraph') return /^\([^()\s]{1,100}\)=\s*$/.test(token.raw);
  if (token.type !== 'code') return false;
  const { lang = '', text } = token as Tokens.Code;
  const options = text.startsWith('---\n')
    ? text.slice(0, text.indexOf('\n---', 3) + 4)
    : /^(?::[\w-]+:.*\n?)*/.exec(text)![0];
  return text.slice(lang.startsWith('{') ? options.length : 0).trim() === '';
}

/**
 * Lines of other markups with the headings of Markdown: AsciiDoc, Org, LaTeX, and underlined as in reStructuredText. Of plain text those
 * that are numbered, without what each page repeats; its indentation means nothing.
 */
function asMarkdown(lines: readonly string[], isPlain: boolean, hasStars: boolean): string[] {
  const heading = hasStars ? /^(\*{1,6})\s+(\S.*)$/ : /^(={1,6})\s+(\S.*)$/;
  const marked = isPlain ? withoutPages(lines) : [...lines];
  if (isPlain)
    for (const [index, line] of marked.entries()) marked[index] = numberedHeading(marked, index) ?? line.trim();
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

/** "5.1.  MINIMUM IMPLEMENTATION" between blank lines, but no item of a list or of contents. */
function numberedHeading(lines: readonly string[], index: number): string | undefined {
  const [, number, title = ''] =
    /^\s{0,12}(\d{1,2}(?:\.\d{1,2})*)\.?\s+(\p{Lu}.{1,90}?)\s*$/u.exec(lines[index]!) ?? [];
  const isBlank = (at: number): boolean => (lines[at] ?? '').trim() === '';
  if (number === undefined || !isBlank(index - 1) || !isBlank(index + 1) || /[.,;:\d]$/.test(title)) return undefined;
  return `${'#'.repeat(Math.min(6, number.split('.').length + 1))} ${number} ${title}`;
}

/** Blank for the numbered last line of each page and what the next one begins with, where pages are numbered by lines of one form. */
function withoutPages(lines: readonly string[]): string[] {
  const formOf = (line: string): string => line.trim().replace(/\d+/g, '#').replace(/\s+/g, ' ');
  const left = [...lines];
  const ends = Map.groupBy(
    [...lines.keys()].filter(
      (at) => lines[at]!.length < 100 && /\d\W{0,3}$/.test(lines[at]!) && /\p{L}/u.test(lines[at]!),
    ),
    (at) => formOf(lines[at]!),
  );
  for (const feet of ends.values()) {
    const pages = feet.map((at) => Number(lines[at]!.match(/\d+/g)!.at(-1)));
    if (pages.length < leastPages || !pages.every((page, index) => index === 0 || page === pages[index - 1]! + 1))
      continue;
    const heads = feet.map((at) => {
      let next = at + 1;
      while (next < lines.length && lines[next]!.trim() === '') next += 1;
      return next;
    });
    const times = Map.groupBy(
      heads.flatMap((at) => [at, at + 1]),
      (at) => formOf(lines[at] ?? ''),
    );
    const isRepeated = (at: number): boolean => (times.get(formOf(lines[at] ?? ''))?.length ?? 0) > feet.length / 2;
    for (const at of [...feet, ...heads.filter(isRepeated), ...heads.map((one) => one + 1).filter(isRepeated)])
      left[at] = '';
  }
  return left;
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
