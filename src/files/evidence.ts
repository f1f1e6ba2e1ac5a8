import { chartKey } from '../protocol/chartKey.ts';
import { parseEvent } from '../protocol/events.ts';
import { parseJson } from '../protocol/json.ts';
import type { ReportVersion } from '../protocol/reportVersion.ts';
import { sentenceSegmenter } from './citedTexts.ts';
import { mark, unescaped } from './references.ts';
import { keyOf } from './statementKey.ts';

/** A statement of a report with what it rests on. */
export interface Evidence {
  readonly sentence: string;
  /** The letters and digits of the sentence. */
  readonly key: string;
  readonly citations: readonly number[];
  /** One of ours; "" for a word of a sidecar that it does not explain. */
  readonly verdict: string;
  readonly reason?: string;
  /** Of a sidecar: the verdict and its reason in the report's language. */
  readonly said?: string;
  /** Id of its section; "summary" and "conclusion" of what is around them. Absent where it is not known. */
  readonly section?: string;
  readonly passages: readonly EvidencePassage[];
}

export interface EvidencePassage {
  readonly number: number;
  /** Id of the source; absent in a sidecar. */
  readonly source?: string;
  /** Words of a source; of a sidecar they are Markdown already. */
  readonly text: string;
  readonly isMarkdown: boolean;
  /** Where it is in the source: `L10-L20` of a file, offsets of other texts. Absent in a sidecar. */
  readonly place?: string;
  /** Path of the file that it is from, for the file beside a report. */
  readonly path?: string | undefined;
}

export interface RunEvidence {
  readonly evidence: Evidence[];
  /** Ids of the sources that its report cites, by number. */
  readonly order: readonly string[];
  /** What its calls of tools gave: the tool, and ids of sources. */
  readonly calls: readonly { readonly tool: string; readonly sources: readonly string[] }[];
}

/** What the events of a run say of the statements of its report, and of what they rest on. */
export function evidenceOfRun(events: string): RunEvidence {
  const told = events
    .split('\n')
    .filter((line) => /"report\/claim"|"citations":\[|"tool\/finished"/.test(line))
    .flatMap((line) => parseEvent(parseJson(line)) ?? []);
  const order = told.findLast((event) => event.type === 'report/delta' && event.citations !== undefined);
  const ids = order?.type === 'report/delta' ? (order.citations ?? []) : [];
  const claims = new Map(told.flatMap((event) => (event.type === 'report/claim' ? [[event.id, event]] : [])));
  const statements = [...claims.values()].map((claim) => ({
    ...claim,
    passages: claim.passages.map((passage) => ({ ...passage, number: ids.indexOf(passage.source) + 1 })),
  }));
  const calls = told.flatMap((event) =>
    event.type === 'tool/finished' ? { tool: event.name, sources: event.sources } : [],
  );
  return { evidence: evidenceOfVersion({ statements }), order: ids, calls };
}

/** What a version of a report says of its own statements. */
export function evidenceOfVersion({ statements }: Pick<ReportVersion, 'statements'>): Evidence[] {
  return statements.map(({ sentence, citations, verdict, reason, section, passages }) => ({
    ...{ sentence, key: keyOf(sentence), citations, verdict, ...(reason && { reason }), ...(section && { section }) },
    passages: passages.map(({ number, source, text, place }) => ({
      ...{ number, source, text, isMarkdown: false, ...(place !== undefined && { place }) },
    })),
  }));
}

/** One of the same words with other citations is another: cells of a table may have the same words and other sources. */
export function idOf({ key, citations }: Pick<Evidence, 'key' | 'citations'>): string {
  return `${key} ${citations.join(' ')}`;
}

/** The words of a passage. */
export function plainPassage({ text, isMarkdown }: EvidencePassage): string {
  return isMarkdown ? unescaped(text.replace(/^> ?/gm, '')) : text;
}

/** A listing, or the end of a line that a sentence does not end at: none before a list, a table, a heading or a quotation. */
const listingOrLineEnd =
  /^([ >]*(?:`{3}|~{3})).*\n(?:.*\n)*?(?:\1.*\n?|$(?![^]))|(?<=\S)\n(?=[^\s#>|*+-])(?!\d{1,9}[.)]\s|`{3}|~{3})/gm;

/** A passage with the words that decide; what is far from them is left out. `longest` is in UTF-16 units. */
export function excerptOf(
  passage: EvidencePassage,
  sentence: string,
  longest = 1_500,
): { readonly before: string; readonly marked: string; readonly after: string } {
  const words = withoutLineEnds(plainPassage(passage));
  const [start, end] = decidingWords(words, sentence).at;
  const from = Math.max(0, Math.min(start - Math.floor(longest / 3), words.length - longest));
  const to = Math.min(words.length, Math.max(from + longest, Math.min(end, start + longest)));
  return {
    before: `${from > 0 ? '… ' : ''}${words.slice(from, start)}`,
    marked: words.slice(start, Math.min(end, to)),
    after: `${words.slice(Math.min(end, to), to)}${to < words.length ? ' …' : ''}`,
  };
}

/** What a statement may rest on, as far as its sources support it: the passages of these numbers with most of its words. */
export function supportedBy(text: string, citations: readonly number[], all: readonly Evidence[]): Evidence {
  const words = new Set(wordsOf(text));
  const shared = (passage: EvidencePassage) => wordsOf(plainPassage(passage)).filter((word) => words.has(word)).length;
  const known = all.flatMap(({ passages }) => passages.filter(({ number }) => citations.includes(number)));
  const passages = [...new Map(known.map((one) => [one.text, one])).values()].sort((a, b) => shared(b) - shared(a));
  return {
    ...{ sentence: text, key: keyOf(text), citations, verdict: 'supported' },
    passages: citations.flatMap((number) => passages.find((one) => one.number === number) ?? []),
  };
}

/** Whether the sources of a statement support it as it is. */
export function isVerified({ verdict }: Pick<Evidence, 'verdict'>): boolean {
  return ['quoted', 'supported', 'corrected'].includes(verdict);
}

/** Whether these statements of a part of a report are what follows its sections, such as a conclusion: it is none that can be researched again. */
export function followsSections(statements: readonly (Pick<Evidence, 'section'> | undefined)[]): boolean {
  const known = statements.flatMap((one) => one?.section ?? []);
  return known.length > 0 && known.every((section) => section === 'conclusion');
}

/** What tables may have charts of; see `tableChart`. */
export function chartKeys(all: readonly Evidence[]): string[] {
  return all.filter(isVerified).map(({ sentence }) => chartKey(sentence.replace(mark, '')));
}

/**
 * Passages, first the one with the sentence that has most words of a statement; each with this sentence as its source has it, with its
 * line ends.
 */
export function byDecision(passages: readonly EvidencePassage[], sentence: string) {
  const found = passages.map((passage) => {
    const words = plainPassage(passage);
    const { shared, at } = decidingWords(withoutLineEnds(words), sentence);
    return { passage, shared, words: words.slice(...at) };
  });
  return found.toSorted((a, b) => b.shared - a.shared);
}

/** Of the same length. */
function withoutLineEnds(words: string): string {
  return words.replace(listingOrLineEnd, (found) => (found === '\n' ? ' ' : found));
}

/** Where the sentence of a passage that has most words of a statement begins and ends, and how many it has. */
function decidingWords(passage: string, sentence: string) {
  const wanted = new Set(wordsOf(sentence));
  let best: { readonly shared: number; readonly at: readonly [number, number] } = { shared: 0, at: [0, 0] };
  for (const { segment, index } of sentenceSegmenter.segment(passage)) {
    const shared = wordsOf(segment).filter((word) => wanted.has(word)).length;
    const at = [index + segment.length - segment.trimStart().length, index + segment.trimEnd().length] as const;
    if (shared > best.shared) best = { shared, at };
  }
  return best;
}

export function wordsOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.toLowerCase());
  return [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}
