import type { ClarifyOption, PlanEstimate } from '../../protocol/events.ts';
import type { PlannedSection, Review } from '../analyst/analyst.ts';

/** A question to the user. */
export interface Asked {
  readonly id: string;
  readonly question: string;
  readonly options: readonly ClarifyOption[];
  readonly missingInfo: string;
  readonly why: string;
  /** Nothing can be researched without an answer: not even a recommended one may be taken. */
  readonly topicMissing: boolean;
}

/** A plan as it is shown before it runs; what comes back is what runs. */
export interface ProposedPlan {
  readonly title: string;
  readonly sections: readonly PlannedSection[];
  readonly estimate: PlanEstimate;
}

export interface ReviewToDecide {
  readonly review: Review;
  readonly retry: readonly string[];
}

/** What the graph waits for, and what it is resumed with. Each interrupt stands alone in a node that calls nothing. */
export type Interrupt =
  | { readonly kind: 'ask'; readonly asked: Asked }
  | { readonly kind: 'approve'; readonly plan: ProposedPlan }
  | { readonly kind: 'review'; readonly decide: ReviewToDecide };

export interface AskResume {
  readonly answer: string | null;
}
export interface ApproveResume {
  readonly plan: ProposedPlan;
}
export interface ReviewResume {
  readonly decision: 'continue' | 'report';
}
