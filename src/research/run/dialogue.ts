import { INTERRUPT, isInterrupted } from '@langchain/langgraph';
import type { ResearchEvent } from '../../protocol/events.ts';
import type { Dialogue } from '../../protocol/ports.ts';
import { ResearchError } from '../errors.ts';
import type { ApproveResume, AskResume, Interrupt, ReviewResume } from './interrupts.ts';
import { shown } from '../nodes/plan.ts';
import { readAnswer } from '../policy/justStart.ts';
import type { RunContext } from './runContext.ts';
import { untilAborted } from '../calls/waiting.ts';

/**
 * Answers an interrupt; one that was answered in an earlier life of the run is answered alike, without asking. "Finish now"
 * ends the waiting: what was proposed stands then, and is not kept as the user's word.
 */
export async function answer(
  context: RunContext,
  dialogue: Dialogue,
  waiting: Interrupt,
): Promise<AskResume | ApproveResume | ReviewResume> {
  const { signal, finishSignal } = context;
  try {
    return await answered(context, dialogue, waiting, AbortSignal.any([signal, finishSignal]));
  } catch (error) {
    if (signal.aborted || !finishSignal.aborted) throw error;
    return unanswered(waiting);
  }
}

/** @param listen Ends the waiting: a person may take their time, a stop must not. */
async function answered(
  { calls, emit }: RunContext,
  dialogue: Dialogue,
  waiting: Interrupt,
  listen: AbortSignal,
): Promise<AskResume | ApproveResume | ReviewResume> {
  const told = <T>(said: Promise<T> | undefined): Promise<T> | undefined => said && untilAborted(said, listen);
  switch (waiting.kind) {
    case 'ask': {
      const { id, question, options, missingInfo, why, topicMissing } = waiting.asked;
      const given = await calls.observed(
        `answer/${id}`,
        async () => {
          emit({ type: 'clarify/asked', id, question, options: [...options], missingInfo, why });
          if (!dialogue.answer && topicMissing) throw needsAnswer(question);
          const said = (await told(dialogue.answer?.(waiting.asked))) ?? null;
          return said === null ? null : readAnswer(said, options);
        },
        question,
      );
      if (!given.replayed) emit({ type: 'clarify/answered', id, answer: given.value, skipped: given.value === null });
      return { answer: given.value };
    }
    case 'approve': {
      const given = await calls.observed(
        'approve',
        async () => (await told(dialogue.approve?.(waiting.plan))) ?? waiting.plan,
        JSON.stringify(waiting.plan.sections),
      );
      const { title, sections, estimate } = given.value;
      if (!given.replayed) emit({ type: 'plan/approved', title, sections: sections.map(shown), estimate });
      return { plan: given.value };
    }
    case 'review': {
      const about = JSON.stringify(waiting.decide.retry);
      return {
        decision: (
          await calls.observed(
            `decide/${about}`,
            async () => (await told(dialogue.decideReview?.(waiting.decide))) ?? 'continue',
            about,
          )
        ).value,
      };
    }
  }
}

function unanswered(waiting: Interrupt): AskResume | ApproveResume | ReviewResume {
  switch (waiting.kind) {
    case 'ask':
      return { answer: null };
    case 'approve':
      return { plan: waiting.plan };
    case 'review':
      return { decision: 'report' };
  }
}

export function needsAnswer(question: string): ResearchError {
  return new ResearchError('needsAnswer', `The run waits for an answer: ${question}`, {
    next: 'Answer the question, or say in the research question itself what is missing.',
  });
}

/** What a run waited for when it was cut off: the node that proposed it is not run again, so its event is told again. */
export function showAgain(state: unknown, context: RunContext, events: readonly ResearchEvent[]): void {
  if (!isInterrupted<Interrupt>(state)) return;
  const waiting = state[INTERRUPT][0]!.value!;
  if (waiting.kind === 'approve') {
    const { title, sections, estimate } = waiting.plan;
    context.emit({ type: 'plan/proposed', title, sections: sections.map(shown), estimate, needsApproval: true });
  }
  if (waiting.kind === 'review') {
    const { review, retry } = waiting.decide;
    const gaps = review.gaps.map(({ section, gap }) => ({ section, gap }));
    // The round may not have reached the disk.
    const round = events.findLast((event) => event.type === 'review/finished')?.round ?? 1;
    context.emit({
      type: 'review/finished',
      score: review.overallScore,
      sufficient: review.isSufficient,
      gaps,
      retry: [...retry],
      round,
      needsApproval: true,
    });
  }
}
