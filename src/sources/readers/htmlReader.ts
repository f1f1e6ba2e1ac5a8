import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { DomElement as Element, DomNode as Node } from 'turndown/lib/turndown.browser.cjs.js';
import { oneLine } from '../../research/text/hidden.ts';
import { type Barrier, isoDate, type ReadDocument, readable } from './document.ts';
import { markdownOf } from './htmlMarkdown.ts';

interface Page extends Element {
  readonly body: Element | null;
}

const textNode = 3;
/** Characters of markup that are parsed. The largest page of a sample of 181 news sites has 2.3 million. */
const maxMarkup = 4_000_000;
/** Elements that Readability looks at: it would take minutes for more. */
const maxElements = 60_000;
/** From this length on, the extracted part is taken for a page's content. In characters. */
const leastLength = 400;
/** Pages are nested some 50 deep; work on more grows with its square. */
const deepestMarkup = 400;
/** Void elements, and those whose end may be left out. */
const closesItself =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|colgroup|rp|rt|path|circle|rect|use|line|polygon|stop)$/i;

const never =
  'script,style,noscript,template,iframe,object,embed,svg,canvas,video,audio,form,input,select,textarea,button,dialog';
const skipped = new Set(never.split(','));
const furniture =
  'nav,header,footer,aside,[role="navigation"],[role="banner"],[role="contentinfo"],[role="search"],[role="complementary"]';
/** What a reader of the page does not see, as far as its markup says so. */
const unseen =
  'template,[hidden],[aria-hidden="true"],.sr-only,.visually-hidden,.noprint,.mw-editsection,[style*="display:none"],[style*="display: none"],[style*="visibility:hidden"],' +
  '[style*="visibility: hidden"],[style*="font-size:0"],[style*="font-size: 0"],[style*="opacity:0;"],[style*="opacity: 0;"]';

/** The main content of a page, its metadata, and what precedes it. @throws RangeError for markup that is nested too deep. */
export function readHtml(markup: string, url: string): ReadDocument {
  const cut = markup.length > maxMarkup;
  const page = parse(markup.slice(0, maxMarkup));
  const meta = metadata(page, url);
  const formulas = page.querySelectorAll('math[alttext]');
  for (const formula of formulas) formula.replaceWith(` $${formula.getAttribute('alttext') ?? ''}$ `);
  removeAll(page, unseen);
  const whole = seenText(page.body).length;
  const barrier = barrierOf(page, meta.isFree, whole);
  let shown: Element | null = null;
  const article = extract(page);
  const extracted = seenText(article?.content).length;
  if (article?.content && extracted >= Math.min(leastLength, whole / 2)) shown = article.content;
  else {
    // A list of links, a short page, a documentation of many small parts: nothing in it looks like an article.
    const again = parse(markup.slice(0, maxMarkup));
    removeAll(again, `${unseen},${never},${furniture}`);
    const main = again.querySelector('main,[role="main"],article') ?? again.body;
    shown = seenText(main).length >= Math.min(leastLength, whole / 2) ? main : again.body;
  }
  const title = meta.title || oneLine(article?.title ?? '').slice(0, 500);
  const authors = meta.authors.length > 0 ? meta.authors : authorsOf(article?.byline ?? '');
  const date = meta.date ?? isoDate(article?.publishedTime ?? undefined);
  return {
    format: 'html',
    title,
    authors,
    ...(date === undefined ? {} : { date }),
    ...(meta.doi === undefined ? {} : { doi: meta.doi }),
    ...readable(shown ? markdownOf(shown) : '', cut),
    ...(barrier === undefined ? {} : { barrier }),
    ...(meta.feeds.length === 0 ? {} : { feeds: meta.feeds }),
  };
}

/** A piece of HTML, such as the text of a feed's entry, as Markdown. */
export function fragmentText(html: string): string {
  const page = parse(`<html><body>${html.slice(0, maxMarkup)}</body></html>`);
  removeAll(page, `${unseen},${never}`);
  return page.body ? markdownOf(page.body) : '';
}

function parse(markup: string): Page {
  // A document without a root is no page for the parser.
  if (depthOf(markup) > deepestMarkup) throw new RangeError('Nested too deeply.');
  const whole = /<html[\s>]/i.test(markup.slice(0, 10_000)) ? markup : `<html><body>${markup}</body></html>`;
  return (parseHTML(whole) as { readonly document: unknown }).document as Page;
}

/** How deep elements that have to be closed are nested, by their tags alone. Linear. */
function depthOf(markup: string): number {
  let [depth, most] = [0, 0];
  for (const [, slash, name = ''] of markup.matchAll(/<(\/?)([a-z][a-z0-9-]{0,30})(?=[\s/>])/gi)) {
    if (closesItself.test(name)) continue;
    depth = slash === '/' ? Math.max(0, depth - 1) : depth + 1;
    most = Math.max(most, depth);
  }
  return most;
}

function extract(page: Page): ReturnType<Readability<Element>['parse']> {
  try {
    const options = { serializer: (node: unknown) => node as Element, maxElemsToParse: maxElements };
    return new Readability<Element>(page, options).parse();
  } catch (error) {
    // Too many elements, or markup that it trips over: the page is read as a whole.
    if (error instanceof RangeError) throw error;
    return null;
  }
}

function removeAll(page: Element, selector: string): void {
  for (const element of [...page.querySelectorAll(selector)]) element.remove();
}

/** The text of an element without scripts and the like, on one line. */
function seenText(element: Element | null | undefined): string {
  if (!element) return '';
  const parts: string[] = [];
  const open: Node[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeType === textNode) parts.push(node.nodeValue ?? '');
    else if (!skipped.has((node as Element).localName))
      for (const one of [...node.childNodes].reverse()) open.push(one);
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}

// -------------------------------------------------------------------------------------------------------------- metadata

interface Metadata {
  readonly title: string;
  readonly authors: readonly string[];
  readonly date: string | undefined;
  readonly doi: string | undefined;
  readonly feeds: readonly string[];
  /** False where the publisher says that it must be paid for (schema.org). */
  readonly isFree: boolean;
}

/** Highwire tags, which publishers write for scholars, before Open Graph and the rest. */
function metadata(page: Page, url: string): Metadata {
  const named = new Map<string, string[]>();
  for (const tag of page.querySelectorAll('meta[content]')) {
    const name = (
      tag.getAttribute('name') ??
      tag.getAttribute('property') ??
      tag.getAttribute('itemprop') ??
      ''
    ).toLowerCase();
    const content = oneLine((tag.getAttribute('content') ?? '').slice(0, 2_000));
    if (name !== '' && content !== '' && named.size < 500)
      named.set(name, [...(named.get(name) ?? []), content].slice(0, 200));
  }
  const first = (...names: readonly string[]): string => names.map((name) => named.get(name)?.[0]).find(Boolean) ?? '';
  const dates = [
    'citation_publication_date',
    'citation_date',
    'citation_online_date',
    'article:published_time',
    'datepublished',
  ];
  dates.push(
    'dc.date',
    'dcterms.created',
    'date',
    'pubdate',
    'article:modified_time',
    'og:updated_time',
    'last-modified',
  );
  const schema = page.querySelectorAll('script[type="application/ld+json"]');
  const linked = [...schema].map((script) => (script.textContent ?? '').slice(0, 200_000)).join('\n');
  const published = /"datePublished"\s*:\s*"([^"]{4,40})"/.exec(linked)?.[1];
  const doi = /\b10\.\d{4,9}\/[^\s"<>]{1,200}/.exec(first('citation_doi', 'dc.identifier', 'prism.doi'))?.[0];
  return {
    title:
      first('citation_title', 'og:title', 'dc.title') ||
      oneLine(page.querySelector('title')?.textContent ?? '').slice(0, 500),
    authors: (named.get('citation_author') ?? named.get('dc.creator') ?? []).slice(0, 200),
    date:
      dates.map((name) => isoDate(first(name))).find((date) => date !== undefined) ??
      isoDate(published) ??
      isoDate(page.querySelector('time[datetime]')?.getAttribute('datetime') ?? undefined),
    doi,
    feeds: [...page.querySelectorAll('link[rel~="alternate"][href]')]
      .filter((link) =>
        /^application\/(?:rss|atom)\+xml|^application\/feed\+json/i.test(link.getAttribute('type') ?? ''),
      )
      .flatMap((link) => {
        const href = link.getAttribute('href') ?? '';
        return URL.canParse(href, url) ? [new URL(href, url).href] : [];
      })
      .slice(0, 20),
    isFree: !/"isAccessibleForFree"\s*:\s*(?:false|"false"|"False")/.test(linked),
  };
}

function authorsOf(byline: string): readonly string[] {
  const line = oneLine(byline.slice(0, 1_000)).replace(/^(?:by|von|par|por|作者|文)[:：\s]\s*/i, '');
  return (line.length > 300 ? '' : line)
    .split(/[,;、]| (?:and|und|et) /)
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 50);
}

/** Words of pages that replace the requested one. Only pages with little else are classified by them. */
const barriers: readonly (readonly [Barrier, RegExp])[] = [
  [
    'robotCheck',
    /verif(?:y|ying) (?:that )?(?:you(?:'re| are)|your browser)|are you (?:a )?(?:human|robot)|checking (?:your browser|if the site connection)|captcha|just a moment\.\.\.|unusual traffic|attention required|access denied|请完成(?:安全)?验证|人机验证/i,
  ],
  [
    'payment',
    /subscribe to (?:continue|read|keep reading)|subscribers only|already a subscriber|this (?:article|content) is for (?:paying )?(?:subscribers|members)|purchase (?:this article|access)|付费(?:阅读|内容)|订阅后/i,
  ],
  ['login', /(?:log|sign) ?in to (?:continue|read|view|see)|you must (?:be logged|log|sign) in|请先?登录/i],
  [
    'script',
    /(?:enable|requires?|need to enable|turn on) javascript|javascript (?:is (?:disabled|required)|must be enabled)|启用 ?javascript/i,
  ],
];
/** A page with more text than this shows its content, whatever else it says. In characters. */
const barrierLength = 1_500;
/** The beginning that a publisher shows of what must be paid for. In characters. */
const teaserLength = 3_000;

function barrierOf(page: Page, isFree: boolean, length: number): Barrier | undefined {
  if (!isFree && length <= teaserLength) return 'payment';
  if (length > barrierLength) return undefined;
  const seen = oneLine(`${page.querySelector('title')?.textContent ?? ''} ${seenText(page.body)}`);
  return barriers.find(([, pattern]) => pattern.test(seen))?.[0];
}
