import type { AnalystLimits, ReportInput, ReviewedSection } from '../analyst.ts';
import type { Source } from '../../evidence/source.ts';
import { terms } from '../../text/tokenize.ts';
import { fingerprint, isMainFacet, isNearDuplicate, shownCount, type Fingerprint } from './choosePassages.ts';
import { allocateQuotes, distinctQuotes } from './allocateQuotes.ts';
import { judgeSentence } from './sentenceQuality.ts';
import { passagesOf, type Passage } from './passages.ts';
import { readQuestion } from './question.ts';
import { questionOfSection } from './questionOfSection.ts';
import { facetOfSection, rankPassages, type RankedPassage } from './rankPassages.ts';
import { quoted, renderQuotes, sidesOfPassage } from './renderQuotes.ts';
import { fill, sourcesInWords, textsOf, type Texts } from './texts.ts';

/** Of all sentences no more than this share goes to the summary; a handful needs none. */
const summaryShare = 1 / 3;
const leastForSummary = { comparison: 20, other: 8 } as const;
/** Length of the summary, in words; a character of Chinese, Japanese or Korean counts a little more than half. */
const summaryWords = { least: 100, most: 200 } as const;
/** A section that has no more quotes than this keeps them all. */
const keptInSection = 3;

/**
 * The report of the extractive analyst, in pieces: title, one line on what it is, a summary of the strongest quotes, the
 * sections, and what was and was not found. Every sentence but those of the fixed texts is a quote with its source's id, and
 * stands in the report once. Pure.
 */
export function* writeDigest(
  input: ReportInput,
  language: string,
  depth: AnalystLimits['depth'],
): Generator<string, void, void> {
  const texts = textsOf(language);
  const drafts = draftsOf(input, depth);
  const { sides, questions } = readQuestion(input.clarifiedQuestion);
  // The best answer to each of several questions stands under it.
  const summary =
    questions.length > 1
      ? []
      : takeSummary(
          drafts,
          sides.length > 1 ? leastForSummary.comparison : leastForSummary.other,
          scarceIn(drafts, sides),
        );
  allocateQuotes(drafts, summary);
  yield `# ${oneLine(input.title)}\n\n`;
  const quotes = [...summary, ...drafts.flatMap(({ shown }) => shown)];
  if (quotes.length > 0) {
    yield `${fill(texts.digest, { sources: sourcesInWords(new Set(quotes.map(({ source }) => source)).size, texts) })}\n\n`;
  }
  for (const [index, passage] of summary.entries()) yield `${index > 0 ? ' ' : ''}${quoted(passage)}`;
  if (summary.length > 0) yield '\n\n';
  const reserved = input.sections.map(({ title }) => title);
  for (const { section, shown } of drafts) {
    yield `## ${oneLine(section.title)}\n\n`;
    const body = renderQuotes(shown, { format: input.analysis.outputFormat, texts, sides, reserved });
    if (body !== '') yield `${body}\n\n`;
  }
  yield conclusionOf(drafts, summary, texts);
}

interface Draft {
  readonly section: ReviewedSection;
  /** Best first. */
  readonly candidates: readonly RankedPassage[];
  readonly target: number;
  shown: RankedPassage[];
}

function draftsOf(input: ReportInput, depth: AnalystLimits['depth']): Draft[] {
  const sources = new Map(input.sources.map((source) => [source.id, source]));
  return input.sections.map((section) => {
    const question = questionOfSection(section.title, input.clarifiedQuestion);
    const read = readQuestion(question);
    const about = { title: section.title, description: section.description, queries: [] };
    const isMain = isMainFacet(facetOfSection(about, read), read.facet);
    const findings = section.status === 'failed' ? [] : section.findings;
    const origins = [...new Set(findings.map(({ source }) => source))]
      .map((id) => sources.get(id))
      .filter((source) => source !== undefined);
    // Ranked once more: how well a sentence suits this section tells which of two sections may have it.
    const ranked = new Map(
      rankPassages({ ...about, gaps: [], question, read }, origins).map((passage) => [
        `${passage.source} ${passage.text}`,
        passage,
      ]),
    );
    const candidates = findings.flatMap(
      ({ quote, source }) => ranked.get(`${source} ${quote}`) ?? restored(quote, sources.get(source)),
    );
    return { section, candidates, target: shownCount(depth, isMain), shown: [] };
  });
}

/** A finding that is no sentence of ours (another analyst's) or that suits the section by more than its words. */
function restored(quote: string, origin: Source | undefined): RankedPassage[] {
  if (!origin || quote.trim() === '') return [];
  const content = terms(quote);
  const passage: Passage = passagesOf(origin).find(({ text }) => text === quote) ?? {
    source: origin.id,
    text: quote.replace(/\s+/g, ' ').trim(),
    heading: '',
    context: origin.title,
    index: Number.MAX_SAFE_INTEGER,
    block: -1,
    firstInBlock: false,
    quality: judgeSentence(quote, origin.kind),
    terms: content,
    words: new Set(content),
  };
  return [{ ...passage, origin, score: 0, fits: true, about: 1 }];
}

// --------------------------------------------------------------------------------------------------------------- summary

/**
 * The strongest quotes over all sections, 100 to 200 words if there are enough: the best of each section, the next of the main
 * one, then the next of each.
 */
function takeSummary(
  drafts: readonly Draft[],
  least: number,
  isScarce: (passage: RankedPassage) => boolean,
): RankedPassage[] {
  const taken: { passage: RankedPassage; print: Fingerprint; section: number }[] = [];
  const next = drafts.map(() => 0);
  const distinct = distinctQuotes(drafts);
  if (distinct < least) return [];
  const most = Math.floor(distinct * summaryShare);
  let words = 0;
  const takeFrom = (number: number): boolean => {
    const { candidates } = drafts[number]!;
    while (taken.length < most && next[number]! < candidates.length - keptInSection) {
      const passage = candidates[next[number]!]!;
      next[number]! += 1;
      const length = lengthInWords(passage.text);
      const print = fingerprint(passage.text);
      if (
        passage.quality < 0.7 ||
        isScarce(passage) ||
        words + length > summaryWords.most ||
        taken.some((other) => isNearDuplicate(other.print, print))
      )
        continue;
      taken.push({ passage, print, section: number });
      words += length;
      return true;
    }
    return false;
  };
  const widest = Math.max(0, ...drafts.map(({ target }) => target));
  const main = drafts.flatMap(({ target }, number) =>
    target === widest && drafts.some((draft) => draft.target < widest) ? [number] : [],
  );
  for (let open = true; open && words < summaryWords.least;) {
    open = false;
    for (const number of [...drafts.keys(), ...main])
      if (words < summaryWords.least + 40) open = takeFrom(number) || open;
  }
  // Read from the first section to the last.
  return taken.sort((a, b) => a.section - b.section).map(({ passage }) => passage);
}

/** Speaks a passage of a side that has no more quotes than a row of its own needs? Then the summary must leave it. */
function scarceIn(drafts: readonly Draft[], sides: readonly string[]): (passage: RankedPassage) => boolean {
  const spoken = new Map(
    drafts.flatMap(({ candidates }) =>
      candidates.map((passage) => [passage.text, sidesOfPassage(passage, sides)] as const),
    ),
  );
  const scarce = sides.filter(
    (side) => [...spoken.values()].filter((named) => named.includes(side)).length <= keptInSection,
  );
  return ({ text }) => scarce.some((side) => spoken.get(text)?.includes(side));
}

function lengthInWords(text: string): number {
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu)?.length ?? 0;
  return dense / 1.7 + text.split(/\s+/).length;
}

// ------------------------------------------------------------------------------------------------------------ conclusion

function conclusionOf(drafts: readonly Draft[], summary: readonly RankedPassage[], texts: Texts): string {
  const found = drafts.filter(({ shown }) => shown.length > 0);
  const missing = drafts.filter(({ shown }) => shown.length === 0);
  const lines = found.map(({ section, shown }) => {
    const sources = new Set(shown.map(({ source }) => source)).size;
    return `- ${fill(texts.foundLine, { section: oneLine(section.title), sources: sourcesInWords(sources, texts) })}`;
  });
  const parts = [
    ...(lines.length > 0 ? [texts.found, lines.join('\n')] : []),
    missing.length > 0
      ? fill(texts.notFound, {
          sections: missing.map(({ section }) => oneLine(section.title)).join(separatorOf(texts)),
        })
      : texts.allFound,
    ...(found.length > 0 || summary.length > 0 ? [texts.outlook] : []),
  ];
  return `## ${texts.conclusion}\n\n${parts.join('\n\n')}\n`;
}

/** Titles hold commas and "and" themselves. */
function separatorOf({ comma }: Texts): string {
  return comma === '、' ? '；' : comma === '، ' ? '؛ ' : '; ';
}

/** Titles come from people and plans: one line without anything that would start markup. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[[\]<>|`*]/g, '')
    .trim();
}
