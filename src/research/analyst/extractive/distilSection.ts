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
  const isMain = isMainFacet(facetOfSection(section, read), read.facet);
  const shown = shownCount(depth, isMain);
  const chosen = read.sides.length > 1 ? chooseBySide(ranked, read.sides, shown * 2) : choosePassages(ranked, shown * 2, isMain);
  return {
    title: section.title,
    content: renderQuotes(chosen.slice(0, shown), { format: outputFormat, texts: textsOf(language), sides: read.sides, reserved: [section.title] }),
    findings: chosen.map(({ text, source }) => ({ claim: text, quote: text, source })),
  };
}

/**
 * Every side of a comparison gets its share, in turn; what speaks of several sides at once comes first, what names none of
 * them last, a quarter at most.
 */
export function chooseBySide(ranked: readonly RankedPassage[], sides: readonly string[], count: number): RankedPassage[] {
  // Naming a side is reason enough to stand in a comparison, whatever the section's facet.
  const spoken = ranked.map((passage) => {
    const named = sidesOfPassage(passage, sides);
    return { named, passage: named.length > 0 ? { ...passage, fits: true } : passage };
  });
  const ofSides = (wanted: (named: readonly string[]) => boolean): RankedPassage[] =>
    choosePassages(spoken.filter(({ named }) => wanted(named)).map(({ passage }) => passage), count);
  const lists = [ofSides((named) => named.length > 1), ...sides.map((side) => ofSides((named) => named.length === 1 && named[0] === side))];
  const chosen: RankedPassage[] = [];
  for (let turn = 0; chosen.length < count && lists.some((list) => turn < list.length); turn += 1) {
    for (const list of lists) if (list[turn] && chosen.length < count) chosen.push(list[turn]!);
  }
  const rest = ofSides((named) => named.length === 0).slice(0, Math.max(2, Math.floor(chosen.length / 4)));
  return [...chosen, ...rest].slice(0, count);
}
