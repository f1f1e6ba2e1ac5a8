import { INTERRUPT, isInterrupted } from '@langchain/langgraph';
import type { ResearchEvent } from '../../protocol/events.ts';
import type { Dialogue } from '../../protocol/ports.ts';
import { untilAborted } from '../calls/waiting.ts';
import { ResearchError } from '../errors.ts';
import { approvedPlan, shown } from '../nodes/plan.ts';
import { readAnswer } from '../policy/justStart.ts';
import type { Interrupt, Resume } from './interrupts.ts';
import type { RunContext } from './runContext.ts';

/**
 * Answers an interrupt. One that was answered before the run was resumed gets the same answer, without asking. "Finish now" ends
 * the wait: the proposal is taken then, and not journalled as the user's decision.
 */
export async function answer(context: RunContext, dialogue: Dialogue, waiting: Interrupt): Promise<Resume> {
  const { signal, finishSignal } = context;
  try {
    return await answered(context, dialogue, waiting, AbortSignal.any([signal, finishSignal]));
  } catch (error) {
    if (signal.aborted || !finishSignal.aborted) throw error;
    return unanswered(waiting);
  }
}

/** @param quit Ends the wait: a person may take their time, a stop must not. */
async function answered(
  { replay, emit }: RunContext,
  dialogue: Dialogue,
  waiting: Interrupt,
  quit: AbortSignal,
): Promise<Resume> {
  const reply = <T>(given: Promise<T> | undefined): Promise<T> | undefined => given && untilAborted(given, quit);
  switch (waiting.kind) {
    case 'ask': {
      const { id, question, options, missingInfo, why, topicMissing } = waiting.asked;
      const given = await replay.observed(
        `answer/${id}`,
        async () => {
          emit({ type: 'clarify/asked', id, question, options: [...options], missingInfo, why });
          if (!dialogue.answer && topicMissing) throw needsAnswer(question);
          const text = (await reply(dialogue.answer?.(waiting.asked))) ?? null;
          return text === null ? null : readAnswer(text, options);
        },
        question,
      );
      if (!given.replayed) emit({ type: 'clarify/answered', id, answer: given.value, skipped: given.value === null });
      return { answer: given.value };
    }
    case 'approve': {
      const proposed = waiting.plan;
      const given = await replay.observed(
        'approve',
        async () => approvedPlan(proposed, (await reply(dialogue.approve?.(proposed))) ?? proposed),
        JSON.stringify(proposed.sections),
      );
      const { title, sections, estimate } = given.value;
      if (!given.replayed) emit({ type: 'plan/approved', title, sections: sections.map(shown), estimate });
      return { plan: given.value };
    }
    case 'review': {
      const about = JSON.stringify(waiting.decide.retry);
      const decide = async () => (await reply(dialogue.decideReview?.(waiting.decide))) ?? 'continue';
      return { decision: (await replay.observed(`decide/${about}`, decide, about)).value };
    }
  }
}

function unanswered(waiting: Interrupt): Resume {
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
  return new ResearchError('needsAnswer', `The run is waiting for an answer: ${question}`, {
    next: 'Answer the question, or add what is missing to the research question itself.',
  });
}

/** Shows what an interrupted run was waiting for: the node that proposed it does not run again, so its event is repeated. */
export function repeatProposal(state: unknown, context: RunContext, events: readonly ResearchEvent[]): void {
  if (!isInterrupted<Interrupt>(state)) return;
  const waiting = state[INTERRUPT][0]!.value!;
  if (waiting.kind === 'approve') {
    const { title, sections, estimate } = waiting.plan;
    context.emit({ type: 'plan/proposed', title, sections: sections.map(shown), estimate, needsApproval: true });
  }
  if (waiting.kind === 'review') {
    const { review, retry } = waiting.decide;
    const gaps = review.gaps.map(({ section, gap }) => ({ section, gap }));
    // The event with the round may not have reached the disk.
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
