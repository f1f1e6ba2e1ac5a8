import { hasEvidence } from '../section/hasEvidence.ts';
import { textsIn } from '../languages/texts.ts';
import { caught } from '../run/failure.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import { reviewed } from '../section/reviewed.ts';
import type { ResearchStateType } from '../state.ts';

/** Of a statement in a heading, in characters. */
const longestHeading = 140;

/**
 * What becomes of a statement that was challenged, as a report of one section: its heading says the outcome, and the text
 * below its sub-heading replaces the statement. Undefined where it can't be judged.
 */
export async function challenged(
  run: RunContext,
  state: ResearchStateType,
): Promise<{ readonly state: ResearchStateType; readonly raw: string } | undefined> {
  const { change, sections, language } = state;
  const [section] = sections;
  if (change?.as !== 'challenge' || section === undefined || !hasEvidence(section)) return undefined;
  const scope = stepScope(run, state, 'report', 'report/challenge');
  try {
    const judged = await run.analyst.challenge?.({ statement: change.target, section: reviewed(section) }, scope);
    if (judged === undefined) return undefined;
    const { outcomes, corrected } = textsIn(language, 'report').challenge;
    const title = `${outcomes[judged.outcome]}: ${change.target.replace(/\s+/g, ' ').slice(0, longestHeading)}`;
    const replaces = judged.outcome !== 'holds' && judged.corrected !== '';
    if (replaces && run.parent?.quoted === undefined) run.warn({ kind: 'challenge.notInReport' });
    const parts = [`## ${title}`, judged.reasons, ...(replaces ? [`### ${corrected}`, judged.corrected] : [])];
    const named = state.outline && { ...state.outline, title };
    return { state: { ...state, outline: named, sections: [{ ...section, title }] }, raw: parts.join('\n\n') };
  } catch (error) {
    run.signal.throwIfAborted();
    run.warn({ kind: 'report.cutShort', error: caught(run, 'challenge', error) });
    return undefined;
  }
}
