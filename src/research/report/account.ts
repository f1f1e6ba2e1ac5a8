import type { CitationCounts } from '../evidence/checker.ts';
import { inertLine } from '../evidence/neutralize.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';

/** How the report was made, one line an item: what wrote it, what it stands on, what failed, was cut short or assumed. */
export function accountOf(run: RunContext, state: ResearchStateType, counts: CitationCounts): string[] {
  const kinds = new Map<string, number>();
  for (const source of run.registry.all()) kinds.set(source.kind, (kinds.get(source.kind) ?? 0) + 1);
  const found = [...kinds].map(([kind, number]) => `${kind} ${number}`).join(', ');
  const lines = [
    run.model === null
      ? `Made on ${state.today} without a language model: every claim is a verbatim quote of its source.`
      : `Written on ${state.today} by ${inertLine(run.model)} (${inertLine(run.provider)}), strategy ${state.strategy}, from what was retrieved in this run.`,
    `Sources retrieved: ${run.registry.all().length} (${found}); cited: ${counts.cited}, of which ${counts.verified} with a quotation or figure found again in the stored text.`,
  ];
  if (counts.dropped > 0) {
    lines.push(
      `Taken out because no source of this run supports them: ${counts.dropped} ${counts.dropped === 1 ? 'statement, address or marker' : 'statements, addresses or markers'}.`,
    );
  }
  for (const assumption of state.assumptions) lines.push(`Assumed: ${inertLine(assumption)}`);
  if (state.lastReview) {
    const back =
      state.reviewIterations > 0
        ? ` after ${state.reviewIterations} ${state.reviewIterations === 1 ? 'round' : 'rounds'} of sending sections back`
        : '';
    lines.push(`Review: ${state.lastReview.overallScore} of 10${back}.`);
  }
  if (state.lastReflection)
    lines.push(
      `Judged: ${state.lastReflection.overallScore} of 10 after ${state.iterationCount} ${state.iterationCount === 1 ? 'round' : 'rounds'} of search.`,
    );
  for (const section of state.sections.filter((candidate) => candidate.status === 'failed')) {
    lines.push(`Failed: ${inertLine(section.title)}. ${inertLine(section.error ?? '')}`);
  }
  if (run.finishSignal.aborted)
    lines.push('Finished early, at the user’s word: it rests on what had been found by then.');
  // A section's failure is said above already; a call that was made again did not fail.
  for (const warning of run.warnings.filter(({ code }) => !/^(?:section|model)\./.test(code)))
    lines.push(`Note: ${inertLine(warning.message)}`);
  return lines;
}
