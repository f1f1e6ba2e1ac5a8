/** The build for browsers: it has no parser of its own. */
declare module 'turndown/lib/turndown.browser.cjs.js' {
  /** What is used of the DOM. */
  export interface DomNode {
    readonly nodeType: number;
    nodeValue: string | null;
    readonly childNodes: Iterable<DomNode>;
  }
  export interface DomElement extends DomNode {
    readonly localName: string;
    readonly parentNode: DomElement | null;
    readonly nextSibling: DomNode | null;
    readonly children: Iterable<DomElement>;
    textContent: string | null;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    querySelector(selector: string): DomElement | null;
    querySelectorAll(selector: string): Iterable<DomElement>;
    closest(selector: string): DomElement | null;
    replaceWith(text: string): void;
    remove(): void;
  }
  export default class TurndownService {
    constructor(options?: { readonly headingStyle?: 'atx'; readonly br?: string; readonly hr?: string });
    escape: (text: string) => string;
    addRule(
      key: string,
      rule: {
        readonly filter: string | readonly string[] | ((node: DomElement) => boolean);
        readonly replacement: (content: string, node: DomElement) => string;
      },
    ): this;
    turndown(node: DomElement): string;
  }
}
