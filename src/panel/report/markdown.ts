import { Marked, type Token, type Tokens } from 'marked';

/**
 * Markdown of a report as the panel shows it. Raw HTML is text, an image its description, a link goes to http(s) or
 * nowhere, and `[3]` is a citation. There are no reference definitions: no line changes what another line means, so a
 * block that is complete can be rendered once and for all.
 */
const markdown = new Marked({
  gfm: true,
  breaks: false,
  tokenizer: {
    html: () => undefined,
    tag: () => undefined,
    def: () => undefined,
    reflink: () => undefined,
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
      renderer: (token) => `<span data-citation="${String(token['number'])}">${token.raw}</span>`,
    },
  ],
  renderer: {
    link({ href, tokens }) {
      return /^https?:\/\//i.test(href) ? false : this.parser.parseInline(tokens);
    },
    image({ text }) {
      return escapeHtml(text);
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ ';
    },
  },
});

export function lexBlocks(source: string): Token[] {
  return markdown.lexer(source);
}

export function blockHtml(token: Token): string {
  return markdown.parser([token]);
}

/** The content of `<li>`; `loose` items have paragraphs. */
export function itemHtml(item: Tokens.ListItem): string {
  return markdown.parser(item.tokens);
}

/** One `<tr>`. */
export function rowHtml(cells: readonly Tokens.TableCell[]): string {
  const html = cells.map(({ header, align, tokens }) => {
    const tag = header ? 'th' : 'td';
    return `<${tag}${align ? ` align="${align}"` : ''}>${markdown.Parser.parseInline(tokens, markdown.defaults)}</${tag}>`;
  });
  return `<tr>${html.join('')}</tr>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
