import { Command } from '@langchain/langgraph';
import type { AskedQuestion, Assessment } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import type { RunTexts } from '../languages/runTexts.ts';
import { fillText } from '../languages/sayings.ts';
import { decideSufficiency } from '../policy/sufficiency.ts';
import type { Decision } from '../stateSchema.ts';
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
        next: 'Ask about a subject that papers, code, discussions or your files cover.',
      });
    }
    const starts = decision === 'CONFIRM_PLAN' || decision === 'START_RESEARCH';
    if (starts && assessment.verification.trim() !== '') scope.thought(assessment.verification.trim());
    return new Command({
      update: {
        assessment,
        decision,
        clarifiedQuery: assessment.refinedQuery.trim() || state.originalQuery,
        assumptions: starts ? assumptionsOf(run.texts, assessment, state.asked, state.lookups) : [],
      },
      goto: nextOf(decision),
    });
  };
}

function nextOf(decision: Exclude<Decision, 'CANNOT_DO'>): 'verifyTopic' | 'askUser' | 'analyze' {
  if (decision === 'VERIFY_TOPIC') return 'verifyTopic';
  return decision === 'NEED_CLARIFICATION' ? 'askUser' : 'analyze';
}

/** What the run assumes because the user did not say it, in the report's language. */
function assumptionsOf(
  { assumptions: texts }: RunTexts,
  assessment: Assessment,
  asked: readonly AskedQuestion[],
  lookups: ResearchStateType['lookups'],
): string[] {
  const assumptions: string[] = [];
  const goal = assessment.defaultGoal.trim();
  if (!assessment.goalClear && goal !== '') assumptions.push(fillText(texts.goal, { goal }));
  for (const { answer, question } of asked)
    if (answer === null) assumptions.push(fillText(texts.skipped, { question: firstLine(question) }));
  if (!assessment.topicClear && asked.length > 0) assumptions.push(texts.topic);
  for (const { term, outcome } of lookups)
    if (outcome !== 'found') assumptions.push(fillText(texts[outcome], { term }));
  return assumptions;
}

function firstLine(text: string): string {
  const line = text
    .trim()
    .split('\n')[0]!
    .replace(/[*_`#]/g, '');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
