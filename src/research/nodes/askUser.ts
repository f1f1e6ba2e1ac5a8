import { Command, interrupt } from '@langchain/langgraph';
import type { Asked } from '../../protocol/ports.ts';
import type { AskedQuestion } from '../analyst/analyst.ts';
import type { AskResume, Interrupt } from './interrupts.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';

/** Waits for the answer to the assessment's one question. Calls nothing: the body runs again on resume. */
export function askUserNode() {
  return (state: ResearchStateType): Route<'askUser'> => {
    const asked = askedOf(state);
    const { answer } = interrupt<Interrupt, AskResume>({ kind: 'ask', asked });
    const { id, question, missingInfo, options } = asked;
    const recommended = options.find((option) => option.recommended)?.label;
    const answered: AskedQuestion = {
      ...{ id, question, missingInfo },
      answer: answer?.trim() ? answer.trim() : null,
      ...(recommended === undefined ? {} : { recommended }),
      ...(options.some(({ label }) => label === answer?.trim()) ? { isOption: true } : {}),
    };
    return new Command({ update: { asked: [...state.asked, answered] }, goto: 'assess' });
  };
}

function askedOf(state: ResearchStateType): Asked {
  const assessment = state.assessment!;
  const recommended = assessment.options.findIndex((option) => option.recommended);
  return {
    id: `q${state.asked.length + 1}`,
    question: assessment.question,
    // Always exactly one recommended option.
    options: assessment.options
      .slice(0, 5)
      .map(({ label }, index) => ({ label, recommended: index === Math.max(0, recommended) })),
    missingInfo: assessment.missingInfo,
    why: assessment.reasoning,
    topicMissing: state.needsTopic,
  };
}
