import type { PlannedSection, SectionBorder } from '../analyst/analyst.ts';
import { caught } from '../run/failure.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { tokenize } from '../text/tokenize.ts';

/**
 * Strategy `sections`: coordinate -> dispatch -> section × n -> aggregate -> review -> dispatch | report. What it has for
 * itself is the coordinator; the section with its own quick review is shared by all strategies.
 */

/** Share of the smaller section's words from which on two sections overlap. */
const overlapFrom = 0.5;

/** Gives overlapping sections their borders before they start; a query that two sections have is left to the first. */
export function coordinateNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Partial<ResearchStateType>> => {
    const sections = withoutSharedQueries(state.sections);
    const overlaps = overlapping(sections);
    if (overlaps.length === 0 || run.finishSignal.aborted) return { sections };
    const borders = await bordersOf(run, state, sections, overlaps);
    const byId = new Map(borders.map(({ id, border }) => [id, border.trim()]));
    return { sections: sections.map((section) => ({ ...section, border: byId.get(section.id) ?? '' })) };
  };
}

async function bordersOf(
  run: RunContext,
  state: ResearchStateType,
  sections: readonly SectionState[],
  overlaps: readonly (readonly [string, string])[],
): Promise<readonly SectionBorder[]> {
  const scope = scopeOf(
    run,
    { path: 'coordinate', phase: 'plan', today: state.today, language: state.language },
    run.signal,
  );
  try {
    return await run.analyst.coordinate({ question: state.clarifiedQuery, sections, overlaps }, scope);
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    // Borders save work; without them two sections may find the same, and the report's writer says it once.
    run.log.warn(`coordinate: ${caught(run, 'coordinate', error).message}`);
    return [];
  }
}

/** Pairs of sections that share much of what they are about. */
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

/** The subject itself stands in most sections and tells none from another. */
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
