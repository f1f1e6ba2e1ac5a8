import { Command } from '@langchain/langgraph';
import type { PlannedSection, SectionBorder } from '../analyst/analyst.ts';
import type { Route } from '../routes.ts';
import { optionalFailure } from '../run/failure.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { tokenize } from '../text/tokenize.ts';

/**
 * Strategy `sections`: coordinate -> dispatch -> section × n -> aggregate -> review -> dispatch | report. Only the coordinator
 * is its own; all strategies share the section with its quick review.
 */

/** Two sections overlap when they share at least this part of the smaller one's words. */
const overlapFrom = 0.5;

/** Gives overlapping sections their borders before they start; a query that two sections share is left to the first. */
export function coordinateNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'coordinate'>> => {
    const sections = withoutSharedQueries(state.sections);
    const overlaps = overlapping(sections);
    if (overlaps.length === 0) return new Command({ update: { sections }, goto: 'dispatch' });
    const borders = await bordersOf(run, state, sections, overlaps);
    const byId = new Map(borders.map(({ id, border }) => [id, border.trim()]));
    const bordered = sections.map((section) => ({ ...section, border: byId.get(section.id) ?? '' }));
    return new Command({ update: { sections: bordered }, goto: 'dispatch' });
  };
}

async function bordersOf(
  run: RunContext,
  state: ResearchStateType,
  sections: readonly SectionState[],
  overlaps: readonly (readonly [string, string])[],
): Promise<readonly SectionBorder[]> {
  const scope = scopeOf(run, { path: 'coordinate', phase: 'plan', today: state.today, language: state.language });
  try {
    return await run.analyst.coordinate({ question: state.clarifiedQuery, sections, overlaps }, scope);
  } catch (error) {
    // Borders save work; without them two sections may find the same, and the report's writer states it once.
    run.log.warn(`coordinate: ${optionalFailure(run, 'coordinate', error).message}`);
    return [];
  }
}

/** Pairs of sections that share much of their subject. */
export function overlapping(sections: readonly PlannedSection[]): [string, string][] {
  const wordsOf = (section: PlannedSection) => new Set(tokenize(`${section.title} ${section.description}`));
  const common = inMost(sections.map(wordsOf));
  const words = sections.map((section) => new Set([...wordsOf(section)].filter((word) => !common.has(word))));
  return sections.flatMap((section, index) =>
    sections.slice(index + 1).flatMap((other, offset): [string, string][] => {
      const [a, b] = [words[index]!, words[index + 1 + offset]!];
      const shared = [...a].filter((word) => b.has(word)).length;
      return shared >= 3 && shared / Math.max(1, Math.min(a.size, b.size)) >= overlapFrom
        ? [[section.id, other.id]]
        : [];
    }),
  );
}

/** Words of the subject itself: they occur in most sections and distinguish none. */
function inMost(sections: readonly ReadonlySet<string>[]): Set<string> {
  const counts = new Map<string, number>();
  for (const words of sections) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(2, Math.ceil(sections.length * 0.75));
  return new Set([...counts].filter(([, count]) => sections.length > 2 && count >= most).map(([word]) => word));
}

function withoutSharedQueries(sections: readonly SectionState[]): SectionState[] {
  const taken = new Set<string>();
  return sections.map((section) => {
    const queries = section.queries.filter((query) => !taken.has(query.trim().toLowerCase()));
    for (const query of queries) taken.add(query.trim().toLowerCase());
    return { ...section, queries };
  });
}
