import { citationMark } from '../protocol/citationMark.ts';
import { largest } from '../protocol/numbers.ts';
import { freeName } from '../protocol/freeName.ts';
import { applyPatch, structuredPatch } from 'diff';
import { mark, markersOf, referencesOf } from './references.ts';
import { accountKey, comparedParts, partsOf, referenceItem, referencesKey, type ReportPart } from './reportParts.ts';

/** Sections that a change would change: by their headings in `base`, "" for the title and the summary. @param renamed See {@link MergeChoice}. */
export function changedSections(base: string, theirs: string, renamed?: MergeChoice['renamed']): string[] {
  const [before, after] = textsByKey([base, theirs], renamed) as [Texts, Texts];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => key !== referencesKey && key !== accountKey && before.get(key) !== after.get(key),
  );
}

export interface Merged {
  readonly text: string;
  /** Headings of sections that were changed on both sides: they are as they were. */
  readonly conflicts: readonly string[];
}

export interface MergeChoice {
  /** Which of the changed sections are taken. Default: all. */
  readonly takes?: (heading: string) => boolean;
  /** Where both sides changed a section, theirs replaces it. Default: never. */
  readonly replaces?: (heading: string) => boolean;
  /** Pairs of headings that one part has in two languages. Default: none. */
  readonly renamed?: readonly (readonly [string, string])[];
}

/**
 * Three-way merge by section: what changed from `base` to `theirs` is applied to `ours`, line by line within a section. The references
 * are those that the result cites, with their numbers, and those that were added by hand.
 */
export function mergeReports(base: string, ours: string, theirs: string, choice: MergeChoice = {}): Merged {
  const { takes = () => true, replaces = () => false, renamed } = choice;
  const own = withFreeNumbers(base, ours, theirs);
  const [before, mine, their] = textsByKey([base, own, theirs], renamed) as [Texts, Texts, Texts];
  const conflicts: string[] = [];
  const texts = new Map<string, string>();
  for (const key of new Set([...before.keys(), ...mine.keys(), ...their.keys()])) {
    if (key === referencesKey) continue;
    const [was, now] = [before.get(key), mine.get(key)];
    const wanted = key === accountKey || takes(key) ? their.get(key) : was;
    const merged = key === accountKey ? mergeAccounts(was, now, wanted) : mergePart(was, now, wanted);
    if (merged === undefined && !replaces(key)) conflicts.push(key);
    const text = merged === undefined ? (replaces(key) ? wanted : now) : merged.text;
    if (text !== undefined) texts.set(key, text);
  }
  const order = orderOf([...their.keys()], [...mine.keys()]);
  const body = order.flatMap((key) => texts.get(key) ?? []);
  const references = referencePart(body.join('\n\n'), base, own, theirs, (heading) => {
    if (!replaces(heading) && !conflicts.includes(heading)) conflicts.push(heading);
    return replaces(heading);
  });
  const at = order.filter((key) => key === referencesKey || texts.has(key)).indexOf(referencesKey);
  if (references !== undefined) body.splice(at < 0 ? body.length : at, 0, references);
  const text = `${body.join('\n\n')}\n`;
  return { text: /\r\n/.test(ours) ? text.replaceAll('\n', '\r\n') : text, conflicts };
}

/** Ours with other numbers for the references that were added by hand, where theirs has these for other sources. */
function withFreeNumbers(base: string, ours: string, theirs: string): string {
  const [before, mine, their] = [itemsOf(base), itemsOf(ours), itemsOf(theirs)];
  const free = new Map<string, string>();
  for (const [number, line] of mine)
    if (!before.has(number) && (their.get(number) ?? line) !== line)
      free.set(String(number), String(largest([...mine.keys(), ...their.keys()]) + free.size + 1));
  if (free.size === 0) return ours;
  const of = (number: string) => free.get(number) ?? number;
  const was = textsOf(base);
  const parts = partsOf(ours).map(({ key, text }) =>
    text === was.get(key)
      ? text
      : text
          .replace(mark, (found, linked?: string, plain?: string) =>
            linked === undefined ? found.replace(plain!, of) : citationMark(of(linked)),
          )
          .replace(/^- (?:<a id="ref-\d{1,4}"><\/a>)?\[\d{1,4}\] /gm, (item) => item.replace(/\d+/g, of)),
  );
  return `${parts.join('\n\n')}\n`;
}

/** Lines that a version adds and removes in a section; with more of them the whole section is a conflict. */
const maxEditLength = 2_000;

/** Undefined where both sides changed the same lines. */
function mergePart(
  was: string | undefined,
  now: string | undefined,
  wanted: string | undefined,
): { readonly text: string | undefined } | undefined {
  if (now === was || now === wanted) return { text: wanted };
  if (wanted === was) return { text: now };
  if (was === undefined || now === undefined || wanted === undefined) return undefined;
  const patch = structuredPatch('', '', `${was}\n`, `${wanted}\n`, '', '', { context: 1, maxEditLength });
  const patched = patch !== undefined && applyPatch(`${now}\n`, patch);
  return patched === false ? undefined : { text: patched.trimEnd() };
}

/** Entry by entry. One that both sides changed is there as each of them has it: nothing that was done goes unsaid. */
function mergeAccounts(
  was: string | undefined,
  now: string | undefined,
  wanted: string | undefined,
): { readonly text: string | undefined } {
  const [before, mine, their] = [entriesOf(was), entriesOf(now), entriesOf(wanted)];
  const entries = orderOf([...their.keys()], [...mine.keys()]).flatMap((key) => {
    const merged = mergePart(before.get(key), mine.get(key), their.get(key));
    return merged ? (merged.text ?? []) : [mine.get(key), their.get(key)].filter((text) => text !== undefined);
  });
  // Its heading was removed by hand.
  if (entries[0]?.startsWith('### ')) entries.unshift(wanted!.split('\n')[0]!);
  return { text: entries.length === 0 ? undefined : entries.join('\n\n') };
}

/** Of an account, by their headings, with a number where one is repeated; "" for what is above them. */
function entriesOf(account: string | undefined): Texts {
  const entries = new Map<string, string>();
  for (const text of account?.split(/\n(?=### )/) ?? []) {
    const key = freeName(/^### .*/.exec(text)?.[0] ?? '', (name) => entries.has(name));
    entries.set(key, text.trimEnd());
  }
  return entries;
}

/** The order of theirs; what only ours has comes behind what it comes behind in ours. */
function orderOf(theirs: readonly string[], ours: readonly string[]): string[] {
  const order = [...theirs];
  for (const [index, key] of ours.entries())
    if (!order.includes(key)) order.splice(index === 0 ? 0 : order.indexOf(ours[index - 1]!) + 1, 0, key);
  return order;
}

/**
 * The references of what a text cites, and those that were added by hand; undefined: there are none.
 *
 * @param isReplaced Whether theirs are taken where both sides changed the same words of one.
 */
function referencePart(
  body: string,
  base: string,
  ours: string,
  theirs: string,
  isReplaced: (heading: string) => boolean,
): string | undefined {
  const [before, mine, their] = [itemsOf(base), itemsOf(ours), itemsOf(theirs)];
  const all = new Map([...before, ...their]);
  const both = new Map<number, string>();
  for (const [number, line] of mine) {
    const [was, wanted] = [before.get(number), their.get(number)];
    if (line === was && all.has(number)) continue;
    const merged = was === undefined || wanted === undefined ? { text: line } : mergeWords(was, line, wanted);
    all.set(number, merged?.text ?? line);
    if (merged === undefined) both.set(number, wanted!);
  }
  const known = referencesOf([...all.values()].join('\n'));
  const cited = new Set(markersOf(body, known).map(({ number }) => number));
  const isOwn = (number: number) => mine.has(number) && !before.has(number) && !their.has(number);
  const items = [...all].filter(([number]) => cited.has(number) || isOwn(number)).sort(([a], [b]) => a - b);
  const frames = [base, ours, theirs].map(aroundItems) as [Frame, Frame, Frame];
  const [head, tail] = (['head', 'tail'] as const).map((part) => {
    const [was, now, wanted] = frames.map((frame) => frame?.[part]);
    return mergePart(was, now, wanted)?.text ?? now ?? wanted ?? was;
  });
  if (head === undefined || items.length === 0) return undefined;
  const lines = items.map(([number, line]) => {
    const wanted = both.get(number);
    return wanted !== undefined && isReplaced(head.split('\n')[0]!.slice(3).trim()) ? wanted : line;
  });
  return [head, lines.join('\n'), tail].filter(Boolean).join('\n\n');
}

type Frame = { readonly head: string; readonly tail: string } | undefined;

/** What the references of a report have before their items, its heading at least, and behind. */
function aroundItems(report: string): Frame {
  const part = textsOf(report).get(referencesKey);
  const first = part?.search(referenceItem) ?? -1;
  return part === undefined || first < 0
    ? undefined
    : { head: part.slice(0, first).trim(), tail: part.slice(first).replace(referenceItem, '').trim() };
}

/** Of one line. */
function mergeWords(was: string, now: string, wanted: string): { readonly text: string } | undefined {
  const merged = mergePart(
    ...([was, now, wanted].map((line) => line.replaceAll(' ', '\n')) as [string, string, string]),
  );
  return merged?.text === undefined ? undefined : { text: merged.text.replaceAll('\n', ' ') };
}

/** The lines of the references by number. */
export function itemsOf(report: string): Map<number, string> {
  const part = textsOf(report).get(referencesKey) ?? '';
  return new Map([...part.matchAll(referenceItem)].map(([line, number]) => [Number(number), line]));
}

type Texts = Map<string, string>;

/** The parts of reports by their headings; one whose heading is in several languages by that which it has in the first of the reports. */
function textsByKey(reports: readonly string[], renamed: MergeChoice['renamed'] = []): Texts[] {
  const groups = new Map<string, string>();
  const groupOf = (key: string) => groups.get(key) ?? key;
  for (const pair of renamed) {
    const [to, from] = pair.map(groupOf) as [string, string];
    for (const key of [...groups.keys(), ...pair]) if (groupOf(key) === from || key === from) groups.set(key, to);
  }
  const names = new Map<string, string>();
  return comparedParts(...reports).map((parts) => {
    const texts: Texts = new Map();
    for (const { key, text } of parts) {
      const name = names.get(groupOf(key)) ?? key;
      names.set(groupOf(key), name);
      // A section that was added by hand may have the heading that another one had.
      const isTaken = texts.has(name) || (key !== name && parts.some((one) => one.key === name));
      texts.set(isTaken ? freeName(key, (one) => texts.has(one)) : name, text);
    }
    return texts;
  });
}

function textsOf(report: string): Texts {
  return byKey(partsOf(report));
}

function byKey(parts: readonly ReportPart[]): Texts {
  return new Map(parts.map(({ key, text }) => [key, text]));
}
