import { largest } from '../protocol/numbers.ts';
import { accountKey, itemsOf, mergeReports, partsOf, referencesKey, type ReportPart } from './mergeReports.ts';
import { citedTexts, keyOf } from './reportEvidence.ts';

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
  /** Replaces everything but the account. */
  | { readonly type: 'whole' }
  /** Replaces a section; adds its sections where there is none of this heading. @param tails Headings that come behind all sections. */
  | { readonly type: 'section'; readonly heading: string; readonly tails: readonly string[] }
  /** Replaces a sentence by what stands under the sub-heading of its section. */
  | { readonly type: 'sentence'; readonly sentence: string };

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
  const renumbered = (markdown: string) => withNumbers(markdown, numbers);
  const parts = partsOf(base);
  const own = partsOf(renumbered(fragment.markdown));
  const sections = fragment.sections.map((text) => renumbered(text).trimEnd());
  const body = changed(parts, own, sections, change);
  const account = [...body, ...parts].find(({ key }) => key === accountKey)?.text;
  const made = own.find(({ key }) => key === accountKey)?.text.replace(/^## .*\n+/, '');
  const texts = body.map((part) => (part.key === accountKey ? '' : part.text)).filter((text) => text !== '');
  const items = new Map([...itemsOf(joined(own)), ...itemsOf(base)]);
  const heading = (body.find(({ key }) => key === referencesKey) ?? own.find(({ key }) => key === referencesKey))?.text;
  const withReferences = [
    ...texts.filter((text) => text !== heading),
    ...(heading === undefined ? [] : [`${heading.split('\n')[0]}\n\n${[...items.values()].join('\n')}`]),
    ...(account === undefined ? [] : [made === undefined ? account : `${account}\n\n### ${entry}\n\n${made}`]),
  ].join('\n\n');
  // Merged with itself a report has the references of what it cites.
  const text = mergeReports('', '', withReferences).text;
  const still = itemsOf(text);
  const gone = [...itemsOf(base)].flatMap(([number, line]) => (still.has(number) ? [] : [plain(line)]));
  return { text, numbers, gone };
}

function changed(
  parts: readonly ReportPart[],
  own: readonly ReportPart[],
  sections: readonly string[],
  change: Change,
): readonly ReportPart[] {
  if (change.type === 'whole') {
    const front = /^---\n[\s\S]*?\n---\n+/.exec(parts[0]!.text)?.[0] ?? '';
    const account = parts.filter(({ key }) => key === accountKey);
    const rest = own.filter(({ key }) => key !== accountKey);
    return [...rest.map((part) => (part.key === '' ? { ...part, text: front + part.text.trim() } : part)), ...account];
  }
  if (change.type === 'sentence') {
    const corrected = /^### .*\n+(\S[\s\S]*)$/m.exec(sections.at(-1) ?? '')?.[1]?.trim() ?? '';
    return corrected === ''
      ? parts
      : parts.map((part) => ({ ...part, text: withSentence(part, change.sentence, corrected) }));
  }
  const texts = sections.map((text) => ({ key: /^## (.*)/.exec(text)?.[1]?.trim() ?? '', text }));
  const at = parts.findIndex(({ key }) => key === change.heading);
  const body = texts.map(({ text }) => text.replace(/^## .*\n+/, '')).join('\n\n');
  if (at > 0) return parts.with(at, { key: change.heading, text: `${parts[at]!.text.split('\n')[0]}\n\n${body}` });
  const end = parts.findIndex(({ key }) => key === referencesKey || key === accountKey || change.tails.includes(key));
  return end < 0 ? [...parts, ...texts] : [...parts.slice(0, end), ...texts, ...parts.slice(end)];
}

function withSentence({ key, text }: ReportPart, sentence: string, corrected: string): string {
  if (key === referencesKey || key === accountKey) return text;
  const wanted = keyOf(sentence);
  const numbers = [...text.matchAll(/\[\[(\d{1,4})\]\]\(#ref-\1\)/g)].map((found) => Number(found[1]));
  const references = new Map(numbers.map((number) => [number, { start: 0, text: '' }]));
  const found = citedTexts(text, references).find(({ start, end }) => keyOf(text.slice(start, end)) === wanted);
  if (found === undefined) return text;
  const last = /^(?:\[?\[\d{1,4}\]\]?\(#ref-\d{1,4}\)|[\s,])*/.exec(text.slice(found.end));
  const stop = /^[.。!?]/.exec(text.slice(found.end + (last?.[0].length ?? 0)))?.[0] ?? '';
  const end = found.end + (last?.[0].trimEnd().length ?? 0) + stop.length;
  return text.slice(0, found.start) + corrected + text.slice(end);
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

/** As our writer writes citations and references. */
function withNumbers(markdown: string, numbers: ReadonlyMap<number, number>): string {
  const of = (number: string) => String(numbers.get(Number(number)) ?? number);
  return markdown
    .replace(/\[\[(\d{1,4})\]\]\(#ref-\1\)/g, (_, number: string) => `[[${of(number)}]](#ref-${of(number)})`)
    .replace(/<a id="ref-(\d{1,4})"><\/a>\[\1\]/g, (_, n: string) => `<a id="ref-${of(n)}"></a>[${of(n)}]`);
}

/** A report without one of its sections. */
export function withoutSection(base: string, heading: string): Composed {
  const rest = partsOf(base).filter(({ key }) => key !== heading);
  const { text } = mergeReports('', '', joined(rest));
  const still = itemsOf(text);
  const gone = [...itemsOf(base)].flatMap(([number, line]) => (still.has(number) ? [] : [plain(line)]));
  return { text, numbers: new Map(), gone };
}

/** The sections of a report that a follow-up may change: those before the conclusion. */
export function ownSections(report: string, tails: readonly string[]): ReportPart[] {
  const parts = partsOf(report).slice(1);
  const end = parts.findIndex(({ key }) => key === referencesKey || key === accountKey || tails.includes(key));
  return end < 0 ? parts : parts.slice(0, end);
}

function joined(parts: readonly ReportPart[]): string {
  return `${parts.map(({ text }) => text).join('\n\n')}\n`;
}

function plain(item: string): string {
  return item.replace(/^- (?:<a id="ref-\d{1,4}"><\/a>)?\[\d{1,4}\]/, '').trim();
}
