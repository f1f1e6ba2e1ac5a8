import type { Asked, ProposedEntities, ProposedPlan, ReviewDecision, WantedEntity } from '../../protocol/ports.ts';
import type { Review } from '../analyst/analyst.ts';
import type { PlanDecision } from '../plan/boundedPlan.ts';

export interface ReviewInterrupt {
  readonly review: Review;
  readonly retry: readonly string[];
  /** From 1. */
  readonly round: number;
  /** Names this review in the run. */
  readonly place: string;
  /** All that can go back. */
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/** What the graph waits for, and what resumes it. Each interrupt has a node of its own that calls nothing. */
export type Interrupt =
  | { readonly kind: 'ask'; readonly asked: Asked }
  | { readonly kind: 'entities'; readonly found: ProposedEntities }
  | { readonly kind: 'approve'; readonly plan: ProposedPlan }
  | { readonly kind: 'review'; readonly decide: ReviewInterrupt };

export interface AskResume {
  readonly answer: string | null;
}
export interface EntitiesResume {
  readonly wanted: readonly WantedEntity[];
}
export type ApproveResume = PlanDecision;
export interface ReviewResume {
  readonly decision: ReviewDecision;
}
export type Resume = AskResume | EntitiesResume | ApproveResume | ReviewResume;
