import type { Distilled } from '../analyst/analyst.ts';
import type { Source } from '../evidence/source.ts';
import { caught } from '../run/failure.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';

/**
 * What the sources of each section say word for word, by the section's id: the floor under what a model writes. Rejects when the run
 * is stopped.
 */
export async function sectionQuotes(
  run: RunContext,
  state: ResearchStateType,
): Promise<ReadonlyMap<string, Distilled>> {
  const quotes = new Map<string, Distilled>();
  for (const section of state.sections) {
    const sources = section.sourceIds
      .map((id) => run.registry.get(id))
      .filter((source): source is Source => source !== undefined);
    if (sources.length === 0) continue;
    try {
      quotes.set(section.id, await quotesOf(run, state, section, sources));
    } catch (error) {
      if (run.signal.aborted) throw run.signal.reason;
      caught(run, `quotes of section ${section.id}`, error);
    }
  }
  return quotes;
}

function quotesOf(
  run: RunContext,
  state: ResearchStateType,
  section: SectionState,
  sources: readonly Source[],
): Promise<Distilled> {
  const { id } = section;
  const place = { path: `report/quotes/${id}`, phase: 'report', section: id } as const;
  const scope = scopeOf(run, { ...place, today: state.today, language: state.language }, run.signal);
  const outputFormat = state.analysis?.outputFormat ?? 'prose';
  const input = { section, question: state.clarifiedQuery, outputFormat, gaps: [], gathered: [], sources };
  return run.fallback.distil({ ...input, chosen: true }, scope);
}
