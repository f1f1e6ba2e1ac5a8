import { plainText } from '../evidence/metadata.ts';
import type { WrittenChange } from '../ports.ts';
import { hasEvidence } from '../section/hasEvidence.ts';
import { textsIn } from '../languages/texts.ts';
import { caught } from '../run/failure.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import { reviewed } from '../section/reviewed.ts';
import type { ResearchStateType } from '../state.ts';
import { splitSentences } from '../text/sentences.ts';

/** Of a statement in a heading, in characters. */
const longestHeading = 140;

interface Challenged {
  readonly state: ResearchStateType;
  readonly raw: string;
  /** What its section says once it is checked. */
  readonly judged: (section: string) => NonNullable<WrittenChange['judged']>;
}

/**
 * What becomes of a statement that was challenged, as a report of one section: its heading says the outcome, and the text
 * below its sub-heading replaces the statement. Undefined where it can't be judged.
 */
export async function challenged(run: RunContext, state: ResearchStateType): Promise<Challenged | undefined> {
  const { change, sections, language } = state;
  const [section] = sections;
  if (change?.as !== 'challenge' || section === undefined || !hasEvidence(section)) return undefined;
  const scope = stepScope(run, state, 'report', 'report/challenge');
  try {
    const judged = await run.analyst.challenge?.({ statement: change.target, section: reviewed(section) }, scope);
    if (judged === undefined) return undefined;
    const { outcomes, corrected } = textsIn(language, 'report').challenge;
    const outcome = outcomes[judged.outcome];
    const title = `${outcome}: ${plainText(change.target, longestHeading)}`;
    const replaces = judged.outcome !== 'holds' && judged.corrected !== '';
    if (replaces && run.parent?.quoted === undefined) run.warn({ kind: 'challenge.notInReport' });
    const parts = [`## ${title}`, judged.reasons, ...(replaces ? [`### ${corrected}`, judged.corrected] : [])];
    const named = state.outline && { ...state.outline, title };
    return {
      state: { ...state, outline: named, sections: [{ ...section, title }] },
      raw: parts.join('\n\n'),
      judged: (text) => {
        const [reasons = '', ...below] = text.replace(/^## .*\n+/, '').split(`### ${corrected}\n`);
        const reason = splitSentences(reasons)[0]?.text.replace(/\s+/g, ' ').trim() ?? '';
        return { outcome, reason, corrected: replaces ? (below.at(-1)?.trim() ?? '') : '' };
      },
    };
  } catch (error) {
    run.signal.throwIfAborted();
    run.warn({ kind: 'report.cutShort', error: caught(run, 'challenge', error) });
    return undefined;
  }
}
