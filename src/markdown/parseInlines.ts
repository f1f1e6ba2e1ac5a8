import { decodeHTMLStrict } from 'entities';
import { findAddresses } from './addresses.ts';
import { fold, type InlineState, type Token } from './emphasis.ts';
import { formulaStart } from './formula.ts';
import { stripHidden } from './hidden.ts';
import { flatten, isAddress, isStyled, linkAddresses } from './linkAddresses.ts';
import { wordsOf, type Parsed } from './tree.ts';

/** A longer run of marks is shown as it was typed. */
const longestRun = 3;
/** UTF-16 units in which the end of a link's destination, or of an entity, is looked for. */
const longestDestination = 1_000;

/** Text of only words and punctuation, as most sentences are, needs no parser. */
const longestPlain = 4_000;
const plainWords =
  /^(?:[\t !-%')+,;=?0-9A-RT-Za-z{-}^\-\u00A0-\u00AC\u00AE-\u02FF\u0370-\u03FF\u3001-\u300F\u3012-\u312F\u3190-\u9FFF]|S(?![0-9a-f])|\.(?=\s|$))*$/;

interface Opener {
  /** Index of the token that follows the bracket. */
  readonly token: number;
  /** Place of the bracket in the text. */
  readonly at: number;
  readonly isImage: boolean;
}

const sourceId = String.raw`S[0-9a-f]{5,64}`;
const idStart = /(?:[[【(（])[ \t]{0,8}(?:(?:sources?|src|ids?|sections?|来源)[ \t]{0,8}[:：]?[ \t]{0,8})?/iy;
/** In brackets an id may have lost its case; a word has no digit. */
const anyCaseId = String.raw`[sS](?=[a-fA-F]{0,64}\d)[0-9a-fA-F]{5,64}`;
/** Of a finding, in brackets alone: three digits and more, since F12 is a key. */
const findingNumber = String.raw`[fF]\d{3,6}`;
const idItem = new RegExp(
  String.raw`\^?(?:(${sourceId}|${anyCaseId}|${findingNumber})|[sS]\d{1,3})(?![\p{L}\p{N}_\-])`,
  'uy',
);
const idJoiner = /[\s]{0,8}(?:[,;、，；&/|:]|and|und|et|和)?[\s]{0,8}/y;
const idEnd = /[ \t]{0,8}[\]】)）]/y;
const bareId = new RegExp(String.raw`${sourceId}(?![\p{L}\p{N}_\-])`, 'uy');
const numbersInside = /^\^?\d{1,4}(?:\s*[,;–-]\s*\^?\d{1,4})*$/;
const autolink = /<((?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*)|(?:[^\s<>@]{1,64}@[^\s<>]{1,255}))>/iy;
/** The beginning of a reference, as the writer writes it. */
const target = /<a id="ref-(\d{1,4})"><\/a>(\[\1\])(?=\s|$)/y;
const lineBreakTag = /<br[ \t]?\/?>/iy;
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy;
const referenceTail = /\[([^[\]\n]{0,200})\]/y;
const word = /[\p{L}\p{N}_]/u;
const punctuation = /[\p{P}\p{S}]/u;
/** Characters at which something other than text may begin. */
const special = /[\\`*_~[\]【(（<&S$\n]/g;

/**
 * Reads the inline Markdown of one unit: a sentence, a heading, a cell. Raw HTML is text, an image is its description, a
 * line break is a space, an entity its character; ids of sources and numbers in brackets are nodes of their own. Every
 * address is a link, wherever it hides. Linear in the text but for the depth of emphasis, which is bounded.
 * @param isWritten The text is a report that was written from the tree: an address in code is one that no source confirmed.
 */
export function parseInlines(
  markdown: string,
  state: InlineState = { strongIsOpen: false },
  isWritten = false,
): Parsed[] {
  if (markdown.length <= longestPlain && plainWords.test(markdown))
    return markdown === '' ? [] : [{ type: 'text', text: markdown }];
  const nodes = new InlineParser(stripHidden(markdown), state, isWritten).parse();
  const linked = linkAddresses(nodes);
  // An address that emphasis cuts in two is one to a reader.
  const flat = wordsOf(linked);
  return findAddresses(flat).some(({ isName }) => !isName) && linked.some(isStyled)
    ? linkAddresses(flatten(nodes))
    : linked;
}

class InlineParser {
  readonly #text: string;
  readonly #state: InlineState;
  readonly #isWritten: boolean;
  readonly #tokens: Token[] = [];
  readonly #brackets: Opener[] = [];
  readonly #codeEnds: ReadonlyMap<number, readonly number[]>;
  readonly #parens: ReadonlyMap<number, number>;
  #at = 0;

  constructor(text: string, state: InlineState, isWritten: boolean) {
    this.#text = text;
    this.#state = state;
    this.#isWritten = isWritten;
    this.#codeEnds = text.includes('`') ? runsOf(text) : new Map();
    this.#parens = text.includes('](') ? pairsOf(text) : new Map();
  }

  parse(): Parsed[] {
    const text = this.#text;
    while (this.#at < text.length) {
      special.lastIndex = this.#at;
      const next = special.exec(text)?.index ?? text.length;
      this.#addText(text.slice(this.#at, next));
      this.#at = next;
      if (next < text.length) this.#special(text[next]!);
    }
    return fold(this.#tokens, this.#state);
  }

  #special(char: string): void {
    const text = this.#text;
    switch (char) {
      case '\\': {
        const next = text[this.#at + 1];
        const isEscape = next !== undefined && /[!-/:-@[-`{-~\n]/.test(next);
        this.#addText(isEscape ? (next === '\n' ? ' ' : next) : '\\');
        this.#at += isEscape ? 2 : 1;
        return;
      }
      case '\n':
        this.#addText(' ');
        this.#at += 1;
        return;
      case '`':
        this.#code();
        return;
      case '$': {
        const formula = match(formulaStart, text, this.#at)?.[0] ?? '$';
        this.#addText(formula);
        this.#at += formula.length;
        return;
      }
      case '*':
      case '_':
      case '~':
        this.#run(char);
        return;
      case '<': {
        const reference = this.#isWritten ? match(target, text, this.#at) : undefined;
        const link = match(autolink, text, this.#at);
        const isBreak = link ? undefined : match(lineBreakTag, text, this.#at);
        if (reference)
          this.#add({ type: 'numbers', numbers: [Number(reference[1])], raw: reference[2]!, isTarget: true });
        else if (link) this.#add({ type: 'link', href: link[1]!, children: [] });
        else this.#addText(isBreak ? ' ' : '<');
        this.#at += (reference ?? link ?? isBreak)?.[0].length ?? 1;
        return;
      }
      case '&': {
        const found = match(entity, text, this.#at)?.[0];
        this.#addText(found === undefined ? '&' : stripHidden(decodeHTMLStrict(found)));
        this.#at += found?.length ?? 1;
        return;
      }
      case 'S': {
        const before = text[this.#at - 1];
        const id =
          before !== undefined && /[\p{L}\p{N}_-]/u.test(before) ? undefined : match(bareId, text, this.#at)?.[0];
        if (id === undefined) this.#addText('S');
        else this.#add({ type: 'ids', ids: [id], raw: id });
        this.#at += id?.length ?? 1;
        return;
      }
      case ']':
        this.#closeBracket();
        return;
      default:
        this.#openBracket(char);
    }
  }

  #add(node: Parsed): void {
    this.#tokens.push({ type: 'node', node });
  }

  #addText(text: string): void {
    if (text !== '') this.#tokens.push({ type: 'node', node: { type: 'text', text } });
  }

  #code(): void {
    const text = this.#text;
    let end = this.#at;
    while (text[end] === '`') end += 1;
    const length = end - this.#at;
    const close = firstAfter(this.#codeEnds.get(length) ?? [], end);
    if (close === undefined) {
      this.#addText(text.slice(this.#at, end));
      this.#at = end;
      return;
    }
    const code = text.slice(end, close).replace(/\s+/g, ' ');
    const inner = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code;
    // Ids that a model puts into code marks are ids all the same.
    if (this.#isWritten) {
      this.#add({ type: 'code', text: inner });
      this.#at = close + length;
      return;
    }
    const ids = inner.length > 500 ? undefined : readIds(`[${inner.trim().replace(/^\[|\]$/g, '')}]`, 0);
    const address = findAddresses(inner.trim())[0];
    if (ids) this.#add({ type: 'ids', ids: ids.ids, raw: inner });
    else if (address && !address.isName && address.end - address.start === inner.trim().length)
      this.#add({ type: 'link', href: address.href, children: [] });
    else this.#add({ type: 'code', text: inner });
    this.#at = close + length;
  }

  #run(mark: string): void {
    const text = this.#text;
    const start = this.#at;
    while (text[this.#at] === mark) this.#at += 1;
    const length = this.#at - start;
    const before = start === 0 ? ' ' : (text[start - 1] ?? ' ');
    const after = text[this.#at] ?? ' ';
    const isSpace = (char: string) => /\s/.test(char);
    const left = !isSpace(after) && (!punctuation.test(after) || isSpace(before) || punctuation.test(before));
    const right = !isSpace(before) && (!punctuation.test(before) || isSpace(after) || punctuation.test(after));
    const isUnderscore = mark === '_';
    const opens = left && (!isUnderscore || !right || punctuation.test(before));
    const closes = right && (!isUnderscore || !left || punctuation.test(after));
    const counts = mark === '~' ? length === 2 : length <= longestRun;
    if (!counts || !(opens || closes)) this.#addText(mark.repeat(length));
    else this.#tokens.push({ type: 'run', mark, length, opens, closes });
  }

  #openBracket(char: string): void {
    const text = this.#text;
    const ids = readIds(text, this.#at);
    // `[S3f9a1](…)`: the destination of a link whose words are an id goes with it.
    if (ids) {
      const close = text[ids.end] === '(' && char === '[' ? this.#parens.get(ids.end) : undefined;
      this.#add({ type: 'ids', ids: ids.ids, raw: text.slice(this.#at, ids.end) });
      this.#at = close !== undefined && close - ids.end < longestDestination ? close + 1 : ids.end;
      return;
    }
    const before = text[this.#at - 1];
    const isImage = char === '[' && before === '!' && text[this.#at - 2] !== '\\';
    this.#addText(char);
    this.#at += 1;
    if (char === '[') this.#brackets.push({ token: this.#tokens.length, at: this.#at - 1, isImage });
  }

  #closeBracket(): void {
    const text = this.#text;
    const opener = this.#brackets.pop();
    this.#at += 1;
    if (!opener) {
      this.#addText(']');
      return;
    }
    const inner = text.slice(opener.at + 1, this.#at - 1);
    const isNumber = numbersInside.test(inner) || /^\^[\w-]{1,100}$/.test(inner);
    const destination = this.#destination();
    const isWord = opener.at > 0 && word.test(text[opener.at - 1]!);
    const reference = isNumber || isWord || /^\s*$/.test(inner) ? undefined : match(referenceTail, text, this.#at);
    const isReference = reference !== undefined && !numbersInside.test(reference[1]!) && !readIds(reference[0], 0);
    if (destination) {
      const children = isNumber ? [] : this.#takeSince(opener);
      if (isNumber) this.#takeSince(opener);
      this.#at = destination.end;
      if (opener.isImage) this.#words(children);
      else this.#add({ type: 'link', href: destination.href, children: isAddress(wordsOf(children)) ? [] : children });
    } else if (isReference) {
      const children = this.#takeSince(opener);
      this.#at += reference[0].length;
      if (opener.isImage) this.#words(children);
      else this.#add({ type: 'link', href: '', children });
    } else if (isNumber) {
      this.#takeSince(opener);
      const numbers = (inner.match(/\d+/g) ?? []).map(Number);
      this.#add({ type: 'numbers', numbers, raw: `[${inner}]` });
    } else this.#addText(']');
  }

  /** Tokens since a bracket that turned out to be a link's; no bracket before it can become one any more. */
  #takeSince(opener: Opener): Parsed[] {
    const tokens = this.#tokens.splice(opener.token);
    // The bracket itself, and the exclamation mark of an image.
    const bracket = this.#tokens.pop();
    if (opener.isImage) {
      const before = this.#tokens.at(-1);
      if (before?.type === 'node' && before.node.type === 'text' && before.node.text.endsWith('!'))
        this.#tokens[this.#tokens.length - 1] = {
          type: 'node',
          node: { type: 'text', text: before.node.text.slice(0, -1) },
        };
    }
    if (bracket?.type !== 'node') throw new Error('a bracket is text');
    return fold(tokens, { strongIsOpen: false });
  }

  /** The description of an image. */
  #words(children: readonly Parsed[]): void {
    for (const child of children) this.#add(child);
  }

  #destination(): { readonly href: string; readonly end: number } | undefined {
    if (this.#text[this.#at] !== '(') return undefined;
    const close = this.#parens.get(this.#at);
    if (close === undefined || close - this.#at > longestDestination) return undefined;
    const inside = this.#text.slice(this.#at + 1, close).trim();
    const parts = /^(?:<([^<>\n]*)>|([^\s<>]*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?$/.exec(inside);
    const href = parts && (parts[1] ?? parts[2]!).replace(/\\(?=[!-/:-@[-`{-~])/g, '');
    return href === null ? undefined : { href: decodeHTMLStrict(href), end: close + 1 };
  }
}

/** `[S3f9a1, Sd3e4f]`, `[F203]`, `(S3f9a1)`, `【来源：S3f9a1】`, `[s2]`: the ids in brackets, and where they end. Undefined: something else. */
function readIds(text: string, at: number): { readonly ids: readonly string[]; readonly end: number } | undefined {
  const start = match(idStart, text, at);
  if (!start) return undefined;
  const ids: string[] = [];
  let marks = 0;
  let end = at + start[0].length;
  for (let item = match(idItem, text, end); item; item = match(idItem, text, end)) {
    if (item[1] !== undefined) ids.push(`${item[1][0]!.toUpperCase()}${item[1].slice(1).toLowerCase()}`);
    marks += 1;
    end += item[0].length;
    const joined = match(idJoiner, text, end)?.[0].length ?? 0;
    if (!match(idItem, text, end + joined)) break;
    end += joined;
  }
  const close = marks > 0 ? match(idEnd, text, end) : undefined;
  // Round brackets around anything but an id are the author's.
  if (!close || (ids.length === 0 && !/[[【]/.test(text[at]!))) return undefined;
  return { ids, end: end + close[0].length };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Places of all runs of backticks, by their length. */
function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length);
    if (places) places.push(index);
    else runs.set(run.length, [index]);
  }
  return runs;
}

function firstAfter(places: readonly number[], from: number): number | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return places[low];
}

/** Which round bracket closes which. */
function pairsOf(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '(') open.push(at);
    else if (text[at] === ')' && open.length > 0) pairs.set(open.pop()!, at);
  }
  return pairs;
}
