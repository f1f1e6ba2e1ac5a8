import { Command, interrupt } from '@langchain/langgraph';
import type { Review } from '../analyst/analyst.ts';
import { mayGoBack } from '../policy/sectionSufficiency.ts';
import type { Interrupt, ReviewResume } from './interrupts.ts';
import type { EventPort, LimitPort } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';
import { joined, reviewPlace, sentBack, sentBackBy } from './review.ts';
import { pendingRemarks } from './pendingRemarks.ts';

/** Waits for the user to decide which sections are sent back. Calls nothing. */
export function confirmReviewNode(run: EventPort & LimitPort) {
  return async (state: ResearchStateType): Promise<Route<'confirmReview'>> => {
    const review = state.lastReview!;
    const round = state.reviewIterations + 1;
    const place = reviewPlace(state);
    const open = state.sections.filter((section) => mayGoBack(section, run.settings));
    const { decision } = interrupt<Interrupt, ReviewResume>({
      kind: 'review',
      decide: {
        ...{ review, retry: review.sectionsToRetry, round, place },
        sections: open.map(({ id, title }) => ({ id, title })),
      },
    });
    const chosen = sentBackBy(decision, review.sectionsToRetry, open);
    const lastReview: Review = { ...review, sectionsToRetry: chosen };
    const others = await pendingRemarks(run, state, `confirm/${place}`, chosen.length === 0);
    if (chosen.length + others.length === 0) return new Command({ goto: 'report' });
    const back = chosen.length === 0 ? { sections: [] } : sentBack(state, lastReview);
    return new Command({ update: { ...back, ...joined(lastReview, back.sections, others) }, goto: 'dispatch' });
  };
}
