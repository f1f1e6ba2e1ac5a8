import { Lexer, Marked, type Token, type Tokens } from 'marked';
import { format, isReferenceHeading } from '../report/reportTexts.ts';
import type { ExportTexts } from './exportTexts.ts';

export interface RenderedBody {
  /** Of the report's first heading, when it opens with one: it is left out of `html`. */
  readonly title?: string;
  readonly titleHtml?: string;
  readonly html: string;
}

/** A marker `[n]`. In the text it leads to the reference, in front of an item of the references it is the target. */
interface Citation extends Tokens.Generic {
  type: 'citation';
  number: string;
  /** Which of the places that cite this source; set for markers in the text whose source is listed. */
  place?: number;
  target?: boolean;
}

/** A paragraph beyond this, in UTF-16 units, is shown as plain text: what the parser takes grows with the square of it. */
const longestParagraph = 8_000;
/** Deeper nesting, by indentation or by marks in one line, is cut: what it takes grows as fast. */
const deepIndent = /^[ \t]{100,}/gm;
const deepMarks =
  /^((?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){30})(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))+/gm;
/** Places in the text that a reference leads back to: a, b, c, … */
const mostBacks = 26;

class BoundedLexer extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= longestParagraph) return super.inlineTokens(src, tokens);
    tokens.push({ type: 'text', raw: src, text: src, escaped: false });
    return tokens;
  }
}

/**
 * The Markdown of a report as HTML in which nothing of the text is markup of its own: see `reportHtml`. What makes the
 * parser give up (a list nested thousands deep) is shown as the text that it is.
 */
export function renderBody(markdown: string, texts: ExportTexts): RenderedBody {
  try {
    return new BodyRenderer(texts).render(markdown);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      html: `<pre dir="auto" tabindex="0" role="region" aria-label="${escapeHtml(texts.code)}">${escapeHtml(markdown)}</pre>\n`,
    };
  }
}

class BodyRenderer {
  readonly #texts: ExportTexts;
  readonly #marked: Marked;
  /** How often the text cites each listed source. */
  readonly #places = new Map<string, number>();
  #level = 1;

  constructor(texts: ExportTexts) {
    this.#texts = texts;
    this.#marked = this.#markdown();
  }

  render(markdown: string): RenderedBody {
    const tokens: Token[] = new BoundedLexer(this.#marked.defaults).lex(
      markdown.replace(deepIndent, ' '.repeat(100)).replace(deepMarks, '$1'),
    );
    const first = tokens.find(({ type }) => type !== 'space');
    const title = first?.type === 'heading' && first['depth'] === 1 ? (first as Tokens.Heading) : undefined;
    const body = title ? tokens.filter((token) => token !== title) : tokens;
    this.#tieCitations(body);
    return {
      ...(title && { title: plainText(title.tokens), titleHtml: this.#inline(title.tokens) }),
      html: this.#marked.parser(body),
    };
  }

  /** Finds the references, and numbers the places that cite them. */
  #tieCitations(tokens: Token[]): void {
    const start = tokens.findLastIndex(
      (token) => token.type === 'heading' && isReferenceHeading(plainText(token.tokens)),
    );
    const length = start < 0 ? -1 : tokens.slice(start + 1).findIndex(({ type }) => type === 'heading');
    const references = start < 0 ? [] : tokens.slice(start + 1, length < 0 ? undefined : start + 1 + length);
    const listed = new Set<string>();
    for (const list of references) {
      if (list.type !== 'list') continue;
      for (const item of (list as Tokens.List).items) {
        const marker = firstLeaf(item.tokens);
        if (marker?.type !== 'citation' || listed.has((marker as Citation).number)) continue;
        (marker as Citation).target = true;
        listed.add((marker as Citation).number);
      }
    }
    const within = new Set(references);
    void this.#marked.walkTokens(
      tokens.filter((token) => !within.has(token)),
      (token) => {
        if (token.type !== 'citation' || !listed.has((token as Citation).number)) return;
        const { number } = token as Citation;
        const place = (this.#places.get(number) ?? 0) + 1;
        this.#places.set(number, place);
        (token as Citation).place = place;
      },
    );
  }

  #markdown(): Marked {
    const texts = this.#texts;
    const places = this.#places;
    const inline = (tokens: Token[]) => this.#inline(tokens);
    const nextLevel = (depth: number) => this.#nextLevel(depth);
    return new Marked({
      gfm: true,
      breaks: false,
      tokenizer: {
        // Raw HTML is text.
        html: () => undefined,
        tag: () => undefined,
      },
      extensions: [
        {
          name: 'citation',
          level: 'inline',
          start: (src) => src.match(/\[\d/)?.index,
          tokenizer(src) {
            const match = this.lexer.state.inLink ? null : /^\[([1-9]\d{0,3})\](?!\()/.exec(src);
            return match ? { type: 'citation', raw: match[0], number: match[1] } : undefined;
          },
          renderer: (token) => citationHtml(token as Citation, texts),
        },
      ],
      renderer: {
        heading({ tokens, depth }) {
          const level = nextLevel(depth);
          return `<h${level} dir="auto">${inline(tokens)}</h${level}>\n`;
        },
        paragraph({ tokens }) {
          return `<p dir="auto">${inline(tokens)}</p>\n`;
        },
        link({ href, tokens }) {
          const text = inline(tokens);
          const address = webAddress(href);
          return address === undefined
            ? text
            : `<a href="${escapeHtml(address)}" rel="noopener noreferrer">${text}</a>`;
        },
        image({ text }) {
          return escapeHtml(text);
        },
        checkbox({ checked }) {
          return checked ? '☑ ' : '☐ ';
        },
        code({ text }) {
          return `<pre dir="ltr" tabindex="0" role="region" aria-label="${escapeHtml(texts.code)}"><code>${escapeHtml(text)}</code></pre>\n`;
        },
        table({ header, rows }) {
          // Wide tables scroll on their own, for the keyboard too.
          const label = [
            texts.table,
            header
              .map(({ tokens }) => plainText(tokens))
              .filter(Boolean)
              .join(', '),
          ]
            .filter(Boolean)
            .join(': ');
          const row = (cells: Tokens.TableCell[]) =>
            `<tr>${cells.map((cell) => cellHtml(cell, inline(cell.tokens))).join('')}</tr>\n`;
          return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table>\n<thead>\n${row(header)}</thead>\n<tbody>\n${rows.map(row).join('')}</tbody>\n</table></div>\n`;
        },
        listitem(item) {
          const marker = firstLeaf(item.tokens) as Citation | undefined;
          const content = this.parser.parse(item.tokens);
          if (marker?.type !== 'citation' || !marker.target) return `<li dir="auto">${content}</li>\n`;
          return `<li dir="auto" id="ref-${marker.number}" class="reference">${content}${backLinks(marker.number, places.get(marker.number) ?? 0, texts)}</li>\n`;
        },
      },
    });
  }

  #inline(tokens: Token[]): string {
    return this.#marked.Parser.parseInline(tokens, this.#marked.defaults);
  }

  /** The page has one first-level heading, its title; below it no level is left out. */
  #nextLevel(depth: number): number {
    this.#level = Math.min(Math.max(depth, 2), this.#level + 1);
    return this.#level;
  }
}

function citationHtml({ raw, number, place, target }: Citation, texts: ExportTexts): string {
  if (target) return `<span class="number">${raw}</span>`;
  if (place === undefined) return raw;
  const label = escapeHtml(format(texts.reference, number));
  return `<a class="citation" id="cite-${number}-${place}" href="#ref-${number}" role="doc-biblioref" aria-label="${label}">${raw}</a>`;
}

function backLinks(number: string, places: number, texts: ExportTexts): string {
  if (places === 0) return '';
  const links = Array.from({ length: Math.min(places, mostBacks) }, (_, index) => {
    const label = escapeHtml(format(texts.back, number, index + 1));
    const text = places === 1 ? '↑' : String.fromCharCode(97 + index);
    return `<a class="back" href="#cite-${number}-${index + 1}" role="doc-backlink" aria-label="${label}" title="${label}">${text}</a>`;
  });
  return ` <span class="backs">${places === 1 ? '' : '↑ '}${links.join(' ')}</span>`;
}

function cellHtml({ header, align }: Tokens.TableCell, content: string): string {
  const tag = header ? 'th scope="col"' : 'td';
  // The column keeps one side, whatever script a cell is in.
  return `<${tag}${align ? ` class="${align}"` : ''}><bdi>${content}</bdi></${header ? 'th' : 'td'}>`;
}

function firstLeaf(tokens: readonly Token[]): Token | undefined {
  const first = tokens.find(({ type }) => type !== 'space');
  return first && 'tokens' in first && first.tokens && first.type !== 'link' ? firstLeaf(first.tokens) : first;
}

/** The words of inline tokens, entities read: what a title or a label says. */
function plainText(tokens: readonly Token[] = []): string {
  const text = tokens
    .map((token) =>
      'tokens' in token && token.tokens
        ? plainText(token.tokens)
        : token.type === 'br'
          ? ' '
          : 'text' in token
            ? String(token.text)
            : token.raw,
    )
    .join('');
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** An address of the web, normalised; undefined for every other scheme, for a relative one, and for one with a password. */
function webAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.username === '' && url.password === '' ? url.href : undefined;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
