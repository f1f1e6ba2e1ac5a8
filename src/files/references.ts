import type { SourceView } from '../protocol/runView.ts';

/** `[3]` in the text of a report, in UTF-16 units of it. */
export interface Marker {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** An item of the references. */
export interface Reference {
  /** Where its line begins. */
  readonly start: number;
  /** The Markdown behind its number. */
  readonly text: string;
  /** The file that it links to, relative to the report. */
  readonly file?: { readonly path: string; readonly firstLine: number; readonly lastLine: number };
}

export const mark = /\[\[(\d{1,4})\]\]\(#ref-\1\)|(?<![\w\\[>]|^- )\[(\d{1,4})\](?!\[(?!\d)|[(:\]])/gm;

export const reference = /^- (?:<a id="ref-\d{1,4}"><\/a>)?\[(\d{1,4})\] (.*)$/gm;

const linkWithLines = /\]\((?<link>[^()\s]{1,2000})#L(?<first>\d{1,7})-L(?<last>\d{1,7})\)/;

/** To a notebook or PDF: only its words have lines. */
const linkOfLines = /#L(?<first>\d{1,7})-L(?<last>\d{1,7})`?\]\((?<link>[^()\s#]{1,2000})\)/;

export function referencesOf(report: string): Map<number, Reference> {
  const found = new Map<number, Reference>();
  for (const { 1: number, 2: text = '', index } of report.matchAll(reference)) {
    const { link, first, last } = (linkWithLines.exec(text) ?? linkOfLines.exec(text))?.groups ?? {};
    const path = link === undefined ? undefined : decoded(link);
    const file = path === undefined ? {} : { file: { path, firstLine: Number(first), lastLine: Number(last) } };
    found.set(Number(number), { start: index, text, ...file });
  }
  return found;
}

/** The address that a reference names. */
export function addressOf({ text }: Pick<Reference, 'text'>): string | undefined {
  const url = /https?:\/\/[^\s<>()]{1,4000}[^\s<>().,;]/.exec(text)?.[0];
  return url && unescaped(url);
}

/** A reference as its words. */
export function plainReference(markdown: string): string {
  return unescaped(markdown.replace(/\[((?:\\.|[^[\]\\])*)\]\([^()]*\)/g, '$1'));
}

/** The words of a reference before its address or file, such as title and authors. */
export function describingWords(reference: string): string {
  const words = plainReference(reference);
  const file = words.search(/#L\d+-L\d+\. /);
  const at = file < 0 ? words.search(/\. https?:\/\//) : words.lastIndexOf('. ', file);
  return at < 0 ? words : words.slice(0, at);
}

/** The sources of a report whose run is not on this machine, as its references name them. */
export function sourcesIn(report: string): SourceView[] {
  return [...referencesOf(report)].map(([number, reference]) => {
    const { text, file } = reference;
    const url = addressOf(reference);
    return {
      id: `ref-${number}`,
      kind: '',
      title: referenceTitle(text),
      ...(url !== undefined && { url }),
      ...(file && { file }),
    };
  });
}

/** Of a reference: the words before its authors, without marks of Markdown. */
export function referenceTitle(reference: string): string {
  const [first = ''] = plainReference(reference).split(/(?<=\.) /);
  return first.replace(/\.$/, '').slice(0, 300);
}

/** The citations of a report that have a reference. */
export function markersOf(report: string, references = referencesOf(report)): Marker[] {
  return [...report.matchAll(mark)].flatMap(({ 0: raw, 1: linked, 2: plain, index }) => {
    const number = Number(linked ?? plain);
    // Of a link its words alone: the editor has a link of its own for the rest.
    const start = linked === undefined ? index : index + 1;
    const end = linked === undefined ? index + raw.length : start + linked.length + 2;
    return references.has(number) ? { number, start, end } : [];
  });
}

function decoded(path: string): string | undefined {
  try {
    const plain = decodeURIComponent(path);
    // On Windows two slashes name another machine.
    return /^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** A text that Markdown shows as it is. */
export function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Markdown of ours as its words. */
export function unescaped(markdown: string): string {
  return markdown
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => ({ amp: '&', lt: '<', gt: '>' })[name]);
}

export function numbersIn(text: string): number[] {
  return [...text.matchAll(mark)].map(([, linked, plain]) => Number(linked ?? plain));
}
