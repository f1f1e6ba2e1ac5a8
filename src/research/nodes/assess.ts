import { Command } from '@langchain/langgraph';
import type { AskedQuestion, Assessment } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { decideSufficiency, type Decision } from '../policy/sufficiency.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';

/** Assesses the question with every answer and lookup so far, and decides whether to look up, ask or start. */
export function assessNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'assess'>> => {
    run.emit({ type: 'run/phase', phase: 'assess' });
    const round = `${state.asked.length}-${state.lookups.length}`;
    const scope = scopeOf(
      run,
      { path: `assess/${round}`, phase: 'assess', today: state.today, language: state.language },
      run.signal,
    );
    const assessment = await run.analyst.assess(
      {
        question: state.originalQuery,
        asked: state.asked,
        lookups: state.lookups,
        ...(run.workspace ? { workspace: run.workspace } : {}),
      },
      scope,
    );
    const decision = decideSufficiency({
      assessment,
      asked: state.asked,
      lookups: state.lookups,
      clarification: run.settings.clarification,
    });
    if (decision === 'CANNOT_DO') {
      throw new ResearchError('cannotDo', assessment.cannotDo ?? 'This cannot be researched.', {
        next: 'Ask about a subject that papers, code, discussions or your files can tell something about.',
      });
    }
    const starts = decision === 'CONFIRM_PLAN' || decision === 'START_RESEARCH';
    if (starts && assessment.verification.trim() !== '') scope.thought(assessment.verification.trim());
    return new Command({
      update: {
        assessment,
        decision,
        clarifiedQuery: assessment.refinedQuery.trim() || state.originalQuery,
        assumptions: starts ? assumptionsOf(assessment, state.asked, state.lookups) : [],
      },
      goto: nextOf(decision),
    });
  };
}

function nextOf(decision: Exclude<Decision, 'CANNOT_DO'>): 'verifyTopic' | 'askUser' | 'analyze' {
  if (decision === 'VERIFY_TOPIC') return 'verifyTopic';
  return decision === 'NEED_CLARIFICATION' ? 'askUser' : 'analyze';
}

/** What the run assumes because the user did not say it; the report lists it. */
function assumptionsOf(
  assessment: Assessment,
  asked: readonly AskedQuestion[],
  lookups: ResearchStateType['lookups'],
): string[] {
  const assumptions: string[] = [];
  if (!assessment.goalClear && assessment.defaultGoal.trim() !== '')
    assumptions.push(`The goal was not stated; assumed: ${assessment.defaultGoal.trim()}.`);
  for (const question of asked) {
    if (question.answer === null)
      assumptions.push(
        `The question "${firstLine(question.question)}" was skipped; the most likely reading was taken.`,
      );
  }
  if (!assessment.topicClear && asked.length > 0)
    assumptions.push('The topic stayed vague; the best guess was researched.');
  for (const lookup of lookups) {
    if (lookup.outcome === 'impossible')
      assumptions.push(`"${lookup.term}" could not be looked up and was taken as it stands.`);
    if (lookup.outcome === 'notFound')
      assumptions.push(`"${lookup.term}" was looked up and not found; it was taken as it stands.`);
  }
  return assumptions;
}

function firstLine(text: string): string {
  const line = text
    .trim()
    .split('\n')[0]!
    .replace(/[*_`#]/g, '');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
