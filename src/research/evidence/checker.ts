import { largest } from '../../protocol/numbers.ts';
import { findAddresses } from '../../markdown/addresses.ts';
import { stripHidden } from '../../markdown/hidden.ts';
import { parseInlines } from '../../markdown/parseInlines.ts';
import { append, wordsOf, type Inline, type Parsed } from '../../markdown/tree.ts';
import {
  claimsIn,
  follows,
  type Held,
  heldIn,
  isNothing,
  noClaims,
  notHeld,
  type Claims,
  type Quoting,
} from './exact.ts';
import { type Ground, groundOfFinding, groundOfQuote, holds, nearestGround, open, sharesOf } from './grounds.ts';
import { normalizeForQuote } from './quotes.ts';
import type { Finding, Source } from './source.ts';
import { statementLine } from './statementLine.ts';
import type { UnverifiedReason, Verdict } from './statement.ts';
import { hasQuote, isSpokenOf, sharesContent, speaksOf } from './support.ts';

/** In place of a cell that has to go. */
const dash: Inline = { type: 'text', text: '—' };

/** Shares of a sentence's terms: of a passage that is about the same, says it nearly word for word, has nothing like it, is foreign to it. */
const likeness = 0.6;
const saying = 0.75;
const notSaying = 0.4;
const leastShared = 0.2;
/** A number up to this in a heading counts the parts of the text. */
const mostCounted = 20;
/** Findings that an uncited sentence is compared with. */
const mostNearest = 3;

/** What may be cited. */
export interface CitableEvidence {
  get(id: string): Source | undefined;
  byUrl(url: string): Source | undefined;
  /** All sources that the report may lean on. */
  readonly candidates: readonly Source[];
  /** What was found, by the number that writers cite it by ("F203"). */
  readonly findings?: ReadonlyMap<string, Finding>;
}

/** What a sentence, list item or table cell says, and what it rests on. */
export interface Said {
  /** Without markers of citations. */
  readonly text: string;
  /** What it cites; of an uncited one what comes nearest to it, which may be nothing. */
  readonly grounds: readonly Ground[];
  readonly isCited: boolean;
  /** What it cites, as writers do: numbers of findings, ids of sources. */
  readonly ids: readonly string[];
  /** It replaces another statement. */
  readonly isInstead?: boolean;
  /** A figure of it only follows from those of its passages: who reads both decides. */
  readonly isDerived: boolean;
  readonly verdict: Verdict;
  /** Of an unverified one. */
  readonly reason?: UnverifiedReason;
}

/** What becomes of a statement. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reason?: UnverifiedReason;
  /** Replacements with their markers, best first; where none holds, the statement is removed. Absent: it stays. */
  readonly instead?: readonly { readonly text: string; readonly verdict: Verdict }[];
}

/** Decides on statements that are no quotes. */
export type Decide = (said: Said) => Decision;

const undecided: Decide = () => ({ verdict: 'unverified', reason: 'off' });

/** A part of a text that was checked. Without nodes it has to go. */
export interface Unit {
  readonly nodes: Inline[];
  readonly said?: Said;
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
  readonly #given: Held;
  readonly #allowedText: string;
  readonly #verified: Set<string>;
  readonly #decide: Decide;
  /** Number n is the n-th. */
  readonly #numbers = new Map<string, number>();
  #dropped = 0;

  /**
   * @param given Text whose figures and words need no source: the question, the titles of the plan, today's date.
   * @param verified Ids of sources of which a quote has been found in the text already.
   */
  constructor(evidence: CitableEvidence, given: string, verified: Iterable<string> = [], decide = undecided) {
    this.#decide = decide;
    this.#evidence = evidence;
    this.#given = heldIn(given);
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

  /** A header of a table, as {@link heading}. */
  header(nodes: readonly Parsed[]): Inline[] {
    const words = this.heading(nodes);
    return words.length === 0 && wordsOf(nodes).trim() !== '' ? [dash] : words;
  }

  /** A heading: words only; empty when it has a figure or date that no source has. */
  heading(nodes: readonly Parsed[]): Inline[] {
    const words = wordsOf(nodes);
    const { quantities, dates, names } = this.#claims(words);
    // "Top 5", "Step 2", "HTTP/2": small numbers count, or belong to a name. Raised ones are a power.
    const isSmall = (value: number): boolean => value <= mostCounted && !/[⁰¹²³⁴-⁹]/.test(words);
    const claims = {
      ...noClaims,
      quantities: quantities.filter(({ isDefinite, values }) => isDefinite || !values.some(isSmall)),
      names: names.filter((name) => /\d\d/.test(name)),
      dates,
    };
    if (isNothing(claims)) return this.#headed(nodes);
    const near = this.#evidence.candidates.flatMap((source) => nearestGround(source, words) ?? []);
    if (isNothing(open(claims, [...near, ...this.#findings()]))) return this.#headed(nodes);
    this.#dropped += 1;
    return [];
  }

  #headed(nodes: readonly Parsed[]): Inline[] {
    const words: Inline[] = [];
    for (const node of nodes) {
      if (node.type === 'ids') continue;
      if (node.type === 'numbers') this.#dropped += 1;
      else if (node.type === 'link') {
        if (node.href !== '') this.#dropped += 1;
        for (const child of this.#headed(node.children)) append(words, child);
      } else if (node.type === 'name') this.#name(node.text, words);
      else if (node.type === 'code') words.push({ type: 'code', text: this.code(node.text) });
      else if (node.type === 'text') append(words, spaced(node.text));
      else words.push({ ...node, children: this.#headed(node.children) });
    }
    return this.#closed(words, true);
  }

  /** The cells of a row. A cell whose figures, names or quotations no source has becomes a dash. */
  row(cells: readonly (readonly Parsed[])[]): Unit[] {
    const words = cells.map(wordsOf);
    const sentence = words.join(' ');
    const row = this.#cited(cells.flat(), sentence);
    const grounds = row.flatMap(({ ground }) => ground ?? []);
    const isLone = !cells.some((nodes, index) => isStatement(words[index]!) && this.#cited(nodes, '').length > 0);
    return cells.map((nodes, index) => {
      const said = words[index]!;
      const claims = this.#claims(said);
      const left = open(claims, grounds);
      const supporter = isNothing(left) ? undefined : this.#supporter(sentence, left, grounds);
      if (!isNothing(left) && !supporter) {
        this.#dropped += 1;
        return { nodes: [dash] };
      }
      const own = supporter ? [...grounds, supporter] : grounds;
      this.#markVerified(claims, own);
      const rendered = this.#render(nodes, supporter ? [supporter.source] : []);
      const cites = supporter !== undefined || (isLone ? index === 0 : this.#cited(nodes, '').length > 0);
      const text = isLone ? sentence : said;
      if (!cites || own.length === 0 || !isStatement(text)) return { nodes: rendered };
      const ids = own.map((ground) => this.#idOf(ground));
      const cell = { text: oneSpaced(text), grounds: own, ids, isCited: true, isDerived: false };
      const { instead, ...decision } = this.#decide({ ...cell, verdict: 'unverified' });
      // A cell can't be said in other words.
      return instead === undefined ? { nodes: rendered, said: { ...cell, ...decision } } : { nodes: [dash] };
    });
  }

  /**
   * One sentence; without nodes when it has to go.
   *
   * @param before What earlier sentences of the paragraph rest on; that of this one is added.
   * @param quoting Of the paragraph.
   */
  sentence(nodes: readonly Parsed[], before: Ground[], quoting: Quoting): Unit {
    return this.#unit(nodes, before, this.#decide, quoting);
  }

  #unit(nodes: readonly Parsed[], before: Ground[], decide: Decide, quoting?: Quoting): Unit {
    const words = wordsOf(nodes);
    const cited = this.#cited(nodes, words);
    if (!isStatement(words)) {
      // Nothing but markers: they belong to the sentence before and count if they are known.
      const markers = this.#render(nodes, []);
      return { nodes: cited.length > 0 ? markers : [] };
    }
    const claims = this.#claims(words, quoting);
    const sources = cited.map(({ source }) => source);
    let grounds = cited.flatMap(({ ground }) => ground ?? []);
    const left = open(claims, grounds);
    let isDerived = false;
    if (!isNothing(left)) {
      const earlier = cited.length === 0 ? before.findLast((ground) => holds(ground, left)) : undefined;
      const holder = earlier ?? this.#supporter(words, left, grounds);
      isDerived =
        holder === undefined &&
        !follows(left, claims, []) &&
        follows(
          left,
          claims,
          grounds.map(({ held }) => held),
        );
      if (!holder && !isDerived && !follows(left, claims, [])) return this.#gone();
      if (holder) grounds.push(holder);
    }
    const own = [...sources, ...grounds.map(({ source }) => source)];
    if (cited.length > 0 && !sharesContent(words, own)) return this.#gone();
    // What its cited source does not say is said by no source, or by another one.
    if (cited.length > 0 && grounds.length === 0 && !isSpokenOf(words, this.#evidence.candidates)) return this.#gone();
    grounds = this.#right(words, claims, grounds);
    this.#markVerified(claims, grounds);
    for (const { source } of grounds)
      if (!this.#verified.has(source.id) && hasQuote(source, words)) this.#verified.add(source.id);
    const right = new Set(grounds.map(({ source }) => source));
    for (const ground of grounds) if (!before.includes(ground)) before.push(ground);
    const idle = new Set(sources.filter((source) => !right.has(source)));
    const added = [...right].filter((source) => !sources.includes(source));
    const isCited = grounds.length > 0;
    const said = {
      text: oneSpaced(words),
      ...{ isCited, isDerived, ids: grounds.map((ground) => this.#idOf(ground)) },
      grounds: isCited ? grounds : this.#nearest(words),
    };
    return this.#decided(said, before, decide, () => this.#render(nodes, added, idle));
  }

  /** A sentence as it was decided on; what replaces it is checked like any other. */
  #decided(said: Omit<Said, 'verdict'>, before: Ground[], decide: Decide, render: () => Inline[]): Unit {
    const { instead, ...decision } = decide({ ...said, verdict: 'unverified' });
    if (instead === undefined) {
      const nodes = render();
      return nodes.length === 0 ? { nodes } : { nodes, said: { ...said, ...decision } };
    }
    for (const { text, verdict } of instead) {
      const other = this.#unit(parseInlines(text), [...before], () => ({ verdict }));
      if (other.said?.isCited) return { nodes: other.nodes, said: { ...other.said, isInstead: true } };
    }
    return { nodes: [] };
  }

  #gone(): Unit {
    this.#dropped += 1;
    return { nodes: [] };
  }

  /**
   * A passage that is quoted as a whole, with the number of its source; undefined when the source doesn't contain it word for word.
   */
  quotation(
    id: string,
    text: string,
  ): { readonly source: Source; readonly number: number; readonly said: Said } | undefined {
    const source = this.#evidence.get(id);
    if (text.trim() === '' || !source || !stripHidden(source.text).includes(text)) {
      this.#dropped += 1;
      return undefined;
    }
    this.#verified.add(source.id);
    const said = {
      text: statementLine(text),
      grounds: [groundOfQuote(source, text)],
      ids: [id],
      isCited: true,
      isDerived: false,
      verdict: 'quoted' as const,
    };
    return { source, number: this.#number(source), said };
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

  /** What a text says that needs a source. */
  #claims(words: string, quoting?: Quoting): Claims {
    const claims = claimsIn(words, quoting);
    if (isNothing(claims)) return noClaims;
    const { quotations, ...rest } = notHeld(claims, [this.#given]);
    return { ...rest, quotations: quotations.filter((quote) => !this.#allowedText.includes(normalizeForQuote(quote))) };
  }

  #markVerified(claims: Claims, grounds: readonly Ground[]): void {
    if (isNothing(claims)) return;
    for (const ground of grounds) if (holds(ground, claims)) this.#verified.add(ground.source.id);
  }

  /** The sources that nodes cite, each with what of it is meant; without that where it has nothing like the words. */
  #cited(nodes: readonly Parsed[], words: string): { readonly source: Source; readonly ground: Ground | undefined }[] {
    const found = new Map<string, { readonly source: Source; readonly ground: Ground | undefined }>();
    const add = (key: string, source: Source | undefined, finding?: Finding): void => {
      if (!source || found.has(key)) return;
      const ground = finding && groundOfFinding(finding, source);
      found.set(key, { source, ground: ground ?? (words === '' ? undefined : nearestGround(source, words)) });
    };
    const visit = (node: Parsed): void => {
      if (node.type === 'ids')
        for (const id of node.ids) {
          const finding = this.#evidence.findings?.get(id);
          add(id, this.#source(id), finding);
        }
      else if (node.type === 'link' && node.href !== '') add(node.href, this.#evidence.byUrl(node.href));
      if ('children' in node) node.children.forEach(visit);
    };
    nodes.forEach(visit);
    // Beside a finding the id of its source says nothing more.
    const named = new Set([...found].flatMap(([id, { source }]) => (id === source.id ? [] : source)));
    return [...found].flatMap(([id, one]) => (id === one.source.id && named.has(one.source) ? [] : one));
  }

  /** Of the id of a source, or the number of a finding. */
  #source(id: string): Source | undefined {
    const finding = this.#evidence.findings?.get(id);
    return this.#evidence.get(finding?.source ?? id);
  }

  #idOf(ground: Ground): string {
    for (const [number, finding] of this.#evidence.findings ?? [])
      if (finding.source === ground.source.id && groundOfFinding(finding, ground.source) === ground) return number;
    return ground.source.id;
  }

  #findings(): Ground[] {
    return [...(this.#evidence.findings?.values() ?? [])].flatMap((finding) => {
      const source = this.#evidence.get(finding.source);
      return (source && groundOfFinding(finding, source)) ?? [];
    });
  }

  /** What else has the claims and is about the same thing: a finding, a passage of a source that is cited, or of any other. */
  #supporter(words: string, claims: Claims, cited: readonly Ground[]): Ground | undefined {
    const shareOf = sharesOf(words);
    const sources = [...new Set([...cited.map(({ source }) => source), ...this.#evidence.candidates])];
    const isCited = (ground: Ground): boolean => cited.some(({ source }) => source === ground.source);
    const near = [...this.#findings(), ...sources.flatMap((source) => nearestGround(source, words) ?? [])];
    return near
      .filter((ground) => holds(ground, claims))
      .map((ground) => ({ ground, share: shareOf(ground) ?? 0 }))
      .filter(({ ground, share }) => isCited(ground) || share >= likeness)
      .toSorted((a, b) => b.share - a.share)[0]?.ground;
  }

  /** What a sentence rests on, without what has nothing of it; where nothing has, the finding that says it nearly word for word. */
  #right(words: string, claims: Claims, grounds: readonly Ground[]): Ground[] {
    if (grounds.length === 0) return [];
    const shareOf = sharesOf(words);
    const shares = grounds.map((ground) => shareOf(ground) ?? 1);
    const best = largest(shares);
    if (best < notSaying) {
      const other = this.#findings()
        .filter((ground) => holds(ground, claims))
        .find((ground) => (shareOf(ground) ?? 0) >= saying);
      if (other) return [other];
    }
    const isIdle = (ground: Ground, share: number): boolean =>
      share < Math.min(best, notSaying) && (best >= saying || share < leastShared) && !holdsAny(ground, claims);
    return grounds.filter((ground, index) => !isIdle(ground, shares[index]!));
  }

  /** What of the findings comes nearest to a sentence that cites nothing. */
  #nearest(words: string): Ground[] {
    const shareOf = sharesOf(words);
    return this.#findings()
      .map((ground) => ({ ground, share: shareOf(ground) ?? 0 }))
      .filter(({ share }) => share >= leastShared)
      .toSorted((a, b) => b.share - a.share)
      .slice(0, mostNearest)
      .map(({ ground }) => ground);
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
    for (const [index, node] of nodes.entries()) {
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
          for (const id of node.ids) cite(this.#source(id));
          break;
        case 'numbers':
          this.#dropped += 1;
          break;
        case 'link': {
          const isAside = /[(（]\s*$/.test(textOf(out.at(-1))) && /^\s*[)）]/.test(textOf(nodes[index + 1]));
          // "(source)" says nothing without its link.
          const words = isAside && !this.#evidence.byUrl(node.href) ? [] : this.#numbered(node.children, idle);
          if (words.length > 0) endGroup();
          for (const word of words) append(out, word);
          // In-page anchors and relative paths lead nowhere in the saved report: their words are enough.
          if (/^[a-z][a-z0-9+.-]*:/i.test(node.href)) {
            const source = this.#evidence.byUrl(node.href);
            if (source === undefined && words.length === 0 && !isAside) append(out, { type: 'text', text: '…' });
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

function textOf(node: Inline | Parsed | undefined): string {
  return node?.type === 'text' ? node.text : '';
}

function isStatement(words: string): boolean {
  return /[\p{L}\p{N}]/u.test(words);
}

const oneSpaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

function holdsAny(ground: Ground, claims: Claims): boolean {
  const left = open(claims, [ground]);
  return (['quantities', 'dates', 'names', 'quotations', 'addresses'] as const).some(
    (kind) => left[kind].length < claims[kind].length,
  );
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
