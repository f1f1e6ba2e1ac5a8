import type { AnalystLimits, DistilInput, Distilled } from '../analyst.ts';
import { choosePassages, isMainFacet, shownCount } from './choosePassages.ts';
import { readQuestion } from './question.ts';
import { facetOfSection, rankPassages, type RankedPassage } from './rankPassages.ts';
import { renderQuotes, sidesOfPassage } from './renderQuotes.ts';
import { textsOf } from './texts.ts';

/**
 * The best sentences of a section's sources, word for word. Findings hold twice as many as the content shows, best first,
 * so that the report can give a sentence that two sections want to one of them. Pure.
 */
export function distilSection(input: DistilInput, language: string, depth: AnalystLimits['depth']): Distilled {
  const { section, question, gaps, outputFormat } = input;
  const read = readQuestion(question);
  const ranked = rankPassages({ ...section, gaps, question, read }, input.sources);
  const shown = shownCount(depth, isMainFacet(facetOfSection(section, read), read.facet));
  const chosen = read.sides.length > 1 ? chooseBySide(ranked, read.sides, shown * 2) : choosePassages(ranked, shown * 2);
  return {
    title: section.title,
    content: renderQuotes(chosen.slice(0, shown), { format: outputFormat, texts: textsOf(language), sides: read.sides, reserved: [section.title] }),
    findings: chosen.map(({ text, source }) => ({ claim: text, quote: text, source })),
  };
}

/** Every side of a comparison gets its share, in turn; what speaks of several sides at once comes first. */
export function chooseBySide(ranked: readonly RankedPassage[], sides: readonly string[], count: number): RankedPassage[] {
  const spoken = ranked.map((passage) => ({ passage, sides: sidesOfPassage(passage, sides) }));
  const lists = [
    spoken.filter((entry) => entry.sides.length > 1),
    ...sides.map((side) => spoken.filter((entry) => entry.sides.length === 1 && entry.sides[0] === side)),
  ].map((entries) => choosePassages(entries.map(({ passage }) => passage), count));
  const chosen: RankedPassage[] = [];
  for (let turn = 0; chosen.length < count && lists.some((list) => turn < list.length); turn += 1) {
    for (const list of lists) if (list[turn] && chosen.length < count) chosen.push(list[turn]!);
  }
  return chosen.length > 0 ? chosen : choosePassages(ranked, count);
}
