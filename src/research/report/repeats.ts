import { exactCheck } from '../evidence/exact.ts';
import { numberedFindings, withSourceIds } from '../evidence/findingNumber.ts';
import { normalizeForQuote } from '../evidence/quotes.ts';
import type { Finding } from '../evidence/source.ts';
import { splitSentences } from '../text/sentences.ts';
import { terms } from '../text/tokenize.ts';

/** Share of a claim's terms, or of its quote's, that a sentence has when it states the finding, and of its own that another section's has when it repeats that. */
const likeness = 0.6;
/** Share of what a sentence says of a finding that the one replacing it may lack: one term of eight. */
const mostMissing = 1 / 8;
/** Share of a sentence's terms that are new where it concludes from what its section said before. */
const leastNew = 1 / 4;

interface Section {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly findings: readonly Finding[];
  /** Markdown with source ids as markers. */
  readonly text: string;
}

/**
 * The texts of the sections without what is said twice. A finding that sections share stays in the one whose plan shares most terms with
 * it, of equals the one that has fewest; any other statement stays where it is read first. Sentences that cite another source as well,
 * rows of tables, and what has a figure of its own stay everywhere, and so does everything where a section would be left without a citation.
 */
export function withoutRepeats<S extends Section>(sections: readonly S[]): S[] {
  const shared = sharedFindings(sections);
  const numbered = numberedFindings(sections);
  const cited = (text: string): string => withSourceIds(text, numbered);
  const owned = sections.map((section) => {
    const elsewhere = shared.flatMap(({ owner, holders, finding }) =>
      owner === section || !holders.includes(section)
        ? []
        : sentencesOf(cited(owner.text))
            .filter((text) => states(text, finding))
            .map((text) => ({ finding, text })),
    );
    return filtered(section, cited, (sentence) =>
      elsewhere.every(({ finding, text }) => !states(sentence, finding) || !saysAsMuch(text, sentence, finding)),
    );
  });
  const findings = sections.flatMap((section) => section.findings);
  const said: Statement[] = [];
  return owned.map((section) => {
    const own: Statement[] = [];
    const rest = filtered(section, cited, (sentence) => {
      const statement = statementOf(sentence, findings);
      if (statement === undefined) return true;
      if (said.some((before) => repeats(statement, before, likeness))) return false;
      // A section may come back to what it said, to weigh it or to conclude, but not with the same words alone.
      if (own.some((before) => repeats(statement, before, 1 - leastNew))) return false;
      own.push(statement);
      return true;
    });
    for (const one of own) said.push(one);
    return rest;
  });
}

/** What was found of a section without what a text states already; "" when nothing new would be cited. */
export function unstated(found: string, findings: readonly Finding[], text: string): string {
  const stated = findings.filter((finding) => isStated(finding, text));
  const rest = withSentences(found, (sentence) => !stated.some((finding) => mentions(sentence, finding)));
  return idsOf(rest).length === 0 ? '' : rest;
}

/** Whether a sentence of a text cites the finding's source for what it says, with all of its figures. */
export function isStated(finding: Finding, text: string): boolean {
  return sentencesOf(text).some(
    (sentence) => mentions(sentence, finding) && hasFigures(withoutIds(sentence), finding.claim),
  );
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
      for (const { finding } of same) shared.push({ finding, holders, owner });
    }
  }
  return shared;
}

/** The section without some of its sentences, unless no citation would be left. @param cited Gives a text the ids of sources. */
function filtered<S extends Section>(
  section: S,
  cited: (text: string) => string,
  stays: (sentence: string) => boolean,
): S {
  const text = withSentences(section.text, (sentence) => stays(cited(sentence)));
  return text === section.text || idsOf(cited(text)).length === 0 ? section : { ...section, text };
}

/** Takes sentences out, and list items where they are one sentence. What ends a line or a paragraph is a sentence of its own. */
function withSentences(text: string, stays: (sentence: string) => boolean): string {
  const sentences = sentencesOf(text);
  let out = '';
  let taken = 0;
  for (const [index, sentence] of sentences.entries()) {
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(sentence);
    const isEnd = sentences[index + 1]?.trim() === '' || index === sentences.length - 1;
    const isRow = /^\s*\|/.test(sentence);
    if (isRow || (isItem && !isEnd) || stays(sentence)) out += sentence;
    else taken += 1;
  }
  if (taken === 0) return text;
  return out
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A sentence that cites, as far as it can be known again. */
interface Statement {
  readonly ids: string;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** What it comes nearest to of what was found in its sources. */
  readonly finding: Finding | undefined;
}

/** Shorter sentences lead over to something. In terms. */
const leastTerms = 4;

function statementOf(sentence: string, findings: readonly Finding[]): Statement | undefined {
  const ids = [...new Set(idsOf(sentence))].sort();
  const text = withoutIds(sentence);
  const own = new Set(terms(text));
  if (ids.length === 0 || own.size < leastTerms) return undefined;
  let nearest: { readonly finding: Finding; readonly share: number } | undefined;
  for (const finding of findings) {
    if (!ids.includes(finding.source)) continue;
    const share = Math.max(shareIn(own, finding.claim), shareIn(own, finding.quote));
    if (share > (nearest?.share ?? 0)) nearest = { finding, share };
  }
  return { ids: ids.join(' '), text, terms: own, finding: nearest?.finding };
}

/**
 * The later one cites the same for the same finding, and has nothing of that and no figure that the other hasn't, and of its terms at
 * least this share in common with it.
 */
function repeats(later: Statement, before: Statement, leastKnown: number): boolean {
  const { ids, finding, text } = later;
  if (ids !== before.ids || keyOf(finding) !== keyOf(before.finding)) return false;
  if (finding !== undefined && !saysAsMuch(before.text, text, finding)) return false;
  const known = [...later.terms].filter((term) => before.terms.has(term)).length;
  return known >= later.terms.size * leastKnown && hasFigures(before.text, text);
}

function keyOf(finding: Finding | undefined): string {
  return finding === undefined ? '' : `${finding.source} ${normalizeForQuote(finding.quote)}`;
}

function states(sentence: string, finding: Finding): boolean {
  const ids = idsOf(sentence);
  if (ids.some((id) => id !== finding.source) || !mentions(sentence, finding)) return false;
  return hasFigures(`${finding.claim} ${finding.quote}`, withoutIds(sentence));
}

/** What a sentence says of a finding, the other one says as well, but for a synonym in a long one. */
function saysAsMuch(text: string, sentence: string, { claim, quote }: Finding): boolean {
  const [said, found] = [new Set(terms(text)), new Set(terms(`${claim} ${quote}`))];
  const told = [...new Set(terms(withoutIds(sentence)))].filter((term) => found.has(term));
  return told.filter((term) => !said.has(term)).length <= told.length * mostMissing;
}

function hasFigures(text: string, wanted: string): boolean {
  return exactCheck(wanted, [text]);
}

/** The sentence cites the finding's source for what the finding says, whatever else it says. */
function mentions(sentence: string, { claim, quote, source }: Finding): boolean {
  if (!idsOf(sentence).includes(source)) return false;
  const said = new Set(terms(withoutIds(sentence)));
  return Math.max(shareIn(said, claim), shareIn(said, quote)) >= likeness;
}

/** Share of a text's terms that are among those that are said. */
function shareIn(said: ReadonlySet<string>, text: string): number {
  const wanted = new Set(terms(text));
  return wanted.size === 0 ? 0 : [...wanted].filter((term) => said.has(term)).length / wanted.size;
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
