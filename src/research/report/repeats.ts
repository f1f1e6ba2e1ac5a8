import { findFigures, figureSet, isIn } from '../evidence/figures.ts';
import { normalizeForQuote } from '../evidence/quotes.ts';
import type { Finding } from '../evidence/source.ts';
import { splitSentences } from '../text/sentences.ts';
import { terms } from '../text/tokenize.ts';

/** Share of a claim's terms, or of its quote's, that a sentence has when it states the finding. */
const likeness = 0.6;

interface Section {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly findings: readonly Finding[];
  /** Markdown with source ids as markers. */
  readonly text: string;
}

/**
 * The texts of the sections without what several of them state: a finding that sections share stays in the one whose plan shares
 * most terms with it, of equals the one that has fewest. Sentences that cite another source as well, and rows of tables, stay everywhere, and
 * so does everything where a section would be left without a citation.
 */
export function withoutRepeats<S extends Section>(sections: readonly S[]): S[] {
  const shared = sharedFindings(sections);
  return sections.map((section) => {
    const elsewhere = shared.filter(
      ({ owner, holders, finding }) =>
        owner !== section && holders.includes(section) && sentencesOf(owner.text).some((text) => states(text, finding)),
    );
    if (elsewhere.length === 0) return section;
    const text = withoutFindings(
      section.text,
      elsewhere.map(({ finding }) => finding),
    );
    return idsOf(text).length === 0 ? section : { ...section, text };
  });
}

interface Shared<S> {
  readonly finding: Finding;
  readonly holders: readonly S[];
  readonly owner: S;
}

function sharedFindings<S extends Section>(sections: readonly S[]): Shared<S>[] {
  const held = sections.flatMap((section) => section.findings.map((finding) => ({ section, finding })));
  const bySource = Map.groupBy(held, ({ finding }) => finding.source);
  const plans = new Map(
    sections.map((section) => [section, new Set(terms(`${section.title} ${section.description}`))]),
  );
  const shared: Shared<S>[] = [];
  const owned = new Map<S, number>();
  for (const entries of bySource.values()) {
    const open = entries.map((entry) => ({ ...entry, quote: normalizeForQuote(entry.finding.quote) }));
    while (open.length > 0) {
      const { finding, quote } = open[0]!;
      const same = open.filter((other) => other.quote.includes(quote) || quote.includes(other.quote));
      for (const entry of same) open.splice(open.indexOf(entry), 1);
      const holders = sections.filter((section) => same.some((entry) => entry.section === section));
      if (holders.length < 2) continue;
      const about = new Set(terms(`${finding.claim} ${finding.quote}`));
      const fit = (section: S): number => [...plans.get(section)!].filter((term) => about.has(term)).length;
      const isBetter = (one: S, other: S): boolean =>
        fit(one) === fit(other) ? (owned.get(one) ?? 0) < (owned.get(other) ?? 0) : fit(one) > fit(other);
      const owner = holders.reduce((best, section) => (isBetter(section, best) ? section : best));
      owned.set(owner, (owned.get(owner) ?? 0) + 1);
      shared.push(...same.map((entry) => ({ finding: entry.finding, holders, owner })));
    }
  }
  return shared;
}

/** Takes sentences out, and list items where they are one sentence. What ends a line or a paragraph is a sentence of its own. */
function withoutFindings(text: string, findings: readonly Finding[]): string {
  const sentences = sentencesOf(text);
  let out = '';
  for (const [index, sentence] of sentences.entries()) {
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(sentence);
    const isEnd = sentences[index + 1]?.trim() === '' || index === sentences.length - 1;
    const isRow = /^\s*\|/.test(sentence);
    const stays = isRow || (isItem && !isEnd) || !findings.some((finding) => states(sentence, finding));
    if (stays) out += sentence;
  }
  return out
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function states(sentence: string, { claim, quote, source }: Finding): boolean {
  const ids = idsOf(sentence);
  if (ids.length === 0 || ids.some((id) => id !== source)) return false;
  const said = new Set(terms(withoutIds(sentence)));
  const share = (text: string): number => {
    const wanted = new Set(terms(text));
    return wanted.size === 0 ? 0 : [...wanted].filter((term) => said.has(term)).length / wanted.size;
  };
  if (Math.max(share(claim), share(quote)) < likeness) return false;
  const given = figureSet(`${claim} ${quote}`);
  return findFigures(withoutIds(sentence)).every((figure) => isIn(figure, given));
}

function sentencesOf(text: string): string[] {
  return splitSentences(text).map((sentence) => sentence.text);
}

function idsOf(text: string): string[] {
  return text.match(/\bS[0-9a-f]{5,64}\b/g) ?? [];
}

function withoutIds(text: string): string {
  return text.replace(/\[[^\]]{0,400}\]/g, ' ');
}
