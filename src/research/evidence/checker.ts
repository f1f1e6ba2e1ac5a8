import { findAddresses } from '../../markdown/addresses.ts';
import { stripHidden } from '../../markdown/hidden.ts';
import { append, wordsOf, type Inline, type Parsed } from '../../markdown/tree.ts';
import { figureSet } from './figures.ts';

import { normalizeForQuote } from './quotes.ts';
import type { Source } from './source.ts';
import {
  claimsOf,
  findSupporter,
  hasQuote,
  isSpokenOf,
  rightSources,
  sharesContent,
  speaksOf,
  unsupported,
  type Claims,
} from './support.ts';

/** What may be cited. */
export interface CitableEvidence {
  get(id: string): Source | undefined;
  byUrl(url: string): Source | undefined;
  /** All sources that the report may lean on. */
  readonly candidates: readonly Source[];
}

export interface CitationCounts {
  /** References: distinct sources that the text cites. */
  readonly cited: number;
  /** Ids, addresses, figures and sentences that were taken out because no source of the run supports them. */
  readonly dropped: number;
  /** References of which a quote or figure was found in the stored text. */
  readonly verified: number;
}

/** A text that has none of these holds neither an address nor a number in brackets. */
const telling = /[.:@/．：＠｡\u2024\uFE52[［【]|[a-z0-9]。[a-z0-9]/i;
/** Numbers in brackets that the text itself brought, in any script's brackets: only the checker writes citations. */
const forged = /[[［【][\s^]{0,4}\d{1,4}(?:\s?[,;–-]\s?\d{1,4})*\s?[\]］】]/g;

/**
 * The checker: decides what of a unit may be shown. Ids become numbers in order of appearance; ids, addresses, figures and
 * quotations that no source supports are mended, by the source that does support them, or taken out and counted. What it
 * returns holds no address and no number in brackets but its own.
 */
export class Checker {
  readonly #evidence: CitableEvidence;
  readonly #allowedFigures: ReadonlySet<string>;
  readonly #allowedText: string;
  readonly #verified: Set<string>;
  /** Number n is the n-th. */
  readonly #numbers = new Map<string, number>();
  #dropped = 0;

  /**
   * @param given Text whose figures and words need no source: the question, the titles of the plan, today's date.
   * @param verified Ids of sources of which a quote has been found in the text already.
   */
  constructor(evidence: CitableEvidence, given: string, verified: Iterable<string> = []) {
    this.#evidence = evidence;
    this.#allowedFigures = figureSet(given);
    this.#allowedText = normalizeForQuote(given);
    this.#verified = new Set(verified);
  }

  /** Ids of the cited sources: number n is the n-th. */
  get order(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  get counts(): CitationCounts {
    return {
      cited: this.#numbers.size,
      dropped: this.#dropped,
      verified: [...this.#numbers.keys()].filter((id) => this.#verified.has(id)).length,
    };
  }

  /** Ids of the sources of which a quote or figure was found. */
  get verified(): readonly string[] {
    return [...this.#verified];
  }

  /** Takes what another checker found, and gives the numbers of its sources. */
  take(order: readonly string[], dropped: number, verified: readonly string[]): number[] {
    this.#dropped += dropped;
    for (const id of verified) this.#verified.add(id);
    return order.map((id) => this.#number({ id }));
  }

  /** Counts something that has no place in a report. */
  drop(): void {
    this.#dropped += 1;
  }

  /** A heading, or a header of a table: words only. */
  heading(nodes: readonly Parsed[]): Inline[] {
    const words: Inline[] = [];
    for (const node of nodes) {
      if (node.type === 'ids') continue;
      if (node.type === 'numbers') this.#dropped += 1;
      else if (node.type === 'link') {
        if (node.href !== '') this.#dropped += 1;
        for (const child of this.heading(node.children)) append(words, child);
      } else if (node.type === 'name') this.#name(node.text, words);
      else if (node.type === 'code') words.push({ type: 'code', text: this.code(node.text) });
      else if (node.type === 'text') append(words, spaced(node.text));
      else words.push({ ...node, children: this.heading(node.children) });
    }
    return this.#closed(words, true);
  }

  /** The cells of a row. A cell whose figures or quotations no source has becomes a dash. */
  row(cells: readonly (readonly Parsed[])[]): Inline[][] {
    const row = this.#known(cells.flat());
    const sentence = cells.map(wordsOf).join(' ');
    return cells.map((nodes) => {
      const claims = claimsOf(wordsOf(nodes), this.#allowedFigures, this.#allowedText);
      if (isEmpty(claims)) return this.#render(nodes, []);
      const open = unsupported(claims, row);
      const supporter = isEmpty(open) ? undefined : findSupporter(sentence, open, this.#evidence.candidates);
      if (!isEmpty(open) && !supporter) {
        this.#dropped += 1;
        return [{ type: 'text', text: '—' }];
      }
      this.#markVerified(claims, supporter ? [...row, supporter] : row);
      return this.#render(nodes, supporter ? [supporter] : []);
    });
  }

  /**
   * One sentence; empty when it has to go.
   *
   * @param cited Sources that earlier sentences of the paragraph cite; those of this one are added.
   */
  sentence(nodes: readonly Parsed[], cited: Source[]): Inline[] {
    const words = wordsOf(nodes);
    const known = this.#known(nodes);
    if (!/[\p{L}\p{N}]/u.test(words)) {
      // Nothing but markers: they belong to the sentence before and count if they are known.
      const markers = this.#render(nodes, []);
      return known.length > 0 ? markers : [];
    }
    const claims = claimsOf(words, this.#allowedFigures, this.#allowedText);
    const added: Source[] = [];
    const open = unsupported(claims, known);
    if (!isEmpty(open)) {
      const earlier = known.length === 0 ? cited.findLast((source) => isEmpty(unsupported(open, [source]))) : undefined;
      const supporter = earlier ?? findSupporter(words, open, this.#evidence.candidates);
      if (!supporter) {
        this.#dropped += 1;
        return [];
      }
      added.push(supporter);
    }
    if (known.length > 0 && !sharesContent(words, [...known, ...added])) {
      this.#dropped += 1;
      return [];
    }
    const right = rightSources(words, [...known, ...added], this.#evidence.candidates);
    if (right === undefined) {
      this.#dropped += 1;
      return [];
    }
    this.#markVerified(claims, right);
    for (const source of right)
      if (!this.#verified.has(source.id) && hasQuote(source, words)) this.#verified.add(source.id);
    const idle = new Set([...known.filter((source) => !right.includes(source)), ...idleAmong(right, words, claims)]);
    for (const source of right) if (!idle.has(source) && !cited.includes(source)) cited.push(source);
    const others = right.filter((source) => !known.includes(source));
    return this.#render(nodes, others, idle);
  }

  /**
   * A passage that is quoted as a whole, with the number of its source; undefined when the source doesn't contain it word for word.
   */
  quotation(id: string, text: string): { readonly source: Source; readonly number: number } | undefined {
    const source = this.#evidence.get(id);
    if (text.trim() === '' || !source || !stripHidden(source.text).includes(text)) {
      this.#dropped += 1;
      return undefined;
    }
    this.#verified.add(id);
    return { source, number: this.#number(source) };
  }

  /** A line of code, in which an address that no source mentions is left out. */
  code(line: string): string {
    let code = '';
    let from = 0;
    for (const { start, end, href, isName } of findAddresses(line)) {
      const isKnown =
        isName ||
        this.#evidence.byUrl(href) !== undefined ||
        speaksOf(this.#evidence.candidates, line.slice(start, end));
      if (isKnown) continue;
      this.#dropped += 1;
      code += `${line.slice(from, start)}…`;
      from = end;
    }
    return code + line.slice(from);
  }

  #markVerified(claims: Claims, sources: readonly Source[]): void {
    if (isEmpty(claims)) return;
    for (const source of sources) if (isEmpty(unsupported(claims, [source]))) this.#verified.add(source.id);
  }

  #known(nodes: readonly Parsed[]): Source[] {
    const found = new Set<Source>();
    const visit = (node: Parsed): void => {
      const sources =
        node.type === 'ids'
          ? node.ids.map((id) => this.#evidence.get(id))
          : node.type === 'link' && node.href !== ''
            ? [this.#evidence.byUrl(node.href)]
            : [];
      for (const source of sources) if (source) found.add(source);
      if ('children' in node) node.children.forEach(visit);
    };
    nodes.forEach(visit);
    return [...found];
  }

  /** The nodes with numbers, without those of `idle` sources; `added` ones are cited at the end, before the closing full stop. */
  #render(nodes: readonly Parsed[], added: readonly Source[], idle: ReadonlySet<Source> = new Set()): Inline[] {
    const before = this.#dropped;
    const out = this.#numbered(nodes, idle);
    const closed = this.#closed(out, this.#dropped > before);
    // Of a sentence that was nothing but an address its citation says nothing.
    if (this.#dropped > before && !/[\p{L}\p{N}]/u.test(wordsOf(closed))) return [];
    if (added.length > 0) this.#cite(closed, added);
    return closed;
  }

  #numbered(nodes: readonly Parsed[], idle: ReadonlySet<Source>): Inline[] {
    const out: Inline[] = [];
    let group = new Set<number>();
    const endGroup = (): void => {
      if (group.size === 0) return;
      if (needsSpace(out)) append(out, { type: 'text', text: ' ' });
      for (const number of group) out.push({ type: 'citation', number });
      group = new Set();
    };
    const cite = (source: Source | undefined): void => {
      if (source && !idle.has(source)) group.add(this.#number(source));
      else this.#dropped += 1;
    };
    for (const node of nodes) {
      switch (node.type) {
        case 'text':
        case 'code':
          if (group.size > 0 && node.text.trim() === '') break;
          endGroup();
          append(out, node.type === 'code' ? { type: 'code', text: this.code(node.text) } : spaced(node.text));
          break;
        case 'name':
          endGroup();
          this.#name(node.text, out);
          break;
        case 'ids':
          if (node.ids.length === 0) this.#dropped += 1;
          for (const id of node.ids) cite(this.#evidence.get(id));
          break;
        case 'numbers':
          this.#dropped += 1;
          break;
        case 'link': {
          const words = this.#numbered(node.children, idle);
          if (words.length > 0) endGroup();
          for (const word of words) append(out, word);
          // In-page anchors and relative paths lead nowhere in the saved report: their words are enough.
          if (/^[a-z][a-z0-9+.-]*:/i.test(node.href)) {
            const source = this.#evidence.byUrl(node.href);
            if (source === undefined && words.length === 0) append(out, { type: 'text', text: '…' });
            cite(source);
          } else if (node.href === '') this.#dropped += 1;
          break;
        }
        default: {
          endGroup();
          const children = this.#numbered(node.children, idle);
          if (children.length > 0) out.push({ ...node, children });
        }
      }
    }
    endGroup();
    return out;
  }

  /** The name of a host stays where a source or the question mentions it. */
  #name(name: string, out: Inline[]): void {
    const isKnown = this.#allowedText.includes(name.toLowerCase()) || speaksOf(this.#evidence.candidates, name);
    if (isKnown) append(out, { type: 'text', text: name });
    else this.#dropped += 1;
  }

  /** Closes the gaps that removed markers leave, and takes out what only the gap made into an address or a number. */
  #closed(nodes: readonly Inline[], isCut: boolean): Inline[] {
    if (!isCut && nodes.every((node) => node.type === 'citation' || (node.type === 'text' && !telling.test(node.text))))
      return [...nodes];
    let closed = nodes.map((node) => (node.type === 'text' && isCut ? { ...node, text: tidy(node.text) } : node));
    for (let round = 0; round < 8 && this.#isDirty(closed); round += 1) {
      const flat = flatten(closed);
      closed = flat.map((node) => (node.type === 'text' ? { ...node, text: tidy(this.#clean(node.text)) } : node));
    }
    return this.#isDirty(closed) ? [] : closed;
  }

  #isDirty(nodes: readonly Inline[]): boolean {
    const isDirty = (text: string) => this.#clean(text, false) !== text;
    return flatten(nodes).some((node) => node.type === 'text' && isDirty(node.text));
  }

  #clean(text: string, isCounted = true): string {
    if (!telling.test(text)) return text;
    let clean = '';
    let from = 0;
    for (const { start, end, isName } of findAddresses(text)) {
      if (isName) continue;
      if (isCounted) this.#dropped += 1;
      clean += text.slice(from, start);
      from = end;
    }
    return (clean + text.slice(from)).replace(forged, () => {
      if (isCounted) this.#dropped += 1;
      return '';
    });
  }

  #cite(nodes: Inline[], sources: readonly Source[]): void {
    const marks = sources.map((source): Inline => ({ type: 'citation', number: this.#number(source) }));
    const last = nodes.at(-1);
    const text = last?.type === 'text' ? last.text : '';
    const end = text.trimEnd();
    const words = end.replace(/[.!?。！？]{1,10}$/u, '');
    if (last?.type === 'text') nodes.pop();
    append(nodes, { type: 'text', text: `${words.trimEnd()} ` });
    for (const one of marks) nodes.push(one);
    append(nodes, { type: 'text', text: end.slice(words.length) + text.slice(end.length) });
  }

  #number(source: Pick<Source, 'id'>): number {
    const known = this.#numbers.get(source.id);
    if (known !== undefined) return known;
    this.#numbers.set(source.id, this.#numbers.size + 1);
    return this.#numbers.size;
  }
}

/**
 * Sources that a sentence cites for nothing, beside others that support it: they hold none of its figures and quotations (a bare year
 * is anywhere) and are about something else.
 */
function idleAmong(sources: readonly Source[], words: string, claims: Claims): ReadonlySet<Source> {
  if (sources.length < 2) return new Set();
  const compared = { ...claims, figures: claims.figures.filter(({ raw }) => !/^(?:19|20)\d\d$/.test(raw)) };
  const total = compared.figures.length + compared.quotations.length;
  const supports = (source: Source): boolean => {
    const open = unsupported(compared, [source]);
    return open.figures.length + open.quotations.length < total || isSpokenOf(words, [source]);
  };
  const idle = sources.filter((source) => !supports(source));
  return new Set(idle.length === sources.length ? [] : idle);
}

function isEmpty({ figures, quotations }: Claims): boolean {
  return figures.length + quotations.length === 0;
}

/** Does a citation behind these nodes need a space? Not in Chinese, nor behind an opening bracket. */
function needsSpace(nodes: readonly Inline[]): boolean {
  const last = nodes.at(-1);
  if (last === undefined || last.type === 'citation') return false;
  const words = wordsOf([last]);
  return words !== '' && !/[\s(（]$/.test(words) && !/[\p{Script=Han}。！？]$/u.test(words);
}

function spaced(text: string): Inline {
  return { type: 'text', text: text.replace(/[ \t\n\v\f\r]+/g, ' ') };
}

/** Without emphasis: what is neighbour to a reader is neighbour here. */
function flatten(nodes: readonly Inline[]): Inline[] {
  const flat: Inline[] = [];
  for (const node of nodes) {
    if (node.type === 'strong' || node.type === 'emphasis' || node.type === 'deleted')
      for (const child of flatten(node.children)) append(flat, child);
    else append(flat, node);
  }
  return flat;
}

/** Closes the gaps that removed markers leave. The text has no two spaces in a row. */
function tidy(text: string): string {
  return text
    .replace(/[(（[] ?[,;、，]{0,3} ?[)）\]]/gu, '')
    .replace(/ {1,3}([.,;:!?。，；：！？)])/gu, '$1')
    .replace(/(\S) {2,}/g, '$1 ');
}
