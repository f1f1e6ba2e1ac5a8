import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { splitSentences } from '../../../src/research/text/sentences.ts';
import { plainMarks } from '../../support/plainMarks.ts';

/** A statement of a report and what it cites. */
export interface Statement {
  /** Without its markers. */
  readonly text: string;
  /** Ids of sources; empty: it cites none. */
  readonly sources: readonly string[];
}

/** What can be counted without a judge. */
export interface Measures {
  readonly references: number;
  /** Part of the statements that cite, from 0 to 1. */
  readonly citedShare: number;
  readonly words: number;
  /** Tokens in and out. */
  readonly tokens: number;
  /** In US dollars; null: the model has no known price. */
  readonly cost: number | null;
  /** The time that the run was running, over all its processes. */
  readonly seconds: number;
  /** Markers whose statement was checked against its source, all markers, and statements that were taken out. */
  readonly verified: number;
  readonly cited: number;
  readonly dropped: number;
}

const marker = /\s*\[(\d+)\](?!\()/g;

/** The report of a run without front matter, as it was last shown. */
export function reportOf(events: readonly ResearchEvent[]): { readonly text: string; readonly citations: string[] } {
  let text = '';
  let citations: string[] = [];
  for (const event of events) {
    if (event.type !== 'report/delta') continue;
    text = text.slice(0, event.offset) + event.text;
    if (event.citations) citations = [...event.citations];
  }
  return { text: plainMarks(text), citations };
}

/** A paragraph, list item, row of a table, or quotation. */
interface Block {
  /** In one line, without the marks of a list or quotation. */
  readonly text: string;
  /** One statement as a whole: a quotation has its marker at its end, a row in its last cell. */
  readonly whole: boolean;
}

/** What stands above the list of references, without title and headings. */
function blocksOf(report: string): Block[] {
  // A reference is `- [n] …`; its heading is in the report's language.
  const end = report.search(/^## [^\n]*\n+- \[1\] /m);
  const body = (end < 0 ? report : report.slice(0, end)).replace(/^#{1,6} .*$/gm, '\n');
  return body
    .split(/\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)]|\|)[ \t])/)
    .map((block) => ({ whole: /^\s*[>|]/.test(block), text: block.replace(/^\s*(?:[-*+]|\d+[.)])\s+|^> ?/gm, '') }))
    .map(({ whole, text }) => ({ whole, text: text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** The sentences of a report, each with the sources that the markers behind it stand for. */
export function statementsOf(report: string, citations: readonly string[]): Statement[] {
  return blocksOf(report).flatMap(({ text: block, whole }) => {
    const parts = whole ? [block] : splitSentences(block).map(({ text }) => text);
    return parts.flatMap((part) => {
      const sources = [...part.matchAll(marker)].flatMap(([, number]) => citations[Number(number) - 1] ?? []);
      const text = part.replace(marker, '').trim();
      return /\p{L}/u.test(text) ? [{ text, sources: [...new Set(sources)] }] : [];
    });
  });
}

export function measure(events: readonly ResearchEvent[]): Measures {
  const { text, citations } = reportOf(events);
  const statements = statementsOf(text, citations);
  const counted = events.findLast((event) => event.type === 'report/finished')?.citations;
  const usage = events.filter((event) => event.type === 'usage');
  const ended = events.findLast((event) => event.type === 'run/finished');
  return {
    references: citations.length,
    citedShare:
      statements.length === 0 ? 0 : statements.filter(({ sources }) => sources.length > 0).length / statements.length,
    words: blocksOf(text).reduce((sum, block) => sum + wordsOf(block.text), 0),
    tokens: usage.reduce((sum, { tokens }) => sum + tokens.in + tokens.out, 0),
    cost: usage.some(({ cost }) => cost === null) ? null : usage.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    seconds: (ended?.ms ?? 0) / 1_000,
    verified: counted?.verified ?? 0,
    cited: counted?.cited ?? 0,
    dropped: counted?.dropped ?? 0,
  };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (text: string): number => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
