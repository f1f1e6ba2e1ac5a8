import type { AnalystLimits, DistilInput, Distilled } from '../analyst.ts';
import type { Source } from '../../evidence/source.ts';
import { choosePassages, isMainFacet, shownCount } from './choosePassages.ts';
import { passagesOf } from './passages.ts';
import { readQuestion } from './question.ts';
import { questionOfSection } from './questionOfSection.ts';
import { facetOfSection, rankPassages, type RankedPassage } from './rankPassages.ts';
import { renderQuotes, sidesOfPassage } from './renderQuotes.ts';
import { textsOf } from './texts.ts';

/**
 * The best sentences of a section's sources, word for word. Findings hold twice as many as the content shows, best first,
 * so that the report can give a sentence that two sections want to one of them. Pure.
 */
export function distilSection(input: DistilInput, language: string, depth: AnalystLimits['depth']): Distilled {
  const { section, gaps, outputFormat } = input;
  const question = questionOfSection(section.title, input.question);
  const read = readQuestion(question);
  const ranked = rankPassages({ ...section, gaps, question, read }, input.sources);
  const facet = facetOfSection(section, read);
  const isMain = isMainFacet(facet, read.facet);
  // "Nothing found on limits" tells more than a sentence about something else under that heading.
  const mayFill = isMain || facet === undefined || facet === 'definition';
  const shown = shownCount(depth, isMain);
  const fitting =
    read.sides.length > 1
      ? chooseBySide(ranked, read.sides, shown * 2)
      : choosePassages(ranked, shown * 2, { isWide: isMain, mayFill });
  const chosen = fitting.length === 0 && input.chosen ? beginnings(input.sources, shown) : fitting;
  return {
    title: section.title,
    content: renderQuotes(chosen.slice(0, shown), {
      format: outputFormat,
      texts: textsOf(language),
      sides: read.sides,
      reserved: [section.title],
    }),
    findings: chosen.map(({ text, source }) => ({ claim: text, quote: text, source })),
  };
}

const leastQuality = 0.3;

/** The first good sentence of each source, then the second, as they come. */
function beginnings(sources: readonly Source[], count: number): RankedPassage[] {
  const passages = sources.map((origin) =>
    passagesOf(origin)
      .filter(({ quality }) => quality >= leastQuality)
      .slice(0, 2)
      .map((passage): RankedPassage => ({ ...passage, origin, score: passage.quality, fits: true, about: 1 })),
  );
  return [0, 1].flatMap((rank) => passages.flatMap((own) => own[rank] ?? [])).slice(0, count);
}

const enoughOfSides = 4;
const surelyRelated = 0.9;

/**
 * Every side of a comparison gets its share, in turn; what speaks of several sides at once comes first. What names none of
 * them stands there only when little else does.
 */
function chooseBySide(ranked: readonly RankedPassage[], sides: readonly string[], count: number): RankedPassage[] {
  // Naming a side is reason enough to stand in a comparison, whatever the section's facet.
  const spoken = ranked.map((passage) => {
    const named = sidesOfPassage(passage, sides);
    return { named, passage: named.length > 0 ? { ...passage, fits: true } : passage };
  });
  const ofSides = (wanted: (named: readonly string[]) => boolean): RankedPassage[] =>
    choosePassages(
      spoken.filter(({ named }) => wanted(named)).map(({ passage }) => passage),
      count,
    );
  const lists = [
    ofSides((named) => named.length > 1),
    ...sides.map((side) => ofSides((named) => named.length === 1 && named[0] === side)),
  ];
  const chosen: RankedPassage[] = [];
  for (let turn = 0; chosen.length < count && lists.some((list) => turn < list.length); turn += 1) {
    for (const list of lists) if (list[turn] && chosen.length < count) chosen.push(list[turn]!);
  }
  const rest =
    chosen.length > enoughOfSides
      ? []
      : ofSides((named) => named.length === 0)
          .filter(({ fits, about }) => fits && about >= surelyRelated)
          .slice(0, 2);
  return [...chosen, ...rest].slice(0, count);
}
