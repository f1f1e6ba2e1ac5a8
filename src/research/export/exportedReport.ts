import type { RunRecord } from '../../protocol/runRecord.ts';
import { oneLine, stripHidden } from '../../markdown/hidden.ts';
import { readDocument, type Block, type ListItem } from '../../markdown/readDocument.ts';
import { wordsOf, type Citation, type Inline } from '../../markdown/tree.ts';
import { isReferenceHeading } from '../languages/headings.ts';
import { textsIn, type Texts } from '../languages/texts.ts';
import { detectLanguage } from '../text/language.ts';
import { readReport } from './frontMatter.ts';

/** What is known of a run beside its report. */
export type RunFacts = Pick<RunRecord, 'run' | 'question' | 'created' | 'strategy' | 'model' | 'title' | 'settings'>;

/** A statement of the report, as it was judged. */
export interface ExportedEvidence {
  readonly sentence: string;
  /** In the report's language. */
  readonly verdict: string;
  /** `marked`: the words that decide. */
  readonly passages: readonly {
    readonly number: number;
    readonly before: string;
    readonly marked: string;
    readonly after: string;
  }[];
}

/** Of a citation, by the text of its block and what of it is before the citation. */
export type EvidenceLookup = (block: string, before: string, number: number) => ExportedEvidence | undefined;

/** A report and its run, ready to be written in any format. */
export interface ExportedReport {
  readonly language: string;
  readonly isRightToLeft: boolean;
  /** In the language, when it is loaded. */
  readonly texts: Texts['page'];
  /** Of its first heading; else of the run. */
  readonly title: readonly Inline[];
  readonly facts: readonly {
    readonly name: 'question' | 'created' | 'strategy' | 'model' | 'run';
    readonly text: string;
  }[];
  /** ISO 8601. */
  readonly created: string;
  /** Below the title. */
  readonly blocks: readonly Block[];
  readonly references: ReportReferences;
}

interface ReportReferences {
  readonly blocks: ReadonlySet<Block>;
  /** The number that an item begins with; each number once. */
  readonly items: ReadonlyMap<ListItem, number>;
  readonly numbers: ReadonlySet<number>;
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi']);

/** Reads a report as it is exported; its fixed words are those of {@link reportLanguage}, when they are loaded. */
export function exportedReport(report: string, run: RunFacts): ExportedReport {
  const { fields, markdown } = readReport(stripHidden(report));
  const language = reportLanguage(run);
  const created = isInstant(fields['created']) ? fields['created'] : run.created;
  const all = readDocument(markdown).map(({ block }) => block);
  const first = all[0]?.type === 'heading' && all[0].level === 1 ? all[0] : undefined;
  const blocks = first ? all.slice(1) : all;
  return {
    language,
    isRightToLeft: rightToLeft.has(language.split('-')[0]!),
    texts: textsIn(language, 'page'),
    title: first?.nodes ?? [{ type: 'text', text: oneLine(fields['title'] ?? run.title ?? run.question) }],
    facts: [
      { name: 'question', text: oneLine(fields['question'] ?? run.question) },
      { name: 'created', text: dateIn(created, language) },
      { name: 'strategy', text: oneLine(fields['strategy'] ?? run.strategy) },
      { name: 'model', text: oneLine(fields['model'] ?? run.model ?? '—') },
      { name: 'run', text: run.run },
    ],
    created,
    blocks,
    references: referencesIn(blocks),
  };
}

/** The language that the report was written in: the setting of its run, else that of the question. */
export function reportLanguage({ settings, question }: RunFacts): string {
  const set = settings['report.language'];
  if (typeof set === 'string' && set !== 'auto') {
    try {
      return Intl.getCanonicalLocales(set)[0] ?? detectLanguage(question);
    } catch {
      // No tag of a language: a hand-made record.
    }
  }
  return detectLanguage(question);
}

/** What the citations of a block rest on. */
export function evidenceOfNodes(
  nodes: readonly Inline[],
  find: EvidenceLookup | undefined,
): ReadonlyMap<Citation, ExportedEvidence> {
  const block = wordsOf(nodes);
  const found = new Map<Citation, ExportedEvidence>();
  const read = (inner: readonly Inline[], before: string): string => {
    let words = before;
    for (const node of inner) {
      const evidence = node.type === 'citation' ? find?.(block, words, node.number) : undefined;
      if (evidence && node.type === 'citation') found.set(node, evidence);
      if (node.type !== 'citation') words = 'children' in node ? read(node.children, words) : words + wordsOf([node]);
    }
    return words;
  };
  if (find) read(nodes, '');
  return found;
}

function referencesIn(all: readonly Block[]): ReportReferences {
  const start = all.findLastIndex((block) => block.type === 'heading' && isReferenceHeading(wordsOf(block.nodes)));
  const length = all.slice(start + 1).findIndex(({ type }) => type === 'heading');
  const blocks = start < 0 ? [] : all.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  const items = new Map<ListItem, number>();
  const numbers = new Set<number>();
  for (const item of blocks.flatMap((block) => (block.type === 'list' ? block.items : []))) {
    const number = markerOf(item);
    if (number === undefined || numbers.has(number)) continue;
    items.set(item, number);
    numbers.add(number);
  }
  return { blocks: new Set(blocks), items, numbers };
}

/** The number that an item of the references begins with. */
function markerOf({ blocks }: ListItem): number | undefined {
  const first = blocks[0];
  const node =
    first?.type === 'paragraph' ? first.nodes.find((one) => one.type !== 'text' || one.text.trim() !== '') : undefined;
  return node?.type === 'citation' ? node.number : undefined;
}

function dateIn(instant: string, language: string): string {
  // UTC, as in the report's own dates and its name.
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));
}

function isInstant(text: string | undefined): text is string {
  return (
    text !== undefined &&
    /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}
