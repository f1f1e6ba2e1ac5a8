import DOMPurify, { type Config } from 'dompurify';

/**
 * The only elements and attributes that Markdown of others may become. Nothing here loads, runs, posts or styles anything,
 * and `class` and `id` are left out so that no text can dress up as a part of the panel.
 */
const allowed: Config = {
  ALLOWED_TAGS: [
    'a',
    'blockquote',
    'br',
    'code',
    'del',
    'div',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'hr',
    'li',
    'ol',
    'p',
    'pre',
    'span',
    'strong',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ],
  ALLOWED_ATTR: ['align', 'data-citation', 'href', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
  // Values that are no addresses; every other attribute's value must be one.
  ADD_URI_SAFE_ATTR: ['align', 'data-citation', 'start'],
  RETURN_DOM_FRAGMENT: true,
};

// A separate instance, so that its configuration is parsed once and not with every block.
const purify = DOMPurify(window);
purify.setConfig(allowed);

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return;
  const href = node.getAttribute('href');
  if (href === null) return;
  // The reader should see the address, whatever the text says.
  node.setAttribute('title', href);
  node.setAttribute('rel', 'noopener noreferrer');
});

interface Piece {
  readonly html: string;
  readonly place: (safe: Element) => void;
}

/** Pieces of HTML that are sanitised in one call, which is half of the cost. */
export class Sanitizing {
  #pieces: Piece[] = [];

  /** `place` gets an element that holds what was safe in `html`; it may move the children elsewhere. */
  add(html: string, place: Piece['place']): void {
    this.#pieces.push({ html, place });
  }

  run(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    const together = sanitized(pieces);
    // HTML that closes what it did not open would get into its neighbour's place.
    const kept =
      together.length === pieces.length ? together : pieces.flatMap((piece) => sanitized([piece]).slice(0, 1));
    pieces.forEach((piece, i) => {
      const safe = kept[i];
      if (safe) piece.place(safe);
    });
  }
}

/** One element a piece. */
function sanitized(pieces: readonly Piece[]): Element[] {
  const html = pieces.map((piece) => `<div>${piece.html}</div>`).join('');
  // The configuration above holds; this one only gives the compiler the return type.
  return [...purify.sanitize(html, { RETURN_DOM_FRAGMENT: true }).children];
}
