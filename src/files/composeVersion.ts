import { freeName } from '../protocol/freeName.ts';
import { largest } from '../protocol/numbers.ts';
import { itemsOf, mergeReports } from './mergeReports.ts';
import { accountKey, comparedParts, partsOf, referencesKey, type ReportPart } from './reportParts.ts';
import { citationMark, citationMarks, signedMarks, signs } from '../protocol/citationMark.ts';
import type { RewrittenPart } from '../protocol/reportVersion.ts';
import { citedTexts } from './citedTexts.ts';
import { wordsOf } from './evidence.ts';
import { referencesOf } from './references.ts';
import { keyOf } from './statementKey.ts';

/** What a follow-up has written: a report of its own, with numbers of its own. */
export interface Fragment {
  /** Without front matter. */
  readonly markdown: string;
  /** Ids of the cited sources, by number. */
  readonly order: readonly string[];
  /** The texts of its sections, headings included. */
  readonly sections: readonly string[];
}

/** What it does to the report. */
export type Change =
  /**
   * Replaces everything but the account, and what nothing was written for.
   * @param title Of the front matter, as it is written there. @param without Numbers of the report: what cites them goes.
   */
  | {
      readonly type: 'whole';
      readonly title: string;
      readonly parts: readonly RewrittenPart[];
      readonly without: readonly number[];
    }
  /** Replaces a section; adds its sections where there is none of this heading. @param tails Headings that are none of its sections, that of the list of changes first. */
  | { readonly type: 'section'; readonly heading: string; readonly tails: readonly string[] }
  /** Replaces the sections of its headings and adds the others, under the list of what changed. */
  | ({ readonly type: 'refresh'; readonly tails: readonly string[] } & RefreshedReport)
  /** Replaces a sentence, unless `corrected` is "". @param reason What the account says of it. Both have the fragment's numbers. */
  | { readonly type: 'sentence'; readonly sentence: string; readonly corrected: string; readonly reason: string };

type SentenceChange = Extract<Change, { type: 'sentence' }>;

export interface RefreshedReport {
  /** A section, which replaces that of an earlier refresh. */
  readonly list: string;
  /** What a reference ends with, by number: a sign, and what it means. Those of before go. */
  readonly notes: ReadonlyMap<number, string>;
  /** Signs behind citations, in these sections alone where some are named. Those of before go. */
  readonly signs: readonly { readonly number: number; readonly sign: string; readonly sections?: readonly string[] }[];
}

export interface Composed {
  readonly text: string;
  /** Number in the report of each number of the fragment. */
  readonly numbers: ReadonlyMap<number, number>;
  /** References that are cited no more, without their numbers. */
  readonly gone: readonly string[];
}

/**
 * A report with what a follow-up has written. Sources that it cites already keep their numbers, others get the next ones; what is not
 * changed stays word for word.
 *
 * @param known Ids of sources by number, of all versions: no number is given to another source.
 * @param entry Heading of what is added to the account.
 */
export function composeVersion(
  base: string,
  fragment: Fragment,
  change: Change,
  known: ReadonlyMap<number, string>,
  entry: string,
): Composed {
  const numbers = numbersFor(base, fragment, known);
  // A refresh signs what there is by itself.
  const signs = change.type === 'refresh' ? new Map<string, string>() : signsOf(base);
  const renumbered = (markdown: string) => withNumbers(markdown, numbers, signs);
  const [parts, own] = comparedParts(base, renumbered(fragment.markdown)) as [ReportPart[], ReportPart[]];
  const sections = fragment.sections.map((text) => renumbered(text).trimEnd());
  const isSentence = change.type === 'sentence';
  const body = isSentence
    ? corrected(parts, change, renumbered(change.corrected))
    : changed(parts, own, sections, change);
  const account = [...body, ...parts].find(({ key }) => key === accountKey)?.text;
  const searched = own.find(({ key }) => key === accountKey)?.text.replace(/^## .*\n+/, '');
  const made = isSentence ? `${renumbered(change.reason)}\n\n${searched ?? ''}`.trim() : searched;
  const texts = body.map((part) => (part.key === accountKey ? '' : part.text)).filter((text) => text !== '');
  const [before, now] = [itemsOf(base), itemsOf(joined(own))];
  const said = [...before].map(([number, line]) => [number, saidAs(now.get(number), line)] as const);
  // What was read again has the day on which it was.
  const items = change.type === 'refresh' ? noted(new Map([...before, ...now]), change) : new Map([...now, ...said]);
  const heading = (body.find(({ key }) => key === referencesKey) ?? own.find(({ key }) => key === referencesKey))?.text;
  const withReferences = [
    ...texts.filter((text) => text !== heading),
    ...(heading === undefined ? [] : [`${heading.split('\n')[0]}\n\n${[...items.values()].join('\n')}`]),
    ...(account === undefined ? [] : [made === undefined ? account : `${account}\n\n### ${entry}\n\n${made}`]),
  ].join('\n\n');
  // Merged with itself a report has the references of what it cites.
  const text = mergeReports('', '', withReferences).text;
  return { text, numbers, gone: goneFrom(base, text) };
}

const frontMatter = /^---\n[\s\S]*?\n---\n+/;

function changed(
  parts: readonly ReportPart[],
  own: readonly ReportPart[],
  sections: readonly string[],
  change: Exclude<Change, SentenceChange>,
): readonly ReportPart[] {
  if (change.type === 'whole') {
    const front = frontMatter.exec(parts[0]!.text)?.[0] ?? '';
    const titled = front.replace(/^title: .*$/m, () => `title: ${change.title}`);
    const [heading] = own.find(({ key }) => key === accountKey)?.text.split('\n') ?? [];
    const account = parts
      .filter(({ key }) => key === accountKey)
      .map(({ key, text }) => ({ key, text: heading === undefined ? text : text.replace(/^.*/, () => heading) }));
    const rest = withUnwritten(
      own.filter(({ key }) => key !== accountKey),
      parts,
      change,
    );
    const begun = (part: ReportPart) => ({ ...part, text: (part === own[0] ? titled : front) + part.text.trim() });
    return [...rest.map((part) => (part.key === '' ? begun(part) : part)), ...account];
  }
  const texts = sections.map((text) => ({ key: /^## (.*)/.exec(text)?.[1]?.trim() ?? '', text }));
  if (change.type === 'refresh') return refreshed(parts, texts, change);
  const at = parts.findIndex(({ key }) => key === change.heading);
  const body = texts.map(({ text }) => text.replace(/^## .*\n+/, '')).join('\n\n');
  if (at > 0) return parts.with(at, { key: change.heading, text: `${parts[at]!.text.split('\n')[0]}\n\n${body}` });
  return withSections(parts, texts, change.tails);
}

/** With the old text of what nothing was written for, in its old place and below its heading of today. */
function withUnwritten(
  own: readonly ReportPart[],
  parts: readonly ReportPart[],
  { parts: rewritten, without }: Extract<Change, { type: 'whole' }>,
): readonly ReportPart[] {
  const all = [...own];
  const placeOf = (was: string) => {
    const is = rewritten.find((one) => one.was === was)?.is ?? was;
    return all.findIndex(({ key }) => key === is);
  };
  for (const [index, { key, text }] of parts.entries()) {
    const found = rewritten.find(({ was }) => was === key);
    if (found === undefined || found.isWritten) continue;
    const body = text
      .replace(frontMatter, '')
      .replace(/^#{1,2} .*/, '')
      .trim();
    const isLeftOut = [...body.matchAll(citationMarks)].some(([, number]) => without.includes(Number(number)));
    if (body === '' || isLeftOut) continue;
    const place = placeOf(key);
    const part = { key: found.is, text: text.replace(frontMatter, '').replace(/^## .*/, () => `## ${found.is}`) };
    if (place >= 0) all[place] = part;
    else {
      const behind = parts.slice(0, index).map((one) => placeOf(one.key));
      all.splice(1 + (behind.findLast((one) => one >= 0) ?? 0), 0, part);
    }
  }
  return all;
}

function corrected(parts: readonly ReportPart[], { sentence }: SentenceChange, text: string): readonly ReportPart[] {
  return text === '' ? parts : parts.map((part) => ({ ...part, text: withSentence(part, sentence, text) }));
}

/** With sections before those that come behind all. */
function withSections(
  parts: readonly ReportPart[],
  texts: readonly ReportPart[],
  tails: readonly string[],
): readonly ReportPart[] {
  const end = endOf(parts, tails);
  const taken = new Set(parts.map(({ key }) => key));
  const named = texts.map(({ key, text }) => {
    const free = freeName(key, (name) => taken.has(name));
    taken.add(free);
    return { key: free, text: `## ${free}${text.slice(text.indexOf('\n'))}` };
  });
  return [...parts.slice(0, end), ...named, ...parts.slice(end)];
}

/** Where the sections end: before the last ones that are none. A section may have the heading of one of these. */
function endOf(parts: readonly ReportPart[], [, ...tails]: readonly string[]): number {
  const references = parts.findIndex(({ key }) => key === referencesKey || key === accountKey);
  let end = references < 0 ? parts.length : references;
  while (end > 1 && tails.includes(/^## (.*)/.exec(parts[end - 1]!.text)?.[1]?.trim() ?? '')) end -= 1;
  return end;
}

const note = new RegExp(String.raw` [${signs}] [^${signs}]{1,200}\(\d{4}-\d\d-\d\d\)$`, 'u');

function refreshed(
  parts: readonly ReportPart[],
  texts: readonly ReportPart[],
  { list, signs: wanted, tails }: Extract<Change, { type: 'refresh' }>,
): readonly ReportPart[] {
  const written = new Map(texts.map((part) => [part.key, part]));
  const known = new Set(parts.map(({ key }) => key));
  const marked = ({ key, text }: ReportPart): ReportPart => {
    if (key === referencesKey || key === accountKey) return { key, text };
    const bare = text.replace(signedMarks, '$1');
    const here = wanted.filter(({ sections = [key] }) => sections.includes(key));
    const of = new Map(here.map((one) => [citationMark(one.number), one.sign]));
    const all = bare.replace(citationMarks, (found) => `${found} ${of.get(found) ?? ''}`.trimEnd());
    return { key, text: all };
  };
  const [beginning, ...rest] = parts.filter(({ key }) => key !== tails[0]);
  const body = rest.map((part) => marked(written.get(part.key) ?? part));
  const added = texts.filter(({ key }) => !known.has(key)).map(marked);
  return withSections([marked(beginning!), { key: tails[0]!, text: list }, ...body], added, tails);
}

function noted(items: ReadonlyMap<number, string>, { notes }: RefreshedReport): ReadonlyMap<number, string> {
  const withNote = (number: number, line: string) => `${line.replace(note, '')} ${notes.get(number) ?? ''}`.trimEnd();
  return new Map([...items].map(([number, line]) => [number, withNote(number, line)]));
}

/** When a source was retrieved, in the language of a report. */
const retrieved = /\. [^.]* (\d{4}-\d\d-\d\d)$/;

/** A reference with the word for *retrieved* that it has in a report of another language. */
function saidAs(now: string | undefined, before: string): string {
  const [words, day] = retrieved.exec(now ?? '') ?? [];
  const bare = before.replace(note, '');
  if (words === undefined || retrieved.exec(bare)?.[1] !== day) return before;
  return bare.replace(retrieved, () => words) + before.slice(bare.length);
}

/** Citations, with their signs. */
const behindSentence = new RegExp(String.raw`^(?:\[?\[\d{1,4}\]\]?\(#ref-\d{1,4}\)|[\s,${signs}])*`, 'u');

function withSentence({ key, text }: ReportPart, sentence: string, corrected: string): string {
  if (key === referencesKey || key === accountKey) return text;
  const wanted = keyOf(sentence);
  const numbers = [...text.matchAll(citationMarks)].map((found) => Number(found[1]));
  const references = new Map(numbers.map((number) => [number, { start: 0, text: '' }]));
  const found = citedTexts(text, references).find(({ start, end }) => keyOf(text.slice(start, end)) === wanted);
  if (found === undefined) return text;
  const last = behindSentence.exec(text.slice(found.end));
  const stop = /^[.。!?]/.exec(text.slice(found.end + (last?.[0].length ?? 0)))?.[0] ?? '';
  const end = found.end + (last?.[0].trimEnd().length ?? 0) + stop.length;
  const isRow = /^[ >]*\|/.test(text.slice(text.lastIndexOf('\n', found.start) + 1));
  const fit = isRow ? corrected.replace(/\s+/g, ' ').replace(/(?<!\\)\|/g, '\\|') : corrected;
  return text.slice(0, found.start) + fit + text.slice(end);
}

/** Of a statement that is recognised among other words, or by a part of it: fewer are part of many texts. */
const leastWords = 4;

/**
 * The cited sentence, item or cell of a report that a text quotes, without its citations: whole, else with words around it, else the only
 * one that it is a part of.
 */
export function quotedStatement(report: string, quoting: string): string | undefined {
  const references = referencesOf(report);
  const known = new Map(
    partsOf(report)
      .filter(({ key }) => key !== referencesKey && key !== accountKey)
      .flatMap(({ text }) => citedTexts(text, references).map(({ start, end }) => text.slice(start, end)))
      .map((text) => [keyOf(text), text] as const),
  );
  const asked = keyOf(quoting);
  const whole = known.get(asked);
  if (whole !== undefined) return whole;
  const [longest] = [...known]
    .filter(([key, text]) => asked.includes(key) && wordsOf(text).length >= leastWords)
    .sort(([a], [b]) => b.length - a.length);
  if (longest) return longest[1];
  const wider = wordsOf(quoting).length < leastWords ? [] : [...known].filter(([key]) => key.includes(asked));
  return wider.length === 1 ? wider[0]![1] : undefined;
}

/** A number in the report for each of the fragment's. */
function numbersFor(
  base: string,
  { markdown, order }: Fragment,
  known: ReadonlyMap<number, string>,
): Map<number, number> {
  const items = itemsOf(base);
  const byId = new Map([...known].map(([number, id]) => [id, number]));
  const byText = new Map([...items].map(([number, line]) => [plain(line), number]));
  let next = largest([...known.keys(), ...items.keys()]);
  const own = itemsOf(markdown);
  return new Map(
    order.map((id, index) => {
      const text = plain(own.get(index + 1) ?? '');
      return [index + 1, byId.get(id) ?? (known.size === 0 ? byText.get(text) : undefined) ?? (next += 1)];
    }),
  );
}

/** The signs behind citations, by citation. */
function signsOf(report: string): ReadonlyMap<string, string> {
  return new Map([...report.matchAll(signedMarks)].map(([signed, mark]) => [mark!, signed.slice(mark!.length)]));
}

/** As our writer writes citations and references. @param signs Behind the citations that they are of. */
function withNumbers(
  markdown: string,
  numbers: ReadonlyMap<number, number>,
  signs: ReadonlyMap<string, string>,
): string {
  const of = (number: string) => String(numbers.get(Number(number)) ?? number);
  return markdown
    .replace(
      citationMarks,
      (_, number: string) => citationMark(of(number)) + (signs.get(citationMark(of(number))) ?? ''),
    )
    .replace(/<a id="ref-(\d{1,4})"><\/a>\[\1\]/g, (_, n: string) => `<a id="ref-${of(n)}"></a>[${of(n)}]`);
}

/** A report without one of its sections. */
export function withoutSection(base: string, heading: string): Composed {
  const rest = partsOf(base).filter(({ key }) => key !== heading);
  const { text } = mergeReports('', '', joined(rest));
  return { text, numbers: new Map(), gone: goneFrom(base, text) };
}

function goneFrom(base: string, text: string): string[] {
  const still = itemsOf(text);
  return [...itemsOf(base)].flatMap(([number, line]) => (still.has(number) ? [] : [plain(line)]));
}

/** The sections of a report that a follow-up may change: those before the conclusion. @param tails See `tailsOf`. */
export function ownSections(report: string, tails: readonly string[]): ReportPart[] {
  const parts = partsOf(report);
  return parts.slice(1, endOf(parts, tails)).filter(({ key }) => key !== tails[0]);
}

function joined(parts: readonly ReportPart[]): string {
  return `${parts.map(({ text }) => text).join('\n\n')}\n`;
}

function plain(item: string): string {
  return item.replace(/^- (?:<a id="ref-\d{1,4}"><\/a>)?\[\d{1,4}\]/, '').trim();
}
