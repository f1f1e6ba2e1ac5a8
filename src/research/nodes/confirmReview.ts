import { Command, interrupt } from '@langchain/langgraph';
import type { Interrupt, ReviewResume } from '../run/interrupts.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';
import { sentBack } from './review.ts';

/** Waits for the user to decide whether the sections are sent back. Calls nothing. */
export function confirmReviewNode() {
  return (state: ResearchStateType): Route<'confirmReview'> => {
    const review = state.lastReview!;
    const { decision } = interrupt<Interrupt, ReviewResume>({
      kind: 'review',
      decide: { review, retry: review.sectionsToRetry },
    });
    return decision === 'continue'
      ? new Command({ update: sentBack(state, review), goto: 'dispatch' })
      : new Command({ goto: 'report' });
  };
}
