import { terms } from '../../text/tokenize.ts';
import type { OutputFormat } from '../analyst.ts';
import type { Source } from '../../evidence/source.ts';
import { isConclusionHeading, isReferenceHeading } from '../../report/reportTexts.ts';
import { documentOf } from './choosePassages.ts';
import type { RankedPassage } from './rankPassages.ts';
import type { Texts } from './texts.ts';
import { workTitle } from './workTitle.ts';

export interface QuoteLayout {
  readonly format: OutputFormat;
  readonly texts: Texts;
  /** Sides of a comparison: rows of its table. */
  readonly sides: readonly string[];
  /** Titles that no heading within the section may repeat: they would open a section of their own. */
  readonly reserved: readonly string[];
}

/** A section becomes hard to read when it is longer than this without a heading. */
const longSection = 9;

type Origin = keyof Texts['origins'];

/** The reader's own files first. */
const originOrder: readonly Origin[] = ['workspace', 'papers', 'projects', 'discussions', 'web'];

/**
 * Quotes as Markdown, each followed by the id of its source: bullets, grouped by where they come from, or by the headings
 * that they stand under in their sources when the section is long; a table when one is asked for.
 */
export function renderQuotes(passages: readonly RankedPassage[], layout: QuoteLayout): string {
  if (passages.length === 0) return '';
  if (layout.format === 'table') return renderTable(passages, layout);
  const groups = groupByDocument(passages);
  const present = new Set(groups.map(({ origin }) => origin));
  const origins = originOrder.filter((origin) => present.has(origin));
  if (origins.length > 1) {
    return origins
      .map(
        (origin) =>
          `### ${layout.texts.origins[origin]}\n\n${bullets(groups.filter((group) => group.origin === origin))}`,
      )
      .join('\n\n');
  }
  const labelled = passages.length >= longSection ? byHeading(groups, layout.reserved) : undefined;
  if (!labelled) return bullets(groups);
  return labelled.map(({ label, group }) => `### ${label}\n\n${bullets(group)}`).join('\n\n');
}

export function quoted(passage: Pick<RankedPassage, 'text' | 'source'>): string {
  return `${passage.text} [${passage.source}]`;
}

interface Group {
  readonly document: string;
  readonly origin: Origin;
  readonly passages: readonly RankedPassage[];
}

/** By document, the document that says most first, the passages in the order of the document. */
function groupByDocument(passages: readonly RankedPassage[]): Group[] {
  const groups = new Map<string, RankedPassage[]>();
  for (const passage of passages) {
    const document = documentOf(passage);
    groups.set(document, [...(groups.get(document) ?? []), passage]);
  }
  const rank = new Map(passages.map((passage, index) => [passage, 1 / (index + 2)]));
  const weight = (members: readonly RankedPassage[]): number =>
    members.reduce((sum, member) => sum + rank.get(member)!, 0);
  return [...groups]
    .sort(([, a], [, b]) => weight(b) - weight(a))
    .map(([document, members]) => ({
      document,
      origin: originOf(members[0]!),
      passages: [...members].sort(byPlace),
    }));
}

function byPlace(a: RankedPassage, b: RankedPassage): number {
  return (a.origin.file?.firstLine ?? 0) - (b.origin.file?.firstLine ?? 0) || a.index - b.index;
}

function originOf({ origin }: RankedPassage): Origin {
  switch (origin.kind) {
    case 'workspace':
      return 'workspace';
    case 'arxiv':
    case 'scholarly':
    case 'huggingface':
      return 'papers';
    case 'github':
      return 'projects';
    case 'hackernews':
      return 'discussions';
    default:
      return 'web';
  }
}

/** One bullet a paragraph of a source: sentences that stand together there stay together. */
function bullets(groups: readonly Group[]): string {
  const lines: string[] = [];
  for (const { passages } of groups) {
    for (let i = 0; i < passages.length; i += 1) {
      const together = [passages[i]!];
      while (isNextTo(together.at(-1)!, passages[i + 1])) {
        i += 1;
        together.push(passages[i]!);
      }
      lines.push(`- ${together.map(quoted).join(' ')}`);
    }
  }
  return lines.join('\n');
}

function isNextTo(before: RankedPassage, after: RankedPassage | undefined): boolean {
  return (
    after !== undefined &&
    before.source === after.source &&
    before.block === after.block &&
    after.index - before.index <= 2
  );
}

/** Groups under the headings of the sources. Undefined when too few quotes have a heading that says something. */
function byHeading(
  groups: readonly Group[],
  reserved: readonly string[],
): { label: string; group: readonly Group[] }[] | undefined {
  const taken = new Set(reserved.map(plainKey));
  const labelled = new Map<string, { label: string; group: Group[] }>();
  for (const group of groups) {
    for (const passage of group.passages) {
      const label = labelOf(passage, taken);
      if (label === undefined) return undefined;
      const entry = labelled.get(plainKey(label)) ?? { label, group: [] };
      const last = entry.group.at(-1);
      if (last?.document === group.document)
        entry.group[entry.group.length - 1] = { ...last, passages: [...last.passages, passage] };
      else entry.group.push({ ...group, passages: [passage] });
      labelled.set(plainKey(label), entry);
    }
  }
  return labelled.size > 1 ? [...labelled.values()] : undefined;
}

/** The title of the document, or the nearest heading when the title can't stand. */
function labelOf({ origin, heading }: RankedPassage, taken: ReadonlySet<string>): string | undefined {
  return [documentTitle(origin), heading].find(
    (label) =>
      label.length >= 3 &&
      label.length <= 90 &&
      /\p{L}/u.test(label) &&
      !taken.has(plainKey(label)) &&
      !isConclusionHeading(label) &&
      !isReferenceHeading(label),
  );
}

/** The title of the document as one line without marks. */
function documentTitle(origin: Source): string {
  return workTitle(origin)
    .document.replace(/[[\]<>|`*\\]/g, '')
    .trim();
}

function plainKey(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

// ----------------------------------------------------------------------------------------------------------------- table

function renderTable(passages: readonly RankedPassage[], { texts, sides }: QuoteLayout): string {
  const rows = sides.length > 1 ? rowsBySide(passages, sides, texts) : rowsBySource(passages);
  const head = sides.length > 1 ? texts.columns.subject : texts.columns.source;
  return [
    `| ${head} | ${texts.columns.says} |`,
    '|---|---|',
    ...rows.map(([label, cell]) => `| ${label} | ${cell} |`),
  ].join('\n');
}

function rowsBySource(passages: readonly RankedPassage[]): [string, string][] {
  return groupByDocument(passages).map(({ passages: members }) => [
    documentTitle(members[0]!.origin) || members[0]!.source,
    members.map(quoted).join(' '),
  ]);
}

function rowsBySide(passages: readonly RankedPassage[], sides: readonly string[], texts: Texts): [string, string][] {
  const rows = new Map<string, RankedPassage[]>();
  for (const passage of passages) {
    const spoken = sidesOfPassage(passage, sides);
    const label = spoken.length === 1 ? spoken[0]! : spoken.length > 1 ? spoken.join(' + ') : texts.related;
    rows.set(label, [...(rows.get(label) ?? []), passage]);
  }
  const rank = (label: string): number => {
    const at = sides.indexOf(label);
    return at < 0 ? sides.length + (label === texts.related ? 1 : 0) : at;
  };
  return [...rows]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([label, members]) => [
      label.replace(/\|/g, '/'),
      groupByDocument(members)
        .flatMap((group) => group.passages)
        .map(quoted)
        .join(' '),
    ]);
}

/** Which sides of a comparison a passage speaks of, by its own words, or else by the heading above it. */
export function sidesOfPassage(passage: Pick<RankedPassage, 'text' | 'heading'>, sides: readonly string[]): string[] {
  const words = new Set(terms(passage.text));
  const inText = sides.filter(
    (side) =>
      holdsPhrase(passage.text, side) ||
      (!isSpaceless(side) && terms(side).length > 0 && terms(side).every((term) => words.has(term))),
  );
  return inText.length > 0 ? inText : sides.filter((side) => holdsPhrase(passage.heading, side));
}

function holdsPhrase(text: string, phrase: string): boolean {
  const [haystack, needle] = [plainKey(text), plainKey(phrase)];
  if (needle === '') return false;
  return isSpaceless(needle) ? haystack.includes(needle) : ` ${haystack} `.includes(` ${needle} `);
}

function isSpaceless(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}
